"""The connections of one document: a pool for each event loop, closed when that ends.

Connections belong to the loop that opened them. The runtime has a private loop, the kernel another,
a script one for each `asyncio.run`.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import ssl
import threading
import weakref
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nbagents.openapi.exchange.reach import Reach, guarded_backend

if TYPE_CHECKING:
    from httpcore2 import AsyncConnectionPool

MAX_CONNECTIONS: Final = 20
KEEPALIVE_S: Final = 15.0
CLOSING_S: Final = 1.0


@dataclass(slots=True)
class _Kept:
    pool: AsyncConnectionPool
    keeper: AsyncGenerator[None]


class Connections:
    """Pools of connections, each made when its loop first asks.

    Args:
        reach: Where they may go.
    """

    def __init__(self, reach: Reach) -> None:
        self.reach: Final = reach
        self._kept: Final[dict[asyncio.AbstractEventLoop, _Kept]] = {}
        self._lock = threading.Lock()
        # Also when Python ends, as long as there are loops.
        self._finalizer = weakref.finalize(self, _close, self._kept)

    async def pool(self) -> AsyncConnectionPool:
        """The running loop's pool."""
        loop = asyncio.get_running_loop()
        found = self._kept.get(loop)
        if found is not None:
            return found.pool
        made = _new_pool(self.reach)
        keeper = _keeper(made, self._kept, loop)
        await anext(keeper)
        with self._lock:
            for other in [one for one in self._kept if one.is_closed()]:
                del self._kept[other]
            self._kept[loop] = _Kept(made, keeper)
        return made

    def close(self) -> None:
        """Close what is open; a later request opens anew."""
        _close(self._kept)


async def _keeper(
    pool: AsyncConnectionPool,
    kept: dict[asyncio.AbstractEventLoop, _Kept],
    loop: asyncio.AbstractEventLoop,
) -> AsyncGenerator[None]:
    """Closes a pool when its loop ends: a loop closes its begun asynchronous generators then."""
    try:
        yield
    finally:
        kept.pop(loop, None)
        await pool.aclose()


def _new_pool(reach: Reach) -> AsyncConnectionPool:
    import httpcore2  # comes with the first request

    return httpcore2.AsyncConnectionPool(
        ssl_context=_trust(),
        max_connections=MAX_CONNECTIONS,
        max_keepalive_connections=MAX_CONNECTIONS,
        keepalive_expiry=KEEPALIVE_S,
        network_backend=guarded_backend(reach),
    )


@functools.cache
def _trust() -> ssl.SSLContext:
    """Whom connections trust, read once: the certificates of a system are many."""
    import httpx2  # comes with the first request

    return httpx2.create_ssl_context()


def _close(kept: dict[asyncio.AbstractEventLoop, _Kept]) -> None:
    while kept:
        loop, one = kept.popitem()
        if loop.is_closed():
            continue
        with contextlib.suppress(Exception):  # at the end, nobody is left to be told
            _end(loop, one)


def _end(loop: asyncio.AbstractEventLoop, kept: _Kept) -> None:
    if not loop.is_running():
        loop.run_until_complete(kept.keeper.aclose())
        return
    try:
        is_here = asyncio.get_running_loop() is loop
    except RuntimeError:
        is_here = False
    closing = asyncio.run_coroutine_threadsafe(kept.keeper.aclose(), loop)
    if not is_here:
        closing.result(CLOSING_S)
