"""Agents as tools: a chain of them, and many side by side, against the same requests by hand.

By hand twice: on the openai client as it comes, and on the faster transport that nbagents uses.
"""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.floors import PostLoop, new_client
from benchmarks.script import ANSWER, ASK, CHAIN, CHILDREN, PROMPT
from nbagents.agents import Agent

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from openai import AsyncOpenAI

    from benchmarks.workloads import Place
    from nbagents.models.chat.model import OpenAIChat
    from nbagents.runs.state.run.run import Run

__all__ = ["AGENTS", "BY_HAND", "BY_HAND_AIOHTTP", "chain_work", "children_work"]

BY_HAND = "by hand: post, default transport"
BY_HAND_AIOHTTP = "by hand: post, aiohttp transport"
AGENTS = "agents as tools"
RUNS = 5
"""How often the work is done in one measurement: it is short."""


@contextlib.contextmanager
def chain_work(place: Place) -> Generator[dict[str, Callable[[], object]]]:
    """One agent that asks one that asks one, five in all."""
    agent = Agent("adder-5", model=(model := place.model("chain", "agents")))
    for number in range(CHAIN - 1, 0, -1):
        tool = agent.as_tool("ask", "Ask another adder.")
        agent = Agent(f"adder-{number}", tools=[tool], model=model)
    with _by_hand(place, "chain", CHAIN - 1) as work:
        yield {**work, AGENTS: lambda: place.loop.run(_by_agent(agent, CHAIN - 1))}


@contextlib.contextmanager
def children_work(place: Place) -> Generator[dict[str, Callable[[], object]]]:
    """One agent that asks ten in one turn."""
    model: OpenAIChat = place.model("children", "agents")
    tool = Agent("adder", model=model).as_tool("ask", "Ask another adder.")
    agent = Agent("head", tools=[tool], model=model)
    with _by_hand(place, "children", 1) as work:
        yield {**work, AGENTS: lambda: place.loop.run(_by_agent(agent, CHILDREN))}


@contextlib.contextmanager
def _by_hand(place: Place, script: str, depth: int) -> Generator[dict[str, Callable[[], object]]]:
    """Loops one inside the other, on each transport."""
    clients: list[AsyncOpenAI] = []
    work: dict[str, Callable[[], object]] = {}
    for name, is_aiohttp in ((BY_HAND, False), (BY_HAND_AIOHTTP, True)):
        url = place.url(script, "aiohttp" if is_aiohttp else "httpx")
        client = place.made(partial(new_client, url, is_aiohttp=is_aiohttp))
        clients.append(client)
        made = partial(PostLoop, url, is_aiohttp=is_aiohttp, schema=ASK, client=client)
        loop = made(tool=_nobody)
        for _ in range(depth):
            loop = made(tool=partial(_asked, loop))
        work[name] = partial(_repeated, place, loop)
    yield work
    for client in clients:
        place.loop.run(client.close())


async def _nobody(input: str) -> str:  # noqa: A002  the tool's parameter
    raise AssertionError(input)


async def _asked(loop: PostLoop, input: str) -> str:  # noqa: A002  the tool's parameter
    return await loop.run(input)


def _repeated(place: Place, loop: PostLoop) -> None:
    async def repeat() -> None:
        for _ in range(RUNS):
            assert (await loop.run()).strip() == ANSWER

    place.loop.run(repeat())


async def _by_agent(agent: Agent, inside: int) -> None:
    for _ in range(RUNS):
        run = await agent.arun(PROMPT, log="memory")
        assert run.text.strip() == ANSWER
        assert _count(run) == inside


def _count(run: Run) -> int:
    return sum(1 + _count(child) for child in run.children)
