"""A run from its events alone: what was said, what was called, what was asked."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nbagents import Context
from nbagents.errors import ModelError
from nbagents.messages import SystemMessage, ToolMessage, UserMessage
from nbagents.results import Result
from nbagents.runs.logs.history import read_events, read_line
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session
from nbagents.runs.tree.awaits import words_of
from nbagents.runs.tree.folding import fold
from nbagents.runs.tree.line import Line
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, double, request, run_of, treble, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.events import AnyEvent
    from nbagents.runs.logs.log import Log
    from nbagents.runs.state.run.run import Run


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    made: Log = MemoryLog() if request.param == "memory" else SqliteLog(tmp_path / "log.sqlite3")
    yield made
    made.close()


def again(run: Run) -> Line:
    """A run from what its log has of it."""
    return read(run.session.log, run.id)


def read(log: Log, run_id: str) -> Line:
    return Line(read_line(log, run_id), run_id)


def cut(run: Run, kind: str, nth: int = 1) -> Line:
    """The run as it would be if its process had been killed after the n-th event of a kind."""
    events: list[AnyEvent] = []
    for event in read_events(run.session.log, run.session.session_id, run_id=run.id):
        events.append(event)
        nth -= event.type == kind
        if not nth:
            break
    return Line(fold(events), run.id)


def fail() -> str:
    """Fail."""
    raise ValueError("no luck")


STEPS = [
    turn(request("c1", "treble", number=2), request("c2", "double", number=4), text="Both."),
    turn(request("c3", "fail")),
    turn(text="6, 8, and bad luck."),
]


def busy(log: Log, **options: Any) -> Run:
    asked = agent(STEPS, [treble, double, fail], instructions="Be brief.", **options)
    return asked.run("Work", log=Session(log), labels={"lesson": "3"}, chat="sums")


def test_the_conversation_is_that_of_the_run(log: Log) -> None:
    run = busy(log)
    assert again(run).messages == run.messages
    assert again(run).closed_turn == run.messages[1:]


def test_it_says_whose_run_it_was_and_under_what_rules(log: Log) -> None:
    run = busy(log, max_calls=9, approval="auto")
    told = again(run)
    node = told.run
    assert (told.agent_name, told.prompt, node["chat"]) == ("tester", "Work", "sums")
    assert (node["labels"], node["turn_id"]) == ({"lesson": "3"}, run.turn_id)
    assert (node["approval"], node["limits"]["max_steps"]) == ("auto", 10)
    assert node["limits"]["max_calls"] == 9
    assert (node["status"], told.pending, node["resumed_from"]) == ("completed", (), None)
    assert node["session_id"] == run.session.session_id


def test_results_are_kept_as_far_as_the_log_knows_them(log: Log) -> None:
    def show() -> Result:
        """Show something."""
        return Result("shown", data={"kind": "note", "text": "n"}, preview="a note", has_next=False)

    run = agent([turn(request("c1", "show"))], [show]).run("Show", log=Session(log))
    (one,) = again(run).finished.values()
    assert (one.content, one.status, one.preview, one.has_next) == (
        "shown",
        "done",
        "a note",
        False,
    )
    assert [payload.kind for payload in one.payloads] == ["note"]
    failed = again(busy(log)).finished["c3"]
    assert failed.failure is not None
    assert (failed.status, "no luck" in failed.content) == ("failed", True)


def test_of_a_process_that_was_killed_what_began_can_be_told_from_what_did_not(log: Log) -> None:
    calls = [request("c1", "double", number=1), request("c2", "double", number=2)]
    run = agent([turn(*calls), "never"], [double]).run("Work", log=Session(log))
    told = cut(run, "tool_start", 2)
    assert [call.id for call in told.pending] == ["c2"]
    assert told.started == {"c2"}
    assert (told.run["status"], list(told.finished)) == ("running", ["c1"])
    assert [one.role for one in told.messages] == ["user", "assistant"]


def test_a_conversation_that_broke_off_can_be_closed(log: Log) -> None:
    run = busy(log)
    broken = cut(run, "assistant_turn").closed_turn
    results = [one for one in broken if isinstance(one, ToolMessage)]
    assert [one.call_id for one in results] == ["c1", "c2"]
    assert all("Not done" in one.content and one.failed for one in results)
    begun = [one for one in cut(run, "tool_start").closed_turn if isinstance(one, ToolMessage)]
    assert "not known" in begun[0].content


@pytest.mark.parametrize("kind", ["run_start", "user_message", "prompt_rendered"])
def test_a_run_that_had_hardly_begun_can_be_read(log: Log, kind: str) -> None:
    told = cut(busy(log), kind)
    assert (told.pending, told.finished, told.run["status"]) == ((), {}, "running")
    assert told.closed_turn == tuple(one for one in told.messages if one.role != "system")


def test_a_run_that_failed_ends_as_its_messages_do(log: Log) -> None:
    down = agent([turn(request("c1", "double", number=1)), ModelError("down")], [double])
    with pytest.raises(ModelError) as caught:
        down.run("Work", log=Session(log))
    run = run_of(caught.value)
    assert again(run).messages == run.messages
    assert again(run).run["status"] == "failed"


def test_a_run_that_was_stopped_has_a_result_for_each_call(log: Log) -> None:
    async def stop_here() -> str:
        """Stop the run that calls."""
        while not runs:  # noqa: ASYNC110  another thread fills it
            await asyncio.sleep(0.001)
        runs[0].stop()
        await asyncio.sleep(5)
        return "never"

    runs: list[Run] = []
    calls = [request("c1", "stop_here"), request("c2", "treble", number=1)]
    asked = agent([turn(*calls)], [stop_here, treble])
    run = asked.start("Work", log=Session(log))
    runs.append(run)
    run.wait()
    told = again(run)
    assert (told.run["status"], told.pending) == ("cancelled", ())
    assert told.messages == run.messages
    assert told.finished["c1"].status == "cancelled"


def test_a_chat_is_rebuilt_with_what_was_said_before(log: Log) -> None:
    session = Session(log)
    steps = [STEPS[0], turn(text="6 and 8."), turn(text="As I said.")]
    asked = agent(steps, [treble, double], instructions="Short.")
    asked.run("Work", chat="sums", log=session)
    run = asked.run("Again?", chat="sums", log=session)
    assert again(run).messages == run.messages
    assert sum(isinstance(one, SystemMessage) for one in again(run).messages) == 1


def test_what_the_person_did_meanwhile_is_a_notice_and_a_correction_is_none(log: Log) -> None:
    told: list[Run] = []

    async def look() -> str:
        """Look."""
        told[0].notice("They moved the map.")
        return "seen"

    asked = agent(
        [turn(request("c1", "look")), turn(text="no number"), turn(text='{"value": 1}')],
        [look],
        output=int,
    )
    run, plan = asked.begin("Work", Session(log))
    told.append(run)
    run.notice("They moved the pin.")
    asyncio.run(_drive(run, plan))
    users = [one for one in again(run).messages if isinstance(one, UserMessage)]
    assert [one.is_notice for one in users] == [False, True, True, False]
    assert again(run).messages == run.messages


async def _drive(run: Run, plan: Any) -> None:
    from nbagents.runs.drive.entrance import run_async

    await run_async(run, plan)


def test_an_image_is_a_line_that_says_which(log: Log, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    asked = agent([turn(text="ok")])
    run = asked.run("Read", attach=tmp_path / "notes.txt", log=Session(log))
    assert again(run).messages[0] == UserMessage(text="Read\n[notes.txt: text/plain, 5 bytes]")


def test_a_run_that_nobody_knows_is_said(log: Log) -> None:
    assert read_line(log, "run-none")["runs"] == {}
    with pytest.raises(LookupError, match="run-none"):
        read(log, "run-none")


def test_other_events_and_the_same_ones_twice_change_nothing(log: Log) -> None:
    run = busy(log)
    other = agent([turn(text="else")]).run("Other", log=run.session)
    events = log.read(run.session.session_id)
    assert {one.run_id for one in events} == {run.id, other.id}
    told = Line(fold([*events, *events]), run.id)
    assert (told.run, told.messages) == (again(run).run, run.messages)


def ask_twice(ctx: Context) -> str:
    """Ask two things."""
    return f"{ctx.ask('How many?')} of {ctx.ask('What?')}"


def test_a_suspended_run_is_what_it_goes_on_from(log: Log) -> None:
    calls = [request("c1", "double", number=4), request("c2", "ask_twice")]
    asked = agent([turn(*calls), turn(text="done")], [double, ask_twice], on_await="suspend")
    run = asked.run("Go", log=Session(log))
    told = again(run)
    assert (told.run["status"], [one.id for one in told.pending]) == ("suspended", ["c2"])
    assert [one.role for one in told.messages] == ["user", "assistant"]
    assert told.finished["c1"].content == "8"
    (question,) = told.awaits["c2"]
    assert (words_of(question), question["outcome"]) == ("How many?", None)
    assert [one.role for one in told.closed_turn] == ["user", "assistant", "tool", "tool"]


def test_a_run_that_was_suspended_again_and_again_is_read_as_one(log: Log) -> None:
    asked = agent(
        [turn(request("c1", "ask_twice")), turn(text="3 of trees")],
        [ask_twice],
        on_await="suspend",
    )
    session = Session(log)
    first = asked.run("Go", log=session)
    second = asked.resume(first.id, answer="3", log=Session(log))
    told = again(second)
    assert (told.run["status"], told.prompt) == ("suspended", "Go")
    assert told.run["resumed_from"] == first.id
    assert [(words_of(one), one["answer"]) for one in told.awaits["c1"]] == [
        ("How many?", "3"),
        ("What?", None),
    ]
    third = asked.resume(second.id, answer="trees", log=session)
    assert third.text == "3 of trees"
    whole = again(third)
    assert [one["answer"] for one in whole.awaits["c1"]] == ["3", "trees"]
    assert whole.pending == ()
    assert whole.messages == third.messages
    assert whole.finished["c1"].content == "3 of trees"


def test_a_child_that_was_gone_on_with_stands_where_it_stood(log: Log) -> None:
    helper = agent(
        [turn(request("h1", "ask_twice")), turn(text="helped")], [ask_twice], on_await="suspend"
    )

    def ask_helper(ctx: Context) -> str:
        """Ask the helper."""
        return ctx.run(helper, "Help").text

    again_helper = Tool(ask_helper, ToolOptions(resumable=True))
    asked = agent([turn(request("c1", "ask_helper")), turn(text="done")], [again_helper])
    run = asked.run("Go", log=Session(log))
    (child,) = again(run).children["c1"]
    assert read(log, child).run["status"] == "suspended"
    resumed = asked.resume(run.id, answer="3", log=run.session)
    (newest,) = again(resumed).children["c1"]
    assert newest != child
    assert read(log, newest).run["resumed_from"] == child


KILLED = """
import os, sys
from pathlib import Path
from nbagents import Agent, ScriptedModel, Session
from nbagents.models.scripted import call
from nbagents.runs.logs.sqlite.log import SqliteLog

def first() -> str:
    "End well."
    return "ended"

def dies() -> str:
    "Kill this process."
    os.kill(os.getpid(), 9)

def later() -> str:
    "Never be called."
    return "never"

model = ScriptedModel([[call("first"), call("dies"), call("later")]])
agent = Agent("doomed", tools=[first, dies, later], model=model)
agent.run("Go", chat="end", log=Session(SqliteLog(Path(sys.argv[1]))))
"""


@pytest.mark.medium
def test_a_killed_process_leaves_what_is_to_be_known(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -9
    with contextlib.closing(SqliteLog(path)) as log:
        (run,) = log.find("")
        told = read(log, run.run_id)
        assert [one.name for one in told.pending] == ["dies", "later"]
        assert told.started == {told.pending[0].id}
        assert [one.content for one in told.finished.values()] == ["ended"]
        said = Session.reopen(log, run.session_id).chats.get("end").messages
        assert said == told.closed_turn
        results = [one.content for one in said if isinstance(one, ToolMessage)]
        assert (results[0], "may have" in results[1], "Not done" in results[2]) == (
            *("ended", True, True),
        )
