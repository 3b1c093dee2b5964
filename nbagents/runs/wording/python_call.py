"""How a call is written as Python, wherever it is shown or copied.

`js/src/words/python.ts` writes the same; both pass `tests/fixtures/python.json`.
"""

from __future__ import annotations

import json
from keyword import iskeyword
from math import isfinite
from typing import TYPE_CHECKING, Final, NamedTuple

from nbagents.narrowing import is_dict, is_list
from nbagents.redaction import MARK
from nbagents.results import pointer
from nbagents.runs.wording.visible_text import plain, visible_name
from nbagents.tools.tool import SEPARATOR
from nbagents.tools.values import is_numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from pydantic import JsonValue

    from nbagents.runs.tree import Plain

DEFAULT: Final = " (default)"
LOOKED_AT: Final = 2000
"""So much of a value is looked at that is cut to a few words."""
NO_OBJECTS: Final[Mapping[str, str]] = {}
NO_FORMS: Final[Mapping[str, str]] = {}
SECRET: Final = f"A secret was taken out of it: put it where {MARK} stands."


def literal(
    value: object,
    path: str = "",
    objects: Mapping[str, str] = NO_OBJECTS,
    *,
    keys: Callable[[str], str] = str,
    held: Callable[[str], str] = str,
    forms: Mapping[str, str] = NO_FORMS,
) -> str:
    """A JSON value as Python writes it: `"Paris"`, `True`, `[1, 2]`.

    Args:
        value: The value.
        path: Where it stands, as a JSON pointer.
        objects: What is an object, by JSON pointer: that is written by its name.
        keys: What is done to the keys of dictionaries, where a person is to read them.
        held: How Python gets at an object of that name.
        forms: How what is no JSON is made of what stands there, by JSON pointer.
    """
    if path in objects and isinstance(value, str):
        return held(value)
    written = _plainly(value, path, _Writing(objects, keys, held, forms))
    return forms[path].replace("$", written) if path in forms else written


class _Writing(NamedTuple):
    """How the parts of a value are written."""

    objects: Mapping[str, str]
    keys: Callable[[str], str]
    held: Callable[[str], str]
    forms: Mapping[str, str]

    def part(self, value: object, path: str) -> str:
        return literal(value, path, self.objects, keys=self.keys, held=self.held, forms=self.forms)

    def fields(self, value: Mapping[str, object], path: str) -> str:
        return ", ".join(
            f"{self.keys(_quoted(name))}: {self.part(one, pointer(path, name))}"
            for name, one in value.items()
        )


def _plainly(value: object, path: str, writing: _Writing) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, float) and not isfinite(value):
        return f'float("{value}")'
    if is_list(value):
        items = enumerate(value)
        return f"[{', '.join(writing.part(one, f'{path}/{at}') for at, one in items)}]"
    if is_dict(value):
        return f"{{{writing.fields(value, path)}}}"
    return repr(value)


def call_in_python(
    name: str,
    arguments: JsonValue,
    defaults: Collection[str] = (),
    objects: Mapping[str, str] = NO_OBJECTS,
    taken: Plain | None = None,
    *,
    held: Callable[[str], str] | None = None,
) -> str:
    """A call that can be made: `area(r=2)`, a tool of a toolset as its attribute.

    Lines that it needs before it stand above. One that cannot be made as it was is a comment, and
    says why.

    Args:
        name: The tool's name.
        arguments: What it gets.
        defaults: Those that were not given: Python takes them by itself.
        objects: Those that are objects, by JSON pointer.
        taken: How Python makes it, where name and arguments do not tell; see `Taken`.
        held: How Python gets at an object of a name; by default a result is in the run.
    """
    how = taken or {}
    first, _, rest = name.partition(SEPARATOR)
    own = ".".join(_as_name(one) for one in (first, rest) if one)
    written = arguments_in_python(arguments, defaults, objects, taken, held=held)
    call = f"{how.get('called') or own}({written})"
    problem = how.get("problem") or (SECRET if MARK in written else "")
    if problem:
        return f"# {visible_name(problem)}\n# {call}"
    return "\n".join([*how.get("imports", ()), call])


