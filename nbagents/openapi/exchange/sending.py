"""Sends a request, and says what came: redirects, another try, limits of time and size.

Credentials go to the server that they are for and nowhere else: a redirect to another one is
followed without them, and not at all where its address holds them.
"""

from __future__ import annotations

import asyncio
import email.utils
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urljoin, urlsplit

from nbagents import bounds
from nbagents.errors import ToolError, ToolTimeoutError
from nbagents.openapi.exchange.connections import Connections
from nbagents.openapi.exchange.reach import PORTS
from nbagents.openapi.exchange.secrets import forms, without_secrets
from nbagents.openapi.exchange.unpacking import Inflating, Plain, unpacker
from nbagents.openapi.request import HttpRequest

if TYPE_CHECKING:
    from httpcore2 import Response

SAFE: Final = ("GET", "HEAD", "OPTIONS", "TRACE")
"""Methods that change nothing. Source: RFC 9110, 9.2.1."""
REDIRECTS: Final = (301, 302, 303, 307, 308)
SEE_OTHER: Final = 303
AGAIN: Final = (429, 502, 503, 504)
"""Answers after which a safe request is made again."""
MAX_REDIRECTS: Final = 5
FIRST_WAIT_S: Final = 0.5
AGENT: Final = "nbagents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long is waited, and how much is taken."""

    timeout_s: float = 60.0
    """Of one call, with all its tries."""
    connect_s: float = 10.0
    retries: int = 2
    """How often a request that changes nothing is made again."""
    longest_wait_s: float = 30.0
    """Where a server asks to wait for longer, the model is told instead."""
    max_bytes: int = bounds.MAX_RESPONSE_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server answered."""

    status: int
    headers: tuple[tuple[str, str], ...]
    data: bytes = field(repr=False)
    address: str
    """Where it came from, without credentials."""
    is_cut: bool = False
    """Whether there was more than is taken."""
    why_not_followed: str = ""
    """Of a redirect, why it is the answer."""

    def header(self, name: str) -> str:
        """A header; empty where there is none."""
        return next(iter(self.all(name)), "")

    def all(self, name: str) -> tuple[str, ...]:
        """A header that may come several times."""
        return tuple(one for known, one in self.headers if known == name.lower())


async def send(request: HttpRequest, connections: Connections, patience: Patience) -> Answer:
    """The answer to a request.

    Raises:
        ToolTimeoutError: It took too long.
        ToolError: The server cannot be reached, or may not be.
    """
    end_s = time.monotonic() + patience.timeout_s
    host = urlsplit(request.base).netloc
    try:
        async with asyncio.timeout(patience.timeout_s):
            return await _tried(request, connections, patience, end_s)
    except TimeoutError as error:
        raise ToolTimeoutError(f"{host} did not answer within {patience.timeout_s:g} s.") from error


async def _tried(
    request: HttpRequest, connections: Connections, patience: Patience, end_s: float
) -> Answer:
    import httpcore2  # comes with the first request

    tries = 0
    while True:
        tries += 1
        hops: list[_Hop] = []
        is_last = request.method not in SAFE or tries > patience.retries
        asked_s: float | None = None
        try:
            answer = await _followed(request, connections, patience, hops)
            if is_last or answer.status not in AGAIN:
                return answer
            asked_s = retry_after_s(answer)
            if not _is_soon(asked_s or 0.0, patience, end_s):
                return answer
        except httpcore2.TimeoutException as error:
            raise ToolTimeoutError(_unreached(request, error, hops)) from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            if is_last or isinstance(error, httpcore2.LocalProtocolError):
                said = _unreached(request, error, hops)
                raise ToolError(said, kind="unavailable") from None
        await pause(FIRST_WAIT_S * 2 ** (tries - 1) if asked_s is None else asked_s)


async def pause(seconds: float) -> None:
    """Wait between two tries."""
    await asyncio.sleep(seconds)


def _is_soon(wait_s: float, patience: Patience, end_s: float) -> bool:
    return wait_s <= patience.longest_wait_s and time.monotonic() + wait_s < end_s


def _unreached(request: HttpRequest, error: Exception, hops: Sequence[_Hop]) -> str:
    import httpcore2  # comes with the first request

    host = urlsplit(hops[-1].address).netloc
    why = " ".join(str(error).split()) or type(error).__name__
    unsent = (httpcore2.ConnectError, httpcore2.ConnectTimeout, httpcore2.LocalProtocolError)
    sure = "" if request.method in SAFE else " Nobody knows whether it was done."
    if len(hops) == 1 and isinstance(error, unsent):
        sure = " Nothing was sent."
    return f"{host} could not be asked ({type(error).__name__}: {why}).{sure}"


def retry_after_s(answer: Answer) -> float | None:
    """How long a server asks to wait; `None` where it says nothing. Source: RFC 9110, 10.2.3."""
    said = answer.header("retry-after").strip()
    if said.isdecimal():
        return float(said[:9])
    try:
        when = email.utils.parsedate_to_datetime(said)
    except (ValueError, TypeError):
        return None
    return max(0.0, when.timestamp() - time.time())


@dataclass(slots=True)
class _Hop:
    """One request of a chain of redirects."""

    method: str
    address: str = field(repr=False)
    """As it is asked for."""
    shown: str
    headers: list[tuple[str, str]] = field(repr=False)
    content: bytes | None = field(repr=False)


async def _followed(
    request: HttpRequest, connections: Connections, patience: Patience, hops: list[_Hop]
) -> Answer:
    """The answer at the end of all redirects that may be followed.

    Args:
        request: What is asked.
        connections: By which.
        patience: How long.
        hops: Where each request that is made is noted.
    """
    content = request.content.data if request.content is not None else None
    address = request.secret_address
    hop = _Hop(request.method, address, request.address, request.secret_headers, content)
    hops.append(hop)
    answer = await _asked(hop, connections, patience)
    for _ in range(MAX_REDIRECTS):
        location = answer.header("location")
        if answer.status not in REDIRECTS or not location:
            return answer
        onward = _onward(request, hop, answer.status, location)
        if isinstance(onward, str):
            return _unfollowed(answer, onward)
        hop = onward
        hops.append(hop)
        answer = await _asked(hop, connections, patience)
    if answer.status not in REDIRECTS:
        return answer
    return _unfollowed(answer, f"there were more than {MAX_REDIRECTS} of them")


def _unfollowed(answer: Answer, why: str) -> Answer:
    return Answer(
        status=answer.status,
        headers=answer.headers,
        data=answer.data,
        address=answer.address,
        why_not_followed=why,
    )


def _onward(  # noqa: PLR0911  each reason by itself
    request: HttpRequest, hop: _Hop, status: int, location: str
) -> _Hop | str:
    """Where a redirect leads, or why it is not followed."""
    target = urljoin(hop.address, location).partition("#")[0]
    try:
        is_same = origin_of(target) == origin_of(hop.address)
    except ValueError:
        return "it leads to no address"
    is_get = hop.method in SAFE or status == SEE_OTHER
    method = "GET" if status == SEE_OTHER and hop.method != "HEAD" else hop.method
    if not is_get and status not in (307, 308):
        return f"a {hop.method} is not made anew by itself"
    if is_same:
        again = (
            _with_keys(request, target) if origin_of(request.base) == origin_of(target) else target
        )
        content = hop.content if method == hop.method else None
        headers = [one for one in hop.headers if content or one[0].lower() != "content-type"]
        return _Hop(method, again, without_secrets(target, request.sent.secrets), headers, content)
    if not is_get:
        return f"a {hop.method} is not made at another server"
    if hop.address.startswith("https:") and not target.startswith("https:"):
        return "it leads from https to http"
    if any(form in location for one in request.sent.secrets for form in forms(one)):
        return "it would carry the credentials to another server"
    accepts = [one for one in hop.headers if one[0].lower() == "accept"]
    return _Hop(method, target, target, accepts, None)


def origin_of(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of an address.

    Raises:
        ValueError: It is none that can be asked.
    """
    parts = urlsplit(url)
    if parts.scheme not in PORTS or not parts.hostname:
        raise ValueError(url)
    host = parts.hostname.encode("idna").decode().lower()
    return parts.scheme, host, parts.port or PORTS[parts.scheme]


