"""Whether a value is what a test expects of it, and how an expectation is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import EllipsisType
from typing import Final, TypeGuard

from nbagents.narrowing import is_mapping, is_sequence
from nbagents.results import pointer
from nbagents.runs.wording import clipped, literal, plain

WIDTH: Final = 60
NO_OBJECTS: Final[Mapping[str, object]] = {}
MISSING: Final = object()


def fits(
    expected: object, actual: object, objects: Mapping[str, object] = NO_OBJECTS, path: str = ""
) -> bool:
    """Whether a value is as expected.

    Args:
        expected: A value that it equals; a compiled pattern that is found in it; a type that it is
            of; a function that says whether it will do; `...` for any; something that compares
            itself, e.g. `pytest.approx(59.9)`. Lists and dictionaries may hold any of these.
        actual: The value, as JSON.
        objects: Live objects by JSON pointer, where a call took some by name.
        path: Where the value stands.
    """
    found = objects.get(path, actual)
    if is_pattern(expected):
        return isinstance(actual, str) and expected.search(actual) is not None
    if callable(expected):
        return _is_accepted(expected, found)
    if path in objects and (found is expected or _is_equal(found, expected)):
        return True
    if is_mapping(expected) and is_mapping(actual):
        return _fit_fields(expected, actual, objects, path)
    if is_sequence(expected) and is_sequence(actual):
        return _fit_items(expected, actual, objects, path)
    return isinstance(expected, EllipsisType) or _is_alike(expected, actual)


def is_pattern(value: object) -> TypeGuard[re.Pattern[str]]:
    """Whether it is a compiled pattern of text."""
    return isinstance(value, re.Pattern)


def _fit_fields(
    expected: Mapping[str, object],
    actual: Mapping[str, object],
    objects: Mapping[str, object],
    path: str,
) -> bool:
    return expected.keys() == actual.keys() and all(
        fits(one, actual[name], objects, pointer(path, name)) for name, one in expected.items()
    )


def _fit_items(
    expected: Sequence[object], actual: Sequence[object], objects: Mapping[str, object], path: str
) -> bool:
    return len(expected) == len(actual) and all(
        fits(one, other, objects, f"{path}/{at}")
        for at, (one, other) in enumerate(zip(expected, actual, strict=True))
    )


def _is_alike(expected: object, actual: object) -> bool:
    """Whether they are equal; what JSON has no word for is compared as it would be written."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if _is_equal(expected, actual):
        return True
    if expected is None or isinstance(expected, (str, int, float)):
        return False
    from pydantic_core import PydanticSerializationError, to_jsonable_python  # few do

    try:
        return bool(to_jsonable_python(expected) == actual)
    except (PydanticSerializationError, ValueError):
        return False


def _is_equal(one: object, other: object) -> bool:
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001  a table compares by cells, and will not say yes or no
        return False


def _is_accepted(expected: Callable[[object], object], found: object) -> bool:
    """Whether a type or a condition takes a value; `True` is no number here."""
    if isinstance(expected, type):
        return isinstance(found, expected) and not (isinstance(found, bool) and expected is int)
    return bool(expected(found))


def expected_words(expected: object) -> str:
    """How an expected value is written: as Python, a pattern as `/…/`, a condition by its name."""
    if isinstance(expected, EllipsisType):
        return "…"
    if is_pattern(expected):
        return f"/{expected.pattern}/"
    if isinstance(expected, type):
        return expected.__name__
    if callable(expected):
        name = getattr(expected, "__name__", "")
        return f"{name}(…)" if name and name != "<lambda>" else "<a condition>"
    return value_words(expected)


def value_words(value: object) -> str:
    """A value on one short line."""
    written = literal(value)
    return clipped(plain(written), WIDTH)


def call_words(verb: str, /, *given: object, **options: object) -> str:
    """How an expectation is written: `called("find_place", times=2)`; `None` is left out."""
    named = options_words({key: one for key, one in options.items() if one is not None})
    return f"{verb}({', '.join([*map(expected_words, given), *named])})"


def options_words(given: Mapping[str, object]) -> list[str]:
    """How expected values are written, each with its name."""
    return [f"{key}={expected_words(one)}" for key, one in given.items()]


def misfits(
    expected: Mapping[str, object], actual: object, objects: Mapping[str, object]
) -> dict[str, str]:
    """What of the expected arguments a call did not get, each in words."""
    got = actual if is_mapping(actual) else NO_OBJECTS
    return {
        name: _misfit(name, one, got.get(name, MISSING))
        for name, one in expected.items()
        if name not in got or not fits(one, got[name], objects, pointer("", name))
    }


def _misfit(name: str, expected: object, actual: object) -> str:
    if actual is MISSING:
        return f"no {name}"
    return f"{name}={value_words(actual)}, not {expected_words(expected)}"
