"""The main thread, shared: turns in order, on a loop or by whoever waits, one inside another."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading

import pytest

from nbagents.errors import RunError
from nbagents.runs.drive.control import Ending
from nbagents.runs.lanes.lane import Lane
from nbagents.runs.lanes.signals import pass_on
from nbagents.runs.lanes.turns import Turns
from nbagents.runs.lanes.waiting_lane import InTurn


def test_turns_that_were_asked_for_before_there_was_a_loop_are_taken_when_there_is_one() -> None:
    turns, taken = Turns(), list[int]()
    for number in range(3):
        turns.ask(lambda number=number: taken.append(number))
    assert (bool(turns), turns.has_loop) == (True, False)

    async def main() -> None:
        turns.use_loop(asyncio.get_running_loop())
        assert turns.has_loop
        await asyncio.sleep(0.01)

    asyncio.run(main())
    assert taken == [0, 1, 2]
    assert not turns.has_loop, "that loop is closed"


def test_between_two_turns_the_loop_does_what_else_was_asked_of_it() -> None:
    turns, order = Turns(), list[str]()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        turns.use_loop(loop)
        turns.ask(lambda: order.append("first turn"))
        loop.call_soon(order.append, "a cell")
        turns.ask(lambda: order.append("second turn"))
        await asyncio.sleep(0.01)

    asyncio.run(main())
    assert order == ["first turn", "a cell", "second turn"]


def test_a_loop_that_runs_inside_of_a_turn_takes_the_next_one_later() -> None:
    turns, order = Turns(), list[str]()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        turns.use_loop(loop)
        serve = turns._serve  # pyright: ignore[reportPrivateUsage]  as a patched loop would

        def outer() -> None:
            order.append("begun")
            turns.ask(lambda: order.append("inner"))
            serve()
            order.append("ended")

        turns.ask(outer)
        await asyncio.sleep(0.1)

    asyncio.run(main())
    assert order == ["begun", "ended", "inner"]


def test_who_waits_on_the_main_thread_is_woken_and_nobody_who_waits_elsewhere() -> None:
    turns, woken = Turns(), list[str]()
    with turns.given(lambda: woken.append("main")) as given:
        turns.ask(lambda: None)
        assert given.give()
        assert not given.give()

    def elsewhere() -> None:
        with turns.given(lambda: woken.append("elsewhere")) as none:
            turns.ask(lambda: None)
            assert not none

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert woken == ["main"]


def test_the_handler_of_the_kernel_is_told_and_pythons_own_is_not() -> None:
    told: list[object] = []

    def kernels(*given: object) -> None:
        told.append(given)

    pass_on(kernels)
    for other in (signal.default_int_handler, signal.SIG_IGN, None):
        pass_on(other)
    assert told == [(signal.SIGINT, None)]


def test_a_call_of_a_run_in_the_background_may_run_on_a_worker() -> None:
    lane = Lane(on_stop=lambda: None, in_turn=contextlib.nullcontext)
    in_turn = InTurn(lane, lambda _what: None, lambda: None)
    thread = asyncio.run(in_turn.in_thread(threading.current_thread))
    assert thread is not threading.main_thread()


def test_whoever_drives_a_run_cannot_wait_for_it_until_it_has_ended() -> None:
    ending = Ending(lambda _by: None, lambda: True)
    with ending, pytest.raises(RunError, match="cannot wait"):
        ending.wait(1)
    ending.wait(1)
