"""Expectations on runs: what holds, what does not, and how that is said."""

from __future__ import annotations

import re
from datetime import date
from functools import partial
from threading import Event
from typing import Any

import pytest

import nbagents as nba
from nbagents.errors import RunError
from nbagents.models.scripted import call
from nbagents.testing.expectations import ExpectationError
from tests.unit.runs.desk import agent, double, request
from tests.unit.testing.guide import OSLO, broken, run_of, wipe


def test_a_chain_that_holds_says_so_and_is_true() -> None:
    held = (
        nba.expect(run_of(*OSLO))
        .called("find_place", name="Oslo")
        .then("center", lon=pytest.approx(10.7))
        .never("wipe")
        .within(max_calls=2, max_steps=3, max_tokens=0, max_seconds=60)
        .answered(contains="59.9")
        .succeeded()
    )
    assert held
    assert repr(held).startswith("6 expectations hold:\n✓ called")


def test_the_first_break_is_an_assertion_error_that_marks_its_place() -> None:
    said = broken(lambda: nba.expect(run_of(*OSLO)).called("find_place").never("center"))
    assert (
        said
        == """\
center was called once, which was never to be.

✓ called("find_place")
✗ never("center")

  tester (scripted): done
    asked: Where is Oslo?
✓   done      find_place(name="Oslo", limit=1 (default))  Oslo: 59.9, 10.7
✗   done      center(lon=10.7, lat=59.9)                  at 10.7, 59.9  ← never("center")
    Oslo is at 59.9, 10.7."""
    )
    assert issubclass(ExpectationError, AssertionError)


def begins_with_o(name: str) -> bool:
    return name.startswith("O")


FITTING: list[dict[str, Any]] = [
    {"name": "Oslo"},
    {"limit": 1},
    {"name": re.compile("^Os")},
    {"name": str, "limit": int},
    {"name": ...},
    {"name": begins_with_o},
]


@pytest.mark.parametrize("given", FITTING)
def test_arguments_are_a_part_of_what_the_tool_got(given: dict[str, Any]) -> None:
    assert nba.expect(run_of(*OSLO)).called("find_place", **given)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"name": "Bergen"}, 'name="Oslo", not "Bergen"'),
        ({"limit": 2}, "limit=1, not 2"),
        ({"limit": True}, "limit=1, not True"),
        ({"name": re.compile("^os")}, 'name="Oslo", not /^os/'),
        ({"name": int}, 'name="Oslo", not int'),
        ({"name": str.isdigit}, 'name="Oslo", not isdigit(…)'),
    ],
)
def test_what_of_the_arguments_is_not_so_is_said(given: dict[str, Any], why: str) -> None:
    said = broken(lambda: nba.expect(run_of(*OSLO)).called("find_place", **given))
    assert said.startswith(f"find_place was not called so: {why}.")
    assert f"← {why}" in said


def test_values_inside_of_values_and_values_of_python_are_compared() -> None:
    run = run_of(call("book", day="2026-05-01", seats=[3, 4], extras={"meal": "fish"}), "Done.")
    nba.expect(run).called(
        "book", day=date(2026, 5, 1), seats=[3, int], extras={"meal": re.compile("fish|meat")}
    )
    others: list[dict[str, Any]] = [
        {"seats": [3]},
        {"extras": {}},
        {"day": date(2026, 5, 2)},
        {"seats": (3, 5)},
    ]
    for other in others:
        assert "not called so" in broken(partial(nba.expect(run).called, "book", **other))


def test_arguments_that_are_called_like_an_option_are_given_apart() -> None:
    def ring(times: int) -> str:
        """Ring."""
        return "ding"

    run = agent([call("ring", times=3), "ok"], [ring]).run("Ring", log="memory")
    nba.expect(run).called("ring", arguments={"times": 3}, times=1)
    assert "times=3, not 2" in broken(
        lambda: nba.expect(run).called("ring", arguments={"times": 2})
    )


def test_live_objects_are_compared_as_the_objects_they_are() -> None:
    class Board:
        pass

    def look(board: Board) -> str:
        """Look at a board."""
        return "empty"

    board = Board()
    maker = agent([call("look", board="board"), "ok"], [look])
    run = maker.run("Look", log="memory", vars={"board": board})
    nba.expect(run).called("look", board=board).called("look", board="board")
    nba.expect(run).called("look", board=Board)
    assert "not called so" in broken(lambda: nba.expect(run).called("look", board=Board()))


