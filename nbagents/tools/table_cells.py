"""One cell of a table as JSON for the person, whatever library wrote it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

from pydantic_core import PydanticSerializationError, from_json, to_json

from nbagents.tools.plain import clean_text

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ["MAX_CELL", "cell", "cell_text", "is_cut", "label"]

MAX_CELL = 300
"""Characters of a cell; the rest is asked for."""

MAX_TEXT = 20_000
"""Characters of one cell that was asked for."""

MAX_SAFE = 2**53
"""Above, a page's numbers are not exact."""

MISSING = frozenset({"NaT", "<NA>", "nan"})


def cell(value: Any) -> JsonValue:  # Any: whatever a column holds
    """A cell: a number, a text, true or false; null where the value is missing."""
    if isinstance(value, float) and math.isinf(value):
        return "∞" if value > 0 else "-∞"
    try:
        written = cast("JsonValue", from_json(to_json(value, inf_nan_mode="null")))
    except (PydanticSerializationError, ValueError, UnicodeError):
        return _of_scalar(value)
    if isinstance(written, str):
        return _short(written)
    is_exact = not isinstance(written, int) or abs(written) <= MAX_SAFE
    return written if is_exact and not isinstance(written, (list, dict)) else _short(value)


def cell_text(value: Any) -> str:  # Any: whatever a column holds
    """The whole text of a cell."""
    text = clean_text(str(value))
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def is_cut(written: JsonValue) -> bool:
    """Whether a cell is only the beginning of what its column holds."""
    return isinstance(written, str) and len(written) == MAX_CELL and written.endswith("…")


def label(name: object) -> str:
    """The name of a column."""
    return _short(name)


def _of_scalar(value: Any) -> JsonValue:
    """What a library's own number is in Python, else its text; what is missing is null."""
    text = str(value)
    if text in MISSING:
        return None
    plain = value.item() if hasattr(value, "item") and not hasattr(value, "__len__") else None
    return plain if isinstance(plain, (bool, int, float)) else _short(text)


def _short(value: object) -> str:
    text = clean_text(str(value))
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"
