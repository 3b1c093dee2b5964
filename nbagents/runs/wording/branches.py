"""Where a branch leaves another run, in words; `js/src/words/branches.ts` says the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.runs.wording.words import clipped

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

KEPT: Final = "kept"
"""What is said of a call that a branch has not made itself."""
SAID_WIDTH: Final = 60


def branch_in_words(forked_from: Mapping[str, Any]) -> str:
    """Where it leaves another run, and what is changed: `forked at call 3 (look): other result`."""
    if forked_from["is_whole"]:
        return KEPT
    changed = changes_in_words(forked_from)
    place = branch_place(forked_from)
    return f"forked {place}: {changed}" if changed else f"forked {place}"


def branch_place(forked_from: Mapping[str, Any]) -> str:
    """Where a run is left: `at call 3 (look)`, or `at step 2`."""
    if forked_from["call_number"] is None:
        return f"at step {forked_from['step']}"
    inside = ", inside of it" if forked_from["inside_id"] else ""
    return f"at call {forked_from['call_number']} ({forked_from['tool_name']}{inside})"


def changes_in_words(forked_from: Mapping[str, Any]) -> str:
    """What is changed: `other arguments, other model`; nothing where the model is asked anew."""
    names = [f"other {one}" for one in forked_from["edited"] if one != "message"]
    said = forked_from["message"]
    return ", ".join([*names, *([f"“{clipped(said, SAID_WIDTH)}”"] if said else [])])
