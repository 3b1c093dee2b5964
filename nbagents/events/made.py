"""Making events that are as they should be, quickly: what fits at sight is not validated again."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, ParamSpec, TypeVar, Union, cast
from typing import get_args as args_of
from typing import get_origin as origin_of

from pydantic import BaseModel, JsonValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["made"]

P = ParamSpec("P")
M = TypeVar("M", bound=BaseModel)

ATOMS: Final = frozenset({str, int, bool, NoneType})
"""The types of values that JSON carries as they are. (Of a float it must be known which it is.)"""
NOTHING: Final[frozenset[type]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """What fits the fields of a model at sight."""

    names: set[str]
    blank: dict[str, Any] = field(default_factory=dict[str, Any])
    """The fields in order, with what they are where nothing is given."""
    needed: set[str] = field(default_factory=set[str])
    """Those that must be given, or are made anew each time."""
    types: dict[str, frozenset[type]] = field(default_factory=dict[str, frozenset[type]])
    """By field: of which very types a value can be."""
    words: dict[str, frozenset[object]] = field(default_factory=dict[str, frozenset[object]])
    """By field: which values there are, where they are named."""
    items: dict[str, frozenset[type]] = field(default_factory=dict[str, frozenset[type]])
    """By field: of which types the items of a tuple can be."""
    entries: dict[str, frozenset[type]] = field(default_factory=dict[str, frozenset[type]])
    """By field: of which types the values of a dictionary can be, whose keys are text."""


_forms: dict[object, _Form] = {}


def made(kind: Callable[P, M], *_: P.args, **given: P.kwargs) -> M:
    """A frozen model of these values, as `kind` itself would make it.

    Most of what happens in a run is written down by ourselves, of the very types that it should be
    of; to see that takes a fraction of the time that validation does. The rest is validated.

    Raises:
        ValidationError: A value does not fit.
    """
    form = _forms.get(kind)
    if form is None:  # the first is made by pydantic, which builds the class then
        _forms[kind] = _form_of(cast("type[BaseModel]", kind))
        return kind(**given)  # pyright: ignore[reportCallIssue]  there are no positional ones
    if not form.needed <= given.keys():
        return kind(**given)  # pyright: ignore[reportCallIssue]  as above
    values = form.blank.copy()
    for name, value in given.items():
        if type(value) in form.types.get(name, NOTHING):
            values[name] = value
        elif not _fits(form, name, value):
            return kind(**given)  # pyright: ignore[reportCallIssue]  as above
        else:
            values[name] = value.copy() if isinstance(value, dict) else value
    event = object.__new__(cast("type[M]", kind))
    object.__setattr__(event, "__dict__", values)
    object.__setattr__(event, "__pydantic_fields_set__", form.names)
    object.__setattr__(event, "__pydantic_extra__", None)
    object.__setattr__(event, "__pydantic_private__", None)
    return event


def _fits(form: _Form, name: str, value: object) -> bool:
    """Whether a value that is none of a field's plain types fits it all the same."""
    if type(value) is tuple:
        return _are_all(cast("Iterable[object]", value), form.items.get(name))
    if type(value) is dict:
        entries = cast("Mapping[object, object]", value)
        is_named = all(type(key) is str for key in entries)
        return is_named and _are_all(entries.values(), form.entries.get(name))
    return type(value) is str and value in form.words.get(name, ())


def _are_all(values: Iterable[object], types: frozenset[type] | None) -> bool:
    return types is not None and all(type(one) in types for one in values)


def _form_of(kind: type[BaseModel]) -> _Form:
    form = _Form(names=set(kind.model_fields))
    for name, one in kind.model_fields.items():
        form.blank[name] = one.default
        if one.is_required() or one.default_factory is not None:
            form.needed.add(name)
        hint = one.annotation
        is_choice = origin_of(hint) in (Union, UnionType)
        for member in args_of(hint) if is_choice else (hint,):
            _learn(form, name, member)
    return form


def _learn(form: _Form, name: str, hint: object) -> None:
    """Take in what fits a field; where nothing is known of a hint, all is validated."""
    origin, args = origin_of(hint), args_of(hint)
    if hint is JsonValue:
        form.types[name] = form.entries[name] = ATOMS
    elif origin is Literal:
        form.words[name] = frozenset(args)
    elif origin is tuple and args[1:] == (...,):
        form.items[name] = _types(args[:1])
    elif origin is dict and args[0] is str:
        form.entries[name] = _types(args[1:])
    elif origin is None:
        form.types[name] = form.types.get(name, NOTHING) | _types((hint,))


def _types(hints: Iterable[object]) -> frozenset[type]:
    return frozenset(one for one in hints if isinstance(one, type) and origin_of(one) is None)
