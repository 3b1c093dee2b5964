"""What of a parameter may mislead: no type, a name that says nothing, a number without a unit."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, get_args

from nbagents.narrowing import dict_of
from nbagents.tools.lint.finding import LintFinding
from nbagents.tools.lint.words import has_unit, is_vague, needs_unit
from nbagents.tools.schema import ANY_OR_NAME, UNHINTED, FunctionSchema, read_signature

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.tools.lint.linted import Linted
    from nbagents.tools.schema import Parameter

NUMBERS: Final = frozenset({"integer", "number"})


def parameter_findings(tool: Linted) -> Iterator[LintFinding]:
    """What of its parameters may mislead."""
    schema = tool.schema
    properties = dict_of(schema.parameters.get("properties"))
    is_function = isinstance(schema, FunctionSchema)
    written = {one.name: one for one in signature_of(tool)} if is_function else {}
    for name, one in properties.items():
        is_untyped = name in written and _is_untyped(written[name].hint)
        if is_untyped:
            yield LintFinding(
                tool=tool.name,
                rule="no-type",
                what=f"{name} has no type hint: a model may write anything.",
                remedy=f"Write the type, e.g. {name}: str.",
                parameter=name,
            )
        elif name not in schema.handles:
            yield from _said_of(tool, name, one)
        if name in written and _is_unwritable(written[name], one):
            yield LintFinding(
                tool=tool.name,
                rule="default-not-json",
                what=f"The default of {name} cannot be written as JSON: a model is not told of it.",
                remedy="Take None as the default, and say in the docstring what that means.",
                parameter=name,
            )


def signature_of(tool: Linted) -> tuple[Parameter, ...]:
    """The parameters as its function has them, but for those that no model sees."""
    found = read_signature(tool.function, tool.name, tool.local_names)
    return tuple(one for one in found if not one.hidden)


def _is_untyped(hint: Any) -> bool:  # Any: a type form, of which Python has no type
    return hint is UNHINTED or any(one is UNHINTED for one in get_args(hint))


def _said_of(tool: Linted, name: str, schema: Mapping[str, Any]) -> Iterator[LintFinding]:
    described = str(schema.get("description", "")).replace(ANY_OR_NAME, "").strip()
    kinds = _kinds(schema)
    is_number = bool(kinds) and kinds <= NUMBERS
    if not described and is_vague(name, is_number=is_number) and not _is_told(name, tool):
        yield LintFinding(
            tool=tool.name,
            rule="no-description",
            what=f"Nothing says what {name} is, and its name does not.",
            remedy="Describe it below Args: in the docstring, or name it for what goes in.",
            parameter=name,
        )
    elif not described and _is_shapeless(schema) and not _is_told(name, tool):
        yield LintFinding(
            tool=tool.name,
            rule="no-shape",
            what=f"{name} is a {_shape(schema)} of anything: a model must guess what goes in.",
            remedy="Say what is in it by its type, e.g. list[str] or a TypedDict, or describe it.",
            parameter=name,
        )
    if is_number and needs_unit(name) and not has_unit(f"{described} {tool.description}"):
        yield LintFinding(
            tool=tool.name,
            rule="no-unit",
            what=f"{name} is a number without a unit.",
            remedy=f"Name the unit, e.g. {name}_s or {name}_km, or say it in the docstring.",
            parameter=name,
        )


def _is_told(name: str, tool: Linted) -> bool:
    """Whether the description of the tool speaks of the parameter."""
    return f"`{name}`" in tool.description or f" {name} " in f" {tool.description} "


def _kinds(schema: Mapping[str, Any]) -> frozenset[str]:
    branches = schema.get("anyOf") or [schema]
    kinds: set[str] = set()
    for one in branches:
        given = one.get("type", "?")
        kinds |= {given} if isinstance(given, str) else set(given)
    return frozenset(kinds - {"null"})


def _is_shapeless(schema: Mapping[str, Any]) -> bool:
    kinds = _kinds(schema)
    branches: Sequence[Mapping[str, Any]] = schema.get("anyOf") or [schema]
    inner = next((one for one in branches if one.get("type") != "null"), schema)
    if kinds == frozenset({"object"}):
        extra = inner.get("additionalProperties", True)
        return not inner.get("properties") and extra in (True, {})
    if kinds != frozenset({"array"}) or "prefixItems" in inner:
        return False
    return inner.get("items", {}) in (True, {})


def _shape(schema: Mapping[str, Any]) -> str:
    return "dictionary" if "object" in _kinds(schema) else "list"


def _is_unwritable(written: Parameter, schema: Mapping[str, Any]) -> bool:
    """Whether a model is not told of a default that there is."""
    default = written.default
    if default is None or default is inspect.Parameter.empty or "default" in schema:
        return False
    if written.is_required or written.kind in {
        inspect.Parameter.VAR_POSITIONAL,
        inspect.Parameter.VAR_KEYWORD,
    }:
        return False
    try:
        json.dumps(default)
    except (TypeError, ValueError):
        return not type(default).__module__.startswith("pydantic")
    return False
