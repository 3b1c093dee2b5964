"""A server that misbehaves on purpose: it sends the bytes that a test has written down.

Each request gets the next answer of a script; when the script is over, a good one. It runs on
threads of its own, so that a run may wait for it as it waits for a provider.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Self, TypeAlias

__all__ = [
    "Answer",
    "BadServer",
    "End",
    "Pause",
    "Step",
    "chunks",
    "head",
    "page",
    "refusal",
    "unused_port",
]

Json = dict[str, Any]  # what goes over the wire: any JSON


@dataclass(frozen=True)
class Pause:
    """Send nothing for a while."""

    seconds: float


class End(Enum):
    """How a connection ends in the middle of an answer."""

    CLOSE = "closed"
    """As a server does that stops: what was sent arrives, then nothing."""
    RESET = "reset"
    """As a firewall does it: the client's next read fails."""
    SILENCE = "silent"
    """It stays open until the client goes away."""


Step: TypeAlias = "bytes | Pause | End"
Answer: TypeAlias = "Sequence[Step]"


@dataclass
class Asked:
    """A request, as it came."""

    path: str
    headers: dict[str, str]
    body: Json
    at_s: float = field(default_factory=time.monotonic)


class BadServer:
    """Plays its script.

    Args:
        script: The answers, in order.
        otherwise: What is answered when the script is over.
    """

    def __init__(self, *script: Answer, otherwise: Answer) -> None:
        self.asked: list[Asked] = []
        self._script = list(script)
        self.otherwise = otherwise
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._is_over = threading.Event()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def __enter__(self) -> Self:
        self._spawn(self._accept)
        return self

    def __exit__(self, *_exc: object) -> None:
        self._is_over.set()
        with contextlib.suppress(OSError):  # wakes the thread that accepts
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in tuple(self._threads):
            thread.join()

    def _spawn(self, work: Any, *given: object) -> None:  # Any: what a thread runs
        thread = threading.Thread(target=work, args=given, name="bad-server", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._is_over.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._open.add(connection)
            self._spawn(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError, EOFError):
            stream = connection.makefile("rb")
            with stream:
                while self._answer(connection, stream):
                    pass
        with self._lock:
            self._open.discard(connection)

    def _answer(self, connection: socket.socket, stream: Any) -> bool:  # Any: a file of bytes
        """Answer one request; whether the connection goes on."""
        first = stream.readline()
        if not first:
            return False
        headers: dict[str, str] = {}
        while line := stream.readline().strip():
            name, _, value = line.decode(errors="replace").partition(":")
            headers[name.lower()] = value.strip()
        raw = stream.read(int(headers.get("content-length", 0)))
        path = first.decode(errors="replace").split(" ")[1]
        with self._lock:
            self.asked.append(Asked(path, headers, json.loads(raw) if raw else {}))
            answer = self._script.pop(0) if self._script else self.after_the_script()
        return self._play(connection, answer)

    def after_the_script(self) -> Answer:
        """What is answered then; the newest request is the last of `asked`."""
        return self.otherwise

    def _play(self, connection: socket.socket, answer: Answer) -> bool:
        for step in answer:
            if isinstance(step, bytes):
                connection.sendall(step)
            elif isinstance(step, Pause):
                self._is_over.wait(step.seconds)
            elif step is End.SILENCE:
                return bool(connection.recv(1))
            else:
                if step is End.RESET:
                    linger = struct.pack("ii", 1, 0)  # what is not read yet is thrown away
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                return False
        return True


def head(status: int = 200, kind: str = "text/event-stream", **headers: str) -> bytes:
    """The head of an answer that comes in chunks."""
    lines = [f"HTTP/1.1 {status} Reason", f"content-type: {kind}", "transfer-encoding: chunked"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def chunks(*pieces: bytes, end: bool = True) -> list[Step]:
    """Pieces of a body as HTTP chunks, each sent by itself."""
    framed: list[Step] = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces if piece]
    return [*framed, b"0\r\n\r\n"] if end else framed


def page(status: int, body: bytes, kind: str = "text/html", **headers: str) -> Answer:
    """A whole answer of any kind."""
    return [head(status, kind, **headers), *chunks(body)]


def refusal(status: int, message: str, **headers: str) -> Answer:
    """An error as OpenAI words it."""
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return page(status, json.dumps({"error": error}).encode(), "application/json", **headers)


def unused_port() -> int:
    """A port of this machine on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
