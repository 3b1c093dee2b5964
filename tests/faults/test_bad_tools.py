"""Tools that misbehave: each leaves one result, a readable log, and a process that goes on."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

import nbagents as nba
from nbagents.runs.drive.calls.call_output import MAX_TEXT, TAIL
from nbagents.tools.call.return_value import MAX_CONTENT
from tests.faults.leaving import assert_sound, call_of, ends_of, run_to_the_end
from tests.faults.one_tool import (
    assert_next_run_works,
    ended_with,
    in_each_place,
    log_size,
    printed,
    tool_of,
)
from tests.unit.runs.desk import ShowingHost, agent, request, turn

if TYPE_CHECKING:
    from nbagents.runs.state.session import Session

BIG = 100_000_000


class OddError(BaseException):
    """No `Exception`, as some libraries have it."""


class Unreadable:
    def __str__(self) -> NoReturn:
        raise OSError("no words")

    __repr__ = __str__


class UnreadableError(Exception):
    def __str__(self) -> NoReturn:
        raise OSError("no words")


# What it raises


@pytest.mark.parametrize("place", ["main", "thread", "async"])
@pytest.mark.parametrize(
    "error",
    [SystemExit(3), GeneratorExit(), OddError("odd"), MemoryError(), StopIteration(7)],
    ids=lambda error: type(error).__name__,
)
def test_whatever_a_tool_raises_is_told_to_the_model(
    session: Session, place: str, error: BaseException
) -> None:
    def it() -> None:
        """Raise."""
        raise error

    ended = ended_with(session, in_each_place(it)[place])
    assert (ended.run.status, ended.run.text, ended.error) == ("completed", "So be it.", None)
    call = call_of(ended.run)
    assert (call.status, call.failure.kind, call.failure.recovery) == (
        *("failed", "internal", "replan"),
    )
    assert type(error).__name__ in call.content


def test_an_interrupt_on_the_main_thread_is_the_persons_stop(session: Session) -> None:
    def it() -> None:
        """Be interrupted, as by Ctrl-C."""
        signal.raise_signal(signal.SIGINT)

    ended = ended_with(session, in_each_place(it)["main"])
    assert ended.run.status == "cancelled"
    assert isinstance(ended.error, KeyboardInterrupt)
    assert call_of(ended.run).status == "cancelled"


@pytest.mark.parametrize("place", ["main", "thread", "async"])
def test_an_interrupt_that_a_tool_raises_is_its_failure(session: Session, place: str) -> None:
    def it() -> None:
        """Raise."""
        raise KeyboardInterrupt

    ended = ended_with(session, in_each_place(it)[place])
    assert (ended.run.status, call_of(ended.run).status) == ("completed", "failed")


@pytest.mark.parametrize("place", ["main", "thread", "async"])
def test_a_recursion_without_end_is_told(session: Session, place: str) -> None:
    def it() -> object:
        """Go on."""
        return it()

    ended = ended_with(session, in_each_place(it)[place])
    assert ends_of(ended.run) == ("completed", "failed")
    assert "RecursionError" in call_of(ended.run).content


def test_an_error_without_words_is_told_by_its_name(session: Session) -> None:
    def it() -> None:
        """Raise."""
        raise UnreadableError

    ended = ended_with(session, in_each_place(it)["main"])
    assert call_of(ended.run).content == "UnreadableError"


def test_an_error_of_100_mb_is_told_in_short(session: Session) -> None:
    def it() -> None:
        """Raise."""
        raise ValueError("x" * BIG)

    ended = ended_with(session, in_each_place(it)["main"])
    assert ends_of(ended.run) == ("completed", "failed")
    assert len(call_of(ended.run).content) < 5_000
    assert log_size(session) < 100_000


# What it returns


@pytest.mark.parametrize("place", ["main", "thread", "async"])
def test_a_result_without_words_is_malformed(session: Session, place: str) -> None:
    ended = ended_with(session, in_each_place(lambda: Unreadable())[place])  # noqa: PLW0108  each a new one
    call = call_of(ended.run)
    assert (ended.run.status, call.status, call.failure.kind) == (
        *("completed", "failed", "malformed_result"),
    )
    assert isinstance(call.value, Unreadable)


def test_a_result_of_100_mb_is_cut_and_kept_as_an_object(session: Session) -> None:
    def it() -> str:
        """Return much."""
        return "x" * BIG

    ended = ended_with(session, in_each_place(it)["main"])
    call = call_of(ended.run)
    assert ends_of(ended.run) == ("completed", "done")
    assert MAX_CONTENT < len(call.content) < MAX_CONTENT + 500
    assert "All is kept as r1" in call.content
    assert len(call.value) == BIG
    assert log_size(session) < 1_000_000


def test_data_of_100_mb_is_not_put_into_the_log(session: Session) -> None:
    def it() -> nba.Result:
        """Return much."""
        return nba.Result("See there.", data={"kind": "text", "value": "x" * BIG})

    ended = ended_with(session, in_each_place(it)["main"])
    assert call_of(ended.run).status == "done"
    assert len(ended.run.data["call-1"]["value"]) == BIG
    assert log_size(session) < 2_000_000


def test_an_iterator_without_end_is_cut(session: Session) -> None:
    def it() -> Any:
        """Count."""
        number = 0
        while True:
            yield number
            number += 1

    ended = ended_with(session, tool_of(it))
    assert ends_of(ended.run) == ("completed", "done")
    assert "more" in call_of(ended.run).content
    assert log_size(session) < 5_000_000


# What it prints


@pytest.mark.parametrize(
    ("size", "total"),
    [
        pytest.param(100, BIG // 10, id="a-tenth-many-small"),
        pytest.param(100, BIG, id="many-small", marks=pytest.mark.slow),
        pytest.param(1_000_000, BIG, id="few-large"),
    ],
)
def test_100_mb_of_prints_are_cut_in_the_log(session: Session, size: int, total: int) -> None:
    text = "x" * (size - 1)

    def it() -> str:
        """Print much."""
        for _ in range(total // size):
            print(text)
        return "printed"

    steps = [turn(request("call-1", "it")), "So be it."]
    run = agent(steps, [it]).run("Print.", log=session, host=ShowingHost())
    assert_sound(run)
    assert ends_of(run) == ("completed", "done")
    assert call_of(run).content == "printed"
    kept = len(printed(run))
    assert MAX_TEXT - TAIL < kept < MAX_TEXT + 200  # with what says how much is left out
    assert log_size(session) < 2 * MAX_TEXT
    assert_next_run_works(session)


def test_a_million_steps_of_progress_are_few_events(session: Session) -> None:
    def it(ctx: nba.Context) -> str:
        """Go on."""
        for step in range(1_000_000):
            ctx.progress("on and on", step / 1_000_000)
        return "there"

    ended = ended_with(session, tool_of(it))
    assert ended.run.status == "completed"
    assert log_size(session) < 2_000_000


def test_a_thread_that_prints_after_its_call_prints_where_it_would_have(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    may_print, has_printed = threading.Event(), threading.Event()

    def later() -> None:
        may_print.wait()
        print("late")
        has_printed.set()

    def it() -> str:
        """Leave a thread behind."""
        threading.Thread(target=later).start()
        print("early")
        return "left"

    ended = run_to_the_end(agent([turn(request("call-1", "it")), "Done."], [it]), session)
    may_print.set()
    has_printed.wait()
    assert ends_of(ended.run) == ("completed", "done")
    assert printed(ended.run) == "early\n"
    assert capsys.readouterr().out.endswith("late\n")
    assert_sound(ended.run)
    assert_next_run_works(session)


def test_a_tool_that_closes_stdout_does_not_silence_the_next(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    null = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  a tool tries to close it
    monkeypatch.setattr(sys, "stdout", null)

    def it() -> str:
        """Close."""
        sys.stdout.close()
        return "closed"

    steps = [turn(request("call-1", "it")), "Done."]
    run = agent(steps, [it]).run("Close.", log=session, host=ShowingHost())
    assert_sound(run)
    assert (run.status, call_of(run).content) == ("completed", "closed")

    def speak() -> str:
        """Speak."""
        print("heard")
        return "spoke"

    steps = [turn(request("call-1", "speak")), "Done."]
    run = agent(steps, [speak]).run("Speak.", log=session, host=ShowingHost())
    assert_sound(run)
    assert (printed(run), call_of(run).status) == ("heard\n", "done")
    null.close()
