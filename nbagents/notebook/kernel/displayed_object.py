"""What a call displays, taken as the object it is: a table stays one, instead of its HTML.

A front end's display is made from MIME types; in a run more can be shown of a DataFrame or a chart.
So while runs go on, IPython's formatters have one more, which speaks only inside of calls.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any

from nbagents.tools.context import current_sink
from nbagents.tools.values import PAYLOAD_MIME, kind_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from nbagents.notebook.kernel.shell import Shell

KINDS = ("frame", "series", "chart")

_lock = threading.Lock()


@contextlib.contextmanager
def objects_captured(shell: Shell) -> Generator[None]:
    """Take tables and charts that calls display in this block; blocks may overlap."""
    # Any: IPython leaves its formatters untyped
    formatters: dict[str, Any] | None = getattr(
        getattr(shell, "display_formatter", None), "formatters", None
    )
    if formatters is None:
        yield
        return
    with _lock:
        there = formatters.get(PAYLOAD_MIME)
        ours = there if isinstance(there, _Formatter) else _Formatter()
        ours.runs += 1
        formatters[PAYLOAD_MIME] = ours
    try:
        yield
    finally:
        with _lock:
            ours.runs -= 1
            if not ours.runs and formatters.get(PAYLOAD_MIME) is ours:
                del formatters[PAYLOAD_MIME]


class _Formatter:
    """Stands among IPython's formatters, which are called with each object that is displayed."""

    enabled = True

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self, value: object) -> dict[str, Any] | None:
        """The payload of a table or a chart; `None` of all else, and outside of calls."""
        if current_sink() is None:
            return None
        with contextlib.suppress(Exception):  # a user's object may raise wherever it is touched
            if kind_of(value) in KINDS:
                from nbagents.tools.values import rich_payload  # few tools need it

                payload = rich_payload(value)
                return {"kind": payload.kind, "value": payload.value}
        return None
