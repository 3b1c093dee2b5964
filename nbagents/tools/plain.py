"""Any Python value as text for a model, or as JSON for a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, MappingView, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import is_dataclass
from io import IOBase
from itertools import islice
from typing import Any, TypeGuard, cast

from pydantic import BaseModel, JsonValue
from pydantic_core import PydanticSerializationError, from_json, to_json

__all__ = ["clean_text", "is_mapping", "is_sequence", "json_of", "text_of", "without_addresses"]

MAX_ITEMS = 10_000
"""Of an iterator, which may have no end; the text is bounded again later."""

MAX_ARRAY_ITEMS = 1_000
"""Of an array that is written out; a larger one prints itself, shortened, better than we could."""

ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


def text_of(value: object) -> str:
    """What a model reads of a value: text as it is, JSON where there is a form, else `str()`.

    Raises:
        Exception: Whatever a user's own `__str__` or serialiser raises.
    """
    if isinstance(value, str) and type(value) is str:
        return clean_text(value)
    if isinstance(value, Iterator):  # it may have no end, which to_json would wait for
        value = _form_of(value)
    value = _in_order(value)
    try:
        return to_json(value, inf_nan_mode="constants").decode()
    except (PydanticSerializationError, ValueError, UnicodeError):
        return _text_of_unknown(value)


def json_of(value: object) -> JsonValue:
    """A value as JSON that every reader takes: NaN is null, what has no form is its text."""
    if isinstance(value, Iterator):
        value = _form_of(value)
    value = _in_order(value)
    try:
        written = to_json(value, inf_nan_mode="null")
    except (PydanticSerializationError, ValueError, UnicodeError):
        written = to_json(value, inf_nan_mode="null", fallback=_form_of, bytes_mode="base64")
    # Through text, because only there NaN becomes null at every depth.
    return cast("JsonValue", from_json(written))


def _in_order(value: object) -> object:
    """A set as a list whose order is the same in every process."""
    if isinstance(value, set | frozenset):
        return sorted(cast("set[object]", value), key=repr)
    return value


def is_mapping(value: object) -> TypeGuard[Mapping[str, object]]:
    """Whether it is a mapping; its keys are taken to be text."""
    return isinstance(value, Mapping)


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


def _text_of_unknown(value: object) -> str:
    form = value if _has_parts(value) else _form_of(value)
    if isinstance(form, str):
        return form
    try:
        return to_json(form, fallback=_form_of, bytes_mode="base64").decode()
    except (PydanticSerializationError, ValueError, UnicodeError):
        return _printed(value)  # e.g. a list that contains itself


def _has_parts(value: object) -> bool:
    return isinstance(value, (dict, list, tuple, set, frozenset, BaseModel)) or is_dataclass(value)


def _form_of(value: Any) -> object:  # Any: whatever a user's tool returned
    """A form of what pydantic does not know: a list, a mapping, a number, or text."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"({memoryview(cast('bytes', value)).nbytes} bytes of binary data)"
    if isinstance(value, str):
        return clean_text(str(value))
    if is_mapping(value):
        return dict(value)
    if isinstance(value, (Iterator, MappingView, Sequence, AbstractSet)) and not isinstance(
        value, IOBase
    ):
        return list(islice(cast("Iterable[object]", value), MAX_ITEMS))
    return _array_of(value)


def _array_of(value: Any) -> object:  # Any: an array of any library, known by its methods
    written = getattr(value, "tolist", None)
    if callable(written) and getattr(value, "size", MAX_ARRAY_ITEMS + 1) <= MAX_ARRAY_ITEMS:
        return written()
    return _printed(value)


def _printed(value: object) -> str:
    return without_addresses(clean_text(str(value)))
