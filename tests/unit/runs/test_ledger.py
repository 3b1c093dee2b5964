"""What a log says of runs, found again in the log alone."""

from __future__ import annotations

import contextlib
import copy
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nbagents import Agent, ScriptedModel, Session
from nbagents.events import EVENTS, Event, RunStart, UsageReported
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import call
from nbagents.results import Usage
from nbagents.runs.logs.ledger import (
    find_runs,
    newest_runs,
    session_usage,
    tree_of,
    words_of,
)
from nbagents.runs.state.session import open_log
from nbagents.runs.tree.folding import fold, settle
from nbagents.runs.wording.outcomes import outcome_of
from nbagents.runs.wording.words import RUN_STATUS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.runs.logs.log import Log


FIXTURES = Path(__file__).parents[2] / "fixtures" / "events"
CHILD, FAMILY = FIXTURES / "child.jsonl", FIXTURES / "family.jsonl"


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    path = tmp_path / "log.sqlite3" if request.param == "sqlite" else None
    made = open_log(request.param, path=path)
    yield made
    made.close()


def double(number: int) -> int:
    """Double a number."""
    return 2 * number


def answer(text: str, tokens: int = 0) -> ModelTurn:
    usage = Usage(input_tokens=tokens, output_tokens=tokens, requests=1)
    return ModelTurn(text=text, usage=usage)


def test_runs_are_listed_newest_first_with_what_they_used(log: Log) -> None:
    session = Session(log)
    model = ScriptedModel([[call("double", number=2)], answer("4", 50), answer("hello", 7)])
    agent = Agent("maths", model=model, tools=[double])
    agent.run("Double 2", log=session, chat="sums")
    agent.run("Hello?", log=session)
    newest, oldest = newest_runs(log, limit=9, current=session.session_id)
    assert (newest.prompt, newest.calls, newest.usage.total_tokens) == ("Hello?", 0, 14)
    assert (oldest.agent_name, oldest.model, oldest.chat) == ("maths", "scripted", "sums")
    assert (oldest.status, oldest.calls) == ("completed", 1)
    assert oldest.started_at <= newest.started_at


def test_a_run_inside_a_run_counts_for_the_one_that_started_it(log: Log) -> None:
    events = [EVENTS.validate_json(line) for line in CHILD.read_text().splitlines()]
    begun = [event for event in events if isinstance(event, RunStart)]
    stamp = set(Event.model_fields)
    for number, start in enumerate(begun):
        used = {"step": 1, "model": "m", "input_tokens": 10, "output_tokens": 5, "cached_tokens": 0}
        own = {"seq": 100 + number, "event_key": "used"}
        said: dict[str, object] = {**start.model_dump(include=stamp), **own, **used}
        events.insert(events.index(start) + 1, UsageReported.model_validate(said))
    for event in events:
        log.append(event)
    (entry,) = newest_runs(log, limit=9, only="session-1")
    assert len(begun) == 2
    assert entry.run_id == begun[0].run_id
    assert entry.usage.total_tokens == 30
    usages = session_usage(log, "session-1").values()
    assert sum(one.total_tokens for one in usages) == 30


def test_children_and_money_are_counted_for_the_whole_family(log: Log) -> None:
    events = [EVENTS.validate_json(line) for line in FAMILY.read_text().splitlines()]
    for event in events:
        log.append(event)
    begun = [event for event in events if isinstance(event, RunStart)]
    roots = [event.run_id for event in reversed(begun) if event.parent_run_id is None]
    entries = newest_runs(log, limit=99)
    assert [one.run_id for one in entries] == roots
    assert sum(one.children for one in entries) == len(begun) - len(roots)
    tree = tree_of(log, begun[0].session_id)
    costs = [run["usage"]["cost"] for run in tree["runs"].values()]
    known = [one for one in costs if one is not None]
    assert entries[-1].cost == pytest.approx(sum(known)) if known else entries[-1].cost is None
    assert sum(one.calls for one in entries) == sum(
        len(run["calls"]) for run in tree["runs"].values()
    )


def test_money_is_summed_where_there_are_prices(log: Log) -> None:
    session = Session(log)
    asked = Agent(model=ScriptedModel([[call("double", number=2)], "4", "free"]), tools=[double])
    asked.run("Double 2", log=session)
    other = open_log("memory")
    for number, event in enumerate(log.read(session.session_id)):
        priced = isinstance(event, UsageReported)
        other.append(event.model_copy(update={"cost": 0.25 + number}) if priced else event)
    (entry,) = newest_runs(log, limit=9)
    assert entry.cost is None
    costs = [one.cost for one in other.read(session.session_id) if isinstance(one, UsageReported)]
    (entry,) = newest_runs(other, limit=9)
    assert entry.cost == sum(one for one in costs if one is not None)
    assert session_usage(other, session.session_id)["scripted"].cost == entry.cost


def test_tokens_count_for_the_model_that_answered(log: Log) -> None:
    session = Session(log)
    Agent(model=ScriptedModel([answer("one", 5)])).run("One", log=session)
    used = [one for one in log.read(session.session_id) if isinstance(one, UsageReported)]
    log.append(used[0].model_copy(update={"seq": 99, "event_key": "99", "model": "other"}))
    usage = session_usage(log, session.session_id)
    assert {model: one.total_tokens for model, one in usage.items()} == {
        "scripted": 10,
        "other": 10,
    }
    assert list(usage) == ["scripted", "other"]


