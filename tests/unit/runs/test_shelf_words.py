"""What a model reads of a shelf is short, and the same each time."""

from __future__ import annotations

import nbagents as nba
from nbagents.models.scripted import call
from nbagents.runs.shelf import BUDGET, manifest_of
from nbagents.runs.shelf.hits import MOST
from tests.unit.runs.deferred_tools import RENAMED, WAYS, run_of, told


def test_what_a_model_reads_of_hits_is_short() -> None:
    long = {
        **RENAMED,
        "description": "A very long story. " + "word " * 200,
        "parameters": {
            "type": "object",
            "properties": {f"parameter_{at}": {"type": ["string", "null"]} for at in range(24)},
        },
    }
    records = [{**long, "api": f"pet number {at} " + "x" * 60} for at in range(40)]
    for found in WAYS:
        catalogue = nba.Catalogue(records, found=found)
        run, _ = run_of([call("search_tools", query="pet number"), "done"], [catalogue])
        assert len(told(run)) <= MOST
        assert sum(line.startswith("pet_store") for line in told(run).splitlines()) == 10


def test_the_manifest_says_as_much_as_fits_and_is_the_same_each_time() -> None:
    records = [
        {**RENAMED, "category": f"C{at % 7}", "tool": f"T{at % 49}", "api": f"api {at}"}
        for at in range(400)
    ]
    catalogue = nba.Catalogue(records)
    texts = [manifest_of([catalogue], budget) for budget in (5000, 400, 50, 12)]
    assert all(len(text) <= 4 * most for text, most in zip(texts, (5000, 400, 50, 12), strict=True))
    assert all(name in texts[0] for name in catalogue.names)
    assert "T48 8" in texts[1]
    assert "C6 57" in texts[2]
    assert "7 categories" in texts[3]
    assert manifest_of([catalogue], BUDGET) == manifest_of([nba.Catalogue(records)], BUDGET)
    catalogue.remove(category="C6")
    assert "C6" not in manifest_of([catalogue], BUDGET)
