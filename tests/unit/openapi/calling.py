"""Documents in a few words, and calls of their operations as a model makes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from nbagents.agents import Agent
from nbagents.messages import CallRequest
from nbagents.models.scripted import ScriptedModel
from nbagents.openapi import OpenAPI
from nbagents.results import Bounds
from nbagents.runs.state import Run
from nbagents.runs.wording import Call
from nbagents.tools.tool import Tool

__all__ = ["Json", "bounds_of", "call", "document", "operation", "parameter", "run"]

Json: TypeAlias = dict[str, Any]  # Any: a document


def document(paths: Json, **rest: Any) -> Json:
    return {"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": paths, **rest}


def operation(*parameters: Json, body: Json | None = None, **rest: Any) -> Json:
    """An operation; `body` has schemas by media type."""
    made: Json = {"responses": {"200": {"description": "ok"}}, **rest}
    if parameters:
        made["parameters"] = list(parameters)
    if body is not None:
        content = {name: {"schema": schema} for name, schema in body.items()}
        made["requestBody"] = {"content": content}
    return made


def parameter(name: str, place: str, schema: Any = None, **rest: Any) -> Json:
    shape = {"type": "string"} if schema is None else schema
    made = {"name": name, "in": place, "schema": shape, **rest}
    return {**made, "required": True} if place == "path" else made


def bounds_of(run: Run) -> Bounds | None:
    """How much of all there is a run's call has given."""
    (ended,) = [one for one in run.events if one.type == "tool_end"]
    return ended.bounds


def call(api: OpenAPI | Tool, arguments: Mapping[str, Any] | None = None, **options: Any) -> Call:
    """One call, made by an agent: of a tool, or of the only tool that there is."""
    (made,) = run(api, arguments, **options).calls
    return made


def run(api: OpenAPI | Tool, arguments: Mapping[str, Any] | None = None, **options: Any) -> Run:
    """A run of one call."""
    tool = api if isinstance(api, Tool) else api.tools()[0]
    request = CallRequest(id="call-0", name=tool.name, arguments=json.dumps(arguments or {}))
    model = ScriptedModel([[request], "done"])
    return Agent(model=model, tools=[tool], approval="auto").run("Go.", log="memory", **options)
