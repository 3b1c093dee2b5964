"""What a branch needs of this kernel, its tools and objects, before it begins."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from nbagents.agents.forking.place import calls_of
from nbagents.agents.resumption import RESULT, may_begin_anew, shared_names
from nbagents.errors import RunError, did_you_mean
from nbagents.tools.call import misfit
from nbagents.tools.values import Handles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nbagents.agents.forking.again import Again
    from nbagents.agents.forking.kept_part import KeptPart
    from nbagents.runs.state import Run
    from nbagents.runs.tree import CallNode, Line
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Tool

NO_TOOL: Final = (
    "The call of {name!r} is to be made, and the agent has no such tool.{hint} Define it first, "
    "give it with tools=[…], or say what the call gave: result=…."
)
NOT_ANEW: Final = (
    "The call of {name!r} has the run inside of it that is forked, so it is made again from its "
    "beginning, and its tool does not say that it may begin anew. If it may, say so here, "
    "again=[{name!r}], or define it with resumable=True (%%tool --resumable)."
)
GONE: Final = (
    "The run {run_id} was given the object {name!r}, which is gone with its kernel: make it again, "
    "and give it, -v {name} or vars={{{name!r}: …}}."
)


def handles_of(
    live: Run | None, line: Line, part: KeptPart, given: Mapping[str, object] | None
) -> Handles:
    """The live objects of a branch: those that were shared, and what the kept calls gave.

    Raises:
        RunError: One that the run was given is gone with its kernel.
    """
    made = {call["handle"]: call_id for call_id, call in calls_of(line).items() if call["handle"]}
    kept = {name for name, call_id in made.items() if call_id in part.results}
    shared = set(shared_names(line.shared))
    first = min(map(_number, made), default=0)
    last = max(map(_number, kept), default=first - 1)

    def is_there(name: str) -> bool:
        if name in shared or name in kept or not RESULT.fullmatch(name) or not made:
            return True
        return _number(name) < first or (name not in made and _number(name) <= last)

    objects = Handles() if live is None else live.handles
    handles = Handles({name: one for name, one in objects.items() if is_there(name)})
    for name, value in (given or {}).items():
        handles.share(name, value)
    handles.skip(kept)
    handles.skip(name for name in handles if RESULT.fullmatch(name))
    for name in shared:
        if name not in handles and not RESULT.fullmatch(name):
            raise RunError(GONE.format(run_id=line.run_id, name=name))
    return handles


def own_name(call: CallNode) -> str | None:
    """The name that what a call gave has had, unless it is one of the person's own."""
    name = call["handle"]
    return name if name is not None and RESULT.fullmatch(name) else None


def _number(name: str) -> int:
    return int(name[1:]) if RESULT.fullmatch(name) else 0


def require_tool(name: str, tools: Iterable[Tool], again: Again, *, has_inside: bool) -> Tool:
    """The tool of a call that is to be made.

    Raises:
        RunError: It is gone, or may not begin anew.
    """
    known = {tool.name: tool for tool in tools}
    tool = known.get(name)
    if tool is None:
        hint = did_you_mean(name, tuple(known))
        raise RunError(NO_TOOL.format(name=name, hint=hint))
    if has_inside and not may_begin_anew(tool) and tool.name not in again.names:
        raise RunError(NOT_ANEW.format(name=tool.name))
    return tool


def require_fitting(tool: Tool, arguments: str, context: Context) -> None:
    """See that a tool, as it is now, takes what it is to be called with.

    Raises:
        ValueError: It does not.
    """
    given: Any = json.loads(arguments)
    try:
        said = misfit(tool, given, context)
    except Exception:  # noqa: BLE001  the tool's own types may raise; the call will tell of it
        return
    if said:
        raise ValueError(f"{said} So takes {tool.name!r} as it is now.")
