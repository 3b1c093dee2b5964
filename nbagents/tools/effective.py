"""The arguments of a call as people are shown them: what its tool would get, as JSON.

This is the one place where that is worked out. What a model wrote is not yet what a tool gets:
`"7"` may mean 7, what is left out has a default, a name stands for an object. The card, the forms,
the typed prompt, the log, the rows and the saved notebook all show what stands here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, Final, TypeGuard, cast

from pydantic_core import to_json

from nbagents.results import pointer
from nbagents.tools.foreign import kind_of
from nbagents.tools.plain import clean_text, without_addresses
from nbagents.tools.seen import bound_call, fields_of, plain_or_itself, schema_defaults
from nbagents.tools.summaries import summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.tools.binding import Bound
    from nbagents.tools.context import Context
    from nbagents.tools.handles import Handles
    from nbagents.tools.tool import Tool

__all__ = ["Effective", "effective_call", "json_number"]

PLAIN: Final = frozenset({str, int, bool, type(None)})
SEVERAL: Final = (list, tuple, set, frozenset, dict, str, bytes)
MAX_DEFAULT: Final = 2_000
"""Characters of JSON up to which a default is shown as it is."""
MAX_WORDS: Final = 200
"""Characters of an object's own words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effective:
    """What a tool would get."""

    arguments: dict[str, JsonValue]
    """By name: what was given first, in the order in which it was written, then the defaults. A
    live object stands there by its name, a default that JSON cannot carry in a few words."""
    defaults: tuple[str, ...] = ()
    """Those of the names that the call does not give."""
    objects: dict[str, str] = field(default_factory=dict[str, str])
    """What is no JSON but an object, by JSON pointer: what it is, in words."""
    uses: list[tuple[Bound, Context]] = field(
        default_factory=list["tuple[Bound, Context]"], repr=False, compare=False
    )
    """The call itself, with the very values that are shown, and the context that it was bound with.
    There is one use of it, and none that would keep the two together when it is over."""

    @property
    def bound(self) -> Bound | None:
        """The call itself, as long as it was not made."""
        return self.uses[0][0] if self.uses else None

    @property
    def key(self) -> str:
        """The same text for the same call, however it was written."""
        return json.dumps(self.arguments, sort_keys=True)

    @property
    def named(self) -> dict[str, JsonValue]:
        """The arguments with each live object by its name and what it is."""
        if not self.objects:
            return self.arguments
        shown: dict[str, Any] = {
            name: one if name in self.defaults else _named(one, pointer("", name), self.objects)
            for name, one in self.arguments.items()
        }
        return shown


def effective_call(tool: Tool, arguments: JsonValue, context: Context) -> Effective | None:
    """What a tool would get, `None` where the arguments do not fit it.

    Args:
        tool: The tool.
        arguments: What was written for it.
        context: Knows the live objects that names may stand for.
    """
    bound = bound_call(tool, arguments, context)
    if bound is None:
        return None
    written = arguments if isinstance(arguments, dict) else {}
    values = fields_of(bound)
    if _are_themselves(arguments, values, bound.given) and not schema_defaults(
        tool.schema.parameters, values
    ):
        return Effective(arguments=arguments.copy(), uses=[(bound, context)])
    given = bound.given if bound.given is not None else frozenset(values) & frozenset(written)
    writer = _Writer(context.handles)
    first = dict.fromkeys([*(name for name in written if name in given), *values])
    made = {
        name: cast("JsonValue", values[name])
        if _is_itself(values[name], written.get(name))
        else writer.given(values[name], written.get(name), pointer("", name))
        for name in first
        if name in given
    }
    rest = schema_defaults(tool.schema.parameters, values)
    if len(made) < len(first):
        left = (name for name in first if name not in given and name not in bound.stars)
        rest = {name: values[name] for name in left} | rest
    defaults = {name: writer.default(one, pointer("", name)) for name, one in rest.items()}
    return Effective(
        arguments=made | defaults,
        defaults=tuple(defaults),
        objects=writer.objects,
        uses=[(bound, context)],
    )


def json_number(value: float) -> JsonValue:
    """A number as JSON can carry it: what is no number there is a text that is read as it again."""
    if isfinite(value):
        return value
    if isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


class _NoJson(Exception):  # noqa: N818  never seen outside
    """A value that JSON cannot carry."""


