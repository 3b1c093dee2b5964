"""A server on this machine that plays a script, keeps what it was asked and holds it to schema."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from typing import Any, Self

from nbagents.messages import UserMessage
from nbagents.models.chat.model import OpenAIChat
from nbagents.models.model import ModelPart, ModelRequest, ModelTurn, ToolSpec
from tests.strict_rules import faults_of_body
from tests.unit.models.published import faults

__all__ = ["Asked", "Provider", "Reply", "ask", "chunk", "delta", "refusal", "sse", "turn_of"]

KEY = "sk-test-5ecret"
TOOLS = (ToolSpec(name="f", description="d", parameters={"type": "object", "properties": {}}),)
Json = dict[str, Any]  # what goes over the wire: any JSON


@dataclass
class Reply:
    """One answer to one request."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})
    cut: bool = False
    """Close the connection without an end."""
    stay_open: bool = False
    """Send the body, then nothing, until the client goes away."""
    byte_by_byte: bool = False
    then: bytes = b""
    """Sent once the provider is told to `go_on`."""
    raw: bytes | None = None
    """Sent instead of any HTTP."""


@dataclass
class Asked:
    """What a request was."""

    path: str
    headers: dict[str, str]
    body: Json
    raw: bytes


class Provider:
    """Plays its replies in order, over connections that stay open; more requests are refused.

    Every request must keep OpenAI's published schema, unless the server is said to be another's.
    """

    def __init__(self, *replies: Reply, is_openai: bool = True) -> None:
        self.replies = list(replies)
        self.faults: list[str] = []
        self._is_openai = is_openai
        self.asked: list[Asked] = []
        self._open: dict[asyncio.Task[None] | None, asyncio.StreamWriter] = {}
        self.is_asked = asyncio.Event()
        self.go_on = asyncio.Event()
        self.hung_up = asyncio.Event()
        """Set when the client leaves an answer that stays open."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, error: type[BaseException] | None, *_: object) -> None:
        self._server.close()
        for writer in self._open.values():
            writer.close()
        await asyncio.gather(*(task for task in self._open if task))
        if self.faults and not error:
            raise AssertionError("\n".join(self.faults))

    @property
    def connections(self) -> int:
        """How many connections there were."""
        return len(self._open)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open[asyncio.current_task()] = writer
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while await self._answer(reader, writer):
                pass
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        pairs = (line.partition(": ") for line in lines if line)
        headers = {name.lower(): value for name, _, value in pairs}
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
        self.asked.append(Asked(first.split(" ")[1], headers, json.loads(raw), raw))
        self.faults += faults(self.asked[-1].path, self.asked[-1].body) if self._is_openai else []
        self.faults += faults_of_body(self.asked[-1].body)
        self.is_asked.set()
        reply = self.replies.pop(0) if self.replies else refusal(500, "the script is over")
        if reply.raw is not None:
            writer.write(reply.raw)
            await writer.drain()
            return False
        return await self._play(reply, reader, writer)

    async def _play(
        self, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        head = [f"HTTP/1.1 {reply.status} Reason", "transfer-encoding: chunked"]
        head += [f"{name}: {value}" for name, value in reply.headers.items()]
        writer.write("\r\n".join([*head, "", ""]).encode())
        step = 1 if reply.byte_by_byte else len(reply.body) or 1
        for start in range(0, len(reply.body), step):
            piece = reply.body[start : start + step]
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()
            if reply.byte_by_byte:
                await asyncio.sleep(0)
        if reply.then:
            await self.go_on.wait()
            writer.write(b"%x\r\n%b\r\n" % (len(reply.then), reply.then))
        if reply.stay_open:
            await reader.read()
            self.hung_up.set()
            return False
        if not reply.cut:
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        return not reply.cut


def chunk(choice: Json | None = None, **rest: Any) -> Json:
    """One chunk of a chat completion."""
    choices = [] if choice is None else [{"index": 0, "finish_reason": None, **choice}]
    return {"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": choices, **rest}


def delta(finish_reason: str | None = None, **fields: Any) -> Json:
    """A chunk that carries a delta."""
    return chunk({"delta": fields, "finish_reason": finish_reason})


def sse(*chunks: Json | str, line_end: str = "\n") -> bytes:
    """Chunks as server-sent events; a text is sent as it stands."""
    lines = [one if isinstance(one, str) else "data: " + dumped(one) for one in chunks]
    return "".join(line + 2 * line_end for line in lines).encode()


def dumped(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def refusal(status: int, message: str, **fields: Any) -> Reply:
    """An HTTP error as OpenAI words it."""
    headers = {"content-type": "application/json", **fields.pop("headers", {})}
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return Reply(dumped({"error": error | fields}).encode(), status, headers)


def request(*texts: str, **fields: Any) -> ModelRequest:
    """A request with user messages."""
    return ModelRequest(messages=[UserMessage(text=text) for text in texts or ("hi",)], **fields)


async def ask(
    provider: Provider | str, asked: ModelRequest | None = None, **options: Any
) -> list[ModelPart]:
    """All parts that a model at the provider answers."""
    url = provider if isinstance(provider, str) else provider.url
    given: Json = {"base_url": url, "api_key": KEY, **options}
    model = OpenAIChat("m", **given)
    return [part async for part in model.stream(asked or request())]


def turn_of(parts: list[ModelPart]) -> ModelTurn:
    """The last part, which is the turn."""
    turn = parts[-1]
    assert isinstance(turn, ModelTurn)
    return turn
