"""One display per run: live where a page watches, frozen when it ends, text elsewhere."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import comm
import pytest
from comm.base_comm import BaseComm
from IPython.core.events import EventManager

from nbagents.agents import Agent
from nbagents.errors import ModelError
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.live.display import NotebookHost
from nbagents.runs.state.run.run import Run
from tests.told import told_tree

RUN_MIME = "application/vnd.nbagents.run.v1+json"
WIDGET_MIME = "application/vnd.jupyter.widget-view+json"


class Publisher:
    """Keeps what is published."""

    def __init__(self) -> None:
        self.published: list[dict[str, Any]] = []

    def publish(self, **message: Any) -> None:
        self.published.append(message)

    def clear_output(self) -> None:
        """Nothing to clear."""


class Kernel:
    """A kernel, as far as a display knows one."""

    def __init__(self) -> None:
        self.statuses: list[str] = []

    def _publish_status(self, status: str, channel: str) -> None:
        assert channel == "shell"
        self.statuses.append(status)


class FakeShell:
    """A shell of a kernel, as far as a display knows one."""

    def __init__(self) -> None:
        shell: Any = self
        self.events = EventManager(shell, dict.fromkeys(("pre_execute", "post_execute")))
        self.display_pub = Publisher()
        self.execution_count = 1
        self.kernel = Kernel()


class Wire(BaseComm):
    """A comm that keeps what is sent over it."""

    opened: ClassVar[list[Wire]] = []

    def __init__(self, **options: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        Wire.opened.append(self)
        super().__init__(**options)

    def publish_msg(self, msg_type: str, data: Any = None, *rest: Any, **options: Any) -> None:
        self.sent.append({"type": msg_type, **(data or {})})


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> FakeShell:
    Wire.opened = []
    monkeypatch.setattr(comm, "create_comm", Wire)
    return FakeShell()


def host(shell: FakeShell, mode: str = "auto") -> NotebookHost:
    return NotebookHost(shell, mode=lambda: mode)  # type: ignore[arg-type,return-value]


def run_with(shown_by: NotebookHost, *steps: Any) -> Run:
    def double(number: int) -> int:
        """Double a number."""
        return 2 * number

    agent = Agent(tools=[double], model=ScriptedModel(steps))
    return agent.run("Go", log="memory", host=shown_by)


def test_where_a_page_watches_the_view_is_live_and_then_frozen_in_the_same_place(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "live")
    run_with(host(shell), call("double", number=2), "four")
    first, last = shell.display_pub.published
    assert WIDGET_MIME in first["data"]
    assert "update" not in first
    assert set(last["data"]) == {RUN_MIME, "text/html", "text/plain"}
    assert last["update"] is True
    assert last["transient"] == first["transient"]


def test_all_that_happens_reaches_the_page_and_the_view_is_closed(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "live")
    run = run_with(host(shell), call("double", number=2), "four")
    view = next(wire for wire in Wire.opened if any("content" in sent for sent in wire.sent))
    batches = [sent["content"] for sent in view.sent if sent.get("method") == "custom"]
    assert told_tree(batches) == run.tree()
    assert view.sent[-1]["type"] == "comm_close"


def test_where_nobody_watches_no_comm_is_opened_and_one_bundle_is_published(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "static")
    run_with(host(shell), "hi")
    (only,) = shell.display_pub.published
    assert set(only["data"]) == {RUN_MIME, "text/html", "text/plain"}
    assert Wire.opened == []


def test_a_failed_run_is_frozen_too(shell: FakeShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "live")
    with pytest.raises(ModelError):
        run_with(host(shell), ModelError("no"))
    assert "failed" in shell.display_pub.published[-1]["data"]["text/plain"]


def test_in_a_terminal_a_run_is_printed(
    shell: FakeShell, capsys: pytest.CaptureFixture[str]
) -> None:
    del shell.kernel
    run_with(host(shell), "hi there")
    assert "hi there" in capsys.readouterr().out
    assert shell.display_pub.published == []


def test_shown_not_at_all_if_so_wished(
    shell: FakeShell, capsys: pytest.CaptureFixture[str]
) -> None:
    run_with(host(shell, "none"), call("double", number=1), "hi")
    assert shell.display_pub.published == []
    assert capsys.readouterr().out == ""


def test_a_run_shows_itself_once_in_each_execution(shell: FakeShell) -> None:
    shown_by = host(shell, "static")
    run = run_with(shown_by, "hi")
    shown_by.show(run)
    assert len(shell.display_pub.published) == 1
    shell.execution_count = 2
    shown_by.show(run)
    shown_by.show(run)
    assert len(shell.display_pub.published) == 2


def test_while_it_runs_the_kernel_keeps_saying_that_it_is_busy(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nbagents.notebook.live.display.HEARTBEAT_S", 0.0)
    run_with(host(shell, "static"), call("double", number=2), "four")
    assert set(shell.kernel.statuses) == {"busy"}


def test_a_message_of_the_page_is_no_end_of_the_cell(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []

    class Page:
        """A pump whose page has sent a message, which a comm takes for an execution."""

        def __init__(self, kernel: object) -> None:
            self._events = shell.events

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_exc: object) -> None: ...

        def poll(self) -> None:
            heard.append("message")
            self._events.trigger("post_execute")

    monkeypatch.setattr("nbagents.notebook.live.display.Pump", Page)
    shell.events.register("post_execute", lambda: heard.append("end of cell"))
    run_with(host(shell, "static"), call("double", number=2), "four")
    assert set(heard) == {"message"}
    shell.events.trigger("post_execute")
    assert heard[-1] == "end of cell"
