"""Runs to be kept, and what is compared of those that are loaded again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import nbagents as nba
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.saved import frozen_bundle
from nbagents.results import Usage

if TYPE_CHECKING:
    from pathlib import Path

    from nbagents.runs.state.session import Session


def weather(city: str, days: int = 1) -> str:
    """The weather in a city."""
    if city == "Atlantis":
        raise ValueError("It has sunk.")
    print("looking out")
    return f"9 °C for {days} days"


def run_to_keep(session: Session) -> nba.Run:
    """A run with calls that went well and one that failed, and a run inside it."""
    calls = [call("weather", city="Oslo"), call("weather", city="Atlantis")]
    used = Usage(input_tokens=7, output_tokens=3)
    model = ScriptedModel([calls, [call("ask_child", input="sky?")], "Cold."], usage=used)
    inner = ScriptedModel([[call("weather", city="Rome")], "Blue."])
    child = nba.Agent("child", tools=[weather], model=inner)
    agent = nba.Agent(
        "guide",
        "Be brief.",
        tools=[weather, child.as_tool("ask_child", "Ask.")],
        model=model,
    )
    return agent.run("How is it?", labels={"lesson": "3"}, log=session)


def saved_in_notebook(path: Path, *runs: nba.Run, limit_bytes: int = 60_000) -> Path:
    """A notebook whose cells show runs, as Jupyter writes it: sorted by name."""
    cells: list[Any] = [{"cell_type": "markdown", "source": "# Runs"}]
    for run in runs:
        data = frozen_bundle(run.tree(), run.id, limit_bytes=limit_bytes)
        output = {"output_type": "display_data", "data": data, "metadata": {}}
        cells.append({"cell_type": "code", "source": "%agent …", "outputs": [output]})
    notebook: dict[str, Any] = {"nbformat": 4, "metadata": {}, "cells": cells}
    path.write_text(json.dumps(notebook, sort_keys=True), encoding="utf-8")
    return path


def assert_same(one: nba.Run, other: nba.Run) -> None:
    """Two runs that say the same of all that can be said without live objects."""
    assert other.tree() == one.tree()
    for name in ("id", "text", "status", "prompt", "agent_name", "last_agent", "labels", "model"):
        assert getattr(other, name) == getattr(one, name)
    for name in ("usage", "own_usage", "duration", "summary", "turn_id"):
        assert getattr(other, name) == getattr(one, name)
    assert (other.is_closed, str(other.explain())) == (True, str(one.explain()))
    assert [(c.name, c.arguments, c.content, c.status, c.run_links) for c in other.calls] == [
        (c.name, c.arguments, c.content, c.status, c.run_links) for c in one.calls
    ]
    assert other.to_html() == one.to_html()
    assert other.to_markdown() == one.to_markdown()
    assert other.to_python() == one.to_python()
    assert str(other.tree()) == str(one.tree())
    assert len(other.children) == len(one.children)
    for child, again in zip(one.children, other.children, strict=True):
        assert_same(child, again)
