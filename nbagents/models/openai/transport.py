"""What comes over the wire, bounded: no answer unpacks without end, and none drips for ever."""

from __future__ import annotations

import asyncio
import functools
import time
import zlib
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents import bounds
from nbagents.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from httpx2 import AsyncClient, Request, Response

CUT: Final = "nbagents_cut"
"""Among a response's extensions: how much of it was read, where that was not all."""
CODINGS: Final = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS}
REFUSAL: Final = 300
TOO_MUCH: Final = (
    "{host} sent more than {limit:,} bytes in one answer, which is as much as is taken: nothing of "
    "it was used. Ask for less at once, or check OPENAI_BASE_URL."
)


def bounded(client: AsyncClient) -> AsyncClient:
    """A client whose answers are unpacked step by step, with an end, and begin in time."""
    client.headers["accept-encoding"] = "gzip, deflate"  # what can be unpacked in steps
    client.event_hooks["response"] = [_bound]
    send = client.send

    async def in_time(request: Request, **options: Any) -> Response:  # Any: as `send` takes them
        limit_s = _silence_s(request)
        try:
            async with asyncio.timeout(limit_s):
                return await send(request, **options)
        except TimeoutError as error:
            import httpx2  # it is there: this is its client

            said = f"no whole head within {limit_s} s"
            raise httpx2.ReadTimeout(said, request=request) from error

    client.send = in_time  # its own class is chosen when it is made, by what is installed
    return client


async def _bound(response: Response) -> None:
    """Have the body of a response read in steps; it looks as if it had come unpacked."""
    coding = response.headers.get("content-encoding", "").strip().lower()
    if "content-encoding" in response.headers:
        del response.headers["content-encoding"]
    response.stream = _body_class()(response, coding)


def _silence_s(request: Request) -> float | None:
    """How long may be waited for a byte, and so for a head, or for a refusal."""
    limits = cast("dict[str, float | None]", request.extensions.get("timeout") or {})
    return limits.get("read")


@functools.cache
def _body_class() -> Any:  # Any: it has a base that is there only when a client is
    """The class of bodies, made when first asked for: it needs one of the client's.

    It is made but once: each class is a cycle, which would keep what it knows of until collected.
    """
    import httpx2

    class Body(httpx2.AsyncByteStream):
        """Unpacked in steps, up to a limit."""

        def __init__(self, response: Response, coding: str) -> None:
            self._inner: Any = response.stream
            self._taken = _Taken(response)  # of the response itself nothing is kept: it has this
            self._coding = coding

        async def __aiter__(self) -> AsyncIterator[bytes]:
            taken, unpack = self._taken, _unpacker(self._coding)
            async for packed in self._inner:
                for piece in unpack(packed):
                    if taken.is_enough(piece):
                        return
                    yield piece
                    if taken.is_time_to_look:
                        await asyncio.sleep(0)

        async def aclose(self) -> None:
            await self._inner.aclose()

    return Body


class _Taken:
    """How much of a body was taken, and since when."""

    def __init__(self, response: Response) -> None:
        self._request = response.request
        self._extensions = response.extensions
        self._is_refusal = response.status_code >= REFUSAL
        self._bytes = 0
        self._looked = 0
        limit_s = _silence_s(response.request)
        self._end_s = None if limit_s is None else time.monotonic() + limit_s

    def is_enough(self, piece: bytes) -> bool:
        """Whether no more is wanted: of a refusal, whose words are shortened anyway.

        Raises:
            ModelError: An answer is too large.
        """
        self._bytes += len(piece)
        if not self._is_refusal:
            if self._bytes > bounds.MAX_ANSWER_BYTES:
                host = self._request.url.netloc.decode()
                raise ModelError(TOO_MUCH.format(host=host, limit=bounds.MAX_ANSWER_BYTES))
            return False
        is_late = self._end_s is not None and time.monotonic() > self._end_s
        if self._bytes > bounds.MAX_REFUSAL_BYTES or is_late:
            self._extensions[CUT] = self._bytes - len(piece)
            return True
        return False

    @property
    def is_time_to_look(self) -> bool:
        """Whether so much came that others should have their turn."""
        if self._bytes - self._looked < bounds.STEP_BYTES:
            return False
        self._looked = self._bytes
        return True


def _unpacker(coding: str) -> Callable[[bytes], Iterator[bytes]]:
    """What gives the bytes of a body in pieces of at most `STEP_BYTES`."""
    if coding in ("", "identity"):
        return lambda packed: iter((packed,))
    if coding in CODINGS:
        return _inflating(zlib.decompressobj(CODINGS[coding]))
    if coding == "deflate":
        return _deflated()
    import httpx2

    def refuse(_: bytes) -> Iterator[bytes]:
        raise httpx2.DecodingError("a coding that was not asked for")

    return refuse


def _inflating(unpacking: Any) -> Callable[[bytes], Iterator[bytes]]:  # Any: zlib names no type
    import httpx2

    def unpack(packed: bytes) -> Iterator[bytes]:
        while packed:
            try:
                yield unpacking.decompress(packed, bounds.STEP_BYTES)
            except zlib.error as error:
                raise httpx2.DecodingError(str(error)) from error
            packed = unpacking.unconsumed_tail

    return unpack


def _deflated() -> Callable[[bytes], Iterator[bytes]]:
    """`deflate` is zlib by the standard; some servers send it bare."""
    chosen: list[Callable[[bytes], Iterator[bytes]]] = []

    def unpack(packed: bytes) -> Iterator[bytes]:
        if not chosen:
            is_zlib = len(packed) > 0 and packed[0] & 0x0F == zlib.DEFLATED
            bits = zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS
            chosen.append(_inflating(zlib.decompressobj(bits)))
        yield from chosen[0](packed)

    return unpack
