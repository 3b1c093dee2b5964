"""What a cell says of how it is tested: by a tag, or by a comment `# nbagents: …`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from nbagents.narrowing import is_list

if TYPE_CHECKING:
    from collections.abc import Mapping

LOOPBACK: Final = "loopback"
MAY_FAIL: Final = "may-fail"
NAMES_ONLY: Final = "names-only"
ANY_CALLS: Final = "any-calls"
MARKS: Final[Mapping[str, str]] = {
    LOOPBACK: "it may reach this machine by network, and no other",
    MAY_FAIL: "it may raise, and its run may fail; Jupyter's tag `raises-exception` says the same",
    NAMES_ONLY: "its calls may get other arguments than those that are saved",
    ANY_CALLS: "its calls are not compared with those that are saved",
}
"""What each mark allows. As a tag it is called `nbagents-loopback`, and so on."""

PREFIX: Final = "nbagents-"
RAISES: Final = "raises-exception"
COMMENT: Final = re.compile(r"^\s*#\s*nbagents:\s*(?P<words>[\w, -]+?)\s*$", re.MULTILINE)


def tags_of(cell: Any) -> list[str]:  # Any: nbformat's cells are untyped dictionaries
    """The tags of a cell; anything may stand there."""
    tags: object = cell["metadata"].get("tags", [])
    return [str(one) for one in tags] if is_list(tags) else []


def marks_of(cell: Any) -> frozenset[str]:  # Any: as above
    """Which of the marks a cell has."""
    tags = tags_of(cell)
    found = {one.removeprefix(PREFIX) for one in tags if one.startswith(PREFIX)}
    for comment in COMMENT.finditer(cell["source"]):
        found.update(re.split(r"[,\s]+", comment["words"]))
    if RAISES in tags:
        found.add(MAY_FAIL)
    return frozenset(found & set(MARKS))
