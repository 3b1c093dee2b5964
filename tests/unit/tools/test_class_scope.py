"""Hints of methods may name what their class defines, although they are only text."""

from __future__ import annotations

from typing import Any, Literal, cast

import pytest
from pydantic import BaseModel

import nbagents as nba
from nbagents.errors import ToolDefinitionError
from nbagents.tools.context.context import Context
from nbagents.tools.schema.binding import Bound
from nbagents.tools.tool.definition import Tool


class Shop:
    """Its hints name its own classes."""

    class Order(BaseModel):
        article: str

    Size = Literal["S", "L"]

    def buy(self, order: Order, size: Size = "S") -> str:
        return f"{order.article} {size}"

    @classmethod
    def reserve(cls, order: Order, size: Size = "S") -> str:
        return f"{order.article} {size}"

    @staticmethod
    def price(order: Order, size: Size = "S") -> str:
        return f"{order.article} {size}"

    def list(self, words: list[str]) -> str:  # pyright: ignore[reportGeneralTypeIssues, reportInvalidTypeForm, reportUnknownParameterType]
        return " ".join(words)  # pyright: ignore[reportUnknownArgumentType]

    @nba.tool
    def gift(self, order: Order, size: Size = "L") -> str:
        return f"{order.article} {size}"

    def __call__(self, order: Order, size: Size = "S") -> str:
        return f"{order.article} {size}"


class Corner(Shop):
    """Inherits them."""


class Outer:
    class Inner:
        class Deep(BaseModel):
            x: int

        def take(self, deep: Deep) -> int:
            return deep.x


SHOP = Corner()
ORDER: dict[str, Any] = {"order": {"article": "hat"}, "size": "L"}


@pytest.mark.parametrize(
    "function", [SHOP.buy, SHOP.reserve, Shop.reserve, SHOP.price, Shop.price, SHOP.gift, SHOP]
)
def test_a_hint_may_name_what_the_class_defines(function: Any) -> None:
    tool = cast("Tool", function) if isinstance(function, Tool) else Tool(function)
    bound = tool.bind(ORDER, Context())
    assert isinstance(bound, Bound), bound
    assert tool.run(*bound.args, **bound.kwargs) == "hat L"


def test_a_method_does_not_hide_the_type_that_it_is_called_after() -> None:
    assert Tool(SHOP.list).parameters["properties"] == {  # pyright: ignore[reportUnknownMemberType]
        "words": {"type": "array", "items": {"type": "string"}}
    }


def test_a_class_inside_of_a_class_sees_its_own_names() -> None:
    assert isinstance(Tool(Outer.Inner().take).bind({"deep": {"x": 1}}, Context()), Bound)


def test_a_function_does_not_see_the_names_of_a_class() -> None:
    def take(order: Order) -> None: ...  # noqa: F821  # pyright: ignore[reportUndefinedVariable, reportUnknownParameterType]

    with pytest.raises(ToolDefinitionError, match="Order"):
        Tool(take).parameters  # noqa: B018  # pyright: ignore[reportUnknownArgumentType]
