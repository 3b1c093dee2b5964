"""The fold from events to a tree, on the fixtures that the page folds too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import nbagents as nba
from nbagents.events import EVENTS, AnyEvent
from nbagents.models.scripted import call
from nbagents.runs.tree.folding import TreeFold, fold, settle
from nbagents.runs.tree.projection import shown_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURES = Path(__file__).parents[2] / "fixtures" / "events"
NAMES = sorted(path.stem for path in FIXTURES.glob("*.jsonl"))


def events_of(name: str) -> list[AnyEvent]:
    lines = (FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [EVENTS.validate_json(line) for line in lines]


def test_there_are_fixtures() -> None:
    assert len(NAMES) >= 7


@pytest.mark.parametrize("name", NAMES)
def test_events_fold_to_the_tree_beside_them(name: str) -> None:
    expected = json.loads((FIXTURES / f"{name}.tree.json").read_text(encoding="utf-8"))
    assert shown_tree(fold(events_of(name))) == expected


@pytest.mark.parametrize("name", NAMES)
def test_folding_events_twice_changes_nothing(name: str) -> None:
    events = events_of(name)
    assert fold(events + events) == fold(events)


@pytest.mark.parametrize("name", NAMES)
def test_an_event_written_and_read_is_the_same_event(name: str) -> None:
    for event in events_of(name):
        assert EVENTS.validate_json(EVENTS.dump_json(event)) == event


def test_a_tree_is_right_after_every_event() -> None:
    events = events_of("parallel")
    growing = TreeFold()
    for count, event in enumerate(events, 1):
        growing.apply(event)
        assert growing.tree == fold(events[:count])


def test_what_was_open_when_the_writer_died_is_of_unknown_outcome() -> None:
    run = settle(fold(events_of("unfinished")))["runs"]["run-1"]
    assert run["status"] == "unknown"
    assert {call["id"]: call["status"] for call in run["calls"].values()} == {
        "c1": "unknown",
        "c2": "failed",
        "c3": "unknown",
    }


def test_settling_leaves_an_ended_run_alone() -> None:
    tree = fold(events_of("parallel"))
    assert settle(fold(events_of("parallel"))) == tree


class Counting(list[Any]):
    """Items that know how many of them were looked at."""

    looked_at = 0

    def __reversed__(self) -> Iterator[Any]:
        for one in super().__reversed__():
            self.looked_at += 1
            yield one


def looked_at(steps: int) -> int:
    """How many items are looked at, folding a run that asks for a call in each of its steps."""

    @nba.tool(replace=True)
    def same(n: int) -> int:
        """Give it back."""
        return n

    said = [call("same", n=at) for at in range(steps)]
    agent = nba.Agent(model=nba.ScriptedModel([*said, "Done."]), tools=[same], max_steps=steps + 1)
    run = agent.run("Go", log="memory")
    growing, items = TreeFold(), Counting()
    for event in run.events:
        growing.apply(event)
        if event.type == "run_start":
            growing.tree["runs"][run.id]["items"] = items
    assert growing.tree["runs"][run.id]["items"] is items
    return items.looked_at


def test_a_long_run_is_not_gone_through_at_each_of_its_steps() -> None:
    assert looked_at(40) <= 2.5 * looked_at(20)
