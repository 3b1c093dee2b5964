"""A client for each event loop and account, closed with its loop."""

from __future__ import annotations

import asyncio
import sys
import threading
import warnings
from asyncio.subprocess import PIPE

import pytest

from nbagents.models.openai import client as openai_client
from nbagents.models.openai.client import Account, client_for
from tests.unit.models.provider import Provider, Reply, ask, delta, sse, turn_of

HELLO = sse(delta("stop", content="hallo"), "data: [DONE]")

SCRIPT = """
import asyncio, sys, threading
from nbagents.agents import Agent
from nbagents.messages import UserMessage
from nbagents.models.model import ModelRequest
from nbagents.models.chat.model import OpenAIChat

url, way = sys.argv[1:]
model = OpenAIChat("m", base_url=url)

async def ask():
    request = ModelRequest(messages=[UserMessage(text="hi")])
    return [part async for part in model.stream(request)][-1].text

if way == "asyncio.run":
    print(asyncio.run(ask()))
elif way == "a loop that is left open":
    print(asyncio.new_event_loop().run_until_complete(ask()))
elif way == "a loop that is just closed":
    for _ in range(2):
        loop = asyncio.new_event_loop()
        print(loop.run_until_complete(ask()))
        loop.close()
elif way == "a thread that runs on":
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    print(asyncio.run_coroutine_threadsafe(ask(), loop).result())
elif way == "the private loop":
    print(Agent(model=model).run("hi", log="memory").text)
"""


def account(url: str, key: str = "k") -> Account:
    return Account(base_url=url, api_key=key, timeout_s=5, max_retries=0)


def test_a_loop_and_an_account_share_a_client() -> None:
    async def scenario() -> None:
        url = "http://127.0.0.1:1/v1"
        first = await client_for(account(url))
        assert await client_for(account(url)) is first
        assert await client_for(account(url, "other")) is not first

    asyncio.run(scenario())


def test_a_loop_closes_its_clients_when_it_ends() -> None:
    first = asyncio.run(client_for(account("http://127.0.0.1:1/v1")))
    assert first.is_closed()
    assert asyncio.run(client_for(account("http://127.0.0.1:1/v1"))) is not first


def test_loops_that_ended_are_forgotten() -> None:
    kept = openai_client._kept  # pyright: ignore[reportPrivateUsage]  what must not grow
    before = set(kept)  # the process's own loop may be there
    for _ in range(3):
        asyncio.run(client_for(account("http://127.0.0.1:1/v1")))
    assert len(set(kept) - before) == 1


def test_one_model_answers_in_loops_at_the_same_time_and_one_after_another() -> None:
    def ask_in_a_loop(texts: list[str], url: str) -> None:
        texts.append(turn_of(asyncio.run(ask(url))).text)

    async def scenario() -> None:
        texts: list[str] = []
        async with Provider(*(Reply(HELLO) for _ in range(6))) as provider:
            threads = [
                threading.Thread(target=ask_in_a_loop, args=(texts, provider.url)) for _ in range(3)
            ]
            for thread in threads:
                thread.start()
            texts.append(turn_of(await ask(provider)).text)
            for thread in threads:
                await asyncio.to_thread(thread.join)
            await asyncio.to_thread(ask_in_a_loop, texts, provider.url)
            texts.append(turn_of(await ask(provider)).text)
        assert texts == ["hallo"] * 6

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asyncio.run(scenario())


def test_all_loops_are_closed_up_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_client, "_kept", {})
    left_open, just_closed, running = (asyncio.new_event_loop() for _ in range(3))
    thread = threading.Thread(target=running.run_forever, daemon=True)
    thread.start()
    try:
        making = client_for(account("http://127.0.0.1:1/v1"))
        clients = [
            asyncio.run_coroutine_threadsafe(making, running).result(5),
            left_open.run_until_complete(client_for(account("http://127.0.0.1:1/v1"))),
            just_closed.run_until_complete(client_for(account("http://127.0.0.1:1/v1"))),
        ]
        just_closed.close()

        openai_client._close_all()  # pyright: ignore[reportPrivateUsage]  atexit calls it

        assert [client.is_closed() for client in clients] == [True] * 3
    finally:
        running.call_soon_threadsafe(running.stop)
        thread.join(5)
        running.close()
        left_open.close()


@pytest.mark.medium
@pytest.mark.parametrize(
    "way",
    [
        "asyncio.run",
        "a loop that is left open",
        "a loop that is just closed",
        "a thread that runs on",
        "the private loop",
    ],
)
def test_nothing_is_said_at_exit(way: str) -> None:
    async def scenario() -> None:
        async with Provider(Reply(HELLO), Reply(HELLO)) as provider:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", SCRIPT, provider.url, way, stdout=PIPE, stderr=PIPE
            )
            printed, complained = await process.communicate()
        assert printed.startswith(b"hallo\n")
        assert complained == b""

    asyncio.run(scenario())
