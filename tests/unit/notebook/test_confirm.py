"""Asking the person by typing: where somebody is there to answer, and nowhere else."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from IPython.core.error import StdinNotImplementedError

from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.live.display import NotebookHost
from nbagents.runs.state.desk import Answer, Await
from nbagents.tools.context.capture import capturing, current_sink
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.notebook.test_display import FakeShell

if TYPE_CHECKING:
    from nbagents.runs.state.run.run import Run

GO_ON = Await(id="await-1", kind="confirmation", run_id="run-1", agent_name="agent", text="Go on?")


@pytest.fixture
def shell() -> FakeShell:
    made: Any = FakeShell()
    made.kernel._allow_stdin = True
    return made


def host(shell: FakeShell) -> NotebookHost:
    return NotebookHost(shell, mode=lambda: "static")  # type: ignore[arg-type,return-value]


def answering(monkeypatch: pytest.MonkeyPatch, answer: str | type[BaseException]) -> list[str]:
    """Let the person answer; gives what they were asked."""
    asked: list[str] = []

    def reply(question: str) -> str:
        asked.append(question)
        assert current_sink() is None
        if isinstance(answer, str):
            return answer
        raise answer

    monkeypatch.setattr("builtins.input", reply)
    return asked


def deleting(shown_by: NotebookHost) -> Run:
    """A run whose model wants to delete a file."""

    def delete_file(path: str) -> str:
        """Delete a file."""
        return f"deleted {path}"

    tool = Tool(delete_file, ToolOptions(ask=True))
    model = ScriptedModel([call("delete_file", path="a.txt"), "done"])
    return Agent(tools=[tool], model=model).run("go", log="memory", host=shown_by)


@pytest.mark.parametrize(
    ("answer", "status"), [("y", "done"), (" YES ", "done"), ("n", "denied"), ("a", "done")]
)
def test_the_person_is_asked_in_a_sentence(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch, answer: str, status: str
) -> None:
    asked = answering(monkeypatch, answer)
    run = deleting(host(shell))
    (question,) = asked
    assert 'Run delete_file(path="a.txt")?' in question
    assert "[y]es, [n]o, [e]dit" in question
    assert run.calls[0].status == status


@pytest.mark.parametrize("error", [EOFError, StdinNotImplementedError])
def test_where_the_front_end_gives_no_answer_nobody_was_asked(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    answering(monkeypatch, error)
    run = deleting(host(shell))
    assert run.calls[0].status == "denied"
    assert "nobody can be asked" in str(run.calls[0].content)


def test_a_notebook_run_headless_asks_nobody(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answering(monkeypatch, "y")
    monkeypatch.setattr(shell.kernel, "_allow_stdin", False)
    assert deleting(host(shell)).calls[0].status == "denied"
    assert asked == []


@pytest.mark.parametrize(("is_terminal", "answered"), [(True, True), (False, False)])
def test_a_terminal_is_asked_if_it_is_one(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool, answered: bool
) -> None:
    answering(monkeypatch, "y")
    del shell.kernel
    monkeypatch.setattr("sys.stdin.isatty", lambda: is_terminal, raising=False)
    run: Any = None
    said = host(shell).ask(run, GO_ON)
    assert (said is not None) is answered


def test_another_thread_than_the_main_one_asks_nobody(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, "y")
    said: list[object] = []
    run: Any = None
    thread = threading.Thread(target=lambda: said.append(host(shell).ask(run, GO_ON)))
    thread.start()
    thread.join()
    assert said == [None]


def test_a_question_of_a_run_inside_a_tool_is_no_output_of_that_tool(
    shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, "y")
    sink: Any = object()
    run: Any = None
    with capturing(sink):
        assert host(shell).ask(run, GO_ON) == Answer(action="approve")


@pytest.mark.parametrize(
    ("mode", "shows"),
    [("live", True), ("static", True), ("text", False), ("none", False), ("auto", True)],
)
def test_what_calls_print_is_shown_by_pages_and_stays_where_it_was_elsewhere(
    shell: FakeShell, mode: Any, *, shows: bool
) -> None:
    shown_by: Any = NotebookHost(shell, mode=lambda: mode)  # type: ignore[arg-type,return-value]
    assert shown_by.shows_output is shows
    if mode == "auto":
        del shell.kernel
        assert shown_by.shows_output is False
