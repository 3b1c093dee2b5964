"""Which tools a run sees at each step, what it is told of its choice, and how tools end it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import BaseModel

import nbagents as nba
from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.policy.policy import StepContext
from nbagents.runs.state.run.run import Call, Run
from tests.unit.runs.desk import agent, double, request, treble, turn

TWO = turn(request("c1", "double", number=1), request("c2", "treble", number=1))


def offered(model: ScriptedModel) -> list[list[str]]:
    return [[spec.name for spec in asked.tools] for asked in model.requests]


def broken() -> str:
    """Fail."""
    raise RuntimeError("no")


# How tools end a run


def test_the_first_result_may_be_the_answer() -> None:
    run = agent([TWO], [double, treble], tool_use="stop_on_first").run("Go", log="memory")
    assert (run.status, run.text, len(run.calls)) == ("completed", "2", 2)


def test_a_call_that_failed_is_no_answer() -> None:
    steps = [turn(request("c1", "broken")), turn(text="It broke.")]
    run = agent(steps, [broken], tool_use="stop_on_first").run("Go", log="memory")
    assert run.text == "It broke."


def test_the_result_of_certain_tools_may_be_the_answer() -> None:
    steps = [turn(request("c1", "double", number=1)), TWO]
    run = agent(steps, [double, treble], tool_use=nba.StopAt("treble")).run("Go", log="memory")
    assert (run.text, len(run.calls)) == ("3", 3)


def test_a_function_may_say_what_the_answer_is() -> None:
    seen: list[list[tuple[str, object]]] = []

    def enough(ctx: nba.Context, calls: Sequence[Call]) -> str | None:
        assert ctx.agent_name == "tester"
        seen.append([(call.name, call.value) for call in calls])
        return f"together {sum(call.value for call in calls)}" if len(calls) > 1 else None

    steps = [turn(request("c1", "double", number=5)), TWO]
    run = agent(steps, [double, treble], tool_use=enough).run("Go", log="memory")
    assert run.text == "together 5"
    assert seen == [[("double", 10)], [("double", 2), ("treble", 3)]]


class Sum(BaseModel):
    total: int


def test_an_answer_of_tools_has_the_form_that_was_asked_for() -> None:
    def add(ctx: nba.Context, calls: Sequence[Call]) -> Sum:
        return Sum(total=sum(call.value for call in calls))

    run = agent([TWO], [double, treble], tool_use=add, output=Sum).run("Go", log="memory")
    assert run.output == Sum(total=5)


def test_an_answer_of_a_tool_that_has_not_the_form_is_an_error() -> None:
    asked = agent([TWO], [double, treble], tool_use="stop_on_first", output=Sum)
    with pytest.raises(nba.OutputError, match="which a tool gave, has not the form 'Sum'"):
        asked.run("Go", log="memory")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tool_use": nba.StopAt("doubel")}, "Did you mean 'double'"),
        ({"tool_use": "stop"}, "'run_again' or 'stop_on_first'"),
        ({"tool_choice": "doubel"}, "Did you mean 'double'"),
        ({"settings": {"tool_choice": "doubel"}}, "Did you mean 'double'"),
    ],
)
def test_a_policy_that_means_nothing_is_an_error(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        agent([], [double], **options).run("Go", log="memory")


# What the model is told of its choice


@pytest.mark.parametrize(
    "options",
    [
        {"tool_choice": "double"},
        {"settings": {"tool_choice": "double", "temperature": 0}},
        {"settings": {"tool_choice": {"type": "function", "function": {"name": "double"}}}},
        {"settings": {"tool_choice": {"type": "function", "name": "double"}}},
    ],
)
def test_a_choice_is_forced_until_a_tool_was_used(options: dict[str, Any]) -> None:
    model = ScriptedModel([turn(text="?"), turn(request("c1", "double", number=1)), "2"])
    asked = Agent("tester", tools=[double], model=model, output=Sum, **options)
    with pytest.raises(nba.OutputError):  # so that it is asked before and after
        asked.run("Go", log="memory")
    assert [one.tool_choice for one in model.requests] == ["double", "double", "auto"]
    assert all("tool_choice" not in one.settings for one in model.requests)


def test_what_only_a_provider_knows_is_sent_as_it_stands() -> None:
    choice: Any = {"type": "allowed_tools", "mode": "required"}
    model = ScriptedModel(["hi"])
    Agent("t", tools=[double], model=model, settings={"tool_choice": choice}).run("x", log="memory")
    assert model.requests[0].tool_choice == choice


def test_without_a_word_nothing_is_said() -> None:
    model = ScriptedModel(["hi"])
    Agent("tester", tools=[double], model=model).run("Go", log="memory")
    assert model.requests[0].tool_choice is None


def test_the_offline_model_keeps_to_it() -> None:
    free = Agent("tester", tools=[double], model="offline")
    assert [call.name for call in free.run("Double 4", log="memory").calls] == ["double"]
    bound = Agent("tester", tools=[double], model="offline", tool_choice="none")
    assert bound.run("Double 4", log="memory").calls == ()


# Tags and filters


def tagged(name: str, *tags: str) -> nba.Tool:
    def act() -> str:
        """Act."""
        return name

    return nba.Tool(act, nba.ToolOptions(name=name, tags=tags))


def test_tags_say_which_tools_there_are() -> None:
    tools = [tagged("plain"), tagged("fetch", "net"), tagged("buy", "net", "money")]

    def names(**options: Any) -> list[str]:
        model = ScriptedModel(["hi"])
        Agent("tester", tools=tools, model=model, **options).run("Go", log="memory")
        return offered(model)[0]

    assert names() == ["plain", "fetch", "buy"]
    assert names(deny_tags=["money"]) == ["plain", "fetch"]
    assert names(allow_tags=["net"]) == ["fetch", "buy"]
    assert names(allow_tags=["net"], deny_tags=["money"]) == ["fetch"]
    assert names(allow_tags=[]) == []


def filtered(steps: Sequence[Any], **options: Any) -> tuple[Run, ScriptedModel]:
    def keeps(at: StepContext, tool: nba.Tool) -> bool:
        """Offer `treble` only after `double`."""
        return tool.name != "treble" or "double" in at.used

    model = ScriptedModel(steps)
    asked = Agent("tester", tools=[double, treble], model=model, tool_filter=keeps, **options)
    return asked.run("Go", log="memory"), model


def test_a_filter_says_at_each_step_what_is_offered() -> None:
    steps = [
        turn(request("c1", "double", number=1)),
        turn(request("c2", "treble", number=1)),
        turn(text="ok"),
    ]
    run, model = filtered(steps)
    assert offered(model) == [["double"], ["double", "treble"], ["double", "treble"]]
    assert [call.status for call in run.calls] == ["done", "done"]
    schemas = [one["schemas"] for one in run.tree()["runs"][run.id]["requests"]]
    assert [None if one is None else len(one) for one in schemas] == [1, 2, None]


def test_what_is_not_offered_at_a_step_cannot_be_called_then() -> None:
    run, _ = filtered([turn(request("c1", "treble", number=1)), turn(text="ok")])
    (call,) = run.calls
    assert call.failure is not None
    assert call.failure.kind == "invalid_call"
    assert "There is no tool 'treble'. " in call.failure.message
    assert "double" in call.failure.message


def test_the_closing_call_is_made_whatever_is_offered() -> None:
    steps = [turn(request("c1", "double", number=1))]

    def keeps(at: StepContext, tool: nba.Tool) -> bool:
        return tool.name == "double"

    asked = agent(
        steps,
        [double, tagged("bye")],
        tool_filter=keeps,
        max_calls=1,
        on_limit=nba.FinalCall("bye"),
    )
    assert asked.run("Go", log="memory").text == "bye"


def test_a_filter_that_breaks_ends_the_run_with_its_error() -> None:
    def keeps(at: StepContext, tool: nba.Tool) -> bool:
        raise KeyError("mode")

    with pytest.raises(KeyError, match="mode"):
        agent([turn(text="hi")], [double], tool_filter=keeps).run("Go", log="memory")


def test_a_filter_cannot_be_async() -> None:
    async def keeps(at: StepContext, tool: nba.Tool) -> bool:
        return True

    with pytest.raises(ValueError, match="take a plain `def`"):
        agent([turn(text="hi")], [double], tool_filter=keeps).run("Go", log="memory")
