"""Shows that ipykernel 7.0 to 7.3 strand a request now and then; nothing of nbagents takes part.

`python -m tests.kernels.stranded 7.3.0` (installed by `make build/kernels/7.3.0/.done`) sends two
cells again and again, the second as soon as the first one is idle, which is before its reply has
left. In the end the reply to a second cell does not come, nor does any other after it.

The kernel then says why. It reads its shell socket through a `ZMQStream`, and sends replies past
that stream, by the socket itself. A ZMQ socket tells by an edge that something has come; sending
takes the edge, so a request that came meanwhile lies there, readable, and nobody looks. Here the
stream is made to look, and the reply comes. ipykernel 7.4 sends by the stream: its pull request
1529, and its issue 1554.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.kernels.kernel_process import KernelProcess
from tests.kernels.releases import folder_of

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES = 10_000
START_S = 240
REPLY_S = 20.0

WATCH = """
import threading, pathlib
from ipykernel.kernelapp import IPKernelApp

def watch(asked=pathlib.Path({asked!r}), told=pathlib.Path({told!r})):
    stream = IPKernelApp.instance().kernel.shell_stream
    def look():
        readable = bool(stream.socket.events & 1)
        stream._handle_events(None, 0)
        told.write_text(f"something to read: {{readable}}")
    while not asked.exists():
        threading.Event().wait(0.1)
    stream.io_loop.add_callback(look)

threading.Thread(target=watch, daemon=True).start()
"""


def main(release: str) -> int:
    """Ask until a request is stranded; 1 if that has happened."""
    with tempfile.TemporaryDirectory() as name:
        state = Path(name)
        asked, told = state / "asked", state / "told"
        with KernelProcess(folder_of(release), state, as_released=True) as kernel:
            begin(kernel, WATCH.format(asked=str(asked), told=str(told)))
            for nth in range(1, TRIES + 1):
                first = execute(kernel, "pass")
                until(kernel, "iopub", lambda message, first=first: is_idle(message, first))
                second = execute(kernel, "pass")
                if answered(kernel, second):
                    continue
                print(f"{release}: the reply to pair {nth} did not come.")
                asked.touch()
                came = answered(kernel, second)
                print(f"The shell socket has {told.read_text()}; the reply after a look: {came}.")
                return 1
    print(f"{release}: {TRIES} pairs, none stranded.")
    return 0


def begin(kernel: KernelProcess, code: str) -> None:
    """Wait for the kernel, and run the first cell."""
    question = kernel.send("shell", "kernel_info_request", {})
    assert answered(kernel, question, START_S), "the kernel did not start"
    assert answered(kernel, execute(kernel, code))


def execute(kernel: KernelProcess, code: str) -> str:
    """Send a cell; its request's id."""
    return kernel.send("shell", "execute_request", {"code": code, "silent": False})


def answered(kernel: KernelProcess, request: str, timeout_s: float = REPLY_S) -> bool:
    """Whether the reply to a request comes."""
    return until(kernel, "shell", lambda message: parent_of(message) == request, timeout_s)


def until(
    kernel: KernelProcess,
    channel: str,
    is_it: Callable[[dict[str, dict[str, str]]], bool],
    timeout_s: float = REPLY_S,
) -> bool:
    """Read a channel until this has come; whether it has."""
    while message := kernel.receive(channel, timeout_s):
        if is_it(message):
            return True
    return False


def parent_of(message: dict[str, dict[str, str]]) -> str | None:
    """The request that a message belongs to."""
    return message["parent_header"].get("msg_id")


def is_idle(message: dict[str, dict[str, str]], request: str) -> bool:
    """Whether the kernel says that it is done with a request."""
    return message["content"].get("execution_state") == "idle" and parent_of(message) == request


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
