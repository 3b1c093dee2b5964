"""A log that vanishes under a live kernel is noticed at the next event, said, and begun anew."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from nbagents.runs.logs.ledger import newest_runs, tree_of
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session
from tests.unit.runs.desk import agent, request, turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture(name="log")
def _log(tmp_path: Path) -> Iterator[SqliteLog]:
    log = SqliteLog(tmp_path / "state" / "log.sqlite3")
    yield log
    log.close()


def delete(path: Path) -> None:
    path.unlink()


def delete_all(path: Path) -> None:
    shutil.rmtree(path.parent)


def move(path: Path) -> None:
    path.rename(path.with_name("moved.sqlite3"))


def truncate(path: Path) -> None:
    os.truncate(path, 0)


def replace(path: Path) -> None:
    other = SqliteLog(path.with_name("other.sqlite3"))
    agent(["Theirs."]).run("Another", log=Session(other, session_id="other"))
    other.close()
    path.with_name("other.sqlite3").replace(path)


LOSSES = {
    "deleted": delete,
    "deleted with its folder": delete_all,
    "moved": move,
    "truncated": truncate,
    "replaced": replace,
}


@pytest.mark.parametrize("how", LOSSES)
def test_a_log_that_was_lost_between_two_runs_is_begun_anew(log: SqliteLog, how: str) -> None:
    session = Session(log)
    first = agent(["One."]).run("First", log=session)
    LOSSES[how](log.path)
    with pytest.warns(UserWarning, match="was deleted, moved, replaced or cut"):
        second = agent(["Two."]).run("Second", log=session)
    assert second.status == "completed"
    again = SqliteLog(log.path)
    found = {one.prompt: one.status for one in newest_runs(again, limit=9)}
    again.close()
    assert (found.pop("Another", None) is not None) == (how == "replaced")
    assert found == {"First": "completed", "Second": "completed"}
    assert first.text == "One."


@pytest.mark.parametrize("how", LOSSES)
def test_a_run_whose_log_is_lost_in_its_middle_is_whole_in_the_new_one(
    log: SqliteLog, how: str
) -> None:
    lose: Callable[[Path], None] = LOSSES[how]

    def work() -> str:
        """Work, and lose the log."""
        log.flush()
        lose(log.path)
        return "worked"

    session = Session(log)
    steps = [turn(request("a", "work")), "Done."]
    with pytest.warns(UserWarning, match="A new one is begun in its place"):
        run = agent(steps, [work]).run("Work.", log=session)
    node = tree_of(log, session.session_id)["runs"][run.id]
    assert (node["status"], node["calls"]["a"]["content"]) == ("completed", "worked")
    assert node["prompt"] == "Work."
    assert log.living.where(session.session_id) == "here"


def test_a_log_that_grows_is_not_taken_for_another(log: SqliteLog) -> None:
    session = Session(log)
    other = SqliteLog(log.path)
    for number in range(4):
        agent(["x" * 200_000]).run(f"Run {number}", log=session)
        agent(["y" * 200_000]).run(f"Other {number}", log=Session(other))
    assert len(newest_runs(log, limit=99)) == 8
    other.close()
