"""A recording within a notebook: the text of its file, line by line, in the notebook's metadata.

JupyterLab reads it there as well (`js/src/lab/place/talk.ts`). It stands in the notebook's own
metadata and not in a cell's, so that what strips outputs leaves it.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import RecordingError
from nbagents.narrowing import dict_of, is_dict, is_list
from nbagents.recordings.index import Recording
from nbagents.recordings.lines import TextLines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OURS: Final = "nbagents"
KEY: Final = "recording"
LINES: Final = "lines"
SUFFIX: Final = ".recording.jsonl"
NOTEBOOK: Final = ".ipynb"


def embedded(notebook: Mapping[str, Any], name: str) -> str | None:  # Any: nbformat's JSON
    """The recording that is in a notebook, as the text of a file; `None`: there is none.

    Args:
        notebook: What the notebook's file holds.
        name: What the file is called.

    Raises:
        RecordingError: What is there is no recording.
    """
    kept = dict_of(dict_of(notebook.get("metadata")).get(OURS)).get(KEY)
    if kept is None:
        return None
    lines = dict_of(kept).get(LINES)
    if is_list(lines) and all(isinstance(one, str) for one in lines):
        return "".join(lines)
    raise RecordingError(
        f"What is in the metadata of {name} is no recording: embed it anew, with"
        f" `nbagents recording embed {name}`."
    )


def embed(notebook: dict[str, Any], text: str | None) -> None:  # Any: as above
    """Put a recording into a notebook; `None`: take out the one that is in it."""
    metadata = notebook.setdefault("metadata", {})
    ours = dict(metadata.get(OURS) or {})
    ours.pop(KEY, None)
    if text is not None:
        ours[KEY] = {LINES: lines_of(text)}
    metadata.pop(OURS, None)
    if ours:
        metadata[OURS] = ours


def read_embedded(path: Path) -> str | None:
    """The recording that is in a notebook's file; `None`: there is none, or no notebook.

    Raises:
        RecordingError: What is there is no recording.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        notebook: object = json.loads(text) if KEY in text else None
    except (OSError, ValueError, RecursionError):
        return None
    return embedded(notebook, path.name) if is_dict(notebook) else None


def recording_in(notebook: Path) -> Recording | None:
    """The recording that is in a notebook's file, to be read; `None`: there is none.

    Raises:
        RecordingError: What is there is no recording.
    """
    try:
        state = notebook.stat()
    except OSError:
        return None
    return _recording_in(notebook.absolute(), state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=8)  # a notebook is read again when it has changed
def _recording_in(notebook: Path, *_state: int) -> Recording | None:
    text = read_embedded(notebook)
    return None if text is None else recording_of(text, f"the recording in {notebook.name}")


@functools.lru_cache(maxsize=8)  # for as long as it is the same: what a run has taken is kept in it
def recording_of(text: str, name: str) -> Recording:
    """The recording of a text, to be read."""
    return Recording(TextLines(text, name=name))


def recording_beside(notebook: Path) -> Path:
    """Where the recording of a notebook lies, if it has one."""
    return notebook.with_name(notebook.stem + SUFFIX)


def lines_of(text: str) -> list[str]:
    """A text in lines, each with its end: joined they are the text."""
    *whole, rest = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([rest] if rest else [])]
