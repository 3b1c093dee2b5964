"""What a model says in one step, passed on in events that do not come too thick."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from nbagents.events import AssistantDelta, Thought, ToolArgsDelta
from nbagents.models.model import CallDelta, TextDelta, ThoughtDelta
from nbagents.redaction import clean

if TYPE_CHECKING:
    from nbagents.runs.state import Run

DELTA_S = 0.04
"""Deltas that come closer together than this become one event, which is at most so late."""


class Speech:
    """What a model says in one step, passed on in events that do not come too thick.

    Args:
        run: What it is written into.
        step: Which step it is.
    """

    def __init__(self, run: Run, step: int) -> None:
        self.step = step
        self._run = run
        self._timer: asyncio.TimerHandle | None = None
        self._text: list[str] = []
        self._passed: list[str] = []
        self._thought = ""
        self._next_s = 0.0
        self._arguments: dict[str, str] = {}

    def hear(self, part: TextDelta | ThoughtDelta | CallDelta) -> None:
        """Take a part; pass on what has gathered when it is time."""
        if isinstance(part, TextDelta):
            self._text.append(part.text)
        elif isinstance(part, ThoughtDelta):
            self._thought += part.text
        else:
            self._pass_on_call(part)
        if not self._text or self._timer is not None:
            return
        loop = asyncio.get_running_loop()
        if (left_s := self._next_s - loop.time()) <= 0:
            self.flush()
        else:  # the next piece may be long in coming
            self._timer = loop.call_later(left_s, self._due)

    def flush(self) -> None:
        """Pass on everything: something else comes in between, or nothing more comes."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.flush_thoughts()
        if self._text:
            self._pass_on_text()

    def end(self, text: str) -> None:
        """See that what was passed on, joined, is what the model said.

        Args:
            text: All of it, as it is kept: a check may have had it held back, or another put in its
                place, and a model may have said it in one piece.
        """
        if not text:
            return
        passed = "".join(self._passed)
        if len(passed) < len(text) and text.startswith(passed):
            self._text.append(text[len(passed) :])
            self.flush()

    def flush_thoughts(self) -> None:
        """Pass on what was thought; unlike text, no later event repeats it."""
        if self._thought:
            thought, self._thought = self._thought, ""
            self._run.emit(lambda stamp: Thought(**stamp, step=self.step, text=thought))

    def _pass_on_text(self) -> None:
        text, self._text = "".join(self._text), []
        self._passed.append(text)
        self._run.emit(lambda stamp: AssistantDelta(**stamp, step=self.step, text=text))
        self._next_s = asyncio.get_running_loop().time() + DELTA_S

    def _due(self) -> None:
        self._timer = None
        self.flush()

    def _pass_on_call(self, part: CallDelta) -> None:
        """Hold the first pieces back: most calls come whole, and then the turn says it all."""
        self.flush_thoughts()
        now_s = asyncio.get_running_loop().time()
        is_first = part.id not in self._arguments
        self._arguments[part.id] = self._arguments.get(part.id, "") + part.text
        if is_first:
            self._next_s = max(self._next_s, now_s + DELTA_S)
        if not part.id or now_s < self._next_s:
            return
        self._next_s = now_s + DELTA_S
        text, self._arguments[part.id] = self._arguments[part.id], ""
        self._run.emit(
            lambda stamp: ToolArgsDelta(
                **stamp, tool_call_id=clean(part.id), tool_name=clean(part.name), text=text
            )
        )
