"""Runs of the past, read back from a log."""

from __future__ import annotations

from pathlib import Path

from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.history import read_events, read_tree
from nbagents.runs.session import Session
from nbagents.runs.sqlite_log import SqliteLog


def test_a_session_is_read_back_whole_page_by_page(tmp_path: Path) -> None:
    session = Session(SqliteLog(tmp_path / "log.sqlite3"))
    runs = [Agent(model=ScriptedModel([f"answer {n}"])).run("Go", log=session) for n in range(3)]
    events = list(read_events(session.log, session.session_id, page=4))
    assert events == [event for run in runs for event in run.events]
    tree = read_tree(session.log, session.session_id, is_over=True)
    assert [tree["runs"][root]["text"] for root in tree["root_ids"]] == [run.text for run in runs]
    session.log.close()


def test_only_a_session_that_is_over_is_settled(tmp_path: Path) -> None:
    session = Session(SqliteLog(tmp_path / "log.sqlite3"))
    run = Agent(model=ScriptedModel(["never ends"])).run("Go", log=session)
    cut = SqliteLog(tmp_path / "cut.sqlite3")
    for event in run.events[:-2]:
        cut.append(event)
    alive = read_tree(cut, session.session_id, is_over=False)
    over = read_tree(cut, session.session_id, is_over=True)
    assert alive["runs"][run.id]["status"] == "running"
    assert over["runs"][run.id]["status"] == "unknown"
    cut.close()
    session.log.close()