def test_a_run_whose_kernel_is_gone_is_of_unknown_outcome(log: Log) -> None:
    session = Session(log)
    run = Agent(model=ScriptedModel(["ok"])).run("whole", log=session)
    other = open_log("memory")
    for event in run.events[:-2]:
        other.append(event)
    (gone,) = newest_runs(other, limit=9)
    (here,) = newest_runs(other, limit=9, current=session.session_id)
    assert (gone.status, here.status) == ("unknown", "running")
    assert newest_runs(log, limit=9)[0].status == "completed"


@pytest.mark.parametrize("name", sorted(one.stem for one in FIXTURES.glob("*.jsonl")))
def test_both_logs_say_the_same_of_every_fixture_and_so_does_the_tree(
    name: str, tmp_path: Path
) -> None:
    logs = (open_log("memory"), open_log("sqlite", path=tmp_path / "log.sqlite3"))
    lines = (FIXTURES / f"{name}.jsonl").read_text().splitlines()
    events = [EVENTS.validate_json(one) for one in lines]
    for log in logs:
        for event in (*events, *events):
            log.append(event)
    memory, sqlite = (newest_runs(log, limit=99) for log in logs)
    assert memory == sqlite
    assert logs[0].usage(events[0].session_id) == logs[1].usage(events[0].session_id)
    tree = fold(events)
    for entry in memory:
        run = tree["runs"][entry.run_id]
        status = "unknown" if run["status"] == "running" else run["status"]
        assert (entry.status, entry.prompt) == (status, run["prompt"])
        settled = settle(copy.deepcopy(tree)) if status == "unknown" else tree
        words = outcome_of(settled, settled["runs"][entry.run_id]).words
        assert [words_of(log, entry) for log in logs] == [words, words]
        assert entry.troubled or words == RUN_STATUS[status]
    assert sorted(tree["root_ids"]) == sorted(one.run_id for one in memory)
    logs[1].close()


def test_of_several_sessions_the_newest_are_listed_or_those_of_one(log: Log) -> None:
    sessions = [Session(log) for _ in range(3)]
    for number, session in enumerate(sessions):
        for part in "ab":
            Agent(model=ScriptedModel(["ok"])).run(f"{number}{part}", log=session)
    assert [one.prompt for one in newest_runs(log, limit=3)] == ["2b", "2a", "1b"]
    only = newest_runs(log, limit=9, only=sessions[0].session_id)
    assert [one.prompt for one in only] == ["0b", "0a"]


def test_a_run_is_found_by_the_beginning_of_its_id(log: Log) -> None:
    session = Session(log)
    run = Agent(model=ScriptedModel(["ok"])).run("hi", log=session)
    for beginning in (run.id, run.id[:8], run.id.removeprefix("run-")[:6]):
        (found,) = find_runs(log, beginning)
        assert (found.run_id, found.session_id) == (run.id, session.session_id)
    assert find_runs(log, "nothing") == ()


def test_what_a_dead_kernel_left_open_is_of_unknown_outcome(log: Log) -> None:
    session = Session(log)
    run, plan = Agent(model=ScriptedModel(["never"])).begin("hi", session)
    del plan
    Agent(model=ScriptedModel(["ok"])).run("whole", log=session)
    kept = [one for one in log.read(session.session_id) if one.type != "run_stream_end"]
    other = open_log("memory")
    for event in kept[:2]:  # begun, and no more
        other.append(event)
    assert run.events == ()
    begun = kept[0].run_id
    assert tree_of(other, session.session_id)["runs"][begun]["status"] == "unknown"
    goes_on = tree_of(other, session.session_id, current=session.session_id)
    assert goes_on["runs"][begun]["status"] == "running"


def test_a_session_that_nobody_had_has_used_nothing(log: Log) -> None:
    assert session_usage(log, "nobody") == {}


def test_a_file_of_the_first_version_gets_its_table_of_runs(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    old = open_log("sqlite", path=path)
    session = Session(old)
    model = ScriptedModel([[call("double", number=2)], answer("4", 50), answer("hello", 7)])
    agent = Agent(model=model, tools=[double])
    for prompt in ("Double 2", "Hello?"):
        agent.run(prompt, log=session, chat="sums")
    expected = newest_runs(old, limit=9)
    old.close()
    with contextlib.closing(sqlite3.connect(path)) as file:
        triggers = file.execute("select name from sqlite_master where type = 'trigger'").fetchall()
        for (name,) in triggers:
            file.execute(f"drop trigger {name}")
        file.executescript("drop table runs; drop index usages; pragma user_version = 1")
    again = open_log("sqlite", path=path)
    assert triggers
    assert newest_runs(again, limit=9) == expected
    model.steps.append("and on")
    agent.run("More", log=Session(again))
    assert [one.prompt for one in newest_runs(again, limit=9)] == ["More", "Hello?", "Double 2"]
    again.close()