def _with_keys(request: HttpRequest, target: str) -> str:
    """An address of the same server with the keys that its query must have."""
    for name, value in request.sent.query:
        pair = f"{quote(name, safe='')}={quote(value, safe='')}"
        if pair not in target:
            target += ("&" if "?" in target else "?") + pair
    return target


async def _asked(hop: _Hop, connections: Connections, patience: Patience) -> Answer:
    """One request, and its answer."""
    import httpcore2  # comes with the first request

    pool = await connections.pool()
    asked = _core_request(httpcore2, hop, patience)
    response = await pool.handle_async_request(asked)
    try:
        headers = tuple((_words(name).lower(), _words(value)) for name, value in response.headers)
        coding = next((one for name, one in headers if name == "content-encoding"), "")
        data, is_cut = await _body(response, coding, patience.max_bytes)
    finally:
        await response.aclose()
    return Answer(
        status=response.status, headers=headers, data=data, address=hop.shown, is_cut=is_cut
    )


def _words(written: bytes) -> str:
    """A name or a value of a header: ASCII, and where it is not, UTF-8 or, as of old, Latin 1."""
    try:
        return written.decode()
    except UnicodeDecodeError:
        return written.decode("latin-1")


def _core_request(httpcore2: Any, hop: _Hop, patience: Patience) -> Any:  # Any: a lazy module
    parts = urlsplit(hop.address)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    scheme, hostname, port = origin_of(hop.address)
    host = f"[{hostname}]" if ":" in hostname else hostname
    host += "" if port == PORTS[scheme] else f":{port}"
    named = {name.lower() for name, _ in hop.headers}
    headers = [("Host", host)]
    headers += [
        (name, value)
        for name, value in (("Accept", "*/*"), ("User-Agent", AGENT))
        if name.lower() not in named
    ]
    headers += [("Accept-Encoding", "gzip, deflate"), *hop.headers]
    if hop.content is not None or hop.method in ("POST", "PUT", "PATCH"):
        headers.append(("Content-Length", str(len(hop.content or b""))))
    waits = {"connect": patience.connect_s, "read": patience.timeout_s}
    waits |= {"write": patience.timeout_s, "pool": patience.timeout_s}
    return httpcore2.Request(
        method=hop.method,
        url=httpcore2.URL(
            scheme=scheme.encode(),
            host=hostname.encode(),
            port=port,
            target=_ascii(target),
        ),
        headers=[(name.encode(), value.encode()) for name, value in headers],
        content=_pieces(hop.content),
        extensions={"timeout": waits},
    )


def _ascii(target: str) -> bytes:
    """What a request line may hold: a server's own address may hold more."""
    return quote(target, safe="/?:@!$&'()*+,;=-._~%[]|{}^`\\\"<>").encode()


async def _pieces(content: bytes | None) -> AsyncIterator[bytes]:
    if content:
        yield content


async def _body(response: Response, coding: str, most: int) -> tuple[bytes, bool]:
    """A body, unpacked in steps, and whether it was cut off where it was too long."""
    found = bytearray()
    unpack: Plain | Inflating | None = None
    stream: Any = response.stream
    async for packed in stream:
        unpack = unpack or unpacker(coding.strip().lower())
        for piece in unpack.pieces(packed):
            found += piece
            if len(found) > most:
                return bytes(found[:most]), True
        await asyncio.sleep(0)
    if unpack is not None:
        unpack.end()
    return bytes(found), False
