"""A call before it is made: its tool, its arguments as they were written, and what they come to.

What a model writes is not yet what a tool gets: `"7"` may mean 7, what is left out has a default, a
name stands for an object. A check that looked at the writing could be passed by it; the card, the
forms, the typed prompt, the log, the rows and the saved notebook all show what stands here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeGuard, cast

from pydantic_core import to_json

from nbagents.narrowing import dict_of, is_dict, is_list, is_mapping, is_sequence
from nbagents.results import Taken, pointer
from nbagents.tools.call.plain_form import (
    AS_THEY_ARE,
    NoJsonError,
    is_atom,
    json_form,
    plain,
    plain_or_itself,
)
from nbagents.tools.call.taken import USUAL, manner_of, taken_of
from nbagents.tools.schema import Bound
from nbagents.tools.values import clean_text, kind_of, summary, without_addresses

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.messages import CallRequest
    from nbagents.results import Failure
    from nbagents.tools.context import Context
    from nbagents.tools.schema import Issues
    from nbagents.tools.tool import Tool
    from nbagents.tools.values import Handles


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCall:
    """A call whose tool and arguments are known, or why they are not."""

    request: CallRequest
    tool: Tool | None
    arguments: JsonValue
    """The parsed arguments; the raw text where it is no JSON."""
    failure: Failure | None = None
    said: str = ""
    """What the model is told before the result, e.g. that a person has changed the arguments."""
    effective: Effective | None = None
    """What the tool would get of these arguments; `None`: that was not looked at, or nothing."""

    @property
    def shown(self) -> JsonValue:
        """The arguments as people are shown them: what the tool would get, where that is known."""
        return self.arguments if self.effective is None else self.effective.arguments

    @property
    def told(self) -> dict[str, Any]:  # Any: as the fields of events have it
        """The arguments as an event tells of them."""
        shown = self.effective
        if shown is None:
            return {"arguments": self.arguments}
        return {
            "arguments": shown.arguments,
            "defaults": shown.defaults,
            "objects": shown.objects,
        }

    @property
    def taken(self) -> Taken | None:
        """How Python makes it, where name and arguments do not tell."""
        return None if self.effective is None else self.effective.taken

    @property
    def written(self) -> JsonValue:
        """What is kept beside the shown arguments, to make the call again; `None`: they do."""
        return None if self.arguments == self.shown else self.arguments

    def with_arguments(self, arguments: JsonValue, said: str | None = None) -> PreparedCall:
        """The same call with other arguments."""
        told = self.said if said is None else said
        return replace(self, arguments=arguments, said=told, effective=None)

    def with_said(self, said: str) -> PreparedCall:
        """The same call, before whose result the model is told something more."""
        return replace(self, said=self.said + said)

    def seen(self, context: Context) -> PreparedCall:
        """The same call with what its tool would get, if it can be made."""
        if self.effective is not None or self.tool is None or self.failure is not None:
            return self
        # Not by `replace`, which takes longer than all the rest: every call comes by here.
        return PreparedCall(
            request=self.request,
            tool=self.tool,
            arguments=self.arguments,
            said=self.said,
            effective=effective_call(self.tool, self.arguments, context),
        )

    def bound(self, context: Context) -> Bound | Issues:
        """The call as it was shown; made again, it is bound again and has values of its own."""
        tool, shown = cast("Tool", self.tool), self.effective
        if shown is None or not shown.uses:
            return tool.bind(self.arguments, context)
        bound, was = shown.uses.pop()
        return bound.for_context(was, context)


DATA: Final = (list, tuple, set, frozenset, dict, str, bytes)
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
    taken: Taken | None = None
    """How Python makes the call, where name and arguments do not tell."""
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
        is_usual = manner_of(tool) is USUAL
        taken = None if is_usual else taken_of(tool, values, arguments, (), ())
        return Effective(arguments=arguments.copy(), taken=taken, uses=[(bound, context)])
    given = bound.given if bound.given is not None else frozenset(values) & frozenset(written)
    writer = _Writer(context.handles)
    first = dict.fromkeys([*(name for name in written if name in given), *values])
    made = {
        name: written[name]
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
    shown = made | defaults
    return Effective(
        arguments=shown,
        defaults=tuple(defaults),
        objects=writer.objects,
        taken=taken_of(tool, values, shown, writer.objects, defaults),
        uses=[(bound, context)],
    )


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
        if is_atom(value):
            return value
        try:
            found = json_form(value)
            if _is_short(found):
                return found
        except (NoJsonError, RecursionError, ValueError):
            pass
        self.objects[path] = words = _words(value)
        return words

    def _several(
        self, value: object, written: list[JsonValue] | dict[str, JsonValue], path: str
    ) -> JsonValue:
        if _is_as_written(value, written):
            return written
        if isinstance(written, list) and is_sequence(value) and len(value) == len(written):
            pairs = enumerate(zip(value, written, strict=True))
            return [self.given(one, said, pointer(path, at)) for at, (one, said) in pairs]
        if isinstance(written, dict) and is_dict(value) and value.keys() == written.keys():
            return {
                name: self.given(value[name], said, pointer(path, name))
                for name, said in written.items()
            }
        return self._plain(value, written)

    def _plain(self, value: object, written: JsonValue) -> JsonValue:
        if is_atom(value):
            return value
        try:
            return json_form(value)
        except (NoJsonError, RecursionError):
            return written


def _are_themselves(
    written: JsonValue, values: Mapping[str, object], given: frozenset[str] | None
) -> TypeGuard[dict[str, JsonValue]]:
    """Whether all is given, and just as it was written: then there is nothing to be looked for."""
    if not isinstance(written, dict) or len(written) != len(values):
        return False
    if given is not None and len(given) != len(values):
        return False
    return all(name in values and _is_itself(values[name], one) for name, one in written.items())


def _is_itself(value: object, written: JsonValue) -> bool:
    """Whether a tool gets just what was written, and there is nothing to look for; mostly so."""
    return is_atom(value) and type(value) is type(written) and value == written


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


def _words(value: object) -> str:
    """An object in a few words of its own; of data its type and size alone."""
    is_data = kind_of(value) is not None or issubclass(type(value), DATA)
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


def seen_arguments(tool: Tool, arguments: JsonValue, context: Context) -> dict[str, Any] | None:
    """The arguments by name, each time new objects; `None` where they do not fit the tool.

    A date is text, an enum its value, an object its fields, as JSON has them; numbers are numbers,
    also a `Decimal`. What has no such form is the very object that the tool gets: above all what a
    handle names.
    """
    bound = bound_call(tool, arguments, context)
    if bound is None:
        return None
    live = tool.schema.handles
    seen = {
        name: value if name in live else plain_or_itself(value)
        for name, value in fields_of(bound).items()
    }
    return seen | schema_defaults(tool.schema.parameters, seen)


def bound_call(tool: Tool, arguments: JsonValue, context: Context) -> Bound | None:
    """The call that arguments ask for; `None` where they do not fit the tool."""
    try:
        bound = tool.bind(arguments, context)
    except Exception:  # noqa: BLE001  a tool's own types may raise; the call will tell of it
        return None
    return bound if isinstance(bound, Bound) else None


def fields_of(bound: Bound) -> Mapping[str, object]:
    """What a tool gets, by the names that a model knows."""
    named = bound.named
    return named if is_mapping(named) else plain(named) or {}


def as_written(
    given: Mapping[str, Any], seen: Mapping[str, Any], written: JsonValue
) -> dict[str, Any]:
    """The arguments that a check gave, as a model would have written them.

    Args:
        given: What the check gave.
        seen: What it saw; what is still the same stays as it was written.
        written: What the model wrote.
    """
    before = written if isinstance(written, dict) else {}
    made: dict[str, Any] = {}
    for name, value in given.items():
        if name not in seen:
            made[name] = value
        elif not _is_same(value, seen[name]):
            made[name] = _within(value, seen[name], before.get(name))
        elif name in before:
            made[name] = before[name]
    return made


def _within(value: Any, seen: Any, written: JsonValue) -> Any:
    """A value that was changed; of an object, what is in it and was not stays as it was written."""
    if is_dict(value) and is_dict(seen) and isinstance(written, dict):
        return as_written(value, seen, written)
    return value


def schema_defaults(parameters: Mapping[str, Any], values: Mapping[str, object]) -> dict[str, Any]:
    """What a schema says is taken where nothing is given, of what has no value yet."""
    known = dict_of(parameters.get("properties"))
    if known.keys() <= values.keys():
        return {}
    return {
        name: plain(one["default"])
        for name, one in known.items()
        if name not in values and is_mapping(one) and "default" in one
    }


def _is_same(one: Any, other: Any) -> bool:
    """Whether a value was left as it was: `1` is not `True`."""
    if one is other:
        return True
    if is_dict(one) and is_dict(other):
        return one.keys() == other.keys() and all(_is_same(one[k], other[k]) for k in one)
    if is_list(one) and is_list(other):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if type(one) not in AS_THEY_ARE or type(one) is not type(other):
        return False
    return one == other or (one != one and other != other)  # noqa: PLR0124  a NaN is no other NaN
