"""An agent as a tool of another one: a run of its own, linked to the call."""

from __future__ import annotations

import asyncio
import json
import time
import warnings
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel, model_validator

import nbagents as nba
from nbagents.agents import Agent
from nbagents.agents.specification.agent_tool import tool_name_of
from nbagents.messages import UserMessage
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.state.run.run import Run
from tests.unit.runs.desk import double, request, turn


def helper(*steps: Any, **options: Any) -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(steps)
    return Agent("Weather Agent", "You know the weather.\nBe brief.", model=model, **options), model


def boss(call: Any, tools: list[Any], **options: Any) -> Run:
    model = ScriptedModel([turn(call), turn(text="Done.")])
    return Agent("boss", tools=tools, model=model, **options).run("Go", log="memory")


def prompt_of(model: ScriptedModel) -> str:
    said = [one for one in model.requests[0].messages if isinstance(one, UserMessage)]
    return said[0].text


@pytest.mark.parametrize(
    ("name", "derived"),
    [("Weather Agent", "weather_agent"), ("planner", "planner"), ("A\tB", "a_b"), ("X2_y", "x2_y")],
)
def test_its_name_is_that_of_the_agent(name: str, derived: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tool_name_of(name) == derived


def test_a_name_with_other_characters_is_changed_with_a_warning() -> None:
    with pytest.warns(UserWarning, match=r"'Häuser-Bot' is called 'h_user_bot' as a tool"):
        assert Agent("Häuser-Bot").as_tool().name == "h_user_bot"


def test_what_models_are_told_of_it() -> None:
    tool = helper()[0].as_tool()
    assert tool.description == "You know the weather."
    assert tool.parameters["required"] == ["input"]
    assert Agent("x").as_tool().description == "Ask 'x'."
    named = helper()[0].as_tool("ask", "Ask about the weather.")
    assert (named.name, named.description) == ("ask", "Ask about the weather.")


def test_an_agent_among_the_tools_is_its_tool() -> None:
    agent, model = helper("It rains.")
    run = boss(request("c1", "weather_agent", input="Oslo?"), [agent])
    (call,) = run.calls
    assert (call.status, call.content, call.value) == ("done", "It rains.", "It rains.")
    assert prompt_of(model) == "Oslo?"
    (child,) = run.children
    (link,) = call.run_links
    assert (link.run_id, link.agent_name) == (child.id, "Weather Agent")
    assert (link.parent_run_id, link.parent_tool_call_id) == (run.id, "c1")
    assert run.tree()["runs"][child.id]["parent_tool_call_id"] == "c1"
    linked = [event for event in run.events if event.type == "child_run_linked"]
    assert [event.child_run_id for event in linked] == [child.id]


def test_an_agent_may_be_in_a_toolset() -> None:
    agent, _ = helper("It rains.")
    tools = nba.toolset_of("sky", [agent, double])
    assert [tool.name for tool in tools.tools()] == ["sky--weather_agent", "sky--double"]
    assert [tool.name for tool in nba.toolset_of("sky", agent).tools()] == ["sky--weather_agent"]


class Trip(BaseModel):
    city: str
    days: int = 1

    @model_validator(mode="after")
    def _no_more_than_a_week(self) -> Trip:
        if self.days > 7:
            raise ValueError("a week at most")
        return self


@dataclass
class Place:
    city: str
    days: int = 1


@pytest.mark.parametrize("kind", [Trip, Place])
def test_a_structured_input_is_told_in_words_and_kept_as_a_value(kind: Any) -> None:
    seen: list[object] = []

    def look(ctx: nba.Context) -> str:
        """Look."""
        seen.append(ctx.tool_input)
        return "seen"

    agent, model = helper(turn(request("x", "look")), turn(text="Rain."), tools=[look])
    run = boss(
        request("c1", "weather_agent", city="Oslo", days=3), [agent.as_tool(parameters=kind)]
    )
    assert run.calls[0].content == "Rain."
    assert prompt_of(model) == "city: Oslo\ndays: 3"
    assert seen == [kind(city="Oslo", days=3)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [({"days": 3}, "city"), ({"city": "Oslo", "days": 30}, "a week at most")],
)
def test_an_input_that_does_not_fit_is_for_the_caller_to_correct(
    arguments: dict[str, Any], said: str
) -> None:
    agent, model = helper()
    run = boss(request("c1", "weather_agent", **arguments), [agent.as_tool(parameters=Trip)])
    failure = run.calls[0].failure
    assert failure is not None
    assert (failure.kind, failure.recovery) == ("invalid_call", "correct_call")
    assert said in failure.message
    assert model.requests == []
    assert run.children == ()


def test_parameters_that_are_no_object_are_an_error() -> None:
    with pytest.raises(nba.ToolDefinitionError, match="give a pydantic model or a dataclass"):
        helper()[0].as_tool(parameters=int)


def test_the_prompt_may_be_made_of_the_input() -> None:
    agent, model = helper("Rain.")
    tool = agent.as_tool(parameters=Trip, prompt=lambda trip: f"Weather of {trip.city}?")
    boss(request("c1", "weather_agent", city="Oslo"), [tool])
    assert prompt_of(model) == "Weather of Oslo?"


def test_the_schema_may_be_told_with_the_input() -> None:
    agent, model = helper("Rain.")
    tool = agent.as_tool(parameters=Trip, include_schema=True)
    boss(request("c1", "weather_agent", city="Oslo"), [tool])
    text, _, schema = prompt_of(model).partition("\n\nThe input has this JSON Schema:\n")
    assert text == "city: Oslo\ndays: 1"
    assert set(json.loads(schema)["properties"]) == {"city", "days"}


def test_an_answer_with_a_type_is_the_value_of_the_call() -> None:
    agent, _ = helper('{"city": "Oslo", "days": 2}')
    run = boss(request("c1", "weather_agent", input="Where?"), [agent.as_tool(output=Trip)])
    (call,) = run.calls
    assert call.value == Trip(city="Oslo", days=2)
    assert json.loads(call.content or "") == {"city": "Oslo", "days": 2}


def test_without_a_last_word_the_last_text_or_result_is_the_answer() -> None:
    shouting = nba.Tool(lambda: "from the tool", nba.ToolOptions(name="look", description="Look"))
    step = turn(request("x", "look"))
    spoken = turn(request("x", "look"), text="On my way.")
    silent, _ = helper(step, turn(text=""), tools=[shouting])
    said, _ = helper(spoken, turn(text=""), tools=[shouting])
    assert (
        boss(request("c", "weather_agent", input="?"), [silent]).calls[0].value == "from the tool"
    )
    assert boss(request("c", "weather_agent", input="?"), [said]).calls[0].value == "On my way."


def test_the_result_may_be_taken_from_the_run() -> None:
    agent, _ = helper(turn(request("x", "double", number=4)), turn(text="ok"), tools=[double])
    tool = agent.as_tool(extract=lambda run: run.calls[0].value)
    assert boss(request("c1", "weather_agent", input="?"), [tool]).calls[0].value == 8


def test_limits_may_be_others_than_the_agent_s_own() -> None:
    steps = [turn(request("x", "double", number=4)), turn(text="So far.")]
    agent, model = helper(*steps, tools=[double])
    run = boss(request("c1", "weather_agent", input="?"), [agent.as_tool(max_steps=1)])
    assert (run.children[0].status, run.calls[0].value) == ("limit", "So far.")
    assert model.requests[1].tool_choice == "none"


def test_what_goes_wrong_inside_is_told_as_with_any_tool() -> None:
    agent, _ = helper(nba.ModelError("no network"))
    run = boss(request("c1", "weather_agent", input="?"), [agent])
    assert (run.status, run.calls[0].status) == ("completed", "failed")
    assert "no network" in (run.calls[0].content or "")
    assert run.children[0].status == "failed"
    again, _ = helper(nba.ModelError("no network"))
    with pytest.raises(nba.ModelError, match="no network"):
        boss(request("c1", "weather_agent", input="?"), [again.as_tool(on_error=None)])


def test_a_person_may_have_to_allow_it() -> None:
    def costly(ctx: nba.Context, arguments: dict[str, Any]) -> bool:
        return "all" in arguments["input"]

    agent, _ = helper("Rain.")
    tool = agent.as_tool(needs_approval=costly)
    few = boss(request("c1", "weather_agent", input="one"), [tool], on_await="deny")
    assert few.calls[0].status == "done"
    many = boss(request("c1", "weather_agent", input="all"), [tool], on_await="deny")
    assert (many.calls[0].status, many.children) == ("denied", ())


def test_what_is_not_enabled_is_not_offered() -> None:
    model = ScriptedModel(["Hello."])
    tool = helper()[0].as_tool(enabled=False)
    Agent("boss", tools=[tool], model=model).run("Hi", log="memory")
    assert model.requests[0].tools == ()


def test_children_draw_on_the_limits_of_the_run_above() -> None:
    steps = [turn(request(f"x{n}", "double", number=n)) for n in range(5)]
    agent, _ = helper(*steps, tools=[double])
    model = ScriptedModel([turn(request("c1", "weather_agent", input="?")), turn(text="Stop.")])
    run = Agent("boss", tools=[agent], model=model, max_calls=3).run("Go", log="memory")
    assert (run.status, run.text) == ("limit", "Stop.")
    child = run.children[0]
    assert [call.status for call in child.calls] == ["done", "done", "skipped"]


def test_what_a_child_leaves_of_what_it_set_aside_is_given_back() -> None:
    steps = [turn(request("x", "double", number=1)), turn(text="One was enough.")]
    agent, _ = helper(*steps, tools=[double], max_calls=4)
    many = turn(*(request(f"c{n}", "double", number=n) for n in range(5)))
    model = ScriptedModel(
        [turn(request("c", "weather_agent", input="?")), many, turn(text="Stop.")]
    )
    run = Agent("boss", tools=[agent, double], model=model, max_calls=5).run("Go", log="memory")
    assert [call.status for call in run.calls] == ["done"] * 4 + ["skipped"] * 2


async def wait() -> str:
    """Wait."""
    await asyncio.sleep(30)
    return "late"


def slow_run(child: dict[str, Any], parent: dict[str, Any]) -> Run:
    agent, _ = helper(turn(request("x", "wait")), turn(text="Too slow."), tools=[wait], **child)
    return boss(request("c", "weather_agent", input="?"), [agent], **parent)


def test_a_child_whose_own_time_is_over_has_a_last_word() -> None:
    run = slow_run({"timeout_s": 0.2}, {})
    assert (run.status, run.calls[0].value) == ("completed", "Too slow.")
    assert run.children[0].status == "limit"
    assert run.children[0].calls[0].status == "timed_out"


def test_the_end_of_a_run_s_time_is_that_of_the_runs_inside_of_it() -> None:
    began_s = time.monotonic()
    run = slow_run({}, {"timeout_s": 0.2})
    assert (run.status, run.text) == ("limit", "Done.")
    assert time.monotonic() - began_s < 10
    assert run.children[0].is_closed


def test_agents_inside_of_agents_have_an_end() -> None:
    found: list[Agent] = []

    def again(ctx: nba.Context) -> str:
        """Ask myself."""
        return ctx.run(found[0], "Again?").text

    class Endless(ScriptedModel):
        """Asks itself, once a run."""

    def step(asked: Any) -> Any:
        return turn(text="Enough.") if len(asked.messages) > 1 else turn(request("c", "again"))

    found.append(Agent("self", tools=[again], model=Endless([step] * 20), max_depth=3))
    run = found[0].run("Begin", log="memory")
    depth = 0
    while run.children:
        depth, run = depth + 1, run.children[0]
    assert depth == 3
    assert "max_depth=3" in (run.calls[0].content or "")
