"""Calls that a model got slightly wrong: taken, mended, or refused with what to do."""

from __future__ import annotations

import functools
import json

import pytest
from bfcl import Row, definitions, definitions_of, needs_data, rows
from playing import Played, Written, play_calls

pytestmark = [pytest.mark.slow, needs_data]

KINDS = sorted({row["kind"] for row in rows("mutations")})
REFUSED = {"unknown_param"}
"""Of the kinds that are ours to decide; all others of them run."""


@functools.cache
def rows_by_id() -> dict[str, Row]:
    return {row["id"]: row for row in rows("single_turn")}


def played(mutation: Row, strict: bool) -> Played:  # noqa: FBT001
    """The mutated call alone, with all that its row offers."""
    row = rows_by_id().get(mutation["id"].partition("#")[0])
    offered = definitions_of(row) if row else [definitions()[mutation["function"]]]
    written = [Written(mutation["name"], mutation["arguments_json"])]
    return play_calls(offered, written, strict=strict)


def outcome(mutation: Row) -> str:
    """What must happen: `run` or `refuse`."""
    expected = mutation["expect"]["outcome"]
    if expected == "policy":
        return "refuse" if mutation["kind"] in REFUSED else "run"
    return "refuse" if expected == "reject" else "run"


def problem(mutation: Row, strict: bool) -> str | None:  # noqa: FBT001
    """What is wrong with how it ended."""
    done, expect = played(mutation, strict), mutation["expect"]
    (call,) = done.calls
    content = call.content or ""
    if done.run.text != "done" or len(done.told) != 1:
        return "the loop did not go on"
    if outcome(mutation) == "run":
        ran = [json.dumps(given, sort_keys=True) for _, given in done.ran]
        fits = ran == [json.dumps(expect["arguments"], sort_keys=True)]
        return None if fits and call.status == "done" else f"ran with {ran}: {content}"
    if done.ran or call.status != "failed":
        return "it ran"
    suggested = expect.get("suggest")
    wanted = [expect.get("path", ""), *map(str, expect.get("allowed", ()))]
    if any(one not in content for one in wanted):
        return f"the message does not name {wanted}: {content}"
    if suggested and suggested not in content and done.names[suggested] not in content:
        return f"the message does not offer {suggested}: {content}"
    return None


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_each_mutation_ends_as_it_must(kind: str, strict: bool) -> None:  # noqa: FBT001
    found = [row for row in rows("mutations") if row["kind"] == kind]
    problems = {row["id"]: problem(row, strict) for row in found}
    assert {name: text for name, text in problems.items() if text} == {}
