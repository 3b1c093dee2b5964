"""A front end without a page: talks to a real kernel as JupyterLab does, message by message.

Fast enough to hold every release of ipykernel against what the pump and the stop promise.
"""

from __future__ import annotations

import os
import queue
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any, Self, TypeVar

from jupyter_client.manager import KernelManager

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")
START_S = 60.0
WAIT_S = 20.0

# Any in this file: the protocol's messages are JSON of many shapes.


class FrontEnd:
    """A kernel, and what a front end knows of it.

    Args:
        ipykernel: The folder with the release of ipykernel to use; `None`: the installed one.
        state: The folder for the log of runs.
        with_subshell: Whether widget messages go through a subshell, where the kernel has them.
    """

    def __init__(self, ipykernel: Path | None, *, state: Path, with_subshell: bool = True) -> None:
        self._manager = KernelManager(kernel_name="python3")
        self._manager.start_kernel(
            env=environment(ipykernel, state), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._client = self._manager.blocking_client()
        self._client.start_channels()
        self._client.wait_for_ready(timeout=START_S)
        self._news = threading.Condition()
        self._messages: list[Any] = []
        self._listening = True
        self._thread = threading.Thread(target=self._listen, name="iopub", daemon=True)
        self._thread.start()
        self._subshell_id = self._subshell() if with_subshell else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._listening = False
        self._thread.join(5)
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)
        self._manager.cleanup_resources()

    # --- asking

    def execute(self, code: str) -> str:
        """Send a cell; its request's id."""
        content: dict[str, Any] = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": True,
            "stop_on_error": True,
        }
        return self._send("execute_request", content, None)

    def run(self, code: str) -> str:
        """Send a cell, wait until it has ended, and give its request's id."""
        request = self.execute(code)
        self.wait_until_idle(request)
        return request

    def message_comm(self, comm_id: str, content: object) -> None:
        """Send a custom message to a widget, as its view would."""
        data = {"method": "custom", "content": content}
        self._send("comm_msg", {"comm_id": comm_id, "data": data}, self._subshell_id)

    def interrupt(self) -> None:
        """Interrupt the kernel, as the Stop button does."""
        self._manager.interrupt_kernel()

    def kill(self) -> None:
        """Kill the kernel, as running out of memory does."""
        self._manager.shutdown_kernel(now=True)

    # --- reading

    def of(self, request: str, message_type: str) -> list[Any]:
        """The contents of the messages of one type that a request gave rise to."""
        with self._news:
            return [
                message["content"]
                for message in self._messages
                if message["msg_type"] == message_type
                and message["parent_header"].get("msg_id") == request
            ]

    def printed(self, request: str) -> str:
        """What a cell printed."""
        return "".join(content["text"] for content in self.of(request, "stream"))

    def errors(self, request: str) -> list[str]:
        """The names of the exceptions that a cell ended with."""
        return [content["ename"] for content in self.of(request, "error")]

    def comm_of(self, model_name: str) -> str:
        """The comm of the widget whose view, or whose model, is called so; waits for it."""

        def find() -> str | None:
            opened = [one["content"] for one in self._messages if one["msg_type"] == "comm_open"]
            states = {one["comm_id"]: one["data"].get("state", {}) for one in opened}
            return next(
                (comm for comm, state in states.items() if model_name in names(state)), None
            )

        return self._wait(find, f"no widget {model_name} was opened")

    def wait_for_event(self, event_type: str, *, count: int = 1) -> None:
        """Wait until the views of runs were told of so many events of this type."""

        def told() -> bool | None:
            shown = [event for event in self._shown() if event["type"] == event_type]
            return True if len(shown) >= count else None

        self._wait(told, f"no {event_type} was shown")

    def _shown(self) -> list[Any]:
        """The events that run views were sent, in whichever order they came."""
        sent = [one["content"]["data"] for one in self._messages if one["msg_type"] == "comm_msg"]
        batches = [data["content"] for data in sent if data.get("method") == "custom"]
        return [event for batch in batches for event in batch.get("events", [])]

    def wait_until_idle(self, request: str) -> float:
        """Wait until a cell has ended; the seconds that it took from now."""
        began = time.monotonic()

        def idle() -> bool | None:
            states = [content["execution_state"] for content in self.of(request, "status")]
            return True if "idle" in states else None

        self._wait(idle, "the cell did not end")
        return time.monotonic() - began

    # --- the wire

    def _send(self, message_type: str, content: dict[str, Any], subshell_id: str | None) -> str:
        message = self._client.session.msg(message_type, content)
        if subshell_id is not None:
            message["header"]["subshell_id"] = subshell_id
        self._client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def _subshell(self) -> str | None:
        info = self._ask_control("kernel_info_request")
        if "kernel subshells" not in info.get("supported_features", []):
            return None
        return self._ask_control("create_subshell_request")["subshell_id"]

    def _ask_control(self, message_type: str) -> dict[str, Any]:
        question = self._client.session.msg(message_type, {})
        self._client.control_channel.send(question)
        while True:
            reply = self._client.get_control_msg(timeout=WAIT_S)
            if reply["parent_header"].get("msg_id") == question["header"]["msg_id"]:
                return reply["content"]

    def _listen(self) -> None:
        while self._listening:
            try:
                message = self._client.get_iopub_msg(timeout=0.2)
            except queue.Empty:
                continue
            with self._news:
                self._messages.append(message)
                self._news.notify_all()

    def _wait(self, find: Callable[[], T | None], otherwise: str) -> T:
        deadline = time.monotonic() + WAIT_S
        with self._news:
            while (found := find()) is None:
                if not self._news.wait(max(0.0, deadline - time.monotonic())):
                    raise TimeoutError(otherwise)
            return found


def environment(ipykernel: Path | None, state: Path) -> dict[str, str]:
    """A kernel's environment: a release of ipykernel first on its path, a log of its own."""
    known = os.environ.get("PYTHONPATH", "")
    path = [part for part in (str(ipykernel or ""), known) if part]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), "NBAGENTS_STATE_DIR": str(state)}


def names(state: dict[str, Any]) -> set[str]:
    """What a widget's model may be found by: its class in either language."""
    return {str(state.get(key)) for key in ("_model_name", "_anywidget_id", "_view_name")}
