"""What is asked for in another thread is done on the main one, in order, once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError

import pytest

from nbagents.notebook.kernel import main_thread
from nbagents.notebook.kernel.main_thread import run_pending, soon


@pytest.fixture(autouse=True)
def nothing_waits() -> Iterator[None]:
    run_pending()
    yield
    run_pending()


def in_thread(function: object) -> None:
    thread = threading.Thread(target=function)  # pyright: ignore[reportArgumentType]  any callable
    thread.start()
    thread.join(5)


def test_what_another_thread_asks_for_is_done_here_in_order() -> None:
    done: list[tuple[int, int]] = []

    def ask() -> None:
        for number in range(3):
            soon(lambda number=number: done.append((number, threading.get_ident())))

    in_thread(ask)
    assert done == []
    run_pending()
    assert done == [(number, threading.get_ident()) for number in range(3)]
    run_pending()
    assert len(done) == 3


def test_another_thread_does_nothing() -> None:
    future = soon(lambda: 1)
    in_thread(run_pending)
    assert not future.done()
    run_pending()
    assert future.result() == 1


def test_an_error_is_for_whoever_asked() -> None:
    future = soon(lambda: 1 / 0)
    after = soon(lambda: 1)
    run_pending()
    with pytest.raises(ZeroDivisionError):
        future.result()
    assert after.result() == 1


def test_a_stop_is_felt() -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    soon(stopped)
    with pytest.raises(KeyboardInterrupt):
        run_pending()


def test_what_is_asked_for_meanwhile_is_for_the_next_time() -> None:
    done: list[str] = []
    soon(lambda: soon(lambda: done.append("later")))
    run_pending()
    assert done == []
    run_pending()
    assert done == ["later"]


def test_one_that_waits_itself_does_the_others() -> None:
    done: list[str] = []
    soon(run_pending)
    soon(lambda: done.append("once"))
    run_pending()
    assert done == ["once"]


def test_a_page_that_says_too_much_loses_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main_thread, "MOST", 2)
    first, *rest = [soon(lambda: 1) for _ in range(3)]
    run_pending()
    with pytest.raises(CancelledError):
        first.result()
    assert [one.result() for one in rest] == [1, 1]


def test_what_nobody_wants_any_more_is_not_done() -> None:
    done: list[str] = []
    soon(lambda: done.append("unwanted")).cancel()
    run_pending()
    assert done == []


def test_the_kernel_s_loop_is_told_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loop:
        def __init__(self) -> None:
            self.called: list[object] = []

        def add_callback(self, callback: object) -> None:
            self.called.append(callback)

    class Kernel:
        io_loop = Loop()

    monkeypatch.setattr(main_thread, "kernel_here", Kernel)
    soon(lambda: 1)
    assert Kernel.io_loop.called == [run_pending]
