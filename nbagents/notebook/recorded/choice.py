"""Which recording holds for a run, and in which mode: by option, setting, environment, notebook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import RecordingError
from nbagents.notebook.options import AGENT_OPTIONS
from nbagents.recordings import (
    Setting,
    recording_at,
    recording_beside,
    recording_in,
    recording_of,
    setting_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.notebook.options import NbAgents, Option
    from nbagents.notebook.place import NotebookPlace, Whereabouts
    from nbagents.recordings import Mode, Recording

WRITES: Final = ("extend", "refresh")
NAME_IT: Final = "Name the file, e.g. --recording lesson.recording.jsonl, or set NBAGENTS_NOTEBOOK."

HANDED: Final = {
    "beside": "{beside} beside the notebook",
    "embedded": "in {name}",
    "earlier": "beside the notebook's earlier name",
}
"""Where what a page hands over was, in words; what holds stands first."""

# Any in this file: what options say is of any type.


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A recording, and where it was found."""

    recording: Recording
    place: str
    """What names it in Python: a path, an address, a package."""
    where: str
    """Where it is, in words."""
    note: str = ""
    """What a person should know of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What holds for a run."""

    found: Found | None
    """The recording; `None`: none."""
    mode: Mode
    said_by: str
    """Who says the mode: an option, `%config`, a variable; `default`: nobody."""
    pace: float | None = None
    frozen_tools: bool = False
    is_named: bool = False
    """Whether a person has named the recording, or what is done with it, on the run's own line."""

    @property
    def setting(self) -> Setting | None:
        """The same as runs are given it."""
        if self.found is None and self.mode not in ("live", "off"):
            return None
        return Setting(
            recording=self.found and self.found.recording,
            mode=self.mode,
            pace=self.pace,
            frozen_tools=self.frozen_tools,
            spares=not self.is_named,
        )

    @property
    def in_words(self) -> str:
        """The recording and the mode, as `%nbagents` says them."""
        by = "" if self.said_by == "default" else f", because {self.said_by} says so"
        if self.found is None:
            return f"{'none' if self.mode == 'replay' else self.mode}{by}"
        found = self.found
        return ", ".join(
            [
                f"{found.where}: {self.mode}{by}",
                *(["with the results of tools as recorded"] if self.frozen_tools else []),
                *([f"{self.pace:g} times as fast as recorded"] if self.pace else []),
                *([found.note] if found.note else []),
            ]
        )


def choose(said: Mapping[str, Any], config: NbAgents, notebook: NotebookPlace) -> Choice:
    """The recording of a run, and what is done with it.

    Args:
        said: What options say: `mode`, `path`, `frozen_tools`, `pace`.
        config: What `%config` and the environment say.
        notebook: Where a recording may lie that nobody names.

    Raises:
        RecordingError: What was asked for cannot be done; says what to do. Nothing is asked then.
    """
    given = {one.around: _of(one, said, config) for one in AGENT_OPTIONS if one.around}
    mode, said_by = given["mode"]
    place, place_said_by = given["path"]
    found = _found(mode, place, place_said_by, notebook)
    if found is None and said.get("frozen_tools"):
        raise RecordingError("--frozen-tools gives the results of a recording, and there is none.")
    return Choice(
        found=found,
        mode=mode or "replay",
        said_by="default" if mode is None else said_by,
        pace=given["pace"][0],
        frozen_tools=given["frozen_tools"][0],
        is_named=bool(said),
    )


def _of(option: Option, said: Mapping[str, Any], config: NbAgents) -> tuple[Any, str]:
    if option.around in said:
        return said[option.around], option.long
    found = config.setting(option.setting)
    return found.value, found.source


def _found(
    mode: Mode | None, place: str | None, said_by: str, notebook: NotebookPlace
) -> Found | None:
    """The recording that a mode needs; of those that nobody names, one that is there."""
    if mode in ("off", "live"):
        return None
    if place:
        return _named(place, mode, said_by)
    where = notebook.where()
    if mode in WRITES:
        return _to_write(notebook, where, str(mode))
    return _to_read(where) or (None if mode is None else _nothing(where))


def _named(place: str, mode: Mode | None, said_by: str) -> Found:
    try:
        setting = setting_of(place, mode or "replay")
    except ValueError as error:
        raise RecordingError(f"{said_by}: {error}") from error
    recording = setting.recording
    if recording is None or (mode in WRITES and recording.path is None):
        raise RecordingError(
            f"{place} can only be read, and {mode} writes: save it as a file, and name that."
        )
    setting.check()
    return Found(recording=recording, place=place, where=place)


def _to_read(where: Whereabouts) -> Found | None:
    if where.path is not None:
        beside = recording_beside(where.path)
        if beside.is_file():
            return _beside(beside)
        inside = None if where.has_embedded is False else recording_in(where.path)
        if inside is not None:
            return Found(recording=inside, place=str(where.path), where=f"in {where.path.name}")
    return _handed(where) or _of_earlier(where)


def _beside(path: Path, note: str = "") -> Found:
    return Found(
        recording=recording_at(path),
        place=path.name if path.parent == Path.cwd() else str(path),
        where=f"{path.name} beside the notebook",
        note=note,
    )


def _handed(where: Whereabouts) -> Found | None:
    """What the page has handed over, where the kernel sees no file."""
    for of in HANDED:
        text = (where.handed or {}).get(of)
        if text is not None:
            beside = recording_beside(where.named).name
            words = HANDED[of].format(beside=beside, name=where.name)
            note = f"handed over by {where.said_by}"
            return Found(recording=recording_of(text, words), place=beside, where=words, note=note)
    return None


def _of_earlier(where: Whereabouts) -> Found | None:
    """The recording that lies where the notebook was before it was renamed."""
    for path in where.earlier:
        beside = recording_beside(path)
        if beside.is_file():
            now = recording_beside(where.named).name
            return _beside(beside, f"which is of the notebook's earlier name: rename it to {now}")
    return None


def _to_write(notebook: NotebookPlace, where: Whereabouts, mode: str) -> Found:
    """The file beside the notebook, which is this notebook beyond doubt."""
    if where.path is None:
        raise RecordingError(f"{mode} writes beside the notebook, and {where.problem}. {NAME_IT}")
    if not where.is_certain and not notebook.has_this_cell(where.path):
        raise RecordingError(
            f"{mode} writes beside the notebook, and whether that is still {where.path.name} is not"
            f" sure: this cell is not in it as saved. Save it and run the cell again. {NAME_IT}"
        )
    beside = recording_beside(where.path)
    is_inside = where.has_embedded is not False and not beside.is_file()
    if is_inside and recording_in(where.path) is not None:
        raise RecordingError(
            f"The recording is in the notebook, and {mode} writes a file beside it. To replay what"
            f" is in it, leave {mode} out; to write, take it out first, with"
            f" `nbagents recording extract {where.path.name}`."
        )
    return _beside(beside)


def _nothing(where: Whereabouts) -> Found | None:
    """What is to be replayed, where there is nothing: whoever would ask a model says so.

    Raises:
        RecordingError: Nobody knows where it would be.
    """
    if where.path is None:
        raise RecordingError(f"There is no recording to replay: {where.problem}. {NAME_IT}")
    return _beside(recording_beside(where.path))
