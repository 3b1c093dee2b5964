"""Callables of every shape are tools: whatever stands behind a call, its argument arrives."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from nbagents.tools.context.callable_object import is_async
from nbagents.tools.context.misuse import takes
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.tools.trials import performed


def wrapped(function: Any) -> Any:
    """As most decorators leave a function."""

    @functools.wraps(function)
    def inner(*args: Any, **more: Any) -> Any:
        return function(*args, **more)

    return inner


class Plain:
    def __call__(self, x: int) -> int:
        """Add one."""
        return x + 1


class Falsy(Plain):
    def __bool__(self) -> bool:
        return False


class Static:
    @staticmethod
    def __call__(x: int) -> int:
        """Add one."""
        return x + 1


class OfClass:
    step = 1

    @classmethod
    def __call__(cls, x: int) -> int:
        """Add one."""
        return x + cls.step


class Async:
    async def __call__(self, x: int) -> int:
        """Add one."""
        return x + 1


class StaticAsync:
    @staticmethod
    async def __call__(x: int) -> int:
        """Add one."""
        return x + 1


class StaticSteps:
    @staticmethod
    async def __call__(x: int) -> AsyncIterator[int]:
        """Add one."""
        yield x + 1


class Wrapped:
    @wrapped
    async def __call__(self, x: int) -> int:
        """Add one."""
        return x + 1


async def add(x: int, y: int = 5) -> int:
    """Add one."""
    return x + y


async def add_one(x: int) -> int:
    """Add one."""
    return x + 1


def steps(x: int) -> Iterator[int]:
    """Add one."""
    yield x + 1


class Partial:
    __call__ = functools.partial(add, y=1)


class PartialMethod:
    def plus(self, y: int, x: int) -> int:
        """Add one."""
        return x + y

    __call__ = functools.partialmethod(plus, 1)


def later(x: int) -> Any:
    """Add one."""
    return add(x, 1)


LAMBDA: Callable[[int], Any] = lambda x: add(x, 1)  # noqa: E731  a lambda is what is tried
SHAPES: dict[str, tuple[Any, bool]] = {
    "an object": (Plain(), False),
    "a falsy object": (Falsy(), False),
    "a static method": (Static(), False),
    "a class method": (OfClass(), False),
    "async": (Async(), True),
    "static async": (StaticAsync(), True),
    "static steps": (StaticSteps(), True),
    "wrapped async": (Wrapped(), False),
    "a wrapped async function": (wrapped(add_one), False),
    "a partial": (functools.partial(add, y=1), True),
    "a partial of a partial": (functools.partial(functools.partial(add), y=1), True),
    "a partial of an object": (functools.partial(Plain()), False),
    "a partial of a static one": (functools.partial(Static()), False),
    "a partial of a static async one": (functools.partial(StaticAsync()), True),
    "a partial of steps": (functools.partial(steps), False),
    "a partial as the method": (Partial(), True),
    "a partial method": (PartialMethod(), False),
    "what returns a coroutine": (later, False),
    "a lambda that returns a coroutine": (LAMBDA, False),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("thread", [False, True])
def test_a_callable_of_any_shape_is_a_tool(shape: str, *, thread: bool) -> None:
    function, is_late = SHAPES[shape]
    options = ToolOptions(name="plus", thread=thread and not is_late)
    tool = Tool(function, options)
    assert list(tool.parameters["properties"]) == ["x"]  # pyright: ignore[reportArgumentType]
    assert tool.is_async is is_late
    result = performed(function, '{"x": 1}', options).result
    assert result.status == "done", result.content
    assert result.content in ("2", "[2]")


@pytest.mark.parametrize("shape", [one for one in SHAPES if "lambda" not in one])
def test_its_description_is_that_of_what_is_written(shape: str) -> None:
    function, _ = SHAPES[shape]
    assert Tool(function, ToolOptions(name="plus")).description == "Add one."


@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_callable_takes_is_known_whatever_its_shape(shape: str) -> None:
    function, is_late = SHAPES[shape]
    assert takes(function, 1)
    assert takes(function, 3) is ("wrapped" in shape)  # what the decorator gave takes anything
    assert is_async(function) is (is_late and shape != "static steps")
