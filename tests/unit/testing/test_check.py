"""Grading: one line for the student, no traceback, and a cell that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import nbagents as nba
from nbagents.models.scripted import call
from nbagents.redaction import use_patterns
from nbagents.testing.grading import CheckError
from tests.unit.runs.desk import agent, double


def run_of(*steps: Any) -> nba.Run:
    return agent(steps, [double]).run("Double it", log="memory")


def failing(*given: Any, **options: Any) -> CheckError:
    with pytest.raises(CheckError) as caught:
        nba.check(*given, **options)
    assert "\n" not in str(caught.value)
    return caught.value


def asserts() -> None:
    """Only asserts, and gives nothing."""


def asserts_more() -> None:
    raise AssertionError("two and two\nare four")


RIGHT: list[object] = [
    True,
    "text",
    asserts,
    lambda: 1,
    lambda: nba.expect(run_of(call("double", number=2), "4")).called("double"),
]
WRONG: list[tuple[object, str]] = [
    (False, "it is not as it is to be"),
    (None, "it is not as it is to be"),
    (lambda: None, "it is not as it is to be"),
    (lambda: int("x"), "ValueError: invalid literal for int() with base 10: 'x'"),
    (asserts_more, "two and two"),
    (lambda: nba.expect(run_of("4")).called("double"), "double was not called"),
]


@pytest.mark.parametrize("what", RIGHT)
def test_what_is_right_is_one_line(what: Any, capsys: pytest.CaptureFixture[str]) -> None:
    nba.check(what, name="Twice", points=2)
    assert capsys.readouterr().out == "✓ Twice (2 points)\n"


@pytest.mark.parametrize(("what", "why"), WRONG)
def test_what_is_not_right_is_one_line_and_an_error(what: Any, why: str) -> None:
    error = failing(what, "Look at the docstring.", name="Twice", points=2)
    assert str(error) == f"Not yet (0 of 2 points): Twice: {why}. Look at the docstring."
    assert (error.hint, error.points) == ("Look at the docstring.", 2)
    assert isinstance(error, AssertionError)


def test_a_notebook_shows_the_line_alone() -> None:
    error = failing(False)
    lines: Callable[[], list[str]] = getattr(error, "_render_traceback_")  # noqa: B009
    assert lines() == ["Not yet: it is not as it is to be."]
    assert error.__suppress_context__


def test_an_expectation_is_asked_of_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    rule = nba.expect().called("double", number=2).answered(contains="4")
    nba.check(rule, of=run_of(call("double", number=2), "4"))
    assert capsys.readouterr().out == '✓ called("double", number=2), answered(contains="4")\n'
    assert "double was not called" in str(failing(rule, of=run_of("4")))

    def says_four(run: nba.Run) -> bool:
        return run.text == "4"

    nba.check(says_four, of=run_of("4"))


def test_points_come_back_where_it_need_not_be_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert nba.check(True, points=2) is None  # nbgrader would take a number for the whole cell's
    assert nba.check(True, must=False) == 1
    assert nba.check(True, points=2, must=False) == 2
    assert nba.check(False, "No.", points=2, must=False) == 0
    assert "✗ Not yet (0 of 2 points): it is not as it is to be. No.\n" in capsys.readouterr().out


@pytest.fixture
def secret() -> Iterator[str]:
    nba.redact("EMP-[0-9]{300}")
    yield f"EMP-{'7' * 300}"
    use_patterns(())


def test_no_secret_and_nothing_endless_stands_in_the_line(secret: str) -> None:
    def fall() -> None:
        raise ValueError(f"{secret} is wrong {'x' * 10_000}")

    line = str(failing(fall, "Hint."))
    assert "EMP-" not in line
    assert len(line) < 500
    assert line.endswith("Hint.")


def test_a_stop_is_no_wrong_answer() -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nba.check(stopped)


SENSELESS: list[tuple[object, dict[str, Any], str]] = [
    (nba.expect().called("f"), {}, "has no run"),
    (True, {"points": "2"}, "points is '2'"),
    (True, {"points": -1}, "points is -1"),
    (True, {"of": 3}, "a value is not asked of a run"),
]


@pytest.mark.parametrize(("given", "options", "said"), SENSELESS)
def test_a_check_that_makes_no_sense_is_said(
    given: object, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        nba.check(given, **options)


async def never_awaited() -> bool:
    return False


def test_what_python_takes_as_true_and_says_nothing_is_no_tick(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A tick is given for what was found to be right, never for what has not run."""
    run = run_of(call("double", number=2), "4")
    for what in (never_awaited, (one for one in [False]), nba.expect(run)):
        with pytest.raises(ValueError, match=r"it has not run|Nothing is expected"):
            nba.check(what)
    for look in (
        lambda: never_awaited(),  # noqa: PLW0108  its coroutine
        lambda: (one for one in [False]),
        lambda: "a".isdigit,
        lambda: nba.expect(run),
        lambda: nba.expect().called("wipe"),
        lambda: nba.expect(None).called("wipe"),
    ):
        failing(look)
    assert "✓" not in capsys.readouterr().out
