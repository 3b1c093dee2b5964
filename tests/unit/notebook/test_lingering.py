"""A run in the background keeps its place: live, said to go on, frozen there when it has ended."""

from __future__ import annotations

import asyncio
import builtins
import threading
import time
from collections.abc import Callable
from typing import Any

import comm
import pytest

from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.kernel.click_pump import Pump, through_awaits
from nbagents.notebook.kernel.kernel_loop import between_cells, is_in_cell, main_loop_of
from nbagents.notebook.live.display import NotebookHost
from nbagents.runs.state.desk import Answer
from nbagents.runs.state.run.run import Run
from tests.told import told_tree
from tests.unit.notebook.test_confirm import GO_ON
from tests.unit.notebook.test_display import (
    RUN_MIME,
    WIDGET_MIME,
    FakeShell,
    Wire,
)
from tests.unit.notebook.test_pump import Kernel as PumpedKernel
from tests.unit.notebook.test_pump import message


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> FakeShell:
    Wire.opened = []
    monkeypatch.setattr(comm, "create_comm", Wire)
    made = FakeShell()
    made.events.callbacks["post_run_cell"] = []
    return made


def host(shell: Any, mode: str) -> NotebookHost:
    return NotebookHost(shell, mode=lambda: mode)  # type: ignore[arg-type,return-value]


class Gate:
    """An agent whose only tool waits until it may end."""

    def __init__(self) -> None:
        self.is_open = False

        async def hold() -> str:
            while not self.is_open:  # noqa: ASYNC110  set by the test
                await asyncio.sleep(0.005)
            return "held"

        self.agent = Agent(tools=[hold], model=ScriptedModel([call("hold"), "done"]))

    def start(self, shown_by: NotebookHost) -> Run:
        return self.agent.start("Hold.", log="memory", host=shown_by)


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


def in_cell(_kernel: object) -> bool:
    """A cell runs."""
    return True


def published(shell: FakeShell) -> list[dict[str, Any]]:
    return shell.display_pub.published


def test_it_is_live_from_its_start_and_frozen_in_the_same_place(shell: FakeShell) -> None:
    gate = Gate()
    run = gate.start(host(shell, "live"))
    (live,) = published(shell)
    assert {WIDGET_MIME, RUN_MIME, "text/html"} <= set(live["data"])
    gate.is_open = True
    run.wait(5)
    frozen = published(shell)[-1]
    assert (frozen["update"], frozen["transient"]) == (True, live["transient"])
    assert WIDGET_MIME not in frozen["data"]


def test_what_is_left_of_a_run_that_no_notebook_saw_the_end_of_says_so(shell: FakeShell) -> None:
    gate = Gate()
    run = gate.start(host(shell, "live"))
    left = published(shell)[0]["data"]
    assert "Hold." in left["text/html"]
    assert "The notebook did not see the end of this run" in left["text/html"]
    assert left[RUN_MIME]["tree"]["runs"][run.id]["status"] == "unknown"
    run.stop()
    run.wait(5)


def test_while_it_goes_on_another_cell_shows_the_same_view_and_both_are_frozen(
    shell: FakeShell,
) -> None:
    gate = Gate()
    shown_by = host(shell, "live")
    run = gate.start(shown_by)
    shown_by.show(run)
    assert len(published(shell)) == 1, "this very cell shows it"
    shell.execution_count = 2
    shown_by.show(run)
    first, second = published(shell)
    assert second["data"] == first["data"]
    assert second["transient"] == first["transient"]
    gate.is_open = True
    run.wait(5)
    assert [one.get("update") for one in published(shell)] == [None, None, True]


def test_where_nobody_watches_its_place_says_that_it_goes_on_and_then_how_it_ended(
    shell: FakeShell,
) -> None:
    gate = Gate()
    run = gate.start(host(shell, "static"))
    (begun,) = published(shell)
    assert "goes on in the background" in begun["data"]["text/plain"]
    gate.is_open = True
    run.wait(5)
    ended = published(shell)[-1]
    assert (ended["update"], ended["transient"]) == (True, begun["transient"])
    assert "held" in ended["data"]["text/plain"]
    assert Wire.opened == []


def test_where_nobody_watches_the_end_is_told_again_by_the_next_cell_once(
    shell: FakeShell,
) -> None:
    gate = Gate()
    run = gate.start(host(shell, "static"))
    gate.is_open = True
    until(lambda: bool(shell.events.callbacks["post_run_cell"]))
    count = len(published(shell))
    for _ in range(2):
        shell.events.trigger("post_run_cell", None)
    assert len(published(shell)) == count + 1
    assert run.wait(5).status == "completed"


