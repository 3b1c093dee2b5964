"""The tools of a Responses request, and their names there and here."""

from __future__ import annotations

from typing import Any

import pytest

from nbagents.models.model import ToolSpec
from nbagents.models.responses.tools import WiredTools, WireName, wired
from tests.unit.models.published import faults

SEARCH = ToolSpec(name="tool_search", description="", parameters={}, hosted={"type": "tool_search"})
SCHEMA: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


def spec(name: str, **fields: Any) -> ToolSpec:
    toolset, separator, _ = name.partition("--")
    fields.setdefault("toolset", toolset if separator else None)
    return ToolSpec(name=name, description=f"Does {name}. And more.", parameters=SCHEMA, **fields)


def function(name: str, of: str | None = None, **fields: Any) -> dict[str, Any]:
    described = f"Does {of or name}. And more."
    made = {"type": "function", "name": name, "description": described, "parameters": SCHEMA}
    return {**made, "strict": False, **fields}


def sent(*specs: ToolSpec) -> WiredTools:
    """The tools, held to the published schema."""
    made = wired(specs)
    body = {"model": "m", "stream": True, "input": "x", "tools": list(made.tools)}
    assert faults("/responses", body) == []
    return made


def test_a_function_says_whether_it_is_strict() -> None:
    """Left out, the API would make the schema strict by itself."""
    made = sent(spec("f"), spec("a--g", strict=True))
    assert made.tools == (function("f"), function("a--g", strict=True))
    assert made.sent("a--g") == WireName("a--g")
    assert made.received("a--g", None) == "a--g"


def test_without_a_search_nothing_is_deferred() -> None:
    assert sent(spec("late", defer=True)).tools == (function("late"),)


def test_a_hosted_tool_is_sent_as_it_stands_and_what_it_includes_beside_it() -> None:
    include = {"include": ["web_search_call.action.sources"]}
    hosted = spec("web_search", hosted={"type": "web_search", **include})
    made = sent(hosted, spec("f"))
    assert made.tools == ({"type": "web_search"}, function("f"))
    assert made.include == ("web_search_call.action.sources",)


def test_toolsets_with_deferred_tools_become_namespaces() -> None:
    made = sent(
        spec("crm--find", defer=True),
        spec("other--f"),
        spec("crm--list"),
        spec("late", defer=True),
        SEARCH,
    )
    members = [
        function("find", "crm--find", defer_loading=True),
        function("list", "crm--list"),
    ]
    assert made.tools == (
        {
            "type": "namespace",
            "name": "crm",
            "description": "find: Does crm--find\nlist: Does crm--list",
            "tools": members,
        },
        function("other--f"),
        function("late", defer_loading=True),
        {"type": "tool_search"},
    )


@pytest.mark.parametrize(
    ("name", "wire"),
    [
        ("crm--find", WireName("find", "crm")),
        ("crm--crm", WireName("crm--crm", "crm")),
        ("late", WireName("late", "late")),
        ("f", WireName("f")),
        ("other--f", WireName("other--f")),
    ],
)
def test_names_go_there_and_back(name: str, wire: WireName) -> None:
    """A name that is its namespace's is the API's word for a deferred function without one."""
    made = sent(
        spec("crm--find", defer=True),
        spec("crm--crm", defer=True),
        spec("late", defer=True),
        spec("f"),
        spec("other--f"),
        SEARCH,
    )
    assert made.sent(name) == wire
    assert made.received(wire.name, wire.namespace) == name


def test_a_name_that_was_never_sent_is_told_as_it_came() -> None:
    assert sent(SEARCH).received("f", "crm") == "crm--f"


def test_the_computer_is_called_as_its_tool_is() -> None:
    assert sent(spec("screen", hosted={"type": "computer"})).computer == "screen"
    assert sent().computer == "computer"
