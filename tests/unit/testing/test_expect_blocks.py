"""Expectations in a block, without a run, of saved runs; how they are shown; bad ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import nbagents as nba
from nbagents.models.scripted import call
from nbagents.testing.expectations import Expectation, ExpectationError
from tests.unit.testing.guide import OSLO, broken, run_of


def test_in_a_block_all_that_is_broken_is_said_at_once() -> None:
    def look() -> None:
        with nba.expect(run_of(*OSLO)) as it:
            it.called("wipe")
            it.answered(contains="Oslo")
            it.never("center")

    said = broken(look)
    assert said.startswith("wipe was not called.\ncenter was called once, which was never to be.\n")
    assert "✓ answered" in said


def test_what_goes_wrong_in_a_block_is_not_hidden() -> None:
    def look() -> None:
        with nba.expect(run_of(*OSLO)) as it:
            it.called("wipe")
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        look()


def test_expectations_without_a_run_are_asked_of_any() -> None:
    rule = nba.expect().called("find_place").never("wipe")
    assert "2 expectations of no run yet" in repr(rule)
    assert isinstance(rule.of(run_of(*OSLO)), Expectation)
    assert "find_place was not called" in broken(lambda: rule.of(run_of("Hello.")))


def test_trees_and_saved_runs_are_as_good_as_runs() -> None:
    run = run_of(*OSLO)
    for one in (run.tree(), json.loads(json.dumps(run.tree()))):
        nba.expect(one).called("find_place").then("center").answered(contains="59.9")
    saved: dict[str, Any] = {"version": 1, "root_id": run.id, "tree": dict(run.tree()), "cuts": []}
    nba.expect(saved).called("center")


@pytest.mark.parametrize("given", [3, {}, {"runs": {}}, "run-1", {"tree": None}, {"runs": 3}])
def test_what_is_no_run_is_said(given: object) -> None:
    with pytest.raises(ValueError, match="give a run"):
        nba.expect(given)


SENSELESS: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("called", (3,), {}, "The tool is 3"),
    ("called", ("x",), {"times": "2"}, "times is '2'"),
    ("called", ("x",), {"times": -1}, "times is -1"),
    ("called", ("x",), {"status": "ok"}, "status is 'ok'"),
    ("called", ("x",), {"inside": True}, "inside is True"),
    ("within", (), {}, "bounds nothing"),
    ("within", (), {"max_calls": "2"}, "max_calls is '2'"),
]


@pytest.mark.parametrize(("method", "given", "options", "said"), SENSELESS)
def test_expectations_that_make_no_sense_are_said(
    method: str, given: tuple[Any, ...], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        getattr(nba.expect(run_of(*OSLO)), method)(*given, **options)


def test_of_a_long_run_only_what_is_near_to_a_mark_is_shown() -> None:
    steps = [call("double", number=number) for number in range(200)]
    run = run_of(*steps, "done", max_steps=300)
    said = broken(lambda: nba.expect(run).called("double", number=150).never("double", number=170))
    assert len(said.splitlines()) < 40
    assert "✓   done      double(number=150)  300" in said
    assert "✗   done      double(number=170)  340  ← never" in said
    assert "double(number=168)" in said
    assert "double(number=160)" not in said
    assert "  … 147 lines\n" in said
    many = broken(lambda: nba.expect(run).called("double", times=3))
    assert len(many.splitlines()) < 40


def test_the_text_is_the_same_for_equal_runs() -> None:
    said = {broken(lambda: nba.expect(run_of(*OSLO)).never("center")) for _ in range(2)}
    assert len(said) == 1


def test_a_page_sees_colours_and_whoever_runs_it_headless_plain_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ExpectationError) as caught:
        nba.expect(run_of(*OSLO)).called("find_place").never("center")
    lines: Callable[[], list[str]] = getattr(caught.value, "_render_traceback_")  # noqa: B009
    assert "\x1b" not in "\n".join(lines())
    monkeypatch.setattr("nbagents.testing.expectations.breaks.is_looked_at", lambda: True)
    assert '\x1b[32m✓\x1b[0m called("find_place")' in lines()
    assert '\x1b[31m✗\x1b[0m\x1b[1m never("center")\x1b[0m' in lines()
