"""A front end without a page: talks to a real kernel as JupyterLab does, message by message.

Fast enough to hold every release of ipykernel against what the pump and the stop promise.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Self, TypeVar

from tests.kernels.kernel_process import KernelProcess
from tests.told import happenings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")
START_S = 240.0
WAIT_S = 120.0
ASK_S = 0.5

# Any in this file: the protocol's messages are JSON of many shapes.


class FrontEnd:
    """A kernel, and what a front end knows of it.

    Args:
        ipykernel: The folder with the release of ipykernel to use; `None`: the installed one.
        state: The folder for the log of runs.
        with_subshell: Whether widget messages go through a subshell, where the kernel has them.
    """

    def __init__(self, ipykernel: Path | None, *, state: Path, with_subshell: bool = True) -> None:
        self._kernel = KernelProcess(ipykernel, state)
        self._news = threading.Condition()
        self._messages: list[Any] = []
        self._listening = True
        self._thread = threading.Thread(target=self._listen, name="iopub", daemon=True)
        self._thread.start()
        try:
            self.kernel_info = self._connect()
            self._header = self._subshell() if with_subshell else {}
        except BaseException:
            self.__exit__()  # no kernel is left behind by a test that could not begin
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._listening = False
        self._thread.join()
        self._kernel.__exit__()

    # --- asking

    def execute(self, code: str, *, allow_stdin: bool = True) -> str:
        """Send a cell; its request's id.

        Args:
            code: The cell.
            allow_stdin: Whether what is run may ask for typing.
        """
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": dict[str, str](),
            "allow_stdin": allow_stdin,
            "stop_on_error": True,
        }
        return self._kernel.send("shell", "execute_request", content)

    def run(self, code: str) -> str:
        """Send a cell, wait until it has ended, and give its request's id."""
        request = self.execute(code)
        self.wait_until_idle(request)
        return request

    def asked(self) -> str:
        """What the kernel asks to be typed; waits for that."""
        message = self._kernel.receive("stdin", WAIT_S)
        if message is None:
            raise TimeoutError("nothing was asked")
        assert message["msg_type"] == "input_request"
        return message["content"]["prompt"]

    def is_asked(self) -> bool:
        """Whether the kernel asks for anything more, now that a cell has ended."""
        return self._kernel.receive("stdin", ASK_S) is not None

    def type(self, line: str) -> None:
        """Type a line, as an answer to what was asked."""
        self._kernel.send("stdin", "input_reply", {"value": line, "status": "ok"})

    def message_comm(self, comm_id: str, content: object) -> None:
        """Send a custom message to a widget, as its view would."""
        data = {"method": "custom", "content": content}
        self._kernel.send("shell", "comm_msg", {"comm_id": comm_id, "data": data}, **self._header)

    def interrupt(self) -> None:
        """Interrupt the kernel, as the Stop button does."""
        self._kernel.interrupt()

    def kill(self) -> None:
        """Kill the kernel, as running out of memory does."""
        self._kernel.kill()

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
        """The comm of the newest widget of this class; waits for one."""

        def find() -> str | None:
            opened = [one["content"] for one in self._messages if one["msg_type"] == "comm_open"]
            found = [one["comm_id"] for one in opened if model_name in classes(one["data"])]
            return found[-1] if found else None

        return self._wait(find, f"no widget {model_name} was opened")

    def messages(self, *types: str) -> list[Any]:
        """The messages of these types, whatever they belong to."""
        with self._news:
            return [message for message in self._messages if message["msg_type"] in types]

    def wait_for_message(self, message_type: str, *, count: int = 1) -> None:
        """Wait until there were so many messages of this type."""

        def came() -> bool | None:
            return True if len(self.messages(message_type)) >= count else None

        self._wait(came, f"no {message_type} came")

    def shown(self, kind: str) -> list[Any]:
        """What the views of runs were told of that kind: see `happenings`."""
        with self._news:
            return [one for name, one in happenings(self._shown()) if name == kind]

    def wait_to_see(self, kind: str, *, count: int = 1) -> None:
        """Wait until the views of runs were told of so many things of this kind."""

        def told() -> bool | None:
            return True if len(self.shown(kind)) >= count else None

        self._wait(told, f"no {kind} was shown")

    def wait_for_print(self, request: str, text: str) -> None:
        """Wait until a cell has printed a text."""

        def printed() -> bool | None:
            return True if text in self.printed(request) else None

        self._wait(printed, f"{text!r} was not printed")

    def wait_until_idle(self, request: str) -> None:
        """Wait until a cell has ended."""

        def idle() -> bool | None:
            states = [content["execution_state"] for content in self.of(request, "status")]
            return True if "idle" in states else None

        self._wait(idle, "the cell did not end")

    def _shown(self) -> list[Any]:
        """The patches that run views were sent."""
        sent = [one["content"]["data"] for one in self._messages if one["msg_type"] == "comm_msg"]
        batches = [data["content"] for data in sent if data.get("method") == "custom"]
        return [patch for batch in batches for patch in batch.get("patches", [])]

    # --- the wire

    def _connect(self) -> Any:
        """Ask until the kernel answers and its messages come through."""
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            question = self._kernel.send("shell", "kernel_info_request", {})
            reply = self._kernel.receive("shell", ASK_S)
            if reply is not None and self.of(question, "status"):
                return reply["content"]
        raise self._in_vain("the kernel did not start")

    def _subshell(self) -> dict[str, str]:
        if "kernel subshells" not in self.kernel_info.get("supported_features", []):
            return {}
        self._kernel.send("control", "create_subshell_request", {})
        reply = self._kernel.receive("control", WAIT_S)
        assert reply is not None
        return {"subshell_id": reply["content"]["subshell_id"]}

    def _listen(self) -> None:
        while self._listening:
            message = self._kernel.receive("iopub", 0.1)
            if message is not None:
                with self._news:
                    self._messages.append(message)
                    self._news.notify_all()

    def _wait(self, find: Callable[[], T | None], otherwise: str) -> T:
        deadline = time.monotonic() + WAIT_S
        with self._news:
            while (found := find()) is None:
                if not self._news.wait(max(0.0, deadline - time.monotonic())):
                    raise self._in_vain(otherwise)
            return found

    def _in_vain(self, otherwise: str) -> TimeoutError:
        """What was waited for did not come: with where the kernel stands."""
        return TimeoutError(f"{otherwise}\n{self._kernel.threads()}")


def classes(data: dict[str, Any]) -> set[str]:
    """What a widget's model is called, in either language."""
    state = data.get("state", {})
    return {str(state.get(key)) for key in ("_model_name", "_anywidget_id")}
