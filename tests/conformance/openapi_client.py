"""The client that the judge of the OpenAPI cases calls: each case is a model's call of one tool.

It builds no request: arguments are named by the operation, written as a model would write them, and
the agent runs them.
"""

from __future__ import annotations

import functools
import json
from typing import Any, TypeAlias, cast

from nbagents.agents import Agent
from nbagents.messages import CallRequest
from nbagents.models.scripted import ScriptedModel
from nbagents.openapi import OpenAPI
from nbagents.runs.state import Run

__all__ = ["Case", "agent_run", "execute"]

Case: TypeAlias = dict[str, Any]  # Any: JSON as it lies there


def execute(case: Case, document_path: str, base_url: str) -> Run:
    """Make the request of a case by a model's call.

    Args:
        case: Operation, arguments and credentials, as the data has them.
        document_path: The document.
        base_url: Where to send it.
    """
    run = agent_run(case, document_path, base_url)
    (call,) = run.calls
    if call.failure is not None and " answered " not in call.failure.message:
        raise AssertionError(call.failure.message)  # what the server says is the judge's to judge
    return run


def agent_run(case: Case, document_path: str, base_url: str) -> Run:
    """The run of an agent that is told to make the call."""
    api = _api(document_path, base_url, json.dumps(_credentials(case.get("auth") or {})))
    tool = api.operation(case["method"], case["path"])
    given = {name: _as_written(value) for name, value in case["args"].items()}
    arguments = api.operation_of(case["method"], case["path"]).arguments(**given)
    request = CallRequest(id="call-0", name=tool.name, arguments=json.dumps(arguments))
    model = ScriptedModel([[request], "done"])
    agent = Agent(model=model, tools=[tool], approval="auto")
    return agent.run("Make the call.", log="memory")


@functools.lru_cache(maxsize=64)
def _api(document_path: str, base_url: str, auth: str) -> OpenAPI:
    return OpenAPI(document_path, base_url=base_url, auth=json.loads(auth))


def _credentials(auth: Case) -> dict[str, Any]:
    return {name: _credential(one) for name, one in auth.items()}


def _credential(given: Case) -> Any:
    if given["type"] == "basic":
        return given["username"], given["password"]
    return given["token"] if given["type"] == "bearer" else given["value"]


def _as_written(value: Any) -> Any:
    """Bytes as a model writes them."""
    if isinstance(value, list):
        return [_as_written(one) for one in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    given = cast("Case", value)
    if given.keys() == {"$bytes"}:
        return {"base64": given["$bytes"]}
    return {name: _as_written(one) for name, one in given.items()}
