"""Worker threads: used again, each call in the context it was made in."""

from __future__ import annotations

import asyncio
import contextvars
import threading

import pytest

from nbagents.runs.lanes import workers
from nbagents.runs.lanes.workers import in_thread

name = contextvars.ContextVar("name", default="none")


def where() -> tuple[int, str]:
    seen = name.get()
    name.set("left behind")
    return threading.get_ident(), seen


def test_a_thread_with_nothing_to_do_takes_the_next_call_in_its_own_context() -> None:
    async def main() -> tuple[object, object]:
        token = name.set("first")
        first = await in_thread(where)
        name.reset(token)
        while not workers.idle:  # noqa: ASYNC110  it says nothing when it is done
            await asyncio.sleep(0)
        return first, await in_thread(where)

    workers.idle.clear()
    first, second = asyncio.run(main())
    assert isinstance(first, tuple)
    assert first[1:] == ("first",)
    assert second == (first[0], "none")


def test_an_idle_thread_ends_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "IDLE_S", 0.01)
    monkeypatch.setattr(workers, "idle", type(workers.idle)())
    thread = asyncio.run(in_thread(threading.current_thread))
    assert isinstance(thread, threading.Thread)
    thread.join(5)
    assert not thread.is_alive()
    assert not workers.idle


def test_a_call_that_raises_leaves_its_thread_usable() -> None:
    def broken() -> None:
        raise KeyError("no")

    async def main() -> object:
        with pytest.raises(KeyError):
            await in_thread(broken)
        return await in_thread(lambda: "fine")

    assert asyncio.run(main()) == "fine"
