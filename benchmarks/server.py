"""A server process on this machine that plays the script as fast as it is asked.

It reads nothing of a request but its path and length, so that only the client side is measured.
The first part of a path names the script. Each path plays it for itself, from the beginning again
after its end.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import subprocess
import sys
from typing import TYPE_CHECKING

from benchmarks.script import scripts

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


class Player:
    """Plays the scripts: `/turns/mine/…` is another place in the script than `/turns/yours/…`."""

    def __init__(self) -> None:
        self._scripts = {
            name.encode(): [_framed(stream) for stream in streams]
            for name, streams in scripts().items()
        }
        self._next: dict[bytes, Iterator[bytes]] = {}

    def answer(self, path: bytes) -> bytes:
        """The next response to a path, headers included."""
        if path not in self._next:
            self._next[path] = itertools.cycle(self._scripts[path.split(b"/")[1]])
        return next(self._next[path])


class Connection(asyncio.Protocol):
    """One connection that stays open; a request is answered when all of it is there."""

    def __init__(self, player: Player) -> None:
        self._player = player
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
            self._transport.write(self._player.answer(head.split(b" ", 2)[1]))


def _framed(stream: bytes) -> bytes:
    """The stream as HTTP chunks, each event in one of its own, as servers send them."""
    events = [event + b"\n\n" for event in stream.split(b"\n\n")[:-1]]
    return HEAD + b"".join(b"%x\r\n%b\r\n" % (len(one), one) for one in [*events, b""])


async def main() -> None:
    player = Player()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(player), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
