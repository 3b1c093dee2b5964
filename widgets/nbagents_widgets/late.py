"""What a page still says to a widget that was closed meanwhile, which is no warning to anybody.

A short run ends before the page has answered its view. The `comm` library then warns in the cell.
"""

from __future__ import annotations

import logging
from collections import deque
from typing import Any

__all__ = ["expect_late_messages"]

REMEMBERED = 1_000
_closed: deque[str] = deque(maxlen=REMEMBERED)


def expect_late_messages(widget: Any) -> None:  # Any: ipywidgets has no types
    """Let the messages that still come for a widget pass in silence; call it before closing."""
    if widget.comm is not None:
        _closed.append(widget.comm.comm_id)
    logging.getLogger("Comm").addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a record of the `comm` library is about something that we did not close ourselves."""
    arguments = record.args if isinstance(record.args, tuple) else ()
    return not any(one in _closed for one in arguments)
