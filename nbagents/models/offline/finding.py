"""Tools that are found by a search: the planner searches with the person's words, once a turn."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from nbagents.identity import new_id
from nbagents.messages import AssistantMessage, CallRequest, ToolMessage, UserMessage
from nbagents.models.model import ToolSpec
from nbagents.tools.tool import CALL_TOOL as BRIDGE
from nbagents.tools.tool import DESCRIBE_TOOLS as DESCRIBE
from nbagents.tools.tool import FINDERS
from nbagents.tools.tool import SEARCH_TOOLS as SEARCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from nbagents.messages import Message
    from nbagents.models.model import ModelRequest

DESCRIBED: Final = 5
"""So many of what a search found are looked at."""


def can_find(tools: Iterable[ToolSpec]) -> bool:
    """Whether more tools can be found than are offered."""
    return {SEARCH, DESCRIBE} <= {one.name for one in tools}


def without_finders(request: ModelRequest) -> ModelRequest:
    """The request as if all tools that were found had been offered, and none had been searched."""
    tools = [one for one in request.tools if one.name not in FINDERS]
    there = {one.name for one in tools}
    tools += [one for one in _described(request.messages) if one.name not in there]
    return replace(request, tools=tuple(tools), messages=tuple(_apart(request.messages)))


def next_look(request: ModelRequest) -> CallRequest | None:
    """The call by which tools are found, where this turn has not made it yet."""
    turn = _turn(request.messages)
    made = [call for one in turn if isinstance(one, AssistantMessage) for call in one.calls]
    looked = {call.name: call for call in made if call.name in FINDERS}
    prompt = turn[0].text if turn and isinstance(turn[0], UserMessage) else ""
    if SEARCH not in looked:
        return _call(SEARCH, query=prompt)
    is_bridged = any(one.name == BRIDGE for one in request.tools)
    if not is_bridged or DESCRIBE in looked:
        return None
    names = _names(_said(turn, looked[SEARCH].id))[:DESCRIBED]
    return _call(DESCRIBE, names=names) if names else None


def _call(name: str, **arguments: object) -> CallRequest:
    return CallRequest(id=new_id("call"), name=name, arguments=json.dumps(arguments))


def _turn(messages: Sequence[Message]) -> Sequence[Message]:
    """What was said since the person asked last, with that."""
    asked = [
        at for at, one in enumerate(messages) if isinstance(one, UserMessage) and not one.is_notice
    ]
    return messages[asked[-1] :] if asked else messages


def _said(messages: Iterable[Message], call_id: str) -> str:
    results = (one for one in messages if isinstance(one, ToolMessage))
    return next((one.content for one in results if one.call_id == call_id), "")


def _names(said: str) -> list[str]:
    """The tools that a search names: a line each, with what they take in brackets."""
    lines = (line.partition(":")[0].partition("(") for line in said.splitlines())
    return [
        name for name, bracket, _ in lines if bracket and name not in FINDERS and " " not in name
    ]


def _apart(messages: Iterable[Message]) -> Iterator[Message]:
    """The messages without the calls that only look for tools."""
    left_out: set[str] = set()
    for one in messages:
        if isinstance(one, AssistantMessage) and one.calls:
            left_out |= {call.id for call in one.calls if call.name in FINDERS}
            kept = tuple(call for call in one.calls if call.id not in left_out)
            if kept:
                yield replace(one, calls=kept) if kept != one.calls else one
        elif not (isinstance(one, ToolMessage) and one.call_id in left_out):
            yield one


def _described(messages: Iterable[Message]) -> Iterator[ToolSpec]:
    """The tools that were described: a line of JSON each."""
    for one in messages:
        for line in one.content.splitlines() if isinstance(one, ToolMessage) else ():
            if line.startswith('{"name":') and (found := _read(line)) is not None:
                yield found


def _read(line: str) -> ToolSpec | None:
    try:
        found: Any = json.loads(line)  # Any: JSON
        return ToolSpec(
            name=found["name"], description=found["description"], parameters=found["parameters"]
        )
    except (ValueError, KeyError, TypeError):
        return None
