"""`session.history()`: every run that the log knows, as light values, and each to be loaded."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest

import nbagents as nba
from nbagents.errors import RunError
from nbagents.models.scripted import ScriptedModel, call
from nbagents.results import Usage
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.history import FIELDS, Wanted
from nbagents.runs.state.session import Session, open_log

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from nbagents.runs.logs.log import Log


def fetch(page: str) -> str:
    """Fetch a page."""
    return page


def breaks() -> str:
    """Break."""
    raise ValueError("no")


@pytest.fixture(name="log", params=["memory", "sqlite"])
def _log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    path = tmp_path / "log.sqlite3" if request.param == "sqlite" else None
    made = open_log(request.param, path=path)
    yield made
    made.close()


def begin(session: Session, prompt: str, tool: str, name: str = "guide", **asked: Any) -> nba.Run:
    arguments = {"page": "news"} if tool == "fetch" else {}
    used = Usage(input_tokens=50, output_tokens=2, cost=0.25 if tool == "fetch" else None)
    model = ScriptedModel([[call(tool, **arguments)], "Done."], usage=used)
    return nba.Agent(name, tools=[fetch, breaks], model=model).run(prompt, log=session, **asked)


@pytest.fixture(name="session")
def _session(log: Log) -> Session:
    """This kernel's, in a log that has a run of another one, too."""
    begin(Session(log), "Fetch Oslo", "fetch", labels={"lesson": "3"})
    own = Session(log)
    begin(own, "Break Rome", "breaks", "wrecker", chat="c")
    return own


def prompts(session: Session, **wanted: Any) -> list[str]:
    return [one.prompt for one in session.history(**wanted)]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, ["Break Rome", "Fetch Oslo"]),
        ({"here": True}, ["Break Rome"]),
        ({"here": False, "limit": 1}, ["Break Rome"]),
        ({"agent": "guide"}, ["Fetch Oslo"]),
        ({"model": "scripted"}, ["Break Rome", "Fetch Oslo"]),
        ({"model": "other"}, []),
        ({"status": "completed", "limit": 1}, ["Break Rome"]),
        ({"status": "failed"}, []),
        ({"tool": "fet*"}, ["Fetch Oslo"]),
        ({"words": "ROME break"}, ["Break Rome"]),
        ({"chat": "c"}, ["Break Rome"]),
        ({"labels": {"lesson": "3"}}, ["Fetch Oslo"]),
        ({"labels": {"lesson": "4"}}, []),
        ({"cost": 0.5}, ["Fetch Oslo"]),
        ({"since": dt.timedelta(days=1)}, ["Break Rome", "Fetch Oslo"]),
        ({"since": dt.datetime(2999, 1, 1, tzinfo=dt.UTC)}, []),
        ({"limit": 0}, []),
        ({"agent": None}, ["Break Rome", "Fetch Oslo"]),
    ],
)
def test_runs_are_chosen(session: Session, wanted: dict[str, Any], found: list[str]) -> None:
    assert prompts(session, **wanted) == found


def test_each_has_what_there_is_to_know(session: Session) -> None:
    newest, oldest = session.history()
    assert (oldest.agent, oldest.status, oldest.summary) == ("guide", "completed", "done")
    assert (oldest.calls, oldest.usage.total_tokens, oldest.cost) == (1, 104, 0.5)
    assert (oldest.labels, oldest.children, oldest.forked_from) == ({"lesson": "3"}, 0, None)
    assert newest.summary != "done"
    assert oldest.started <= newest.started
    assert oldest.started.tzinfo is not None
    assert oldest.duration is not None
    assert oldest.session_id != newest.session_id == session.session_id
    assert repr(oldest) == f"<{oldest.id} of 'guide', completed: 'Fetch Oslo'>"


def test_each_loads_its_run_whichever_kernel_made_it(session: Session) -> None:
    for one in session.history():
        run = one.load()
        assert isinstance(run, nba.Run)
        assert (run.id, run.prompt, len(run.calls)) == (one.id, one.prompt, one.calls)
        assert run.usage == one.usage
        assert run.duration == one.duration


def test_a_history_is_a_sequence_that_prints_and_makes_rows(session: Session) -> None:
    history = session.history()
    assert [one.id for one in history[:1]] == [history[0].id]
    first = repr(history).splitlines()[0]
    assert first.startswith(history[0].id)
    assert first.endswith("completed   Break Rome")
    assert repr(history[:0]) == "No runs."
    row = history.as_dicts()[1]
    assert tuple(row) == FIELDS
    assert (row["id"], row["labels"]) == (history[1].id, {"lesson": "3"})


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"status": "complete"}, "Did you mean 'completed'"),
        ({"limit": -1}, "give how many at most"),
        ({"limit": True}, "give how many at most"),
        ({"since": "yesterday"}, "give a datetime, or a timedelta"),
        ({"labels": "x"}, "give a dict"),
        ({"cost": "x"}, "give a number"),
        ({"agent": 3}, "give text"),
    ],
)
def test_what_cannot_be_wanted_is_said(session: Session, wanted: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        session.history(**wanted)


def test_what_is_no_filter_is_said(session: Session) -> None:
    with pytest.raises(TypeError, match=r"takes no 'agents'\. Did you mean 'agent'"):
        session.history(agents="x")  # type: ignore[call-arg]  wrong on purpose
    assert set(Wanted.__annotations__) <= {*FIELDS, "here", "tool", "words", "since", "limit"}


def test_a_run_that_goes_on_elsewhere_is_listed_and_loaded_when_it_has_ended(
    tmp_path: Path,
) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    whole = begin(Session(log), "Fetch Oslo", "fetch")
    log.close()
    going = SqliteLog(tmp_path / "going.sqlite3")
    for event in whole.events[:-2]:
        going.append(event)
    going.flush()
    going.living.hold(whole.session.session_id, whole.session)
    other = SqliteLog(tmp_path / "going.sqlite3")
    session = Session(other)
    (one,) = session.history()
    assert one.status == "running"
    with pytest.raises(RunError, match="goes on in another kernel: load it when it has ended"):
        one.load()
    going.close()
    other.close()