def test_a_terminal_shows_it_when_somebody_has_waited_and_not_amid_their_typing(
    shell: FakeShell, capsys: pytest.CaptureFixture[str]
) -> None:
    del shell.kernel
    gate = Gate()
    run = gate.start(host(shell, "auto"))
    waiting = threading.Timer(0.1, lambda: setattr(gate, "is_open", True))
    waiting.start()
    assert capsys.readouterr().out == ""
    run.wait(5)
    waiting.join()
    assert "held" in capsys.readouterr().out


def test_a_page_is_told_which_calls_are_open_also_one_that_comes_late(shell: FakeShell) -> None:
    gate = Gate()
    run = gate.start(host(shell, "static").with_mode("live", opened="all"))
    view = next(wire for wire in Wire.opened if any("content" in sent for sent in wire.sent))
    said = {"type": "options", "open": "all"}
    assert next(sent["content"] for sent in view.sent if "content" in sent) == said
    sync = {"method": "custom", "content": {"type": "sync", "from": 0}}
    view.handle_msg({"content": {"data": sync}, "buffers": []})
    assert [sent.get("content") for sent in view.sent].count(said) == 2
    gate.is_open = True
    run.wait(5)
    assert published(shell)[-1]["data"][RUN_MIME]["open"] == "all"


def test_a_page_that_was_reloaded_keeps_its_view(shell: FakeShell) -> None:
    gate = Gate()
    run = gate.start(host(shell, "live"))
    view = Wire.opened[-1]
    for page, position in (("a", 0), ("a", 3), ("b", 0)):
        sync = {"method": "custom", "content": {"type": "sync", "from": position, "page": page}}
        view.handle_msg({"content": {"data": sync}, "buffers": []})
    gate.is_open = True
    run.wait(5)
    told = told_tree(sent["content"] for sent in view.sent if "content" in sent)
    assert told["runs"][run.id]["status"] == "completed"
    assert "comm_close" not in [sent["type"] for sent in view.sent]


def test_a_page_that_repeats_its_greeting_is_still_one(shell: FakeShell) -> None:
    gate = Gate()
    run = gate.start(host(shell, "live"))
    view = Wire.opened[-1]
    for _ in range(4):  # a slow kernel has not answered yet
        sync = {"method": "custom", "content": {"type": "sync", "from": 0, "page": "a"}}
        view.handle_msg({"content": {"data": sync}, "buffers": []})
    gate.is_open = True
    run.wait(5)
    assert "comm_close" in [sent["type"] for sent in view.sent], "the frozen form replaced it"


def test_a_person_is_asked_only_while_a_cell_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    class Kernel:
        _allow_stdin = True

        def raw_input(self, prompt: str = "") -> str:
            return "y"

    shell: Any = FakeShell()
    shell.kernel = Kernel()
    run: Any = None
    assert host(shell, "static").ask(run, GO_ON) is None
    monkeypatch.setattr(builtins, "input", shell.kernel.raw_input)
    assert is_in_cell(shell.kernel)
    assert host(shell, "static").ask(run, GO_ON) == Answer(action="approve")


def test_the_kernel_is_busy_during_a_turn_and_idle_after_it(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel: Any = shell.kernel
    with between_cells(kernel):
        assert kernel.statuses == ["busy"]
    assert kernel.statuses == ["busy", "idle"]
    monkeypatch.setattr("nbagents.notebook.kernel.kernel_loop.is_in_cell", in_cell)
    with between_cells(kernel):
        pass
    assert kernel.statuses[2:] == ["busy", "busy"]
    with between_cells(None):
        pass


def test_the_loop_of_the_main_thread_is_the_kernels() -> None:
    class Loop:
        asyncio_loop = "the loop"

    class Kernel:
        io_loop = Loop()

    assert main_loop_of(Kernel()) == "the loop"
    assert main_loop_of(None) is None


def test_a_cell_that_awaits_hears_clicks_and_leaves_all_else_to_the_kernel_until_it_ends(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel: Any = PumpedKernel()
    monkeypatch.setattr("nbagents.notebook.kernel.click_pump.is_in_cell", in_cell)
    monkeypatch.setattr("nbagents.notebook.kernel.click_pump.hears_in_awaits", lambda: False)
    before = kernel.shell_stream.receiver
    with through_awaits(kernel, shell.events):
        kernel.shell_stream.waiting += [message("execute_request", 1), message("comm_msg", 2)]
        kernel.shell_stream.flush(0)
    assert (kernel.ran, kernel.comm_manager.told) == ([1], [2])
    assert kernel.shell_stream.receiver != before, "other runs of the cell may go on"
    shell.events.trigger("post_run_cell", None)
    assert kernel.shell_stream.receiver == before


def test_where_the_kernel_hears_by_itself_nothing_is_taken(shell: FakeShell) -> None:
    kernel: Any = PumpedKernel()
    before = kernel.shell_stream.receiver
    with through_awaits(kernel, shell.events) as pump:
        assert isinstance(pump, Pump)
        assert kernel.shell_stream.receiver == before