def test_names_may_be_patterns_and_a_misspelt_one_is_noticed() -> None:
    run = run_of(*OSLO)
    nba.expect(run).called("find_*").called("*", times=2).never("w*")
    assert "Did you mean 'find_place'?" in broken(lambda: nba.expect(run).called("find_plaice"))
    assert "No tool like maps--* was called." in broken(lambda: nba.expect(run).called("maps--*"))


def is_even(count: int) -> bool:
    return count % 2 == 0


@pytest.mark.parametrize("times", [2, range(1, 3), is_even])
def test_calls_are_counted(times: Any) -> None:
    run = run_of([call("double", number=1), call("double", number=2)], "ok")
    nba.expect(run).called("double", times=times)
    nba.expect(run).called("wipe", times=0).called("double", number=1, times=1)
    said = broken(lambda: nba.expect(run).called("double", times=3))
    assert said.startswith("double was called twice, not 3 times.")


def test_then_is_a_later_step_and_calls_of_one_step_are_together() -> None:
    run = run_of([call("double", number=1), call("wipe", disk="a")], call("wipe", disk="b"), "ok")
    nba.expect(run).called("double").then("wipe", disk="b").together("double", "wipe")
    said = broken(lambda: nba.expect(run).called("double").then("wipe", disk="a"))
    assert "wipe was called, but not after double" in said
    assert "← asked for at once" in said
    assert "← came before" in broken(
        lambda: nba.expect(run).called("wipe", disk="b").then("double")
    )
    assert "were not asked for in one step" in broken(
        lambda: nba.expect(run).together("double", "find_place")
    )


@pytest.mark.parametrize("names", [("double", "double"), ("double", "*", "wipe"), ("wipe", "wi*")])
def test_together_asks_for_a_call_of_each_name(names: tuple[str, ...]) -> None:
    run = run_of([call("double", number=1), call("wipe", disk="a")], "ok")
    nba.expect(run).together("*", "double").together("wipe", "*")
    assert "were not asked for in one step" in broken(lambda: nba.expect(run).together(*names))


def test_then_follows_any_of_the_calls_before_it() -> None:
    run = run_of(call("double", number=1), call("wipe", disk="a"), call("double", number=2), "ok")
    nba.expect(run).called("double").then("wipe").then("double", number=2)
    said = broken(lambda: nba.expect(run).called("double", number=2).then("find_place"))
    assert said.startswith("find_place was not called after double.")
    assert '✗   done      double(number=2)  4  ← then("find_place")' in said


def test_a_call_that_was_denied_or_not_valid_was_not_made() -> None:
    def pay(amount: int) -> str:
        """Pay."""
        return "paid"

    asks = nba.tool(ask=True)(pay)
    script = [[call("pay", amount=3), request("x", "pay", amount="much")], "no"]
    run = agent(script, [asks]).run("Pay", log="memory")
    nba.expect(run).never("pay").denied("pay", times=1).called("pay", status="denied")
    said = broken(lambda: nba.expect(run).called("pay", amount=3))
    assert "← denied, so the tool did not get it" in said
    assert "it was no valid call" in said


def test_what_a_call_gave_is_looked_at_too() -> None:
    run = run_of(*OSLO)
    nba.expect(run).called("find_place", gave=re.compile("59")).called("center", gave=str)
    assert "gave" in broken(lambda: nba.expect(run).called("find_place", gave="nothing"))


def test_runs_inside_of_calls_count_and_can_be_told_apart() -> None:
    inner = agent([call("wipe", disk="sda"), "wiped"], [wipe], approval="auto")
    outer = nba.Agent(
        "chief",
        tools=[inner.as_tool(name="clean"), double],
        model=nba.ScriptedModel([call("clean", input="go"), call("double", number=2), "ok"]),
        approval="auto",
    )
    run = outer.run("Clean up", log="memory")
    nba.expect(run).called("wipe", inside="clean").called("wipe", inside="tester")
    nba.expect(run).called("clean").then("wipe").then("double")
    nba.expect(run).never("wipe", inside=False).called("double", inside=False)
    nba.expect(run).within(max_calls=3)
    nba.expect(run.children[0]).called("wipe").answered(equals="wiped")
    said = broken(lambda: nba.expect(run).called("wipe").then("clean"))
    assert "✗   done      clean(" in said
    assert "\n✓       done      wipe(" in said


