"""A key is in no edit that runs, and in nothing that an object or asyncio says."""

from __future__ import annotations

import asyncio
import gc

import pytest

from nbagents.agents import Agent
from nbagents.notebook.cards.preview import preview_card
from nbagents.notebook.cards.tool import tool_card
from nbagents.redaction import MARK
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.session import Session
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.faults.looking import assert_nowhere
from tests.faults.test_secrets import SAID, know, printed, returned
from tests.unit.models.provider import KEY
from tests.unit.runs.desk import agent, request, turn


def edited(given: list[str], **edit: str) -> tuple[Agent, Tool]:
    def pay(to: str, token: str = "none") -> str:
        """Pay."""
        given.append(token)
        return f"paid {to}"

    def change(question: Await) -> Answer:
        shown = question.arguments
        assert isinstance(shown, dict)
        return Answer(action="approve", arguments={**shown, **edit})

    tool = Tool(pay, ToolOptions(ask=True))
    made = agent([turn(request("c", "pay", to="Ada", token="a")), "done"], [tool], on_await=change)
    return made, tool


@pytest.mark.parametrize("token", [MARK, f"Bearer {MARK}", f"{MARK}{MARK}"])
def test_an_edit_that_holds_the_mark_is_refused_and_nothing_runs(token: str) -> None:
    given: list[str] = []
    made, _ = edited(given, token=token)
    with pytest.raises(ValueError, match=r"token holds .*leave token as it was"):
        made.run("Go", log="memory")
    assert given == []


def test_what_the_model_itself_wrote_stays_where_another_argument_is_edited() -> None:
    given: list[str] = []
    _, tool = edited(given)
    step = turn(request("c", "pay", to="Ada", token=MARK))

    def change(_: Await) -> Answer:
        return Answer(action="approve", arguments={"to": "Bob", "token": MARK})

    agent([step, "done"], [tool], on_await=change).run("Go", log="memory")
    assert given == [MARK]


def test_an_edit_that_held_a_secret_is_not_made_from_the_log(session: Session) -> None:
    know()
    given: list[str] = []
    made, tool = edited(given, token=KEY)
    run = made.run("Go", log=session)
    assert given == [KEY]
    cut = Session(MemoryLog())
    for event in run.events:
        if event.type == "tool_start":
            break
        cut.log.append(event)
    again = agent(["done"], [tool]).resume(run.id, log=cut)
    assert given == [KEY]
    assert any("held a secret" in getattr(one, "content", "") for one in again.messages)


def test_in_what_objects_say_of_themselves() -> None:
    know()
    made = agent([turn(request("c", "returned")), SAID], [returned], instructions=SAID, handoffs=())
    preview = made.preview(SAID)
    run = made.run(SAID, log="memory")
    answered = Answer(action="answer", value=KEY, note=KEY)
    for one in (made, preview, run.messages, run.events, run.calls, answered, *run.messages):
        assert_nowhere(f"{one!r} {one}", type(one).__name__)
    for said in preview_card(preview).values():
        assert_nowhere(str(said), "the card of a preview")
    for said in tool_card(Tool(printed, ToolOptions(description=SAID))).values():
        assert_nowhere(str(said), "the card of a tool")


def test_in_what_asyncio_says_of_a_task_of_a_tool(caplog: pytest.LogCaptureFixture) -> None:
    know()

    async def spawn() -> str:
        """Begin something, and forget it."""

        async def fail() -> None:
            raise RuntimeError(SAID)

        asyncio.get_running_loop().create_task(fail(), name=KEY)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gc.collect()
        return "begun"

    run = agent([turn(request("c", "spawn")), "said"], [spawn]).run("Go", log="memory")
    assert (run.status, run.calls[0].status) == ("completed", "done")
    assert "never retrieved" in caplog.text
    assert MARK in caplog.text
    assert_nowhere(caplog.text, "the log of asyncio")
