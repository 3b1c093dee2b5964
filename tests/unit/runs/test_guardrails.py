"""Checks of prompts, answers, arguments and results: allow, replace, refuse."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic import BaseModel

import nbagents as nba
from nbagents.agents import Agent
from nbagents.events import EVENTS
from nbagents.messages import AssistantMessage, UserMessage
from nbagents.models.model import ModelPart, ModelRequest, ModelTurn, TextDelta, ThoughtDelta
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.state.run.run import Run
from tests.unit.runs.desk import agent, request, turn

SECRET = "the code is tulip-bulb"


def log_of(run: Run) -> str:
    return "\n".join(EVENTS.dump_json(event).decode() for event in run.events)


def verdicts(run: Run) -> list[tuple[str, str, str]]:
    return [
        (event.name, event.stage, event.outcome)
        for event in run.events
        if event.type == "guardrail"
    ]


def no_codes(ctx: nba.Context, value: object) -> nba.Refuse | None:
    """Refuse what has a code in it."""
    return nba.Refuse("I may not say that.") if "tulip-bulb" in str(value) else None


def shout(ctx: nba.Context, value: object) -> nba.Replace:
    """Replace a text by a loud one."""
    return nba.Replace(str(value).upper())


def test_a_prompt_that_is_refused_reaches_no_model() -> None:
    model = ScriptedModel([])
    asked = Agent("tester", model=model, input_guardrails=[no_codes])
    run = asked.run(f"Is it true that {SECRET}?", log="memory")
    assert (run.status, run.text) == ("denied", "I may not say that.")
    assert model.requests == []
    assert verdicts(run) == [("no_codes", "input", "refuse")]


def test_a_prompt_may_be_replaced_and_is_checked_again_by_the_next_one() -> None:
    model = ScriptedModel(["Hello."])
    asked = Agent("tester", model=model, input_guardrails=[shout, no_codes])
    run = asked.run("good day", log="memory")
    assert (run.status, run.text) == ("completed", "Hello.")
    assert model.requests[0].messages[0] == UserMessage(text="GOOD DAY")
    assert verdicts(run) == [("shout", "input", "replace"), ("no_codes", "input", "allow")]


class Chatty(ScriptedModel):
    """A scripted model that streams its answer, and thinks it first."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        async for part in super().stream(request):
            if isinstance(part, TextDelta):
                yield ThoughtDelta(f"I could say: {part.text}")
            yield part


@pytest.mark.parametrize("is_async", [True, False])
def test_of_an_answer_that_is_refused_nothing_is_in_the_log(*, is_async: bool) -> None:
    async def later(ctx: nba.Context, value: object) -> nba.Refuse | None:
        return no_codes(ctx, value)

    check = later if is_async else no_codes
    asked = Agent("tester", model=Chatty([SECRET]), output_guardrails=[check])
    run = asked.run("What is the code?", log="memory")
    assert (run.status, run.text) == ("denied", "I may not say that.")
    assert "tulip-bulb" not in log_of(run)
    assert "tulip-bulb" not in str(run.messages)
    assert run.messages[-1] == AssistantMessage(text="I may not say that.")


def test_an_answer_that_passes_is_held_back_until_then() -> None:
    asked = Agent("tester", model=Chatty(["All is well."]), output_guardrails=[no_codes])
    run = asked.run("How is it?", log="memory")
    assert (run.status, run.text) == ("completed", "All is well.")
    kinds = [event.type for event in run.events]
    order = ["guardrail", "thought", "assistant_delta", "assistant_turn"]
    assert [one for one in kinds if one in order] == order


def test_an_answer_may_be_replaced() -> None:
    run = agent([turn(text="quiet")], output_guardrails=[shout]).run("Say it", log="memory")
    assert (run.status, run.text) == ("completed", "QUIET")


class Weather(BaseModel):
    city: str
    celsius: float


def test_an_answer_with_a_form_is_checked_as_the_value_that_it_is() -> None:
    seen: list[object] = []

    def not_so_hot(ctx: nba.Context, value: Weather) -> nba.Replace | None:
        seen.append(value)
        if value.celsius <= 50:
            return None
        return nba.Replace(value.model_copy(update={"celsius": 50.0}))

    said = json.dumps({"city": "Oslo", "celsius": 99})
    asked = agent([turn(text=said)], output=Weather, output_guardrails=[not_so_hot])
    run = asked.run("How warm is it?", log="memory")
    assert seen == [Weather(city="Oslo", celsius=99)]
    assert run.output == Weather(city="Oslo", celsius=50)


def test_what_is_said_beside_calls_is_checked_and_only_left_out() -> None:
    made: list[str] = []

    def note(text: str) -> str:
        """Note a text."""
        made.append(text)
        return "noted"

    first = ModelTurn(text=f"I note: {SECRET}", calls=(request("c1", "note", text="x"),))
    run = agent([first, turn(text="Done.")], [note], output_guardrails=[no_codes]).run(
        "Note it", log="memory"
    )
    assert (run.status, run.text, made) == ("completed", "Done.", ["x"])
    assert "tulip-bulb" not in log_of(run)


def test_an_answer_of_a_tool_is_checked_too() -> None:
    @nba.tool(command=True, replace=True)
    def tell() -> str:
        """Tell the code."""
        return SECRET

    run = agent([turn(request("c1", "tell"))], [tell], output_guardrails=[no_codes]).run(
        "Tell", log="memory"
    )
    assert (run.status, run.text) == ("denied", "I may not say that.")


