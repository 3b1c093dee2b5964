"""A kernel as a child process, and the plain sockets to talk to it.

jupyter_client's own manager leaves event loops open in every thread that asks it something, which
Python reports at some later test.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import zmq
from jupyter_client.connect import write_connection_file
from jupyter_client.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence

LAUNCH = (sys.executable, "-P", str(Path(__file__).with_name("launch.py")))
AS_RELEASED = (sys.executable, "-m", "ipykernel_launcher")
DUMP_S = 30.0
CHANNELS = {"shell": zmq.DEALER, "control": zmq.DEALER, "stdin": zmq.DEALER, "iopub": zmq.SUB}

# Any in this file: the protocol's messages are JSON of many shapes.


class KernelProcess:
    """A running kernel.

    Args:
        ipykernel: The folder with the release of ipykernel to use; `None`: the installed one.
        state: The folder for the log of runs, and for the connection file.
        as_released: Whether it is started as Jupyter does, not as in `launch.py`.
    """

    def __init__(self, ipykernel: Path | None, state: Path, *, as_released: bool = False) -> None:
        key = secrets.token_hex(16).encode()
        file, connection = write_connection_file(
            str(state / "kernel.json"), ip="127.0.0.1", key=key
        )
        self._session: Any = Session(key=key)
        self._context = zmq.Context()
        self._sockets = {
            name: self._connected(kind, f"tcp://127.0.0.1:{connection[f'{name}_port']}")
            for name, kind in CHANNELS.items()
        }
        self._dump = state / "threads.txt"
        command: Sequence[str] = AS_RELEASED if as_released else (*LAUNCH, str(self._dump))
        self._process = subprocess.Popen(
            [*command, "-f", file],
            env=environment(ipykernel, state),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _connected(self, kind: int, address: str) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        socket.linger = 0
        if kind == zmq.DEALER:
            socket.identity = self._session.bsession
        else:
            socket.subscribe(b"")
        socket.connect(address)
        return socket

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.kill()
        self._context.destroy(linger=0)

    def send(self, channel: str, message_type: str, content: object, **header: str) -> str:
        """Send a message; its id."""
        message = self._session.msg(message_type, content)
        message["header"].update(header)
        self._session.send(self._sockets[channel], message)
        return message["header"]["msg_id"]

    def receive(self, channel: str, timeout_s: float) -> Any | None:
        """The next message of a channel; none if none comes in time."""
        if not self._sockets[channel].poll(round(timeout_s * 1000)):
            return None
        _identities, message = self._session.recv(self._sockets[channel], mode=zmq.NOBLOCK)
        return message

    def interrupt(self) -> None:
        """Interrupt it and its children, as Jupyter does."""
        os.killpg(self._process.pid, signal.SIGINT)

    def threads(self) -> str:
        """Where each of its threads stands; says so where it has ended or does not answer."""
        if self._process.poll() is not None:
            return f"The kernel has ended: {self._process.returncode}."
        os.kill(self._process.pid, signal.SIGUSR1)
        deadline = time.monotonic() + DUMP_S
        while time.monotonic() < deadline:
            if written := self._dump.read_text():
                time.sleep(0.1)  # it writes line by line
                return self._dump.read_text() or written
            time.sleep(0.05)
        return "The kernel wrote nothing of its threads."

    def kill(self) -> None:
        """End it at once, as running out of memory does."""
        self._process.kill()
        self._process.wait()


def environment(ipykernel: Path | None, state: Path) -> dict[str, str]:
    """A kernel's environment: a release of ipykernel first on its path, a log of its own."""
    known = os.environ.get("PYTHONPATH", "")
    path = [part for part in (str(ipykernel or ""), known) if part]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), "NBAGENTS_STATE_DIR": str(state)}
