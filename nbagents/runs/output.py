"""What one call prints, yields and displays, passed on as events that do not come too thick."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from nbagents.events import ToolData, ToolOutputDelta, ToolUpdate
from nbagents.redaction import cut
from nbagents.runs.signals import shield
from nbagents.tools.plain import clean_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.messages import CallRequest
    from nbagents.results import Payload
    from nbagents.runs.record import Run
    from nbagents.tools.capture import Stream

__all__ = ["CallOutput"]

DELTA_S = 0.04
"""Prints that come closer together than this become one event; of progress the last counts."""
MAX_TEXT = 2_000_000
"""Characters that one call may print into the log, and onto its card while it goes on."""
LOG_CUT = "[Cut: the log keeps the first {:,} characters that a call prints; {:,} came after.]"
MAX_MESSAGE = 200


class CallOutput:
    """The output of one call: its sink, and what its context tells. From any thread.

    After the call has ended nothing is taken any more; what a thread that could not be stopped
    still prints goes where it would have gone.

    Args:
        run: What it is written into.
        request: The call.
        echoes: Whether what is printed also goes where it would have gone.
    """

    def __init__(self, run: Run, request: CallRequest, *, echoes: bool) -> None:
        self.is_over = False
        self._echoes = echoes
        self._run = run
        self._id, self._name = request.id, request.name
        self._lock = run.session.lock  # not one of its own: an event may make somebody print
        self._pending: list[tuple[str, str]] = []
        self._step: tuple[str, float | None] | None = None
        self._next_s = 0.0
        self._left, self._too_many = MAX_TEXT, 0
        self._displays: dict[str, str] = {}
        self._count = 0
        self._callbacks: list[Callable[[object], None]] = []
        self._timer: threading.Timer | None = None

    @property
    def echoes(self) -> bool:
        """Whether what is printed also goes where it would have gone."""
        return self._echoes or self.is_over

    def text(self, stream: Stream, text: str) -> None:
        """Take what was printed."""
        if self.is_over or not text:
            return
        with self._lock:
            text = self._within_limit(clean_text(text))
            if self._pending and self._pending[-1][0] == stream:
                self._pending[-1] = (stream, self._pending[-1][1] + text)
            elif text:
                self._pending.append((stream, text))
            self._flush_soon()

    def progress(self, message: str, fraction: float | None = None) -> None:
        """Take how far the call is."""
        if self.is_over:
            return
        with self._lock:
            self._step = (clean_text(cut(message, MAX_MESSAGE)), fraction)
            self._flush_soon()

    def log(self, text: str) -> None:
        """Take a line that is for people."""
        if not self.is_over:
            self.flush()
            self._write("log", text if text.endswith("\n") else text + "\n")

    def bundle(
        self, data: Mapping[str, Any], metadata: Mapping[str, Any], display_id: str | None = None
    ) -> None:
        """Take what was displayed; the same `display_id` again replaces it."""
        from nbagents.tools.rich import payload_of_bundle  # noqa: PLC0415  few tools need it

        with self._lock:
            name = self._displays.get(display_id or "")
            if name is None:  # not the id itself, which may be random
                self._count += 1
                name = f"display-{self._count}"
            if display_id:
                self._displays[display_id] = name
        self.show(payload_of_bundle(data, metadata), name)

    def show(self, payload: Payload, name: str) -> None:
        """Take a payload; the same name again replaces it."""
        if self.is_over:
            return
        self.flush()
        self._run.emit(
            lambda stamp: ToolData(
                **stamp,
                tool_call_id=self._id,
                tool_name=self._name,
                payload_id=f"{self._id}/{name}",
                payload=payload,
            )
        )

    def expect_children(self, count: int) -> None:
        """Take how many runs the call will start."""
        if not self.is_over:
            self._run.emit(
                lambda stamp: ToolUpdate(
                    **stamp,
                    tool_call_id=self._id,
                    tool_name=self._name,
                    message="",
                    expected_children=count,
                )
            )

    def on_close(self, callback: Callable[[object], None]) -> None:
        """Have something done when the call's function has ended, where it ran."""
        self._callbacks.append(callback)

    def close(self, returned: object) -> None:
        """The function has ended: do what was asked for, and pass on what is left."""
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(returned)
        self.flush()

    def end(self) -> None:
        """The call has ended, whether or not its function has: nothing is taken after this."""
        self.flush()
        if self._too_many and not self.is_over:  # how much it was is known now
            self._write("log", "\n" + LOG_CUT.format(MAX_TEXT, self._too_many) + "\n")
        self.is_over = True

    def flush(self) -> None:
        """Pass on what was printed, and how far the call is."""
        with shield, self._lock:
            timer, self._timer = self._timer, None
            if timer is not None:
                timer.cancel()
            pending, self._pending = self._pending, []
            step, self._step = self._step, None
            self._next_s = time.monotonic() + DELTA_S
            for stream, text in pending:
                self._write(stream, text)
            if step is not None:
                self._tell_step(*step)

    def _flush_soon(self) -> None:
        """Pass on now, if the last time was a while ago; else when it will have been."""
        if time.monotonic() >= self._next_s:
            self.flush()
        elif self._timer is None:
            self._timer = threading.Timer(DELTA_S, self.flush)
            self._timer.daemon = True
            self._timer.start()

    def _within_limit(self, text: str) -> str:
        shown = cut(text, self._left)
        more = len(text) - len(shown)
        self._left = 0 if more else self._left - len(shown)
        self._too_many += more
        return shown

    def _tell_step(self, message: str, fraction: float | None) -> None:
        self._run.emit(
            lambda stamp: ToolUpdate(
                **stamp,
                tool_call_id=self._id,
                tool_name=self._name,
                message=message,
                fraction=fraction,
            )
        )

    def _write(self, stream: Any, text: str) -> None:  # Any: the event checks that it is one
        self._run.emit(
            lambda stamp: ToolOutputDelta(
                **stamp, tool_call_id=self._id, tool_name=self._name, stream=stream, text=text
            )
        )
