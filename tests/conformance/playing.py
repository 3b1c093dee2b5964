"""Plays a row: a scripted model writes the calls, and a real agent runs them to the end."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bfcl import Row

from nbagents.agents import Agent
from nbagents.messages import CallRequest, ToolMessage
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.state.run.run import Call, Run
from nbagents.tools.tool.definition import ToolOptions
from nbagents.tools.tool.foreign_definitions import tools_of_definitions

__all__ = ["Played", "Written", "play", "play_calls"]


@dataclass(frozen=True)
class Written:
    """A call as a model writes it: by the name that the definition has."""

    name: str
    text: str

    @classmethod
    def of(cls, call: Row) -> Written:
        """A gold call."""
        return cls(call["name"], json.dumps(call["arguments"]))


@dataclass(frozen=True)
class Played:
    """What came of it."""

    run: Run
    ran: list[tuple[str, Any]]
    """Names and arguments with which the tools ran."""
    told: list[ToolMessage]
    """What the model was told."""
    asked: int
    """How often the model was asked."""
    names: dict[str, str]
    """The names that the model is given, by those of the definitions."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls as the run keeps them."""
        return tuple(self.run.calls)


def play_calls(
    definitions: Sequence[Row], written: Sequence[Written], *, strict: bool = False
) -> Played:
    """Play calls whose tools do no more than to say that they ran."""

    async def handler(name: str, _given: Any) -> str:
        return f"{name} ran"

    return play(definitions, written, handler, strict=strict)


def play(
    definitions: Sequence[Row],
    written: Sequence[Written],
    handler: Callable[[str, Any], Awaitable[str]],
    *,
    strict: bool = False,
) -> Played:
    """Play one turn of calls, and then the answer "done".

    Args:
        definitions: What is offered.
        written: The calls.
        handler: What the tools do.
        strict: Whether the schemas are written by strict rules, or offered as they are.
    """
    ran: list[tuple[str, Any]] = []

    async def recorded(name: str, given: Any) -> str:
        ran.append((name, given))
        return await handler(name, given)

    tools = tools_of_definitions(definitions, recorded, ToolOptions(strict=strict))
    names = {tool.original_name: tool.name for tool in tools}
    requests = [
        CallRequest(id=f"call-{at}", name=names.get(one.name, one.name), arguments=one.text)
        for at, one in enumerate(written)
    ]
    model = ScriptedModel([requests, "done"] if requests else ["done"])
    run = Agent(tools=tools, model=model).run("Go.", log="memory")
    model.assert_complete()
    last = model.requests[-1].messages
    told = [message for message in last if isinstance(message, ToolMessage)]
    return Played(run, ran, told, len(model.requests), names)
