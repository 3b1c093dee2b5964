"""A client for each event loop and account, closed with its loop."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import warnings

import pytest

from nbagents.models import openai_client
from nbagents.models.openai_client import Account, client_for
from tests.unit.models.provider import Provider, Reply, ask, delta, sse, turn_of

HELLO = sse(delta("stop", content="hallo"), "data: [DONE]")

SCRIPT = """
import asyncio, json, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        body = b'data: {"choices":[{"delta":{"content":"hallo"},"finish_reason":"stop"}]}\\n\\n'
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()

from nbagents.agents import Agent
from nbagents.messages import UserMessage
from nbagents.models.model import ModelRequest
from nbagents.models.openai_chat import OpenAIChat
model = OpenAIChat("m", base_url=f"http://127.0.0.1:{server.server_port}/v1")

async def ask():
    request = ModelRequest(messages=[UserMessage(text="hi")])
    return [part async for part in model.stream(request)][-1].text

way = sys.argv[1]
if way == "asyncio.run":
    print(asyncio.run(ask()))
elif way == "a loop that is left open":
    print(asyncio.new_event_loop().run_until_complete(ask()))
elif way == "a loop that is just closed":
    for _ in range(2):
        loop = asyncio.new_event_loop()
        print(loop.run_until_complete(ask()))
        loop.close()
elif way == "runs on the private loop":
    agents = [Agent(model=OpenAIChat("m", base_url=f"http://127.0.0.1:{server.server_port}/v{n}"))
              for n in range(3)]
    for agent in agents:
        print(agent.run("hi", log="memory").text)
elif way == "a thread that runs on":
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    print(asyncio.run_coroutine_threadsafe(ask(), loop).result())
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
    for _ in range(3):
        asyncio.run(client_for(account("http://127.0.0.1:1/v1")))
    kept = openai_client._kept  # pyright: ignore[reportPrivateUsage]  what must not grow
    assert len(kept) == 1


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


def test_nothing_is_said_at_exit() -> None:
    ways = (
        "asyncio.run",
        "a loop that is left open",
        "a loop that is just closed",
        "a thread that runs on",
        "runs on the private loop",
    )
    for way in ways:
        ended = subprocess.run(
            [sys.executable, "-c", SCRIPT, way], capture_output=True, text=True, check=True
        )
        assert ended.stdout.startswith("hallo\n"), way
        assert ended.stderr == "", way
