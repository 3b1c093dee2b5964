"""What a run that is gone on with needs of this kernel, its objects and tools, before it begins."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import RunError, did_you_mean
from nbagents.narrowing import is_dict, is_list
from nbagents.tools.values import Handles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nbagents.messages import CallRequest
    from nbagents.runs.state import Run
    from nbagents.runs.tree import Line
    from nbagents.tools.tool import Tool

OBJECT: Final = re.compile(r"([^\W\d]\w*): (?![\w.+-]+/[\w.+-]+(?:,| at |$))")
"""How the line of a shared object begins; that of an image or a file goes on with its type."""
RESULT: Final = re.compile(r"r[1-9]\d*")
NOT_USED: Final = "The run still waits: nothing of it was used up."


class Regained:
    """The objects of a run that is gone on with, and what its model is to hear of them."""

    def __init__(self, handles: Handles, shared: tuple[str, ...], news: tuple[str, ...]) -> None:
        self.handles = handles
        self.shared = shared
        """What was handed over with the prompt, a line each, as it is now."""
        self.news = news
        """What is another object than the model knows, or new to it, a line each."""


def shared_names(shared: Iterable[str]) -> tuple[str, ...]:
    """The objects among what was handed over with a prompt, by their names."""
    found = (OBJECT.match(line) for line in shared)
    return tuple(one[1] for one in found if one is not None)


def regained(line: Line, given: Mapping[str, object], old: Run | None) -> Regained:
    """The objects that calls may take.

    Args:
        line: The run, with those that it goes on with.
        given: What is shared now, by name.
        old: The run itself, if this process still has it: then its objects are there.
    """
    handles = Handles() if old is None else old.handles
    if old is None:
        handles.skip(
            call["handle"]
            for run in line.nodes
            for call in run["calls"].values()
            if call["handle"] is not None
        )
    for name, value in given.items():
        handles.share(name, value)
    now = _by_name(f"{info.name}: {info.summary}" for info in handles.infos())
    was = _by_name(line.shared)
    kept = tuple(now.get(name, line) for name, line in was.items())
    return Regained(
        handles,
        (*kept, *(now[name] for name in given if name not in was)),
        tuple(now[name] for name in given if now[name] != was.get(name)),
    )


def _by_name(lines: Iterable[str]) -> dict[str, str]:
    """Lines by the objects that they are about; others by themselves."""
    return {next(iter(shared_names([line])), line): line for line in lines}


def require_objects(line: Line, tools: Iterable[Tool], handles: Handles) -> None:
    """See that the objects are there that the run was given, and that its open calls take.

    Raises:
        RunError: One is missing.
    """
    for name in shared_names(line.shared):
        if name not in handles and not RESULT.fullmatch(name):
            raise RunError(
                f"The run {line.run_id} was given the object {name!r}, which is gone with its "
                f"kernel: make it again, and give it, -v {name} or vars={{{name!r}: …}}. {NOT_USED}"
            )
    by_name = {tool.name: tool for tool in tools}
    for call in line.pending:
        tool = by_name.get(call.name)
        for name in _taken(call, tool) if tool is not None else ():
            if name not in handles:
                raise RunError(
                    f"The call of {call.name!r} that is open takes the object {name!r}, which is "
                    f"gone with its kernel: give it, -v {name} or vars={{{name!r}: …}}, or ask "
                    f"anew. {NOT_USED}"
                )


def require_tools(line: Line, tools: Iterable[Tool]) -> None:
    """See that the tools of the open calls are there.

    Raises:
        RunError: One is missing.
    """
    there = [tool.name for tool in tools]
    offered = {name for run in line.nodes for name in run["tools"]}
    offered |= {name for run in line.nodes for one in run["requests"] for name in one["tools"]}
    for call in line.pending:
        was_there = call.name in offered or call.id in line.awaits
        if was_there and call.name not in there:
            raise RunError(
                f"The call of {call.name!r} is open, and the agent that is to go on has no such "
                f"tool.{did_you_mean(call.name, there)} Define it first, or give it: -t "
                f"{call.name}, or tools=[…]. {NOT_USED}"
            )


def _taken(call: CallRequest, tool: Tool) -> Iterable[str]:
    """The names of objects that a call takes."""
    try:
        arguments: Any = json.loads(call.arguments)
    except ValueError:
        return
    if not is_dict(arguments):
        return
    for parameter in tool.schema.handles:
        value = arguments.get(parameter)
        for name in value if is_list(value) else [value]:
            if isinstance(name, str):
                yield name
