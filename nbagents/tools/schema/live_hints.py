"""Hints that JSON cannot carry: a model writes the name of a live object, the tool gets the object.

Such a hint is a class that pydantic does not know, e.g. `pd.DataFrame`, `NDArray[np.float64]` or a
class of the notebook; alone, in a union, or inside of a list or a dictionary.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticSchemaGenerationError
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import (
    CoreSchema,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    with_info_before_validator_function,
    with_info_plain_validator_function,
    with_info_wrap_validator_function,
)

from nbagents.errors import ToolError
from nbagents.tools.schema.hints import is_union, with_arguments
from nbagents.tools.values import Handles

ANY_OR_NAME = "Any value, or the name of an object."
"""What a model is told of a parameter without a hint."""

NO_FORM = (PydanticSchemaGenerationError, PydanticInvalidForJsonSchema)
"""What pydantic raises for a type that it cannot read, or cannot describe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveHint:
    """A hint in which names stand for objects."""

    hint: Any
    """What pydantic reads instead."""
    type_name: str
    """What the objects are, e.g. `DataFrame`."""
    words: str
    """What the model is told, after the parameter's own description."""


def live_hint(hint: object, *, is_starred: bool = False) -> LiveHint | None:
    """The hint with names where it has live objects; `None` if there is no way to write it.

    Args:
        hint: A hint without JSON form.
        is_starred: Whether the parameter takes several of it.

    Raises:
        Exception: What a type's own code raises.
    """
    written = _written(hint)
    places = list(_places(written))
    if not places or not _has_form(_without_notes(written)):
        return None
    names = dict.fromkeys(name for place in places for name in place.type_names)
    type_name = " or ".join(names)
    is_direct = _is_held(written) and not is_starred
    lead = places[0].lead if is_direct else "each one a handle"
    article = "an" if type_name[0].lower() in "aeiou" else "a"
    words = f"{lead}: the name of {article} {type_name}"
    return LiveHint(hint=written, type_name=type_name, words=words)


def _has_form(hint: Any) -> bool:  # Any: a type form, of which Python has no type
    try:
        TypeAdapter[Any](hint).json_schema()
    except NO_FORM:
        return False
    return True


def _without_notes(hint: Any) -> Any:
    """Without what only a parameter can say, e.g. an alias: pydantic warns of it elsewhere."""
    if get_origin(hint) is not Annotated:
        return hint
    plain, *notes = get_args(hint)
    return next((Annotated[plain, one] for one in notes if isinstance(one, _Held)), plain)


@dataclass(frozen=True, slots=True)
class _Held:
    """Stands in a hint for classes: takes the name of an object and gives the object."""

    classes: tuple[Any, ...]
    others: Any = None
    """What else the parameter may be; `None` for nothing."""

    @property
    def type_names(self) -> tuple[str, ...]:
        return tuple(one.__name__ for one in self.classes)

    @property
    def lead(self) -> str:
        """How to begin, depending on what else may be written."""
        return "a handle" if self.others in {None, types.NoneType} else "or a handle"

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        if self.others is None:
            return with_info_plain_validator_function(self._object)
        return with_info_wrap_validator_function(
            self._object_or_other, handler.generate_schema(self.others)
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        name: dict[str, Any] = {"type": "string"}
        if self.others is None:
            return name
        other = handler(cast("Any", schema)["schema"])
        branches = other["anyOf"] if set(other) == {"anyOf"} else [other]
        others = [one for one in branches if one != name]
        return {"anyOf": [name, *others]} if others else name

    def _object(self, name: object, info: ValidationInfo) -> object:
        if not isinstance(name, str):
            raise PydanticCustomError("handle", "This must be the name of an object.")
        handles = cast("Handles", info.context)
        try:
            found = handles.find(name, fits=self._fits)
        except ToolError as error:
            raise _not_held(str(error)) from error
        if self._fits(found):
            return found
        fitting = [repr(one) for one, value in handles.items() if self._fits(value)]
        hint = f" What fits: {', '.join(fitting)}." if fitting else " There is none that fits."
        wanted = " or ".join(self.type_names)
        raise _not_held(f"{name!r} is of type {type(found).__name__}, not {wanted}.{hint}")

    def _object_or_other(
        self, value: object, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> object:
        try:
            return self._object(value, info)
        except PydanticCustomError as error:
            try:
                return handler(value)
            except ValidationError:
                if isinstance(value, str):
                    raise error from None
                raise

    def _fits(self, value: object) -> bool:
        return any(_is_instance(value, one) for one in self.classes)


def _not_held(text: str) -> PydanticCustomError:
    return PydanticCustomError("handle", "{text}", {"text": text})


def _is_instance(value: object, cls: Any) -> bool:  # Any: what stands behind a hint
    try:
        return isinstance(value, cls)
    except TypeError:  # a protocol that cannot be checked
        return True


def _written(hint: Any) -> Any:  # Any: a type form, of which Python has no type
    """The hint with `_Held` in place of each class without JSON form."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[(_written(inner[0]), *inner[1:])]
    if is_union(hint):
        return _written_union(inner)
    if _has_form(hint):
        return hint
    if origin is not None and origin is not Literal and _is_class(origin):
        rebuilt = _rebuilt(hint, inner)
        return rebuilt if rebuilt is not None else _held((origin,))
    return _held((hint,)) if _is_class(hint) else hint


def _written_union(inner: tuple[Any, ...]) -> Any:
    written = [_written(one) for one in inner]
    classes = [cls for one in written if _is_held(one) for cls in get_args(one)[1].classes]
    others = tuple(one for one in written if not _is_held(one))
    rest = Union[others] if others else None  # noqa: UP007  not every type form knows `|`
    return _held(tuple(dict.fromkeys(classes)), rest) if classes else rest


def _rebuilt(hint: Any, inner: tuple[Any, ...]) -> Any:
    """The container with names inside; `None` where that is no JSON either."""
    if any(isinstance(one, list) for one in inner):  # what a `Callable` takes
        return None
    written = tuple(one if one is Ellipsis else _written(one) for one in inner)
    rebuilt = with_arguments(hint, written)
    return rebuilt if rebuilt is not hint and _has_form(rebuilt) else None


def _is_class(value: object) -> bool:
    return isinstance(value, type)


def _held(classes: tuple[Any, ...], others: Any = None) -> Any:
    return Annotated[Any, _Held(classes, others)]


def _is_held(hint: object) -> bool:
    return get_origin(hint) is Annotated and isinstance(get_args(hint)[1], _Held)


def _places(hint: object) -> Iterator[_Held]:
    for one in get_args(hint):
        if isinstance(one, _Held):
            yield one
            yield from _places(one.others)
        yield from _places(one)


class _AnyOrName:
    """Takes anything; a text that is exactly the name of an object stands for the object."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return with_info_before_validator_function(_object_of_name, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"description": ANY_OR_NAME, **handler(schema)}


def _object_of_name(value: object, info: ValidationInfo) -> object:
    return cast("Handles", info.context).get(value, value) if isinstance(value, str) else value


UNHINTED: Any = Annotated[Any, _AnyOrName()]
"""What stands for the hint of a parameter that has none."""
