"""One call, from what a model wrote to exactly one classified result."""

from __future__ import annotations

import asyncio
import datetime as dt
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from trials import CTX, RecordingLanes, failure, forecast, performed, request

from nbagents.errors import ToolError
from nbagents.results import CallResult
from nbagents.tools.call.invocation import perform, prepare
from nbagents.tools.context.context import Context
from nbagents.tools.schema.binding import Schema
from nbagents.tools.schema.function_parameters import function_schema
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.tool.registry import Toolbox


def test_a_plain_function_runs_on_the_main_lane() -> None:
    trial = performed(forecast, '{"city": "Rome"}')
    assert trial.result == CallResult(content="Rome 3", value="Rome 3")
    assert trial.lanes == ["main"]
    assert trial.prepared.arguments == {"city": "Rome"}


def test_a_threaded_function_runs_on_the_thread_lane() -> None:
    def where() -> str:
        return str(threading.current_thread() is threading.main_thread())

    trial = performed(where, options=ToolOptions(thread=True))
    assert (trial.result.content, trial.lanes) == ("False", ["thread"])


def test_an_async_function_is_awaited_without_a_lane() -> None:
    async def later(day: dt.date) -> int:
        await asyncio.sleep(0)
        return day.year

    trial = performed(later, '{"day": "2026-01-02"}')
    assert (trial.result.content, trial.lanes) == ("2026", [])


def test_a_plain_function_may_give_an_awaitable() -> None:
    async def later() -> str:
        return "done"

    def start() -> Awaitable[str]:
        return later()

    trial = performed(start)
    assert (trial.result.content, trial.lanes) == ("done", ["main"])


def test_the_result_is_made_on_the_lane_because_it_may_be_bound_to_the_thread() -> None:
    class Bound:
        def __str__(self) -> str:
            return threading.current_thread().name

    def give() -> Bound:
        return Bound()

    content = performed(give, options=ToolOptions(thread=True)).result.content
    assert content != threading.main_thread().name


def test_the_context_is_given() -> None:
    def who(ctx: Context) -> str:
        return f"{ctx.run_id} {ctx.call_id}"

    assert performed(who).result.content == "run-1 call-1"


@pytest.mark.parametrize("arguments", ["", "  ", "{}"])
def test_no_arguments_may_be_written_as_nothing(arguments: str) -> None:
    def now() -> str:
        return "now"

    assert performed(now, arguments).result.content == "now"


def test_arguments_may_be_changed_between_prepare_and_perform() -> None:
    tool = Tool(forecast)
    prepared = prepare(request("forecast", '{"city": "Rome"}'), {"forecast": tool})
    changed = replace(prepared, arguments={"city": "Oslo", "days": 1})
    assert asyncio.run(perform(changed, CTX, RecordingLanes())).content == "Oslo 1"


def test_null_for_an_optional_parameter_means_its_default() -> None:
    assert performed(forecast, '{"city": "Rome", "days": null}').result.content == "Rome 3"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("{", "no valid JSON"),
        ('{"city": "Rome"} and more', "no valid JSON"),
        ('{"city": "\\ud800"}', "no valid JSON"),
        ("[1]", "no JSON object"),
        ('"Rome"', "no valid JSON"),
        ("[" * 5000, "no valid JSON"),
    ],
)
def test_arguments_that_are_no_object_are_told(arguments: str, words: str) -> None:
    kind, message = failure(forecast, arguments)
    assert kind == "invalid_call"
    assert words in message


def test_the_raw_text_is_kept_where_it_is_no_json() -> None:
    assert performed(forecast, "{oops").prepared.arguments == "{oops"


def test_arguments_that_do_not_fit_are_told_field_by_field() -> None:
    result = performed(forecast, '{"citty": "Rome", "days": 9}').result
    assert result.failure is not None
    assert (result.failure.kind, result.failure.recovery) == ("invalid_call", "correct_call")
    assert {(one.field, one.constraint) for one in result.failure.issues} == {
        ("city", "missing"),
        ("citty", "extra_forbidden"),
        ("days", "less_than_equal"),
    }
    assert "Did you mean 'city'?" in result.content
    assert "- days: Input should be less than or equal to 7; given: 9" in result.content


def test_an_unknown_tool_is_told_with_close_names() -> None:
    box = Toolbox()
    box.add(Tool(forecast))
    for offered in (box, {"forecast": box["forecast"]}):
        prepared = prepare(request("forecst", "{}"), offered)
        assert prepared.tool is None
        result = asyncio.run(perform(prepared, CTX, RecordingLanes()))
        assert result.failure is not None
        assert (result.failure.kind, result.failure.recovery) == ("invalid_call", "correct_call")
        assert result.content == "There is no tool 'forecst'. Did you mean 'forecast'?"


def test_an_unknown_tool_among_none_asks_for_another_plan() -> None:
    prepared = prepare(request("forecast", "{}"), {})
    assert prepared.failure is not None
    assert prepared.failure.recovery == "replan"


def test_nothing_runs_when_the_arguments_do_not_fit() -> None:
    assert performed(forecast, '{"days": 9}').lanes == []


def test_a_large_result_is_cut_and_says_how_much_is_missing() -> None:
    def read() -> str:
        return "x" * 1_000

    result = performed(read, max_content=100).result
    assert result.content.startswith("x" * 100 + "\n[Cut")
    assert "900 are missing" in result.content
    assert result.bounds is not None
    assert (result.bounds.returned, result.bounds.total, result.bounds.truncated) == (
        100,
        1000,
        True,
    )


def test_a_command_does_not_ask_for_another_step_but_its_failure_does() -> None:
    def move(*, fail: bool = False) -> str:
        if fail:
            raise ToolError("stuck")
        return "moved"

    command = ToolOptions(command=True)
    assert performed(move, options=command).result.has_next is False
    assert performed(move, '{"fail": true}', options=command).result.has_next is None
    assert performed(move).result.has_next is None


def test_a_schema_is_built_once_however_often_its_tool_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built: list[object] = []

    def counting(function: Callable[..., object], *args: Any, **options: Any) -> Schema:
        built.append(function)
        return function_schema(function, *args, **options)

    monkeypatch.setattr("nbagents.tools.tool.definition.function_schema", counting)
    offered = {"forecast": Tool(forecast)}
    asked = request("forecast", '{"city": "Rome", "days": 5}')

    async def many() -> None:
        for _ in range(20):
            await perform(prepare(asked, offered), CTX, RecordingLanes())

    asyncio.run(many())
    assert built == [forecast]
