"""Listing the runs of a session, beside SQL that reads the same facts out of the same file."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from nbagents.agents import Agent
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel, call
from nbagents.results import Usage
from nbagents.runs.logs.ledger import newest_runs, session_usage
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from nbagents.events import AnyEvent

__all__ = ["BARE", "EVENTS", "LISTING", "RUNS", "listing_work"]

RUNS = 1_000
BARE = "bare SQL, the table of runs"
EVENTS = "bare SQL, the events"
LISTING = "newest_runs"

FROM_RUNS = """
    select root.run_id, root.session_id, root.started_at, root.status, root.agent_name, root.model,
        root.chat, root.resumed_from, root.prompt, count(*) - 1, sum(one.calls),
        sum(one.input_tokens), sum(one.output_tokens), sum(one.cached_tokens), sum(one.requests),
        sum(one.cost)
    from runs as root
    join runs as one on one.session_id = root.session_id and one.root_id = root.run_id
    where root.session_id = ? and root.run_id = root.root_id
    group by root.number order by root.started_at desc, root.number desc limit ?
"""
FROM_EVENTS = """
    select run_id, min(at),
        max(case when type = 'run_start' then json_extract(body, '$.agent_name') end),
        max(case when type = 'run_start' then json_extract(body, '$.model') end),
        max(case when type = 'user_message' then json_extract(body, '$.text') end),
        max(case when type = 'workflow' then json_extract(body, '$.phase') end),
        sum(type = 'tool_end'),
        sum(case when type = 'usage' then json_extract(body, '$.input_tokens') end),
        sum(case when type = 'usage' then json_extract(body, '$.output_tokens') end)
    from events where session_id = ?
    group by run_id order by min(at) desc limit ?
"""


@contextmanager
def listing_work(folder: Path) -> Generator[dict[str, Callable[[], object]]]:
    """What is measured, by name: all of it reads one file."""
    path = folder / "log.sqlite3"
    with closing(SqliteLog(path)) as log, closing(sqlite3.connect(path)) as bare:
        session_id = _written(log)

        def rows(sql: str) -> object:
            found = bare.execute(sql, (session_id, RUNS)).fetchall()
            assert len(found) == RUNS
            return found

        def listed() -> object:
            found = newest_runs(log, limit=RUNS, only=session_id)
            assert len(found) == RUNS
            return found

        yield {
            BARE: lambda: rows(FROM_RUNS),
            EVENTS: lambda: rows(FROM_EVENTS),
            LISTING: listed,
            "newest_runs, of every session": lambda: newest_runs(log, limit=RUNS),
            "session_usage": lambda: session_usage(log, session_id),
        }


def _written(log: SqliteLog) -> str:
    """Write the session: real runs of one call each."""
    session = Session(MemoryLog())
    for number in range(RUNS):
        used = Usage(input_tokens=900, output_tokens=30, requests=1)
        steps = [
            ModelTurn(calls=(call("double", number=number),), usage=used),
            ModelTurn(text=f"It is {2 * number}.", usage=used),
        ]
        Agent("maths", tools=[double], model=ScriptedModel(steps)).run(
            f"Double {number}", log=session
        )
    events: list[AnyEvent] = list(session.events("debug"))
    for event in events:
        log.append(event)
    log.flush()
    return session.session_id


def double(number: int) -> int:
    """Double a number."""
    return 2 * number
