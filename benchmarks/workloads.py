"""The work that is measured: floors and nbagents, on one server, each over a path of its own."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from benchmarks.floors import CreateLoop, PostLoop
from benchmarks.script import ANSWER, PROMPT, TURNS
from nbagents.agents import Agent
from nbagents.messages import UserMessage
from nbagents.models.model import ModelRequest, ModelTurn
from nbagents.models.openai_chat import OpenAIChat
from nbagents.runs.session import Session, open_log

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from nbagents.runs.record import Run

__all__ = ["FLOOR", "FLOOR_HTTPX", "text_work", "turn_work"]

FLOOR = "floor: post, aiohttp transport"
FLOOR_HTTPX = "floor: post, default transport"

T = TypeVar("T")
Work = dict[str, "Callable[[], object]"]


async def add(total: int, number: int) -> str:
    """Add a number to the sum.

    Args:
        total: The sum so far.
        number: What to add.
    """
    return f"The sum is {total + number} now."


def add_here(total: int, number: int) -> str:
    """Add a number to the sum.

    Args:
        total: The sum so far.
        number: What to add.
    """
    return f"The sum is {total + number} now."


@contextlib.contextmanager
def turn_work(address: str, loop: asyncio.Runner, folder: Path) -> Generator[Work]:
    """One run of `TURNS` turns that each call one tool, in several ways."""
    on_aiohttp = loop.run(_made(lambda: PostLoop(f"{address}/floor/v1", is_aiohttp=True)))
    on_httpx = loop.run(_made(lambda: PostLoop(f"{address}/httpx/v1", is_aiohttp=False)))
    documented = loop.run(_made(lambda: CreateLoop(f"{address}/create/v1")))
    disk = Session(open_log("sqlite", path=folder / "log.sqlite3"))

    def agent(path: str, tool: Callable[..., object]) -> Agent:
        model = OpenAIChat("bench", base_url=f"{address}/{path}/v1", api_key="bench")
        return Agent(name="bench", tools=[tool], model=model, max_steps=2 * TURNS)

    awaited, blocking, here, kept, kept_here = (
        agent("arun", add),
        agent("run", add),
        agent("def", add_here),
        agent("disk", add),
        agent("disk-def", add_here),
    )
    yield {
        FLOOR: lambda: _said(loop.run(on_aiohttp.run())),
        FLOOR_HTTPX: lambda: _said(loop.run(on_httpx.run())),
        "documented create()": lambda: _said(loop.run(documented.run())),
        "nbagents, arun, async tool": lambda: _ran(loop.run(awaited.arun(PROMPT, log="memory"))),
        "nbagents, run, async tool": lambda: _ran(blocking.run(PROMPT, log="memory")),
        "nbagents, run, def tool on the main lane": lambda: _ran(here.run(PROMPT, log="memory")),
        "nbagents, arun, async tool, SQLite log": lambda: _ran(
            loop.run(kept.arun(PROMPT, log=disk))
        ),
        "nbagents, run, def tool, SQLite log": lambda: _ran(kept_here.run(PROMPT, log=disk)),
    }
    for floor in (on_aiohttp, on_httpx, documented):
        loop.run(floor.close())
    disk.log.close()


@contextlib.contextmanager
def text_work(address: str, loop: asyncio.Runner) -> Generator[Work]:
    """One long text, streamed as fast as it comes."""
    floor = loop.run(_made(lambda: PostLoop(f"{address}/text/v1", is_aiohttp=True)))
    model = OpenAIChat("bench", base_url=f"{address}/text/v1", api_key="bench")
    agent = Agent(name="bench", model=model)

    async def streamed() -> str:
        turn = ModelTurn()
        request = ModelRequest(messages=[UserMessage(text=PROMPT)])
        async for part in model.stream(request):
            if isinstance(part, ModelTurn):
                turn = part
        return turn.text

    yield {
        FLOOR: lambda: loop.run(floor.text()),
        "nbagents, the model alone": lambda: loop.run(streamed()),
        "nbagents, arun": lambda: loop.run(agent.arun(PROMPT, log="memory")),
    }
    loop.run(floor.close())


async def _made(make: Callable[[], T]) -> T:
    return make()


def _said(text: str) -> None:
    assert text.strip() == ANSWER, text


def _ran(run: Run) -> None:
    assert run.text.strip() == ANSWER, run.text
    assert len(run.calls) == TURNS, len(run.calls)
