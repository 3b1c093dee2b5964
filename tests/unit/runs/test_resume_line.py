"""A run that is gone on with, however often, is one run: its agent, turn, limits and denials."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.events import Handoff, RunStart
from nbagents.messages import AssistantMessage, ToolMessage
from nbagents.models.model import ModelPart, ModelRequest, ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.results import Usage
from nbagents.runs.policy.policy import FinalCall
from nbagents.runs.state.desk import Answer
from nbagents.runs.state.run.run import Run
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, turn


@pytest.fixture(name="done")
def _done() -> list[str]:
    """What tools have really done, in order, and for whom."""
    return []


@pytest.fixture(name="pay")
def _pay(done: list[str]) -> Tool:
    def pay(ctx: Context, n: int) -> str:
        "Pay."
        done.append(f"{n} for {ctx.agent_name}")
        if n < 0:
            raise ValueError("too little")
        return f"paid {n}"

    return Tool(pay, ToolOptions(ask=True))


def pays(*amounts: int) -> list[Any]:
    return [turn(request(f"p{index}", "pay", n=n)) for index, n in enumerate(amounts)]


def to_end(made: Agent, run: Run) -> list[Run]:
    """The run, and those that go on with it, until none waits any more."""
    line = [run]
    while line[-1].status == "suspended":
        assert len(line) < 10
        line.append(made.resume(line[-1], answer=True))
    return line


# Who holds it


def handed_over(pay: Tool) -> Agent:
    b = Agent("B", "You are B", tools=[pay], model=ScriptedModel([*pays(1, 2, 3), "B is done"]))
    return agent([turn(request("t", "transfer_to_b"))], handoffs=[b], on_await="suspend")


def test_a_run_that_was_handed_over_is_gone_on_with_again_and_again(
    pay: Tool, done: list[str]
) -> None:
    made = handed_over(pay)
    line = to_end(made, made.run("Go", log="memory"))
    assert (line[-1].status, line[-1].text, len(line)) == ("completed", "B is done", 4)
    assert done == ["1 for B", "2 for B", "3 for B"]
    assert [(one.agent_name, one.last_agent) for one in line] == [("tester", "B")] * 4
    starts = [one for run in line for one in run.events if isinstance(one, RunStart)]
    assert {one.agent_name for one in starts} == {"tester"}
    told = [one for one in line[-1].events if isinstance(one, Handoff)]
    assert [(one.from_agent, one.to_agent, one.step) for one in told] == [("tester", "B", 0)]
    again = Run.recalled(line[0].session, line[-1].id, line[-1].events)
    assert (again.agent_name, again.last_agent) == ("tester", "B")


def test_so_is_one_inside_of_another(pay: Tool, done: list[str]) -> None:
    top = agent(
        [turn(request("k", "tester", input="x")), "done"], [handed_over(pay)], on_await="suspend"
    )
    last = to_end(top, top.run("Go", log="memory"))[-1]
    assert (last.calls[0].status, last.calls[0].content) == ("done", "B is done")
    assert len(done) == 3


def test_all_that_answers_a_prompt_is_one_turn(pay: Tool) -> None:
    made = agent([*pays(1, 2), "done"], [pay], on_await="suspend")
    line = to_end(made, made.run("Go", log="memory"))
    assert {event.turn_id for run in line for event in run.events} == {line[0].turn_id}
    other = agent(["done"]).run("Go", log=line[0].session)
    assert other.turn_id != line[0].turn_id


# What it may spend


def test_calls_are_counted_in_all_of_it(pay: Tool, done: list[str]) -> None:
    made = agent(pays(*range(9)), [pay], max_calls=2, on_await="suspend")
    line = to_end(made, made.run("Go", log="memory"))
    assert (line[-1].status, len(done)) == ("limit", 2)
    failure = line[-1].tree()["runs"][line[-1].id]["failure"]
    assert failure is not None
    assert "max_calls=2" in failure["message"]


def test_steps_are_counted_in_all_of_it(pay: Tool, done: list[str]) -> None:
    made = agent(pays(*range(9)), [pay], max_steps=3, on_await="suspend")
    line = to_end(made, made.run("Go", log="memory"))
    assert (line[-1].status, len(done)) == ("limit", 3)
    assert line[-1].tree()["runs"][line[-1].id]["step"] == 4


def test_tokens_are_counted_in_all_of_it(pay: Tool, done: list[str]) -> None:
    made = agent(pays(*range(9)), [pay], max_tokens=30, on_await="suspend")
    line = to_end(made, made.run("Go", log="memory"))
    assert (line[-1].status, len(done)) == ("limit", 3)


def test_money_is_counted_in_all_of_it(pay: Tool, done: list[str]) -> None:
    prices = {"scripted": {"input": 1e6, "output": 1e6}}  # each token costs 1
    made = agent(pays(*range(9)), [pay], max_cost=20, prices=prices, on_await="suspend")
    line = to_end(made, made.run("Go", log="memory"))
    assert (line[-1].status, len(done)) == ("limit", 2)


def test_steps_that_fail_are_counted_in_all_of_it(pay: Tool, done: list[str]) -> None:
    made = agent(pays(1, -1, -2, -3, -4), [pay], max_failed_batches=2, on_await="suspend")
    line = to_end(made, made.run("Go", log="memory"))
    assert (line[-1].status, len(done)) == ("limit", 3)


def test_what_a_run_inside_has_spent_counts_for_both(pay: Tool, done: list[str]) -> None:
    inner = Agent("inner", tools=[pay], model=ScriptedModel(pays(*range(9))), max_calls=3)
    steps = [turn(request("i", "inner", input="x")), *pays(*range(9))]
    top = agent(steps, [inner, pay], max_calls=6, on_await="suspend")
    last = to_end(top, top.run("Go", log="memory"))[-1]
    assert last.status == "limit"
    assert [one.partition(" for ")[2] for one in done] == ["inner"] * 3 + ["tester"] * 2


def test_a_limit_that_was_raised_leaves_what_is_left_of_it(pay: Tool, done: list[str]) -> None:
    steps = pays(*range(9))
    first = agent(steps, [pay], max_calls=2, on_await="suspend").run("Go", log="memory")
    made = agent(steps[1:], [pay], max_calls=4, on_await="suspend")
    assert to_end(made, first)[-1].status == "limit"
    assert len(done) == 4


class Busy(ScriptedModel):
    """A model that takes its time."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPart]:
        await asyncio.sleep(0.3)
        async for part in super().stream(request):
            yield part


