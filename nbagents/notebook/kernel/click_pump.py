"""Hears clicks while a cell blocks the kernel's main thread.

The main thread owns one ZMQ stream of shell messages (ipykernel 6: the shell socket itself; 7: an
inner one, fed by the shell channel's thread). While a pump is open, that stream's messages come
here: comm messages are handled at once, the two requests that a reloaded page needs are answered,
and everything else is held and handed back in order, so that queued cells never run early.

It leans on private names of ipykernel, which `tests/kernels` holds against several releases; where
they are missing the pump does nothing, and clicks arrive when the cell is done.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Generator
from typing import Any, Self

import zmq

from nbagents.notebook.kernel.kernel_loop import is_in_cell
from nbagents.runs.lanes import restore_sigint

COMM_TYPES = ("comm_open", "comm_msg", "comm_close")
RECONNECT_TYPES = ("kernel_info_request", "comm_info_request")
POLL = zmq.POLLIN | zmq.POLLOUT
"""Out as well: on ipykernel 6 replies leave through the same stream."""

AFTER_CELL = "post_run_cell"

# Any in this file: ipykernel, pyzmq and IPython hand out untyped messages, streams and events.


class Pump:
    """Takes over the main thread's shell stream for as long as it is open.

    Args:
        kernel: The ipykernel kernel; `None` where there is none.
        events: IPython's, for a cell that awaits: its loop goes on, so that the messages come by
            themselves, and only the comm's are taken. Without them the cell blocks.
    """

    _open: Pump | None = None

    def __init__(self, kernel: Any, events: Any = None) -> None:
        self._kernel = kernel
        self._events = events
        self._stream: Any = None
        self._saved: tuple[Callable[..., Any], Any] | None = None
        self._held: list[Any] = []

    def __enter__(self) -> Self:
        on_main = threading.current_thread() is threading.main_thread()
        if self._kernel is None or not on_main or Pump._open is not None:
            return self
        try:
            stream = _main_stream(self._kernel)
            self._saved = (stream._recv_callback, stream._recv_copy)
            stream.on_recv(self._take, copy=False)
        except AttributeError:
            return self
        self._stream = stream
        Pump._open = self
        return self

    def __exit__(self, *_exc: object) -> None:
        stream, self._stream = self._stream, None
        if stream is None or self._saved is None:
            return
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # held cells must not be lost
        try:
            Pump._open = None
            callback, copy = self._saved
            stream._recv_callback, stream._recv_copy = callback, copy
            held, self._held = self._held, []
            for frames in held:
                stream._run_callback(callback, frames)
        finally:
            restore_sigint(before)

    def poll(self) -> None:
        """Handle what has come."""
        on_main = threading.current_thread() is threading.main_thread()  # as ZMQ asks for
        stream = Pump._open and Pump._open._stream
        if stream is not None and on_main:
            stream.flush(POLL)

    def _take(self, frames: Any) -> None:
        try:
            handler = self._handler(frames)
        except Exception:  # noqa: BLE001  what cannot be read is the kernel's to judge
            handler = None
        if handler is None:
            self._leave(frames)
            return
        around = contextlib.nullcontext() if self._events is None else amid_a_cell(self._events)
        try:
            with around:
                handler()
        except Exception:
            self._kernel.log.exception("a comm message failed")

    def _leave(self, frames: Any) -> None:
        """What is no comm's is the kernel's: at once if it keeps the order itself, else later."""
        if self._events is not None and self._stream is not None and self._saved is not None:
            self._stream._run_callback(self._saved[0], frames)
        else:
            self._held.append(frames)

    def _handler(self, frames: Any) -> Callable[[], None] | None:
        session = self._kernel.session
        identities, parts = session.feed_identities(frames, copy=False)
        message_type = session.unpack(parts[1].bytes)["msg_type"]
        if message_type in COMM_TYPES:
            message = session.deserialize(parts, content=True, copy=False)
            handle = getattr(self._kernel.comm_manager, message_type)
            return lambda: self._between_states(message, lambda: handle(None, identities, message))
        if message_type in RECONNECT_TYPES:
            message = session.deserialize(parts, content=True, copy=False)
            answer = self._kernel.shell_handlers[message_type]
            stream = _reply_stream(self._kernel)
            return lambda: self._between_states(
                message, lambda: _finish(answer(stream, identities, message))
            )
        return None

    def _between_states(self, message: Any, handle: Callable[[], None]) -> None:
        """Say busy and idle as the kernel would; then busy again, since the cell still runs."""
        publish = self._kernel._publish_status
        publish("busy", "shell", parent=message)
        try:
            handle()
        finally:
            publish("idle", "shell", parent=message)
            publish("busy", "shell")


def _main_stream(kernel: Any) -> Any:
    channel = getattr(kernel, "shell_channel_thread", None)
    if channel is None:
        return kernel.shell_stream
    return channel.manager._shell_channel_to_main.to_stream


def _reply_stream(kernel: Any) -> Any:
    channel = getattr(kernel, "shell_channel_thread", None)
    if channel is None:
        return kernel.shell_stream
    return channel.manager.get_subshell_to_shell_channel_socket(None)


def _finish(answering: Any) -> None:
    """Run a handler that is a coroutine by form only: these two never wait."""
    if answering is None:
        return
    try:
        answering.send(None)
    except StopIteration:
        return
    answering.close()


@contextlib.contextmanager
def through_awaits(kernel: Any, events: Any) -> Generator[Pump]:
    """Hear clicks until the end of a cell that awaits, where the kernel does not by itself.

    A run may go on after its cell, as a task: then the kernel takes its messages as ever.
    """
    pump = Pump(kernel, events)
    if kernel is not None and is_in_cell(kernel) and not hears_in_awaits():
        with contextlib.ExitStack() as stack:
            stack.enter_context(pump)
            _at_end_of_cell(events, stack.pop_all().close)
    yield pump


def hears_in_awaits() -> bool:
    """Whether this release dispatches comm messages while a cell awaits, as those since 7.4 do."""
    module = sys.modules.get("ipykernel.comm.comm")
    return hasattr(getattr(module, "BaseComm", None), "_reply_subshell_for")


def _at_end_of_cell(events: Any, act: Callable[[], None]) -> None:
    def after(*_result: object) -> None:
        events.unregister(AFTER_CELL, after)
        act()

    events.register(AFTER_CELL, after)


@contextlib.contextmanager
def amid_a_cell(events: Any) -> Generator[None]:
    """Keep IPython's events back in this block.

    To a comm, each message is an execution of its own. What listens for the end of one shows and
    closes the figures of the cell, which may still draw when the run has ended.
    """
    events.trigger = _keep_back
    try:
        yield
    finally:
        del events.trigger


def _keep_back(_event: str, *_args: object, **_options: object) -> None:
    """Stands for `EventManager.trigger`."""
