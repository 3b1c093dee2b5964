"""AnyTool: a pool that a search seeds and agents fill, a solver, and what they say of it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.anytool.finding import AnyTool, AnyToolRun
from nbagents.models.scripted import ScriptedModel, call
from nbagents.recordings import recording
from nbagents.results import Usage
from nbagents.runs.logs import MemoryLog
from nbagents.runs.state import Session
from tests.unit.anytool.world import ANSWER, FINISH, GIVE_UP, Cast, catalogue, key, once, told


def payload(run: Any) -> Any:
    nodes = [
        one["payload"]
        for item in run.tree()["runs"][run.id]["calls"].values()
        for one in item["payloads"]
    ]
    return nodes[-1]["value"]


def test_the_search_seeds_the_pool_and_the_solver_answers() -> None:
    model = Cast(solver=ANSWER)
    run = AnyTool(catalogue(), model, seed=4).run("get weather 3", log="memory")
    assert (run.text, run.is_solved, run.status) == ("It is done.", True, "completed")
    assert len(run.pool) == 4
    assert run.pool[0] == "weather3__get"
    assert run.usage.requests == 1  # the program that leads asks nobody
    offered = {one.name for one in model.asked("solver")[0].tools}
    assert offered == {*run.pool, "Finish"}


def test_on_give_up_agents_search_as_runs_inside_and_the_solver_goes_on() -> None:
    wanted = key("Music", "Music2", "count")
    model = Cast(
        solver=once(GIVE_UP, then=ANSWER),
        meta=once([call("create_agent_category_level", category="Music")]),
        tool=once([call("add_apis_into_api_pool", apis=[wanted])]),
    )
    run = AnyTool(catalogue(), model, seed=2).run("get weather", log="memory")
    assert run.is_solved
    assert "music2__count" in run.pool
    names = [child.agent_name for child in run.children]
    assert names == ["solver", "meta agent", "solver"]
    (inside,) = run.children[1].children
    assert inside.agent_name == "tool agent: Music0, Music1, Music2"
    shown = payload(run)
    assert [(one["name"], one["by"], one["round"]) for one in shown["apis"]][-1] == (
        "music2__count",
        inside.agent_name,
        1,
    )
    assert (shown["size"], shown["seed"], shown["round"]) == (64, 2, 1)
    again = model.asked("solver")[1]
    assert "new are music2__count" in told(again.messages[-1])
    assert any(one.role == "assistant" for one in again.messages)  # it knows what it did


def test_the_published_form_begins_with_the_agents() -> None:
    model = Cast(
        solver=ANSWER,
        meta=once([call("create_agent_category_level", category="Weather")]),
        category=once(
            [call("create_agent_tool_level", category="Weather", tools=["Weather1", "Weather7"])]
        ),
        tool=once([call("add_apis_into_api_pool", apis=[key("Weather", "Weather7", "list")])]),
    )
    run = AnyTool(catalogue(), model, seed=0).run("weather", log="memory")
    assert [one.name for one in run.calls] == ["find_apis", "solve_request"]
    assert run.pool == ("weather7__list",)
    assert [role for role, _ in model.requests] == [
        *("meta", "category", "tool", "tool", "category", "meta", "solver")
    ]


def test_all_agents_finished_and_still_no_answer_is_said() -> None:
    run = AnyTool(catalogue(), Cast(solver=GIVE_UP, meta=FINISH), seed=2).run("x get", log="memory")
    assert run.text == (
        "Not answered, after 1 round. More is needed. No agent is left that would find more."
    )
    assert not run.is_solved
    assert "did not use" in run.summary


@pytest.mark.parametrize("query", ["weather in Oslo", "get weather 3", "nothing of the kind"])
def test_the_offline_model_ends_honestly(query: str) -> None:
    run = AnyTool(catalogue(), "offline", seed=3).run(query, log="memory")
    assert run.status == "completed"
    assert not run.is_solved
    assert "no language model" in run.text


def test_an_agent_may_have_it_among_its_tools_and_a_budget_above_it() -> None:
    inner = Cast(Usage(input_tokens=400, requests=1), solver=ANSWER)
    script = [call("anytool", request="get weather"), "So it is."]
    agent = Agent("boss", tools=[AnyTool(catalogue(), inner, seed=2)], model=ScriptedModel(script))
    run = agent.run("What is the weather?", log="memory")
    assert run.calls[0].content == "It is done."
    (child,) = run.children
    assert isinstance(child, AnyToolRun)
    assert (len(child.pool), child.is_solved) == (2, True)
    assert run.usage.input_tokens == 400


def test_below_a_run_that_may_be_suspended_it_says_that_it_cannot() -> None:
    script = [call("anytool", request="get weather"), "So not."]
    agent = Agent(
        "boss",
        tools=[AnyTool(catalogue(), Cast(solver=ANSWER))],
        model=ScriptedModel(script),
        on_await="suspend",
    )
    run = agent.run("What is the weather?", log="memory")
    assert "cannot be suspended" in (run.calls[0].content or "")


def test_a_run_can_be_followed_and_read_again() -> None:
    async def followed() -> list[Any]:
        anytool = AnyTool(catalogue(), Cast(solver=ANSWER), seed=2)
        return [event async for event in anytool.stream("get weather", log="memory")]

    events = asyncio.run(followed())
    pools = [one for one in events if one.type == "tool_data"]
    assert pools[-1].payload.kind == "apiPool"
    again: Any = AnyToolRun.recalled(Session(MemoryLog()), events[0].run_id, events)
    assert len(again.pool) == 2
    assert again.text == "It is done."


def test_in_the_background_it_ends_as_it_does_otherwise() -> None:
    run = AnyTool(catalogue(), Cast(solver=ANSWER), seed=2).start("get weather", log="memory")
    assert run.wait(60) is run
    assert run.text == "It is done."


def test_a_recorded_hunt_is_replayed_without_a_model(tmp_path: Path) -> None:
    path = tmp_path / "hunt.recording.jsonl"
    model = Cast(solver=ANSWER)
    with recording(path, "extend"):
        first = AnyTool(catalogue(), model, seed=4).run("get weather 3", log="memory")
    with recording(path):
        again = AnyTool(catalogue(), seed=4).run("get weather 3", log="memory")
    assert (again.text, again.pool, again.is_solved) == (first.text, first.pool, True)
    assert again.replayed is not None
    assert again.replayed.is_whole
