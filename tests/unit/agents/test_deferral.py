"""Which of an agent's tools are deferred, and runs that go on with tools that were found."""

from __future__ import annotations

from typing import Any, Literal

import pytest

import nbagents as nba
from nbagents.agents.specification.deferral import MOST_TOOLS
from nbagents.models.scripted import ScriptedModel, call
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool
from tests.unit.runs.deferred_tools import BRIDGE, FINDERS, many, offered, plain, topic

Defer = Literal["auto", "always", "never"]


def tools(count: int) -> list[Tool]:
    return [topic(f"topic{number}", "map", []) for number in range(count)]


def first_offered(*given: Any) -> list[str]:
    preview = nba.Agent("finder", tools=given, model=ScriptedModel([])).preview("Go")
    return [one.name for one in preview.tools]


@pytest.mark.parametrize(
    ("count", "defer", "is_deferred"),
    [
        (MOST_TOOLS, "auto", False),
        (MOST_TOOLS + 1, "auto", True),
        (1, "always", True),
        (0, "always", True),
        (MOST_TOOLS + 10, "never", False),
    ],
)
def test_when_a_catalogue_is_deferred(count: int, defer: Defer, *, is_deferred: bool) -> None:
    catalogue = nba.Catalogue(*tools(count), defer=defer)
    assert (first_offered(catalogue) == FINDERS) == is_deferred
    if not is_deferred:
        assert first_offered(catalogue) == list(catalogue.names)


def test_several_small_catalogues_are_deferred_together() -> None:
    half = MOST_TOOLS // 2 + 1
    left, right = nba.Catalogue(*tools(2 * half)[:half]), nba.Catalogue(*tools(2 * half)[half:])
    assert first_offered(left, right) == FINDERS
    assert len(first_offered(left)) == half


@pytest.mark.parametrize(
    ("context_tokens", "is_deferred"), [(None, False), (10**6, False), (500, True)]
)
def test_few_tools_are_deferred_where_they_fill_the_window(
    context_tokens: int | None, *, is_deferred: bool
) -> None:
    catalogue = nba.Catalogue(*tools(5), context_tokens=context_tokens)
    assert (first_offered(catalogue) == FINDERS) == is_deferred


def test_plain_tools_are_never_deferred_unasked() -> None:
    more = tools(MOST_TOOLS + 10)
    assert first_offered(*more) == [one.name for one in more]
    assert first_offered(many(), *more) == [*(one.name for one in more), *FINDERS]


def test_a_catalogue_may_be_given_by_itself() -> None:
    agent = nba.Agent("finder", tools=many(), model=ScriptedModel([]))
    assert [one.name for one in agent.preview("Go").tools] == FINDERS


@pytest.mark.parametrize(
    "wrong", [{"defer": "sometimes"}, {"found": "somehow"}, {"context_tokens": 0}]
)
def test_what_a_catalogue_cannot_be_told_is_said(wrong: dict[str, Any]) -> None:
    (word,) = wrong
    with pytest.raises(ValueError, match=word):
        nba.Catalogue(**wrong)


def test_one_run_finds_its_tools_in_one_way() -> None:
    agent = nba.Agent("a", tools=[many(), many(found="bridge")], model=ScriptedModel([]))
    with pytest.raises(ValueError, match="append and bridge"):
        agent.run("Go", log="memory")


def test_the_providers_own_search_is_passed_through() -> None:
    catalogue = many(found="native")
    names = first_offered(plain, catalogue)
    assert names == ["plain", *catalogue.names, "tool_search"]
    model = nba.OpenAIResponses("m", base_url="http://127.0.0.1:9/v1", api_key="k")
    body: Any = nba.Agent("a", tools=[plain, catalogue], model=model).preview("Go").body
    sent = {one.get("name", one["type"]): one.get("defer_loading") for one in body["tools"]}
    assert sent["plain"] is None
    assert sent["weather_map"] is True
    assert "tool_search" in sent


def test_a_provider_without_a_search_of_its_own_is_said() -> None:
    model = nba.OpenAIChat("m", base_url="http://127.0.0.1:9/v1", api_key="k")
    with pytest.raises(ValueError, match="tool_search"):
        nba.Agent("a", tools=[many(found="native")], model=model).run("Go", log="memory")


def test_a_name_that_is_taken_twice_is_said() -> None:
    def search_tools(query: str) -> str:
        """Search my tools."""
        return query

    agent = nba.Agent("a", tools=[many(), search_tools], model=ScriptedModel([]))
    with pytest.raises(nba.ToolDefinitionError, match="search_tools"):
        agent.run("Go", log="memory")


def test_values_reach_a_toolset_that_is_deferred() -> None:
    def where(ctx: Context) -> str:
        """Say where."""
        return ctx.passthrough["city"]

    trips = nba.toolset_of("trips", [where])
    model = ScriptedModel([call("trips--where"), "done"])
    agent = nba.Agent("a", tools=[nba.Catalogue(trips, defer="always")], model=model)
    run = agent.run("Go", passthrough={"trips": {"city": "Oslo"}}, log="memory")
    assert run.calls[0].value == "Oslo"
    with pytest.raises(ValueError, match="tripz"):
        agent.run("Go", passthrough={"tripz": {}}, log="memory")


