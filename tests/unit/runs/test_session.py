"""A session that is opened again goes on where it was, and so do its conversations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nbagents.errors import LogWriteError, ModelError, RunError
from nbagents.messages import AssistantMessage, ToolMessage
from nbagents.runs.logs.history import read_line
from nbagents.runs.logs.log import Log, MemoryLog
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session
from tests.unit.runs.desk import agent, double, event, request, turn


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    made: Log = MemoryLog() if request.param == "memory" else SqliteLog(tmp_path / "log.sqlite3")
    yield made
    made.close()


def reopened(session: Session) -> Session:
    return Session.reopen(session.log, session.session_id)


FIRST = [turn(request("c1", "double", number=4)), turn(text="8")]


def test_its_stream_goes_on_behind_the_last_event(log: Log) -> None:
    before = Session(log)
    run = agent([turn(text="one")]).run("One", log=before)
    after = reopened(before)
    agent([turn(text="two")]).run("Two", log=after)
    events = list(after.events("debug"))
    assert [one.seq for one in events] == list(range(len(events)))
    assert events[: len(run.events)] == list(run.events)
    assert {one.session_id for one in events} == {before.session_id}


def test_a_chat_goes_on_with_what_was_said_and_called_before(log: Log) -> None:
    before = Session(log)
    agent(FIRST, [double]).run("Double 4", chat="sums", log=before)
    session = reopened(before)
    assert session.chats.names() == ("sums",)
    assert session.chats.get("sums").messages == before.chats.get("sums").messages
    run = agent([turn(text="As I said: 8.")]).run("Again?", chat="sums", log=session)
    assert [one.role for one in run.messages] == [
        *("user", "assistant", "tool", "assistant"),
        *("user", "assistant"),
    ]
    assert len(session.chats.get("sums").turns) == 2


def test_chats_are_apart_and_runs_without_one_are_in_none(log: Log) -> None:
    before = Session(log)
    for chat in ("a", "b", "a", None):
        agent([turn(text=f"in {chat}")]).run("Say", chat=chat, log=before)
    chats = reopened(before).chats
    assert chats.names() == ("a", "b")
    assert [len(chats.get(name).messages) for name in "ab"] == [4, 2]


def test_a_run_that_was_not_answered_is_no_part_of_its_chat(log: Log) -> None:
    before = Session(log)
    agent([turn(text="one")]).run("One", chat="trip", log=before)
    with pytest.raises(ModelError):
        agent([ModelError("down")]).run("Lost", chat="trip", log=before)
    session = reopened(before)
    assert session.chats.get("trip").messages == before.chats.get("trip").messages
    assert len(session.chats.get("trip").turns) == 2


def test_a_chat_whose_kernel_was_killed_in_a_call_is_a_valid_conversation(log: Log) -> None:
    before = Session(log)
    run = agent([turn(*FIRST[0].calls), turn(text="8")], [double]).run(
        "Double 4", chat="sums", log=before
    )
    cut = MemoryLog()
    for one in run.events:
        cut.append(one)
        if one.type == "tool_start":
            break
    messages = Session.reopen(cut, before.session_id).chats.get("sums").messages
    assert isinstance(messages[1], AssistantMessage)
    assert isinstance(messages[2], ToolMessage)
    assert "not known" in messages[2].content
    assert len(messages) == 3


def test_a_prompt_after_a_run_that_broke_off_is_no_notice(log: Log) -> None:
    before = Session(log)
    broken = agent([turn(request("c1", "double", number=4)), ModelError("down")], [double])
    with pytest.raises(ModelError):
        broken.run("Double 4", chat="sums", log=before)
    agent([turn(text="8")]).run("Well?", chat="sums", log=before)
    agent([turn(text="9")]).run("And 9?", chat="sums", log=before)
    messages = reopened(before).chats.get("sums").messages
    assert messages == before.chats.get("sums").messages
    assert [one.text for one in messages if one.role == "user"] == ["Double 4", "Well?", "And 9?"]


def test_a_suspended_run_is_part_of_its_chat_when_it_was_gone_on_with(log: Log) -> None:
    session = Session(log)
    steps = [turn(request("c1", "ask_person", question="How many?"))]
    asked = agent([*steps, turn(text="7 it is.")], can_ask=True, on_await="suspend")
    run = asked.run("Double it", chat="sums", log=session)
    assert run.status == "suspended"
    assert session.chats.get("sums").messages == ()
    again = reopened(session)
    assert again.chats.get("sums").messages == ()
    went_on = asked.resume(run.id, answer="7", log=again)
    assert went_on.text == "7 it is."
    messages = again.chats.get("sums").messages
    assert [one.role for one in messages] == ["user", "assistant", "tool", "assistant"]
    assert reopened(again).chats.get("sums").messages == messages
    assert [one.resumed_from for one in log.entries(limit=9)] == [run.id, None]
    assert list(read_line(log, went_on.id)["runs"]) == [run.id, went_on.id]


def test_the_log_knows_who_goes_on_with_a_run(log: Log) -> None:
    session = Session(log)
    ask = turn(request("c1", "ask_person", question="How many?"))
    asked = agent([ask, turn(text="7 it is.")], can_ask=True, on_await="suspend")
    run = asked.run("Double it", log=session)
    assert log.resumed_by(run.id) is None
    later = asked.resume(run.id, answer="7", log=session)
    by = log.resumed_by(run.id)
    assert by is not None
    assert by.run_id == later.id
    assert log.resumed_by(later.id) is None
    with pytest.raises(RunError, match=f"gone on with already, by {later.id}"):
        asked.resume(run.id, answer="8", log=session)


def test_a_session_that_the_log_does_not_know_is_said(log: Log) -> None:
    with pytest.raises(RunError, match="no session 'session-none'"):
        Session.reopen(log, "session-none")


def test_a_chat_that_was_only_begun_is_empty(log: Log) -> None:
    before = Session(log)
    with pytest.raises(ModelError):
        agent([ModelError("down")]).run("Lost", chat="trip", log=before)
    assert reopened(before).chats.get("trip").messages == ()


def test_a_kernel_that_still_goes_on_is_told_and_overwrites_nothing(tmp_path: Path) -> None:
    logs = [SqliteLog(tmp_path / "log.sqlite3") for _ in range(2)]
    before = Session(logs[0])
    agent([turn(text="one")]).run("One", log=before)
    logs[0].flush()
    logs[0].living.let_go()  # as where a file system has no locks
    after = Session.reopen(logs[1], before.session_id)
    two = agent([turn(text="two")]).run("Two", log=after)
    logs[1].flush()
    with pytest.raises(LogWriteError, match="Another kernel goes on with the session"):
        agent(FIRST, [double]).run("Three", log=before)
    assert list(after.events("debug", run_id=two.id)) == list(two.events)
    logs[1].append(event(0, session="else"))
    assert len(logs[1].read("else")) == 1
    for one in logs:
        one.close()
