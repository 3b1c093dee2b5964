"""What becomes of a call whose agent refuses, answers with a value that is text, or is unfit."""

from __future__ import annotations

import enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel

import nbagents as nba
from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.state.run.run import Run
from tests.unit.runs.desk import double, request, run_of, turn


class Plan(BaseModel):
    steps: int


class Colour(enum.StrEnum):
    RED = "red"


def helper(*steps: Any, **options: Any) -> Agent:
    return Agent("helper", tools=[double], model=ScriptedModel(steps), **options)


def boss(*tools: Any, **options: Any) -> Agent:
    steps = [turn(request("c1", "helper", input="Go")), turn(text="Done.")]
    return Agent("boss", tools=tools, model=ScriptedModel(steps), **options)


def run(*tools: Any) -> Run:
    return boss(*tools).run("Go", log="memory")


@pytest.mark.parametrize(
    ("output", "text", "value"),
    [(Literal["a", "b"], '"a"', "a"), (Colour, '"red"', Colour.RED), (str, '"a"', '"a"')],
)
def test_a_value_that_is_text_is_the_value_of_the_call(output: Any, text: str, value: str) -> None:
    (call,) = run(helper(text).as_tool(output=output)).calls
    assert (call.value, type(call.value)) == (value, type(value))


def refuse(ctx: nba.Context, value: Any) -> nba.Refuse:
    return nba.Refuse("Not for you.")


@pytest.mark.parametrize("output", [None, Plan])
@pytest.mark.parametrize("stage", ["input_guardrails", "output_guardrails"])
def test_a_call_says_that_its_agent_refused(stage: str, output: Any) -> None:
    checks: dict[str, Any] = {stage: [refuse]}
    ended = run(helper('{"steps": 1}', output=output, **checks))
    (call,) = ended.calls
    assert (call.status, call.content) == ("denied", "'helper' refused: Not for you.")
    assert (call.value, call.failure) == (None, None)
    assert (ended.status, ended.children[0].status) == ("completed", "denied")


def test_an_agent_that_refuses_is_no_error() -> None:
    refusing = helper("x", input_guardrails=[refuse])
    assert run(refusing.as_tool(on_error=None)).calls[0].status == "denied"


def test_a_function_may_make_a_result_of_a_run_that_was_refused() -> None:
    refusing = helper("x", input_guardrails=[refuse])
    (call,) = run(refusing.as_tool(extract=lambda child: child.status)).calls
    assert (call.status, call.value) == ("done", "denied")


UNFIT: list[tuple[dict[str, Any], str]] = [
    ({"tool_choice": "doubel"}, "Did you mean 'double'"),
    ({"tool_use": nba.StopAt("zzz")}, "no tool 'zzz'"),
    ({"on_limit": nba.FinalCall("zzz")}, "on_limit calls 'zzz'"),
    ({"output": type("X", (), {})}, "cannot have the type X"),
    ({"handoffs": [lambda: 3]}, "it must give an agent"),
]


@pytest.mark.parametrize(("options", "told"), UNFIT)
def test_an_agent_that_cannot_be_used_ends_the_run_with_what_is_wrong(
    options: dict[str, Any], told: str
) -> None:
    with pytest.raises((ValueError, nba.OutputError), match=told) as caught:
        run(helper("x", **options))
    assert "The agent 'helper' cannot be used so" in caught.value.__notes__[0]
    ended = run_of(caught.value)
    assert (ended.status, ended.calls[0].status) == ("failed", "failed")


def never_mind(ctx: nba.Context, error: Exception) -> str:
    return "never mind"


@pytest.mark.parametrize("on_error", ["tell", never_mind])
def test_it_ends_all_runs_that_it_is_inside_of(on_error: Any) -> None:
    inner = boss(helper("x", tool_choice="doubel").as_tool(on_error=on_error))
    steps = [turn(request("c1", "boss", input="Go")), turn(text="Done.")]
    outer = Agent("outer", tools=[inner.as_tool(on_error=on_error)], model=ScriptedModel(steps))
    with pytest.raises(ValueError, match="Did you mean 'double'"):
        outer.run("Go", log="memory")
    assert isinstance(outer.model, ScriptedModel)
    assert len(outer.model.requests) == 1


def test_what_goes_wrong_in_its_run_is_told_to_the_model() -> None:
    def break_(at: Any, tool: Any) -> bool:
        raise KeyError("q")

    (call,) = run(helper("x", tool_filter=break_)).calls
    assert (call.status, call.content) == ("failed", "KeyError: 'q'")


def test_no_room_for_a_run_is_told_to_the_model() -> None:
    ended = boss(helper("x"), max_depth=0).run("Go", log="memory")
    assert ended.status == "completed"
    assert "No run may begin here" in (ended.calls[0].content or "")
