"""A run that meets a limit: what is still done, and how it ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.models.model import ModelPart, ModelRequest, TextDelta
from nbagents.runs.state.run.run import Run
from tests.unit.runs.desk import agent, double, request, turn


def statuses(run: Run) -> list[str]:
    return [call.status for call in run.calls]


def test_calls_beyond_the_limit_are_not_made_and_the_model_must_answer() -> None:
    made: list[int] = []

    def note(number: int) -> str:
        """Note a number."""
        made.append(number)
        return "noted"

    calls = [request(f"c{number}", "note", number=number) for number in range(4)]
    asked = agent([turn(*calls), turn(text="Two of four.")], [note], max_calls=2)
    run = asked.run("Note 0 to 3", log="memory")
    assert made == [0, 1]
    assert statuses(run) == ["done", "done", "skipped", "skipped"]
    assert (run.status, run.text) == ("limit", "Two of four.")
    (skipped,) = {call.content for call in run.calls if call.status == "skipped"}
    assert skipped == "Not called: this run may make 2 calls, and has made them. Answer now."


def test_as_many_calls_as_are_allowed_are_no_limit_if_the_answer_follows_by_itself() -> None:
    steps = [turn(request("c1", "double", number=1)), turn(text="2")]
    assert agent(steps, [double], max_calls=2).run("Double 1", log="memory").status == "completed"


def test_after_the_last_call_the_model_is_offered_no_tool() -> None:
    asked = agent([turn(request("c1", "double", number=1)), turn(text="2")], [double], max_calls=1)
    run = asked.run("Double 1", log="memory")
    assert run.status == "limit"
    assert [len(one["schemas"] or ()) for one in run.tree()["runs"][run.id]["requests"]] == [1, 0]


def test_a_run_without_calls_may_be_asked_for() -> None:
    asked = agent([turn(request("c1", "double", number=1)), turn(text="no")], [double], max_calls=0)
    assert statuses(asked.run("Double 1", log="memory")) == ["skipped"]


def test_tokens_are_counted_over_all_steps() -> None:
    step = turn(request("c1", "double", number=1))  # 12 tokens
    asked = agent([step, step, turn(text="Enough.")], [double], max_tokens=20)
    run = asked.run("Double for ever", log="memory")
    assert (run.status, run.text, len(run.calls)) == ("limit", "Enough.", 2)


@pytest.mark.parametrize("is_async", [True, False])
def test_a_call_that_outlives_the_run_s_time_times_out_and_the_model_answers(
    *, is_async: bool
) -> None:
    async def sleep_async() -> None:
        """Sleep."""
        await asyncio.sleep(30)

    def sleep_plain() -> None:
        """Sleep."""
        time.sleep(30)

    tool = sleep_async if is_async else sleep_plain
    steps = [turn(request("c1", tool.__name__)), turn(text="Too slow.")]
    began_s = time.monotonic()
    run = agent(steps, [tool], timeout_s=0.3).run("Sleep", log="memory")
    assert time.monotonic() - began_s < 10
    assert (run.status, run.text, statuses(run)) == ("limit", "Too slow.", ["timed_out"])


class Slow:
    """A model that begins to answer and does not come to an end."""

    name = "slow"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        yield TextDelta("It is ")
        await asyncio.sleep(30)


def test_an_answer_that_does_not_come_in_time_is_kept_as_far_as_it_came() -> None:
    run = Agent("tester", model=Slow(), timeout_s=0.3).run("Hello", log="memory")
    assert (run.status, run.text) == ("limit", "It is \n\n(The run's time is over.)")


def test_the_limits_stand_in_the_log() -> None:
    asked = agent([turn(text="hi")], max_calls=3, max_tokens=100, timeout_s=5.0)
    run = asked.run("hi", log="memory")
    assert run.tree()["runs"][run.id]["limits"] == {
        "max_steps": 10,
        "max_calls": 3,
        "max_tokens": 100,
        "timeout_s": 5.0,
        "max_cost": None,
        "max_failed_batches": 3,
        "max_depth": 5,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_calls": -1},
        {"max_tokens": 0},
        {"timeout_s": 0},
        {"timeout_s": float("nan")},
        {"max_steps": 0},
    ],
)
def test_a_limit_that_leaves_nothing_to_do_is_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        agent([turn(text="hi")], **wrong).run("hi", log="memory")
