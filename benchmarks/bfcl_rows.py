"""The rows that the offline model is measured on: prompts, tools and gold calls of BFCL."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from nbagents.messages import SystemMessage, UserMessage
from nbagents.models.model import ToolSpec
from nbagents.tools.json_schema.type_names import json_schema_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import JsonValue

    from nbagents.messages import Message

__all__ = ["Call", "Row", "folder", "rows_in", "same_calls", "same_tools"]

Call: TypeAlias = tuple[str, dict[str, "JsonValue"]]

_VARIABLE = "NBAGENTS_BFCL"
_DEFAULT = Path(__file__).parents[2] / "shared" / "data" / "bfcl"
_OTHER_LANGUAGES = ("simple_java", "simple_javascript")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One prompt with the tools that are offered and the calls that are right."""

    category: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    gold: tuple[Call, ...]
    exact: bool
    """Whether its arguments count: the values of other languages are source text, and some gold
    calls break their own schema."""

    @property
    def prompt(self) -> str:
        """What the person asks."""
        return next(one.text for one in reversed(self.messages) if isinstance(one, UserMessage))

    @property
    def any_call(self) -> bool:
        """Whether any call at all is right: such rows name no gold call."""
        return self.category == "live_relevance"


def folder() -> Path:
    """Where the data is."""
    return Path(os.environ.get(_VARIABLE) or _DEFAULT)


def rows_in(where: Path) -> list[Row]:
    """All rows of a folder.

    Raises:
        FileNotFoundError: The data is not there.
    """
    specs: dict[str, ToolSpec] = {}
    for line in _lines(where / "functions.jsonl"):
        specs[str(line["id"])] = ToolSpec(
            name=str(line["name"]),
            description=str(line["description"]),
            parameters=json_schema_of(line["parameters"]),
        )
    return [_row(line, specs) for line in _lines(where / "single_turn.jsonl")]


def same_tools(row: Row, calls: Iterable[Call]) -> bool:
    """Whether the called tools are the gold ones, each as often."""
    names = sorted(name for name, _ in calls)
    return bool(names) if row.any_call else names == sorted(name for name, _ in row.gold)


def same_calls(row: Row, calls: Iterable[Call]) -> bool:
    """Whether the calls are the gold ones, in any order.

    One rule says when two values are the same: `7` is `7.0`, and texts agree but for the case of
    their letters and the blanks around them.
    """
    return sorted(map(_said, calls)) == sorted(map(_said, row.gold))


def _said(call: Call) -> str:
    return json.dumps([call[0], _plain(call[1])], sort_keys=True)


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value.strip().casefold()
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return value


def _lines(path: Path) -> list[dict[str, JsonValue]]:
    with path.open(encoding="utf-8") as file:
        return [cast("dict[str, JsonValue]", json.loads(line)) for line in file]


def _row(line: dict[str, JsonValue], specs: Mapping[str, ToolSpec]) -> Row:
    category = str(line["category"])
    calls = cast("list[dict[str, JsonValue]]", line["calls"])
    gold = tuple(
        (str(one["name"]), cast("dict[str, JsonValue]", one["arguments"])) for one in calls
    )
    fault = bool(line.get("gold_schema_errors"))
    return Row(
        category=category,
        messages=tuple(_message(one) for one in cast("list[dict[str, str]]", line["messages"])),
        tools=tuple(specs[str(one)] for one in cast("list[str]", line["functions"])),
        gold=gold,
        exact=bool(gold) and not fault and category not in _OTHER_LANGUAGES,
    )


def _message(said: Mapping[str, str]) -> Message:
    kind = SystemMessage if said["role"] == "system" else UserMessage
    return kind(text=said["content"])
