"""What a running call displays goes to that call, not into the cell.

IPython's publisher is wrapped while runs go on, and given back when the last one ends. What a tool
captures itself (`%%capture`, `capture_output`) has a publisher of its own, and stays with the tool.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any

from nbagents.tools.context import capturing, current_sink

if TYPE_CHECKING:
    from collections.abc import Generator

    from nbagents.notebook.kernel.shell import Shell
    from nbagents.tools.context import Sink

_lock = threading.Lock()

# Any in this file: what a display publisher is given is untyped.


@contextlib.contextmanager
def displays_captured(shell: Shell) -> Generator[None]:
    """Send what calls display in this block to them; blocks may overlap, on any threads."""
    from nbagents.notebook.kernel.displayed_object import objects_captured  # with the first run

    publisher = shell.display_pub
    with _lock:
        before = _own(publisher).get("publish")
        switch = before if isinstance(before, _Switch) else _Switch(publisher)
        switch.runs += 1
    try:
        with objects_captured(shell):
            yield
    finally:
        with _lock:
            switch.runs -= 1
            if not switch.runs:
                switch.take_back()


class _Switch:
    """Stands for a publisher's two ways out: to the running call, else to the cell as before."""

    def __init__(self, publisher: Any) -> None:
        self.runs = 0
        self._publisher = publisher
        self._publish, self._clear = publisher.publish, publisher.clear_output
        self._before = {name: _own(publisher).get(name) for name in ("publish", "clear_output")}
        self._sinks: dict[str, Sink] = {}
        publisher.publish, publisher.clear_output = self, self.clear_output

    def take_back(self) -> None:
        """Give the publisher back as it was, unless somebody has put something over this."""
        for name, ours in {"publish": self, "clear_output": self.clear_output}.items():
            if _own(self._publisher).get(name) == ours:
                delattr(self._publisher, name)
                if self._before[name] is not None:
                    setattr(self._publisher, name, self._before[name])

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Publish, as `DisplayPublisher.publish`."""
        said: dict[str, Any] = {**dict(zip(("data", "metadata"), args, strict=False)), **options}
        transient: dict[str, Any] = said.get("transient") or {}
        shown_id = transient.get("display_id")
        sink = self._sink_of(shown_id, is_update=bool(said.get("update")))
        if sink is None:
            return self._publish(*args, **options)
        sink.bundle(said["data"], said.get("metadata") or {}, shown_id)
        if not sink.echoes:
            return None
        with capturing(None):  # below there may be another switch, under what somebody put over it
            return self._publish(*args, **options)

    def clear_output(self, *args: Any, **options: Any) -> Any:
        """Clear the cell, as `DisplayPublisher.clear_output`; a call has no cell to clear."""
        return None if current_sink() else self._clear(*args, **options)

    def _sink_of(self, shown_id: str | None, *, is_update: bool) -> Sink | None:
        """The call that gets it: an update goes where the first of its id went, maybe the cell."""
        if is_update:
            return self._sinks.get(shown_id or "")
        sink = current_sink()
        if shown_id and sink is not None:
            self._sinks[shown_id] = sink
        return sink


def _own(publisher: Any) -> dict[str, Any]:
    """What is set on this very publisher, over its class."""
    return publisher.__dict__
