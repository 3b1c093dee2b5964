"""Runs that are saved and loaded again: they tell what they told, wherever they come from."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nbagents as nba
from nbagents.errors import RunError
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.saved import RUN_MIME
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session, use_session
from tests.unit.runs.desk import request, turn
from tests.unit.runs.kept_runs import (
    assert_same,
    run_to_keep,
    saved_in_notebook,
    weather,
)
from tests.unit.runs.test_tree_properties import PLAN, QUIET, Plot, played


@pytest.fixture(name="session")
def _session() -> Session:
    return Session(MemoryLog())


@pytest.fixture(name="run")
def _run(session: Session) -> nba.Run:
    return run_to_keep(session)


def test_a_run_that_is_saved_and_loaded_is_the_same(run: nba.Run, tmp_path: Path) -> None:
    path = run.save(tmp_path / "oslo.run.jsonl")
    again = nba.Run.load(str(path))
    assert_same(run, again)
    assert again.messages == run.messages
    assert again.events == run.events
    assert again.usage.total_tokens == 30
    assert again.wait() is again


def test_a_file_is_lines_of_json_that_say_what_it_is(run: nba.Run, tmp_path: Path) -> None:
    lines = run.save(tmp_path / "one").read_text("utf-8").splitlines()
    first, *events, last = map(json.loads, lines)
    head = {"format": "nbagents.run", "version": 1, "run_id": run.id, "nbagents": nba.__version__}
    assert first == head
    assert [one["type"] for one in events] == [one.type for one in run.events]
    assert (last["end"], last["lines"]) == ("nbagents.run", len(events) + 1)


def test_what_is_saved_again_is_the_same_file(run: nba.Run, tmp_path: Path) -> None:
    first = run.save(tmp_path / "one")
    second = nba.Run.load(first).save(tmp_path / "two")
    assert second.read_bytes() == first.read_bytes()
    run.save(second)  # a saved run may be written over
    assert second.read_bytes() == first.read_bytes()


def test_a_run_inside_another_is_saved_by_itself(run: nba.Run, tmp_path: Path) -> None:
    child = run.children[0]
    again = nba.Run.load(child.save(tmp_path / "child"))
    assert (again.text, again.prompt, len(again.calls)) == ("Blue.", "sky?", 1)
    assert {one.run_id for one in again.events} == {child.id}


@pytest.mark.medium
@QUIET
@given(plan=PLAN, stop_at=st.none() | st.integers(1, 60))
def test_whatever_happened_in_a_run_is_loaded_again(
    tmp_path_factory: pytest.TempPathFactory, plan: Any, stop_at: int | None
) -> None:
    run = asyncio.run(played(Plot(), plan, stop_at))
    folder = tmp_path_factory.mktemp("kept")
    again = nba.Run.load(run.save(folder / "run.jsonl"))
    assert_same(run, again)
    if run.status == "completed":
        assert again.messages == run.messages
    shown = nba.Run.load(saved_in_notebook(folder / "one.ipynb", run, limit_bytes=10**9))
    assert shown.tree() == run.tree()
    assert [type(one) for one in shown.messages] == [type(one) for one in again.messages]


def test_a_chat_is_saved_with_what_was_said_before(session: Session, tmp_path: Path) -> None:
    agent = nba.Agent(model=ScriptedModel(["one", "two"]))
    agent.run("first", chat="c", log=session)
    run = agent.run("second", chat="c", log=session)
    again = nba.Run.load(run.save(tmp_path / "run.jsonl"))
    assert_same(run, again)
    assert again.messages == run.messages
    assert [getattr(one, "text", "") for one in again.messages] == ["first", "one", "second", "two"]
    of_log = nba.Run.load(run.id, log=Session(session.log))
    assert of_log.messages == run.messages


def test_a_run_that_was_gone_on_with_is_saved_with_what_it_was(
    session: Session, tmp_path: Path
) -> None:
    def name(ctx: nba.Context) -> str:
        return str(ctx.ask("Name?"))

    model = ScriptedModel([turn(request("a", "name")), "Hello."])
    agent = nba.Agent("host", tools=[name], model=model, on_await="suspend")
    waits = agent.run("Greet", log=session)
    run = agent.resume(waits, answer="Ada", log=session)
    again = nba.Run.load(run.save(tmp_path / "run.jsonl"))
    assert again.tree()["runs"].keys() == {waits.id, run.id}
    assert [one.content for one in again.calls] == ["Ada"]
    assert again.messages == run.messages
    assert again.save(tmp_path / "again").read_bytes() == (tmp_path / "run.jsonl").read_bytes()


def test_a_suspended_run_of_a_file_is_gone_on_with(session: Session, tmp_path: Path) -> None:
    def name(ctx: nba.Context) -> str:
        return str(ctx.ask("Name?"))

    model = ScriptedModel([turn(request("a", "name")), "Hello."])
    agent = nba.Agent("host", tools=[name], model=model, on_await="suspend")
    waits = agent.run("Greet", log=session)
    again = nba.Run.load(waits.save(tmp_path / "run.jsonl"))
    assert agent.resume(again, answer="Ada").text == "Hello."


def test_a_failed_run_says_why_when_it_is_loaded(session: Session, tmp_path: Path) -> None:
    agent = nba.Agent(model=ScriptedModel([nba.ModelError("No such model.")]))
    todo, plan = agent.begin("Go", session)
    from nbagents.runs.drive.entrance import run_blocking  # loaded by the first run

    with pytest.raises(nba.ModelError):
        run_blocking(todo, plan)
    again = nba.Run.load(todo.save(tmp_path / "run.jsonl"))
    assert again.status == "failed"
    with pytest.raises(RunError, match=r"No such model\."):
        again.wait()


# From the log.


def test_a_run_of_the_log_is_loaded_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    run = nba.Agent(tools=[weather], model=ScriptedModel([[call("weather", city="Oslo")], "Cold."]))
    one = run.run("Go", log=Session(log))
    other_kernel = Session(log)
    again = nba.Run.load(one.id.removeprefix("run-")[:8], log=other_kernel)
    assert_same(one, again)
    assert again.messages == one.messages
    assert nba.Run.load(again.save(tmp_path / "run.jsonl")).tree() == one.tree()
    log.close()


def test_a_run_that_is_at_hand_is_itself(session: Session, run: nba.Run) -> None:
    use_session(session)
    assert nba.Run.load(run.id) is run
    assert nba.Run.load(run.children[0].id) is run.children[0]


def test_what_a_dead_kernel_left_open_is_unknown(session: Session, run: nba.Run) -> None:
    log = MemoryLog()
    for event in run.events[:-2]:
        log.append(event)
    again = nba.Run.load(run.id, log=Session(log))
    assert again.status == "unknown"
    assert again.is_closed


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("run-nowhere", r"no run 'run-nowhere' in this log, and no such file.*session\.history"),
        ("", r"no run '' in this log"),
        ("missing.run.jsonl", r"no file missing\.run\.jsonl"),
        ("missing.ipynb", r"no notebook missing\.ipynb"),
        (Path("missing"), r"no file missing"),
    ],
)
def test_what_is_not_there_is_said(session: Session, source: str | Path, said: str) -> None:
    with pytest.raises(RunError, match=said):
        nba.Run.load(source, log=session)


def test_several_runs_of_one_beginning_are_named(session: Session) -> None:
    agent = nba.Agent(model=ScriptedModel(["a"], repeat=True))
    ids = [agent.run("Go", log=session).id for _ in range(2)]
    with pytest.raises(RunError, match=r"2 runs begin with 'run-'.*Write more of one\.") as raised:
        nba.Run.load("run-", log=Session(session.log))
    assert all(one in str(raised.value) for one in ids)


def test_what_is_no_name_of_a_run_is_refused() -> None:
    with pytest.raises(ValueError, match=r"give a path, or the id of a run"):
        nba.Run.load(7)  # type: ignore[arg-type]  wrong on purpose


# From a notebook.


def test_a_run_of_a_notebook_is_read_and_shown(run: nba.Run, tmp_path: Path) -> None:
    again = nba.Run.load(saved_in_notebook(tmp_path / "nb.ipynb", run))
    assert again.tree() == run.tree()
    assert (again.text, again.usage, again.summary) == (run.text, run.usage, run.summary)
    assert [one.arguments for one in again.calls] == [one.arguments for one in run.calls]
    assert [*again.calls[0].arguments] == ["city", "days"]  # type: ignore[misc]  a dict
    assert [getattr(one, "text", None) for one in again.messages] == [
        getattr(one, "text", None) for one in run.messages
    ]
    assert again.to_html() == run.to_html()
    assert again.cuts == ()
    with pytest.raises(RunError, match="A notebook kept this run as its card"):
        again.save(tmp_path / "run.jsonl")
    assert not (tmp_path / "run.jsonl").exists()


def test_of_several_runs_one_says_which(run: nba.Run, session: Session, tmp_path: Path) -> None:
    other = nba.Agent(model=ScriptedModel(["Hi."])).run("Greet", log=session)
    path = saved_in_notebook(tmp_path / "nb.ipynb", run, other, run)
    with pytest.raises(RunError, match=r"holds 2 runs: say which, e\.g\. run=1\.") as raised:
        nba.Run.load(path)
    assert f"2  {other.id}  cell 3  Greet" in str(raised.value)
    assert nba.Run.load(path, run=1).id == run.id
    assert nba.Run.load(path, run=other.id[:9]).id == other.id
    for wrong in (0, 3, True, "run-", "nothing"):
        with pytest.raises(RunError, match="no single one is"):
            nba.Run.load(path, run=wrong)


def test_what_a_notebook_has_cut_is_said(session: Session, tmp_path: Path) -> None:
    run = nba.Agent(model=ScriptedModel(["x" * 9000])).run("y" * 9000, log=session)
    again = nba.Run.load(saved_in_notebook(tmp_path / "nb.ipynb", run, limit_bytes=2000))
    assert again.cuts
    assert "left out" in again.cuts[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"cells": [', "is no notebook, or was cut"),
        ("[1, 2]", "is no notebook of version 4"),
        ('{"cells": []}', "holds no run"),
        ('{"cells": [1, {"outputs": 2}, {"outputs": [3]}]}', "holds no run"),
    ],
)
def test_a_notebook_that_is_none_is_said(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "nb.ipynb"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=said):
        nba.Run.load(path)


@pytest.mark.parametrize(
    ("saved", "said"),
    [
        ({"version": 2}, "newer nbagents"),
        ([], "was the notebook edited"),
        ({"version": 1, "root_id": "run-1", "tree": {"runs": {}}}, "was the notebook edited"),
        ({"version": 1, "root_id": "r", "tree": {"runs": {"r": {"calls": 3}}}}, "edited"),
    ],
)
def test_a_run_in_a_notebook_that_cannot_be_read_is_said(
    tmp_path: Path, saved: object, said: str
) -> None:
    path = tmp_path / "nb.ipynb"
    cell = {"outputs": [{"data": {RUN_MIME: saved}}]}
    path.write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    with pytest.raises(RunError, match=f"the run in cell 1 cannot be read: .*{said}"):
        nba.Run.load(path)
