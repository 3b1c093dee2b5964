"""The rows of a frozen run: which are in sight, what stands together, and when each ran."""

from __future__ import annotations

import re
from typing import Any

import pytest
from trees import Page, call, failed_call, html_of, request, run, tree

from nbagents.notebook.saved.bundle import frozen_bundle


def html(*runs: Any) -> str:
    return html_of(frozen_bundle(tree(*runs), "run-1"))


def said(*runs: Any) -> str:
    """All words of a run, in reading order, as they stand where no style is left."""
    return " ".join(Page(html(*runs)).text.split())


def rows(markup: str) -> list[tuple[bool, str]]:
    """Each row that opens, as `folds`: those that begin with a sign."""
    return [one for one in folds(markup) if one[1][:2] in ("✓ ", "✗ ", "! ", "○ ", "… ")]


def folds(markup: str) -> list[tuple[bool, str]]:
    """Each fold, but for details and explanations: whether it is open, and its summary in words."""
    found = re.findall(r"<details([^>]*)><summary[^>]*>(.*?)</summary>", markup)
    shown = [("open" in flags.split(), Page(summary).text) for flags, summary in found]
    return [one for one in shown if not one[1].startswith(("Details", "Why: "))]


def test_many_calls_are_folded_but_for_the_first_and_the_failed() -> None:
    calls = [call(f"c{number}", f"tool{number}") for number in range(20)]
    calls[10] = failed_call("c10", name="tool10")
    states = folds(html(run(*calls)))
    words = [one for _, one in states]
    assert (False, "… 8 more calls") in states
    assert all(any(f"tool{number} " in one for one in words) for number in range(20))
    at = words.index("… 8 more calls")
    assert "tool3 " in words[at - 1]
    assert words.index(next(one for one in words if "tool10 " in one)) == at + 9


def test_of_very_many_calls_each_still_has_its_line() -> None:
    calls = [call(f"c{number}", f"tool{number}") for number in range(500)]
    calls[400] = failed_call("c400", name="tool400")
    markup = html(run(*calls))
    words = Page(markup).text
    assert all(f'tool{number} city="Oslo" — ' in words for number in range(500))
    assert "… 488 more calls, in one line each" in words
    assert 'tool399 city="Oslo" — 9 °C — done · 812 ms' in words
    assert len(markup) < 500 * 150


SIGNS = {"done": "✓", "failed": "✗", "timed_out": "✗", "denied": "✗", "cancelled": "○"}


@pytest.mark.parametrize("one", SIGNS)
@pytest.mark.parametrize("other", SIGNS)
def test_the_sign_of_a_group_is_a_cross_only_where_nothing_went_well(one: str, other: str) -> None:
    group, *_ = rows(html(run(call("c1", status=one), call("c2", status=other))))
    is_mixed = (one == "done") != (other == "done")
    assert group[1][0] in ("!" if is_mixed else {SIGNS[one], SIGNS[other]})
    assert (group[1][0] == "✓") == (one == other == "done")


def test_failed_calls_are_never_folded_away() -> None:
    bad = [failed_call(f"c{number}") for number in range(9)]
    group, *states = rows(html(run(*bad)))
    assert group == (True, "✗ weather ×9 Oslo — failed · 812 ms")
    assert [is_open for is_open, _ in states] == [True] * 9
    assert "more" not in said(run(*bad))


def test_of_very_many_that_failed_each_has_its_row_and_none_is_open() -> None:
    bad = [failed_call(f"c{number}") for number in range(20)]
    _, *states = rows(html(run(*bad)))
    assert [is_open for is_open, _ in states] == [False] * 20


def test_neighbouring_calls_of_one_tool_are_one_line_that_says_how_they_differ() -> None:
    cities = ("Paris", "Oslo", "Rome")
    calls = [call(city, arguments={"city": city, "days": 3}) for city in cities]
    group, *states = rows(html(run(*calls)))
    assert group == (False, "✓ weather ×3 Paris, Oslo, Rome — 9 °C — done · 812 ms")
    assert states[0] == (False, '✓ weather city="Paris", … — 9 °C — done · 812 ms')
    talkative = run(*calls)
    talkative["items"].insert(1, {"type": "text", "step": 1, "text": "And now Oslo."})
    assert "×2 Oslo, Rome" in said(talkative)


def test_of_a_long_group_the_middle_is_folded_but_for_what_must_be_seen() -> None:
    calls = [call(f"c{number}", arguments={"n": number}) for number in range(9)]
    calls[4] = failed_call("c4", arguments={"n": 4})
    words = [one for _, one in folds(html(run(*calls)))]
    at = words.index("… 4 more calls")
    assert "n=1" in words[at - 1]
    assert "✗ weather n=4" in words[at + 5]


def test_a_call_that_waits_for_a_person_is_never_folded_away() -> None:
    calls = [call(f"c{number}", f"tool{number}") for number in range(14)]
    calls[5] = call("c5", "erase", status="waiting")
    states = folds(html(run(*calls, status="running")))
    more = next(place for place, (_, words) in enumerate(states) if "more" in words)
    waiting = next(place for place, (_, words) in enumerate(states) if "erase " in words)
    assert states[more][1] == "… 2 more calls"
    assert waiting == more + 3


def test_a_hint_stands_before_the_call() -> None:
    ((_, row),) = rows(html(run(call(hint="Looked up weather"))))
    assert row == "✓ Looked up weather weather — 9 °C — done · 812 ms"


def test_each_row_shows_when_it_ran() -> None:
    markup = html(run(call(asked_at=1000.2), requests=[request(1, at=1000.0)]))
    assert 'title="Waiting for the model 200 ms, for a slot 300 ms; running 812 ms"' in markup
    bars = re.findall(r'class="nf-(\w+)" style="[^"]*left:([\d.]+%);width:([\d.]+%)"', markup)
    assert bars == [
        ("model", "0.0%", "4.8%"),
        ("slot", "4.8%", "7.1%"),
        ("running", "11.9%", "19.3%"),
    ]
    many = Page(html(run(call(), call("call-2", "book"))))
    assert [
        one["title"]
        for one in many.named("span")
        if "left:" in one.get("style", "") and "title" in one
    ] == [
        "2 s",
        "4 s",
    ], "an axis is no text"
