"""How a run ends at a limit: by a last word, or by a call that was said beforehand."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest

import nbagents as nba
from nbagents.agents import Agent
from nbagents.models.model import ModelPart, ModelRequest, ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.results import Usage
from nbagents.runs.state.run.run import Run
from tests.unit.runs.desk import agent, double, request, turn

PRICES = {"scripted": {"input": 100_000.0, "output": 100_000.0}}


def said_of(run: Run) -> str:
    failure = run.tree()["runs"][run.id]["failure"]
    assert failure is not None
    return failure["message"]


def save(note: str) -> str:
    """Save a note."""
    return f"saved: {note}"


def broken() -> str:
    """Fail."""
    raise RuntimeError("no")


def test_the_limit_that_ended_a_run_is_told() -> None:
    steps = [turn(request("c1", "double", number=1)), turn(text="2")]
    assert said_of(agent(steps, [double], max_calls=1).run("1", log="memory")) == (
        "Stopped at a limit: max_calls=1."
    )
    assert said_of(agent(steps, [double], max_steps=1).run("1", log="memory")) == (
        "Stopped at a limit: max_steps=1."
    )


def test_a_run_whose_steps_all_fail_must_answer() -> None:
    steps = [turn(request(f"c{number}", "broken")) for number in range(3)]
    run = agent([*steps, turn(text="It does not work.")], [broken]).run("Try", log="memory")
    assert (run.status, run.text, len(run.calls)) == ("limit", "It does not work.", 3)
    assert said_of(run) == "Stopped at a limit: max_failed_batches=3."


def test_a_step_that_works_begins_the_count_anew() -> None:
    fail, work = turn(request("c", "broken")), turn(request("c", "double", number=1))
    steps = [fail, fail, work, fail, fail, turn(text="Enough.")]
    run = agent(steps, [broken, double]).run("Try", log="memory")
    assert (run.status, run.text) == ("completed", "Enough.")


def test_money_is_counted_where_it_has_a_price() -> None:
    step = turn(request("c1", "double", number=1))  # 10 tokens in, 2 out
    asked = agent([step, turn(text="2")], [double], prices=PRICES)
    run = asked.run("Double 1", log="memory")
    assert run.status == "completed"
    assert run.usage.cost == pytest.approx(2.4)
    assert agent([turn(text="2")]).run("2", log="memory").usage.cost is None


def test_money_has_an_end() -> None:
    step = turn(request("c1", "double", number=1))
    asked = agent([step, step, turn(text="Enough.")], [double], prices=PRICES, max_cost=2.0)
    run = asked.run("Double for ever", log="memory")
    assert (run.status, len(run.calls)) == ("limit", 2)
    assert said_of(run) == "Stopped at a limit: max_cost=2."


def test_money_cannot_be_limited_without_a_price() -> None:
    with pytest.raises(ValueError, match=r'prices=\{"scripted": \{"input": 0.2, "output": 0.8\}\}'):
        agent([turn(text="hi")], max_cost=1.0).run("hi", log="memory")


@pytest.mark.parametrize(
    ("price", "said"),
    [
        ({"input": 1.0}, 'e.g. {"input": 0.2, "output": 0.8}'),
        ({"input": 1.0, "output": -1.0}, "must be 0 or more"),
        ({"input": 1.0, "output": 1.0, "thoughts": 1.0}, "has input, output, thoughts"),
    ],
)
def test_a_price_that_is_none_is_an_error(price: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("{", r"\{")):
        agent([turn(text="hi")], prices={"m": price}).run("hi", log="memory")


def test_a_call_said_beforehand_ends_the_run_without_the_model() -> None:
    asked = agent(
        [turn(request("c1", "double", number=1))],
        [double, save],
        max_calls=1,
        on_limit=nba.FinalCall("save", {"note": "all"}),
    )
    run = asked.run("Double 1", log="memory")
    assert (run.status, run.text) == ("limit", "saved: all")
    assert [call.name for call in run.calls] == ["double", "save"]
    assert run.usage.requests == 1


def test_where_that_call_fails_the_model_has_the_last_word() -> None:
    asked = agent(
        [turn(request("c1", "double", number=1)), turn(text="So much: 2.")],
        [double, broken],
        max_calls=1,
        on_limit=nba.FinalCall("broken"),
    )
    run = asked.run("Double 1", log="memory")
    assert (run.status, run.text) == ("limit", "So much: 2.")


class Sleepy:
    """A model that asks for a call and then sleeps."""

    name = "sleepy"

    def __init__(self) -> None:
        self.count = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        self.count += 1
        await asyncio.sleep(30)
        yield ModelTurn(text="late", usage=Usage())


def test_that_call_is_made_in_time_of_its_own_where_the_model_is_too_slow() -> None:
    model = Sleepy()
    asked = Agent(
        "tester",
        tools=[save],
        model=model,
        timeout_s=0.2,
        on_limit=nba.FinalCall("save", {"note": "late"}),
    )
    run = asked.run("Hello", log="memory")
    assert (run.status, run.text, model.count) == ("limit", "saved: late", 1)
    assert said_of(run) == "Stopped at a limit: timeout_s=0.2."


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (nba.FinalCall("sav"), "Did you mean 'save'"),
        (nba.FinalCall("save"), "note: This is required"),
    ],
)
def test_a_call_that_could_not_be_made_is_an_error_before_anything_begins(
    call: Any, said: str
) -> None:
    model = ScriptedModel([turn(text="hi")])
    with pytest.raises(ValueError, match=said):
        Agent("tester", tools=[save], model=model, on_limit=call).run("hi", log="memory")
    assert model.requests == []


def test_a_call_that_is_one_too_many_has_its_result_also_where_the_run_is_stopped() -> None:
    begun = threading.Event()

    async def slow(number: int) -> int:
        "Wait."
        begun.set()
        await asyncio.sleep(10)
        return number

    calls = turn(request("c1", "slow", number=1), request("c2", "slow", number=2))
    run = agent([calls], [slow], max_calls=1).start("Go", log="memory")
    assert begun.wait(10)
    run.stop()
    run.wait(10)
    assert run.status == "cancelled"
    assert [call.status for call in run.calls] == ["cancelled", "skipped"]
    assert [one.tool_call_id for one in run.events if one.type == "tool_end"] == ["c2", "c1"]
