"""A kernel that is killed in mid-run leaves a log that can be read, and says what is unknown."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.tree.folding import fold, settle
from tests.kernels.front_end import FrontEnd

if TYPE_CHECKING:
    from pathlib import Path

    from nbagents.events import AnyEvent

RUN = """
%load_ext nbagents
import time
import nbagents as nba

def sleep(seconds: int) -> str:
    "Sleep."
    time.sleep(seconds)
    return "awake"

calls = [
    nba.CallRequest(id=f"call-{nth}", name="sleep", arguments=f'{{"seconds": {seconds}}}')
    for nth, seconds in enumerate([0, 600, 700], 1)
]
model = nba.ScriptedModel([nba.ModelTurn(calls=tuple(calls)), nba.ModelTurn(text="Good morning.")])
nba.Agent(tools=[sleep], model=model).run("Sleep, sleep and sleep.")
"""


def events_after_a_kill(state: Path) -> list[AnyEvent]:
    """Kill a kernel in the second of three calls, and read what is on disk."""
    with FrontEnd(None, state=state) as front_end:
        front_end.execute(RUN)
        front_end.wait_to_see("start", count=2)
        front_end.kill()
    with closing(SqliteLog(state / "log.sqlite3")) as log:
        (run,) = log.find("")
        return list(log.read(run.session_id))


def test_a_killed_kernel_leaves_a_log_whose_open_calls_read_back_as_unknown(tmp_path: Path) -> None:
    events = events_after_a_kill(tmp_path)
    (run,) = settle(fold(events))["runs"].values()
    calls = run["calls"]
    assert run["status"] == "unknown"
    assert run["prompt"] == "Sleep, sleep and sleep."
    assert [call["status"] for call in calls.values()] == ["done", "unknown", "unknown"]
    assert calls["call-1"]["content"] == "awake"


def test_what_was_started_can_be_told_from_what_never_was(tmp_path: Path) -> None:
    events = events_after_a_kill(tmp_path)
    started = [event.tool_call_id for event in events if event.type == "tool_start"]
    ended = [event.tool_call_id for event in events if event.type == "tool_end"]
    assert started == ["call-1", "call-2"]
    assert ended == ["call-1"]


def test_the_next_kernel_writes_into_the_same_log(tmp_path: Path) -> None:
    events_after_a_kill(tmp_path)
    with FrontEnd(None, state=tmp_path) as front_end:
        again = front_end.run(RUN.replace("[0, 600, 700]", "[0]"))
        assert front_end.errors(again) == []
    with closing(SqliteLog(tmp_path / "log.sqlite3")) as log:
        assert len({run.session_id for run in log.find("")}) == len(log.find("")) == 2
