"""Runs inside of a call that is made again: what had ended is given again as it ended."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Awaitable
from typing import Any

import pytest
from pydantic import BaseModel

from nbagents.agents import Agent
from nbagents.errors import ModelError, RunError
from nbagents.models.model import ModelPart, ModelRequest
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.policy.guardrails import Refuse
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.call.invocation import CallStopped
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, turn


class Trip(BaseModel):
    """Where to."""

    days: int


def asking(work: Any, **options: Any) -> Agent:
    return agent([turn(request("w", work.__name__)), "done"], [work], on_await="suspend", **options)


@pytest.mark.parametrize(
    ("error", "kind"), [(RuntimeError("no luck"), RunError), (ModelError("no net"), ModelError)]
)
def test_a_run_that_had_failed_fails_again_and_is_not_made_again(
    error: Exception, kind: type[Exception]
) -> None:
    bad = Agent("bad", model=ScriptedModel([error, "now I work"]))
    good = Agent("good", model=ScriptedModel(["the good one"]))
    raised: list[Exception] = []

    def work(ctx: Context) -> str:
        "Work."
        try:
            text = ctx.run(bad, "x").text
        except Exception as failed:  # noqa: BLE001  what it is, is looked at below
            raised.append(failed)
            text = ctx.run(good, "x").text
        return f"{text} for {ctx.ask('Whom?')}"

    made = asking(work)
    last = made.resume(made.run("Go", log="memory"), answer="Ada")
    assert (last.status, last.calls[0].content) == ("completed", "the good one for Ada")
    assert isinstance(raised[1], kind)
    assert str(raised[1]) == str(error)
    assert isinstance(bad.model, ScriptedModel)
    assert len(bad.model.requests) == 1


def test_in_an_async_tool_it_is_raised_where_it_is_awaited() -> None:
    bad = Agent("bad", model=ScriptedModel([RuntimeError("no luck"), "now I work"]))

    async def work(ctx: Context) -> str:
        "Work."
        running: Awaitable[Run] = ctx.run(bad, "x")
        (said,) = await asyncio.gather(running, return_exceptions=True)
        return f"{said} for {await ctx.ask('Whom?')}"

    made = asking(work)
    last = made.resume(made.run("Go", log="memory"), answer="Ada")
    assert last.calls[0].content == "no luck for Ada"


class Slow(ScriptedModel):
    """A model that is stopped before its first answer."""

    asked: threading.Event

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPart]:
        if not self.asked.is_set():
            self.asked.set()
            await asyncio.sleep(60)
        async for part in super().stream(request):
            yield part


def slow_agent() -> tuple[Agent, threading.Event]:
    model = Slow(["at last"])
    model.asked = threading.Event()
    return Agent("slow", model=model), model.asked


def test_one_that_a_person_had_stopped_stays_stopped() -> None:
    slow, asked = slow_agent()

    async def work(ctx: Context) -> str:
        "Work."
        try:
            text = (await ctx.run(slow, "x")).text
        except CallStopped as stopped:
            text = str(stopped)
        return f"{text} For {await ctx.ask('Whom?')}"

    made = asking(work)
    run = made.start("Go", log="memory")
    assert asked.wait(20)
    (child,) = run.children
    child.stop()
    run.wait(20)
    assert (run.status, child.status) == ("suspended", "cancelled")
    last = made.resume(run, answer="Ada")
    assert last.calls[0].content == "The person stopped 'slow'. For Ada"


@pytest.mark.parametrize(("is_known", "told"), [(True, "no luck"), (False, "at last")])
def test_after_a_kernel_died_a_failure_stands_that_the_tool_had_heard_of(
    is_known: bool,  # noqa: FBT001
    told: str,
) -> None:
    bad = Agent("bad", model=ScriptedModel([RuntimeError("no luck"), "at last"]))

    def work(ctx: Context) -> str:
        "Work."
        try:
            text = ctx.run(bad, "x").text
        except RunError as failed:
            text = str(failed)
        except RuntimeError as failed:
            text = str(failed)
        return f"{text} for {ctx.ask('Whom?')}"

    resumable = Tool(work, ToolOptions(resumable=True))
    made = asking(resumable)
    run = made.run("Go", log="memory")
    (child,) = run.children
    log = MemoryLog()
    for event in run.events:
        is_last = event.run_id == child.id and event.type == "run_stream_end"
        if event.type != "workflow" or event.phase != "suspended":
            log.append(event)
        if is_last and not is_known:
            break

    def ada(_: Await) -> Answer:
        return Answer(action="answer", value="Ada")

    after = agent(["done"], [resumable], on_await=ada)
    last = after.resume(run.id, log=Session(log))
    assert last.calls[0].content == f"{told} for Ada"


def trip_of(run: Run) -> object:
    (call,) = run.calls
    return call.content


@pytest.mark.parametrize(
    ("first", "second", "answer", "told"),
    [
        (Trip, None, "by train", "'by train' for Ada"),
        (None, Trip, '{"days": 2}', "Trip(days=2) for Ada"),
        (Trip, Trip, '{"days": 2}', "Trip(days=2) for Ada"),
        (None, None, "by train", "'by train' for Ada"),
    ],
)
def test_an_answer_is_read_by_the_form_of_who_gave_it(
    first: Any, second: Any, answer: str, told: str
) -> None:
    other = Agent("other", model=ScriptedModel([answer]), output=second)
    steps = [turn(request("t", "transfer_to_other"))]
    inner = Agent("inner", model=ScriptedModel(steps), output=first, handoffs=[other])

    def work(ctx: Context) -> str:
        "Work."
        given = ctx.run(inner, "x").output
        return f"{given!r} for {ctx.ask('Whom?')}"

    made = asking(work)
    last = made.resume(made.run("Go", log="memory"), answer="Ada")
    assert trip_of(last) == told


def test_what_a_check_said_instead_of_an_answer_has_no_form() -> None:
    def never(_ctx: Context, _prompt: str) -> Refuse:
        return Refuse("Not this.")

    inner = Agent("inner", model=ScriptedModel([]), output=Trip, input_guardrails=[never])

    def work(ctx: Context) -> str:
        "Work."
        given = ctx.run(inner, "x").output
        return f"{given!r} for {ctx.ask('Whom?')}"

    made = asking(work)
    first = made.run("Go", log="memory")
    assert first.children[0].status == "denied"
    assert trip_of(made.resume(first, answer="Ada")) == "'Not this.' for Ada"
