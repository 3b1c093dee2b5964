"""Whether a click can answer: a page that shows the run must have come."""

from __future__ import annotations

import threading
from queue import Queue
from typing import Any

import comm
import pytest

from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.live import screens
from nbagents.notebook.live.display import NotebookHost
from nbagents.runs.lanes.causes import BY_PERSON
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session, open_log
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.notebook.test_display import FakeShell, Wire
from tests.unit.notebook.test_lingering import until

ASKING = {"type": "sync", "from": 0}


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> FakeShell:
    Wire.opened = []
    monkeypatch.setattr(comm, "create_comm", Wire)
    return FakeShell()


def host(shell: Any, mode: str) -> NotebookHost:
    return NotebookHost(shell, mode=lambda: mode)  # type: ignore[arg-type,return-value]


def say(content: object) -> None:
    """A message of the page to the view that was opened last."""
    data = {"method": "custom", "content": content}
    Wire.opened[-1].handle_msg({"content": {"data": data}, "buffers": []})


def a_run(parent: Run | None = None) -> Run:
    session = parent.session if parent else Session(open_log("memory"))
    return Run(session, agent_name="agent", prompt="Go", parent=parent)


def test_a_page_that_shows_the_run_hears_for_all_runs_inside_it(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(screens.time, "monotonic", lambda: clock[0])
    shown_by, run = host(shell, "live"), a_run()
    inside = a_run(a_run(run))
    with shown_by.linger(run, run.stop):
        assert shown_by.hears(run) is None
        assert shown_by.hears(inside) is None
        clock[0] += 3.1
        assert shown_by.hears(run) is False
        say(ASKING)
        assert shown_by.hears(run) is True
        assert shown_by.hears(inside) is True
        assert host(shell, "live").hears(run) is False, "it is shown by another"
        assert shown_by.with_mode("static").hears(run) is True, "it stands there already"
    assert shown_by.hears(run) is False


COMING = (
    {"type": "library", "name": "run-view"},
    {"type": "sync", "from": 3},
    {"type": "something that a later page says"},
)


@pytest.mark.parametrize("word", COMING, ids=lambda word: word["type"])
def test_a_page_that_has_said_anything_is_waited_for_however_slow_it_is(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch, word: dict[str, Any]
) -> None:
    clock = [100.0]
    monkeypatch.setattr(screens.time, "monotonic", lambda: clock[0])
    shown_by, run = host(shell, "live"), a_run()
    with shown_by.linger(run, run.stop):
        say(word)
        for passed_s in (3.1, 60.0, 86_400.0):
            clock[0] += passed_s
            assert shown_by.hears(run) is None
        say(ASKING)
        assert shown_by.hears(run) is True


def test_a_page_that_comes_after_all_patience_is_asked_and_nothing_was_denied(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can type here, as between two cells or where a front end takes no input."""
    monkeypatch.setattr(screens, "ARRIVAL_S", -1.0)
    waiting: Queue[Run] = Queue()
    shown_by = host(shell, "live")
    is_waited_for = shown_by.waits_for_page

    def waits_for_page(run: Run) -> bool:
        waiting.put(run)
        return is_waited_for(run)

    def come_late() -> None:
        run = waiting.get(timeout=20)
        statuses.extend(one["status"] for one in run.tree()["runs"][run.id]["calls"].values())
        say(ASKING)
        said = {"await_id": run.awaiting[0].id, "answer": {"action": "approve"}}
        say({"type": "resolve", "id": 1, **said})

    monkeypatch.setattr(shown_by, "waits_for_page", waits_for_page)
    statuses: list[str] = []
    person = threading.Thread(target=come_late)
    person.start()
    tool = Tool(shout, ToolOptions(ask=True))
    agent = Agent(tools=[tool], model=ScriptedModel([call("shout", text="a"), "done"]))
    run = agent.run("Go", log="memory", host=shown_by)
    person.join(20)
    assert statuses == ["waiting"]
    assert [one.status for one in run.calls] == ["done"]


def shout(text: str) -> str:
    """Shout."""
    return text.upper()


@pytest.mark.parametrize("mode", ["static", "text", "none"])
def test_where_no_page_watches_none_hears(shell: FakeShell, mode: str) -> None:
    shell.events.callbacks["post_run_cell"] = []
    shown_by, run = host(shell, mode), a_run()
    with shown_by.linger(run, run.stop):
        assert shown_by.hears(run) is False
    assert Wire.opened == []


def test_a_stop_of_the_page_is_of_the_whole_or_of_what_it_names(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[object] = []
    run = a_run()

    def stop_part(run_id: str, call_id: str | None = None, *, cause: str) -> None:
        assert cause == BY_PERSON
        stopped.append((run_id, call_id))

    monkeypatch.setattr(run, "stop_part", stop_part)
    with host(shell, "live").linger(run, lambda: stopped.append("all")):
        say({"type": "stop"})
        say({"type": "stop", "run_id": "run-9"})
        say({"type": "stop", "call_id": "call-1"})
    assert stopped == ["all", ("run-9", None), (run.id, "call-1")]


def test_a_click_allows_the_call_that_waits(shell: FakeShell) -> None:
    deleted: list[str] = []

    def delete(path: str) -> str:
        deleted.append(path)
        return "gone"

    tool = Tool(delete, ToolOptions(ask=True))
    agent = Agent(tools=[tool], model=ScriptedModel([call("delete", path="a"), "done"]))
    run = agent.start("Go", log="memory", host=host(shell, "live"))
    say(ASKING)
    until(lambda: bool(run.awaiting))
    answer = {"action": "approve", "arguments": {"path": "b"}}
    say({"type": "resolve", "id": 1, "await_id": run.awaiting[0].id, "answer": answer})
    run.wait(5)
    assert deleted == ["b"]
    assert run.calls[0].arguments == {"path": "b"}