def arguments_in_python(
    arguments: JsonValue,
    defaults: Collection[str] = (),
    objects: Mapping[str, str] = NO_OBJECTS,
    taken: Plain | None = None,
    *,
    held: Callable[[str], str] | None = None,
) -> str:
    """What stands between the brackets of such a call."""
    how = taken or {}
    writing = _Writing(objects, str, held or _held, how.get("forms", NO_FORMS))
    if not isinstance(arguments, dict):
        return "" if arguments is None else literal(arguments)
    positional: Collection[str] = how.get("positional", ())
    rest, more = str(how.get("rest", "")), str(how.get("more", ""))
    places = [writing.part(arguments[one], pointer("", one)) for one in positional]
    if rest and rest in arguments:
        places += _rest(writing, arguments[rest], pointer("", rest))
    apart = {*positional, *filter(None, (rest, more))}
    left_out = {*defaults} - {*how.get("always", ())} | apart
    names: Mapping[str, str] = how.get("names", {})
    given = {
        names.get(key, key): (one, pointer("", key))
        for key, one in arguments.items()
        if key not in left_out
    }
    free = arguments.get(more) if more else None
    if isinstance(free, dict):
        given |= {key: (one, pointer(pointer("", more), key)) for key, one in free.items()}
    if not all(map(is_name, given)):
        fields = (f"{_quoted(key)}: {writing.part(*one)}" for key, one in given.items())
        return ", ".join([*places, f"**{{{', '.join(fields)}}}"])
    return ", ".join([*places, *(f"{key}={writing.part(*one)}" for key, one in given.items())])


def _rest(writing: _Writing, value: JsonValue, path: str) -> list[str]:
    """What follows by position, each by itself."""
    items = value if isinstance(value, list) else []
    return [writing.part(one, pointer(path, at)) for at, one in enumerate(items)]


def argument_words(
    arguments: JsonValue,
    defaults: Collection[str] = (),
    objects: Mapping[str, str] = NO_OBJECTS,
    *,
    cut: Callable[[str], str] = str,
    looked_at: int | None = None,
) -> str:
    """What a call is made with, for people: `disk="sda", passes=3 (default)`.

    Args:
        arguments: What the tool gets.
        defaults: Those that were not given; they are marked.
        objects: Those that are objects, by JSON pointer.
        cut: Shortens a value, so that a long one hides no other.
        looked_at: So many characters of a value, where `cut` leaves fewer; else it gets all of it.
    """
    if not isinstance(arguments, dict):
        return "" if arguments is None else _cut(arguments, "", objects, cut, looked_at)
    return ", ".join(
        f"{name_in_words(key)}={_cut(one, pointer('', key), objects, cut, looked_at)}"
        f"{DEFAULT if key in defaults else ''}"
        for key, one in arguments.items()
    )


def _cut(
    value: object,
    path: str,
    objects: Mapping[str, str],
    cut: Callable[[str], str],
    looked_at: int | None,
) -> str:
    try:
        written = literal(value, path, objects, keys=visible_name)
    except RecursionError:
        return "…"
    if looked_at is not None and len(written) > looked_at:
        written = f"{written[:looked_at]}…"
    return cut(plain(written))


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


def _held(name: str) -> str:
    """What a person shared is theirs by its name; a result is in the run."""
    is_own = is_name(name) and not is_numbered(name)
    return name if is_own else f"run.values[{_quoted(name)}]"


def _quoted(text: str) -> str:
    written = json.dumps(text, ensure_ascii=False)
    return written if written.isascii() else _without_halves(written)


def _without_halves(written: str) -> str:
    """A text in which half a character, which no file can hold, is written out."""
    return "".join(f"\\u{ord(one):04x}" if "\ud800" <= one <= "\udfff" else one for one in written)
