"""Limits over a tree of runs: what is drawn from above, set aside, and given back."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from nbagents.errors import RunError
from nbagents.results import CallResult, Limits, Usage
from nbagents.runs.policy.limits import Purse, Spending


def spending(parent: Spending | None = None, name: str = "", **limits: Any) -> Spending:
    made = Spending(Limits(**limits), parent, agent_name=name)
    made.begin()
    return made


def test_a_run_without_a_limit_draws_on_the_run_above_as_it_goes() -> None:
    above = spending(max_calls=3)
    below = spending(above)
    assert below.take_calls(2) == 2
    assert above.take_calls(2) == 1
    assert below.take_calls(1) == 0


def test_two_threads_do_not_both_draw_what_is_there_once(monkeypatch: pytest.MonkeyPatch) -> None:
    above = spending(max_calls=1)
    below = [spending(above), spending(above)]
    both = threading.Barrier(2)
    plain = Purse.left

    def slow(purse: Purse) -> float | None:
        left = plain(purse)
        if purse is above.calls:  # let the other thread look, too, if nothing keeps it
            with contextlib.suppress(threading.BrokenBarrierError):
                both.wait(0.2)
        return left

    monkeypatch.setattr(Purse, "left", slow)
    with ThreadPoolExecutor() as threads:
        drawing = [threads.submit(one.take_calls, 1) for one in below]
    assert sorted(one.result() for one in drawing) == [0, 1]


def test_a_run_with_a_limit_sets_as_much_aside_when_it_begins() -> None:
    above = spending(max_calls=5)
    below = spending(above, max_calls=3)
    assert above.take_calls(9) == 2
    assert below.take_calls(9) == 3


def test_no_more_is_set_aside_than_there_is_above() -> None:
    above = spending(max_calls=2)
    below = spending(above, max_calls=5)
    assert below.take_calls(5) == 2
    assert above.take_calls(1) == 0


def test_what_is_left_is_given_back_at_the_end_once() -> None:
    above = spending(max_calls=5)
    below = spending(above, max_calls=4)
    below.take_calls(1)
    below.end()
    below.end()
    assert above.take_calls(9) == 4


def test_runs_beside_each_other_share_what_is_left() -> None:
    above = spending(max_calls=5)
    first, second = spending(above, max_calls=3), spending(above, max_calls=3)
    assert (first.take_calls(9), second.take_calls(9)) == (3, 2)


def test_what_is_drawn_two_floors_down_counts_for_all_above() -> None:
    top = spending(max_tokens=100)
    leaf = spending(spending(top))
    leaf.take_tokens(Usage(input_tokens=90, output_tokens=10))
    assert [one.is_over for one in (top, leaf)] == [True, True]


def test_tokens_beyond_what_was_set_aside_are_missing_above() -> None:
    above = spending(max_tokens=100)
    below = spending(above, max_tokens=40)
    below.take_tokens(Usage(input_tokens=70))
    below.end()
    assert above.tokens.left() == 30


def test_a_call_that_there_is_no_room_for_says_whose_limit_it_was() -> None:
    above = spending(max_calls=1, name="boss")
    below = spending(above, name="helper")
    below.take_calls(1)
    assert below.not_made().content == (
        "Not called: max_calls=1 of 'boss', above this run is used up, or set aside for runs that "
        "still go on. Answer now."
    )
    assert str(below.reached) == "max_calls=1 of 'boss', above this run"
    assert str(above.reached) == "max_calls=1"


def test_the_limit_that_was_reached_first_is_told() -> None:
    run = spending(max_calls=1, max_tokens=10)
    run.take_calls(1)
    assert str(run.reached) == "max_calls=1"
    run.take_tokens(Usage(input_tokens=20))
    assert str(run.reached) == "max_calls=1"


def test_the_time_of_a_run_above_is_that_of_those_below() -> None:
    above = spending(timeout_s=0.001, name="boss")
    below = spending(above, timeout_s=60, name="helper")
    while not above.is_over:
        pass
    assert str(below.reached) == "timeout_s=0.001 of 'boss', above this run"


def test_runs_below_each_other_have_an_end() -> None:
    top = spending(max_depth=2, name="top")
    top.refuse_child()
    second = spending(top)
    second.refuse_child()
    third = spending(second)
    with pytest.raises(RunError, match="below 'top', which allows max_depth=2"):
        third.refuse_child()


def test_no_run_begins_where_nothing_is_left() -> None:
    above = spending(max_calls=1)
    above.take_calls(1)
    with pytest.raises(RunError, match="max_calls=1 is used up"):
        above.refuse_child()


def test_what_a_sibling_has_set_aside_is_there_again_when_it_has_ended() -> None:
    above = spending(max_calls=3)
    below = spending(above, max_calls=3)
    with pytest.raises(RunError, match="or set aside for runs that still go on"):
        above.refuse_child()
    below.take_calls(1)
    below.end()
    above.refuse_child()
    assert not above.is_over
    assert above.take_calls(9) == 2


def result(status: Any) -> CallResult:
    return CallResult(content="", status=status)


@pytest.mark.parametrize(
    ("batches", "is_over"),
    [
        ([["failed"], ["timed_out", "failed"]], True),
        ([["failed"], ["failed", "done"], ["failed"]], False),
        ([["failed"], ["denied"], ["failed"]], True),
        ([["failed"], ["skipped", "denied"]], False),
        ([["failed", "denied"], ["failed"]], True),
        ([["failed"], ["cancelled"], ["failed"]], False),
    ],
)
def test_steps_that_fail_are_counted_until_one_gives_a_result(
    batches: list[list[str]], *, is_over: bool
) -> None:
    run = spending(max_failed_batches=2)
    for batch in batches:
        run.count_batch([result(status) for status in batch])
    assert run.is_over is is_over


def test_money_is_counted_by_the_prices_of_this_run_and_those_above() -> None:
    prices = {"big": {"input": 2.0, "output": 10.0, "cached": 1.0}}
    above = Spending(Limits(max_cost=1.0), prices=prices, agent_name="boss")
    above.begin()
    below = Spending(Limits(), above, {"small": {"input": 1.0, "output": 1.0}})
    below.begin()
    used = Usage(input_tokens=200_000, cached_tokens=100_000, output_tokens=50_000)
    assert below.take_tokens(used, "big") == pytest.approx(0.2 + 0.1 + 0.5)
    assert below.take_tokens(Usage(input_tokens=200_000), "small") == pytest.approx(0.2)
    assert str(below.reached) == "max_cost=1 of 'boss', above this run"
    assert below.take_tokens(used, "free") is None
    with pytest.raises(ValueError, match=r'prices=\{"free": \{"input": 0.2'):
        below.refuse_unpriced(["big", "free"])


def test_who_waits_for_a_person_spends_no_time_of_those_above() -> None:
    async def waits() -> float | None:
        above = spending(timeout_s=60)
        below = spending(above)
        with below.clock.standing_still():
            before_s = above.left_s(is_final=False)
            await asyncio.sleep(0.05)
            after_s = above.left_s(is_final=False)
        assert before_s is not None
        assert after_s is not None
        return before_s - after_s

    spent_s = asyncio.run(waits())
    assert spent_s is not None
    assert spent_s < 0.01
