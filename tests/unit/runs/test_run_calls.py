"""What the calls of a run may rely on: time limits, budgets, consent, output of their own."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from nbagents.errors import ToolArgumentsError, ToolError, ToolTimeoutError
from nbagents.messages import CallRequest
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import ShowingHost, agent, double, request, run_of, turn


@pytest.mark.parametrize("kind", ["sleep", "spin"])
def test_a_main_thread_tool_that_takes_too_long_is_interrupted(kind: str) -> None:
    ended: list[str] = []

    def slow() -> str:
        try:
            if kind == "sleep":
                time.sleep(30)
            while True:
                pass
        finally:
            ended.append(threading.current_thread().name)

    tools = [Tool(slow, ToolOptions(timeout_s=0.1)), double]
    calls = turn(request("a", "slow"), request("b", "double", number=2))
    run = agent([calls, "ok"], tools).run("Go", log="memory")
    assert ended == ["MainThread"]
    assert [call.status for call in run.calls] == ["timed_out", "done"]
    assert run.calls[0].content == "The tool took longer than 0.1 s."
    assert run.status == "completed"


def test_an_awaited_run_interrupts_a_slow_tool_too() -> None:
    def slow() -> None:
        time.sleep(30)

    run = asyncio.run(
        agent([turn(request("a", "slow")), "ok"], [Tool(slow, ToolOptions(timeout_s=0.1))]).arun(
            "Go", log="memory"
        )
    )
    assert (run.calls[0].status, run.status) == ("timed_out", "completed")


def test_a_slow_tool_that_waits_for_a_run_of_its_own_is_interrupted() -> None:
    async def forever() -> None:
        await asyncio.sleep(30)

    def outer() -> str:
        inner = agent([turn(request("x", "forever")), "ok"], [forever])
        return inner.run("Go", log="memory").text

    run = agent([turn(request("a", "outer")), "ok"], [Tool(outer, ToolOptions(timeout_s=0.2))]).run(
        "Go", log="memory"
    )
    assert (run.calls[0].status, run.status) == ("timed_out", "completed")


def test_a_thread_that_takes_too_long_is_reported_as_possibly_running() -> None:
    release = threading.Event()

    def slow() -> None:
        release.wait(30)

    run = agent(
        [turn(request("a", "slow")), "ok"], [Tool(slow, ToolOptions(thread=True, timeout_s=0.05))]
    ).run("Go", log="memory")
    release.set()
    assert run.calls[0].status == "timed_out"
    assert run.calls[0].content == "The tool took longer than 0.05 s. It may still be running."


def test_a_passing_failure_of_an_idempotent_tool_is_tried_again_unasked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("nbagents.runs.policy.budget.FIRST_WAIT_S", 0.0)
    tries: list[int] = []

    def fetch() -> str:
        tries.append(1)
        if len(tries) < 3:
            raise ConnectionError("gone")
        return "here"

    tool = Tool(fetch, ToolOptions(retries=2, idempotent=True))
    run = agent([turn(request("a", "fetch")), "ok"], [tool]).run("Go", log="memory")
    assert (len(tries), run.calls[0].content, len(run.calls)) == (3, "here", 1)


def test_a_tool_with_side_effects_is_not_tried_again_unasked() -> None:
    tries: list[int] = []

    def send() -> str:
        tries.append(1)
        raise ConnectionError("gone")

    tool = Tool(send, ToolOptions(retries=2))
    agent([turn(request("a", "send")), "ok"], [tool]).run("Go", log="memory")
    assert len(tries) == 1


def test_a_spent_budget_ends_the_calls_of_that_tool() -> None:
    def broken() -> str:
        raise ValueError("no")

    steps = [turn(request(str(number), "broken")) for number in range(3)]
    tool = Tool(broken, ToolOptions(retries=1))
    run = agent([*steps, "ok"], [tool]).run("Go", log="memory")
    first, second, third = run.calls
    assert "may not be called again" not in (first.content or "")
    assert "may not be called again" in (second.content or "")
    assert third.content == (
        "'broken' failed 2 times in this run and is not called again: go on without it."
    )
    assert [one.type for one in run.events].count("tool_start") == 2


def test_a_success_restores_the_budget() -> None:
    def odd(number: int) -> str:
        if number % 2:
            return "fine"
        raise ValueError("even")

    numbers = [0, 1, 0, 1, 0]
    steps = [turn(request(str(at), "odd", number=one)) for at, one in enumerate(numbers)]
    tool = Tool(odd, ToolOptions(retries=1))
    run = agent([*steps, "ok"], [tool]).run("Go", log="memory")
    assert [call.status for call in run.calls] == ["failed", "done"] * 2 + ["failed"]
    assert all("again" not in (call.content or "") for call in run.calls)


def test_on_error_gives_the_model_the_tools_own_words() -> None:
    async def explain(ctx: Context, error: Exception) -> str:
        await asyncio.sleep(0)
        return f"{ctx.tool_name} could not: {type(error).__name__}"

    def broken(number: int) -> str:
        raise KeyError(number)

    tool = Tool(broken, ToolOptions(on_error=explain))
    steps = turn(request("a", "broken", number=1), request("b", "broken", number="x"))
    run = agent([steps, "ok"], [tool]).run("Go", log="memory")
    assert [call.content for call in run.calls] == [
        "broken could not: KeyError",
        "broken could not: ToolArgumentsError",
    ]
    assert [call.status for call in run.calls] == ["failed", "failed"]


def test_on_error_none_fails_the_run_with_that_very_error() -> None:
    error = KeyError("mine")

    def broken(number: int) -> str:
        raise error

    tool = Tool(broken, ToolOptions(on_error=None))
    with pytest.raises(KeyError) as caught:
        agent([turn(request("a", "broken", number=1)), "ok"], [tool]).run("Go", log="memory")
    assert caught.value is error
    run = run_of(caught.value)
    assert (run.status, run.calls[0].status) == ("failed", "failed")
    with pytest.raises(ToolArgumentsError, match="do not fit"):
        agent([turn(request("a", "broken", number="x")), "ok"], [tool]).run("Go", log="memory")


def test_on_error_none_ends_the_calls_beside_it() -> None:
    cleaned: list[bool] = []

    async def broken() -> str:
        await asyncio.sleep(0)
        raise ToolTimeoutError("mine")

    async def other() -> None:
        try:
            await asyncio.sleep(30)
        finally:
            cleaned.append(True)

    tools = [Tool(broken, ToolOptions(on_error=None)), other]
    with pytest.raises(ToolTimeoutError) as caught:
        agent([turn(request("a", "broken"), request("b", "other"))], tools).run("Go", log="memory")
    run = run_of(caught.value)
    assert [call.status for call in run.calls] == ["timed_out", "cancelled"]
    assert cleaned == [True]


@pytest.mark.parametrize(
    ("answer", "status", "outcome"),
    [(True, "done", "answered"), (False, "denied", "denied"), (None, "denied", "denied")],
)
def test_a_tool_that_wants_consent_is_made_only_with_it(
    *, answer: bool | None, status: str, outcome: str
) -> None:
    done: list[str] = []

    async def delete(path: str) -> str:
        done.append(path)
        return "gone"

    host = ShowingHost(answer=answer)
    tool = Tool(delete, ToolOptions(ask=True))
    run = agent([turn(request("a", "delete", path="x.txt")), "ok"], [tool]).run(
        "Go", log="memory", host=host
    )
    assert host.asked == ['Run delete(path="x.txt")?']
    assert run.calls[0].status == status
    assert done == (["x.txt"] if answer else [])
    (resolved,) = [event for event in run.events if event.type == "await_resolved"]
    (said,) = [event for event in run.events if event.type == "tool_authorization"]
    assert (resolved.outcome, said.approved) == (outcome, bool(answer))
    assert said.approved_by == (
        "the policy for runs without a person" if answer is None else "the person"
    )


def test_calls_of_a_sequential_agent_see_the_effects_of_those_before() -> None:
    seen: list[str] = []

    async def first() -> str:
        await asyncio.sleep(0.01)
        seen.append("first")
        return "1"

    async def second() -> str:
        seen.append("second")
        return "2"

    made = agent([turn(request("a", "first"), request("b", "second")), "ok"], [first, second])
    run = made.run("Go", log="memory")
    assert seen == ["second", "first"]
    seen.clear()
    one_by_one = agent(
        [turn(request("a", "first"), request("b", "second")), "ok"], [first, second], parallel=False
    )
    run = one_by_one.run("Go", log="memory")
    assert seen == ["first", "second"]
    assert [call.content for call in run.calls] == ["1", "2"]


def test_a_failure_that_says_finish_lets_no_call_follow() -> None:
    def closed() -> str:
        raise ToolError("The office is closed.", recovery="finish")

    steps = [turn(request("a", "closed")), "I could not."]
    made = agent(steps, [closed])
    run = made.run("Go", log="memory")
    assert (run.text, run.status) == ("I could not.", "completed")
    assert made.model.requests[-1].tool_choice == "none"  # pyright: ignore  a ScriptedModel


def test_arguments_that_nest_without_end_are_told_to_the_model() -> None:
    def take(items: list[object]) -> int:
        return len(items)

    deep = CallRequest(id="a", name="take", arguments='{"items":' + "[" * 1500 + "]" * 1500 + "}")
    run = agent([turn(deep), "ok"], [take]).run("Go", log="memory")
    assert run.calls[0].failure is not None
    assert run.calls[0].failure.kind == "invalid_call"
    assert run.status == "completed"
