"""From a model's arguments to the Python call: validated objects, each in its place."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_core import ErrorDetails, to_json

from nbagents.errors import did_you_mean
from nbagents.results import FieldIssue
from nbagents.tools.json_schema import fitted, null_dropper

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.tools.context import Context

Issues: TypeAlias = tuple[FieldIssue, ...]

MAX_SHOWN_INPUT = 60
UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
"""What pydantic says of a key that a model or a TypedDict does not know, and a dataclass."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What to call a function with."""

    args: list[Any]  # Any: the validated objects, of whatever type the hints name
    kwargs: dict[str, Any]
    named: object = None
    """The same by the names that a model knows, with what is taken where nothing was given: a
    mapping, or an object that has them as its fields."""
    given: frozenset[str] | None = None
    """Those of the names for which the call gives a value; `None`: those that it writes."""
    stars: frozenset[str] = frozenset()
    """Those that take whatever else is given; of them there is no default to be told."""

    def for_context(self, was: Context, now: Context) -> Bound:
        """The same call with another context in the place of the one that it was bound with."""
        if not any(one is was for one in (*self.args, *self.kwargs.values())):
            return self
        args = [now if one is was else one for one in self.args]
        kwargs = {name: now if one is was else one for name, one in self.kwargs.items()}
        return replace(self, args=args, kwargs=kwargs)


class Schema(Protocol):
    """What a tool takes: how a model sees it, and how its arguments become a call."""

    @property
    def description(self) -> str:
        """What the tool does, where its author wrote nothing else."""
        ...

    @property
    def parameters(self) -> dict[str, JsonValue]:
        """A JSON Schema of type object, as the types say it: not yet strict."""
        ...

    @property
    def handles(self) -> Mapping[str, str]:
        """The parameters that take the name of a live object, and what type it is."""
        ...

    def bind(self, arguments: JsonValue, context: Context) -> Bound | Issues:
        """The call that the arguments ask for, or what does not fit."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Where one value goes."""

    field: str
    """The field of the arguments' model; empty for the context."""
    name: str
    """The parameter of the function."""
    kind: inspect._ParameterKind  # pyright: ignore[reportPrivateUsage]  the only name that typeshed has for it
    default: Any = inspect.Parameter.empty
    """What Python itself would take where none is given, so that its identity is kept."""


@dataclass(frozen=True, kw_only=True)
class Binder:
    """Validates arguments by a pydantic model and puts them in the places of a signature."""

    model: type[BaseModel]
    parameters: dict[str, JsonValue]
    """The schema that the model is given."""
    slots: tuple[Slot, ...]
    strict: bool
    """Whether the model may see the schema by strict rules, so that `null` means "not given"."""
    is_closed: bool
    """Whether unknown keys are refused at every depth: else each type goes by its own rule."""
    names: tuple[str, ...]
    """The parameters as the model knows them, to say which name may be meant."""

    @cached_property
    def is_positional(self) -> bool:
        """Whether arguments before the stars must be given by position."""
        return any(slot.kind is inspect.Parameter.VAR_POSITIONAL for slot in self.slots)

    @cached_property
    def drop_nulls(self) -> Callable[[JsonValue], JsonValue]:
        """Takes out the nulls that mean "not given"."""
        return null_dropper(self.parameters) or (lambda value: value)

    def bind(self, arguments: JsonValue, context: Context) -> Bound | Issues:
        """The call that the arguments ask for, or what does not fit."""
        written = to_json(arguments)
        if self.strict and b"null" in written:
            written = to_json(self.drop_nulls(arguments))
        try:
            valid = self._validated(written, context)
        except ValidationError as error:
            # pydantic knows "7" for 7, but no list inside of a string, and the nulls that mean
            # nothing differ by the member of a union that is meant.
            fitting, _ = fitted(arguments, self.parameters, drop_nulls=self.strict)
            if fitting is arguments:
                return self._issues(error)
            try:
                valid = self._validated(to_json(fitting), context)
            except ValidationError as second:
                return self._issues(second)
        return self._placed(valid.__dict__, valid.__pydantic_fields_set__, context)

    def _validated(self, written: bytes, context: Context) -> BaseModel:
        # As JSON, not as Python objects: only so do strict types take "2026-01-01" for a date.
        return self.model.__pydantic_validator__.validate_json(
            written, context=context.handles, extra="forbid" if self.is_closed else None
        )

    def _issues(self, error: ValidationError) -> Issues:
        found = error.errors(include_url=False, include_context=False)
        return tuple(_issue(one, self.names) for one in found)

    def _placed(
        self, values: Mapping[str, Any], given: set[str], context: Context
    ) -> Bound | Issues:
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        named: list[Any] = []
        for slot in self.slots:
            value = _value(slot, values, given, context)
            if slot.field:
                named.append(value)
            if slot.kind is inspect.Parameter.VAR_KEYWORD:
                if clashes := self._clashes(value):
                    return clashes
                kwargs.update(value)
            elif slot.kind is inspect.Parameter.VAR_POSITIONAL:
                args.extend(value)
            elif slot.kind is inspect.Parameter.POSITIONAL_ONLY or (
                self.is_positional and slot.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
            ):
                args.append(value)
            else:
                kwargs[slot.name] = value
        whole = dict(zip(self.names, named, strict=True))
        return Bound(args, kwargs, whole, self._given_names(values, given), self._stars)

    @cached_property
    def _stars(self) -> frozenset[str]:
        several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return frozenset(name for slot, name in self._named if slot.kind in several)

    def _given_names(self, values: Mapping[str, Any], given: set[str]) -> frozenset[str]:
        """What a call gives: neither a default nor, in its place, a `null` that is the default."""
        return frozenset(
            [
                name
                for slot, name in self._named
                if slot.field in given and not (values[slot.field] is None and slot.default is None)
            ]
        )

    @cached_property
    def _named(self) -> tuple[tuple[Slot, str], ...]:
        """The slots of what a model gives, by the names that it knows."""
        named = [slot for slot in self.slots if slot.field]
        return tuple(zip(named, self.names, strict=True))

    def _clashes(self, free: Mapping[str, object]) -> Issues:
        """Free keywords that are parameters, perhaps the hidden one."""
        taken = {slot.name for slot in self.slots}
        return tuple(
            FieldIssue(field=name, constraint="extra_forbidden", message="This name is taken.")
            for name in free
            if name in taken
        )


def _value(slot: Slot, values: Mapping[str, Any], given: set[str], context: Context) -> Any:
    if not slot.field:
        return context
    if slot.field in given or slot.default is inspect.Parameter.empty:
        return values[slot.field]
    return slot.default


def _issue(error: ErrorDetails, names: Sequence[str]) -> FieldIssue:
    path = ".".join(str(part) for part in error["loc"])
    constraint = "extra_forbidden" if error["type"] in UNKNOWN else error["type"]
    return FieldIssue(field=path, constraint=constraint, message=_message(error, path, names))


def _message(error: ErrorDetails, path: str, names: Sequence[str]) -> str:
    if error["type"] == "missing":
        return "This is required."
    if error["type"] == "handle":
        return error["msg"]
    if error["type"] in UNKNOWN:
        if len(error["loc"]) == 1:
            return f"There is no such parameter.{did_you_mean(path, names)}"
        return "There is no such field."
    shown = repr(error["input"])
    if len(shown) > MAX_SHOWN_INPUT:
        shown = shown[:MAX_SHOWN_INPUT] + "…"
    return f"{error['msg']}; given: {shown}"
