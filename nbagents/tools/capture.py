"""What a running call prints, warns of and displays goes to that call, also among parallel ones.

Which call is running is told by a context variable, so each thread and each task has its own. While
runs go on, `sys.stdout` and `sys.stderr` look there first; a notebook's display does the same.
"""

from __future__ import annotations

import contextlib
import contextvars
import sys
import threading
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

__all__ = ["Sink", "Stream", "capturing", "current_sink", "streams_captured"]

Stream: TypeAlias = Literal["stdout", "stderr"]


class Sink(Protocol):
    """Where the output of one call goes."""

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

    def write(self, text: str) -> int:
        """Write, as `TextIO.write`."""
        sink = _sink.get()
        if sink is None:
            return self._inner.write(text)
        sink.text(self._name, str(text))
        if sink.echoes:
            self._inner.write(text)
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts, as `TextIO.writelines`."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class _Streams:
    """The switches over `sys.stdout` and `sys.stderr`, there while any run goes on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs = 0
        self._switches: dict[Stream, tuple[Any, Any]] = {}

    def __enter__(self) -> None:
        with self._lock:
            self._runs += 1
            if self._runs == 1:
                self._put("stdout")
                self._put("stderr")

    def __exit__(self, *_exc: object) -> None:
        with self._lock:
            self._runs -= 1
            if self._runs == 0:
                self._take_back("stdout")
                self._take_back("stderr")

    def _put(self, name: Stream) -> None:
        before = getattr(sys, name)
        switch = _Switch(name, before)
        self._switches[name] = (before, switch)
        setattr(sys, name, switch)

    def _take_back(self, name: Stream) -> None:
        """Give the stream back, unless somebody has put another one over ours."""
        before, switch = self._switches.pop(name)
        if getattr(sys, name) is switch:
            setattr(sys, name, before)


streams_captured = _Streams()
"""`with streams_captured:` a run, so that what its calls print goes to them."""
