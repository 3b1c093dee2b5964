"""Runs to expect something of, and what is said where they break it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

import nbagents as nba
from nbagents.models.scripted import call
from nbagents.testing.expectations import ExpectationError
from tests.unit.runs.desk import agent, double


def find_place(name: str, limit: int = 1) -> str:
    """Find a place."""
    return f"{name}: 59.9, 10.7"


def center(lon: float, lat: float) -> str:
    """Centre the map."""
    return f"at {lon}, {lat}"


def wipe(disk: str) -> str:
    """Wipe a disk."""
    return f"{disk} is gone"


def book(day: date, seats: list[int], extras: dict[str, Any]) -> str:
    """Book seats."""
    return "booked"


TOOLS = (find_place, center, wipe, double, book)


def run_of(*steps: Any, **options: Any) -> nba.Run:
    return agent(steps, TOOLS, **{"approval": "auto", **options}).run(
        "Where is Oslo?", log="memory"
    )


OSLO = (
    call("find_place", name="Oslo"),
    call("center", lon=10.7, lat=59.9),
    "Oslo is at 59.9, 10.7.",
)


def broken(look: Callable[[], object]) -> str:
    with pytest.raises(ExpectationError) as caught:
        look()
    return str(caught.value)