def test_answers_are_looked_at_as_text_and_as_values() -> None:
    run = run_of(*OSLO)
    nba.expect(run).answered().answered(equals="Oslo is at 59.9, 10.7.")
    nba.expect(run).answered(matches=r"\d+\.\d").answered(contains=["Oslo", "10.7"])
    nba.expect(run).answered(lambda text: text.endswith("."))
    typed = agent(['{"value": 4}'], output=int).run("?", log="memory")
    nba.expect(typed).answered(equals=4).answered(lambda number: number == 4)
    for look, why in (
        (lambda: nba.expect(run).answered(contains="Bergen"), 'it does not contain "Bergen"'),
        (lambda: nba.expect(run).answered(equals="Oslo"), 'it is not "Oslo"'),
        (lambda: nba.expect(run).answered(matches="^no"), "/^no/ is not found in it"),
        (lambda: nba.expect(run).answered(str.isdigit), "isdigit(…) does not accept it"),
    ):
        assert why in broken(look)


def test_bounds_that_are_passed_are_named() -> None:
    said = broken(lambda: nba.expect(run_of(*OSLO)).within(max_calls=1, max_steps=2, max_cost=1))
    assert said.startswith(
        "It took 2 calls, more than 1. It took 3 steps, more than 2. Nobody knows what it cost"
    )


def test_ends_of_runs_and_of_calls_are_told() -> None:
    def fall(number: int) -> str:
        """Fall."""
        raise nba.ToolError("too steep", kind="unavailable")

    run = agent([call("fall", number=1), call("double", number=1), "up"], [fall, double]).run(
        "Go", log="memory"
    )
    nba.expect(run).succeeded().failed("fall", kind="unavailable", contains="steep", times=1)
    nba.expect(run).succeeded("double")
    assert "1 of 1 call of fall did not succeed" in broken(
        lambda: nba.expect(run).succeeded("fall")
    )
    assert "double did not fail" in broken(lambda: nba.expect(run).failed("double"))
    assert "The run ended as: done" in broken(lambda: nba.expect(run).failed())
    limited = run_of(call("double", number=1), "late", max_steps=1)
    nba.expect(limited).failed(status="limit")
    assert "limit" in broken(lambda: nba.expect(limited).succeeded())


def test_what_a_person_was_asked_is_told() -> None:
    def pay(amount: int) -> str:
        """Pay."""
        return "paid"

    def answer(question: nba.Await) -> nba.Answer:
        return nba.Answer(action="approve")

    run = agent([call("pay", amount=3), "paid"], [nba.tool(ask=True)(pay)], on_await=answer).run(
        "Pay", log="memory"
    )
    nba.expect(run).asked("pay", outcome="answered", times=1).called("pay")
    assert "A person was never asked about double" in broken(
        lambda: nba.expect(run).asked("double")
    )
    nba.expect(run_of(*OSLO)).asked(times=0)


def test_a_branch_has_kept_calls_and_made_others() -> None:
    run = run_of([call("double", number=1), call("double", number=2)], "3")
    script = nba.ScriptedModel([call("double", number=9), "18"])
    branch = run.fork(at=2, result=7, model=script)
    nba.expect(branch).called("double", number=2, gave="7").then("double", number=9)
    nba.expect(branch).within(max_calls=2)
    said = broken(lambda: nba.expect(branch).never("double", number=9))
    assert "\n    done, kept double(number=1)" in said
    assert "\n✗   done      double(number=9)" in said


def test_never_of_a_name_that_may_be_misspelt_warns() -> None:
    with pytest.warns(UserWarning, match="Is it 'wipe'?") as caught:
        nba.expect(run_of(*OSLO)).never("wipes")
    assert caught[0].filename == __file__


