"""Tools that end or double their process: the log says which call was open."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session
from nbagents.runs.tree.folding import fold, settle
from tests.faults.leaving import assert_calls_end_once, run_to_the_end
from tests.unit.runs.desk import agent, double, request, turn

if TYPE_CHECKING:
    from nbagents.events import AnyEvent

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import ctypes, os, signal, sys, threading, time
import nbagents as nba

def before() -> str:
    "Come first."
    return "fine"

@nba.tool(thread={thread})
def it() -> object:
    "Do it."
    {body}

def after() -> str:
    "Come last."
    return "too late"

names = ("before", "it", "after")
calls = tuple(nba.CallRequest(id=one, name=one, arguments="{{}}") for one in names)
model = nba.ScriptedModel([nba.ModelTurn(calls=calls), nba.ModelTurn(text="So be it.")])
run = nba.Agent(tools=[before, it, after], model=model).run("Go.")
print(run.status, [call.status for call in run.calls])
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no signals, no fork")

ENDS = {
    "os-exit": ("os._exit(3)", 3),
    "killed": ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
    "segmentation-fault": ("ctypes.string_at(0)", -signal.SIGSEGV),
    "abort": ("os.abort()", -signal.SIGABRT),
    "terminate": ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(60)", -signal.SIGTERM),
}


def run_script(state: Path, body: str, *, thread: bool = False) -> subprocess.CompletedProcess[str]:
    """A process that runs an agent whose second call does this."""
    script = SCRIPT.format(body=body, thread=thread)
    return subprocess.run(
        [sys.executable, "-X", "faulthandler=0", "-c", script],
        cwd=ROOT,
        env={**os.environ, "NBAGENTS_STATE_DIR": str(state)},
        capture_output=True,
        text=True,
        check=False,
    )


def events_in(state: Path) -> list[AnyEvent]:
    """The events of the one session in a state folder; another session goes on in the same file."""
    with closing(SqliteLog(state / "log.sqlite3")) as log:
        (run,) = log.find("")
        events = list(log.read(run.session_id))
        after = agent([turn(request("call-1", "double", number=2)), "Four."], [double])
        assert run_to_the_end(after, Session(log)).run.status == "completed"
    return events


@pytest.mark.parametrize("thread", [False, True], ids=["main", "thread"])
@pytest.mark.parametrize("how", ENDS)
def test_a_tool_that_ends_its_process_leaves_its_call_unknown(
    tmp_path: Path,
    how: str,
    thread: bool,  # noqa: FBT001  a parameter
) -> None:
    body, code = ENDS[how]
    assert run_script(tmp_path, body, thread=thread).returncode == code
    (run,) = settle(fold(events_in(tmp_path)))["runs"].values()
    calls: Any = run["calls"]
    assert run["status"] == "unknown"
    assert calls["it"]["status"] == "unknown"
    assert calls["it"]["started_at"] is not None
    assert calls["after"]["status"] in (("unknown", "done") if thread else ("unknown",))
    assert thread or (calls["before"]["content"], calls["after"]["started_at"]) == ("fine", None)


def test_a_tool_that_forks_goes_on_once(tmp_path: Path) -> None:
    """The copy has no loop to go on with: it fails by itself, and writes into no log."""
    done = run_script(tmp_path, "return 'parent' if os.fork() else 'child'")
    assert "completed ['done', 'done', 'done']" in done.stdout
    assert done.stdout.count("completed") == 1
    events = events_in(tmp_path)
    (run,) = fold(events)["runs"].values()
    assert (run["status"], run["calls"]["it"]["status"]) == ("completed", "done")
    assert run["calls"]["it"]["content"] == "parent"
    assert_calls_end_once(events)


def test_a_process_that_ends_while_a_thread_is_in_a_call_ends(tmp_path: Path) -> None:
    """A worker that hangs does not keep Python from ending, and its call was given up."""
    body = "threading.Timer(0.1, os.kill, [os.getpid(), signal.SIGINT]).start(); time.sleep(60)"
    done = run_script(tmp_path, body, thread=True)
    assert "KeyboardInterrupt" in done.stderr
    (run,) = fold(events_in(tmp_path))["runs"].values()
    assert run["status"] == "cancelled"
    assert run["calls"]["it"]["status"] == "cancelled"
    assert "may still be running" in (run["calls"]["it"]["content"] or "")
