"""Which tools are the same to a person who has allowed one of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.tools.call.target import target_of
from nbagents.tools.tool.definition import Tool, ToolOptions

CELL = """
def make(path):
    def delete(x: int) -> str:
        "Delete."
        return f"deleted {path} {x}"
    return delete
"""


def defined(source: str, name: str = "make") -> Callable[..., Any]:
    """What a cell defines; as each time that it is run, as something new."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(source, names)
    return names[name]


def is_same(one: Any, other: Any) -> bool:
    first, second = (Tool(each, ToolOptions(ask=True)) for each in (one, other))
    return target_of(first) == target_of(second) and hash(target_of(first)) == hash(
        target_of(second)
    )


class Disk:
    def __init__(self, path: str) -> None:
        self.path = path

    def remove(self, x: int) -> str:
        """Remove."""
        return f"{self.path} {x}"

    def __call__(self, x: int) -> str:
        """Remove."""
        return f"{self.path} {x}"


def test_a_cell_that_is_run_again_makes_the_same() -> None:
    assert is_same(defined(CELL)("tmp"), defined(CELL)("tmp"))
    assert is_same(defined(CELL)(["tmp"]), defined("\n\n" + CELL)(["tmp"]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (defined(CELL)("tmp"), defined(CELL)("/")),
        (defined(CELL)(1), defined(CELL)(True)),
        (defined(CELL)(["tmp"]), defined(CELL)(["/"])),
        (defined(CELL)({"a": 1}), defined(CELL)({"a": 2})),
        (defined(CELL)("tmp"), defined(CELL.replace("deleted", "kept"))("tmp")),
        (defined(CELL)("tmp"), defined(CELL.replace("{x}", "{x + 1}"))("tmp")),
        (Disk("tmp").remove, Disk("/").remove),
        (Disk("tmp"), Disk("tmp")),
        (functools.partial(Disk.remove, Disk("tmp")), functools.partial(Disk.remove, Disk("tmp"))),
    ],
)
def test_other_code_other_values_and_other_objects_are_another(one: Any, other: Any) -> None:
    assert not is_same(one, other)
    assert is_same(one, one)


def test_a_method_of_the_same_object_is_the_same() -> None:
    disk = Disk("tmp")
    assert is_same(disk.remove, disk.remove)
    assert is_same(functools.partial(disk.remove, x=1), functools.partial(disk.remove, x=1))
    assert not is_same(functools.partial(disk.remove, x=1), functools.partial(disk.remove, x=2))


def test_defaults_and_decorators_count() -> None:
    def made(path: str) -> Callable[..., str]:
        def delete(x: int, at: str = path) -> str:
            """Delete."""
            return at * x

        return delete

    def wrapped(function: Callable[..., str], log: str) -> Callable[..., str]:
        @functools.wraps(function)
        def logged(*args: Any, **given: Any) -> str:
            return log + function(*args, **given)

        return logged

    assert is_same(made("a"), made("a"))
    assert not is_same(made("a"), made("b"))
    assert is_same(wrapped(made("a"), "l"), wrapped(made("a"), "l"))
    assert not is_same(wrapped(made("a"), "l"), wrapped(made("a"), "m"))
    assert not is_same(wrapped(made("a"), "l"), wrapped(made("b"), "l"))


def test_a_function_that_calls_itself_has_an_end() -> None:
    def made() -> Callable[..., int]:
        def count(x: int) -> int:
            """Count."""
            return count(x - 1) if x else 0

        return count

    assert is_same(made(), made())


def test_an_agent_is_known_by_its_name_and_what_it_is_told() -> None:
    def asks(name: str, told: str) -> Tool:
        return Agent(name, told).as_tool("helper", "Help.")

    assert target_of(asks("a", "You help.")) == target_of(asks("a", "You help."))
    assert target_of(asks("a", "You help.")) != target_of(asks("b", "You help."))
    assert target_of(asks("a", "You help.")) != target_of(asks("a", "You delete."))
