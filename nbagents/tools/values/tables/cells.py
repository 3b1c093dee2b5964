"""The cells of a table, as JSON and as text."""

from __future__ import annotations

import math
from typing import Any, Final

from pydantic import JsonValue
from pydantic_core import PydanticSerializationError, from_json, to_json

from nbagents.tools.values.plain_value import clean_text

# Any in this file: whatever a column holds.

MAX_CELL: Final = 300
"""Characters of a cell; the rest is asked for."""

MAX_TEXT: Final = 20_000
"""Characters of one part of a cell's whole text."""

MAX_SAFE: Final = 2**53
"""Above, a page's numbers are not exact."""

MISSING: Final = frozenset({"NaT", "<NA>", "nan"})


def cell(value: Any) -> JsonValue:
    """A cell: a number, a text, true or false; null where the value is missing."""
    if isinstance(value, str):
        return short(value)
    if isinstance(value, float) and math.isinf(value):
        return "∞" if value > 0 else "-∞"
    try:
        written: JsonValue = from_json(to_json(value, inf_nan_mode="null"))
    except (PydanticSerializationError, ValueError, UnicodeError):
        return _of_scalar(value)
    if isinstance(written, str):
        return short(written)
    is_exact = not isinstance(written, int) or abs(written) <= MAX_SAFE
    return written if is_exact and not isinstance(written, (list, dict)) else short(value)


def cell_text(value: Any) -> str:
    """The whole text of a cell."""
    return clean_text(str(value))


def raw_text(value: Any) -> str:
    """A cell as it is copied: nothing where it is missing, and no number rounded."""
    return "" if is_missing(value) else cell_text(value)


def is_missing(value: Any) -> bool:
    """Whether it stands for no value, in any library."""
    if value is None or type(value).__name__ == "NAType":
        return True
    try:
        return bool(value != value)  # noqa: PLR0124  NaN and NaT are not themselves
    except Exception:  # noqa: BLE001  an array, or an object that raises
        return False


def is_cut(written: JsonValue) -> bool:
    """Whether a cell is only the beginning of what its column holds."""
    return isinstance(written, str) and len(written) == MAX_CELL and written.endswith("…")


def short(value: object) -> str:
    """The beginning of a text, or all of it."""
    text = clean_text(str(value)[: 2 * MAX_CELL])
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"


def _of_scalar(value: Any) -> JsonValue:
    """What a library's own number is in Python, else its text; what is missing is null."""
    text = str(value)
    if text in MISSING:
        return None
    plain = value.item() if hasattr(value, "item") and not hasattr(value, "__len__") else None
    return plain if isinstance(plain, (bool, int, float)) else short(text)
