"""What the tests of deferred tools have at hand: catalogues of many tools, and what was offered."""

from __future__ import annotations

from typing import Any

import nbagents as nba
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.state.run.run import Run
from nbagents.tools.tool.definition import Tool, ToolOptions

CITIES = ("Oslo", "Rome")
TOPICS = ("weather", "tides", "traffic", "holidays", "prices", "news", "elections", "museums")


def topic(name: str, kind: str, done: list[str]) -> Tool:
    """A tool that tells one thing of one topic."""

    def tell(city: str, days: int = 3) -> str:
        done.append(f"{name} {kind} {city} {days}")
        return f"{kind} of {name} in {city} for {days} days"

    description = f"Tell the {kind} of the {name} in a city."
    return Tool(tell, ToolOptions(name=f"{name}_{kind}", description=description))


KINDS = ("past", "present", "forecast", "average", "map")


def many(done: list[str] | None = None, **options: Any) -> nba.Catalogue:
    """Forty tools of eight topics, and one that must be asked about."""
    list_of = [] if done is None else done

    def wipe(path: str, *, deep: bool = False) -> str:
        "Erase a folder."
        list_of.append(f"wipe {path} {deep}")
        return f"wiped {path}"

    tools = [topic(name, kind, list_of) for name in TOPICS for kind in KINDS]
    return nba.Catalogue(*tools, Tool(wipe, ToolOptions(ask=True)), **options)


def offered(model: ScriptedModel) -> list[list[str]]:
    """The names of the tools that a model was offered, request by request."""
    return [[one.name for one in request.tools] for request in model.requests]


def plain(number: int) -> int:
    """Add one to a number."""
    return number + 1


FINDERS = ["search_tools", "describe_tools"]
BRIDGE = [*FINDERS, "call_tool"]
WAYS = ("append", "bridge")

RENAMED = {
    "category": "Pets",
    "tool": "Pet Store",
    "api": "getPetById",
    "description": "A pet by its number.",
    "parameters": {"type": "object", "properties": {"id": {"type": "integer"}}},
}


def run_of(steps: list[Any], tools: Any, **options: Any) -> tuple[Run, ScriptedModel]:
    model = ScriptedModel(steps)
    agent = nba.Agent("finder", tools=tools, model=model, **options)
    return agent.run("Go", log="memory"), model


def told(run: Run, at: int = -1) -> str:
    content = run.calls[at].content
    assert content is not None
    return content