def test_time_is_counted_in_all_of_it_but_not_while_nobody_works(pay: Tool) -> None:
    model = Busy([*pays(*range(20))])
    made = Agent("tester", tools=[pay], model=model, timeout_s=1.0, on_await="suspend")
    line = to_end(made, made.run("Go", log="memory"))
    assert line[-1].status == "limit"
    assert len(model.requests) <= 5


# What was said


@pytest.mark.parametrize("is_inside", [True, False])
def test_a_call_that_was_denied_is_not_asked_again(
    pay: Tool,
    done: list[str],
    is_inside: bool,  # noqa: FBT001
) -> None:
    steps = [*pays(1, 2, 1), "done"]
    made = agent(steps, [pay], on_await="suspend")
    if is_inside:
        inner = Agent("inner", tools=[pay], model=ScriptedModel(steps))
        made = agent([turn(request("i", "inner", input="x")), "done"], [inner], on_await="suspend")
    first = made.run("Go", log="memory")
    second = made.resume(first, answer=Answer(action="deny", note="no"))
    last = made.resume(second, answer=True)
    assert last.status == "completed"
    assert [one.partition(" ")[0] for one in done] == ["2"]


def test_a_policy_that_denied_in_an_earlier_run_binds_no_later_one(
    pay: Tool, done: list[str]
) -> None:
    def wait(ctx: Context) -> str:
        "Wait."
        return ctx.ask("Well?")

    steps = [pays(1)[0], turn(request("w", "wait")), turn(request("p9", "pay", n=1)), "done"]
    first = agent(steps, [pay, wait], approval="never", on_await="suspend").run("Go", log="memory")
    assert (first.status, first.calls[0].status) == ("suspended", "denied")
    made = agent(steps[2:], [pay, wait], approval="auto")
    assert made.resume(first, answer="x").status == "completed"
    assert done == ["1 for tester"]


