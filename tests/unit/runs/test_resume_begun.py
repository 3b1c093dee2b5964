"""A call that had begun is made again only where its tool says that it may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.errors import RunError
from nbagents.events import AnyEvent
from nbagents.messages import ToolMessage
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, turn

MAY: list[dict[str, Any]] = [{"resumable": True}, {"idempotent": True}]
MAY_NOT: list[dict[str, Any]] = [
    {},
    {"resumable": False},
    {"idempotent": False},
    {"retries": 3},
]


@pytest.fixture(name="charged")
def _charged() -> list[str]:
    """What was charged."""
    return []


def charging(charged: list[str], inner: Agent, options: dict[str, Any]) -> Tool:
    """A tool that does something before it asks another agent."""

    def charge(ctx: Context) -> str:
        """Charge the card, and have another agent write the receipt."""
        charged.append("card")
        return ctx.run(inner, "Write a receipt.").text

    return Tool(charge, ToolOptions(**options))


def cut(run: Run, is_last: Callable[[AnyEvent], bool]) -> Session:
    """What the log of a run has that died with its kernel at an event."""
    session = Session(MemoryLog())
    for event in run.events:
        session.log.append(event)
        if is_last(event):
            return session
    raise AssertionError("there is no such event")


def told(run: Run) -> list[str]:
    return [one.content for one in run.messages if isinstance(one, ToolMessage)]


def killed(tool: Tool, where: str) -> tuple[Agent, Run, Session]:
    """An agent whose kernel died in the call, while the run inside of it went on, or after."""
    made = agent([turn(request("c", "charge")), "done"], [tool])
    run = made.run("Go", log=Session(MemoryLog()))
    (child,) = run.children
    wanted = {"linked": "child_run_linked", "inside": "user_message", "after": "run_stream_end"}
    inside = where != "linked"
    session = cut(run, lambda one: one.type == wanted[where] and (one.run_id == child.id) is inside)
    return agent(["sorry"], [tool]), run, session


@pytest.mark.parametrize("where", ["linked", "inside", "after"])
@pytest.mark.parametrize("options", MAY_NOT, ids=str)
def test_a_call_with_a_run_inside_is_not_begun_again_after_its_kernel_died(
    charged: list[str], options: dict[str, Any], where: str
) -> None:
    inner = Agent("inner", model=ScriptedModel(["receipt", "again"]))
    made, run, session = killed(charging(charged, inner, options), where)
    again = made.resume(run.id, log=session)
    assert charged == ["card"]
    assert again.text == "sorry"
    assert told(again)[0].startswith("It is not known how this call ended")


@pytest.mark.parametrize("where", ["linked", "inside", "after"])
@pytest.mark.parametrize("options", MAY, ids=str)
def test_it_is_where_its_tool_says_so(
    charged: list[str], options: dict[str, Any], where: str
) -> None:
    inner = Agent("inner", model=ScriptedModel(["receipt", "again"]))
    made, run, session = killed(charging(charged, inner, options), where)
    again = made.resume(run.id, log=session)
    assert charged == ["card", "card"]
    assert told(again)[0] in ("receipt", "again")


@pytest.mark.parametrize("options", MAY, ids=str)
def test_a_plain_call_that_had_begun_is_made_again_by_the_same_word(
    charged: list[str], options: dict[str, Any]
) -> None:
    def charge() -> str:
        charged.append("card")
        return "paid"

    tool = Tool(charge, ToolOptions(**options))
    run = agent([turn(request("c", "charge")), "done"], [tool]).run("Go", log="memory")
    died = cut(run, lambda one: one.type == "tool_start")
    again = agent(["good"], [tool]).resume(run.id, log=died)
    assert (again.text, told(again), charged) == ("good", ["paid"], ["card", "card"])


def suspended(charged: list[str], **options: Any) -> tuple[Agent, Run, list[str]]:
    """A run whose call waits in a run inside of it, for leave to wipe."""
    wiped: list[str] = []

    def wipe() -> str:
        wiped.append("disk")
        return "wiped"

    steps = [turn(request("w", "wipe")), "receipt"]
    low = Agent("low", tools=[Tool(wipe, ToolOptions(ask=True))], model=ScriptedModel(steps))
    tool = charging(charged, low, options)
    made = agent([turn(request("c", "charge")), "done"], [tool], on_await="suspend")
    return made, made.run("Go", log=Session(MemoryLog())), wiped


def test_a_suspended_call_with_a_run_inside_is_not_begun_again_and_the_answer_is_not_lost(
    charged: list[str],
) -> None:
    made, run, wiped = suspended(charged)
    assert run.status == "suspended"
    with pytest.raises(RunError, match=r"'charge'.*resumable=True"):
        made.resume(run, answer=True)
    assert (charged, wiped) == (["card"], [])
    again = made.resume(run)  # the run was not used up
    assert (again.status, charged, wiped) == ("completed", ["card"], [])
    assert "does not say that it may begin anew" in told(again)[0]


def test_it_is_where_its_tool_is_resumable(charged: list[str]) -> None:
    made, run, wiped = suspended(charged, resumable=True)
    again = made.resume(run, answer=True)
    assert (again.status, charged, wiped) == ("completed", ["card", "card"], ["disk"])


def test_agents_as_tools_and_exports_are_resumable() -> None:
    low = Agent("low", model=ScriptedModel([]))

    def plan(days: int) -> str:
        """Plan a trip."""
        raise NotImplementedError

    planner = Agent("planner", model=ScriptedModel([]), exports={"trips": [plan]})
    assert low.as_tool().options.resumable
    assert [tool.options.resumable for tool in planner.exports["trips"].tools()] == [True]
