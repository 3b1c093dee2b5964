"""A tool's parameters as a JSON Schema that came from elsewhere, with a handler for the call."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic_core import from_json, to_json

from nbagents.errors import ToolDefinitionError
from nbagents.results import FieldIssue
from nbagents.tools.json_schema import fault_of, fitted, json_schema_of
from nbagents.tools.schema.binding import Bound, Issues
from nbagents.tools.schema.signature import context_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import JsonValue

    from nbagents.tools.context import Context

OPENING = ("additionalProperties", "patternProperties", "$ref", "anyOf", "oneOf", "allOf")
"""What may let in parameters that the schema's own properties do not name."""
NAMELESS = ("propertyNames", "minProperties", "maxProperties", "required", "dependentSchemas", "if")
"""What speaks of parameters where no properties are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawSchema:
    """A schema as it was given; the handler takes the arguments as one dictionary."""

    description: str
    parameters: dict[str, JsonValue]
    context_name: str | None
    """The handler's parameter for the context, if it has one."""
    strict: bool = True
    """Whether models may see it by strict rules, so that `null` means "not given"."""

    @property
    def handles(self) -> Mapping[str, str]:
        """None: JSON cannot say that a parameter takes a live object."""
        return MappingProxyType({})

    def bind(self, arguments: JsonValue, context: Context) -> Bound | Issues:
        """The handler's call, or what does not fit the schema."""
        if not isinstance(arguments, dict):
            return (FieldIssue(field="", constraint="type", message="This must be an object."),)
        fitting, issues = fitted(arguments, self.parameters, drop_nulls=self.strict)
        if issues:
            return issues
        hidden: dict[str, object] = {self.context_name: context} if self.context_name else {}
        return Bound([fitting], hidden, fitting)


def raw_schema(
    name: str,
    description: str,
    parameters: Mapping[str, object],
    handler: Callable[..., object],
    *,
    strict: bool = True,
) -> RawSchema:
    """Take a JSON Schema, its types also by the names of other languages.

    Other parameters than its properties are refused, unless it says what they are: of nothing, as
    in `{}`, there are none.

    Raises:
        ToolDefinitionError: It is no JSON, is malformed, or describes no object; or one of its
            references leads nowhere.
    """
    try:
        # A copy through JSON: nobody can change it later, and it is what a provider would get.
        schema = json_schema_of(from_json(to_json(dict(parameters))))
    except (TypeError, ValueError) as error:
        raise _unreadable(name, error) from error
    if fault := fault_of(schema):
        raise _unreadable(name, fault)
    if schema.setdefault("type", "object") != "object":
        raise ToolDefinitionError(
            f"The schema of tool {name!r} must be of type 'object', not {schema['type']!r}: "
            "a call's arguments have names."
        )
    if not schema.keys() & set(OPENING):
        is_open = "properties" not in schema and bool(schema.keys() & set(NAMELESS))
        schema["additionalProperties"] = is_open
    schema.setdefault("properties", {})
    return RawSchema(
        description=description,
        parameters=schema,
        context_name=context_name(handler),
        strict=strict,
    )


def _unreadable(name: str, why: object) -> ToolDefinitionError:
    return ToolDefinitionError(f"The schema of tool {name!r} is no JSON Schema: {why}.")
