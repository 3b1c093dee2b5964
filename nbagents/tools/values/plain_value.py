"""Any Python value as text for a model, or as JSON for a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MappingView, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import is_dataclass
from io import IOBase
from itertools import islice
from numbers import Number
from typing import Any, TypeGuard, cast

from pydantic import BaseModel, JsonValue
from pydantic_core import PydanticSerializationError, from_json, to_json

from nbagents.narrowing import is_mapping
from nbagents.tools.values.foreign_object import MAX_WRITTEN_ITEMS, item_count

MAX_ITEMS = 10_000
"""Of an iterator, which may have no end; the text is bounded again later."""

MAX_TAKEN = 1_000_000
"""Characters or bytes of what an iterator gives, which are counted where that is quick."""

ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


def text_of(value: object, form: Callable[[object], object] | None = None) -> str:
    """What a model reads of a value: text as it is, JSON where there is a form, else `str()`.

    Args:
        value: Anything.
        form: What stands for an object inside of it that has no JSON form.

    Raises:
        Exception: Whatever a user's own `__str__` or serialiser raises.
    """
    if isinstance(value, str) and type(value) is str:
        return clean_text(value)
    if isinstance(value, Iterator):  # it may have no end, which to_json would wait for
        value = form_of(value)
    value = _in_order(value)
    inner = form or form_of

    def inside(one: object) -> object:
        if one is value:
            raise ValueError("it has no JSON form itself")
        return inner(one)

    try:
        return to_json(value, inf_nan_mode="constants", fallback=inside).decode()
    except (PydanticSerializationError, ValueError, UnicodeError):
        return _text_of_unknown(value, inner)


def json_of(value: object) -> JsonValue:
    """A value as JSON that every reader takes: NaN is null, what has no form is its text."""
    # Through text, because only there NaN becomes null at every depth.
    return from_json(json_bytes(value))


def json_bytes(value: object) -> bytes:
    """A value as written JSON; see `json_of`."""
    if isinstance(value, Iterator):
        value = form_of(value)
    value = _in_order(value)
    try:
        return to_json(value, inf_nan_mode="null")
    except (PydanticSerializationError, ValueError, UnicodeError):
        return to_json(value, inf_nan_mode="null", fallback=form_of, bytes_mode="base64")


def has_form(value: object) -> bool:
    """Whether a value has a form as text or JSON, so that nobody needs a handle for it."""
    if isinstance(value, IOBase):
        return False
    if _has_parts(value) or isinstance(value, WITH_FORM) or item_count(value) is not None:
        return True
    try:
        to_json(value)
    except (PydanticSerializationError, ValueError, UnicodeError):
        return False
    return True


def taken(items: Iterator[object]) -> tuple[list[object], bool]:
    """What an iterator gives, and whether there was more than is good for a result."""
    found: list[object] = []
    room = MAX_TAKEN
    for item in items:
        if len(found) == MAX_ITEMS or room <= 0:
            return found, True
        found.append(item)
        room -= len(item) if isinstance(item, (str, bytes)) else 0
    return found, False


def _in_order(value: object) -> object:
    """A set as a list whose order is the same in every process."""
    if isinstance(value, set | frozenset):
        return sorted(cast("set[object]", value), key=repr)
    return value


def is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    """Whether it is a list of some kind, and no text."""
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray))


def clean_text(text: str) -> str:
    """The text without half characters (lone surrogates), which no UTF-8 can carry."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def without_addresses(text: str) -> str:
    """The text without ` at 0x7f…`, which tells nobody anything and differs from run to run."""
    return ADDRESS.sub("", text)


def form_of(value: Any) -> object:  # Any: whatever a user's tool returned
    """A form of what pydantic does not know: a list, a mapping, a number, or text."""
    if isinstance(value, BINARY):
        return f"({memoryview(cast('bytes', value)).nbytes} bytes of binary data)"
    if isinstance(value, str):
        return clean_text(str(value))
    if is_mapping(value):
        return dict(value)
    if isinstance(value, Iterator) and not isinstance(value, IOBase):
        return taken(cast("Iterator[object]", value))[0]
    if isinstance(value, (MappingView, Sequence, AbstractSet)):
        return list(islice(cast("Iterable[object]", value), MAX_ITEMS))
    return _array_of(value)


def _text_of_unknown(value: object, form: Callable[[object], object]) -> str:
    shown = value if _has_parts(value) else form(value)
    if isinstance(shown, str):
        return shown
    try:
        return to_json(shown, fallback=form, bytes_mode="base64").decode()
    except (PydanticSerializationError, ValueError, UnicodeError):
        return _printed(value)  # e.g. a list that contains itself


def _has_parts(value: object) -> bool:
    if isinstance(value, type):  # a class has fields too, but no values in them
        return False
    return isinstance(value, (dict, list, tuple, set, frozenset, BaseModel)) or is_dataclass(value)


def _array_of(value: Any) -> object:  # Any: an array of any library, known by its methods
    count = item_count(value)
    if count is not None and count <= MAX_WRITTEN_ITEMS:
        return value.tolist()
    return _printed(value)


def _printed(value: object) -> str:
    return without_addresses(clean_text(str(value)))


BINARY = (bytes, bytearray, memoryview)

WITH_FORM = (
    *(str, *BINARY, Number, BaseException),  # their text says all
    *(Mapping, MappingView, Sequence, AbstractSet, Iterator),
)
"""What `form_of` has a form for, beside what pydantic knows."""
