"""AnyTool's pool of candidates in a saved run."""

from __future__ import annotations

from typing import Any

from lab_sanitizer import refused
from trees import Page, call, html_of, payload, plain_of, run, tree

from nbagents.notebook.saved.bundle import frozen_bundle

API = {"name": "sky__now", "category": "Weather", "tool": "Sky", "api": "now", "round": 0}
NEW = {**API, "name": "sea__tides", "category": "Sea", "round": 1, "by": "tool agent: Tides"}
POOL: dict[str, Any] = {"size": 64, "seed": 1, "round": 1, "apis": [API, NEW], "pruned": []}


def frozen(pool: Any) -> dict[str, object]:
    return frozen_bundle(tree(run(call(payloads=[payload("apiPool", pool)]))), "run-1")


def page(pool: Any) -> Page:
    shown = Page(html_of(frozen(pool)))
    assert refused(shown.elements) == []
    return shown


def test_a_pool_is_drawn_by_category_with_what_is_new() -> None:
    text = page(POOL).text
    assert "Pool, 2 of 64 APIs in 2 categories, round 1: 1 new" in text
    assert "Weather (1)sky__now" in text
    assert "Sea (1)sea__tides new" in text
    said = "[pool, 2 of 64 APIs in 2 categories, round 1: 1 new]"
    assert said in plain_of(frozen(POOL))


def test_what_was_taken_out_says_why() -> None:
    gone = {**POOL, "apis": [], "pruned": [{**API, "why": "It <b>failed</b>."}]}
    shown = page(gone)
    assert "taken out: sky__now It <b>failed</b>." in shown.text
    assert shown.named("b") == []
    assert "[pool, 0 of 64 APIs, round 1: 1 taken out]" in plain_of(frozen(gone))


def test_a_large_pool_is_cut_and_its_number_is_said() -> None:
    apis = [{**API, "name": f"api{n}", "round": 1} for n in range(250)]
    text = page({**POOL, "size": 2_000, "apis": apis}).text
    assert "250 of 2,000 APIs" in text
    assert "api199" in text
    assert "api200" not in text


def test_what_does_not_fit_is_shown_otherwise() -> None:
    for wrong in (None, "pool", {**POOL, "size": "64"}, {**POOL, "apis": [1]}, {}):
        assert "Pool," not in page(wrong).text
