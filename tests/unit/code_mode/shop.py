"""What the tests of code mode have at hand: a catalogue of a few APIs, and agents that code."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import nbagents as nba
from nbagents.models.scripted import ScriptedModel, call
from nbagents.runs.state.run.run import Run
from nbagents.tools.tool.definition import Tool, ToolOptions

RECORD: dict[str, Any] = {
    "category": "Pets",
    "tool": "Pet Store",
    "api": "find-pets",
    "description": "Find pets by what they are.",
    "parameters": {
        "type": "object",
        "properties": {
            "status": {"enum": ["sold", "free"], "description": "Which."},
            "from": {"type": "integer"},
            "x-trace": {"type": ["string", "null"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "limit": {"type": "integer", "default": 10},
        },
        "required": ["status", "from"],
    },
}


class Shop:
    """APIs that note what was really done."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.at_once = self.most_at_once = 0

    def catalogue(self, **options: Any) -> nba.Catalogue:
        asking = Tool(self.wipe, ToolOptions(ask=True))
        return nba.Catalogue(self.price, self.stock, asking, self.fail, **options)

    async def price(self, item: str, currency: str = "EUR") -> dict[str, Any]:
        """What an item costs."""
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.at_once -= 1
        self.done.append(f"price {item}")
        return {"item": item, "price": len(item), "currency": currency}

    def stock(self, item: str) -> int:
        """How many there are of an item."""
        is_main = threading.current_thread() is threading.main_thread()
        self.done.append(f"stock {item} {'main' if is_main else 'elsewhere'}")
        return 3

    def wipe(self, path: str, *, deep: bool = False) -> str:
        """Erase a folder."""
        self.done.append(f"wipe {path} {deep}")
        return "wiped"

    def fail(self, why: str) -> str:
        """Fail."""
        raise nba.ToolError(f"No, because {why}.")


def coder(tool: nba.Tool, *codes: str, **options: Any) -> nba.Agent:
    """An agent that runs these pieces of code, one after the other."""
    steps = [call("run_python", code=code) for code in codes]
    return nba.Agent("coder", tools=[tool], model=ScriptedModel([*steps, "done"]), **options)


def told(run: Run) -> list[str]:
    """What the model was told of each piece."""
    return [str(one.content) for one in run.calls]


def inside(run: Run) -> list[list[tuple[str, str]]]:
    """The calls of the runs inside of it: by run, each with its name and how it ended."""
    return [[(one.name, one.status) for one in child.calls] for child in run.children]
