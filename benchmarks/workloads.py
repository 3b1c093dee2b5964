"""The runs that are measured: floors and nbagents, on one server, each over a path of its own."""

from __future__ import annotations

import asyncio
import contextlib
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from benchmarks.floors import CreateLoop, PostLoop
from benchmarks.script import ANSWER, CHUNKS, PAUSE_S, PROMPT, THREADS, TURNS, WIDTH
from nbagents.agents import Agent
from nbagents.messages import UserMessage
from nbagents.models.chat.model import OpenAIChat
from nbagents.models.model import ModelRequest, TextDelta
from nbagents.runs.state.session import Session, open_log
from nbagents.tools.tool.definition import Tool, ToolOptions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator
    from pathlib import Path

    from nbagents.agents import ToolLike
    from nbagents.runs.state.run.run import Run

__all__ = [
    "ARUN",
    "FLOOR",
    "FLOOR_HTTPX",
    "Place",
    "named",
    "text_work",
    "thread_work",
    "turn_work",
    "wide_work",
]

FLOOR = "floor: post, aiohttp transport"
FLOOR_HTTPX = "floor: post, default transport"
ARUN = "arun, async tool"

T = TypeVar("T")
Work = dict[str, "Callable[[], object]"]


class Place:
    """Where the work is done: the server that answers, and the loop that it runs on."""

    def __init__(self, address: str, loop: asyncio.Runner) -> None:
        self._address = address
        self.loop = loop

    def url(self, script: str, who: str) -> str:
        """Where one party finds one script."""
        return f"{self._address}/{script}/{who}/v1"

    def floor(
        self, script: str, tool: Callable[..., Awaitable[str]], *, is_aiohttp: bool = True
    ) -> PostLoop:
        """A loop written by hand."""
        url = self.url(script, "aiohttp" if is_aiohttp else "httpx")
        return self.made(lambda: PostLoop(url, tool, is_aiohttp=is_aiohttp))

    def model(self, script: str, who: str) -> OpenAIChat:
        """What nbagents asks."""
        return OpenAIChat("bench", base_url=self.url(script, who), api_key="bench")

    def agent(self, script: str, who: str, *tools: ToolLike) -> Agent:
        """An agent that may ask as often as it takes."""
        return Agent(name="bench", tools=tools, model=self.model(script, who), max_steps=10_000)

    def made(self, make: Callable[[], T]) -> T:
        """Make what wants a running loop."""

        async def making() -> T:
            return make()

        return self.loop.run(making())

    def close(self, *floors: PostLoop | CreateLoop) -> None:
        """Let go of the floors' connections."""
        for floor in floors:
            self.loop.run(floor.close())


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


async def add_slowly(total: int, number: int) -> str:
    """Add a number to the sum, and wait.

    Args:
        total: The sum so far.
        number: What to add.
    """
    await asyncio.sleep(PAUSE_S)
    return f"The sum is {total + number} now."


def add_blocking(total: int, number: int) -> str:
    """Add a number to the sum, and block.

    Args:
        total: The sum so far.
        number: What to add.
    """
    time.sleep(PAUSE_S)
    return f"The sum is {total + number} now."


def named(function: Callable[..., object], *, thread: bool = False) -> Tool:
    """The function as the tool that the script asks for."""
    return Tool(function, ToolOptions(name="add", thread=thread))


@contextlib.contextmanager
def turn_work(place: Place, folder: Path) -> Generator[Work]:
    """One run of `TURNS` turns that each call one tool, in several ways."""
    run, made = place.loop.run, place.made
    floors = place.floor("turns", add), place.floor("turns", add, is_aiohttp=False)
    documented = made(lambda: CreateLoop(place.url("turns", "create"), add))
    disk = Session(open_log("sqlite", path=folder / "log.sqlite3"))
    awaited, kept = place.agent("turns", "arun", add), place.agent("turns", "disk", add)
    waited, kept_waited = (
        place.agent("turns", "run", named(add_here)),
        place.agent("turns", "disk-run", named(add_here)),
    )
    yield {
        FLOOR: lambda: _said(run(floors[0].run())),
        FLOOR_HTTPX: lambda: _said(run(floors[1].run())),
        "documented create()": lambda: _said(run(documented.run())),
        ARUN: lambda: _ran(run(awaited.arun(PROMPT, log="memory")), TURNS),
        "run, def tool on the main lane": lambda: _ran(waited.run(PROMPT, log="memory"), TURNS),
        "arun, async tool, SQLite log": lambda: _ran(run(kept.arun(PROMPT, log=disk)), TURNS),
        "run, def tool, SQLite log": lambda: _ran(kept_waited.run(PROMPT, log=disk), TURNS),
    }
    place.close(*floors, documented)
    disk.log.close()


