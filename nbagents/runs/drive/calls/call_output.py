"""What one call prints, yields and displays, passed on as events that do not come too thick."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any

from nbagents.events import ToolData, ToolOutputDelta, ToolUpdate
from nbagents.redaction import cut
from nbagents.runs.lanes import shield
from nbagents.threads import Timer
from nbagents.tools.values import clean_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from nbagents.messages import CallRequest
    from nbagents.results import Payload
    from nbagents.runs.state import Run
    from nbagents.tools.context import Context, Stream

DELTA_S = 0.04
"""Prints that come closer together than this become one event; of progress the last counts."""
MAX_TEXT = 2_000_000
"""Characters that one call may print into the log, and onto its card while it goes on."""
TAIL = 100_000
"""Of them, those that are kept of the end of what is longer: what went wrong is said last."""
LOG_CUT = "[Cut: {:,} characters are left out here: the log keeps the beginning and the end.]"
MAX_MESSAGE = 200


class Tail:
    """The end of what comes in pieces. Little more is held of it than is kept."""

    def __init__(self) -> None:
        self._pieces: deque[tuple[Stream, str]] = deque()
        self._length = self._left_out = 0

    def add(self, stream: Stream, text: str) -> None:
        """Take a piece; what is too far from the end by now goes."""
        self._pieces.append((stream, text))
        self._length += len(text)
        if self._length > 2 * TAIL:  # not with each piece: what is long is copied
            self._trim()

    def end(self) -> tuple[int, list[tuple[Stream, str]]]:
        """How many characters are left out, and the pieces after them.

        They begin with a line: half of one may begin with half a secret.
        """
        self._trim()
        while self._left_out and self._pieces:
            stream, text = self._pieces[0]
            begun, _, rest = text.partition("\n")
            if len(begun) == len(text):  # the line does not end here
                self._drop()
                continue
            self._pieces[0] = (stream, rest)
            self._left_out += len(text) - len(rest)
            break
        return self._left_out, _joined(self._pieces)

    def _trim(self) -> None:
        while (over := self._length - TAIL) > 0:
            stream, text = self._pieces[0]
            if len(text) <= over:
                self._drop()
                continue
            self._pieces[0] = (stream, text[over:])
            self._length -= over
            self._left_out += over

    def _drop(self) -> None:
        _, text = self._pieces.popleft()
        self._length -= len(text)
        self._left_out += len(text)


def _joined(pieces: Iterable[tuple[Stream, str]]) -> list[tuple[Stream, str]]:
    """One text for what one stream printed without another in between."""
    made: list[tuple[Stream, list[str]]] = []
    for stream, text in pieces:
        if not made or made[-1][0] != stream:
            made.append((stream, []))
        made[-1][1].append(text)
    return [(stream, "".join(texts)) for stream, texts in made]


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
        self.context: Context | None = None
        """That of the call, while its function runs: for what knows only that it runs in a call."""
        self._echoes = echoes
        self._run = run
        self._id, self._name = request.id, request.name
        self._lock = run.session.lock  # not one of its own: an event may make somebody print
        self._pending: list[tuple[str, str]] = []
        self._step: tuple[str, float | None] | None = None
        self._next_s = 0.0
        self._left, self._tail = MAX_TEXT - TAIL, Tail()
        self._displays: dict[str, str] = {}
        self._count = 0
        self._callbacks: list[Callable[[object], None]] = []
        self._timer: Timer | None = None

    @property
    def echoes(self) -> bool:
        """Whether what is printed also goes where it would have gone."""
        return self._echoes or self.is_over

    def text(self, stream: Stream, text: str) -> None:
        """Take what was printed."""
        if self.is_over or not text:
            return
        with self._lock:
            text = self._within_limit(stream, clean_text(text))
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
        from nbagents.tools.values import payload_of_bundle  # few tools need it

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
            self.tell("", expected_children=count)

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
        if not self.is_over:  # what is the end of it is known now
            left_out, kept = self._tail.end()
            if left_out:
                self._write("log", "\n" + LOG_CUT.format(left_out) + "\n")
            for stream, text in kept:
                self._write(stream, text)
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
                self.tell(*step)

    def _flush_soon(self) -> None:
        """Pass on now, if the last time was a while ago; else when it will have been."""
        if time.monotonic() >= self._next_s:
            self.flush()
        elif self._timer is None:
            self._timer = Timer(DELTA_S, self.flush)
            self._timer.start()

    def _within_limit(self, stream: Stream, text: str) -> str:
        shown = cut(text, self._left)
        more = text[len(shown) :]
        self._left = 0 if more else self._left - len(shown)
        if more:
            self._tail.add(stream, more)
        return shown

    def tell(
        self, message: str, fraction: float | None = None, *, expected_children: int | None = None
    ) -> None:
        """Say at once how far the call is."""
        self._run.emit(
            lambda stamp: ToolUpdate(
                **stamp,
                tool_call_id=self._id,
                tool_name=self._name,
                message=message,
                fraction=fraction,
                expected_children=expected_children,
            )
        )

    def _write(self, stream: Any, text: str) -> None:  # Any: the event checks that it is one
        self._run.emit(
            lambda stamp: ToolOutputDelta(
                **stamp, tool_call_id=self._id, tool_name=self._name, stream=stream, text=text
            )
        )
