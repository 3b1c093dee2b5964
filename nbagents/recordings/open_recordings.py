"""The recordings of this process: one of each file, and the runs that use them."""

from __future__ import annotations

import threading
import warnings
import weakref
from collections import deque
from typing import TYPE_CHECKING

from nbagents.errors import RecordingError
from nbagents.recordings.index import BY_RUN, Recording
from nbagents.recordings.lines import FileLines
from nbagents.recordings.take import USED

if TYPE_CHECKING:
    from pathlib import Path

_open: weakref.WeakValueDictionary[str, Recording] = weakref.WeakValueDictionary()
_newest: deque[Recording] = deque(maxlen=4)
"""Those that were named last: the next cell most likely names one of them, and need not read it."""
_opening = threading.Lock()


def recording_at(path: Path) -> Recording:
    """The recording in a file: in one process there is one of each."""
    known_as = str(path.absolute())
    with _opening:
        found = _open.get(known_as)
        if found is None:
            found = _open[known_as] = Recording(FileLines(path.absolute()))
        _newest.append(found)
        return found


def run_over(run_id: str, *, is_whole: bool = True) -> None:
    """A run is over, with those inside of it: what it has refreshed takes the older ones' place.

    Args:
        run_id: The run.
        is_whole: Whether it came to its end: else the older ones stay.
    """
    for one in BY_RUN.pop(run_id, ()):
        try:
            one.end(run_id, is_whole=is_whole)
        except RecordingError as error:  # all is written; only what is older is still there, too
            warnings.warn(str(error), stacklevel=2)


def used_ids() -> list[str]:
    """The ids of the exchanges that were said again in this process, by whichever recording."""
    return list(USED)
