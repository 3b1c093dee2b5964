"""Hears clicks while a cell blocks the kernel's main thread.

The main thread owns one ZMQ stream of shell messages (ipykernel 6: the shell socket itself; 7: an
inner one, fed by the shell channel's thread). While a pump is open, that stream's messages come
here: comm messages are handled at once, the two requests that a reloaded page needs are answered,
and everything else is held and handed back in order, so that queued cells never run early.

It leans on private names of ipykernel, which `tests/kernels` holds against several releases; where
they are missing the pump does nothing, and clicks arrive when the cell is done.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any, Self

import zmq

from nbagents.runs.signals import restore_sigint

__all__ = ["Pump"]

COMM_TYPES = ("comm_open", "comm_msg", "comm_close")
RECONNECT_TYPES = ("kernel_info_request", "comm_info_request")
POLL = zmq.POLLIN | zmq.POLLOUT
"""Out as well: on ipykernel 6 replies leave through the same stream."""

# Any in this file: ipykernel and pyzmq hand out untyped messages and streams.


class Pump:
    """Takes over the main thread's shell stream for as long as it is open.

    Args:
        kernel: The ipykernel kernel; `None` where there is none.
    """

    _open: Pump | None = None

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self._stream: Any = None
        self._saved: tuple[Callable[..., Any], Any] | None = None
        self._held: list[Any] = []

    def __enter__(self) -> Self:
        on_main = threading.current_thread() is threading.main_thread()
        if self._kernel is None or not on_main or Pump._open is not None:
            return self
        try:
            stream = _main_stream(self._kernel)
            self._saved = (stream._recv_callback, stream._recv_copy)  # noqa: SLF001
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
            stream._recv_callback, stream._recv_copy = callback, copy  # noqa: SLF001
            held, self._held = self._held, []
            for frames in held:
                stream._run_callback(callback, frames)  # noqa: SLF001
        finally:
            restore_sigint(before)

    def poll(self) -> None:
        """Handle what has come."""
        on_main = threading.current_thread() is threading.main_thread()  # as ZMQ asks for
        stream = Pump._open and Pump._open._stream  # noqa: SLF001  the outermost's, where runs nest
        if stream is not None and on_main:
            stream.flush(POLL)

    def _take(self, frames: Any) -> None:
        try:
            handler = self._handler(frames)
        except Exception:  # noqa: BLE001  what cannot be read is the kernel's to judge
            handler = None
        if handler is None:
            self._held.append(frames)
            return
        try:
            handler()
        except Exception:
            self._kernel.log.exception("a comm message failed")

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
        publish = self._kernel._publish_status  # noqa: SLF001
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
    return channel.manager._shell_channel_to_main.to_stream  # noqa: SLF001


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
