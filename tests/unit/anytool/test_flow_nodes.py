"""ApiFlow: six functions in a fixed order, each a call that can be read, replaced and resumed."""

from __future__ import annotations

from typing import Any

import pytest

import nbagents as nba
from nbagents.anytool.flow import NODES
from nbagents.models.scripted import call

CALLED: list[Any] = []


def forecast(city: str, days: int = 1) -> str:
    """Tell the weather in a city for some days."""
    CALLED.append((city, days))
    return f"Sun in {city} for {days} days."


def play(song: str) -> str:
    """Play a song."""
    CALLED.append(song)
    return f"Playing {song}."


@nba.Tool
def forget(city: str) -> str:
    """Forget a city for ever."""
    CALLED.append(("forgot", city))
    return "Forgotten."


@pytest.fixture(autouse=True)
def _nothing_called() -> None:
    CALLED.clear()


def world() -> nba.Catalogue:
    catalogue = nba.Catalogue()
    catalogue.add(forecast, category="Weather")
    catalogue.add(play, category="Music")
    return catalogue


def oslo(question: nba.Await) -> dict[str, Any]:
    assert question.kind == "clarification"
    return {"city": "Oslo"}


def scripted(*steps: Any, **options: Any) -> nba.ApiFlow:
    return nba.ApiFlow(world(), nba.ScriptedModel(list(steps)), **options)


def nodes_of(run: nba.Run) -> list[str]:
    return [one.name for one in run.calls]


def test_a_request_goes_through_its_nodes_and_is_made() -> None:
    flow = scripted(
        call("choose", names=["Weather"]),
        call("choose", names=["forecast"]),
        call("forecast", city="Oslo", days=2),
    )
    run = flow.run("Weather in Oslo, two days", log="memory")
    assert nodes_of(run) == [one for one in NODES if one != "ask_missing"]
    assert (run.text, CALLED) == ("Sun in Oslo for 2 days.", [("Oslo", 2)])
    known: Any = run.calls[3].arguments
    assert known["api"] == "forecast"
    assert run.usage.requests == 3


def test_the_offline_model_goes_by_scores_and_says_what_it_is() -> None:
    run = nba.ApiFlow(world(), "offline").run("Weather in Oslo for 3 days?", log="memory")
    assert CALLED == [("Oslo", 3)]
    assert run.text.startswith("Sun in Oslo for 3 days.")
    assert "no language model" in run.text
    printed = str(run.tree())
    assert "extract_category" in printed


def test_what_is_missing_is_asked_for_by_the_form_and_the_request_is_made() -> None:
    asked: list[Any] = []

    def answer(question: nba.Await) -> dict[str, Any]:
        asked.append((question.kind, question.missing_fields, question.arguments, question.form))
        return {"city": "Rome"}

    flow = scripted(
        call("choose", names=["Weather"]),
        call("choose", names=["forecast"]),
        call("forecast", days=3),
        on_await=answer,
    )
    run = flow.run("Weather for three days", log="memory")
    assert nodes_of(run) == list(NODES)
    ((kind, missing, arguments, form),) = asked
    assert (kind, missing, arguments) == ("clarification", ("city",), {"days": 3})
    assert (
        form["properties"] == {"city": {"type": "string", "title": "City"}}
        or form["properties"]["city"]["type"] == "string"
    )
    assert CALLED == [("Rome", 3)]


def test_a_suspended_flow_goes_on_with_the_answer_and_does_nothing_twice() -> None:
    flow = scripted(
        call("choose", names=["Weather"]),
        call("choose", names=["forecast"]),
        call("forecast", days=3),
        on_await="suspend",
    )
    run = flow.run("Weather for three days", log="memory")
    assert run.status == "suspended"
    done = flow.resume(run, answer={"city": "Rome"})
    assert done.text == "Sun in Rome for 3 days."
    assert nodes_of(done) == ["ask_missing", "execute_request"]


def test_where_nobody_gives_it_no_request_is_made() -> None:
    flow = scripted(
        call("choose", names=["Weather"]),
        call("choose", names=["forecast"]),
        call("forecast"),
        on_await="deny",
    )
    run = flow.run("Weather", log="memory")
    assert CALLED == []
    assert "needs city, and nobody gave that" in run.text
    assert "did not use" in run.summary


def test_values_that_do_not_fit_are_asked_for_and_unknown_ones_left_out() -> None:
    flow = nba.ApiFlow(world(), "offline", on_await=oslo)
    flow.nodes["select_api"] = lambda: "forecast"
    flow.nodes["extract_parameters"] = lambda: {"city": ["no"], "days": "2", "wind": 1}
    run = flow.run("weather", log="memory")
    assert CALLED == [("Oslo", 2)]
    read = run.calls[3].value
    assert read["missing"] == ["city"]
    assert set(read["left_out"]) == {"city", "wind"}


