"""A tree of runs as text, where no notebook is."""

from __future__ import annotations

from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel, call
from nbagents.results import Payload, Result


def look(city: str) -> Result:
    """Look at a city."""
    shown = (Payload(kind="map", value={}), Payload(kind="rows", audience="internal", value=[]))
    return Result(f"Saw {city}.", data=shown)


def test_the_tree_of_a_run_prints_as_text() -> None:
    agent = Agent("guide", tools=[look], model=ScriptedModel([call("look", city="Oslo"), "Nice."]))
    run = agent.run("Look.", log="memory")
    first, *rest = str(run.tree()).split("\n")
    assert first.startswith("guide (scripted): done, ")
    assert rest[0] == "  asked: Look."
    assert rest[1:4] == ["", "Nice.", ""]
    assert rest[4].startswith('  done  look(city="Oslo")  Saw Oslo.')
    assert rest[5:] == ["    [map]"]