@pytest.mark.parametrize("broken", ["raises", "gives"])
def test_a_check_that_breaks_refuses_and_quotes_nothing(broken: str) -> None:
    def check(ctx: nba.Context, value: object) -> Any:
        if broken == "raises":
            raise ValueError(f"bad: {value}")
        return f"no: {value}"

    run = agent([turn(text=SECRET)], output_guardrails=[check]).run("Say it", log="memory")
    assert run.status == "denied"
    assert "'check'" in run.text
    assert "tulip-bulb" not in log_of(run)


def test_plain_checks_run_on_the_main_thread_and_know_the_run() -> None:
    seen: list[tuple[object, ...]] = []

    def check(ctx: nba.Context, value: object) -> None:
        seen.append((threading.current_thread(), ctx.run_id, ctx.agent_name, dict(ctx.labels)))

    asked = agent([turn(text="hi")], input_guardrails=[check])
    run = asked.run("hi", log="memory", labels={"case": "7"})
    assert seen == [(threading.main_thread(), run.id, "tester", {"case": "7"})]


def transfer(amount: int, to: str) -> str:
    """Transfer money."""
    return f"{amount} to {to}, by code tulip-bulb"


def no_more_than_100(ctx: nba.Context, arguments: dict[str, Any]) -> object:
    """Keep amounts small."""
    if arguments["to"] == "thief":
        return nba.Refuse("Not to a thief.")
    if arguments["amount"] > 100:
        return nba.Replace({**arguments, "amount": 100})
    return None


def guarded(**options: Any) -> nba.Tool:
    return nba.Tool(transfer, nba.ToolOptions(**options))


def ask(tool: nba.Tool, **arguments: Any) -> Run:
    return agent([turn(request("c1", "transfer", **arguments)), turn(text="ok")], [tool]).run(
        "Transfer", log="memory"
    )


def test_arguments_may_be_replaced_and_the_card_keeps_both() -> None:
    run = ask(guarded(input_guardrails=(no_more_than_100,)), amount=500, to="Ann")
    (call,) = run.calls
    assert (call.status, call.content) == ("done", "100 to Ann, by code tulip-bulb")
    node = run.tree()["runs"][run.id]["calls"]["c1"]
    assert (node["proposed"], node["arguments"]) == (
        {"amount": 500, "to": "Ann"},
        {"amount": 100, "to": "Ann"},
    )
    assert [one["outcome"] for one in node["guardrails"]] == ["replace"]


def test_a_call_that_is_refused_is_not_made() -> None:
    run = ask(guarded(input_guardrails=(no_more_than_100,)), amount=5, to="thief")
    (call,) = run.calls
    assert (call.status, call.content) == ("denied", "Not to a thief.")
    assert not [event for event in run.events if event.type == "tool_start"]


def test_arguments_that_do_not_fit_are_for_the_model_to_correct() -> None:
    run = ask(guarded(input_guardrails=(no_more_than_100,)), amount="much", to="Ann")
    (call,) = run.calls
    assert call.failure is not None
    assert call.failure.kind == "invalid_call"
    assert verdicts(run) == []


def test_arguments_from_a_check_are_checked_against_the_tool() -> None:
    def spoil(ctx: nba.Context, arguments: object) -> nba.Replace:
        return nba.Replace({"amount": "none"})

    (call,) = ask(guarded(input_guardrails=(spoil,)), amount=5, to="Ann").calls
    assert call.failure is not None
    assert call.failure.kind == "invalid_call"


def test_of_a_result_that_is_refused_the_model_and_the_log_have_nothing() -> None:
    run = ask(guarded(output_guardrails=(no_codes,)), amount=5, to="Ann")
    (call,) = run.calls
    assert (call.status, call.content, call.value) == ("done", "I may not say that.", None)
    assert "tulip-bulb" not in log_of(run)
    assert "tulip-bulb" not in str(run.messages)


def test_a_result_may_be_replaced_for_the_model() -> None:
    def hide(ctx: nba.Context, content: str) -> nba.Replace:
        return nba.Replace(content.replace("tulip-bulb", "****"))

    (call,) = ask(guarded(output_guardrails=(hide,)), amount=5, to="Ann").calls
    assert call.content == "5 to Ann, by code ****"


def test_payloads_are_withheld_with_their_result() -> None:
    def draw() -> nba.Result:
        """Draw something."""
        return nba.Result(SECRET, data={"kind": "note", "text": SECRET})

    tool = nba.Tool(draw, nba.ToolOptions(output_guardrails=(no_codes,)))
    run = agent([turn(request("c1", "draw")), turn(text="ok")], [tool]).run("Draw", log="memory")
    assert run.tree()["runs"][run.id]["calls"]["c1"]["payloads"] == []
    assert run.data == {}
    assert "tulip-bulb" not in log_of(run)


def test_what_a_tool_raised_is_checked_like_what_it_gave() -> None:
    def fail() -> str:
        """Fail."""
        raise nba.ToolError(SECRET)

    tool = nba.Tool(fail, nba.ToolOptions(output_guardrails=(no_codes,)))
    run = agent([turn(request("c1", "fail")), turn(text="ok")], [tool]).run("Go", log="memory")
    (call,) = run.calls
    assert (call.status, call.content) == ("failed", "I may not say that.")
    assert "tulip-bulb" not in log_of(run)
