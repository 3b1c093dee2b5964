"""Numbers on their way to a page and back: JavaScript has no 9007199254740993, and writes 1.0 as 1.

Such a number travels as `{"$number": "9007199254740993"}`, in messages to a page and in the JSON of
a saved notebook; `js/src/numbers.ts` reads and writes the same.
"""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.narrowing import is_dict, is_list, is_sequence

if TYPE_CHECKING:
    from pydantic import JsonValue

KEY: Final = "$number"
OWN: Final = re.compile(r"\$+number")
"""A key of somebody's own that could be taken for it, or for one that was written otherwise."""
SAFE: Final = 2**53 - 1
"""Above, not each whole number is one of JavaScript's."""
PLAIN: Final = frozenset({str, bool, type(None)})


def for_page(value: Any, *, floats: bool = True) -> Any:  # Any: JSON, as it was and as it travels
    """A value as it is sent to a page, or kept in a notebook.

    Args:
        value: Any JSON.
        floats: Whether 1.0 must stay another number than 1, as it must where it goes to a tool.
    """
    kind: type = type(cast("object", value))
    if kind in PLAIN:
        return value
    if kind is int:
        return value if -SAFE <= value <= SAFE else {KEY: str(value)}
    if kind is float:
        return {KEY: repr(value)} if floats and value.is_integer() else value
    if is_dict(value):
        return {_escaped(name): for_page(one, floats=floats) for name, one in value.items()}
    if is_sequence(value):
        return [for_page(one, floats=floats) for one in value]
    return value


def from_page(value: Any) -> Any:  # Any: as above
    """A value as a page sent it, or a notebook kept it.

    Raises:
        ValueError: A number in it is none.
    """
    if is_list(value):
        return [from_page(one) for one in value]
    if not is_dict(value):
        return value
    if value.keys() == {KEY}:
        return _number(value[KEY])
    return {_unescaped(name): from_page(one) for name, one in value.items()}


def _number(text: object) -> JsonValue:
    try:
        found: object = json.loads(str(text))
    except ValueError:
        found = None
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not isfinite(found):
        raise ValueError(f"{str(text)[:40]!r} is no number.")
    return found


def _escaped(name: str) -> str:
    return f"${name}" if name[:1] == "$" and OWN.fullmatch(name) else name


def _unescaped(name: str) -> str:
    return name[1:] if name[:2] == "$$" and OWN.fullmatch(name) else name
