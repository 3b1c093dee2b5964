"""What a newcomer does, step by step, and what each step costs."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["Cost", "Do", "Step", "Strategy", "cost_of"]

Do = Literal["look", "read", "hover", "click", "scroll", "end", "type", "press", "paste"]

DECIDE_S = 1.35
POINT_S = 1.1
PRESS_S = 0.2
KEY_S = 0.28
HAND_S = 0.4
SCROLL_S = 0.5
LINE_S = 0.3
"""The keystroke-level model (Card, Moran and Newell 1980): to decide, to point, a mouse button, a
key of somebody who types now and then, a hand to the keyboard or back. A turn of the wheel by a
screen and a line that is read are ours."""


class Step(NamedTuple):
    """One step: what is done, to what, and what the newcomer thinks.

    `what` is a selector of Playwright's (`role=button[name=/Details/]`, `text=Step 4`), the keys or
    the text; `times` are screens that are scrolled, or lines that are read.
    """

    do: Do
    why: str
    what: str = ""
    times: int = 1


class Strategy(NamedTuple):
    """The way of a newcomer through a task, dead ends included."""

    steps: tuple[Step, ...]
    end: Literal["in the view", "in Python", "given up"] = "in the view"


class Cost(NamedTuple):
    """What steps cost: a click, a key, a typed word and a scrolled screen are one click each."""

    clicks: int = 0
    seconds: float = 0.0

    def plus(self, other: Cost) -> Cost:
        """Both together."""
        return Cost(self.clicks + other.clicks, self.seconds + other.seconds)


def cost_of(step: Step, scrolled: int = 0) -> Cost:
    """What a step costs, with the screens that had to be scrolled to come to it."""
    clicks, seconds = {
        "look": (0, 0.0),
        "read": (0, LINE_S * step.times),
        "hover": (0, POINT_S),
        "click": (1, POINT_S + PRESS_S),
        "scroll": (abs(step.times), SCROLL_S * abs(step.times)),
        "end": (1, POINT_S + 2 * PRESS_S),
        "type": (len(step.what.split()), HAND_S + KEY_S * len(step.what)),
        "press": (1, KEY_S * (1 + step.what.count("+"))),
        "paste": (1, 2 * KEY_S),
    }[step.do]
    return Cost(clicks + scrolled, DECIDE_S + seconds + SCROLL_S * scrolled)