@contextlib.contextmanager
def wide_work(place: Place) -> Generator[Work]:
    """One turn of `WIDTH` calls of an async tool that takes a while."""
    run = place.loop.run
    floors = place.floor("wide", add_slowly), place.floor("wide", add_slowly, is_aiohttp=False)
    agent = place.agent("wide", "arun", named(add_slowly))
    yield {
        FLOOR: lambda: _said(run(floors[0].run())),
        FLOOR_HTTPX: lambda: _said(run(floors[1].run())),
        "arun": lambda: _ran(run(agent.arun(PROMPT, log="memory")), WIDTH),
    }
    place.close(*floors)


@contextlib.contextmanager
def thread_work(place: Place) -> Generator[Work]:
    """One turn of `THREADS` calls of a plain tool that blocks its thread for a while."""
    run = place.loop.run
    pool = ThreadPoolExecutor(THREADS)

    async def in_pool(total: int, number: int) -> str:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(pool, partial(add_blocking, total, number))

    floors = place.floor("threads", in_pool), place.floor("threads", in_pool, is_aiohttp=False)
    agent = place.agent("threads", "arun", named(add_blocking, thread=True))
    yield {
        FLOOR: lambda: _said(run(floors[0].run())),
        FLOOR_HTTPX: lambda: _said(run(floors[1].run())),
        "arun": lambda: _ran(run(agent.arun(PROMPT, log="memory")), THREADS),
    }
    place.close(*floors)
    pool.shutdown()


@contextlib.contextmanager
def text_work(place: Place) -> Generator[Work]:
    """One long text, as fast as it comes, to somebody who takes each piece."""
    run = place.loop.run
    floors = place.floor("text", add), place.floor("text", add, is_aiohttp=False)
    model, agent = place.model("text", "model"), place.agent("text", "agent")
    yield {
        FLOOR: lambda: run(_text_of_floor(floors[0])),
        FLOOR_HTTPX: lambda: run(_text_of_floor(floors[1])),
        "the model's stream": lambda: run(_text_of_model(model)),
        "agent.stream": lambda: run(_text_of_agent(agent)),
    }
    place.close(*floors)


async def _text_of_floor(floor: PostLoop) -> None:
    pieces: list[str] = []
    await floor.text(pieces.append)
    assert len(pieces) == CHUNKS, len(pieces)
    _heard_all(pieces)


async def _text_of_model(model: OpenAIChat) -> None:
    request = ModelRequest(messages=[UserMessage(text=PROMPT)])
    parts = model.stream(request)
    pieces = [part.text async for part in parts if isinstance(part, TextDelta)]
    assert len(pieces) == CHUNKS, len(pieces)
    _heard_all(pieces)


async def _text_of_agent(agent: Agent) -> None:
    pieces: list[str] = []
    async for event in agent.stream(PROMPT, log="memory"):
        if event.type == "assistant_delta":
            pieces.append(event.text)
        elif event.type == "assistant_turn":
            pieces.append(event.text[sum(map(len, pieces)) :])
    _heard_all(pieces)


def _heard_all(pieces: list[str]) -> None:
    assert len("".join(pieces).split()) == CHUNKS, len(pieces)


def _said(text: str) -> None:
    assert text.strip() == ANSWER, text


def _ran(run: Run, calls: int) -> None:
    assert run.text.strip() == ANSWER, run.text
    assert [call.status for call in run.calls] == ["done"] * calls, run.calls
