"""One row of a saved run: sign, name, what tells it apart, what it gave, how it ended, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.notebook.markup import CODE, Html, join, muted, tag, unstyled
from nbagents.notebook.saved.look import AMBER, BAR, BLUE, ENDED, FALL, GREEN, GREY, RED
from nbagents.runs.wording import GAVE_NOTHING, clipped, phase_words, tick_s, tick_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.runs.tree import RunNode
    from nbagents.runs.wording import Phase

MARKS = {
    "done": ("✓", GREEN, "nf-ok"),
    "completed": ("✓", GREEN, "nf-ok"),
    "partly": ("!", AMBER, "nf-part"),
    "running": ("…", GREY, ""),
}
COLOURS = {"running": BLUE, "you": AMBER, "slot": GREY, "model": GREY}
LEAST_PART = 0.001
"""A bar is never less of the whole: what ran can be seen."""
LEAST_S = 0.001


@dataclass(frozen=True, slots=True)
class Scale:
    """The time of the outermost run, on which all its rows have their bars."""

    from_s: float
    total_s: float

    @property
    def is_seen(self) -> bool:
        """Whether there is a time to be seen; outputs that are compared have none."""
        return self.total_s > LEAST_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a row says."""

    sign: str
    title: Html
    about: Html | str = ""
    gave: str = ""
    notes: Sequence[str] = ()
    words: str
    time: str
    phases: Sequence[Phase] = ()


def scale_of(run: RunNode) -> Scale:
    """The scale of a run; of one that has not ended there is none."""
    ended_at = run["started_at"] if run["ended_at"] is None else run["ended_at"]
    return Scale(run["started_at"], ended_at - run["started_at"])


def mark(status: str) -> Html:
    """A coloured sign beside the words."""
    sign, colour, name = MARKS.get(
        status, ("✗", RED, "nf-no") if status in GAVE_NOTHING else ("○", GREY, "")
    )
    classes = f"nf-sign {name}".rstrip()
    return tag("span", sign, style=f"color:{colour};font-weight:bold", **{"class": classes})


def row(said: Said, scale: Scale) -> Html:
    """A row, as the summary of what it opens."""
    title = join(said.title, muted(said.about) if said.about else "", between=" ")
    ended = join(
        tag("span", said.words, **{"class": "nf-word"}),
        unstyled(" · ") if said.time else "",
        tag("span", said.time, **{"class": "nf-time"}) if said.time else "",
    )
    return join(
        mark(said.sign),
        " ",
        tag("span", title, **{"class": "nf-title"}),
        join(" ", tag("span", unstyled("— "), said.gave, **{"class": "nf-gave"}))
        if said.gave
        else "",
        *(
            join(" ", tag("span", unstyled("· "), muted(one), **{"class": "nf-note"}))
            for one in said.notes
        ),
        unstyled(" — "),
        tag("span", ended, style=ENDED, **{"class": "nf-end"}),
        _fall(said.phases, scale),
    )


def in_one_line(said: Said, name: str) -> Html:
    """The same of a call that does not open, for runs of very many."""
    return join(
        join(name, said.about, between=" "),
        said.gave,
        *said.notes,
        join(said.words, said.time, between=" · "),
        between=" — ",
    )


def code(name: str) -> Html:
    """The name of a tool."""
    return tag("code", tag("strong", name), style=CODE)


def axis(scale: Scale) -> Html:
    """The seconds above the bars; they are no text, since without styles nothing stands on them."""
    if not scale.is_seen:
        return Html()
    step_s = tick_s(scale.total_s)
    ticks = [(at + 1) * step_s for at in range(int(scale.total_s / step_s + 1e-9))]
    drawn = [
        tag("span", title=tick_words(at_s), style=f"left:{at_s / scale.total_s:.2%}")
        for at_s in ticks
    ]
    return tag("span", *drawn, **{"class": "nf-axis"})


def _fall(phases: Sequence[Phase], scale: Scale) -> Html:
    """When it waited, for what, and when it ran, as bars; in words where one points."""
    if not phases or not scale.is_seen:
        return Html()
    bars = [_bar(one, scale) for one in phases]
    words = clipped(phase_words(phases, scale.from_s + scale.total_s), 120)
    return tag("span", *bars, title=words, style=FALL, **{"class": "nf-fall"})


def _bar(phase: Phase, scale: Scale) -> Html:
    to_s = scale.from_s + scale.total_s if phase.to_s is None else phase.to_s
    left = min(max((phase.from_s - scale.from_s) / scale.total_s, 0.0), 1 - LEAST_PART)
    width = min(max((to_s - phase.from_s) / scale.total_s, LEAST_PART), 1 - left)
    place = f"background:{COLOURS[phase.kind]};left:{left:.1%};width:{width:.1%}"
    return tag("span", style=f"{BAR};{place}", **{"class": f"nf-{phase.kind}"})
