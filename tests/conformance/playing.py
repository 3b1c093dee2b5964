"""Plays a row: a scripted model writes the calls, and a real agent runs them to the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bfcl import Row

from nbagents.agents import Agent
from nbagents.messages import CallRequest, ToolMessage
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.record import Call, Run
from nbagents.tools.definitions import tools_of_definitions

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
    names: dict[str, str]
    """The names that the model is given, by those of the definitions."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls as the run keeps them."""
        return tuple(self.run.calls)


def play_calls(definitions: Sequence[Row], written: Sequence[Written]) -> Played:
    """Play calls whose tools write down what they got."""
    return play(definitions, written, lambda name, given: f"{name} ran")


def play(
    definitions: Sequence[Row],
    written: Sequence[Written],
    handler: Callable[[str, Any], object],
) -> Played:
    """Play one turn of calls, and then the answer "done".

    Args:
        definitions: What is offered.
        written: The calls.
        handler: Plain or async.
    """
    ran: list[tuple[str, Any]] = []

    def recorded(name: str, given: Any) -> object:
        ran.append((name, given))
        return handler(name, given)

    tools = tools_of_definitions(definitions, recorded)
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
    return Played(run, ran, told, names)
