"""What a log says of runs, found again in the log alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nbagents import Agent, ScriptedModel, Session
from nbagents.events import EVENTS, Event, RunStart, UsageReported
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import call
from nbagents.results import Usage
from nbagents.runs.ledger import find_runs, newest_runs, session_usage, tree_of
from nbagents.runs.session import open_log

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.runs.log import Log


CHILD = Path(__file__).parents[2] / "fixtures" / "events" / "child.jsonl"


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
        events.append(UsageReported.model_validate(said))
    for event in events:
        log.append(event)
    (entry,) = newest_runs(log, limit=9, only="session-1")
    assert len(begun) == 2
    assert entry.run_id == begun[0].run_id
    assert entry.usage.total_tokens == 30
    usages = session_usage(log, "session-1").values()
    assert sum(one.total_tokens for one in usages) == 30


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
