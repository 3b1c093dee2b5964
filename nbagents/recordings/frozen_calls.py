"""What the calls of a run gave, kept beside the answers that asked for them, and given again."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from nbagents.errors import RecordingError, RecordingMiss
from nbagents.recordings.exchange import (
    call_mark,
    each_text,
    read_result,
    result_of,
    scrubbed_json,
    written_result,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import JsonValue

    from nbagents.models.model import Origin
    from nbagents.recordings.exchange import Json
    from nbagents.recordings.index import Recording
    from nbagents.recordings.setting import Setting
    from nbagents.recordings.take import Take
    from nbagents.results import CallResult

ABSENT: Final = (
    "{name} has no result of {call!r} with these arguments, and tools are not to run "
    '(frozen_tools). Let them run, by leaving it out, or record them with mode="refresh".'
)


@dataclass(frozen=True, slots=True)
class FrozenCalls:
    """The recorded results of a run's calls.

    A call that has started runs is made again: what those were told and did is recorded itself.
    """

    recording: Recording
    setting: Setting
    take: Take
    origin: Origin

    def given(
        self, name: str, arguments: JsonValue, keep: Callable[[object], str]
    ) -> CallResult | None:
        """The recorded result of a call; `None`: the tool is to run.

        Args:
            name: The tool.
            arguments: What it is called with.
            keep: Keeps an object for later calls; its name.

        Raises:
            RecordingMiss: There is none, and tools are not to run.
            RecordingError: It cannot be read.
        """
        if not self.setting.frozen_tools or self.setting.mode not in ("replay", "extend"):
            return None
        point = self.take.points.get(self.origin.run_id)
        mark = call_mark(name, self._signed(arguments))
        found = point and self.recording.next_result(
            self.take, point.exchange.key, mark, self.origin.place
        )
        if found is None or point is None:
            if self.setting.mode == "extend":
                return None
            said = ABSENT.format(name=self.recording.name, call=name)
            raise RecordingMiss(said, recording=self.recording.name)
        told = found.told()
        if told.get("inside"):
            return None
        try:
            return _named(read_result(told, point.signs.read), keep)
        except (ValueError, KeyError, TypeError) as error:
            raise RecordingError(
                f"Line {found.line} of {self.recording.name} cannot be given again: {error}."
            ) from error

    def keep(self, name: str, arguments: JsonValue, result: CallResult, inside: int) -> None:
        """Keep what a call gave, if the recording is being written and has it not.

        Args:
            name: The tool.
            arguments: What it was called with.
            result: What it gave.
            inside: How many runs it has started.

        Raises:
            RecordingError: It cannot be written.
        """
        point = self.take.points.get(self.origin.run_id)
        if point is None or not self._is_wanted(point.exchange.take):
            return
        given, of, place = self._signed(arguments), point.exchange.key, self.origin.place
        made: Json = written_result(result, point.signs.answered)
        if inside:
            made["inside"] = inside
        self.recording.write_soon(
            self.take,
            lambda take, line: result_of(of, name, given, made, take=take, place=place, line=line),
        )

    def _is_wanted(self, take: str) -> bool:
        """Whether the answer that asked for the call was just recorded, or results are missing."""
        if not self.setting.writes:
            return False
        return bool(self.take.name and take == self.take.name) or self.setting.frozen_tools

    def _signed(self, arguments: JsonValue) -> JsonValue:
        point = self.take.points.get(self.origin.run_id)
        if point is None:
            return scrubbed_json(arguments)
        return scrubbed_json(each_text(arguments, point.signs.answered))


def _named(result: CallResult, keep: Callable[[object], str]) -> CallResult:
    """The result, with the name by which later calls take its object now."""
    if result.handle is None:
        return result
    stand_in = result.value if result.value is not None else _Recorded(result.content)
    name = keep(stand_in)
    was = re.compile(rf"\b{re.escape(result.handle)}\b")
    content = was.sub(name, result.content)
    preview = result.preview and was.sub(name, result.preview)
    return replace(result, value=stand_in, handle=name, content=content, preview=preview)


class _Recorded:
    """Stands in for an object of which a recording knows only what the model was told."""

    def __init__(self, told: str) -> None:
        self._told = told

    def __repr__(self) -> str:
        return f"<recorded: {self._told}>"
