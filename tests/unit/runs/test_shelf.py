"""The tools of a large catalogue are found, loaded and called, and nothing is said that is not so.

Each complaint of users of tool search is a test: see what the names say.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import nbagents as nba
from nbagents.models.scripted import call
from nbagents.runs.state.desk import Answer, Await
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.deferred_tools import (
    BRIDGE,
    CITIES,
    FINDERS,
    KINDS,
    RENAMED,
    TOPICS,
    WAYS,
    many,
    offered,
    plain,
    run_of,
    told,
    topic,
)


def test_found_tools_are_offered_after_all_that_was_offered_before() -> None:
    steps = [
        call("search_tools", query="weather forecast"),
        call("search_tools", query="museums map"),
        call("weather_forecast", city=CITIES[0]),
        "done",
    ]
    run, model = run_of(steps, [plain, many()])
    first, second, third, fourth = offered(model)
    assert first == ["plain", *FINDERS]
    assert second[: len(first)] == first
    assert third[: len(second)] == second
    assert fourth == third
    assert "weather_forecast" in second
    assert "museums_map" in third
    assert run.calls[-1].value == "forecast of weather in Oslo for 3 days"


def test_through_the_bridge_what_is_offered_never_changes() -> None:
    steps = [
        call("search_tools", query="weather forecast"),
        call("describe_tools", names=["weather_forecast"]),
        call("call_tool", name="weather_forecast", arguments={"city": "Rome"}),
        "done",
    ]
    run, model = run_of(steps, [plain, many(found="bridge")])
    assert offered(model) == [["plain", *BRIDGE]] * 4
    definition = json.loads(told(run, 1))
    assert definition["name"] == "weather_forecast"
    assert definition["parameters"]["required"] == ["city"]
    assert run.calls[-1].value == "forecast of weather in Rome for 3 days"


@pytest.mark.parametrize("arguments", [{"city": "Rome", "days": 2}, '{"city": "Rome", "days": 2}'])
def test_a_call_through_the_bridge_is_the_tools_own(arguments: object) -> None:
    bridged = call("call_tool", name="weather_forecast", arguments=arguments)
    run, _ = run_of([bridged, "done"], [many(found="bridge")])
    (made,) = run.calls
    assert (made.name, made.arguments) == ("weather_forecast", {"city": "Rome", "days": 2})
    events = [event for event in run.events if getattr(event, "tool_call_id", None) == bridged.id]
    assert {getattr(event, "tool_name", None) for event in events} == {"weather_forecast"}
    assert 'weather_forecast(city="Rome", days=2)' in str(run.tree())


@pytest.mark.parametrize("found", WAYS)
@pytest.mark.parametrize("is_allowed", [True, False])
def test_a_person_is_asked_about_what_would_run(found: str, *, is_allowed: bool) -> None:
    done: list[str] = []
    asked: list[Await] = []

    def answer(question: Await) -> Answer:
        asked.append(question)
        return Answer(action="approve" if is_allowed else "deny")

    step = call("call_tool", name="wipe", arguments={"path": "a/b"})
    run, _ = run_of([step, "done"], [many(done, found=found)], on_await=answer)
    (question,) = asked
    assert question.tool_name == "wipe"
    assert question.arguments == {"path": "a/b", "deep": False}
    assert done == (["wipe a/b False"] if is_allowed else [])
    assert [(one.name, one.status) for one in run.calls] == [
        ("wipe", "done" if is_allowed else "denied")
    ]


def test_what_a_person_changes_is_what_runs() -> None:
    done: list[str] = []

    def answer(_: Await) -> Answer:
        return Answer(action="approve", arguments={"path": "y", "deep": True})

    step = call("call_tool", name="wipe", arguments={"path": "x"})
    run, _ = run_of([step, "done"], [many(done, found="bridge")], on_await=answer)
    assert done == ["wipe y True"]
    assert run.calls[0].arguments == {"path": "y", "deep": True}


@pytest.mark.parametrize("found", WAYS)
def test_a_deferred_tool_is_called_by_its_right_name_at_once(found: str) -> None:
    steps = [call("tides_map", city="Oslo"), "done"]
    run, model = run_of(steps, [many(found=found)])
    assert run.calls[0].value == "map of tides in Oslo for 3 days"
    assert offered(model)[1] == ([*FINDERS, "tides_map"] if found == "append" else BRIDGE)


@pytest.mark.parametrize("found", WAYS)
@pytest.mark.parametrize("way", ["itself", "bridge"])
def test_an_unknown_name_is_answered_with_close_ones_and_the_search(found: str, way: str) -> None:
    wrong = {
        "itself": call("wether_forecast", city="Oslo"),
        "bridge": call("call_tool", name="wether_forecast", arguments={"city": "Oslo"}),
    }
    run, _ = run_of([wrong[way], "done"], [many(found=found)])
    assert run.calls[0].status == "failed"
    assert "'wether_forecast'" in told(run)
    assert "weather_forecast" in told(run)
    assert "search_tools" in told(run)


def test_an_unknown_name_among_tools_that_are_offered_anyway_names_those() -> None:
    run, _ = run_of([call("plan", number=1), "done"], [many(), plain])
    assert "plain" in told(run)


@pytest.mark.parametrize("name", ["getPetById", "GETPETBYID", "functions.pet_store__getpetbyid"])
def test_a_shortened_name_is_completed(name: str) -> None:
    catalogue = nba.Catalogue(RENAMED, defer="always")
    (whole,) = catalogue.names
    assert whole != name
    run, _ = run_of([call(name, id=1), "done"], [catalogue])
    assert run.calls[0].name == whole


def test_a_shortened_name_of_two_tools_means_none_of_them() -> None:
    catalogue = nba.Catalogue(RENAMED, {**RENAMED, "tool": "Pet Shop"}, defer="always")
    run, _ = run_of([call("getPetById", id=1), "done"], [catalogue])
    assert run.calls[0].status == "failed"
    assert all(name in told(run) for name in catalogue.names)


@pytest.mark.parametrize("found", WAYS)
def test_an_exact_name_is_found_first(found: str) -> None:
    for name in ("weather_forecast", "wipe"):
        run, _ = run_of([call("search_tools", query=name), "done"], [many(found=found)])
        assert told(run).startswith(name)


def test_names_can_be_selected() -> None:
    steps = [call("search_tools", query="select:tides_map,news_past"), "done"]
    run, model = run_of(steps, [many()])
    assert [line.partition(":")[0] for line in told(run).splitlines()[:2]] == [
        "tides_map",
        "news_past",
    ]
    assert offered(model)[1] == [*FINDERS, "tides_map", "news_past"]


@pytest.mark.parametrize("found", WAYS)
def test_a_search_for_what_is_not_there_finds_nothing_and_says_what_to_do(found: str) -> None:
    run, model = run_of([call("search_tools", query="Zyxwvut"), "done"], [many(found=found)])
    assert run.calls[0].status == "done"
    assert not any(f"{name}_" in told(run) for name in TOPICS)
    assert told(run)
    assert offered(model)[0] == offered(model)[1]


def test_a_search_for_a_loaded_tool_says_that_it_is_there() -> None:
    search = [call("search_tools", query="weather forecast") for _ in range(2)]
    run, model = run_of([*search, "done"], [many()])
    assert "already there" not in told(run, 0)
    assert "weather_forecast" in told(run, 1)
    assert "already there: call it" in told(run, 1)
    assert offered(model)[2][: len(offered(model)[1])] == offered(model)[1]


@pytest.mark.parametrize("query", ["plain", "Plain", "is there a plain tool"])
def test_a_search_for_a_plain_tool_says_that_it_is_there(query: str) -> None:
    run, _ = run_of([call("search_tools", query=query), "done"], [many(), plain])
    assert "plain is already there: call it" in told(run)


def test_a_plain_tool_called_through_the_bridge_is_called_itself() -> None:
    step = call("call_tool", name="plain", arguments={"number": 1})
    run, _ = run_of([step, "done"], [many(found="bridge"), plain])
    assert (run.calls[0].name, run.calls[0].value) == ("plain", 2)


@pytest.mark.parametrize(
    "arguments", ["[]", "{", "{}", '{"name": 7}', '{"name": "call_tool"}', '{"name": ""}']
)
def test_a_bridge_to_nowhere_fails_and_the_run_goes_on(arguments: str) -> None:
    step = nba.CallRequest(id="a", name="call_tool", arguments=arguments)
    run, _ = run_of([step, "done"], [many(found="bridge")])
    assert [(one.name, one.status) for one in run.calls] == [("call_tool", "failed")]
    assert run.text == "done"


def test_arguments_that_do_not_fit_are_told_as_the_tools_own() -> None:
    step = call("call_tool", name="weather_forecast", arguments={"town": "Oslo"})
    run, _ = run_of([step, "done"], [many(found="bridge")])
    assert run.calls[0].name == "weather_forecast"
    assert "'weather_forecast'" in told(run)
    assert "city" in told(run)


@pytest.mark.parametrize("found", WAYS)
def test_limits_count_calls_as_they_count_others(found: str) -> None:
    bridged = [
        call("call_tool", name="weather_forecast", arguments={"city": city}) for city in CITIES
    ]
    run, _ = run_of([bridged, "done"], [many(found=found)], max_calls=1)
    assert [one.status for one in run.calls] == ["done", "skipped"]
    assert {one.name for one in run.calls} == {"weather_forecast"}


def test_tags_hold_for_what_is_found() -> None:
    def pay(amount: int) -> str:
        """Pay."""
        return f"paid {amount}"

    paying = Tool(pay, ToolOptions(tags=("money",)))
    catalogue = nba.Catalogue(paying, plain, defer="always")
    steps = [call("search_tools", query="pay"), call("pay", amount=1), "done"]
    run, _ = run_of(steps, [catalogue], deny_tags=["money"])
    assert not told(run, 0).startswith("pay")
    assert run.calls[1].status == "failed"


@pytest.mark.parametrize("found", WAYS)
def test_a_filter_holds_for_what_is_called_by_its_name(found: str) -> None:
    def keeps(_: nba.StepContext, tool: nba.Tool) -> bool:
        return tool.name != "tides_map"

    steps = [call("tides_map", city="Oslo"), call("tides_past", city="Oslo"), "done"]
    run, model = run_of(steps, [many(found=found)], tool_filter=keeps)
    assert [one.status for one in run.calls] == ["failed", "done"]
    assert not any("tides_map" in names for names in offered(model))


def test_what_is_asked_at_each_step_is_asked_of_found_tools() -> None:
    heard: list[str] = []

    def enabled(_: nba.Context, agent: Any) -> bool:
        heard.append(agent.name)
        return False

    secret = Tool(plain, ToolOptions(enabled=enabled))
    run, model = run_of([call("plain", number=1), "done"], [nba.Catalogue(secret, defer="always")])
    assert run.calls[0].status == "failed"
    assert set(heard) == {"finder"}
    assert offered(model)[1] == FINDERS


def test_the_log_says_what_was_offered_and_with_what_schemas() -> None:
    run, model = run_of(
        [call("search_tools", query="weather forecast"), "done"], [many()], max_steps=3
    )
    first, second = run.tree()["runs"][run.id]["requests"]
    assert first["schemas"] is not None
    assert second["schemas"] is not None
    assert [one["name"] for one in second["schemas"]] == offered(model)[1]


def test_the_table_of_a_search_says_which_words_matched() -> None:
    run, _ = run_of([call("search_tools", query="weather forecast"), "done"], [many()])
    (node,) = run.tree()["runs"][run.id]["calls"].values()
    (shown,) = node["payloads"]
    value = shown["payload"]["value"]
    row = dict(zip(value["columns"], value["rows"][0], strict=True))
    assert row["name"] == "weather_forecast"
    assert row["loaded"] is True
    assert row["score"] > 0
    assert "weather" in row["matched"]


def test_looking_is_not_asked_about_where_all_calls_are() -> None:
    asked: list[str] = []

    def answer(question: Await) -> Answer:
        asked.append(question.tool_name or "")
        return Answer(action="approve")

    steps = [call("search_tools", query="weather forecast"), call("plain", number=1), "done"]
    run_of(steps, [many(), plain], approval="ask", on_await=answer)
    assert asked == ["plain"]


def test_the_first_result_that_ends_a_run_is_no_search() -> None:
    steps = [call("search_tools", query="weather forecast"), call("weather_forecast", city="Oslo")]
    run, _ = run_of(steps, [many()], tool_use="stop_on_first")
    assert run.text == "forecast of weather in Oslo for 3 days"


def test_an_agent_may_name_deferred_tools_itself() -> None:
    run, model = run_of(
        [call("weather_forecast", city="Oslo"), call("tides_map", city="Oslo")],
        [many()],
        tool_choice="weather_forecast",
        tool_use=nba.StopAt("tides_map"),
    )
    assert offered(model)[0] == [*FINDERS, "weather_forecast", "tides_map"]
    assert model.requests[0].tool_choice == "weather_forecast"
    assert run.text == "map of tides in Oslo for 3 days"


@pytest.mark.parametrize("found", WAYS)
def test_the_call_at_a_limit_may_be_of_a_deferred_tool(found: str) -> None:
    run, _ = run_of(
        [call("plain", number=1)],
        [many(found=found), plain],
        max_steps=1,
        on_limit=nba.FinalCall("weather_forecast", {"city": "Oslo"}),
    )
    assert run.text == "forecast of weather in Oslo for 3 days"
    assert run.status == "limit"


def test_an_empty_query_lists_what_there_is() -> None:
    steps = [
        call("search_tools", query="", category=None),
        call("search_tools", query="", category="Python"),
        call("search_tools", query="", category="Nothing"),
        "done",
    ]
    run, _ = run_of(steps, [many()])
    assert "Python" in told(run, 0)
    assert [one.status for one in run.calls] == ["done", "done", "failed"]
    assert "Python" in told(run, 2)


def test_several_catalogues_are_one_shelf() -> None:
    left = nba.Catalogue(*[topic("weather", kind, []) for kind in KINDS], defer="always")
    right = nba.Catalogue(*[topic("tides", kind, []) for kind in KINDS], defer="always")
    steps = [call("search_tools", query="map of the tides"), call("weather_map", city="Oslo"), "."]
    run, _ = run_of(steps, [left, right])
    assert told(run, 0).startswith("tides_map")
    assert run.calls[1].status == "done"


def test_no_more_tools_are_offered_than_providers_take() -> None:
    tools = [topic(f"topic{number}", "map", []) for number in range(100)]
    names = [tool.name for tool in tools]
    steps = [
        call(names[0], city="Oslo"),
        *[call("describe_tools", names=names[at : at + 10]) for at in range(0, 100, 10)],
        "done",
    ]
    _, model = run_of(steps, [nba.Catalogue(*tools)], max_steps=20)
    last = offered(model)[-1]
    assert len(last) <= len(FINDERS) + 64
    assert last[len(FINDERS)] == names[0]  # it was called
    assert last[-10:] == names[90:]


def test_two_catalogues_that_call_different_tools_alike_are_refused() -> None:
    def first(city: str) -> str:
        "The first."
        return city

    def second(city: str) -> str:
        "The second."
        return city

    one = nba.Catalogue(nba.tool(name="same")(first), defer="always", cache=False)
    other = nba.Catalogue(nba.tool(name="same")(second), defer="always", cache=False)
    with pytest.raises(nba.ToolDefinitionError, match=r"Two catalogues .* 'same'"):
        run_of(["done"], [one, other])
    again = nba.Catalogue(one.tool_of("same"), defer="always", cache=False)
    run, _ = run_of(["done"], [one, again])
    assert run.text == "done"
