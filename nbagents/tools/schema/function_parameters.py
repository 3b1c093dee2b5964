"""From a function to the JSON Schema that a model sees, and to the call that its answer means."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, Unpack, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model
from pydantic.fields import FieldInfo
from pydantic_core import from_json, to_json

from nbagents.errors import ToolDefinitionError
from nbagents.narrowing import dict_of
from nbagents.tools.context import docstring_of
from nbagents.tools.schema.binding import Binder, Bound, Issues, Slot
from nbagents.tools.schema.docstring import DocstringStyle, DocText, read_docstring
from nbagents.tools.schema.live_hints import NO_FORM, LiveHint, live_hint
from nbagents.tools.schema.schema_writer import written_schema
from nbagents.tools.schema.signature import NO_DEFAULT, Parameter, read_signature

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.tools.context import Context

EMPTY: dict[object, object] = {
    inspect.Parameter.VAR_POSITIONAL: (),
    inspect.Parameter.VAR_KEYWORD: MappingProxyType({}),
}
"""What stars take where a call gives nothing for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionSchema:
    """What a function takes, as a model sees it and as a call needs it."""

    description: str
    parameters: dict[str, JsonValue]
    binder: Binder
    handles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The parameters that take the name of a live object, and what type it is."""

    def bind(self, arguments: JsonValue, context: Context) -> Bound | Issues:
        """The call that the arguments ask for, or what does not fit."""
        return self.binder.bind(arguments, context)


def function_schema(
    function: Callable[..., object],
    name: str,
    *,
    use_docstring: bool = True,
    docstring_style: DocstringStyle = "auto",
    local_names: Mapping[str, object] | None = None,
    strict: bool = True,
) -> FunctionSchema:
    """Read a function: its signature, its hints and its docstring.

    Args:
        function: Anything callable that has a signature.
        name: The tool's name.
        use_docstring: Whether descriptions are taken from the docstring.
        docstring_style: How the docstring is written.
        local_names: Names of the place where the function was defined.
        strict: Whether a model may see it by strict rules, so that `null` means "not given".

    Raises:
        ToolDefinitionError: A hint does not resolve, or has no JSON form.
    """
    found = read_signature(function, name, local_names or {})
    text = read_docstring(docstring_of(function), docstring_style) if use_docstring else DocText()
    visible = [one for one in found if not one.hidden]
    read = argument_model(name, visible, text.parameters)
    binder = Binder(
        model=read.model,
        parameters=read.parameters,
        strict=strict,
        is_closed=read.is_closed,
        slots=tuple(_slot(one, read.fields.get(one.name, "")) for one in found),
        names=tuple(dict_of(read.parameters["properties"])),
    )
    return FunctionSchema(
        description=text.description,
        parameters=read.parameters,
        binder=binder,
        handles={name: live.type_name for name, live in read.live.items()},
    )


def _slot(one: Parameter, field: str) -> Slot:
    default = NO_DEFAULT if isinstance(one.default, FieldInfo) else one.default
    return Slot(field=field, name=one.name, kind=one.kind, default=EMPTY.get(one.kind, default))


Schema: TypeAlias = dict[str, JsonValue]
STARS = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
NOWHERE = "nbagents.arguments"
"""No module, because hints are resolved: pydantic would look through its names for each field."""
CONFIG = ConfigDict(extra="forbid", protected_namespaces=())


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentModel:
    """How the arguments are validated, and how a model sees them."""

    model: type[BaseModel]
    parameters: Schema
    fields: dict[str, str]
    """The model's field for each parameter."""
    live: Mapping[str, LiveHint]
    """The parameters that take names of live objects."""
    is_closed: bool
    """Whether unknown keys are refused at every depth: else each type goes by its own rule."""


def argument_model(
    tool: str, visible: Sequence[Parameter], descriptions: Mapping[str, str]
) -> ArgumentModel:
    """Read the parameters that a model gives.

    Args:
        tool: The tool's name.
        visible: The parameters, without the context.
        descriptions: What the docstring says of them, by name.

    Raises:
        ToolDefinitionError: A hint has no JSON form, and there is no object that it could name.
    """
    live: dict[str, LiveHint] = {}
    try:
        model, parameters, is_closed = _built(tool, visible)
    except Exception as error:  # a type may bring its own code, which may raise anything
        live = _live_hints(tool, visible)
        if not live:
            raise _unreadable(tool, error) from error
        visible = [_with_names(one, live.get(one.name)) for one in visible]
        try:
            model, parameters, is_closed = _built(tool, visible)
        except Exception as second:
            raise _unreadable(tool, second) from second
    fields = dict(zip((one.name for one in visible), model.model_fields, strict=True))
    for one, info in zip(visible, model.model_fields.values(), strict=True):
        written = dict_of(parameters["properties"])[info.alias or one.name]
        _describe(written, one, descriptions.get(one.name), live.get(one.name))
        _write_default(written, one)
    return ArgumentModel(
        model=model, parameters=parameters, fields=fields, live=live, is_closed=is_closed
    )


