"""Reads functions as tools do, for the tests of schemas."""

from __future__ import annotations

from typing import Any

from pydantic import JsonValue

from nbagents.tools.context.context import Context
from nbagents.tools.schema.binding import Bound
from nbagents.tools.schema.function_parameters import FunctionSchema, function_schema

CTX = Context()


def schema_of(function: Any, **options: Any) -> FunctionSchema:
    return function_schema(function, "example", **options)


def properties(function: Any, **options: Any) -> dict[str, Any]:
    found: Any = schema_of(function, **options).parameters["properties"]
    return found


def call(function: Any, arguments: JsonValue) -> Any:
    """What the function gives for the arguments of a model."""
    bound = schema_of(function).bind(arguments, CTX)
    assert isinstance(bound, Bound), bound
    return function(*bound.args, **bound.kwargs)


def issues(function: Any, arguments: JsonValue) -> dict[str, str]:
    found = schema_of(function).bind(arguments, CTX)
    assert isinstance(found, tuple)
    return {one.field: one.constraint for one in found}