def test_only_these_tools() -> None:
    nba.expect(run_of(*OSLO)).only("find_*", "center")
    nba.expect(run_of("Hello.")).only()
    said = broken(lambda: nba.expect(run_of(*OSLO)).only("center"))
    assert said.startswith("Other tools were called, too: find_place.")


def test_an_expectation_of_no_run_or_of_nothing_does_not_hold() -> None:
    """What was forgotten is told: a name that holds no run, and a chain without a link."""
    run = run_of(*OSLO)
    with pytest.raises(ValueError, match="The run is None: give a run"):
        nba.expect(None)
    with pytest.raises(ValueError, match="Nothing is expected"), nba.expect(run):
        pass
    with pytest.raises(ValueError, match="Nothing is expected"):
        nba.expect().of(run)
    for empty in ("", [""], []):
        with pytest.raises(ValueError, match="everything holds that"):
            nba.expect(run).answered(contains=empty)


def test_a_run_that_goes_on_is_none_to_expect_something_of() -> None:
    """Also one that has not told yet how it began."""
    gate = Event()

    def waits(number: int) -> int:
        """Waits."""
        gate.wait()
        return number

    run = agent([call("waits", number=2), "2"], [waits]).start("Wait", log="memory")
    with pytest.raises(RunError, match="goes on"):
        nba.expect(run).never("wipe")
    gate.set()
    run.wait()
    nba.expect(run).never("wipe")


@pytest.mark.parametrize("verb", ["called", "never", "then"])
def test_an_argument_that_no_such_tool_takes_is_said_to_be_none(verb: str) -> None:
    run = run_of(*OSLO)
    expected = "wipe has no argument 'dsik'. Did you mean 'disk'?"
    said = broken(lambda: getattr(nba.expect(run), verb)("wipe", dsik="sda"))
    assert said.startswith(expected)
    said = broken(lambda: getattr(nba.expect(run), verb)("wip*", dsik="sda"))
    assert said.startswith(expected)
    said = broken(lambda: nba.expect(run).called("center", lno=10.7))
    assert '← called("center", lno=10.7)' in said
    held = nba.expect().never("wipe", dsik="sda")
    assert "has no argument 'dsik'" in broken(lambda: held.of(run))


def test_what_a_tool_takes_is_asked_of_the_tools_alone_that_are_at_hand() -> None:
    run = run_of(*OSLO)
    nba.expect(run).never("unheard", of="anything")
    nba.expect(run.tree()).never("wipe", dsik="sda")


def test_an_argument_that_a_model_has_made_up_can_be_expected() -> None:
    run = run_of(call("wipe", disc="sda"), "It did not work.")
    nba.expect(run).called("wipe", status="failed", disc="sda").never("wipe", disc="sda")


@pytest.mark.parametrize(
    ("verb", "given", "said"),
    [
        ("answered", {"contains": None}, "contains is None: give a text"),
        ("answered", {"contains": ["Oslo", None]}, "give a text"),
        ("answered", {"contains": re.compile("o")}, "a pattern is matches="),
        ("answered", {"contains": []}, "everything holds that"),
        ("answered", {"matches": None}, "matches is None: give a regular expression"),
        ("answered", {"matches": "("}, "which is no pattern"),
        ("failed", {"contains": None}, "contains is None"),
        ("asked", {"contains": ""}, "everything holds that"),
        ("within", {}, "bounds nothing"),
        ("within", {"max_calls": None}, "bounds nothing"),
        ("within", {"max_calls": -1}, "max_calls is -1: give a number from 0 on"),
        ("within", {"max_seconds": float("nan")}, "give a number from 0 on"),
        ("within", {"max_cost": float("inf")}, "give a number from 0 on"),
        ("within", {"max_steps": "3"}, "give a number from 0 on"),
        ("within", {"max_tokens": True}, "give a number from 0 on"),
    ],
)
def test_what_would_hold_of_every_run_is_refused(
    verb: str, given: dict[str, Any], said: str
) -> None:
    for expectation in (nba.expect(), nba.expect(run_of(*OSLO))):
        with pytest.raises(ValueError, match=re.escape(said)):
            getattr(expectation, verb)(**given)
    with pytest.raises(ValueError, match="give a function of the answer"):
        nba.expect().answered("Oslo")  # pyright: ignore[reportArgumentType]  what people give
