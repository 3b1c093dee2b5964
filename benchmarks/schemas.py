"""What the schemas of many functions cost, beside the libraries that they are made with."""

from __future__ import annotations

import gc
import importlib.util
import inspect
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import griffe
from pydantic import create_model

from benchmarks.measure import Timing
from nbagents.tools.tool.definition import Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["FUNCTIONS", "SCHEMAS", "SCHEMAS_FLOOR", "schema_timings"]

FUNCTIONS = 1_000
SCHEMAS_FLOOR = "floor: create_model, model_json_schema, griffe"
SCHEMAS = "Tool(function): description and parameters"

HEAD = """
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Literal
from pydantic import BaseModel, Field

class Unit(Enum):
    METRIC = "metric"
    IMPERIAL = "imperial"
"""
KINDS = (
    '''
def find_{n}(query: str, limit: int = {limit}, exact: bool = False) -> str:
    """Find entries of register {n}.

    Args:
        query: What to look for in register {n}.
        limit: How many entries at most.
        exact: Whether upper and lower case count.
    """
    return query
''',
    '''
def convert_{n}(
    amount: float, source: Literal["EUR", "USD", "JPY"], unit: Unit | None = None
) -> float:
    """Convert an amount by table {n}.

    The table is that of the day.

    Args:
        amount: How much, at most {limit}.
        source: Which currency.
        unit: In which units it is shown.
    """
    return amount
''',
    '''
def plan_{n}(days: list[date], towns: dict[str, int], note: str = "none") -> list[str]:
    """Plan journey {n}.

    Args:
        days: On which days.
        towns: How many nights in each town.
        note: What else counts.

    Returns:
        A line for each day.
    """
    return []
''',
    '''
@dataclass
class Place_{n}:
    lon: float
    lat: float = {limit}

def measure_{n}(start: Place_{n}, end: Place_{n}, steps: int = {limit}) -> float:
    """Measure way {n}.

    Args:
        start: Where it begins.
        end: Where it ends.
        steps: How many pieces.
    """
    return 0.0
''',
    '''
class Line_{n}(BaseModel):
    """One line of an order."""

    article: str = Field(description="Its number.")
    count: int = Field({limit}, ge=1)

class Order_{n}(BaseModel):
    lines: list[Line_{n}]
    urgent: bool = False

def order_{n}(order: Order_{n}, customer: str, remarks: list[str] | None = None) -> str:
    """Place order {n}.

    Args:
        order: What is ordered.
        customer: For whom.
        remarks: What the clerk should know.
    """
    return customer
''',
)


def schema_timings(rounds: int) -> dict[str, Timing]:
    """Both ways on the same functions, which are new in each round; the first does not count.

    Every other round begins with the other way, so that neither always comes first to a function.
    """
    ways = {SCHEMAS_FLOOR: _by_hand, SCHEMAS: _by_tool}
    timings = {name: Timing() for name in ways}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(-1, rounds):
            functions = list(_functions(Path(folder), number + 1))
            for name in list(ways)[:: -1 if number % 2 else 1]:
                wall_ms, cpu_ms = _timed(ways[name], functions)
                if number >= 0:
                    timings[name].wall_ms.append(wall_ms)
                    timings[name].cpu_ms.append(cpu_ms)
    return timings


def _functions(folder: Path, number: int) -> Iterator[Callable[..., object]]:
    """Functions that were never seen before, from a file as people write it."""
    name = f"nbagents_bench_{number}"
    texts = [KINDS[n % len(KINDS)].format(n=f"{number}_{n}", limit=n + 1) for n in range(FUNCTIONS)]
    path = folder / f"{name}.py"
    path.write_text(HEAD + "\n".join(texts), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = [one for one in vars(module).values() if inspect.isfunction(one)]
    return (one for one in found if one.__module__ == name)


def _timed(
    way: Callable[[list[Callable[..., object]]], int], functions: list[Callable[..., object]]
) -> tuple[float, float]:
    gc.collect()
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    assert way(functions) == FUNCTIONS
    return (time.perf_counter() - wall_s) * 1000, (time.process_time() - cpu_s) * 1000


def _by_hand(functions: list[Callable[..., object]]) -> int:
    """Signature, model, schema and docstring of each; nothing is put together."""
    made = 0
    for function in functions:
        fields: dict[str, Any] = {
            name: (one.annotation, ... if one.default is one.empty else one.default)
            for name, one in inspect.signature(function).parameters.items()
        }
        schema = create_model(function.__name__, **fields).model_json_schema()
        docstring = griffe.Docstring(inspect.getdoc(function) or "", lineno=1, parser="google")
        made += bool(schema["properties"] and docstring.parse(warnings=False))
    return made


def _by_tool(functions: list[Callable[..., object]]) -> int:
    """The same as `nba.tool` makes it: described, validated by, and by the rules of strict mode."""
    tools = [Tool(function) for function in functions]
    return sum(bool(tool.parameters["properties"] and tool.description) for tool in tools)
