"""Threads: one door, through which a host can have its own."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import nbagents as nba
from nbagents.models.scripted import call
from nbagents.runs.lanes.workers import idle
from nbagents.threads import Started, start_thread, start_threads_by

PACKAGE = Path(nba.__file__).parent


@pytest.fixture
def started() -> Iterator[list[str]]:
    """The names under which a host of its own was asked to start work."""
    names: list[str] = []

    def start(work: Callable[[], object], name: str, is_daemon: bool) -> Started:  # noqa: FBT001
        names.append(name)
        thread = threading.Thread(target=work, daemon=is_daemon)
        thread.start()
        return thread

    start_threads_by(start)
    yield names
    start_threads_by(None)


def test_a_host_starts_all_threads_of_a_run(started: list[str]) -> None:
    def slow() -> int:
        return threading.get_ident()

    idle.clear()  # those that other tests have left
    model = nba.ScriptedModel([call("slow"), "Done."])
    agent = nba.Agent(tools=[nba.tool(thread=True)(slow)], model=model)
    run = agent.start("Go on.", log="memory").wait()
    assert run.text == "Done."
    assert "nbagents-tool" in started


def test_what_is_started_is_known_and_can_be_waited_for() -> None:
    may_end, names = threading.Event(), list[str]()

    def work() -> None:
        names.append(threading.current_thread().name)
        may_end.wait(10)

    thread = start_thread(work, "test")
    assert thread.is_alive()
    may_end.set()
    thread.join(10)
    assert not thread.is_alive()
    assert names == ["nbagents-test"]


def test_no_room_starts_a_thread_past_the_door() -> None:
    past = re.compile(r"threading\.(Thread|Timer)\(|\b(ThreadPoolExecutor)\(|start_new_thread")
    found = [
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path in PACKAGE.rglob("*.py")
        if path.name != "threads.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if past.search(line) and "`" not in line
    ]
    assert found == []
