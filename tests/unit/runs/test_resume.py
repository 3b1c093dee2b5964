"""Suspended runs, and those of a dead kernel, are gone on with; nothing is done twice."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from nbagents.agents import Agent
from nbagents.errors import RunError
from nbagents.events import AnyEvent
from nbagents.messages import ToolMessage
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.desk import Answer
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, run_of, turn


@pytest.fixture(name="session")
def _session() -> Session:
    return Session(MemoryLog())


@pytest.fixture(name="done")
def _done() -> list[str]:
    """What tools have really done, in order."""
    return []


@pytest.fixture(name="tools")
def _tools(done: list[str]) -> list[Tool]:
    def wipe(path: str) -> str:
        "Wipe."
        done.append(f"wipe {path}")
        return f"wiped {path}"

    def look(path: str) -> str:
        "Look."
        done.append(f"look {path}")
        return f"seen {path}"

    async def name(ctx: Context) -> str:
        "Ask for a name."
        first = await ctx.ask("First name?")
        done.append("asked")
        last = await ctx.ask("Last name?")
        return f"{first} {last}"

    return [Tool(wipe, ToolOptions(ask=True)), Tool(look), Tool(name)]


def suspending(steps: list[Any], tools: Any, **options: Any) -> Agent:
    return agent(steps, tools, on_await="suspend", **options)


def test_a_suspended_run_ends_as_such_and_waits_in_the_log(
    session: Session, tools: list[Tool], done: list[str]
) -> None:
    calls = turn(request("a", "wipe", path="x"), request("b", "look", path="y"))
    run = suspending([calls], tools).run("Go", log=session)
    assert (run.status, done) == ("suspended", ["look y"])
    assert [call.status for call in run.calls] == ["waiting", "done"]
    (asked,) = run.tree()["runs"][run.id]["awaits"]
    assert asked["outcome"] is None
    assert run.events[-1].type == "run_stream_end"
    assert [event.tool_call_id for event in run.events if event.type == "tool_end"] == ["b"]


@pytest.mark.parametrize("said", [True, Answer(action="approve")])
def test_it_is_gone_on_with_and_no_finished_call_is_repeated(
    session: Session, tools: list[Tool], done: list[str], said: Any
) -> None:
    calls = turn(request("a", "wipe", path="x"), request("b", "look", path="y"))
    made = suspending([calls, "done"], tools)
    first = made.run("Go", log=session, labels={"team": "red"})
    run = made.resume(first, answer=said)
    assert (run.status, run.text, done) == ("completed", "done", ["look y", "wipe x"])
    assert run.tree()["runs"][run.id]["resumed_from"] == first.id
    told = [(one.call_id, one.content) for one in run.messages if isinstance(one, ToolMessage)]
    assert told == [("a", "wiped x"), ("b", "seen y")]
    ends = [one.tool_call_id for one in [*first.events, *run.events] if one.type == "tool_end"]
    assert sorted(ends) == ["a", "b"]
    assert run.labels == {"team": "red"}


def test_what_is_open_is_asked_again(session: Session, tools: list[Tool], done: list[str]) -> None:
    steps: list[Any] = [turn(request("a", "wipe", path="x")), "done"]
    made = suspending(steps, tools)
    first = made.run("Go", log=session)
    asks = Agent(
        "tester", tools=tools, model=made.model, on_await=lambda _: Answer(action="deny", note="no")
    )
    run = asks.resume(first)
    assert (run.calls[0].status, done) == ("denied", [])


def test_a_tool_that_asked_in_its_middle_is_given_the_answers_that_it_had(
    session: Session, tools: list[Tool], done: list[str]
) -> None:
    made = suspending([turn(request("a", "name")), "done"], tools)
    first = made.run("Go", log=session)
    second = made.resume(first, answer="Ada")
    assert (second.status, done) == ("suspended", ["asked"])
    run = made.resume(second, answer="Lovelace")
    assert (run.calls[0].value, run.status) == ("Ada Lovelace", "completed")


def test_a_suspended_child_suspends_the_runs_above_and_is_gone_on_with_in_its_place(
    session: Session, tools: list[Tool], done: list[str]
) -> None:
    steps = [turn(request("l", "look", path="1")), turn(request("w", "wipe", path="2")), "low"]
    low = Agent("low", tools=tools, model=ScriptedModel(steps))
    quick = Agent("quick", model=ScriptedModel(["quick"]))

    async def ask(ctx: Context) -> str:
        before = (await ctx.run(quick, "Go")).text
        return f"{before} {(await ctx.run(low, 'Go')).text}"

    resumable = Tool(ask, ToolOptions(resumable=True))
    made = suspending([turn(request("a", "ask")), "done"], [resumable])
    first = made.run("Go", log=session)
    assert [one.status for one in (first, *first.children)] == [
        "suspended",
        "completed",
        "suspended",
    ]
    assert first.calls[0].status == "waiting"
    run = made.resume(first, answer=True)
    assert (run.calls[0].value, run.text) == ("quick low", "done")
    assert done == ["look 1", "wipe 2"]
    (child,) = run.children
    node = run.tree()["runs"][child.id]
    assert node["resumed_from"] == first.children[1].id
    assert (node["parent_run_id"], node["parent_tool_call_id"]) == (run.id, "a")


def test_a_chat_goes_on_with_the_resumed_run(session: Session, tools: list[Tool]) -> None:
    made = suspending([turn(request("a", "wipe", path="x")), "wiped", "again"], tools)
    first = made.run("Wipe x", log=session, chat="trip")
    assert session.chats.get("trip").messages == ()
    made.resume(first, answer=True)
    made.run("And now?", log=session, chat="trip")
    assert isinstance(made.model, ScriptedModel)
    said = [getattr(one, "text", "") for one in made.model.requests[-1].messages]
    assert said[:5] == ["Wipe x", "", "", "wiped", "And now?"]  # and what was said to it


def in_new_kernels(path: Path) -> Generator[Session]:
    while True:
        log = SqliteLog(path)
        yield Session(log)
        log.close()


def test_a_run_is_gone_on_with_after_a_restart(
    tmp_path: Path, tools: list[Tool], done: list[str]
) -> None:
    sessions = in_new_kernels(tmp_path / "log.sqlite3")
    calls = turn(request("a", "wipe", path="x"), request("b", "look", path="y"))
    run_id = suspending([calls], tools).run("Go", log=next(sessions)).id
    third = turn(request("c", "name"))
    second = suspending([third], tools).resume(run_id[:10], log=next(sessions), answer=True)
    assert (second.status, done) == ("suspended", ["look y", "wipe x"])
    third_id, session = second.id, next(sessions)
    third_run = suspending([], tools).resume(third_id, log=session, answer="Ada")
    run = suspending(["done"], tools).resume(third_run.id, log=next(sessions), answer="L")
    assert (run.status, run.calls[0].value) == ("completed", "Ada L")
    assert len(run.messages) == 7
    sessions.close()


def test_of_a_dead_kernel_what_had_begun_is_not_done_again(
    tools: list[Tool], done: list[str]
) -> None:
    whole = Session(MemoryLog())
    calls = turn(request("a", "look", path="1"), request("b", "look", path="2"))
    made = agent([calls, "done"], tools, parallel=False)
    run = made.run("Go", log=whole)
    broken = Session(MemoryLog())
    for event in run.events:
        if event.type == "tool_end" and event.tool_call_id == "a":
            break  # the kernel died in mid-call
        broken.log.append(event)
    done.clear()
    again = agent(["sorry"], tools).resume(run.id, log=broken)
    told = [one.content for one in again.messages if isinstance(one, ToolMessage)]
    assert "not known" in told[0]
    assert (told[1], done) == ("seen 2", ["look 2"])


def test_what_has_ended_is_not_gone_on_with(session: Session, tools: list[Tool]) -> None:
    made = agent(["done"], tools)
    run = made.run("Go", log=session)
    with pytest.raises(RunError, match="has ended"):
        made.resume(run)
    with pytest.raises(RunError, match="no run 'run-of-yore'"):
        made.resume("run-of-yore", log=session)


def test_one_answer_is_for_one_question(session: Session, tools: list[Tool]) -> None:
    calls = turn(request("a", "wipe", path="x"), request("b", "wipe", path="y"))
    made = suspending([calls, "done"], tools)
    run = made.run("Go", log=session)
    with pytest.raises(ValueError, match="open is"):
        made.resume(run, answer=True)
    first, second = run.tree()["runs"][run.id]["awaits"]
    both = made.resume(run, answer={first["id"]: True, second["id"]: False})
    assert [call.status for call in both.calls] == ["done", "denied"]


def test_an_awaited_run_is_gone_on_with(session: Session, tools: list[Tool]) -> None:
    made = suspending([turn(request("a", "wipe", path="x")), "done"], tools)
    run: Run = asyncio.run(made.arun("Go", log=session))
    assert asyncio.run(made.aresume(run, answer=True)).text == "done"


def test_a_stopped_run_is_gone_on_with(session: Session, done: list[str]) -> None:
    def leave() -> str:
        done.append("left")
        signal.raise_signal(signal.SIGINT)
        return "left"

    made = agent([turn(request("a", "leave")), "sorry"], [leave])
    with pytest.raises(KeyboardInterrupt) as caught:
        made.run("Go", log=session)
    run = made.resume(run_of(caught.value))
    assert (run.text, done) == ("sorry", ["left"])


def events_by_run(events: list[AnyEvent]) -> dict[str, list[AnyEvent]]:
    found: dict[str, list[AnyEvent]] = {}
    for event in events:
        found.setdefault(event.run_id, []).append(event)
    return found


def test_each_run_of_a_suspended_tree_has_its_end(session: Session, tools: list[Tool]) -> None:
    low = Agent("low", tools=tools, model=ScriptedModel([turn(request("w", "wipe", path="2"))]))

    async def ask(ctx: Context) -> str:
        return (await ctx.run(low, "Go")).text

    run = suspending([turn(request("a", "ask"))], [ask]).run("Go", log=session)
    for own in events_by_run(list(run.events)).values():
        assert own[-1].type == "run_stream_end"
        assert [one.type for one in own].count("run_stream_end") == 1


def test_a_run_is_gone_on_with_by_its_own_agent(session: Session, tools: list[Tool]) -> None:
    made = suspending([turn(request("a", "wipe", path="x")), "done"], tools)
    run = made.run("Go", log=session)
    with pytest.raises(RunError, match="of the agent 'tester', not of 'other'"):
        Agent("other", tools=tools, model=made.model).resume(run, answer=True)


def test_a_denied_call_of_a_resumed_run_shows_what_was_denied(
    session: Session, tools: list[Tool]
) -> None:
    made = suspending([turn(request("a", "wipe", path="x")), "done"], tools)
    run = made.resume(made.run("Go", log=session), answer=False)
    assert (run.calls[0].status, run.calls[0].arguments) == ("denied", {"path": "x"})


def test_a_run_is_gone_on_with_once(session: Session, tools: list[Tool], done: list[str]) -> None:
    made = suspending([turn(request("a", "wipe", path="x")), "done", "again"], tools)
    first = made.run("Go", log=session)
    second = made.resume(first, answer=True)
    with pytest.raises(RunError, match=f"gone on with already, by {second.id}"):
        made.resume(first, answer=True)
    assert done == ["wipe x"]


def test_an_answer_that_does_not_fit_is_refused_and_the_run_can_still_be_gone_on_with(
    session: Session, tools: list[Tool], done: list[str]
) -> None:
    made = suspending([turn(request("a", "wipe", path="x")), "done"], tools)
    wrong = Answer(action="approve", arguments={"path": 7})
    first = made.run("Go", log=session)
    with pytest.raises(ValueError, match=r"path: .*string"):
        made.resume(first, answer=wrong)
    assert done == []
    assert made.resume(first, answer=True).text == "done"


class Place(BaseModel):
    """Where something is."""

    path: str


def test_a_child_that_is_gone_on_with_knows_its_input(session: Session, done: list[str]) -> None:
    def clean(ctx: Context) -> str:
        "Clean."
        done.append(ctx.tool_input.path)
        return "clean"

    model = ScriptedModel([turn(request("c", "clean")), "clean now"])
    low = Agent("low", tools=[Tool(clean, ToolOptions(ask=True))], model=model)
    asks = low.as_tool("ask_low", "Ask.", parameters=Place)
    made = suspending([turn(request("a", "ask_low", path="attic")), "done"], [asks])
    run = made.resume(made.run("Go", log=session), answer=True)
    assert (run.calls[0].content, done) == ("clean now", ["attic"])
