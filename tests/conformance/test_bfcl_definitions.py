"""Every foreign definition becomes a tool: a valid schema, a name that models take."""

from __future__ import annotations

import re
from typing import Any

import pytest
from bfcl import definitions, needs_data, rows
from jsonschema import Draft202012Validator

from nbagents.errors import ToolDefinitionError
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.tool.foreign_definitions import tools_of_definitions

pytestmark = [pytest.mark.slow, needs_data]

META: Any = Draft202012Validator(Draft202012Validator.META_SCHEMA)  # its types are not all known
PROVIDER_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def echo(name: str, given: Any) -> Any:
    return name, given


def every_definition() -> list[Any]:
    """Those of all files; multi-turn ones have no id."""
    return [*definitions().values(), *rows("multi_turn_functions")]


def test_every_definition_is_valid_json_schema_strict_or_not() -> None:
    broken: list[str] = []
    for one in every_definition():
        for strict in (True, False):
            (tool,) = tools_of_definitions([one], echo, ToolOptions(strict=strict))
            if not META.is_valid(tool.parameters):
                broken.append(one["name"])
    assert every_definition()
    assert broken == []


def test_every_parameter_is_kept() -> None:
    for one in every_definition():
        (tool,) = tools_of_definitions([one], echo)
        properties: Any = tool.parameters["properties"]
        assert list(properties) == list(one["parameters"]["properties"])
        assert tool.schema.description == one["description"]


def test_every_name_fits_a_provider_is_unique_and_maps_back() -> None:
    first = {one["name"]: one for one in every_definition()}
    tools = tools_of_definitions(first.values(), echo)
    assert all(PROVIDER_NAME.fullmatch(tool.name) for tool in tools)
    assert len({tool.name for tool in tools}) == len(first)
    assert [tool.original_name for tool in tools] == list(first)
    assert all(tool.function({})[0] == tool.original_name for tool in tools)


def test_a_definition_by_itself_gets_the_same_kind_of_name() -> None:
    for one in every_definition():
        tool = Tool.from_schema(one["name"], one["description"], one["parameters"], echo)
        assert PROVIDER_NAME.fullmatch(tool.name)
        assert tool.original_name == one["name"]


def test_the_same_name_twice_is_refused() -> None:
    one = every_definition()[0]
    with pytest.raises(ToolDefinitionError, match="Two definitions"):
        tools_of_definitions([one, one], echo)
