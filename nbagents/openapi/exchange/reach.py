"""Which machines may be reached: public ones, and of the private ones those that a person named.

A name is no address: what a name leads to is looked at when a connection is made, and that goes to
the very address that was looked at. So a name that leads elsewhere a moment later leads nowhere
(DNS rebinding).

Source: OWASP, Server-Side Request Forgery Prevention Cheat Sheet; IANA special-purpose registries,
as `ipaddress` has them.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import urlsplit

from nbagents.errors import ToolDefinitionError, ToolError

if TYPE_CHECKING:
    from httpcore2 import AsyncNetworkBackend

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

PORTS: Final = {"http": 80, "https": 443}
NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
"""IPv4 addresses in IPv6 ones. Source: RFC 6052."""
REFUSED: Final = (
    "{place} a private address of this machine or its network: nothing was sent there. Only "
    "the user can allow it, by private_hosts=[{host!r}] where the API is given."
)


class PrivateAddressError(ToolError):
    """A name leads to a private address that nobody named."""

    def __init__(self, host: str, address: str) -> None:
        place = f"{host} is" if host == address else f"{host} is {address},"
        super().__init__(REFUSED.format(place=place, host=host), kind="unavailable")


@dataclass(frozen=True, slots=True)
class Named:
    """A host that a person has named."""

    host: str
    port: int | None
    """`None`: all of them."""
    by_name: bool
    """Whether whatever the name leads to is meant; else only an address that is written out, and
    this machine as `localhost`."""


def named_by(url: str) -> Named | None:
    """What a person names by giving an address: an IP address, or this machine; no other name."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    if _literal(host) is None and not _is_local(host):
        return None
    return Named(host, parts.port or PORTS.get(parts.scheme), by_name=False)


def named_host(given: str) -> Named:
    """A host that is named as such, perhaps with a port.

    Raises:
        ToolDefinitionError: It is none.
    """
    try:
        parts = urlsplit(given if "://" in given else f"//{given}")
        host, port = parts.hostname, parts.port
    except (ValueError, TypeError, AttributeError):
        host, port = None, None
    if not host:
        raise ToolDefinitionError(
            f"{given!r} is no host: write e.g. 'intranet.example.com', '10.0.0.5:8080'."
        )
    return Named(host.lower(), port, by_name=True)


@dataclass(frozen=True, slots=True)
class Reach:
    """Where requests may go."""

    named: tuple[Named, ...] = ()

    def allows(self, host: str, port: int, address: Address) -> bool:
        """Whether a connection to an address may be made, which a host's name has led to."""
        if is_public(address):
            return True
        return any(
            one.host == host.lower()
            and one.port in (None, port)
            and (one.by_name or _literal(host) is not None or address.is_loopback)
            for one in self.named
        )

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of a host that may be connected to.

        Raises:
            PrivateAddressError: There are only others.
            OSError: The name leads nowhere.
        """
        all_of_them = [host] if _literal(host) is not None else await _looked_up(host, port)
        allowed = [one for one in all_of_them if self.allows(host, port, _address(one))]
        if not allowed:
            raise PrivateAddressError(host, all_of_them[0] if all_of_them else "nowhere")
        return allowed


async def _looked_up(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def is_public(address: Address) -> bool:
    """Whether an address is one of the whole internet, also behind what it is written in."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.teredo is not None:
            return False
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast


def _address(text: str) -> Address:
    return ipaddress.ip_address(text.partition("%")[0])


def _literal(host: str) -> Address | None:
    try:
        return _address(host)
    except ValueError:
        return None


def _is_local(host: str) -> bool:
    return host == "localhost" or host.endswith(".localhost")


def guarded_backend(reach: Reach) -> AsyncNetworkBackend:
    """What makes connections, to allowed addresses only."""
    import httpcore2  # comes with the first request

    # Any: the class of `httpcore2` says nothing of its types.
    inner: Any = httpcore2.AnyIOBackend()

    async def found(host: str, port: int, limit_s: float | None) -> list[str]:
        try:
            async with asyncio.timeout(limit_s):
                return await reach.addresses(host, port)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(f"{host} is not found in time") from error
        except OSError as error:
            raise httpcore2.ConnectError(f"{host} is not found") from error

    class Backend(httpcore2.AsyncNetworkBackend):
        """Looks at the address that it connects to."""

        async def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,  # noqa: ASYNC109  the name that httpcore2 gives it
            local_address: str | None = None,
            socket_options: Iterable[Any] | None = None,
        ) -> Any:
            rest = (port, timeout, local_address, socket_options)
            *others, last = await found(host, port, timeout)
            for one in others:
                with contextlib.suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                    return await inner.connect_tcp(one, *rest)
            return await inner.connect_tcp(last, *rest)

        async def sleep(self, seconds: float) -> None:
            await asyncio.sleep(seconds)

    return Backend()
