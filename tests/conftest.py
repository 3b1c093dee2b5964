"""What holds for every test: no network but this machine, no key, a state folder of its own."""

from __future__ import annotations

import gc
import ipaddress
import itertools
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import HealthCheck, settings

from nbagents import redaction
from nbagents.models.model import OutputSpec, ToolSpec
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state import session as sessions
from nbagents.tools.tool import toolbox
from tests.strict_rules import faults

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

STAND_INS = str(Path(__file__).parent / "stand_ins")
"""Goes before what is installed, here and in every process that a test starts."""
sys.path.insert(0, STAND_INS)
os.environ["PYTHONPATH"] = os.pathsep.join(
    one for one in (STAND_INS, os.environ.get("PYTHONPATH")) if one
)

settings.register_profile("whole", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("third", settings.get_profile("whole"), max_examples=33)
settings.load_profile("whole")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected: all of it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


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
def secrets_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is a secret in one test (`00000000`) is none in the next one.

    It is put back by `monkeypatch`, so after what the test itself has patched.
    """
    for name, value in vars(redaction).items():
        if name.startswith("_") and not name.startswith("__") and not callable(value):
            monkeypatch.setattr(redaction, name, value.copy() if name == "_keys" else value)
    if (client := sys.modules.get("nbagents.models.openai.client")) is not None:
        client.account_of.cache_clear()  # an account says its key when it is made


@pytest.fixture(autouse=True)
def own_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test defines for everybody is defined for that test; what modules define is theirs."""
    for name in vars(toolbox):
        monkeypatch.setattr(toolbox, name, {})


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
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

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket, "getaddrinfo", guarded_look_up)
        yield


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, states: Iterator[Path]) -> None:
    """No key and no setting of the one who runs the tests; a state folder for this test alone."""
    for name in list(os.environ):
        if name.endswith("_API_KEY") or name.startswith(("NBAGENTS_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NBAGENTS_STATE_DIR", str(next(states)))
    monkeypatch.setenv("NBAGENTS_CACHE", str(next(states)))


@pytest.fixture(scope="session")
def states(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that are not there: most tests need none, and making thousands takes time."""
    base = tmp_path_factory.mktemp("states")
    return (base / str(nth) for nth in itertools.count())


@pytest.fixture(autouse=True)
def own_session() -> Iterator[None]:
    """The process's session ends with the test, and its log is closed."""
    yield
    session = sessions._current  # pyright: ignore[reportPrivateUsage]  not opened by asking
    if session is not None and isinstance(session.log, SqliteLog):
        session.log.close()
    sessions.use_session(None)


@pytest.fixture(scope="session")
def loose() -> Iterator[list[str]]:
    """What was called strict and is not, so far."""
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

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ToolSpec, "__init__", checked_tool)
        patch.setattr(OutputSpec, "__init__", checked_output)
        yield found


@pytest.fixture(autouse=True)
def strict_rules(loose: list[str]) -> Iterator[list[str]]:
    """Every schema that a model is told is strict keeps OpenAI's strict rules, in every test."""
    yield loose
    found = loose.copy()
    loose.clear()
    assert not found, "\n".join(found)
