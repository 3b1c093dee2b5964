"""Runs to draw: as the page gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.agents import Agent
from nbagents.messages import CallRequest
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel

if TYPE_CHECKING:
    from nbagents.runs.state.run.run import Run

__all__ = ["run_of"]

CITIES = ("Oslo", "Nairobi", "Lima", "Quito", "Porto", "Kyoto", "Accra")


def weather(city: str, day: int) -> dict[str, Any]:
    """Look up the weather."""
    return {"city": city, "day": day, "celsius": day % 30, "sky": "clear", "wind": "6 m/s"}


def rain(city: str, day: int) -> str:
    """Look up the rain."""
    return f"{day % 9} mm of rain in {city}"


def run_of(calls: int, *, per_step: int = 20) -> Run:
    """A run that has made so many calls, of two tools in turn, with a word between the steps."""
    asked = [
        CallRequest(
            id=f"c{number}",
            name=("weather", "rain")[number % 2],
            arguments=f'{{"city": "{CITIES[number % 7]}", "day": {number}}}',
        )
        for number in range(calls)
    ]
    steps = [
        ModelTurn(text="Next.", calls=tuple(asked[at : at + per_step]))
        for at in range(0, calls, per_step)
    ]
    model = ScriptedModel([*steps, ModelTurn(text="**Done.** It was *mostly* clear.")])
    agent = Agent("guide", tools=[weather, rain], model=model, max_steps=len(steps) + 1)
    return agent.run("What was the weather?", log="memory")
