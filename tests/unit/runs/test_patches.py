"""Patches come to the same as the tree, whatever the batches; both languages apply the same ones.

`python -m tests.unit.runs.test_patches` writes the trees and patches beside the events anew.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.events import EVENTS
from nbagents.runs.tree.folding import TreeFold, fold
from nbagents.runs.tree.patches import NodePatch, TreePatches, apply_patch
from nbagents.runs.tree.projection import shown_field, shown_tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.events import AnyEvent
    from nbagents.runs.tree.nodes import Tree

FIXTURES = Path(__file__).parents[2] / "fixtures" / "events"
NAMES = sorted(path.stem for path in FIXTURES.glob("*.jsonl"))


def events_of(name: str) -> list[AnyEvent]:
    lines = (FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [EVENTS.validate_json(line) for line in lines if line]


def shown_only(name: str) -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    """A field without what no page shows."""
    return lambda _, value: {name: shown_field(name, value)}


SHOWN = {name: shown_only(name) for name in ("authorization", "awaits", "edits", "requests")}


def units_of(name: str) -> list[list[NodePatch]]:
    """The patches of each event."""
    folding, patches = TreeFold(), TreePatches(SHOWN)
    units: list[list[NodePatch]] = []
    for event in events_of(name):
        folding.apply(event)
        patches.mark(event)
        units.append(json.loads(json.dumps(patches.take(folding.tree))))
    return units


def applied(patches: list[NodePatch], tree: Tree | None = None) -> Tree:
    made: Tree = tree or {"version": 1, "root_ids": [], "runs": {}}
    for patch in json.loads(json.dumps(patches)):
        apply_patch(made, patch)
    return made


@pytest.mark.parametrize("name", NAMES)
def test_the_patches_of_a_fixture_are_those_that_the_page_is_tested_with(name: str) -> None:
    written = (FIXTURES / f"{name}.patches.json").read_text(encoding="utf-8")
    assert json.loads(written) == units_of(name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_in_whatever_batches_patches_come_to_the_tree(name: str, seed: int) -> None:
    chance = random.Random(seed)
    folding, patches, events = TreeFold(), TreePatches(SHOWN), events_of(name)
    mine = applied([])
    for event in events:
        folding.apply(event)
        patches.mark(event)
        if chance.random() < 0.4 or event is events[-1]:
            before = json.dumps(folding.tree)
            mine = applied(patches.take(folding.tree), mine)
            assert json.dumps(folding.tree) == before
            assert mine == shown_tree(folding.tree) == patches.tree
            count, whole = patches.snapshot()
            assert applied(whole) == mine
            assert count >= len(whole) or count > 0


def test_a_batch_in_which_nothing_was_marked_has_no_patch() -> None:
    folding, patches = TreeFold(), TreePatches(SHOWN)
    for event in events_of("family"):
        folding.apply(event)
        patches.mark(event)
    assert patches.take(folding.tree)
    assert patches.take(folding.tree) == []


def test_text_that_grows_is_sent_as_what_was_added() -> None:
    """Also where one character is two of JavaScript's, and where a line is gone back on."""
    units = units_of("overwritten")
    grown = [one for unit in units for patch in unit for one in patch.get("texts", ())]
    assert any(one["drop"] for one in grown)
    assert any(not one["drop"] for one in grown)


if __name__ == "__main__":
    for fixture in NAMES:
        tree = json.dumps(shown_tree(fold(events_of(fixture))), indent=1, ensure_ascii=False)
        (FIXTURES / f"{fixture}.tree.json").write_text(f"{tree}\n", encoding="utf-8")
        text = json.dumps(units_of(fixture), separators=(",", ":"))
        (FIXTURES / f"{fixture}.patches.json").write_text(f"{text}\n", encoding="utf-8")
