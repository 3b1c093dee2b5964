"""What holds for every test: no network but this machine, no key, a state folder of its own."""

from __future__ import annotations

import gc
import ipaddress
import os
import socket
from typing import TYPE_CHECKING, Any, cast

import pytest

from nbagents.models.model import OutputSpec, ToolSpec
from nbagents.runs import session as sessions
from nbagents.runs.logs.sqlite import SqliteLog
from tests.strict_rules import faults

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def pytest_collection_finish() -> None:
    """Have what stands for the whole session looked at no more by collections of garbage.

    IPython collects all of it whenever a shell ends; over a thousand tests have one.
    """
    gc.collect()
    gc.freeze()


class NetworkRefusedError(RuntimeError):
    """A test tried to reach another machine."""


def is_loopback(host: object) -> bool:
    """Whether a host name or address is this machine."""
    if host in ("localhost", "", None, b"localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def refuse_unless_loopback(host: object) -> None:
    """Raise for a host that is not this machine."""
    if not is_loopback(host):
        raise NetworkRefusedError(f"A test tried to reach {host!r}: tests stay on this machine.")


def host_of(address: Any) -> object:
    """The host of an address; a path (a Unix socket) has none."""
    return cast("tuple[object, ...]", address)[0] if isinstance(address, tuple) else None


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection and name look-up that leaves this machine."""
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex
    look_up = socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:  # Any: as the socket module
        refuse_unless_loopback(host_of(address))
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        refuse_unless_loopback(host_of(address))
        return connect_ex(self, address)

    def guarded_look_up(host: Any, *rest: Any, **options: Any) -> Any:
        refuse_unless_loopback(host)
        return look_up(host, *rest, **options)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No key and no setting of the one who runs the tests; a state folder for this test alone."""
    for name in list(os.environ):
        if name.endswith("_API_KEY") or name.startswith(("NBAGENTS_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NBAGENTS_STATE_DIR", str(tmp_path / "state"))


@pytest.fixture(autouse=True)
def own_session() -> Iterator[None]:
    """The process's session ends with the test, and its log is closed."""
    yield
    session = sessions._current  # pyright: ignore[reportPrivateUsage]  not opened by asking
    if session is not None and isinstance(session.log, SqliteLog):
        session.log.close()
    sessions.use_session(None)


@pytest.fixture(autouse=True)
def strict_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every schema that a model is told is strict keeps OpenAI's strict rules, in every test."""
    found: list[str] = []
    make_tool, make_output = ToolSpec.__init__, OutputSpec.__init__

    def checked_tool(self: ToolSpec, **given: Any) -> None:
        make_tool(self, **given)
        if self.strict:
            found.extend(f"tool {self.name!r}: {one}" for one in faults(dict(self.parameters)))

    def checked_output(self: OutputSpec, **given: Any) -> None:
        make_output(self, **given)
        if self.strict:
            found.extend(f"output {self.name!r}: {one}" for one in faults(dict(self.schema)))

    monkeypatch.setattr(ToolSpec, "__init__", checked_tool)
    monkeypatch.setattr(OutputSpec, "__init__", checked_output)
    yield found
    assert not found, "\n".join(found)
