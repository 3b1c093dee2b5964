"""The recordings that a command line names: files, and what is in notebooks."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nbagents.cli.terminal import shown
from nbagents.errors import RecordingError
from nbagents.recordings import SUFFIX, FileLines, Recording, recording_beside, recording_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NOTEBOOK: Final = ".ipynb"
COPIES: Final = ".ipynb_checkpoints"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A recording, and where it is."""

    path: Path
    """Its file, or the notebook that it is in."""
    recording: Recording
    size: int
    """In bytes."""

    @property
    def name(self) -> str:
        """What it is called here."""
        inside = "" if self.recording.path else " (in the notebook)"
        return f"{shown(self.path.absolute())}{inside}"

    def read(self) -> None:
        """Read all of it; what is damaged is in `recording.damaged`.

        Raises:
            RecordingError: None of it can be read.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is damaged is said by whoever asks
            self.recording.sync()


def sources(words: Sequence[str]) -> list[Source]:
    """The recordings that are meant.

    Raises:
        RecordingError: Something is not there, or is and has no recording.
    """
    return [one for word in words for one in _of(Path(word))]


def _of(path: Path) -> list[Source]:
    if path.is_dir():
        return list(_in_folder(path))
    if not path.is_file():
        raise RecordingError(f"There is no {path}.")
    if path.suffix.lower() != NOTEBOOK:
        return [of_file(path)]
    found = [*_beside(path), *_inside(path)]
    if not found:
        raise RecordingError(
            f"{path} has no recording: neither is {recording_beside(path).name} beside it, nor is"
            f" one in it. `nbagents recording refresh {path}` makes one."
        )
    return found


def of_file(path: Path) -> Source:
    """The recording in a file."""
    return Source(path=path, recording=Recording(FileLines(path)), size=path.stat().st_size)


def _beside(notebook: Path) -> Iterator[Source]:
    if (beside := recording_beside(notebook)).is_file():
        yield of_file(beside)


def _inside(notebook: Path) -> Iterator[Source]:
    recording = recording_in(notebook)
    if recording is not None:
        yield Source(path=notebook, recording=recording, size=len(recording.lines.read(0)))


def _in_folder(folder: Path) -> Iterator[Source]:
    for path in sorted(folder.rglob("*")):
        if COPIES in path.parts or not path.is_file():
            continue
        if path.name.endswith(SUFFIX):
            yield of_file(path)
        elif path.suffix == NOTEBOOK:
            yield from _inside(path)
