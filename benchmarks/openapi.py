"""What it costs to load OpenAPI documents, beside reading their JSON, and to make a request."""

from __future__ import annotations

import asyncio
import gc
import http.server
import json
import os
import threading
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2

from nbagents.openapi import OpenAPI

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = [
    "BY_HAND",
    "CALL",
    "CALLS",
    "DOCUMENTS",
    "LISTED",
    "LOADED",
    "LOADS",
    "TIMES",
    "TOOLS",
    "US_AN_OPERATION",
    "call_work",
    "load_work",
    "paths",
]

DATA = Path(os.environ.get("NBAGENTS_DATA") or Path(__file__).parents[1].parent / "shared" / "data")
DOCUMENTS = DATA / "openapi" / "documents"
"""Real documents; where they are not there, that is said."""

TIMES, US_AN_OPERATION = 1.5, 20.0
"""How long loading may take: so many times `json.loads`, and so long for each operation."""

LOADS = "floor: json.loads"
LOADED = "OpenAPI(path)"
LISTED = "OpenAPI(path), all operations listed"
TOOLS = "OpenAPI(path), all tools and schemas"
BY_HAND = "by hand: httpx2, one client"
CALL = "a tool of OpenAPI"
CALLS = 50


def paths() -> list[Path]:
    """The documents in JSON, the largest last."""
    return sorted(DOCUMENTS.glob("*.json"), key=lambda path: path.stat().st_size)


def load_work(chosen: list[Path]) -> tuple[dict[str, Callable[[], object]], int]:
    """What is measured for some documents, by name, and how many operations they have."""
    texts = [path.read_bytes() for path in chosen]
    gc.collect()
    work: dict[str, Callable[[], object]] = {
        LOADS: lambda: [json.loads(one) for one in texts],
        LOADED: lambda: [OpenAPI(one) for one in chosen],
        LISTED: lambda: [list(OpenAPI(one)) for one in chosen],
        TOOLS: lambda: [_schemas(OpenAPI(one)) for one in chosen],
    }
    return work, sum(len(OpenAPI(one)) for one in chosen)


def _schemas(api: OpenAPI) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some documents are faulty, and say so
        return sum(len(tool.parameters) for tool in api.tools())


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with a little JSON."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet, or the kernel waits in between

    def do_GET(self) -> None:
        """Answer."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "12")
        self.end_headers()
        self.wfile.write(b'{"ok": true}')

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def call_work() -> Generator[dict[str, Callable[[], object]]]:
    """Requests of a server on this machine, one after the other."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    operation = {"parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}]}
    document = {"openapi": "3.1.0", "info": {"title": "Bench"}, "paths": {"/x": {"get": operation}}}

    async def by_hand() -> None:
        async with httpx2.AsyncClient(trust_env=False) as client:
            for number in range(CALLS):
                answer = await client.get(f"{url}/x", params={"q": f"word {number}"})
                assert answer.json() == {"ok": True}

    async def by_tool() -> None:
        tool = OpenAPI(document, base_url=url).operation("GET", "/x")
        for number in range(CALLS):
            answer = await tool({"q": f"word {number}"})
            assert answer.content == {"ok": True}

    try:
        yield {BY_HAND: lambda: asyncio.run(by_hand()), CALL: lambda: asyncio.run(by_tool())}
    finally:
        server.shutdown()
        server.server_close()
