"""Whatever a model writes, a call is exactly one result."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime as dt
import enum
import json
import random
import string
from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from nbagents.messages import CallRequest
from nbagents.results import CallResult
from nbagents.tools.call.invocation import perform, prepare
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.thinning import thinned


class InlineLanes:
    async def on_main(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        return function()

    async def in_thread(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        return function()


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Spot:
    lon: float
    lat: float = 0.0


class Node(BaseModel):
    label: str = "x"
    children: list[Node] = []
    tag: Colour | None = None


def simple(a: int, b: str = "x", *, c: bool = False) -> Any:
    return a, b, c


def nested(node: Node, spot: Spot | None = None, when: dt.date | int = 3) -> Any:
    return node, spot, when


def starred(a: Any, /, *rest: int, ctx: Context, **more: str) -> Any:
    return a, rest, more


async def later(
    a: Annotated[int | list[int], Field(description="a")] = 1,
    kind: Literal["x", "y"] = "x",
    pair: tuple[float, float] = (0, 0),
) -> Any:
    return a, kind, pair


def raw(arguments: dict[str, Any]) -> Any:
    return arguments


RAW: dict[str, Any] = {
    "properties": {
        "a": {"anyOf": [{"type": "integer", "minimum": 3}, {"$ref": "#/$defs/b"}]},
        "b": {"type": "array", "items": {"type": "string", "pattern": "^x"}, "maxItems": 2},
        "c": {"type": "object", "additionalProperties": {"type": ["null", "number"]}},
    },
    "$defs": {"b": {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}}},
    "required": ["a"],
}

TOOLS: dict[str, Tool] = {
    one.name: one
    for one in (
        Tool(simple),
        Tool(nested),
        Tool(starred),
        Tool(later, ToolOptions(timeout_s=30)),
        Tool.from_schema("raw", "", RAW, raw),
    )
}

NAMES = ["a", "b", "c", "node", "spot", "when", "label", "children", "tag", "lon", "lat", "rest"]
ODD_NAMES = ["ctx", "more", "kind", "pair", "", "ünï", "__class__", "self"]
EVERY_NAME = (*NAMES, *ODD_NAMES)


def anything(dice: random.Random, depth: int = 0) -> Any:
    """A random JSON value, which fits now and then."""
    kind = dice.randrange(11 if depth < 5 else 8)
    if kind == 8:
        return [anything(dice, depth + 1) for _ in range(dice.randrange(4))]
    if kind > 8:
        return {
            dice.choice(EVERY_NAME): anything(dice, depth + 1) for _ in range(dice.randrange(5))
        }
    text = "".join(dice.choices(string.printable + "ä🙂\u2028", k=dice.randrange(6)))
    values = [None, True, 1, dice.randint(-(10**30), 10**30), dice.random(), text, "red"]
    return [*values, dice.choice(["x", "2026-01-02", float("nan"), float("inf"), -0.0])][kind]


def damaged(dice: random.Random, text: str) -> str:
    """The text, or the text with something cut out or put in."""
    if dice.random() < 0.8 or not text:
        return text
    at = dice.randrange(len(text))
    return text[:at] + dice.choice(["", "{", '"', "\\", "\x00", "\ud800", "1e999"]) + text[at + 1 :]


@pytest.mark.parametrize("seed", thinned(range(10), one_in=5, others=pytest.mark.medium))
@pytest.mark.parametrize("name", TOOLS)
def test_random_arguments_never_raise_and_give_one_readable_result(name: str, seed: int) -> None:
    dice = random.Random(f"{name} {seed}")

    async def trial(arguments: str) -> CallResult:
        call = prepare(CallRequest(id="1", name=name, arguments=arguments), TOOLS)
        return await perform(call, Context(), InlineLanes())

    async def trials() -> list[CallResult]:
        texts = [json.dumps(anything(dice), ensure_ascii=dice.random() < 0.5) for _ in range(300)]
        return [await trial(damaged(dice, one)) for one in texts]

    for result in asyncio.run(trials()):
        assert (result.failure is None) == (result.status == "done")
        result.content.encode()
        assert "Traceback" not in result.content


def test_the_fuzz_finds_calls_that_fit_and_calls_that_do_not() -> None:
    dice = random.Random(1)

    async def trials() -> set[str]:
        found: set[str] = set()
        for _ in range(3000):
            arguments = json.dumps(anything(dice))
            call = prepare(CallRequest(id="1", name="simple", arguments=arguments), TOOLS)
            result = await perform(call, Context(), InlineLanes())
            found.add(result.failure.kind if result.failure else "done")
        return found

    assert asyncio.run(trials()) == {"done", "invalid_call"}
