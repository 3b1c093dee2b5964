"""Nodes as they are where they are first heard of: what each holds, its declaration says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    get_args,
    get_origin,
    get_type_hints,
)

from nbagents.runs.tree.nodes import AwaitNode, CallNode, RunNode, UsageNode

if TYPE_CHECKING:
    from nbagents.events import AwaitKind, RunStart

EMPTY: Final[Mapping[Any, Any]] = {str: "", int: 0, float: 0.0, bool: False}


@cache
def hints_of(record: Any) -> Mapping[str, Any]:  # Any: a TypedDict, or a model of pydantic's
    """What the fields of a record are."""
    hints = get_type_hints(record, include_extras=True)
    return {name: hints[name] for name in getattr(record, "model_fields", hints)}


def blank(hint: Any) -> Any:  # Any: a type form, and a value of it
    """What stands for a value that is not there: the first of several words, else nothing."""
    kind, args = get_origin(hint), get_args(hint)
    if kind is Annotated:
        return blank(args[0])
    if kind is list or kind is dict:
        return [] if kind is list else {}
    return args[0] if kind is Literal else EMPTY.get(hint)


@cache
def _fields(record: Any) -> tuple[dict[str, Any], Mapping[str, type]]:
    """The fields of a record that each one has, blank; and those of them that grow."""
    needed = {n: one for n, one in hints_of(record).items() if get_origin(one) is not NotRequired}
    values = {name: blank(one) for name, one in needed.items()}
    several: dict[str, type] = {n: one.__class__ for n, one in values.items() if one in ([], {})}
    return values, several


def _new(record: Any, **said: Any) -> Any:
    values, several = _fields(record)
    return {**values, **{name: kind() for name, kind in several.items()}, **said}


def blank_run(event: RunStart) -> RunNode:
    """A run that begins."""
    made: RunNode = _new(
        RunNode,
        id=event.run_id,
        session_id=event.session_id,
        turn_id=event.turn_id,
        labels=event.labels,
        seq=event.seq,
        heard_at=event.at,
        agent_name=event.agent_name,
        model=event.model,
        tools=list(event.tools),
        started_at=event.at,
        parent_run_id=event.parent_run_id,
        parent_tool_call_id=event.parent_tool_call_id,
        forked_from=event.forked_from and event.forked_from.model_dump(mode="json"),
        resumed_from=event.resumed_from,
        approval=event.approval,
        limits=event.limits.model_dump(mode="json"),
        chat=event.chat,
        usage=_new(UsageNode),
    )
    if event.forked_from is not None:
        made["kept"] = {"usage": _new(UsageNode)}
    return made


def blank_call(call_id: str, name: str, step: int) -> CallNode:
    """A call that is asked for."""
    return _new(CallNode, id=call_id, name=name, step=step, asked_seq=-1)


def blank_await(await_id: str, kind: AwaitKind, call_id: str | None, at: float) -> AwaitNode:
    """Something that a person is asked."""
    return _new(AwaitNode, id=await_id, kind=kind, call_id=call_id, asked_at=at)