def test_a_choice_is_forced_once_in_all_of_it(pay: Tool) -> None:
    made = agent([*pays(1, 2), "done"], [pay], tool_choice="required", on_await="suspend")
    to_end(made, made.run("Go", log="memory"))
    assert isinstance(made.model, ScriptedModel)
    assert [one.tool_choice for one in made.model.requests] == ["required", "auto", "auto"]


def test_a_choice_of_who_took_over_is_forced_once_too(pay: Tool) -> None:
    model = ScriptedModel([*pays(1, 2), "done"])
    b = Agent("B", tools=[pay], model=model, tool_choice="required")
    made = agent(
        [turn(request("t", "transfer_to_b"))],
        handoffs=[b],
        on_await="suspend",
        tool_choice="required",
    )
    to_end(made, made.run("Go", log="memory"))
    assert [one.tool_choice for one in model.requests] == ["required", "auto", "auto"]


# The call that ends it at a limit


def double(n: int) -> int:
    "Double."
    return 2 * n


def closing(done: list[str], *, ask: bool, words: tuple[str, ...] = ()) -> tuple[Agent, Run]:
    def save(ctx: Context, text: str) -> str:
        "Save."
        said = [ctx.ask(one) for one in words]
        if "fail" in said:
            raise ValueError("full")
        done.append(text)
        return " ".join(["saved", text, *said])

    made = agent(
        [turn(request("d", "double", n=1)), "The model's word"],
        [double, Tool(save, ToolOptions(ask=ask))],
        max_calls=1,
        on_limit=FinalCall("save", {"text": "draft"}),
        on_await="suspend",
    )
    run = made.run("Go", log="memory")
    assert run.status == "suspended"
    return made, run


def asked_models(made: Agent) -> int:
    assert isinstance(made.model, ScriptedModel)
    return len(made.model.requests)


def test_a_closing_call_that_was_suspended_still_closes_the_run(done: list[str]) -> None:
    made, run = closing(done, ask=True)
    last = made.resume(run, answer=True)
    assert (last.status, last.text, done) == ("limit", "saved draft", ["draft"])
    assert asked_models(made) == 1
    asked = [one for one in last.messages if isinstance(one, AssistantMessage)]
    results = [one.call_id for one in last.messages if isinstance(one, ToolMessage)]
    assert [call.id for one in asked for call in one.calls] == results


def test_also_when_it_was_suspended_twice(done: list[str]) -> None:
    made, run = closing(done, ask=False, words=("Where?", "When?"))
    second = made.resume(run, answer="here")
    last = made.resume(second, answer="now")
    assert (last.status, last.text, done) == ("limit", "saved draft here now", ["draft"])
    assert len([one for one in last.messages if isinstance(one, ToolMessage)]) == 2


@pytest.mark.parametrize(("ask", "said"), [(True, False), (False, "fail")])
def test_where_it_fails_the_model_has_the_last_word(
    done: list[str],
    ask: bool,  # noqa: FBT001
    said: Any,
) -> None:
    made, run = closing(done, ask=ask, words=() if ask else ("Where?",))
    last = made.resume(run, answer=said)
    assert (last.status, last.text, done) == ("limit", "The model's word", [])
    assert asked_models(made) == 2


def test_a_model_that_fails_is_asked_in_the_same_step_again() -> None:
    steps: list[Any] = [turn(request("d", "double", n=1)), RuntimeError("no"), "done"]
    made = agent(steps, [double], max_steps=2)
    with pytest.raises(RuntimeError) as raised:
        made.run("Go", log="memory")
    failed: Any = raised.value
    last = made.resume(failed.run)
    assert (last.status, last.text) == ("completed", "done")
    assert last.tree()["runs"][last.id]["step"] == 2


def test_usage_of_a_run_that_goes_on_is_its_own(pay: Tool) -> None:
    used = Usage(input_tokens=1, output_tokens=1)
    made = agent([*pays(1), ModelTurn(text="done", usage=used)], [pay], on_await="suspend")
    last = to_end(made, made.run("Go", log="memory"))[-1]
    assert last.usage.input_tokens == 1
