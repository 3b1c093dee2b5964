"""The card of a tool, and the list of all tools."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import pytest
from lab_sanitizer import refused
from pydantic import BaseModel, Field
from trees import Page, html_of, plain_of

from nbagents.agents import Agent
from nbagents.notebook.cards.preview import preview_card
from nbagents.notebook.cards.schema_words import type_in_words
from nbagents.notebook.cards.tool import tool_card, tool_list
from nbagents.tools.context.context import Context
from nbagents.tools.tool.computer import Computer
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.tool.hosted_tool import WebSearch
from tests.unit.tools.test_computer import Screen


class Place(BaseModel):
    lon: float
    lat: float


def forecast(
    city: str,
    ctx: Context,
    days: Annotated[int, Field(ge=1, le=7)] = 1,
    unit: Literal["celsius", "fahrenheit"] = "celsius",
    since: dt.date | None = None,
) -> str:
    """The weather of the next days.

    From the stations of the national service.

    Args:
        city: Its name, in English.
        ctx: Hidden.
        days: How many, from today.
        unit: Of the temperatures.
    """
    return f"{city} {ctx} {days} {unit} {since}"


def table_of(bundle: dict[str, object]) -> list[list[str]]:
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", html_of(bundle), re.DOTALL)
    return [
        [Page(cell).text for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)] for row in rows
    ]


def test_a_card_says_how_to_call_it_what_it_does_and_what_it_takes() -> None:
    bundle = tool_card(Tool(forecast))
    assert 'forecast(city, days=1, unit="celsius", since=None)' in Page(html_of(bundle)).text
    assert table_of(bundle) == [
        ["Parameter", "Type", "Needed", "Description"],
        ["city", "text", "required", "Its name, in English."],
        ["days", "whole number, 1 to 7", "default 1", "How many, from today."],
        ["unit", '"celsius" or "fahrenheit"', 'default "celsius"', "Of the temperatures."],
        ["since", "date (YYYY-MM-DD)", "optional", ""],
    ]


def test_a_default_of_null_is_said_once() -> None:
    schema = {"type": "object", "properties": {"any": {"default": None}}}

    def handler(arguments: dict[str, Any]) -> None:
        """Takes anything."""

    tool = Tool.from_schema("odd", "Odd.", schema, handler)
    assert table_of(tool_card(tool))[1] == ["any", "anything", "optional"]


def test_without_descriptions_there_is_no_column_for_them() -> None:
    def add(left: int, right: int) -> int:
        """Adds."""
        return left + right

    head, *_ = table_of(tool_card(Tool(add)))
    assert head == ["Parameter", "Type", "Needed"]


def test_a_card_reads_as_text() -> None:
    assert plain_of(tool_card(Tool(forecast))).split("\n")[:9] == [
        'forecast(city, days=1, unit="celsius", since=None)',
        "  The weather of the next days.",
        "  From the stations of the national service.",
        "",
        "  city   text                       required           Its name, in English.",
        "  days   whole number, 1 to 7       default 1          How many, from today.",
        '  unit   "celsius" or "fahrenheit"  default "celsius"  Of the temperatures.',
        "  since  date (YYYY-MM-DD)          optional",
        "",
    ]


def test_the_schema_is_the_one_that_the_model_gets() -> None:
    tool = Tool(forecast)
    words = Page(html_of(tool_card(tool))).text
    assert '"additionalProperties": false' in words
    assert tool.strict
    assert (
        words.count('"required"') == 1
    )  # strict: every property is required, which the table does not repeat


@pytest.mark.parametrize(
    ("options", "note"),
    [
        (ToolOptions(), "It runs on the main thread, where your variables live."),
        (ToolOptions(thread=True), "It runs on a worker thread."),
        (ToolOptions(command=True), "It is a command: the model need not read its result."),
        (ToolOptions(timeout_s=2.5), "It may take 2.5 s."),
        (ToolOptions(title="The weather"), "People see it as “The weather”."),
        (ToolOptions(retries=0), "A call that failed is not tried again."),
        (ToolOptions(retries=1), "A call that failed may be tried again once in a run."),
        (ToolOptions(retries=3), "A call that failed may be tried again 3 times in a run."),
        (ToolOptions(ask=True), "You must confirm each call."),
        (ToolOptions(ask=False), "You need not confirm a call."),
        (ToolOptions(read_only=True), "It changes nothing."),
        (ToolOptions(destructive=False), "It destroys nothing."),
        (ToolOptions(idempotent=True), "Calling it twice is the same as calling it once."),
        (ToolOptions(open_world=True), "It reaches out of this notebook."),
        (ToolOptions(private=True), "It is private: `all` leaves it out, so name it to use it."),
        (ToolOptions(enabled=False), "It is switched off."),
        (ToolOptions(enabled=bool), "Its own function says whether it is offered."),
        (ToolOptions(defer=True), "A provider that searches tools loads it when it finds it."),
        (ToolOptions(hosted={"type": "web_search"}), "It runs at the provider."),
        (ToolOptions(on_error=None), "An error in it fails the run."),
        (ToolOptions(on_error=lambda _, error: error), "what its own function says."),
    ],
)
def test_a_card_notes_how_the_tool_runs(options: ToolOptions, note: str) -> None:
    bundle = tool_card(Tool(forecast, options))
    assert note in Page(html_of(bundle)).text
    assert note in plain_of(bundle)


def test_an_async_tool_runs_on_the_loop() -> None:
    async def wait(seconds: float) -> None:
        """Waits."""

    assert "It runs on the event loop (async)." in plain_of(tool_card(Tool(wait)))


def test_a_card_of_a_plain_tool_says_nothing_of_what_nobody_said() -> None:
    assert plain_of(tool_card(Tool(forecast))).split("\n")[9:] == [
        "  It runs on the main thread, where your variables live.",
        f"  Version {Tool(forecast).source_hash[:8]}.",
    ]


class Frame:
    """What no JSON can carry."""


def test_a_parameter_that_takes_a_live_object_says_so() -> None:
    def describe(frame: Frame, rows: int = 5, more: Sequence[Frame] = ()) -> str:
        """Describe a frame.

        Args:
            frame: The one.
            rows: How many.
            more: Others.
        """
        return f"{frame} {rows} {more}"

    bundle = tool_card(Tool(describe))
    assert table_of(bundle)[1] == ["frame", "Frame, by handle", "required", "The one."]
    assert table_of(bundle)[3][1] == "list of text"
    assert "each one a handle" in table_of(bundle)[3][3]
    assert "frame takes an object of type Frame by handle: one of --vars" in plain_of(bundle)


def test_a_tool_that_cannot_be_strict_says_why() -> None:
    def tag(labels: dict[str, str]) -> None:
        """Tags."""

    note = Tool(tag).strict_note
    assert note
    assert note in Page(html_of(tool_card(Tool(tag)))).text


def test_a_card_says_which_version_of_the_tool_it_is() -> None:
    tool = Tool(forecast)
    assert f"Version {tool.source_hash[:8]}." in plain_of(tool_card(tool))


def test_a_tool_without_parameters_or_words_has_a_card() -> None:
    def bare() -> None: ...

    bundle = tool_card(Tool(bare))
    assert "It takes nothing." in plain_of(bundle)
    assert "bare()No description.It takes nothing." in Page(html_of(bundle)).text


def test_a_card_keeps_to_what_lab_lets_through() -> None:
    for bundle in (tool_card(Tool(forecast)), tool_list([Tool(forecast)]), tool_list([])):
        assert refused(Page(html_of(bundle)).elements) == []


def test_the_list_is_a_line_per_tool() -> None:
    def now() -> str:
        """The time.

        In UTC.
        """
        return ""

    bundle = tool_list([Tool(forecast), Tool(now, ToolOptions(toolset="clock"))])
    assert table_of(bundle) == [
        ["Tool", "What it does"],
        ['forecast(city, days=1, unit="celsius", since=None)', "The weather of the next days."],
        ["clock--now()", "The time."],
    ]
    assert plain_of(bundle).split("\n") == [
        "2 tools",
        '  forecast(city, days=1, unit="celsius", since=None)  The weather of the next days.',
        "  clock--now()                                        The time.",
    ]


def test_an_empty_list_says_how_to_make_a_tool() -> None:
    for words in (Page(html_of(tool_list([]))).text, plain_of(tool_list([]))):
        assert words.startswith("No tools yet.")
        assert "%%tool\n" in words


def test_the_example_of_an_empty_list_makes_a_tool() -> None:
    source = plain_of(tool_list([])).partition("%%tool\n")[2].replace("\n    ", "\n")
    names: dict[str, Any] = {}
    exec(source.removeprefix("    "), names)
    assert Tool(names["area"]).description == "The area of a circle."


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "text"),
        ({"type": "string", "format": "date-time"}, "date and time (ISO 8601)"),
        ({"type": "string", "format": "odd"}, "text"),
        ({"type": "string", "maxLength": 20}, "text, at most 20 characters"),
        ({"type": "string", "minLength": 2, "maxLength": 2}, "text, 2 characters"),
        ({"type": "string", "pattern": "^[a-z]+$"}, "text, like ^[a-z]+$"),
        ({"type": "integer", "minimum": 0}, "whole number, at least 0"),
        ({"type": "integer", "maximum": 9}, "whole number, at most 9"),
        (
            {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
            "number, more than 0, a multiple of 0.5",
        ),
        ({"type": "number", "exclusiveMaximum": 1}, "number, less than 1"),
        ({"type": "boolean"}, "true or false"),
        ({"type": ["string", "null"]}, "text or nothing"),
        (
            {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
            "whole number, text or nothing",
        ),
        ({"enum": ["a", 1, None]}, '"a", 1 or null'),
        ({"enum": list("abcdefghijkl")}, '"a", "b", "c", "d", "e", "f", "g", "h" or 4 more'),
        ({"const": "a"}, '"a"'),
        ({"type": "array"}, "list"),
        (
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
            "list of text, 1 to 3 items",
        ),
        (
            {"type": "array", "items": {"type": "string"}, "minItems": 2},
            "list of text, at least 2 items",
        ),
        (
            {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
            "set of whole number",
        ),
        (
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
            "list of text and whole number",
        ),
        ({"type": "object"}, "object"),
        (
            {"type": "object", "additionalProperties": {"type": "number"}},
            "mapping of names to number",
        ),
        ({"type": "object", "properties": {"a": {}, "b": {}}}, "object (a, b)"),
        ({"$ref": "#/$defs/Place"}, "Place (lon, lat)"),
        ({"type": "array", "items": {"$ref": "#/$defs/Place"}}, "list of Place"),
        ({"$ref": "#/$defs/Unit"}, '"C" or "F"'),
        ({"$ref": "#/$defs/Lost"}, "Lost"),
        ({"$ref": "#/$defs/Loop"}, "anything"),
        ({"$ref": "#/$defs/Any"}, "Any"),
        ({"allOf": [{"$ref": "#/$defs/Unit"}]}, '"C" or "F"'),
        ({}, "anything"),
        (True, "anything"),
    ],
)
def test_a_type_in_words(schema: Any, words: str) -> None:
    definitions = {
        "Place": Place.model_json_schema(),
        "Unit": {"enum": ["C", "F"]},
        "Loop": {"$ref": "#/$defs/Loop"},
        "Any": True,
    }
    assert type_in_words(schema, definitions) == words


@pytest.mark.parametrize("preview", [False, True])
def test_a_computer_is_driven_from_here_and_not_at_the_provider(*, preview: bool) -> None:
    computer = Computer(Screen(), preview=preview)
    (tool,) = computer.tools()
    words = plain_of(tool_card(tool))
    assert "It runs on the main thread, where your variables live." in words
    assert "at the provider" not in words
    asked = Agent(tools=[computer, WebSearch()], model="responses:gpt-x").preview("Look.")
    assert plain_of(preview_card(asked)).count("It runs at the provider.") == 1


def test_what_the_type_says_of_a_handle_is_not_said_again() -> None:
    def total(frame: Screen) -> None:
        """Adds it up."""

    assert table_of(tool_card(Tool(total))) == [
        ["Parameter", "Type", "Needed"],
        ["frame", "Screen, by handle", "required"],
    ]
