"""The openai clients: one for each event loop and account, closed when their loop ends.

A client's connections belong to the loop that opened them. The runtime has a private loop, the
kernel another, a script one for each `asyncio.run`, so a model cannot keep a client of its own.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import os
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from nbagents.errors import ModelError
from nbagents.models.openai.transport import bounded
from nbagents.redaction import know

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, MutableMapping

    from httpx2 import AsyncClient
    from openai import AsyncOpenAI, Timeout
    from pydantic import JsonValue

DEFAULT_BASE_URL = "https://api.openai.com/v1"
CONNECT_TIMEOUT_S = 10.0
CLOSING_TIMEOUT_S = 1.0
LOOPBACK = ("localhost", "127.", "::1")
NO_KEY = "none"
"""Sent where no key is needed: the client insists on one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Where requests go, and with which key.

    Raises:
        ModelError: There is no key where one is needed, or the base URL is no URL.
    """

    base_url: str
    api_key: str = field(repr=False)
    timeout_s: float
    max_retries: int

    def __post_init__(self) -> None:
        know(self.api_key)
        hostname = _hostname(self.base_url)
        if not self.api_key and not hostname.startswith(LOOPBACK):
            raise ModelError(
                f"There is no key for {self.host}: set OPENAI_API_KEY, "
                "or use the offline model (-m offline)."
            )
        if not (self.api_key.isascii() and self.api_key.isprintable()):
            raise ModelError("OPENAI_API_KEY holds characters that no key has: copy the key again.")

    @property
    def host(self) -> str:
        """Host and port."""
        return urlsplit(self.base_url).netloc


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How a model reaches its endpoint. What is `None` here the environment says when it is asked.

    Args:
        base_url: Where it is; `None`: `OPENAI_BASE_URL`, else OpenAI.
        api_key: `None`: `OPENAI_API_KEY`. A server on this machine may do without.
        timeout_s: The longest silence that is waited for.
        max_retries: How often a request is repeated after a failure that may pass.
    """

    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_s: float = 600.0
    max_retries: int = 2

    @property
    def url(self) -> str:
        """The base URL as it is now."""
        return (self.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL).strip()

    def account(self, timeout_s: float | None = None) -> Account:
        """The account as it is now, for a request that may have a time limit of its own.

        Raises:
            ModelError: There is no key where one is needed, or the base URL is no URL.
        """
        key = os.environ.get("OPENAI_API_KEY", "") if self.api_key is None else self.api_key
        limit = self.timeout_s if timeout_s is None else timeout_s
        return account_of(self.url, key.strip(), limit, self.max_retries)


@functools.lru_cache(maxsize=16)
def account_of(base_url: str, api_key: str, timeout_s: float, max_retries: int) -> Account:
    """An account, looked over once."""
    return Account(base_url=base_url, api_key=api_key, timeout_s=timeout_s, max_retries=max_retries)


def request_timeout(options: MutableMapping[str, JsonValue]) -> float | None:
    """Take `timeout_s`, which the provider does not know, out of a request's options.

    Raises:
        ModelError: It is no number of seconds.
    """
    limit = options.pop("timeout_s", None)
    if limit is None:
        return None
    if isinstance(limit, (int, float)) and not isinstance(limit, bool) and limit > 0:
        return float(limit)
    raise ModelError(f"timeout_s is a number of seconds, and more than none: not {limit!r}.")


def _hostname(base_url: str) -> str:
    try:
        url = urlsplit(base_url)
        if "@" in url.netloc:  # not quoted: it holds a password
            raise ModelError("A base URL holds no user or password: set OPENAI_API_KEY instead.")
        if url.scheme in {"http", "https"} and url.hostname:
            return url.hostname
    except ValueError:  # an address in brackets that is none
        pass
    raise ModelError(f"{base_url!r} is no base URL: it must look like {DEFAULT_BASE_URL}.")


@dataclass(slots=True)
class _Kept:
    """A client, and the generator that closes it when its loop shuts down."""

    client: AsyncOpenAI
    keeper: AsyncGenerator[None]


Place: TypeAlias = tuple[str, str]
"""Base URL and key: accounts that differ in their limits only share connections."""

_kept: dict[asyncio.AbstractEventLoop, dict[Place, _Kept]] = {}
_lock = threading.Lock()


async def client_for(account: Account) -> AsyncOpenAI:
    """The running loop's client for an account, made when it is first asked for."""
    loop, place = asyncio.get_running_loop(), (account.base_url, account.api_key)
    found = _kept.get(loop, {}).get(place)
    if found and not found.client.is_closed():
        return found.client
    made = await _keep(account)
    with _lock:
        ended = [_kept.pop(other) for other in list(_kept) if other.is_closed()]
        _kept.setdefault(loop, {})[place] = made
    for clients in ended:
        _close_without_loop(clients)
    return made.client


async def _keep(account: Account) -> _Kept:
    client = _new_client(account)

    async def keeper() -> AsyncGenerator[None]:
        try:
            yield
        finally:
            await client.close()

    # A loop closes its begun asynchronous generators before it ends, and so the client.
    kept = _Kept(client, keeper())
    await anext(kept.keeper)
    return kept


def _new_client(account: Account) -> AsyncOpenAI:
    from openai import AsyncOpenAI

    return AsyncOpenAI(
        api_key=account.api_key or NO_KEY,
        base_url=account.base_url,
        http_client=bounded(_transport()),
    )


@functools.lru_cache(maxsize=16)
def time_limits(timeout_s: float) -> Timeout:
    """A request's limits: of each silence, and, shorter, of the way to the server."""
    from openai import Timeout

    return Timeout(timeout_s, connect=min(CONNECT_TIMEOUT_S, timeout_s))


def _transport() -> AsyncClient:
    """The client's aiohttp transport, the faster one; where it cannot be had, its own."""
    from openai import DefaultAioHttpClient, DefaultAsyncHttpxClient

    try:
        return DefaultAioHttpClient()
    except (ImportError, RuntimeError):  # aiohttp is not there, or another one than it expects
        return DefaultAsyncHttpxClient()


def _close_without_loop(clients: dict[Place, _Kept]) -> None:
    """Close clients whose loop has ended unasked: there is nothing left to wait for."""
    for kept in clients.values():
        closing = kept.client.close()
        with contextlib.suppress(StopIteration, RuntimeError):
            closing.send(None)
        closing.close()


@atexit.register
def _close_all() -> None:
    """Close what is open when Python ends, or aiohttp complains of unclosed sessions."""
    while _kept:
        loop, clients = _kept.popitem()
        if loop.is_closed():
            _close_without_loop(clients)
            continue
        for kept in clients.values():
            with contextlib.suppress(Exception):  # the very end: nobody is left to be told
                if loop.is_running():
                    closing = asyncio.run_coroutine_threadsafe(kept.client.close(), loop)
                    closing.result(CLOSING_TIMEOUT_S)
                else:
                    loop.run_until_complete(kept.client.close())
