"""What a person says beforehand to what is open reaches the very question, or is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.events import AwaitClarification
from nbagents.runs.state.desk import Answer
from nbagents.runs.state.run.run import Run
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, turn


def sure(ctx: Context) -> str:
    "Ask whether."
    return f"said {ctx.confirm('Sure?')}"


def many(ctx: Context) -> str:
    "Ask how many."
    return f"{ctx.ask('How many?', form=int)}"


def is_it(ctx: Context) -> str:
    "Ask for a bool."
    return f"{ctx.ask('Is it?', form=bool)!r}"


def which(ctx: Context) -> str:
    "Ask which."
    return ctx.ask("Which?", options=["Oslo", "Rome"])


def name(ctx: Context) -> str:
    "Ask for a name."
    return ctx.ask("Who?")


def pay(n: int) -> str:
    "Pay."
    return f"paid {n}"


async def fetch(ctx: Context) -> str:
    "Have it fetched."
    return f"got {await ctx.external()!r}"


ASKS = {
    "sure": Tool(sure),
    "many": Tool(many),
    "is_it": Tool(is_it),
    "which": Tool(which),
    "name": Tool(name),
    "pay": Tool(pay, ToolOptions(ask=True)),
    "fetch": Tool(fetch),
}


def suspended(tool: str, **arguments: Any) -> tuple[Agent, Run]:
    made = agent([turn(request("a", tool, **arguments)), "done"], [ASKS[tool]], on_await="suspend")
    run = made.run("Go", log="memory")
    assert run.status == "suspended"
    return made, run


@pytest.mark.parametrize(
    ("tool", "said", "told"),
    [
        ("sure", True, "said True"),
        ("sure", False, "said False"),
        ("sure", "Yes", "said True"),
        ("sure", Answer(action="approve"), "said True"),
        ("is_it", True, "True"),
        ("is_it", False, "False"),
        ("many", 0, "0"),
        ("many", False, "Nobody answered: How many?"),
        ("which", "Rome", "Rome"),
        ("name", "Ada", "Ada"),
        ("fetch", 5, "got 5"),
        ("fetch", False, "got False"),
        ("fetch", {"x": 1}, "got {'x': 1}"),
        ("fetch", {"a": 7}, "got 7"),
        ("fetch", Answer(action="answer", value="t"), "got 't'"),
    ],
)
def test_what_fits_is_understood(tool: str, said: Any, told: str) -> None:
    made, run = suspended(tool)
    after = made.resume(run, answer=said)
    assert (after.status, after.calls[0].content) == ("completed", told)


@pytest.mark.parametrize(
    ("tool", "said", "why", "fits"),
    [
        ("which", "Paris", "'Paris' is none of the options: Oslo, Rome", "Oslo"),
        ("which", True, "no call that needs consent", "Oslo"),
        ("name", 7, "The answer is empty", "Ada"),
        ("pay", "yes", "'yes' is neither yes nor no. Give True or False", True),
        ("pay", Answer(action="approve", arguments={"n": "zz"}), "valid integer", True),
        ("sure", "Maybe", "none of the options: Yes, No", True),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_run(
    tool: str, said: Any, why: str, fits: Any
) -> None:
    made, run = suspended(tool, **({"n": 1} if tool == "pay" else {}))
    with pytest.raises(ValueError, match=why):
        made.resume(run, answer=said)
    assert run.session.log.resumed_by(run.id) is None
    assert made.resume(run, answer=fits).status == "completed"


def test_what_only_who_asks_can_check_is_refused_and_the_question_stays() -> None:
    made, run = suspended("many")
    with pytest.raises(ValueError, match=r"'How many\?' does not fit: .*valid integer") as raised:
        made.resume(run, answer="lots")
    by = run.session.log.resumed_by(run.id)
    assert by is not None
    assert by.run_id in str(raised.value)
    after = made.resume(by.run_id, log=run.session, answer=3)
    assert (after.status, after.calls[0].content) == ("completed", "3")


def test_it_is_refused_also_on_the_running_loop() -> None:
    made, run = suspended("many")
    with pytest.raises(ValueError, match="valid integer"):
        asyncio.run(made.aresume(run, answer="lots"))


async def plan(ctx: Context) -> str:
    "Plan."
    asked: list[Awaitable[str]] = [ctx.ask("City?"), ctx.ask("Hotel?")]
    city, hotel = await asyncio.gather(*asked)
    return f"{hotel} in {city}"


def open_ids(run: Run) -> dict[str, str]:
    asked = (one for one in run.events if isinstance(one, AwaitClarification))
    return {one.question: one.await_id for one in asked if one.run_id == run.id}


def test_two_questions_of_one_call_are_answered_by_their_ids() -> None:
    made = agent([turn(request("a", "plan")), "done"], [plan], on_await="suspend")
    run = made.run("Go", log="memory")
    ids = open_ids(run)
    after = made.resume(run, answer={ids["Hotel?"]: "Ritz", ids["City?"]: "Oslo"})
    assert (after.status, after.calls[0].content) == ("completed", "Ritz in Oslo")


@pytest.mark.parametrize("order", [("City?", "Hotel?"), ("Hotel?", "City?")])
def test_they_may_be_answered_one_after_the_other_in_any_order(order: tuple[str, str]) -> None:
    said = {"City?": "Oslo", "Hotel?": "Ritz"}
    made = agent([turn(request("a", "plan")), "done"], [plan], on_await="suspend")
    run = made.run("Go", log="memory")
    for words in order:
        assert run.status == "suspended"
        run = made.resume(run, answer={open_ids(run)[words]: said[words]})
    assert (run.status, run.calls[0].content) == ("completed", "Ritz in Oslo")
