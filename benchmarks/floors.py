"""Loops written by hand, on the openai client: what the same work costs without a runtime.

`post` is the floor: it keeps the client's auth, retries, time limits and errors, sends a body that
grows by appending, and reads the stream lightly. `create` is what the client's documentation shows.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import httpx2
from jiter import from_json
from openai import AsyncOpenAI, AsyncStream, DefaultAioHttpClient

from benchmarks.script import PROMPT, TOOL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

__all__ = ["CreateLoop", "PostLoop"]


def new_client(base_url: str, *, is_aiohttp: bool) -> AsyncOpenAI:
    transport = DefaultAioHttpClient() if is_aiohttp else None
    return AsyncOpenAI(api_key="bench", base_url=base_url, http_client=transport)


class PostLoop:
    """The floor: `client.post` with bytes.

    Args:
        base_url: Whom it asks.
        tool: What it calls; the calls of one turn all at once.
        is_aiohttp: On which of the client's transports.
        schema: What the model is told of the tool.
        client: One that several loops share.
    """

    def __init__(
        self,
        base_url: str,
        tool: Callable[..., Awaitable[str]],
        *,
        is_aiohttp: bool,
        schema: Mapping[str, Any] = TOOL,
        client: AsyncOpenAI | None = None,
    ) -> None:
        self._tool = tool
        self._client = client or new_client(base_url, is_aiohttp=is_aiohttp)
        self._head = json.dumps(
            {
                "model": "bench",
                "stream": True,
                "stream_options": {"include_usage": True},
                "tools": [schema],
            }
        )[:-1].encode()

    async def run(self, prompt: str = PROMPT) -> str:
        """Ask and call until there is an answer."""
        body = bytearray(self._head + b',"messages":[' + _user(prompt))
        while True:
            text, calls = await self._turn(b"".join((body, b"]}")))
            if not calls:
                return text
            said = {"role": "assistant", "content": None, "tool_calls": calls}
            body += b"," + json.dumps(said).encode()
            for call, result in zip(calls, await self._results(calls), strict=True):
                told = {"role": "tool", "tool_call_id": call["id"], "content": result}
                body += b"," + json.dumps(told).encode()

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.close()

    async def text(self, hear: Callable[[str], None]) -> None:
        """One answer, each piece of it given to `hear`."""
        async for chunk in self._chunks(self._head + b',"messages":[' + _user() + b"]}"):
            for choice in chunk["choices"]:
                if content := choice["delta"].get("content"):
                    hear(content)

    async def _results(self, calls: list[dict[str, Any]]) -> list[str]:
        given = [from_json(call["function"]["arguments"].encode()) for call in calls]
        if len(given) == 1:
            return [await self._tool(**given[0])]
        return await asyncio.gather(*(self._tool(**arguments) for arguments in given))

    async def _turn(self, content: bytes) -> tuple[str, list[dict[str, Any]]]:
        text: list[str] = []
        calls: list[dict[str, Any]] = []
        async for chunk in self._chunks(content):
            for choice in chunk["choices"]:
                delta = choice["delta"]
                if delta.get("content"):
                    text.append(delta["content"])
                for piece in delta.get("tool_calls") or ():
                    if piece["index"] == len(calls):
                        function = {"name": piece["function"]["name"], "arguments": ""}
                        calls.append({"id": piece["id"], "type": "function", "function": function})
                    arguments = piece["function"]["arguments"]
                    calls[piece["index"]]["function"]["arguments"] += arguments
        return "".join(text), calls

    async def _chunks(self, content: bytes) -> AsyncIterator[dict[str, Any]]:
        response: Any = await self._client.post(
            "/chat/completions",
            cast_to=httpx2.Response,
            content=content,
            stream=True,
            stream_cls=AsyncStream[object],
        )
        rest = b""
        async for data in response.aiter_bytes():
            *events, rest = (rest + data).split(b"\n\n")
            for event in events:
                if event != b"data: [DONE]":
                    yield from_json(event[6:])
        await response.aclose()


class CreateLoop:
    """The documented way: `client.chat.completions.create` with a list of messages."""

    def __init__(self, base_url: str, tool: Callable[..., Awaitable[str]]) -> None:
        self._tool = tool
        self._client = new_client(base_url, is_aiohttp=False)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.close()

    async def run(self) -> str:
        """Ask and call until there is an answer."""
        messages: list[Any] = [{"role": "user", "content": PROMPT}]
        while True:
            text, calls = await self._turn(messages)
            if not calls:
                return text
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            for call in calls:
                result = await self._tool(**json.loads(call["function"]["arguments"]))
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})

    async def _turn(self, messages: list[Any]) -> tuple[str, list[dict[str, Any]]]:
        text, calls = "", list[dict[str, Any]]()
        tools: Any = [TOOL]
        stream = await self._client.chat.completions.create(
            model="bench",
            messages=messages,
            tools=tools,
            stream=True,
            stream_options={"include_usage": True},
        )
        async for chunk in stream:
            for choice in chunk.choices:
                text += choice.delta.content or ""
                for piece in choice.delta.tool_calls or ():
                    assert piece.function
                    if piece.index == len(calls):
                        function = {"name": piece.function.name, "arguments": ""}
                        calls.append({"id": piece.id, "type": "function", "function": function})
                    arguments = piece.function.arguments or ""
                    calls[piece.index]["function"]["arguments"] += arguments
        return text, calls


def _user(prompt: str = PROMPT) -> bytes:
    return json.dumps({"role": "user", "content": prompt}).encode()
