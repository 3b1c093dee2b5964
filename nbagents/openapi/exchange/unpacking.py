"""Bodies that come packed, unpacked in steps: nothing is lost, and what is cut off is refused."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Any, Final

from nbagents import bounds
from nbagents.errors import ToolError

ENCODINGS: Final = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS}


def unpacker(coding: str) -> Plain | Inflating:
    """What unpacks a body.

    Args:
        coding: As the answer says it, in small letters.

    Raises:
        ToolError: It is one that was not asked for.
    """
    if coding in ENCODINGS:
        return Inflating(lambda _: zlib.decompressobj(ENCODINGS[coding]))
    if coding == "deflate":  # zlib by the standard; some servers send it bare
        return Inflating(_deflated)
    if coding in ("", "identity"):
        return Plain()
    raise ToolError(
        f"The answer is packed as {coding!r}, which was not asked for.", kind="malformed_result"
    )


def _deflated(first: bytes) -> Any:  # Any: zlib names no type
    is_zlib = bool(first) and first[0] & 0x0F == zlib.DEFLATED
    return zlib.decompressobj(zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS)


class Plain:
    """Leaves a body as it is."""

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        """What came."""
        yield packed

    def end(self) -> None:
        """Nothing can be missing that the connection does not know of."""


class Inflating:
    """Unpacks a body as it comes: several packed pieces may follow each other.

    Source: RFC 1952, 2.2: a gzip file is a series of members.
    """

    def __init__(self, make: Callable[[bytes], Any]) -> None:
        self._make = make
        self._open: Any = None  # Any: zlib names no type
        self._ended = 0
        self._is_over = False

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        """What is unpacked of some more bytes."""
        is_full = False
        while (packed or is_full) and not self._is_over:
            self._open = self._open or self._make(packed)
            try:
                piece = self._open.decompress(packed, bounds.STEP_BYTES)
            except zlib.error as error:
                if not self._ended:
                    raise _unpackable(error) from error
                self._open, self._is_over = None, True  # what some servers add is nothing packed
                return
            yield piece
            is_full = len(piece) == bounds.STEP_BYTES  # more of what was taken may still come
            packed = self._open.unconsumed_tail
            if self._open.eof:
                packed, is_full, self._open = self._open.unused_data, False, None
                self._ended += 1

    def end(self) -> None:
        """Refuse what is not whole.

        Raises:
            ToolError: It was cut off.
        """
        if self._open is not None:
            raise _unpackable("it was cut off")


def _unpackable(why: object) -> ToolError:
    return ToolError(f"The answer cannot be unpacked: {why}.", kind="malformed_result")