def _built(tool: str, visible: Sequence[Parameter]) -> tuple[type[BaseModel], Schema, bool]:
    fields = _fields(visible)
    model = create_model(f"{tool}_args", __config__=CONFIG, __module__=NOWHERE, **fields)
    written, has_own_rule = written_schema(model)
    written.pop("title", None)
    for label, definition in dict_of(written.get("$defs")).items():
        if definition.get("title") == label:
            del definition["title"]  # the label says it already
    written.setdefault("properties", {})
    return model, written, not has_own_rule


def _fields(visible: Sequence[Parameter]) -> dict[str, Any]:  # Any: definitions of create_model
    """Each hint and whether it is required, under names that pydantic does not keep for itself."""
    aliases = [_own_alias(one) for one in visible]
    if not any(aliases) and all(_is_free(one.name) for one in visible):
        return {one.name: _definition(one, _starred(one)) for one in visible}
    fields: dict[str, Any] = {}
    for number, (one, own_alias) in enumerate(zip(visible, aliases, strict=True)):
        alias = own_alias or one.name
        about = Field(alias=alias, validation_alias=alias)
        fields[f"p{number}"] = _definition(one, Annotated[_starred(one), about])
    return fields


def _is_free(name: str) -> bool:
    return not name.startswith("_") and not hasattr(BaseModel, name)


def _definition(one: Parameter, hint: Any) -> Any:  # Any: a definition of create_model
    if isinstance(one.default, FieldInfo):
        return Annotated[hint, one.default]
    if one.is_required or any(not extra.is_required() for extra in _field_extras(hint)):
        return hint
    # Not the default itself, which pydantic would copy: where none is given, the function's counts.
    return hint, None


def _field_extras(hint: object) -> list[FieldInfo]:
    extras = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return [one for one in extras if isinstance(one, FieldInfo)]


def _own_alias(one: Parameter) -> str | None:
    infos = _field_extras(one.hint)
    if isinstance(one.default, FieldInfo):
        infos.append(one.default)
    return next((info.alias for info in reversed(infos) if info.alias), None)


def _starred(one: Parameter) -> Any:  # Any: a type form
    """`*args: T` is a list of T, `**kwargs: T` an object of T.

    Source: openai/openai-agents-python, function schema: `*args: tuple[T, ...]` is a list of T too,
    and `**kwargs: dict[K, V]` is that dictionary.
    """
    inner, origin = one.hint, get_origin(one.hint)
    if one.kind is inspect.Parameter.VAR_POSITIONAL:
        if origin is tuple and get_args(inner)[1:] == (...,):
            inner = get_args(inner)[0]
        return list[inner]
    if one.kind is inspect.Parameter.VAR_KEYWORD:
        if origin is Unpack:
            return get_args(inner)[0]
        return inner if origin is dict else dict[str, inner]
    return inner


def _live_hints(tool: str, visible: Sequence[Parameter]) -> dict[str, LiveHint]:
    """The parameters whose hints no JSON can carry, with what a model writes instead."""
    found: dict[str, LiveHint] = {}
    for one in visible:
        try:
            _built(tool, [one])
        except NO_FORM as error:
            live = live_hint(one.hint, is_starred=one.kind in STARS)
            if live is None:
                raise _no_form(tool, one, error) from error
            found[one.name] = live
        except Exception as error:
            raise _no_form(tool, one, error) from error
    return found


def _with_names(one: Parameter, live: LiveHint | None) -> Parameter:
    return one if live is None else replace(one, hint=live.hint)


def _no_form(tool: str, one: Parameter, error: Exception) -> ToolDefinitionError:
    first_line = str(error).partition("\n")[0]
    return ToolDefinitionError(
        f"Parameter {one.name!r} of tool {tool!r} has the type {one.hint!r}, which a model cannot "
        f"write as JSON: {first_line.rstrip('.')}. Take a type that JSON can carry (str, int, "
        "float, bool, list, dict, date, Enum, dataclass, pydantic model, …), or a class, whose "
        "objects a model passes by name."
    )


def _unreadable(tool: str, error: Exception) -> ToolDefinitionError:
    return ToolDefinitionError(f"Tool {tool!r} cannot be read by pydantic: {error}")


def _describe(
    written: Schema, one: Parameter, documented: str | None, live: LiveHint | None
) -> None:
    """The docstring comes first, then the text in `Annotated`, then what `Field` says."""
    extras = get_args(one.hint)[1:] if get_origin(one.hint) is Annotated else ()
    words = documented or next((extra for extra in extras if isinstance(extra, str)), None)
    if live is not None:
        said = words or written.get("description")
        words = f"{said} ({live.words})" if said else live.words
    if words:
        written["description"] = words


def _write_default(written: Schema, one: Parameter) -> None:
    """Say a default that has a JSON form; the empty rest of stars needs no words."""
    if isinstance(one.default, FieldInfo) or one.is_required:
        return
    written.pop("default", None)
    if one.default is NO_DEFAULT:
        return
    try:
        written["default"] = _as_json(one.default)
    except ValueError:
        return  # it can be used, but not told


def _as_json(value: Any) -> JsonValue:
    if value is None or type(value) in {str, int, bool}:
        return value
    if type(value) is float and isfinite(value):
        return value
    return from_json(to_json(value, inf_nan_mode="constants"), allow_inf_nan=False)
