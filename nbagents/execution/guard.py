"""Keeps a kernel from the network, and says what wanted it.

The text of this file is sent to the kernel, and to each Python that a cell starts: it imports
nothing but Python's own. What Python's `socket` does is held, in every thread, in asyncio and in
processes that were forked. Programs that are no Python, Pythons that ignore their environment
(`-I`, `-E`, `-S`), and libraries with sockets of their own (pyzmq, gRPC, libcurl) are not.
"""

from __future__ import annotations

import ipaddress
import json
import os
import socket
import sys
import threading
from pathlib import Path
from typing import Any, cast

NAME = "nbagents_network_guard"
"""Under which it is found again among the modules of the process."""
REFUSED = "NBAGENTS_GUARD_REFUSED"
CELL = "NBAGENTS_GUARD_CELL"
LOOPBACK = "NBAGENTS_GUARD_LOOPBACK"
"""Where processes that a cell starts read what holds for it."""
FAMILIES = (socket.AF_INET, socket.AF_INET6)
TO_ADDRESS = ("socket.connect", "socket.sendto", "socket.sendmsg")
TO_NAME = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
ADVICE = (
    "record what it gets, or have the cell ask for nothing; `nbagents run` runs it with a network"
)
HERE = "if it may reach this machine, tag the cell `nbagents-loopback`"


class NetworkBlockedError(OSError):
    """A cell wanted the network, which is blocked."""


class Guard:
    """Decides what may be reached. It cannot be taken out again: the process is a test's own."""

    def __init__(self) -> None:
        self._exempt = threading.local()

    def enter(self, cell: str, *, loopback: bool) -> None:
        """Say which cell runs from now on, and whether it may reach this machine."""
        os.environ[CELL] = cell
        os.environ[LOOPBACK] = "1" if loopback else ""

    def hear(self, event: str, given: tuple[Any, ...]) -> None:
        """Judge what Python is about to do (Any: each event has arguments of its own)."""
        if not event.startswith("socket."):
            return
        if event in TO_ADDRESS:
            self.judge(given[0], given[1])
        elif event in TO_NAME and not is_no_lookup(given[0]):
            self._refuse(named(given[0], given[1] if event == TO_NAME[0] else None), here=False)

    def judge(self, one: socket.socket, address: Any) -> None:
        """Refuse an address that may not be reached (Any: each family has its own form)."""
        is_other = one.family not in FAMILIES or not isinstance(address, tuple)
        if is_other or getattr(self._exempt, "yes", False):
            return
        host, port = cast("tuple[object, object]", address[:2])
        here = is_this_machine(host)
        if not (here and os.environ.get(LOOPBACK)):
            self._refuse(named(host, port), here=here)

    def pair(self, make: Any) -> Any:  # Any: Python's own function, whatever it takes
        """Let Python join two sockets of its own, which on Windows goes by the network."""

        def made(*given: Any, **named: Any) -> Any:
            self._exempt.yes = True
            try:
                return make(*given, **named)
            finally:
                self._exempt.yes = False

        return made

    def _refuse(self, address: str, *, here: bool) -> None:
        cell = os.environ.get(CELL) or "A cell"
        if path := os.environ.get(REFUSED):
            line = json.dumps({"cell": cell, "address": address})
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        raise NetworkBlockedError(
            f"{cell} wanted {address}, and tests have no network: {HERE if here else ADVICE}."
        )


def is_this_machine(host: object) -> bool:
    """Whether an address is this machine's own."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if name in ("localhost", ""):
        return True
    try:
        found = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    inner = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    found = inner or found
    return found.is_loopback or found.is_unspecified


def is_no_lookup(host: object) -> bool:
    """Whether a name is found without asking anybody: none, an address, or this machine."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return True
    try:
        ipaddress.ip_address(str(name).partition("%")[0])
    except ValueError:
        return False
    return True


def named(host: object, port: object) -> str:
    """An address as one writes it: `example.org:443`."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    whole = f"[{name}]" if ":" in name else name
    return whole if port is None else f"{whole}:{port}"


def start() -> None:
    """Begin to hold this process, and the Pythons that it starts; once is enough."""
    if NAME in sys.modules:
        return
    guard = Guard()
    sys.modules[NAME] = guard  # type: ignore[assignment]  # found by name, not imported
    socket.socketpair = guard.pair(socket.socketpair)
    for name in ("connect", "connect_ex"):
        _judge_first(guard, name)
    sys.addaudithook(guard.hear)


def _judge_first(guard: Guard, name: str) -> None:
    """Judge before Python looks a name up, which it does before it says that it connects."""
    then = getattr(socket.socket, name)

    def judged(self: socket.socket, address: Any) -> Any:  # Any: as Python has it
        guard.judge(self, address)
        return then(self, address)

    setattr(socket.socket, name, judged)
