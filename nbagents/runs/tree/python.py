"""How a call is written as Python, wherever it is shown or copied.

`js/src/run-view/python.ts` writes the same; both pass `tests/fixtures/python.json`.
"""

from __future__ import annotations

import json
import re
from keyword import iskeyword
from math import isfinite
from typing import TYPE_CHECKING, Final, cast

from nbagents.results import pointer
from nbagents.runs.tree.visible import plain, visible_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from pydantic import JsonValue

__all__ = ["argument_words", "call_in_python", "is_name", "literal", "name_in_words"]

SEPARATOR: Final = "--"
"""Stands between the name of a toolset and a tool's own."""
RESULT: Final = re.compile(r"r[0-9]+")
DEFAULT: Final = " (default)"
NO_OBJECTS: Final[Mapping[str, str]] = {}


def literal(
    value: object,
    path: str = "",
    objects: Mapping[str, str] = NO_OBJECTS,
    *,
    keys: Callable[[str], str] = str,
    held: Callable[[str], str] = str,
) -> str:
    """A JSON value as Python writes it: `"Paris"`, `True`, `[1, 2]`.

    Args:
        value: The value.
        path: Where it stands, as a JSON pointer.
        objects: What is an object, by JSON pointer: that is written by its name.
        keys: What is done to the keys of dictionaries, where a person is to read them.
        held: How Python gets at an object of that name.
    """
    if path in objects and isinstance(value, str):
        return held(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, float) and not isfinite(value):
        return f'float("{value}")'
    if isinstance(value, list):
        items = enumerate(cast("list[object]", value))
        written = (literal(one, f"{path}/{at}", objects, keys=keys, held=held) for at, one in items)
        return f"[{', '.join(written)}]"
    if isinstance(value, dict):
        return f"{{{_fields(cast('dict[str, object]', value), path, objects, keys, held)}}}"
    return repr(value)


def call_in_python(
    name: str,
    arguments: JsonValue,
    defaults: Collection[str] = (),
    objects: Mapping[str, str] = NO_OBJECTS,
) -> str:
    """A call that can be made: `area(r=2)`, a tool of a toolset as its attribute.

    Args:
        name: The tool's name.
        arguments: What it gets.
        defaults: Those that were not given: Python takes them by itself.
        objects: Those that are objects, by JSON pointer.
    """
    first, _, rest = name.partition(SEPARATOR)
    written = ".".join(_as_name(one) for one in (first, rest) if one)
    if not isinstance(arguments, dict):
        return f"{written}({'' if arguments is None else literal(arguments)})"
    given = {key: one for key, one in arguments.items() if key not in defaults}
    if not all(map(is_name, given)):
        return f"{written}(**{{{_fields(given, '', objects, held=_held)}}})"
    shown = (
        f"{key}={literal(one, pointer('', key), objects, held=_held)}" for key, one in given.items()
    )
    return f"{written}({', '.join(shown)})"


def argument_words(
    arguments: JsonValue,
    defaults: Collection[str] = (),
    objects: Mapping[str, str] = NO_OBJECTS,
    *,
    cut: Callable[[str], str] = str,
) -> str:
    """What a call is made with, for people: `disk="sda", passes=3 (default)`.

    Args:
        arguments: What the tool gets.
        defaults: Those that were not given; they are marked.
        objects: Those that are objects, by JSON pointer.
        cut: Shortens a value, so that a long one hides no other.
    """
    if not isinstance(arguments, dict):
        return "" if arguments is None else _cut(arguments, "", objects, cut)
    return ", ".join(
        f"{name_in_words(key)}={_cut(one, pointer('', key), objects, cut)}"
        f"{DEFAULT if key in defaults else ''}"
        for key, one in arguments.items()
    )


def _cut(value: object, path: str, objects: Mapping[str, str], cut: Callable[[str], str]) -> str:
    try:
        return cut(plain(literal(value, path, objects, keys=visible_name)))
    except RecursionError:
        return "…"


def name_in_words(name: str) -> str:
    """The name of an argument: quoted where it is none, so that it passes for nothing else."""
    shown = visible_name(name)
    return shown if shown.isidentifier() else visible_name(_quoted(name))


def is_name(text: str) -> bool:
    """Whether Python takes a text as a name; here that is one of ASCII."""
    return text.isascii() and text.isidentifier() and not iskeyword(text)


def _as_name(text: str) -> str:
    name = "".join(one if one.isascii() and (one.isalnum() or one == "_") else "_" for one in text)
    return name if is_name(name) else f"_{name}"


def _fields(
    value: Mapping[str, object],
    path: str,
    objects: Mapping[str, str],
    keys: Callable[[str], str] = str,
    held: Callable[[str], str] = str,
) -> str:
    return ", ".join(
        f"{keys(_quoted(name))}: {literal(one, pointer(path, name), objects, keys=keys, held=held)}"
        for name, one in value.items()
    )


def _held(name: str) -> str:
    """What a person shared is theirs by its name; a result is in the run."""
    is_own = is_name(name) and not RESULT.fullmatch(name)
    return name if is_own else f"run.values[{_quoted(name)}]"


def _quoted(text: str) -> str:
    written = json.dumps(text, ensure_ascii=False)
    return written if written.isascii() else _without_halves(written)


def _without_halves(written: str) -> str:
    """A text in which half a character, which no file can hold, is written out."""
    return "".join(f"\\u{ord(one):04x}" if "\ud800" <= one <= "\udfff" else one for one in written)
