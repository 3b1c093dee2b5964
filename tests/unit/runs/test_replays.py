"""What is said of a run that a recording gave: in Python, as text, and in saved notebooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

import nbagents as nba
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import call
from nbagents.results import Usage
from nbagents.runs.wording import replayed_in_words

if TYPE_CHECKING:
    from nbagents.runs.tree import Tree

FIXTURE = Path(__file__).parents[2] / "fixtures" / "replayed.json"
CASES: list[dict[str, Any]] = json.loads(FIXTURE.read_text())


def tree_of(case: dict[str, Any]) -> Tree:
    runs: dict[str, Any] = {}
    for number, one in enumerate(case["runs"], start=1):
        node: dict[str, Any] = {
            "id": f"run-{number}",
            "usage": {"requests": one["requests"]},
            "calls": {"c1": {"child_run_ids": one["inside"]}},
        }
        if one["replayed"]:
            node["replayed"] = dict(
                zip(("answers", "since", "until"), one["replayed"], strict=True)
            )
        runs[node["id"]] = node
    return cast("Tree", {"version": 1, "root_ids": ["run-1"], "runs": runs})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["words"] or "asked")
def test_a_run_says_what_of_it_was_replayed(case: dict[str, Any]) -> None:
    tree = tree_of(case)
    assert replayed_in_words(tree, tree["runs"]["run-1"]) == case["words"]


PRICES = {"scripted": {"input": 1.0, "output": 2.0}}


@nba.tool(replace=True)
def look() -> str:
    """Look."""
    return "Seen."


def turn(text: str = "") -> ModelTurn:
    calls = () if text else (call("look"),)
    return ModelTurn(
        text=text, calls=calls, usage=Usage(input_tokens=100, output_tokens=10, requests=1)
    )


def agent(model: nba.ScriptedModel | None = None) -> nba.Agent:
    return nba.Agent(model=model, tools=[look], prices=PRICES, max_cost=9.0)


def test_a_replayed_run_says_so_everywhere_and_has_cost_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    with nba.recording(path, "extend"):
        first = agent(nba.ScriptedModel([turn(), turn("Done.")])).run("Go", log="memory")
    with nba.recording(path):
        again = agent().run("Go", log="memory")
    assert (first.replayed, first.usage.cost) != (None, None)
    assert first.replayed is None
    said = again.replayed
    assert said is not None
    assert (said.answers, said.of, said.is_whole) == (2, 2, True)
    assert str(said) == f"replayed, recorded {said.recorded}"
    assert (again.usage.cost, again.usage.total_tokens) == (None, first.usage.total_tokens)
    assert str(said) in str(again.tree()).splitlines()[0]
    assert str(said) in again.to_html()


def test_a_run_that_asked_for_a_part_says_how_much_was_replayed(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    with nba.recording(path, "extend"):
        agent(nba.ScriptedModel([turn(), turn("Done.")])).run("Go", log="memory")
    whole = path.read_text().splitlines(keepends=True)
    path.write_text("".join(whole[:2]))
    with nba.recording(path, "extend"):
        again = agent(nba.ScriptedModel([turn("Other.")])).run("Go", log="memory")
    assert str(again.replayed).startswith("1 of 2 answers replayed, recorded ")
    assert again.text == "Other."
    assert again.usage.cost is not None


def test_a_miss_is_explained_as_one_whatever_its_difference_says(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    with nba.recording(path, "extend"):
        nba.Agent(model=nba.ScriptedModel(["Hi."])).run("The connection broke off", log="memory")
    with nba.recording(path):
        run = nba.Agent().start("The connection (401) is too long", log="memory")
        with pytest.raises(nba.RecordingMiss):
            run.wait()
    assert "The recording has not what was asked for, and no model was asked." in str(run.explain())
    assert "+ The connection (401) is too long" in run.to_html()


def test_a_limit_of_money_ends_a_replay_where_it_had_ended_the_run(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"

    def capped(model: nba.ScriptedModel | None = None) -> nba.Agent:
        return nba.Agent(model=model, tools=[look], prices=PRICES, max_cost=0.0002)

    steps = [turn(), turn(), turn("The last word.")]
    with nba.recording(path, "extend"):
        first = capped(nba.ScriptedModel(steps)).run("Go", log="memory")
    with nba.recording(path):
        again = capped().run("Go", log="memory")
    assert (first.status, again.status) == ("limit", "limit")
    assert again.text == first.text
