"""From a function to the JSON Schema that a model sees, and to the call that its answer means."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from pydantic import JsonValue
from pydantic.fields import FieldInfo

from nbagents.tools.argument_model import argument_model
from nbagents.tools.binding import Binder, Bound, Issues, Slot
from nbagents.tools.callables import docstring_of
from nbagents.tools.docstring import DocstringStyle, DocText, read_docstring
from nbagents.tools.signature import NO_DEFAULT, Parameter, read_signature

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.tools.context import Context

__all__ = ["FunctionSchema", "function_schema"]


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
        names=tuple(cast("dict[str, JsonValue]", read.parameters["properties"])),
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