@dataclass(slots=True)
class _Writer:
    """Writes values as JSON, and notes what is an object."""

    handles: Handles
    objects: dict[str, str] = field(default_factory=dict[str, str])

    def given(self, value: object, written: JsonValue, path: str) -> JsonValue:
        """What was given; what has no form of its own stays as it was written."""
        if isinstance(written, str):
            if written in self.handles and self.handles[written] is value:
                self.objects[path] = summary(value)
                return written
        elif isinstance(written, (list, dict)):
            return self._several(value, written, path)
        return self._plain(value, written)

    def default(self, value: object, path: str) -> JsonValue:
        """A default, in words where JSON cannot carry it, or not as shortly as a person reads."""
        if type(value) in PLAIN:
            return cast("JsonValue", value)
        try:
            found = _json(plain_or_itself(value))
            if _is_short(found):
                return found
        except (_NoJson, RecursionError, ValueError):
            pass
        self.objects[path] = words = _words(value)
        return words

    def _several(
        self, value: object, written: list[JsonValue] | dict[str, JsonValue], path: str
    ) -> JsonValue:
        if _is_as_written(value, written):
            return written
        if isinstance(written, list) and isinstance(value, (list, tuple)):
            items = cast("Sequence[object]", value)
            if len(items) == len(written):
                pairs = enumerate(zip(items, written, strict=True))
                return [self.given(one, said, pointer(path, at)) for at, (one, said) in pairs]
        if isinstance(written, dict) and isinstance(value, dict):
            fields = cast("dict[str, object]", value)
            if fields.keys() == written.keys():
                return {
                    name: self.given(fields[name], said, pointer(path, name))
                    for name, said in written.items()
                }
        return self._plain(cast("object", value), written)

    def _plain(self, value: object, written: JsonValue) -> JsonValue:
        if type(value) in PLAIN:
            return cast("JsonValue", value)
        try:
            return _json(plain_or_itself(value))
        except (_NoJson, RecursionError):
            return written


def _are_themselves(
    written: JsonValue, values: Mapping[str, object], given: frozenset[str] | None
) -> TypeGuard[dict[str, JsonValue]]:
    """Whether all is given, and just as it was written: then there is nothing to be looked for."""
    if not isinstance(written, dict) or len(written) != len(values):
        return False
    if given is not None and len(given) != len(values):
        return False
    for name, said in written.items():
        if name not in values or not _is_itself(values[name], said):
            return False
    return True


def _is_itself(value: object, written: JsonValue) -> bool:
    """Whether a tool gets just what was written, and there is nothing to look for; mostly so."""
    return type(value) in PLAIN and type(value) is type(written) and value == written


def _is_short(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) or len(json.dumps(value)) <= MAX_DEFAULT


def _is_as_written(value: object, written: JsonValue) -> bool:
    """Whether a value is just what was written; most are, and large ones are compared quickly.

    Both comparisons count: `1 == True`, and an object may be serialised as what it is not.
    """
    try:
        if value != written:
            return False
        return to_json(value, inf_nan_mode="constants") == to_json(written)
    except Exception:  # noqa: BLE001  a person's own objects may raise; it is looked at piece by piece
        return False


def _json(value: object) -> JsonValue:
    """A plain value as JSON.

    Raises:
        _NoJson: There is an object in it.
    """
    if type(value) in PLAIN:
        return cast("JsonValue", value)
    if isinstance(value, float):
        return json_number(float(value))
    if isinstance(value, (str, int)):
        return str.__str__(value) if isinstance(value, str) else int(value)
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, list):
        return [_json(one) for one in cast("list[object]", value)]
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
        return {str(name): _json(one) for name, one in items}
    raise _NoJson


def _words(value: object) -> str:
    """An object in a few words of its own; of data its type and size alone."""
    is_data = kind_of(value) is not None or issubclass(type(value), SEVERAL)
    try:
        words = summary(value) if is_data else without_addresses(repr(value))
    except Exception:  # noqa: BLE001  any object may raise when it is asked what it is
        words = type(value).__name__
    line = " ".join(clean_text(words).split())
    return line if len(line) <= MAX_WORDS else f"{line[: MAX_WORDS - 1]}…"


def _named(value: JsonValue, path: str, objects: Mapping[str, str]) -> JsonValue:
    if path in objects:
        return {"handle": value, "summary": objects[path]}
    if isinstance(value, list):
        return [_named(one, pointer(path, at), objects) for at, one in enumerate(value)]
    if isinstance(value, dict):
        return {name: _named(one, pointer(path, name), objects) for name, one in value.items()}
    return value
