"""The fold from events to a tree, on the fixtures that the page folds too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nbagents.events import EVENTS, AnyEvent
from nbagents.runs.tree.folding import TreeFold, fold, settle
from nbagents.runs.tree.projection import shown_tree

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
