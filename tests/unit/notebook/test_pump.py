"""The pump: comm messages at once, everything else held and handed back in order."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest

from nbagents.notebook.kernel.click_pump import Pump


class Part:
    """A frame of a message."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.bytes = message


class Session:
    """Reads the frames that `Stream` delivers."""

    def feed_identities(self, frames: Any, *, copy: bool) -> tuple[list[bytes], list[Part]]:
        assert not copy
        return [b"page"], [Part({}), Part(frames)]

    def unpack(self, message: Any) -> Any:
        return message

    def deserialize(self, parts: list[Part], *, content: bool, copy: bool) -> Any:
        assert content
        assert not copy
        return parts[1].bytes


class Stream:
    """A ZMQ stream that delivers on `flush`."""

    def __init__(self, callback: Callable[[Any], None]) -> None:
        self._recv_callback: Callable[[Any], None] = callback
        self._recv_copy = True
        self.waiting: list[Any] = []

    @property
    def receiver(self) -> tuple[Callable[[Any], None], bool]:
        return self._recv_callback, self._recv_copy

    def on_recv(self, callback: Callable[[Any], None], *, copy: bool) -> None:
        self._recv_callback, self._recv_copy = callback, copy

    def flush(self, flag: int) -> None:
        del flag
        while self.waiting:
            self._recv_callback(self.waiting.pop(0))

    def _run_callback(self, callback: Callable[[Any], None], frames: Any) -> None:
        callback(frames)


class Comms:
    """A comm manager that notes what it was told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def comm_msg(self, stream: object, identities: object, message: Any) -> None:
        del stream, identities
        if message.get("fails"):
            raise RuntimeError("a handler of somebody's widget")
        self.told.append(message["n"])


class Kernel:
    """A kernel of ipykernel 6, as far as the pump knows one."""

    def __init__(self) -> None:
        self.ran: list[Any] = []
        self.answered: list[Any] = []
        self.statuses: list[str] = []
        self.session = Session()
        self.comm_manager = Comms()
        self.shell_stream = Stream(lambda frames: self.ran.append(frames["n"]))
        self.log = logging.getLogger("test")
        self.shell_handlers = {"kernel_info_request": self.info, "comm_info_request": self.comms}

    async def info(self, stream: object, identities: object, message: Any) -> None:
        del stream, identities
        self.answered.append(message["n"])

    def comms(self, stream: object, identities: object, message: Any) -> None:
        del stream, identities
        self.answered.append(message["n"])

    def _publish_status(self, status: str, channel: str, parent: Any = None) -> None:
        del channel
        self.statuses.append(status if parent is None else f"{status} for {parent['n']}")


def message(kind: str, n: int, **more: Any) -> dict[str, Any]:
    return {"msg_type": kind, "n": n, **more}


def deliver(kernel: Kernel, *messages: Any) -> None:
    with Pump(kernel) as pump:
        kernel.shell_stream.waiting += messages
        pump.poll()


def test_comm_messages_are_handled_at_once_and_cells_held_in_order() -> None:
    kernel = Kernel()
    with Pump(kernel) as pump:
        kernel.shell_stream.waiting += [
            message("execute_request", 1),
            message("comm_msg", 2),
            message("complete_request", 3),
            message("comm_msg", 4),
            message("execute_request", 5),
        ]
        pump.poll()
        assert kernel.comm_manager.told == [2, 4]
        assert kernel.ran == []
    assert kernel.ran == [1, 3, 5]


def test_a_reloaded_page_gets_what_it_needs_to_reconnect() -> None:
    kernel = Kernel()
    deliver(kernel, message("kernel_info_request", 1), message("comm_info_request", 2))
    assert kernel.answered == [1, 2]
    assert kernel.ran == []


def test_after_each_message_the_kernel_says_idle_for_it_and_busy_again() -> None:
    kernel = Kernel()
    deliver(kernel, message("comm_msg", 7))
    assert kernel.statuses == ["busy for 7", "idle for 7", "busy"]


def test_a_handler_that_fails_is_logged_and_the_pump_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    kernel = Kernel()
    deliver(kernel, message("comm_msg", 1, fails=True), message("comm_msg", 2))
    assert kernel.comm_manager.told == [2]
    assert "a comm message failed" in caplog.text
    assert kernel.statuses.count("busy") == 2


def test_what_cannot_be_read_is_left_to_the_kernel() -> None:
    kernel = Kernel()
    with Pump(kernel) as pump:
        kernel.shell_stream.waiting.append({"n": 9})
        pump.poll()
    assert kernel.ran == [9]


def test_a_nested_run_hears_clicks_through_the_outer_pump() -> None:
    kernel = Kernel()
    with Pump(kernel), Pump(kernel) as inner:
        kernel.shell_stream.waiting.append(message("comm_msg", 1))
        inner.poll()
    assert kernel.comm_manager.told == [1]
    assert kernel.shell_stream.receiver[1] is True


def test_the_stream_is_given_back_as_it_was() -> None:
    kernel = Kernel()
    before = kernel.shell_stream.receiver
    deliver(kernel)
    assert kernel.shell_stream.receiver == before


def test_the_inner_stream_of_ipykernel_7_is_found() -> None:
    kernel: Any = Kernel()

    class Pair:
        to_stream = kernel.shell_stream

    class Manager:
        _shell_channel_to_main = Pair()

        def get_subshell_to_shell_channel_socket(self, subshell_id: None) -> str:
            assert subshell_id is None
            return "the way back"

    class Channel:
        manager = Manager()

    kernel.shell_channel_thread = Channel()
    deliver(kernel, message("comm_msg", 1), message("kernel_info_request", 2))
    assert kernel.comm_manager.told == [1]
    assert kernel.answered == [2]


def test_without_a_kernel_or_its_private_names_it_does_nothing() -> None:
    with Pump(None) as pump:
        pump.poll()

    class Stranger:
        shell_stream = object()

    with Pump(Stranger()) as pump:
        pump.poll()


def test_off_the_main_thread_it_does_nothing() -> None:
    kernel = Kernel()

    def work() -> None:
        with Pump(kernel) as pump:
            kernel.shell_stream.waiting.append(message("comm_msg", 1))
            pump.poll()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert kernel.comm_manager.told == []
