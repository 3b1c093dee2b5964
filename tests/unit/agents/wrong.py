"""What the tests of wrong values have at hand: functions of too few things, and one agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session
from tests.unit.runs.desk import double, treble

Row: TypeAlias = tuple[str, Callable[[], object], type[Exception], str]
"""How it is called, what is done, what is raised, and what that says to do."""

nobody: Any = Agent("nobody", "You help.", model=ScriptedModel(["I am here."] * 9))


def any_(wrong: Any) -> Any:
    """A value that the types would not let through."""
    return wrong


def none() -> None:
    """Nothing is taken."""


def one(first: object) -> object:
    """One thing is taken."""
    return first


def two(first: object, second: object) -> None:
    """Two things are taken."""
    del first, second


async def later(first: object, second: object) -> bool:
    """Two things are taken, and no answer is given at once."""
    return bool(first and second)


def made(*steps: Any, **options: Any) -> Agent:
    """An agent with two tools."""
    return Agent("tester", tools=[double, treble], model=ScriptedModel(steps), **options)


def begun_with(**options: Any) -> object:
    """Its run, planned."""
    return made(**options).begin("Go", "memory")


def giving(value: object) -> Any:
    """A function that takes anything, and gives this."""

    def give(*_: object) -> object:
        return value

    return give


def session() -> Session:
    """A session that is not kept."""
    return Session(MemoryLog())
