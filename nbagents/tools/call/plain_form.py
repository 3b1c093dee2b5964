"""The form that JSON has for a value: a date is text, an enum its value, an object its fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, Final, TypeGuard, cast

from pydantic import AliasChoices, BaseModel, JsonValue, RootModel
from pydantic_core import to_jsonable_python

from nbagents.narrowing import is_dict, is_list, is_mapping

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic.fields import FieldInfo

ATOMS: Final = frozenset({str, int, bool, type(None)})
AS_THEY_ARE: Final = (str, int, float, bool, type(None), Decimal)
SEVERAL: Final = (list, tuple, set, frozenset)


class NoJsonError(Exception):
    """A value that JSON cannot carry."""


def is_atom(value: object) -> TypeGuard[str | int | bool | None]:
    """Whether it is one value, and the same in JSON; most are."""
    return type(value) in ATOMS


def is_json(value: object) -> bool:
    """Whether the log and a page can carry a value as it stands: JSON has no NaN."""
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
        return all(isinstance(key, str) and is_json(one) for key, one in items)
    if is_list(value):
        return all(map(is_json, value))
    if isinstance(value, float):
        return isfinite(value)
    return value is None or isinstance(value, (str, int))


def json_form(value: object) -> JsonValue:
    """A value as JSON.

    Raises:
        NoJsonError: There is an object in it.
    """
    return _json(plain_or_itself(value))


def _json(value: object) -> JsonValue:
    if is_atom(value):
        return value
    if isinstance(value, float):
        return json_number(float(value))
    if isinstance(value, (str, int)):
        return str.__str__(value) if isinstance(value, str) else int(value)
    if isinstance(value, Decimal):
        return str(value)
    if is_list(value):
        return [_json(one) for one in value]
    if is_dict(value):
        return {str(name): _json(one) for name, one in value.items()}
    raise NoJsonError


def json_number(value: float) -> JsonValue:
    """A number as JSON can carry it: what is no number there is a text that is read as it again."""
    if isfinite(value):
        return value
    if isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def plain_or_itself(value: object) -> Any:  # Any: a value of any type
    """A value in the form that JSON has for it; what has none is the very object."""
    try:
        return plain(value)
    except Exception:  # noqa: BLE001  a person's own objects may raise; this one has no such form
        return value


def plain(value: object) -> Any:  # Any: as above
    """A value in the form that JSON has for it.

    Raises:
        Exception: Whatever a person's own objects raise.
    """
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, AS_THEY_ARE):
        return value
    if isinstance(value, BaseModel) or (is_dataclass(value) and not isinstance(value, type)):
        value = _held_in(value)
    if is_mapping(value):
        return {str(plain(key)): plain_or_itself(one) for key, one in value.items()}
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
        return value.__dict__["root"]
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
