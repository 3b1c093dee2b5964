"""What was edited in step mode, in words; `js/src/words/edits.ts` says the same.

Both pass `tests/fixtures/edits.json`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.runs.wording.words import clipped

if TYPE_CHECKING:
    from nbagents.runs.tree import EditNode, RunNode

WIDTH: Final = 120
"""Characters of what was, and of what is."""


def edits_of(run: RunNode, call_id: str | None = None) -> list[EditNode]:
    """What was edited of a call; without one, of the run itself."""
    return [one for one in run.get("edits", []) if one["call_id"] == call_id]


def was_given(run: RunNode, call_id: str) -> bool:
    """Whether somebody gave the result of a call, which was not made for it."""
    return any(one["what"] == "result" for one in edits_of(run, call_id))


def edit_in_words(edit: EditNode) -> str:
    """What somebody made other than it was: `step 2: you changed message 2 (tool): 4 → 5`."""
    return f"step {edit['step']}: {edit['by']} {_did(edit)}"


def _did(edit: EditNode) -> str:
    what = edit["what"]
    if what == "message":
        return _message(edit)
    if what == "answer":
        return "answered in the model's place"
    if what == "skip":
        return "did not ask the model" if edit["call_id"] is None else "skipped it: it was not made"
    if what == "result":
        return "gave the result: it was not made"
    return "changed the arguments"


def _message(edit: EditNode) -> str:
    before, after = (_shown(edit[one]) for one in ("before", "after"))
    if edit["before"] is None:
        return f"added message {edit['place']} ({edit['role']}): {after}"
    if edit["after"] is None:
        return f"dropped message {edit['place']} ({edit['role']}): {before}"
    return f"changed message {edit['place']} ({edit['role']}): {before} → {after}"


def _shown(text: object) -> str:
    return clipped(str(text), WIDTH)
