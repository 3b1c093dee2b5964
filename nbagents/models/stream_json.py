"""One event of a stream as JSON."""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic_core import from_json

__all__ = ["event_json"]

HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""Half of a surrogate pair: servers that count in UTF-16 cut between the halves."""


def event_json(data: bytes) -> Any:  # Any: the provider wrote it
    """The data of an event; half a character stays what it is, for the next event has the rest.

    Raises:
        ValueError: It is no JSON, or nests without end.
    """
    try:
        return from_json(data)
    except ValueError:
        from_json(HALF.sub(rb"\\ufffd", data))  # is anything else wrong with it?
        return json.loads(data)
