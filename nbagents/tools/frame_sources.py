"""Frames that a page may ask for more rows of, by name, for as long as a run is shown live."""

from __future__ import annotations

import hashlib
import sys
import threading
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nbagents.tools.frame_pages import FramePages

__all__ = ["keep_frame", "kept_frame", "let_frames_go"]

MAX_KEPT = 32
MAX_BYTES = 512_000_000
"""What all but the newest may take together."""

PAGES: Final = "nbagents_widgets.run_view"
"""Without this module no page shows runs, and nobody can ask."""

_kept: Final[dict[str, FramePages]] = {}
"""The newest last."""
_lock: Final = threading.Lock()


def keep_frame(pages: FramePages, value: object, shown: Mapping[str, Any]) -> str | None:
    """Keep a frame; its name, or `None` where no page could ask for it.

    The name comes from what is shown of the table, so that it is the same each time, and so that a
    page which shows an old log does not get the rows of another table.

    Args:
        pages: The frame's rows.
        value: The frame as it was given.
        shown: The table as the page gets it (Any: JSON).
    """
    if PAGES not in sys.modules:
        return None
    digest = hashlib.sha256(to_json(shown)).hexdigest()[:12]
    with _lock:
        name = next(one for one in _names(digest) if one not in _kept or _kept[one].is_of(value))
        _kept.pop(name, None)
        _kept[name] = pages
        _make_room()
    return name


def kept_frame(name: str) -> FramePages:
    """The rows of a frame.

    Raises:
        LookupError: The frame is not kept any more.
    """
    with _lock:
        pages = _kept.get(name)
    if pages is None:
        msg = "The rest of this table is not kept any more. Run the cell again to page through it."
        raise LookupError(msg)
    return pages


def let_frames_go(names: Iterable[str]) -> None:
    """Keep these no longer: their run is not shown live any more."""
    with _lock:
        for name in names:
            _kept.pop(name, None)


def _names(digest: str) -> Iterable[str]:
    yield digest
    yield from (f"{digest}-{number}" for number in range(2, MAX_KEPT + 3))


def _make_room() -> None:
    while len(_kept) > MAX_KEPT or (len(_kept) > 1 and _older_bytes() > MAX_BYTES):
        del _kept[next(iter(_kept))]


def _older_bytes() -> int:
    return sum(pages.size_bytes for pages in list(_kept.values())[:-1])
