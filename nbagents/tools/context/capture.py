"""What a running call prints, warns of and displays goes to that call, also among parallel ones.

Which call is running is told by a context variable, so each thread and each task has its own. While
runs go on, `sys.stdout` and `sys.stderr` look there first; a notebook's display does the same.
"""

from __future__ import annotations

import contextlib
import contextvars
import logging
import sys
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, cast
from weakref import WeakKeyDictionary

from nbagents.redaction import Held, clean

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

Stream: TypeAlias = Literal["stdout", "stderr"]
STREAMS: tuple[Stream, ...] = ("stdout", "stderr")


class Sink(Protocol):
    """Where the output of one call goes."""

    @property
    def is_over(self) -> bool:
        """Whether the call has ended, though its function may go on on a thread."""
        ...

    @property
    def echoes(self) -> bool:
        """Whether what is printed also goes where it would have gone, as nobody shows the run."""
        ...

    def text(self, stream: Stream, text: str) -> None:
        """Take what was printed; from any thread."""
        ...

    def progress(self, message: str) -> None:
        """Take what a generator yielded."""
        ...

    def bundle(
        self, data: Mapping[str, Any], metadata: Mapping[str, Any], display_id: str | None = None
    ) -> None:
        """Take what was displayed; the same `display_id` again replaces it."""
        ...

    def on_close(self, callback: Callable[[object], None]) -> None:
        """Have something done when the tool's function has ended, on the thread that it ran on.

        Args:
            callback: Takes what the function returned; `None` if it raised.
        """
        ...

    def close(self, returned: object) -> None:
        """The function has ended: do what was asked for."""
        ...


_sink: contextvars.ContextVar[Sink | None] = contextvars.ContextVar("nbagents_sink", default=None)


def current_sink() -> Sink | None:
    """The output of the call that runs here; `None` outside of calls."""
    return _sink.get()


@contextlib.contextmanager
def capturing(sink: Sink | None) -> Generator[None]:
    """Send what is printed and displayed in this block to a call; `None`: where it would go."""
    token = _sink.set(sink)
    try:
        yield
    finally:
        _sink.reset(token)


class _Switch:
    """A stream that writes to the running call, and else to the stream that was there before."""

    def __init__(self, name: Stream, inner: Any) -> None:  # Any: whatever stands for a stream
        self._name: Stream = name
        self._inner = inner
        self._held: WeakKeyDictionary[Sink, Held] = WeakKeyDictionary()
        self.runs = 0

    def write(self, text: str) -> int:
        """Write, as `TextIO.write`."""
        sink = _sink.get()
        if sink is None:
            return self._inner.write(text)
        sink.text(self._name, str(text))
        if sink.echoes:
            self._echo(sink, str(text))
        return len(text)

    def _echo(self, sink: Sink, text: str) -> None:
        """Write what is printed where it would have gone; a key in pieces waits to be whole."""
        held = self._held.get(sink)
        if held is None:
            held = self._held[sink] = Held()
            if not sink.is_over:
                sink.on_close(lambda _: self._inner.write(held.end()))
        if sink.is_over:  # its function goes on: nothing says when it will end
            text = held.end() + clean(text)
        self._inner.write(text if sink.is_over else held.take(text))

    def writelines(self, lines: Any) -> None:
        """Write several texts, as `TextIO.writelines`."""
        for line in lines:
            self.write(line)

    def close(self) -> None:
        """Close the stream; not from within a call, which it outlives."""
        if _sink.get() is None:
            self._inner.close()

    def is_free_for(self, name: Stream, inner: object) -> bool:
        """Whether it stood over this stream, and no run needs it now."""
        return not self.runs and self._name == name and self._inner is inner

    def leave(self) -> None:
        """Give the stream back with the last run, unless somebody has put another one over it."""
        self.runs -= 1
        if self.runs:
            return
        if getattr(sys, self._name) is self:
            setattr(sys, self._name, self._inner)
        _lead_logs(self, self._inner)

    def enter(self) -> None:
        """Stand over the stream for one more run; logs that were led to it follow."""
        self.runs += 1
        setattr(sys, self._name, self)
        if self.runs == 1:
            _lead_logs(self._inner, self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


_lock = threading.Lock()
_recent: deque[_Switch] = deque(maxlen=8)
"""Kept: before Python 3.13.3 a print that outlives the run crashes if its stream is gone.

Source: python/cpython issue 130163, `print` has only borrowed `sys.stdout`.
"""


@contextlib.contextmanager
def streams_captured() -> Generator[None]:
    """Have what the calls of a run print go to them; blocks may overlap, on any threads."""
    with _lock:
        switches = [_switch_over(name) for name in STREAMS]
    try:
        yield
    finally:
        with _lock:
            for switch in switches:
                switch.leave()


def _switch_over(name: Stream) -> _Switch:
    """The switch that stands there, or a new one over whatever does, e.g. a cell's capture."""
    there = getattr(sys, name)
    switch = there if isinstance(there, _Switch) else _kept(name, there)
    switch.enter()
    return switch


def _kept(name: Stream, inner: object) -> _Switch:
    """The switch over a stream, used again by one run after the other."""
    for switch in _recent:
        if switch.is_free_for(name, inner):
            return switch
    _recent.append(_Switch(name, inner))
    return _recent[-1]


def _lead_logs(source: object, target: Any) -> None:  # Any: whatever stands for a stream
    """Have the handlers of `logging` that write to one stream write to another."""
    loggers = [logging.getLogger(), *logging.Logger.manager.loggerDict.values()]
    for logger in loggers:
        for handler in logger.handlers if isinstance(logger, logging.Logger) else ():
            if isinstance(handler, logging.StreamHandler):
                leading = cast("logging.StreamHandler[Any]", handler)
                if leading.stream is source:
                    leading.setStream(target)
