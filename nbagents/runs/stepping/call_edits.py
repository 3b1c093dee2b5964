"""What becomes of the calls of a batch that a person has edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import did_you_mean
from nbagents.narrowing import is_mapping
from nbagents.runs.stepping.pause import NextCall, ids_of

if TYPE_CHECKING:
    from nbagents.runs.stepping.edit import Edit
    from nbagents.runs.stepping.pause import Pause

OF_REQUEST: Final = (
    "The run waits before calls: messages, text and calls are of a request. Give arguments, result "
    "or skip."
)

NO_ARGUMENTS: Final = "The arguments of a call are a dictionary of all that it gets."


@dataclass(frozen=True, slots=True)
class CallMove:
    """What is done with one call."""

    is_skipped: bool = False
    has_result: bool = False
    result: Any = None  # what a tool may return
    arguments: Mapping[str, Any] | None = None
    """All that it is made with; `None`: as it stands."""


def call_moves(edit: Edit, pause: Pause) -> Mapping[str, CallMove]:
    """What an edit makes of the calls, by id: of those that it says something of.

    Raises:
        ValueError: It cannot be done.
    """
    if edit.messages is not None or edit.is_answer:
        raise ValueError(OF_REQUEST)
    calls = pause.calls
    skipped = [one.id for one in calls] if edit.action == "skip" else []
    skipped += [_named(name, calls) for name in edit.skip]
    said = [(one, CallMove(is_skipped=True)) for one in skipped]
    if edit.result is not ...:
        results = _by_id(edit.result, calls).items()
        said += [(one, CallMove(has_result=True, result=value)) for one, value in results]
    if edit.arguments is not None:
        given = _by_id(edit.arguments, calls).items()
        said += [(one, _with_arguments(value)) for one, value in given]
    moves: dict[str, CallMove] = {}
    for call_id, move in said:
        _put(moves, call_id, move)
    return moves


def _with_arguments(given: object) -> CallMove:
    if not is_mapping(given):
        raise ValueError(NO_ARGUMENTS)
    return CallMove(arguments=given)


def _put(moves: dict[str, CallMove], call_id: str, move: CallMove) -> None:
    if call_id in moves:
        raise ValueError(
            f"Of the call {call_id!r} two things are said: skip it, give its result, or change its "
            "arguments."
        )
    moves[call_id] = move


def _by_id(given: Any, calls: Sequence[NextCall]) -> Mapping[str, Any]:
    """What is said of each call: by id or name, or of the only one as it stands."""
    said: Mapping[str, Any] = given if is_mapping(given) else {}
    if said and set(said) <= set(ids_of(calls)):
        return said
    if len(calls) == 1:
        return {calls[0].id: given}
    if not said:
        names = ", ".join(f"{one.id} ({one.name})" for one in calls)
        raise ValueError(f"Several calls wait: give a dictionary by their ids, {names}.")
    return {_named(name, calls): one for name, one in said.items()}


def _named(name: object, calls: Sequence[NextCall]) -> str:
    """The call that is meant by its id, or by its tool's name where only one has it."""
    found = [one.id for one in calls if one.name == name]
    if name in ids_of(calls):
        found = [one for one in ids_of(calls) if one == name]
    if len(found) == 1:
        return found[0]
    known = [*ids_of(calls), *(one.name for one in calls)]
    several = f" Several are of {name!r}: say which by id." if found else ""
    hint = several or did_you_mean(str(name), known)
    raise ValueError(f"There is no call {name!r} here.{hint}")
