"""From a function to a pydantic model of its parameters, and to the JSON Schema for a model."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Unpack, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind
from pydantic_core import from_json, to_json

from nbagents.errors import ToolDefinitionError
from nbagents.tools.binding import Binder, Bound, Issues, Slot
from nbagents.tools.callables import docstring_of
from nbagents.tools.docstring import DocstringStyle, DocText, read_docstring
from nbagents.tools.nulls import null_dropper
from nbagents.tools.signature import NO_DEFAULT, Parameter, read_signature

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.tools.context import Context

__all__ = ["FunctionSchema", "function_schema"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionSchema:
    """What a function takes, as a model sees it and as a call needs it."""

    description: str
    parameters: dict[str, JsonValue]
    binder: Binder

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
) -> FunctionSchema:
    """Read a function: its signature, its hints and its docstring.

    Args:
        function: Anything callable that has a signature.
        name: The tool's name.
        use_docstring: Whether descriptions are taken from the docstring.
        docstring_style: How the docstring is written.
        local_names: Names of the place where the function was defined.

    Raises:
        ToolDefinitionError: A hint does not resolve, or has no JSON form.
    """
    found = read_signature(function, name, local_names or {})
    text = read_docstring(docstring_of(function), docstring_style) if use_docstring else DocText()
    visible = [one for one in found if not one.hidden]
    fields = {f"p{number}": _field(one, text) for number, one in enumerate(visible)}
    model = _model(name, fields, visible)
    parameters = _json_schema(model, name, fields, visible)
    _write_defaults(parameters, model, visible)
    numbers = iter(fields)
    slots = tuple(_slot(one, "" if one.hidden else next(numbers)) for one in found)
    binder = Binder(
        model=model,
        slots=slots,
        names=tuple(cast("dict[str, JsonValue]", parameters["properties"])),
        drop_nulls=null_dropper(parameters),
    )
    return FunctionSchema(description=text.description, parameters=parameters, binder=binder)


def _slot(one: Parameter, field: str) -> Slot:
    default = NO_DEFAULT if isinstance(one.default, FieldInfo) else one.default
    return Slot(field=field, name=one.name, kind=one.kind, default=default)


def _field(one: Parameter, text: DocText) -> Any:  # Any: a field definition of create_model
    """The hint with everything that is known of the parameter, under an alias.

    The fields of the model have names of our own, because a parameter may be called `json`, `copy`
    or `_x`, which pydantic keeps for itself.
    """
    hint = _starred(one)
    extras = list(get_args(hint)[1:]) if get_origin(hint) is Annotated else []
    if isinstance(one.default, FieldInfo):
        hint = Annotated[hint, one.default]
        extras.append(one.default)
    alias = _own_alias(extras) or one.name
    words = text.parameters.get(one.name) or next((x for x in extras if isinstance(x, str)), None)
    about: dict[str, Any] = {"alias": alias, "validation_alias": alias}
    if words:
        about["description"] = words
    if not one.is_required and not isinstance(one.default, FieldInfo):
        # A factory: pydantic neither copies nor describes it; the function's own default counts.
        about["default_factory"] = _default_factory(one)
    return Annotated[hint, Field(**about)]


def _default_factory(one: Parameter) -> Callable[[], object]:
    if one.kind is inspect.Parameter.VAR_POSITIONAL:
        return list
    if one.kind is inspect.Parameter.VAR_KEYWORD:
        return dict
    return lambda: one.default


def _own_alias(extras: list[object]) -> str | None:
    named = [one.alias for one in extras if isinstance(one, FieldInfo) and one.alias]
    return named[-1] if named else None


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


def _model(name: str, fields: Mapping[str, Any], visible: list[Parameter]) -> type[BaseModel]:
    config = ConfigDict(extra="forbid", protected_namespaces=())
    try:
        return create_model(f"{name}_args", __config__=config, **fields)
    except Exception as error:  # a type may bring its own code, which may raise anything
        if len(fields) == 1:
            raise _no_form(name, visible[0], error) from error
        for (field, definition), one in zip(fields.items(), visible, strict=True):
            _model(name, {field: definition}, [one])
        raise ToolDefinitionError(f"Tool {name!r} cannot be read by pydantic: {error}") from error


def _json_schema(
    model: type[BaseModel], name: str, fields: Mapping[str, Any], visible: list[Parameter]
) -> dict[str, JsonValue]:
    try:
        written = model.model_json_schema(schema_generator=_SchemaWriter)
    except Exception as error:
        if len(fields) <= 1:
            raise _no_form(name, visible[0], error) from error
        for (field, definition), one in zip(fields.items(), visible, strict=True):
            _json_schema(_model(name, {field: definition}, [one]), name, {field: definition}, [one])
        raise ToolDefinitionError(f"Tool {name!r} has no JSON Schema: {error}") from error
    del written["title"]
    for label, definition in cast("dict[str, dict[str, Any]]", written.get("$defs", {})).items():
        if definition.get("title") == label:
            del definition["title"]  # the label says it already
    written.setdefault("properties", {})
    return written


def _no_form(name: str, one: Parameter, error: Exception) -> ToolDefinitionError:
    first_line = str(error).partition("\n")[0]
    return ToolDefinitionError(
        f"Parameter {one.name!r} of tool {name!r} has the type {one.hint!r}, which a model cannot "
        f"write as JSON: {first_line.rstrip('.')}. Take a type that JSON can carry (str, int, "
        "float, bool, list, dict, date, Enum, dataclass, pydantic model, …), or read the object "
        "from a variable inside of the tool."
    )


def _write_defaults(
    parameters: dict[str, JsonValue], model: type[BaseModel], visible: list[Parameter]
) -> None:
    """Say each default that has a JSON form; `None` and the empty rest of stars need no words."""
    properties = cast("dict[str, dict[str, JsonValue]]", parameters["properties"])
    for info, one in zip(model.model_fields.values(), visible, strict=True):
        if one.is_required or isinstance(one.default, FieldInfo) or one.default is NO_DEFAULT:
            continue
        try:
            written = from_json(to_json(one.default, inf_nan_mode="constants"), allow_inf_nan=False)
        except ValueError:
            continue  # it can be used, but not told
        properties[info.alias or one.name]["default"] = written


class _SchemaWriter(GenerateJsonSchema):
    """pydantic's writer without titles made from names, which cost tokens and say nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  pydantic's name and type
        """Never: the name says it already."""
        return False

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """Say nothing: a default without JSON form is simply not told."""
