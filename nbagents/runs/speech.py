"""What a model says in one step, passed on in events that do not come too thick."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from nbagents.events import AssistantDelta, Thought, ToolArgsDelta
from nbagents.models.model import CallDelta, TextDelta, ThoughtDelta

if TYPE_CHECKING:
    from nbagents.runs.record import Run

__all__ = ["Speech"]

DELTA_S = 0.04
"""Deltas that come closer together than this become one event."""


class Speech:
    """What a model says in one step, passed on in events that do not come too thick."""

    def __init__(self, run: Run, step: int) -> None:
        self._run = run
        self._step = step
        self._text: list[str] = []
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
        if self._text and time.monotonic() >= self._next_s:
            self.flush_thoughts()
            self._pass_on_text()

    def flush(self) -> None:
        """Pass on everything: something else comes in between."""
        self.flush_thoughts()
        if self._text:
            self._pass_on_text()

    def flush_thoughts(self) -> None:
        """Pass on what was thought; unlike text, no later event repeats it."""
        if self._thought:
            thought, self._thought = self._thought, ""
            self._run.emit(lambda stamp: Thought(**stamp, step=self._step, text=thought))

    def _pass_on_text(self) -> None:
        text, self._text = "".join(self._text), []
        self._run.emit(lambda stamp: AssistantDelta(**stamp, step=self._step, text=text))
        self._next_s = time.monotonic() + DELTA_S

    def _pass_on_call(self, part: CallDelta) -> None:
        """Hold the first pieces back: most calls come whole, and then the turn says it all."""
        self.flush_thoughts()
        is_first = part.id not in self._arguments
        self._arguments[part.id] = self._arguments.get(part.id, "") + part.text
        if is_first:
            self._next_s = max(self._next_s, time.monotonic() + DELTA_S)
        if not part.id or time.monotonic() < self._next_s:
            return
        self._next_s = time.monotonic() + DELTA_S
        text, self._arguments[part.id] = self._arguments[part.id], ""
        self._run.emit(
            lambda stamp: ToolArgsDelta(
                **stamp, tool_call_id=part.id, tool_name=part.name, text=text
            )
        )
