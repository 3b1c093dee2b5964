"""A tool's parameters as a JSON Schema that came from elsewhere, with a handler for the call."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from pydantic_core import from_json, to_json

from nbagents.errors import ToolDefinitionError
from nbagents.results import FieldIssue
from nbagents.tools.binding import Bound, Issues
from nbagents.tools.nulls import null_dropper
from nbagents.tools.schema_check import check_json
from nbagents.tools.signature import read_signature

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import JsonValue

    from nbagents.tools.context import Context

__all__ = ["RawSchema", "raw_schema"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawSchema:
    """A schema as it was given; the handler takes the arguments as one dictionary."""

    description: str
    parameters: dict[str, JsonValue]
    context_name: str | None
    """The handler's parameter for the context, if it has one."""
    drop_nulls: Callable[[JsonValue], JsonValue] | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "drop_nulls", null_dropper(self.parameters))

    def bind(self, arguments: JsonValue, context: Context) -> Bound | Issues:
        """The handler's call, or what does not fit the schema."""
        if self.drop_nulls is not None:
            arguments = self.drop_nulls(arguments)
        if not isinstance(arguments, dict):
            return (FieldIssue(field="", constraint="type", message="This must be an object."),)
        issues = tuple(check_json(arguments, self.parameters, self.parameters))
        if issues:
            return issues
        hidden: dict[str, object] = {self.context_name: context} if self.context_name else {}
        return Bound([arguments], hidden)


def raw_schema(
    name: str,
    description: str,
    parameters: Mapping[str, object],
    handler: Callable[..., object],
) -> RawSchema:
    """Take a JSON Schema as it is.

    Raises:
        ToolDefinitionError: It is no JSON, or describes no object.
    """
    try:
        # A copy through JSON: nobody can change it later, and it is what a provider would get.
        copied = cast("object", from_json(to_json(dict(parameters))))
    except (TypeError, ValueError) as error:
        raise ToolDefinitionError(f"The schema of tool {name!r} is no JSON: {error}") from error
    schema = cast("dict[str, JsonValue]", copied)
    if schema.setdefault("type", "object") != "object":
        raise ToolDefinitionError(
            f"The schema of tool {name!r} must be of type 'object', not {schema['type']!r}: "
            "a call's arguments have names."
        )
    schema.setdefault("properties", {})
    return RawSchema(
        description=description,
        parameters=schema,
        context_name=_context_name(handler, name),
    )


def _context_name(handler: Callable[..., object], name: str) -> str | None:
    try:
        inspect.signature(handler)
    except (TypeError, ValueError):
        return None
    hidden = [one.name for one in read_signature(handler, name, {}) if one.hidden]
    return hidden[0] if hidden else None