def test_each_node_can_be_replaced_by_any_kind_of_function() -> None:
    flow = nba.ApiFlow(world(), "offline")

    async def categories(query: str) -> str:
        return "Music" if "song" in query else "Weather"

    def parameters(state: dict[str, Any]) -> dict[str, Any]:
        assert state["api"] == "play"
        return {"parameters": {"song": state["query"]}}

    def execute(ctx: nba.Context, api: str, parameters: dict[str, Any], **_: Any) -> str:
        return f"{ctx.tool_name}: {api} {parameters['song']}"

    flow.nodes["extract_category"] = categories

    def apis(catalogue: nba.Catalogue, categories: list[str]) -> object:
        return catalogue.search("play a song", category=categories[0])

    def select(s: dict[str, Any]) -> dict[str, Any]:
        return {"api": s["apis"][0]}

    flow.nodes["get_apis"] = apis
    flow.nodes["select_api"] = select
    flow.nodes["extract_parameters"] = parameters
    flow.nodes["execute_request"] = execute
    run = flow.run("a song", log="memory")
    assert run.text.startswith("execute_request: play a song")
    del flow.nodes["execute_request"]
    assert flow.run("a song", log="memory").text.startswith("Playing a song.")


def test_a_node_that_is_none_is_refused_when_it_is_given() -> None:
    flow = nba.ApiFlow(world(), "offline")

    def wishes(query: str, wishes: str) -> str:
        return query + wishes

    with pytest.raises(ValueError, match=r"no node 'select'.*select_api"):
        flow.nodes["select"] = lambda: "x"
    with pytest.raises(ValueError, match="takes 'wishes'"):
        flow.nodes["select_api"] = wishes
    with pytest.raises(ValueError, match="give a function"):
        flow.nodes["select_api"] = "forecast"  # pyright: ignore[reportArgumentType]
    assert list(flow.nodes) == list(NODES)
    assert len(flow.nodes) == 6


@pytest.mark.parametrize(
    ("node", "value", "said"),
    [
        ("select_api", "forcast", "no API 'forcast'. Did you mean 'forecast'"),
        ("select_api", 7, "must give names"),
        ("extract_parameters", "Oslo", "as a dictionary"),
        ("get_apis", [], "No API of the catalogue serves this."),
        ("select_api", None, "No API of the catalogue serves this."),
    ],
)
def test_a_node_that_gives_nothing_usable_ends_the_flow_with_words(
    node: str, value: object, said: str
) -> None:
    flow = nba.ApiFlow(world(), "offline")
    flow.nodes[node] = lambda: value
    run = flow.run("the weather in Oslo", log="memory")
    assert said in run.text
    assert CALLED == []
    assert run.status == "completed"
    assert "did not use" in run.summary


def test_a_node_that_raises_ends_the_flow_and_says_where() -> None:
    flow = nba.ApiFlow(world(), "offline")

    def broken() -> None:
        raise LookupError("the shelf is empty")

    flow.nodes["get_apis"] = broken
    run = flow.run("the weather in Oslo", log="memory")
    assert "get_apis did not end well" in run.text
    assert "the shelf is empty" in run.text


def test_a_model_that_names_what_is_not_there_is_told_and_may_correct_it() -> None:
    flow = scripted(
        call("choose", names=["Wether"]),
        call("choose", names=["Weather"]),
        "I would take forecast.",
        "No idea.",
        on_await=oslo,
    )
    flow.run("Weather", log="memory")
    assert CALLED == [("Oslo", 1)]


def test_what_may_do_harm_is_asked_about_before() -> None:
    catalogue = nba.Catalogue(forget.with_options(nba.ToolOptions(destructive=True)))
    seen: list[str] = []

    def no(question: nba.Await) -> bool:
        seen.append(question.kind)
        return False

    flow = nba.ApiFlow(catalogue, "offline", on_await=no)
    flow.nodes["extract_parameters"] = lambda: {"city": "Oslo"}
    run = flow.run("forget Oslo", log="memory")
    assert seen == ["confirmation"]
    assert CALLED == []
    assert "execute_request did not end well" in run.text


def test_an_empty_request_is_refused() -> None:
    with pytest.raises(ValueError, match="say what you want"):
        nba.ApiFlow(world(), "offline").run("  ")


def test_an_agent_may_have_a_flow_among_its_tools() -> None:
    flow = nba.ApiFlow(world(), "offline")
    model = nba.ScriptedModel([call("apiflow", request="Weather in Oslo"), "Sunny."])
    run = nba.Agent("boss", tools=[flow], model=model).run("How is it in Oslo?", log="memory")
    assert CALLED == [("Oslo", 1)]
    assert (run.calls[0].content or "").startswith("Sun in Oslo")


def test_a_flow_inside_of_a_suspended_agent_goes_on_where_it_was() -> None:
    flow = nba.ApiFlow(world(), "offline")
    script = [call("apiflow", request="The weather, please"), "Sunny."]
    agent = nba.Agent("boss", tools=[flow], model=nba.ScriptedModel(script), on_await="suspend")
    run = agent.run("How is the weather?", log="memory")
    assert run.status == "suspended"
    done = agent.resume(run, answer={"city": "Rome"})
    assert CALLED == [("Rome", 1)]
    assert done.text == "Sunny."
