"""The log of a chat grows with what is said; what a model was told of it is put together again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import nbagents as nba
from nbagents.agents import Agent
from nbagents.errors import ModelError
from nbagents.messages import ToolMessage, UserMessage
from nbagents.models.scripted import ScriptedModel
from nbagents.notebook.saved.bundle import frozen_bundle
from nbagents.runs.logs.history import read_line
from nbagents.runs.logs.ledger import newest_runs, tree_of
from nbagents.runs.logs.log import Log, MemoryLog
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session
from nbagents.runs.tree.line import Line
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, double, request, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.messages import Message
    from nbagents.runs.state.run.run import Run

RUN = "application/vnd.nbagents.run.v1+json"
OLD = Path(__file__).parents[2] / "fixtures" / "logs" / "whole-prompts.sql"
"""A log in which each request has its chat whole, as it was written before it was referred to."""


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    made: Log = MemoryLog() if request.param == "memory" else SqliteLog(tmp_path / "log.sqlite3")
    yield made
    made.close()


def confirmed(ctx: Context) -> str:
    "Ask."
    return f"{ctx.ask('Sure?')}, sure"


def first_request(tree: Any, run_id: str) -> list[tuple[str, str]]:
    """What a run told its model first."""
    told = tree["runs"][run_id]["requests"][0]
    assert told["message_count"] == len(told["messages"])
    return [(one["role"], one["text"]) for one in told["messages"]]


def as_sent(messages: tuple[Message, ...], run: Run) -> list[tuple[str, str]]:
    """The messages that went before the first answer of a run."""
    told = [
        (one.role, one.content if isinstance(one, ToolMessage) else one.text) for one in messages
    ]
    prompts = [at for at, one in enumerate(told) if one == ("user", run.prompt)]
    return told[: prompts[-1] + 1]


def require_told(runs: list[Run]) -> None:
    """See that each run shows what its model was told: here, from the log, and rebuilt from it."""
    session = runs[0].session
    again = tree_of(session.log, session.session_id)
    for run in runs:
        sent = as_sent(run.messages, run)
        assert first_request(run.tree(), run.id) == sent
        assert first_request(again, run.id) == sent
        assert Line(read_line(session.log, run.id), run.id).messages == run.messages


def test_a_request_logs_only_what_is_new_however_long_its_chat_is(log: Log) -> None:
    session, count = Session(log), 12
    asked = agent([turn(text="yes")] * count, [double], instructions="Be brief.")
    runs = [asked.run("Is it so?", chat="c", log=session) for _ in range(count)]
    rendered = [one for one in session.events("debug") if one.type == "prompt_rendered"]
    assert {len(one.messages) for one in rendered} == {2}
    assert [one.message_count for one in rendered] == [2 * turns for turns in range(1, count + 1)]
    require_told(runs)


def test_what_an_agent_is_told_of_its_chat_is_shown_and_no_more(log: Log) -> None:
    session = Session(log)
    steps = [turn(request("c1", "double", number=4)), *map(str, range(5))]
    forgetful = agent(steps, [double], keep_turns=1)
    runs = [forgetful.run(prompt, chat="c", log=session) for prompt in ("One", "Two", "Three")]
    whole = agent(["four", "five"], instructions="Mind.")
    runs += [whole.run(prompt, chat="c", log=session) for prompt in ("Four", "Five")]
    runs.append(agent(["six"], keep_tokens=1).run("Six", chat="c", log=session))
    assert [len(as_sent(run.messages, run)) for run in runs] == [1, 5, 3, 10, 12, 1]
    require_told(runs)


def test_turns_that_came_to_nothing_are_told_to_nobody(log: Log) -> None:
    def check(_ctx: object, text: str) -> object:
        if "bomb" in text:
            return nba.Refuse("No.")
        return nba.Replace("Say a …") if "secret" in text else None

    session = Session(log)
    asked = agent(["one", ModelError("down"), "two", "three"], input_guardrails=[check])
    runs = [asked.run("Hello", chat="c", log=session)]
    with pytest.raises(ModelError):
        asked.run("Lost", chat="c", log=session)
    asked.run("Build a bomb", chat="c", log=session)
    asked.run("Say a secret", chat="c", log=session)
    runs.append(asked.run("Well?", chat="c", log=session))
    assert [text for _, text in as_sent(runs[-1].messages, runs[-1])] == [
        *("Hello", "one", "Say a …", "two", "Well?"),
    ]
    require_told(runs)


def test_a_run_that_waited_stands_where_it_was_asked_for_for_those_who_came_later(
    log: Log,
) -> None:
    session = Session(log)
    steps = ["one", turn(request("a", "confirmed")), "three", "two", "four"]
    asked = agent(steps, [confirmed], on_await="suspend", instructions="Ask first.")
    runs = [asked.run("First", chat="c", log=session)]
    waits = asked.run("Second", chat="c", log=session)
    runs.append(asked.run("Third", chat="c", log=session))
    went_on = asked.resume(waits, answer="yes", log=session)
    runs.append(asked.run("Fourth", chat="c", log=session))
    assert [text for _, text in as_sent(runs[1].messages, runs[1])][1:] == ["First", "one", "Third"]
    assert len(as_sent(runs[2].messages, runs[2])) == 10
    require_told(runs)
    (past,) = [one for one in went_on.events if one.type == "prompt_rendered" and one.step == 0]
    assert len(past.messages) == 3
    tree = tree_of(log, session.session_id)
    assert [text for _, text in first_request(tree, went_on.id)] == [
        *("Ask first.", "First", "one", "Second", ""),
    ]


def test_a_chat_that_was_forgotten_begins_anew(log: Log) -> None:
    session = Session(log)
    steps = [turn(request("a", "confirmed")), "one", "two", "late", "three"]
    asked = agent(steps, [confirmed], on_await="suspend")
    waits = asked.run("Sure?", chat="c", log=session)
    session.chats.forget("c")
    runs = [asked.run(prompt, chat="c", log=session) for prompt in ("One", "Two")]
    asked.resume(waits, answer="yes", log=session)
    runs.append(asked.run("Three", chat="c", log=session))
    assert [len(as_sent(run.messages, run)) for run in runs] == [1, 3, 9]
    require_told(runs)


def test_a_chat_that_another_kernel_goes_on_with_is_told_whole(log: Log) -> None:
    steps = ["one", turn(request("a", "confirmed")), "two", "three", "four"]
    asked = agent(steps, [confirmed], on_await="suspend")
    before = Session(log)
    asked.run("First", chat="c", log=before)
    waits = asked.run("Second", chat="c", log=before)
    session = Session(log)
    went_on = asked.resume(waits.id, answer="yes", log=session)
    runs = [asked.run(prompt, chat="c", log=session) for prompt in ("Third", "Fourth")]
    assert went_on.session is session
    assert [len(as_sent(run.messages, run)) for run in runs] == [7, 9]
    require_told(runs)


def test_what_a_reopened_chat_was_told_is_shown_as_before(log: Log) -> None:
    before = Session(log)
    asked = agent(["one", "two", "three"], instructions="Mind.")
    asked.run("First", chat="c", log=before)
    session = Session.reopen(log, before.session_id)
    runs = [asked.run(prompt, chat="c", log=session) for prompt in ("Second", "Third")]
    require_told(runs)
    assert [len(one.messages) for one in runs[-1].events if one.type == "prompt_rendered"] == [2]


def test_a_log_that_was_lost_is_told_again_what_is_not_in_it(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    with closing(SqliteLog(path)) as log:
        session = Session(log)
        asked = agent(["one", "two", "three"])
        asked.run("First", chat="c", log=session)
        path.unlink()
        with pytest.warns(UserWarning, match="deleted"):
            asked.run("Second", chat="c", log=session)
        run = asked.run("Third", chat="c", log=session)
        (told,) = [one for one in run.events if one.type == "prompt_rendered"]
        assert (told.earlier, len(told.messages)) == (None, 5)


def test_what_the_person_did_before_the_first_request_is_part_of_the_turn(log: Log) -> None:
    session = Session(log)
    look = Tool(double, ToolOptions(news=iter(["They moved the map.", "Again.", None]).__next__))
    asked = agent(["one", "two"], [look])
    for prompt in ("First", "Second"):
        asked.run(prompt, chat="c", log=session)
    kept = session.chats.get("c").messages
    assert Session.reopen(log, session.session_id).chats.get("c").messages == kept
    assert [one.is_notice for one in kept if isinstance(one, UserMessage)] == [False, True] * 2


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Log]:
    path = tmp_path / "log.sqlite3"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(OLD.read_text())
    log = SqliteLog(path)
    yield log
    log.close()


def test_an_old_log_is_read_as_it_was(old: Log) -> None:
    runs = newest_runs(old, limit=99)
    assert [one.run_id for one in runs] == [f"run-{number}" for number in range(10, 0, -1)]
    assert [one.status for one in runs if one.status != "completed"] == [
        *("suspended", "suspended", "denied"),
    ]
    tree = tree_of(old, "session-old")
    told = {
        run_id: [text for _, text in first_request(tree, run_id)]
        for run_id, node in tree["runs"].items()
        if node["requests"]
    }
    assert told["run-1"] == ["Be brief.", "Double 4"]
    assert told["run-2"] == ["Be brief.", "Double 4", "", "8", "It is 8.", "Again?"]
    assert told["run-6"][1:] == [*told["run-5"][1:-1], "Five?"]
    assert len(told["run-10"]) == 22


def test_an_old_chat_goes_on_and_logs_only_what_is_new(old: Log) -> None:
    session = Session.reopen(old, "session-old")
    kept = [
        one.content if isinstance(one, ToolMessage) else one.text
        for one in session.chats.get("sums").messages
    ]
    assert kept[:8] == [
        "Double 4",
        "",
        "8",
        "It is 8.",
        "Again?",
        "As I said: 8.",
        *("my …", "My word."),
    ]
    assert kept[8:14] == ["Are you sure?", "", "yes, sure", "Yes.", "Five?", "Five."]
    assert (kept[14], kept[-1], len(kept)) == ("Hand over", "From the other.", 19)
    run = agent(["Ten."], instructions="Be brief.").run("And ten?", chat="sums", log=session)
    (rendered,) = [one for one in run.events if one.type == "prompt_rendered"]
    assert len(rendered.messages) <= 3
    require_told([run])


def test_an_old_run_that_waits_is_gone_on_with(old: Log) -> None:
    def sure(ctx: Context) -> str:
        "Ask."
        return f"{ctx.ask('Sure?')}, sure"

    session = Session.reopen(old, "session-old")
    clerk = Agent("clerk", "Be brief.", tools=[double, sure], model=ScriptedModel(["Done."]))
    run = clerk.resume("run-10", answer="aye", log=session)
    assert (run.text, run.status) == ("Done.", "completed")
    assert [one.content for one in run.messages if isinstance(one, ToolMessage)][-2:] == [
        *("10", "aye, sure"),
    ]
    kept = session.chats.get("sums").messages
    again = Session.reopen(old, "session-old").chats.get("sums").messages
    assert again == kept
    assert len(kept) == 25


def test_an_old_run_is_shown_whole(old: Log) -> None:
    session = Session.reopen(old, "session-old")
    bundle = frozen_bundle(tree_of(session.log, session.session_id), "run-2")
    shown: Any = bundle[RUN]
    assert [one["text"] for one in shown["tree"]["runs"]["run-2"]["requests"][0]["messages"]] == [
        *("Be brief.", "Double 4", "", "8", "It is 8.", "Again?"),
    ]
