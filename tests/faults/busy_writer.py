"""A process that runs agents into a log as fast as it can, beside another one that does the same.

`python -m tests.faults.busy_writer LOG SESSION SECONDS` prints how many events it has logged.
"""

from __future__ import annotations

import sys
import time
from contextlib import closing
from pathlib import Path

import nbagents as nba
from nbagents.messages import CallRequest
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session


def double(number: int) -> int:
    """Double a number."""
    return 2 * number


def write(path: Path, session_id: str, seconds: float) -> int:
    """Run until the time is over; how many events were logged."""
    count, until = 0, time.monotonic() + seconds
    with closing(SqliteLog(path)) as log:
        session = Session(log, session_id=session_id)
        while time.monotonic() < until:
            calls = [CallRequest(id=one, name="double", arguments='{"number": 2}') for one in "ab"]
            model = ScriptedModel([ModelTurn(calls=tuple(calls)), "Four."])
            run = nba.Agent(tools=[double], model=model).run("Double 2, twice.", log=session)
            assert [call.content for call in run.calls] == ["4", "4"]
            count += len(run.events)
    return count


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])))