@pytest.mark.parametrize(
    ("found", "after"), [("append", [*FINDERS, "weather_forecast", "wipe"]), ("bridge", BRIDGE)]
)
def test_a_run_is_gone_on_with_and_has_what_it_had_found(found: Any, after: list[str]) -> None:
    done: list[str] = []
    session = Session(MemoryLog())
    steps = [
        call("search_tools", query="select:weather_forecast"),
        call("weather_forecast", city="Oslo"),
        call("call_tool", name="wipe", arguments={"path": "x"}),
    ]
    first = nba.Agent(
        "finder", tools=[many(done, found=found)], model=ScriptedModel(steps), on_await="suspend"
    )
    waiting = first.run("Go", log=session)
    assert waiting.status == "suspended"
    assert (waiting.calls[-1].name, waiting.calls[-1].status) == ("wipe", "waiting")
    model = ScriptedModel([call("weather_forecast", city="Rome"), "done"])
    again = nba.Agent("finder", tools=[many(done, found=found)], model=model)
    run = again.resume(waiting.id, answer=True, log=session)
    assert run.text == "done"
    assert done[1:] == ["wipe x False", "weather forecast Rome 3"]
    assert [name for name in offered(model)[0] if name in after] == after


def test_a_suspended_call_of_a_tool_that_is_gone_is_said() -> None:
    session = Session(MemoryLog())
    model = ScriptedModel([call("call_tool", name="wipe", arguments={"path": "x"})])
    agent = nba.Agent("finder", tools=[many()], model=model, on_await="suspend")
    waiting = agent.run("Go", log=session)
    rest = nba.Agent("finder", tools=[nba.Catalogue(*tools(40))], model=ScriptedModel([]))
    with pytest.raises(nba.RunError, match="wipe"):
        rest.resume(waiting, answer=True, log=session)


def test_what_was_found_and_not_offered_yet_is_offered_when_the_run_goes_on() -> None:
    session = Session(MemoryLog())
    both = [call("search_tools", query="tides map"), call("wipe", path="x")]
    agent = nba.Agent("finder", tools=[many()], model=ScriptedModel([both]), on_await="suspend")
    waiting = agent.run("Go", log=session)
    model = ScriptedModel(["done"])
    nba.Agent("finder", tools=[many()], model=model).resume(waiting, answer=False, log=session)
    assert "tides_map" in offered(model)[0]


def test_a_run_inside_has_a_shelf_of_its_own() -> None:
    inner_model = ScriptedModel([call("weather_forecast", city="Oslo"), "it rains"])
    inner = nba.Agent("inner", "You know the weather.", tools=[many()], model=inner_model)
    model = ScriptedModel([call("inner", input="Rain?"), "done"])
    run = nba.Agent("outer", tools=[inner, many()], model=model).run("Go", log="memory")
    (child,) = run.children
    assert [one.name for one in child.calls] == ["weather_forecast"]
    assert offered(inner_model)[1] == [*FINDERS, "weather_forecast"]
    assert offered(model)[1] == ["inner", *FINDERS]


def test_an_agent_in_a_catalogue_is_found_and_runs() -> None:
    inner = nba.Agent("poet", "You write poems.", model=ScriptedModel(["a poem"]))
    model = ScriptedModel([call("poet", input="Write."), "done"])
    catalogue = nba.Catalogue(inner.as_tool(), defer="always")
    run = nba.Agent("outer", tools=[catalogue], model=model).run("Go", log="memory")
    assert run.calls[0].value == "a poem"
    assert len(run.children) == 1


@pytest.mark.parametrize("found", ["append", "bridge"])
def test_who_takes_over_has_what_was_found_of_its_own(found: Any) -> None:
    second_model = ScriptedModel([call("weather_forecast", city="Oslo"), "done"])
    second = nba.Agent("second", tools=[many(found=found)], model=second_model)
    steps = [call("search_tools", query="select:weather_forecast"), call("transfer_to_second")]
    first_model = ScriptedModel(steps)
    first = nba.Agent("first", tools=[many(found=found)], model=first_model, handoffs=[second])
    run = first.run("Go", log="memory")
    assert (run.text, run.last_agent) == ("done", "second")
    assert run.calls[-1].value == "forecast of weather in Oslo for 3 days"
    assert ("weather_forecast" in offered(second_model)[0]) == (found == "append")


def test_who_takes_over_without_a_catalogue_can_call_none_of_it() -> None:
    second = nba.Agent("second", model=ScriptedModel([call("weather_map", city="Oslo"), "done"]))
    first_model = ScriptedModel([call("transfer_to_second")])
    first = nba.Agent("first", tools=[many()], model=first_model, handoffs=[second])
    run = first.run("Go", log="memory")
    assert [one.status for one in run.calls] == ["done", "failed"]


def test_a_chat_goes_on_with_a_tool_that_it_found_before() -> None:
    session = Session(MemoryLog())
    model = ScriptedModel(
        [call("weather_map", city="Oslo"), "done", call("weather_map", city="Rome"), "done"]
    )
    agent = nba.Agent("finder", tools=[many()], model=model)
    runs = [agent.run("Go", chat="trip", log=session) for _ in range(2)]
    assert [one.calls[0].status for one in runs] == ["done", "done"]
