"""Runs of the past, read back from a log."""

from __future__ import annotations

from pathlib import Path

from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel, call
from nbagents.runs.logs.history import read_events, read_family, read_tree
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session


def test_a_session_is_read_back_whole_page_by_page(tmp_path: Path) -> None:
    session = Session(SqliteLog(tmp_path / "log.sqlite3"))
    runs = [Agent(model=ScriptedModel([f"answer {n}"])).run("Go", log=session) for n in range(3)]
    events = list(read_events(session.log, session.session_id, page=4))
    assert events == [event for run in runs for event in run.events]
    tree = read_tree(session.log, session.session_id, is_over=True)
    assert [tree["runs"][root]["text"] for root in tree["root_ids"]] == [run.text for run in runs]
    session.log.close()


def test_a_family_is_read_without_the_runs_beside_it() -> None:
    session = Session(MemoryLog())

    def guide(question: str) -> Agent:
        low = Agent("low", model=ScriptedModel([f"low {question}"]))
        steps = [[call("ask_low", input=question)], "done"]
        tools = [low.as_tool("ask_low", "Ask.")]
        top = Agent("top", tools=tools, model=ScriptedModel(steps))
        return Agent(
            "guide",
            tools=[top.as_tool("ask_top", "Ask.")],
            model=ScriptedModel([[call("ask_top", input=question)], "done"]),
        )

    first, second = (guide(name).run(name, log=session) for name in ("one", "two"))
    for run in (first, second):
        events = read_family(session.log, session.session_id, run.id)
        assert events == [
            event
            for event in read_events(session.log, session.session_id)
            if event.run_id in {run.id, run.children[0].id, run.children[0].children[0].id}
        ]
        assert len({event.run_id for event in events}) == 3


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
