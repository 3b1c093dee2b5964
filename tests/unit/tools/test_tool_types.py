"""A tool keeps the types of its function: read by the type checker, and run."""

from __future__ import annotations

from typing import Any, assert_type

from nbagents.tools.tool.decorator import tool
from nbagents.tools.tool.definition import Tool


def test_the_types_of_the_function_survive_the_decorator() -> None:
    @tool
    def add(a: int, b: int = 1) -> int:
        return a + b

    @tool(name="shouted", strict=False)
    def shout(text: str) -> str:
        return text.upper()

    assert_type(add(1, b=2), int)
    assert_type(shout("a"), str)
    assert (add(1), shout("a")) == (2, "A")


def test_a_bare_tool_is_a_tool_of_any_function() -> None:
    def call(one: Tool) -> Any:
        return assert_type(one(3), Any)

    assert call(Tool(abs)) == 3
