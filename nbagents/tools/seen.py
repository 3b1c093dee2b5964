"""The arguments of a call as a check sees them: those that fit, complete, in plain values.

What a model writes is not yet what a tool gets: `"true"` may mean `True`, and what is left out may
have a default. A check that looked at the writing could be passed by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import AliasChoices, BaseModel, RootModel
from pydantic_core import to_jsonable_python

from nbagents.tools.binding import Bound

if TYPE_CHECKING:
    from pydantic import JsonValue
    from pydantic.fields import FieldInfo

    from nbagents.tools.context import Context
    from nbagents.tools.tool import Tool

__all__ = [
    "as_written",
    "bound_call",
    "fields_of",
    "is_json",
    "plain_or_itself",
    "schema_defaults",
    "seen_arguments",
]

AS_THEY_ARE: Final = (str, int, float, bool, type(None), Decimal)
SEVERAL: Final = (list, tuple, set, frozenset)


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
    if isinstance(named, Mapping):
        return cast("Mapping[str, object]", named)
    return cast("Mapping[str, object]", _plain(named) or {})


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
    if isinstance(value, dict) and isinstance(seen, dict) and isinstance(written, dict):
        changed, before = cast("dict[str, Any]", value), cast("dict[str, Any]", seen)
        return as_written(changed, before, written)
    return cast("Any", value)


def is_json(value: object) -> bool:
    """Whether the log and a page can carry a value as it stands: JSON has no NaN."""
    if isinstance(value, dict):
        items = cast("Mapping[object, object]", value).items()
        return all(isinstance(key, str) and is_json(one) for key, one in items)
    if isinstance(value, list):
        return all(map(is_json, cast("list[object]", value)))
    return value is None or isinstance(value, (str, int)) or _is_finite(value)


def _is_finite(value: object) -> bool:
    return isinstance(value, float) and isfinite(value)


def schema_defaults(parameters: Mapping[str, Any], values: Mapping[str, object]) -> dict[str, Any]:
    """What a schema says is taken where nothing is given, of what has no value yet."""
    known: Mapping[str, Any] = parameters.get("properties") or {}
    if known.keys() <= values.keys():
        return {}
    return {
        name: _plain(cast("Mapping[str, object]", one)["default"])
        for name, one in known.items()
        if name not in values and isinstance(one, Mapping) and "default" in one
    }


def plain_or_itself(value: object) -> Any:  # Any: a value of any type
    """A value in the form that JSON has for it; what has none is the very object."""
    try:
        return _plain(value)
    except Exception:  # noqa: BLE001  a person's own objects may raise; this one has no such form
        return value


def _plain(value: object) -> Any:
    if isinstance(value, Enum):
        return _plain(value.value)
    if isinstance(value, AS_THEY_ARE):
        return value
    if isinstance(value, BaseModel) or (is_dataclass(value) and not isinstance(value, type)):
        value = _held_in(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {str(_plain(key)): plain_or_itself(one) for key, one in items}
    if isinstance(value, SEVERAL):
        items = cast("list[object]", value)
        if isinstance(value, (set, frozenset)):
            items = _in_order(items)
        return [plain_or_itself(one) for one in items]
    if isinstance(value, Iterator):
        return cast("object", value)  # looking would use it up
    return to_jsonable_python(value, by_alias=True)


def _in_order(items: Iterable[Any]) -> list[Any]:
    """What a set holds, in an order that is the same in each process: it has none itself."""
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=repr)


def _held_in(value: Any) -> object:  # Any: an object of a model or a dataclass
    """The fields of an object as they are, by the names under which they are given.

    Not as it would be serialised: that may leave out fields, mask them, and add some of its own.
    """
    if isinstance(value, RootModel):
        return getattr(cast("object", value), "root")  # noqa: B009  a type that pyright knows
    known: Mapping[str, FieldInfo] = getattr(value.__class__, "__pydantic_fields__", {})
    if isinstance(value, BaseModel):
        held: dict[str, object] = {**value.__dict__, **(value.__pydantic_extra__ or {})}
        names: Iterable[str] = dict.fromkeys([*known, *(value.__pydantic_extra__ or {})])
    else:
        names = [one.name for one in fields(value)]
        held = {name: getattr(value, name) for name in names}
    return {_given_as(known[name]) or name if name in known else name: held[name] for name in names}


def _given_as(info: FieldInfo) -> str | None:
    """The name under which a field is given, where that is another one than its own."""
    alias = info.validation_alias or info.alias
    choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
    return next((one for one in choices if isinstance(one, str)), None)


def _is_same(one: Any, other: Any) -> bool:
    """Whether a value was left as it was: `1` is not `True`."""
    if one is other:
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        mine, yours = cast("dict[str, object]", one), cast("dict[str, object]", other)
        return mine.keys() == yours.keys() and all(_is_same(mine[k], yours[k]) for k in mine)
    if isinstance(one, list) and isinstance(other, list):
        pairs = cast("list[object]", one), cast("list[object]", other)
        return len(pairs[0]) == len(pairs[1]) and all(map(_is_same, *pairs))
    kind: type = type(cast("object", one))
    if kind not in AS_THEY_ARE or kind is not type(cast("object", other)):
        return False
    return one == other or (one != one and other != other)  # noqa: PLR0124  a NaN is no other NaN
