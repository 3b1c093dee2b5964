"""What came of a run: sign and words follow from its calls, and all that shows it says them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbagents.events import CallStatus
from nbagents.notebook.saved.bundle import frozen_bundle
from nbagents.runs.wording.outcomes import came_to_nothing
from nbagents.runs.wording.text_tree import tree_text
from nbagents.runs.wording.words import CALL_STATUS
from tests.thinning import examples
from tests.unit.notebook.trees import Page, html_of, plain_of
from tests.unit.runs.outcome_cases import (
    FIXTURE,
    KINDS,
    STATUSES,
    outcome_in,
    run_of,
    tree_of,
    written,
)

Json = dict[str, Any]
OPEN = {"preparing", "waiting", "running"}


def words_of(*kinds: str, status: str = "completed", **beside: Any) -> str:
    return outcome_in([run_of(kinds, status, **beside)]).words


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        ([], "done"),
        (["done"], "done"),
        (["done"] * 28 + ["failed"] * 2, "done, 2 of 30 calls failed"),
        (["failed"], "failed: its only call failed"),
        (["failed"] * 3, "failed: all 3 calls failed"),
        (["denied"], "denied: its only call was denied"),
        (["denied"] * 2, "denied: all 2 calls were denied"),
        (["cancelled"], "cancelled: its only call was cancelled"),
        (["failed", "denied"], "failed: 1 of 2 calls failed, 1 denied"),
        (["timed_out"] * 2, "failed: all 2 calls timed out"),
        (
            ["denied", "cancelled", "skipped"],
            "denied: 1 of 3 calls was denied, 1 cancelled, 1 skipped",
        ),
        (["unknown"], "outcome unknown: its only call has no known outcome"),
        (["failed", "done"], "done, 1 of 2 calls failed"),
        (["refused", "done"], "done, 1 of 2 calls was refused"),
    ],
)
def test_what_came_of_a_run_is_said_in_words(kinds: list[str], words: str) -> None:
    assert words_of(*kinds) == words


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("failed", "failed, 1 of 2 calls failed"),
        ("limit", "stopped at a limit, 1 of 2 calls failed"),
        ("cancelled", "cancelled, 1 of 2 calls failed"),
        ("suspended", "suspended, 1 of 2 calls failed"),
        ("unknown", "outcome unknown, 1 of 2 calls failed"),
        ("running", "running, 1 of 2 calls failed"),
    ],
)
def test_a_run_that_ended_otherwise_keeps_its_own_word(status: str, words: str) -> None:
    assert words_of("done", "failed", status=status) == words


def test_what_the_model_did_not_serve_is_said() -> None:
    assert words_of("done", unmet=["GBP"]) == "done; did not use “GBP”"
    assert words_of("failed", unmet=["25"]) == "failed: its only call failed; did not use “25”"
    assert outcome_in([run_of(["done"], unmet=["GBP"])]).sign == "partly"


def test_a_run_whose_agent_got_nothing_done_is_not_done() -> None:
    child = run_of(["failed"] * 3, run_id="run-2")
    said = outcome_in([run_of([("done", ["run-2"])]), child])
    assert said.words == "failed: 3 of 4 calls failed, 1 came to nothing"
    assert said.sign == "failed"


def test_the_page_is_held_to_the_same_words() -> None:
    mend = "Run: python -m tests.unit.runs.outcome_cases"
    assert FIXTURE.read_text(encoding="utf-8") == written(), mend


def random_runs(draw: st.DrawFn) -> list[Json]:
    """A run with runs inside, each started by a call of one before it."""
    count = draw(st.integers(1, 5))
    runs = [
        run_of(
            draw(st.lists(st.sampled_from(KINDS), max_size=6)),
            draw(st.sampled_from(STATUSES)),
            run_id=f"run-{number + 1}",
        )
        for number in range(count)
    ]
    for number in range(1, count):
        above = runs[draw(st.integers(0, number - 1))]
        above["calls"].append([draw(st.sampled_from(KINDS)), [f"run-{number + 1}"]])
    return runs


RUNS = st.composite(random_runs)()


@settings(max_examples=examples(60))
@given(RUNS)
def test_a_tick_stands_for_a_run_in_which_all_went_well(runs: list[Json]) -> None:
    root = runs[0]
    said = outcome_in(runs)
    kinds = [kind for one in runs for kind, _ in one["calls"]]
    if said.sign == "completed":
        assert root["status"] == "completed"
        assert set(kinds) <= {"done"} | OPEN
    if said.sign in ("completed", "partly"):
        assert not kinds or "done" in kinds or OPEN & set(kinds)
        assert said.words.startswith("done")
    else:
        assert "done" not in said.words


@settings(max_examples=examples(60))
@given(RUNS)
def test_the_words_name_how_many_ended_how(runs: list[Json]) -> None:
    words = outcome_in(runs).words
    kinds = [kind for one in runs for kind, _ in one["calls"]]
    for kind, word in (("failed", "failed"), ("denied", "denied"), ("timed_out", "timed out")):
        _, *after = words.split(", ") if ": " not in words else words.split(": ", 1)
        said = " ".join(after)
        if many := kinds.count(kind):
            is_all = many == len(kinds)
            assert word in said
            assert (f"{many} " in said) or (is_all and many == 1 and "its only call" in said)
        else:
            assert word not in said


@pytest.mark.medium
@settings(max_examples=examples(60))
@given(RUNS)
def test_header_text_and_saved_html_say_the_same_words(runs: list[Json]) -> None:
    tree, words = tree_of(runs), outcome_in(runs).words
    assert tree_text(tree, "run-1").split("\n")[0].startswith(f"Agent (offline): {words}, ")
    bundle = frozen_bundle(tree, "run-1", limit_bytes=10**7)
    assert plain_of(bundle).split("\n")[0].startswith(f"Agent (offline): {words}, ")
    page = Page(html_of(bundle)).text
    head = page[: page.index(" · 4.2 s")]
    assert head.endswith(f"Agent offline · {words}")
    if "done" not in words:
        assert "✓" not in head


@settings(max_examples=examples(60))
@given(RUNS)
def test_what_failed_stays_in_sight(runs: list[Json]) -> None:
    tree = tree_of(runs)
    for one in runs:
        for call, (kind, _) in zip(
            tree["runs"][one["id"]]["calls"].values(), one["calls"], strict=True
        ):
            if kind in ("failed", "timed_out", "denied", "refused", "unknown"):
                assert came_to_nothing(tree, tree["runs"][one["id"]], call)


@pytest.mark.medium
@settings(max_examples=examples(60))
@given(RUNS, st.sampled_from([10**7, 60_000, 3_000]))
def test_a_saved_page_folds_nothing_away_that_failed(runs: list[Json], limit_bytes: int) -> None:
    """Whatever room the page has, each row of the run itself is in sight."""
    quiet: list[Any] = [["done", []]] * 20
    root: Json = {**runs[0], "calls": [*runs[0]["calls"], *quiet]}
    tree = tree_of([root, *runs[1:]])
    html = html_of(frozen_bundle(tree, "run-1", limit_bytes=limit_bytes))
    visible = Folds(html).outside
    kinds = [call[0] for call in root["calls"]]
    bad: tuple[CallStatus, ...] = ("failed", "timed_out", "denied")
    for kind in bad:
        assert visible.count(CALL_STATUS[kind]) >= kinds.count(kind)


class Folds(HTMLParser):
    """What stands outside of folds that hold rows of calls: `… 26 more`."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.outside = ""
        self._is_more: list[bool] = []
        self._summary: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "details":
            self._is_more.append(False)
        if tag == "summary":
            self._summary = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "summary" and self._summary is not None:
            words = self._summary.strip()
            is_more = re.match(r"… ([\d,]+ more|More)", words) is not None  # `…` alone: it runs
            self._is_more[-1] = is_more or words.endswith("in one line each")
            self._summary = None
        if tag == "details":
            self._is_more.pop()

    def handle_data(self, data: str) -> None:
        if self._summary is not None:
            self._summary += data
        if not any(self._is_more):
            self.outside += data
