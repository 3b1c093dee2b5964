"""A server on this machine that notes what it is asked, and answers what a test wrote down."""

from __future__ import annotations

import contextlib
import http.server
import json
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from email.message import Message
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlsplit

__all__ = ["Asked", "Reply", "Served", "serving"]

Headers: TypeAlias = dict[str, str]


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    target: str
    headers: Message
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> list[tuple[str, str]]:
        return parse_qsl(urlsplit(self.target).query, keep_blank_values=True)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """An answer."""

    status: int = 200
    body: bytes = b"{}"
    headers: Headers = field(default_factory=dict[str, str])
    drops: bool = False
    """Whether the connection is closed instead."""

    @classmethod
    def of(cls, value: Any, status: int = 200, **headers: str) -> Reply:
        named = {name.replace("_", "-"): one for name, one in headers.items()}
        return cls(
            status, json.dumps(value).encode(), {"Content-Type": "application/json", **named}
        )


Script: TypeAlias = "Callable[[Asked], Reply]"


@dataclass
class Served:
    """A server while it runs."""

    url: str
    asked: list[Asked] = field(default_factory=list[Asked])

    @property
    def only(self) -> Asked:
        (asked,) = self.asked
        return asked


class Server(http.server.ThreadingHTTPServer):
    """Listens on a port of its own."""

    daemon_threads = True

    def __init__(self, reply: Script) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.reply = reply
        self.served = Served(f"http://127.0.0.1:{self.server_port}")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet, or the kernel waits in between

    def handle_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = Asked(self.command, self.path, self.headers, body)
        assert isinstance(self.server, Server)
        self.server.served.asked.append(asked)
        self.answer(self.server.reply(asked))

    def answer(self, one: Reply) -> None:
        if one.drops:
            self.close_connection = True
            return
        self.send_response(one.status)
        for name, value in one.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(one.body)))
        self.end_headers()
        if self.command != "HEAD":
            with contextlib.suppress(OSError):  # who has enough closes
                self.wfile.write(one.body)

    do_GET = do_POST = do_PUT = handle_any  # noqa: N815  the names that http.server asks for
    do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = handle_any  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def one_by_one(replies: list[Reply]) -> Script:
    """Each reply once, the last one from then on."""
    left = list(replies)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


@contextlib.contextmanager
def serving(reply: Script | Reply | list[Reply]) -> Generator[Served]:
    """Serve replies: one for all, one after the other (the last again), or by the request."""
    if not callable(reply):
        reply = one_by_one(reply if isinstance(reply, list) else [reply])
    server = Server(reply)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server.served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
