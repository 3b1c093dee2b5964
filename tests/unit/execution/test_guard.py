"""What keeps a Python from the network: every way of its own `socket`, and what it leaves alone."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from nbagents.execution.guard import Guard, NetworkBlockedError, is_no_lookup, is_this_machine
from nbagents.execution.surroundings import Refusal, Scratch

if TYPE_CHECKING:
    from pathlib import Path

TRIES = """
import asyncio, json, socket, subprocess, sys, threading, urllib.request

def attempt(do):
    try:
        return repr(do())
    except OSError as error:
        return f"{type(error).__name__}: {error}"

def connect(address, family=socket.AF_INET, how="connect"):
    with socket.socket(family) as one:
        return getattr(one, how)(address)

def in_thread():
    said = []
    one = threading.Thread(target=lambda: said.append(attempt(lambda: connect(("10.0.0.1", 80)))))
    one.start()
    one.join()
    return said[0]

async def streams():
    await asyncio.open_connection("example.org", 443)

def udp():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"x", ("8.8.8.8", 53))

CHILD = "import socket; socket.create_connection(('example.com', 80))"
print(json.dumps({
    "name": attempt(lambda: connect(("example.org", 443))),
    "ipv6": attempt(lambda: connect(("2001:db8::1", 443), socket.AF_INET6, "connect_ex")),
    "lookup": attempt(lambda: socket.getaddrinfo("example.net", 80)),
    "by name": attempt(lambda: socket.gethostbyname("example.net")),
    "thread": in_thread(),
    "asyncio": attempt(lambda: asyncio.run(streams())),
    "udp": attempt(udp),
    "urllib": attempt(lambda: urllib.request.urlopen("http://192.0.2.1/")),
    "loopback": attempt(lambda: connect(("127.0.0.1", 9))),
    "child": subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True).stderr,
    "pair": attempt(lambda: [one.close() for one in socket.socketpair()]),
    "literal": attempt(lambda: len(socket.getaddrinfo("127.0.0.1", 80)) > 0),
}))
"""


def tried(scratch: Scratch, notebook: Path, **more: str) -> dict[str, str]:
    """What came of each of the tries, in a Python that a cell started."""
    environment = scratch.environment(notebook) | {"NBAGENTS_GUARD_CELL": "In [7]", **more}
    done = subprocess.run(
        [sys.executable, "-c", TRIES], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_every_way_to_another_machine_is_refused_with_cell_and_address(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path)
    said = tried(scratch, tmp_path / "one.ipynb")
    wanted = {
        "name": "example.org:443",
        "ipv6": "[2001:db8::1]:443",
        "lookup": "example.net:80",
        "by name": "example.net",
        "thread": "10.0.0.1:80",
        "asyncio": "example.org:443",
        "udp": "8.8.8.8:53",
        "urllib": "192.0.2.1:80",
        "loopback": "127.0.0.1:9",
        "child": "example.com:80",
    }
    for way, address in wanted.items():
        assert f"In [7] wanted {address}, and tests have no network" in said[way], way
    assert "nbagents-loopback" in said["loopback"]
    assert said["pair"].startswith("[")
    assert said["literal"] == "True"
    assert {one.address for one in scratch.refusals()} == {*wanted.values()}
    assert {one.cell for one in scratch.refusals()} == {"In [7]"}


def test_a_cell_that_may_reach_this_machine_reaches_no_other(tmp_path: Path) -> None:
    said = tried(Scratch(tmp_path), tmp_path / "one.ipynb", NBAGENTS_GUARD_LOOPBACK="1")
    assert said["loopback"].startswith("ConnectionRefusedError")  # nothing listens there
    assert "wanted example.org:443" in said["name"]


@pytest.fixture
def guard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Guard:
    """One that is asked, and holds nothing."""
    monkeypatch.setenv("NBAGENTS_GUARD_REFUSED", str(tmp_path / "refused.jsonl"))
    for name in ("CELL", "LOOPBACK"):
        monkeypatch.setenv(f"NBAGENTS_GUARD_{name}", "")
    return Guard()


def test_what_python_is_about_to_do_is_judged_by_address_cell_and_family(
    guard: Guard, tmp_path: Path
) -> None:
    guard.enter("In [4]", loopback=True)
    with socket.socket() as one, socket.socket(socket.AF_UNIX) as local:
        guard.hear("open", ("file", "r", 0))
        guard.hear("socket.connect", (one, ("127.0.0.1", 80)))
        guard.hear("socket.connect", (local, "/run/some.socket"))
        guard.hear("socket.sendmsg", (one, None))
        guard.hear("socket.gethostbyname", ("localhost",))
        with pytest.raises(NetworkBlockedError, match=r"In \[4\] wanted 10\.0\.0\.1:80, and tests"):
            guard.hear("socket.connect", (one, ("10.0.0.1", 80)))
        guard.enter("In [5]", loopback=False)
        with pytest.raises(NetworkBlockedError, match="nbagents-loopback"):
            guard.judge(one, ("127.0.0.1", 80))
        with pytest.raises(NetworkBlockedError, match=r"wanted example\.org, and"):
            guard.hear("socket.gethostbyaddr", ("example.org",))
    assert Scratch(tmp_path).refusals() == [
        Refusal(cell="In [4]", address="10.0.0.1:80"),
        Refusal(cell="In [5]", address="127.0.0.1:80"),
        Refusal(cell="In [5]", address="example.org"),
    ]


def test_sockets_that_python_joins_itself_are_its_own(guard: Guard) -> None:
    with socket.socket() as one:
        guard.pair(guard.judge)(one, ("127.0.0.1", 80))
        with pytest.raises(NetworkBlockedError):
            guard.judge(one, ("127.0.0.1", 80))


def test_what_a_python_runs_when_it_starts_is_run_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "sitecustomize.py").write_text("import sys; sys.mine = 1", "utf-8")
    environment = Scratch(tmp_path).environment(tmp_path / "one.ipynb")
    paths = os.pathsep.join([environment["PYTHONPATH"], str(tmp_path / "own")])
    code = "import sys; print(sys.mine, any('startup' in one for one in sys.path))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**environment, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["1", "False"]


def test_a_kernel_under_test_gets_no_key_and_not_the_name_of_another_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a key")
    monkeypatch.setenv("JPY_SESSION_NAME", "other.ipynb")
    environment = Scratch(tmp_path).environment(tmp_path / "one.ipynb")
    assert not {"OPENAI_API_KEY", "JPY_SESSION_NAME"} & set(environment)
    assert environment["NBAGENTS_NOTEBOOK"] == str(tmp_path / "one.ipynb")
    assert environment["NBAGENTS_RECORD"] == "replay"
    assert environment["NBAGENTS_DETERMINISTIC"] == "1"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", b"::1"])
def test_this_machine_is_known_by_its_addresses(host: object) -> None:
    assert is_this_machine(host)


@pytest.mark.parametrize("host", ["::ffff:127.0.0.1", "fe80::1%eth0", "10.0.0.1", "localhost.evil"])
def test_only_its_own_addresses_are_this_machine(host: str) -> None:
    assert is_this_machine(host) == (host == "::ffff:127.0.0.1")


@pytest.mark.parametrize(
    ("host", "is_none"), [(None, True), ("", True), ("10.0.0.1", True), ("a.b", False)]
)
def test_addresses_are_found_without_asking_anybody(host: object, *, is_none: bool) -> None:
    assert is_no_lookup(host) == is_none
