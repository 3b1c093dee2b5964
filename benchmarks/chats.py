"""Reopening a long chat, beside reading the same events raw out of the same file."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from nbagents import Agent, ScriptedModel, Session
from nbagents.runs.logs.sqlite import SqliteLog

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

__all__ = ["RAW", "REOPENED", "TURNS", "chat_work"]

TURNS = 2_000
RAW = "raw: the events of the session"
REOPENED = "Session.reopen"


@contextmanager
def chat_work(folder: Path) -> Generator[tuple[dict[str, Callable[[], object]], float]]:
    """What is measured, by name, and how many kB of the file a turn takes."""
    path = folder / "log.sqlite3"
    with closing(SqliteLog(path)) as log:
        asyncio.run(_talk(Session(log, session_id="long")))
    with closing(SqliteLog(path)) as log, closing(sqlite3.connect(path)) as bare:

        def raw() -> None:
            bare.execute("select body from events order by session_id, seq").fetchall()

        def reopened() -> None:
            chat = Session.reopen(log, "long").chats.get("long")
            assert len(chat.messages) == 2 * TURNS

        yield {RAW: raw, REOPENED: reopened}, path.stat().st_size / 1000 / TURNS


async def _talk(session: Session) -> None:
    model = ScriptedModel([f"The answer to that is {number}." for number in range(TURNS)])
    agent = Agent("talker", "Be brief.", model=model)
    for number in range(TURNS):
        await agent.arun(f"What is number {number}, please?", chat="long", log=session)
