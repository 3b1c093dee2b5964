"""Type hints taken apart and put together, and those that pydantic reads in another form only."""

from __future__ import annotations

import collections.abc
import sys
import types
import typing
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typing_extensions
from pydantic import AfterValidator, GetCoreSchemaHandler
from pydantic_core import CoreSchema, to_jsonable_python
from pydantic_core.core_schema import no_info_before_validator_function

from nbagents.tools.json_schema import is_same

LISTED = (collections.abc.Iterable, collections.abc.Iterator, collections.abc.Generator)
ITERATED = AfterValidator(iter)


def is_union(hint: object) -> bool:
    """Whether a hint is a union, however it is written."""
    return get_origin(hint) in {Union, types.UnionType}


def with_arguments(hint: Any, arguments: tuple[Any, ...]) -> Any:  # Any: type forms have no type
    """The hint with other arguments; the very hint where they are the same."""
    if all(new is old for new, old in zip(arguments, get_args(hint), strict=True)):
        return hint
    origin: Any = get_origin(hint)
    if origin is Annotated:
        return Annotated[arguments]  # pyright: ignore[reportInvalidTypeArguments]  a tuple of all
    if is_union(hint):
        return Union[arguments]  # noqa: UP007  not every type form knows `|`
    copy = getattr(hint, "copy_with", None)  # `List[int]`, whose origin takes no arguments
    return copy(arguments) if copy else origin[arguments]


def readable(hint: Any) -> Any:
    """The hint as pydantic reads it everywhere.

    A `typing.TypedDict` becomes one of `typing_extensions`, which pydantic asks for on Python 3.11.
    An `Iterable` becomes a list, because pydantic would check its items only as the tool reads it;
    an `Iterator` or `Generator` becomes an iterator over one.
    """
    return _readable(hint, ())


def _readable(hint: Any, above: tuple[object, ...]) -> Any:
    if any(hint is one for one in LISTED):
        return _listed(hint, Any)
    if isinstance(hint, type):
        is_old = sys.version_info < (3, 12) and typing.is_typeddict(hint) and hint not in above
        return _modern(hint, (*above, hint)) if is_old else hint
    origin = get_origin(hint)
    if origin is Literal:
        return literal_hint(hint)
    if origin is None:
        return hint
    given = get_args(hint)
    forms = given[:1] if origin is Annotated else given
    inner = (*(_readable(one, above) for one in forms), *given[len(forms) :])
    if origin in LISTED:
        return _listed(origin, inner[0] if inner else Any)
    return with_arguments(hint, inner)


def _listed(origin: Any, item: Any) -> Any:
    return list[item] if origin is collections.abc.Iterable else Annotated[list[item], ITERATED]


def _modern(hint: Any, above: tuple[object, ...]) -> Any:
    """The same keys; a dictionary has no class, so nothing else counts."""
    try:
        found = typing.get_type_hints(hint, include_extras=True)
    except NameError:  # pydantic says what to do
        return hint
    keys: dict[str, Any] = {name: _keyed(name, one, hint, above) for name, one in found.items()}
    made: Any = typing_extensions.TypedDict(hint.__name__, keys)  # pyright: ignore[reportArgumentType]  its keys are found at run time
    made.__doc__ = hint.__doc__
    return made


def _keyed(name: str, inner: Any, hint: Any, above: tuple[object, ...]) -> Any:
    if get_origin(inner) in {typing.Required, typing.NotRequired}:
        (inner,) = get_args(inner)
    required = name in hint.__required_keys__
    word: Any = typing_extensions.Required if required else typing_extensions.NotRequired
    return word[_readable(inner, above)]


PLAIN = (str, int, bool, type(None))


def literal_hint(hint: Any) -> Any:  # Any: a type form, of which Python has no type
    """A `Literal` that takes `"red"` for `Color.RED`, and `"x"` for `b"x"`, as its schema says."""
    odd = tuple(one for one in get_args(hint) if type(one) not in PLAIN)
    return Annotated[hint, _Written(odd)] if odd else hint


@dataclass(frozen=True, slots=True)
class _Written:
    """Puts the values themselves in place of how they are written."""

    values: tuple[object, ...]

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        forms = [(to_jsonable_python(one), one) for one in self.values]
        plain = [one for one in get_args(source) if type(one) in PLAIN]

        def meant(value: object) -> object:
            if any(is_same(value, one) for one in plain):
                return value
            return next((one for form, one in forms if is_same(value, form)), value)

        return no_info_before_validator_function(meant, handler(source))
