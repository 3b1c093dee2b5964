"""A server process on this machine that plays the script as fast as it is asked.

It reads nothing of a request but its path and length, so that only the client side is measured.
Each path plays the script for itself, from the beginning again after its end.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import subprocess
import sys
from typing import TYPE_CHECKING

from benchmarks.script import text_stream, turn_streams

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

__all__ = ["serving"]

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
LENGTH = b"content-length: "


@contextlib.contextmanager
def serving() -> Generator[str]:
    """A server in a process of its own; gives its address."""
    command = [sys.executable, "-m", "benchmarks.server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  our own
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()


class Script:
    """What is played: at `/text/…` the long text, anywhere else the turns in their order."""

    def __init__(self) -> None:
        self._turns = [_framed(stream) for stream in turn_streams()]
        self._text = _framed(text_stream())
        self._next: dict[bytes, Iterator[bytes]] = {}

    def answer(self, path: bytes) -> bytes:
        """The next response to a path, headers included."""
        if path.startswith(b"/text/"):
            return self._text
        if path not in self._next:
            self._next[path] = itertools.cycle(self._turns)
        return next(self._next[path])


class Connection(asyncio.Protocol):
    """One connection that stays open; a request is answered when all of it is there."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._buffer[:end]).lower()
        start = head.index(LENGTH) + len(LENGTH)
        whole = end + 4 + int(head[start:].split(b"\r\n", 1)[0])
        if len(self._buffer) >= whole:
            del self._buffer[:whole]
            self._transport.write(self._script.answer(head.split(b" ", 2)[1]))


def _framed(stream: bytes) -> bytes:
    return HEAD + b"%x\r\n%b\r\n0\r\n\r\n" % (len(stream), stream)


async def main() -> None:
    script = Script()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(script), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
