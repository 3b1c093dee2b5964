"""Where runs meet what is rare: prints inside of events, redirects, odd errors, odd models."""

from __future__ import annotations

import contextlib
import contextvars
import gc
import io
import json
import sys
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Sequence

import pytest

from nbagents.agents import Agent
from nbagents.errors import ModelError, ToolError
from nbagents.events import AnyEvent
from nbagents.messages import CallRequest
from nbagents.models.model import (
    HostedCall,
    ModelPart,
    ModelRequest,
    ModelTurn,
    TextDelta,
    ThoughtDelta,
)
from nbagents.results import CallResult
from nbagents.runs.drive.entrance import run_blocking
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.people.consent import question_of
from nbagents.runs.people.host import NoHost
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.call.invocation import prepare
from nbagents.tools.context.capture import streams_captured
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import ShowingHost, agent, double, request, run_of, turn


def printed(run: Run, call_id: str) -> str:
    return "".join(part["text"] for part in run.tree()["runs"][run.id]["calls"][call_id]["output"])


def in_time(work: Callable[[], object]) -> None:
    """Do what may hang on a thread that need not end."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive(), "it hangs"


class SpeakingModel:
    """A model that says parts, as they stand."""

    name = "speaking"

    def __init__(self, *steps: Sequence[ModelPart | ModelError]) -> None:
        self.steps = list(steps)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        for part in self.steps.pop(0):
            if isinstance(part, ModelError):
                raise part
            yield part


class Terminal:
    """A terminal, as far as `input` is concerned."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)

    def isatty(self) -> bool:
        return True

    def readline(self) -> str:
        return self.lines.pop(0) if self.lines else ""

    def fileno(self) -> int:
        raise OSError("none")


def test_what_is_printed_while_an_event_is_logged_is_an_event_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("nbagents.runs.drive.calls.call_output.DELTA_S", 0.0)

    class NoisyLog(MemoryLog):
        def append(self, event: AnyEvent) -> None:
            if event.type == "tool_update":  # as a finaliser may, whenever the collector runs
                print("collected")
            super().append(event)

    def work(ctx: Context) -> str:
        ctx.progress("half")
        return "done"

    runs: list[Run] = []
    session = Session(NoisyLog())
    made = agent([turn(request("a", "work")), "ok"], [work])
    in_time(lambda: runs.append(made.run("Go", log=session, host=ShowingHost())))
    (run,) = runs
    assert [event.seq for event in run.events] == list(range(len(run.events)))
    assert len(session.log.read(session.session_id)) == len(run.events)
    assert printed(run, "a") == "collected\n"


def test_a_listener_may_print_while_another_thread_of_the_call_prints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("nbagents.runs.drive.calls.call_output.DELTA_S", 0.0)
    beside: list[threading.Thread] = []

    def work(ctx: Context) -> str:
        ctx.show({"kind": "bar"})
        beside[0].join(5)
        return "done"

    def listen(event: AnyEvent) -> None:
        if event.type == "tool_data":
            call = contextvars.copy_context()
            beside.append(threading.Thread(target=call.run, args=(print, "beside"), daemon=True))
            beside[0].start()
            beside[0].join(0.1)  # by then it holds what it needs, or waits for this event
            print("here")

    run, plan = agent([turn(request("a", "work")), "ok"], [work]).begin("Go", "memory")
    run.listen(listen)
    in_time(lambda: run_blocking(run, plan, host=ShowingHost()))
    assert run.status == "completed"
    assert sorted(printed(run, "a").split()) == ["beside", "here"]


def test_an_on_error_that_exits_is_a_failure_of_the_call() -> None:
    def leave(ctx: Context, error: Exception) -> str:
        sys.exit(1)

    def plain() -> str:
        raise ValueError("no")

    async def later() -> str:
        raise ValueError("no")

    runs: list[Run] = []
    tools = [Tool(one, ToolOptions(on_error=leave)) for one in (plain, later)]
    made = agent([turn(request("a", "plain"), request("b", "later")), "ok"], tools)
    in_time(lambda: runs.append(made.run("Go", log="memory")))
    assert [call.status for call in runs[0].calls] == ["failed", "failed"]
    assert runs[0].text == "ok"


@pytest.mark.parametrize("retries", [None, 0])
def test_a_failure_that_says_finish_counts_also_when_it_spends_the_budget(
    retries: int | None,
) -> None:
    def closed() -> str:
        raise ToolError("The office is closed.", recovery="finish")

    made = agent(
        [turn(request("a", "closed")), "I could not."], [Tool(closed, ToolOptions(retries=retries))]
    )
    run = made.run("Go", log="memory")
    failure = run.calls[0].failure
    assert failure is not None
    assert failure.recovery == "finish"
    assert made.model.requests[-1].tool_choice == "none"  # pyright: ignore  a ScriptedModel


def test_no_answer_to_the_question_is_no(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal())  # its first line is Ctrl-D
    run = agent([turn(request("a", "double", number=1)), "ok"], [asking(double)]).run(
        "Go", log="memory", host=NoHost()
    )
    assert (run.calls[0].status, run.status) == ("denied", "completed")
    (resolved,) = [event for event in run.events if event.type == "await_resolved"]
    assert resolved.outcome == "denied"


def asking(function: Callable[..., object]) -> Tool:
    return Tool(function, ToolOptions(ask=True))


def question_about(**arguments: object) -> str:
    call = CallRequest(id="a", name="remove", arguments=json.dumps(arguments))
    return question_of(prepare(call, {}))


def test_a_question_cannot_be_forged_by_the_names_of_arguments() -> None:
    forged = {"path": "/home/me", "x\x1b[2K\rRun show(path": "."}
    question = question_about(**forged)
    assert question == 'Run remove(path="/home/me", "x\\u001b[2K\\rRun show(path"=".")?'
    assert question_about(path="a\x85\u202eb") == 'Run remove(path="a\\x85\\u202eb")?'
    assert question_about(path="Müller") == 'Run remove(path="Müller")?'


def test_a_long_argument_hides_no_other_from_the_question() -> None:
    question = question_about(note="x" * 400, path="/home/me")
    assert question.endswith('… (402 characters), path="/home/me")?')


def test_no_question_is_put_about_a_call_that_cannot_be_made() -> None:
    host = ShowingHost(answer=True)
    run = agent([turn(request("a", "double", numbr=1)), "ok"], [asking(double)]).run(
        "Go", log="memory", host=host
    )
    assert host.asked == []
    failure = run.calls[0].failure
    assert failure is not None
    assert failure.kind == "invalid_call"


def test_a_question_inside_of_a_call_is_not_its_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))

    def outer() -> str:
        inner = agent([turn(request("b", "double", number=1)), "ok"], [asking(double)])
        return inner.run("Go", log="memory").calls[0].content or ""

    run = agent([turn(request("a", "outer")), "ok"], [outer]).run("Go", log="memory")
    assert (run.calls[0].content, printed(run, "a")) == ("2", "")
    assert "Run double(number=1)?" in capsys.readouterr().out


def talk() -> None:
    print("hello")


def talking() -> Run:
    made = agent([turn(request("a", "talk")), "ok"], [talk])
    return made.run("Go", log="memory", host=ShowingHost())


def test_calls_are_captured_after_a_run_that_ended_inside_of_a_redirect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdout", sys.stdout)  # to be given back whatever happens
    before = sys.stdout
    with contextlib.ExitStack() as captured:
        captured.enter_context(streams_captured())
        with contextlib.redirect_stdout(io.StringIO()):
            captured.close()
    assert printed(talking(), "a") == "hello\n"
    assert sys.stdout is before


def test_a_print_that_outlives_the_last_run_still_has_its_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdout", io.StringIO())
    seen: list[weakref.ref[object]] = []
    for _ in range(20):
        with streams_captured():
            seen.append(weakref.ref(sys.stdout))
    gc.collect()
    assert seen[-1]() is not None
    assert len({id(one()) for one in seen}) == 1  # and runs do not pile them up


def test_a_run_that_begins_inside_of_a_redirect_captures_beside_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdout", sys.stdout)
    before, cell = sys.stdout, io.StringIO()
    with streams_captured(), contextlib.redirect_stdout(cell):
        assert printed(talking(), "a") == "hello\n"
        assert sys.stdout is cell
    assert cell.getvalue() == ""
    assert sys.stdout is before


def test_what_a_model_said_before_it_broke_off_is_kept() -> None:
    parts = [TextDelta("It "), TextDelta("is 42."), ThoughtDelta("why"), ModelError("cut off")]
    with pytest.raises(ModelError) as caught:
        Agent(model=SpeakingModel(parts)).run("Go", log="memory")
    run = run_of(caught.value)
    assert run.text == "It is 42."
    assert [event.text for event in run.events if event.type == "thought"] == ["why"]


def test_a_hosted_call_of_which_no_end_is_told_is_closed_with_the_run() -> None:
    parts = [HostedCall(id="h", name="search"), ModelTurn(text="ok")]
    run = Agent(model=SpeakingModel(parts)).run("Go", log="memory")
    assert (run.status, run.calls[0].status) == ("completed", "cancelled")
    assert "does not say how it ended" in (run.calls[0].content or "")


def test_hosted_calls_have_ids_of_their_own() -> None:
    def hosted(content: str) -> HostedCall:
        return HostedCall(id="h", name="search", result=CallResult(content=content))

    own = ModelTurn(calls=(request("h", "double", number=1),))
    model = SpeakingModel([hosted("first"), own], [hosted("second"), ModelTurn(text="ok")])
    run = Agent(model=model, tools=[double]).run("Go", log="memory")
    assert [(call.name, call.content) for call in run.calls] == [
        ("search", "first"),
        ("double", "2"),
        ("search", "second"),
    ]
    assert len({call.id for call in run.calls}) == 3


def test_of_several_errors_the_first_in_call_order_ends_the_run() -> None:
    async def broken(number: int) -> str:
        raise ValueError(number)

    calls = [request(str(at), "broken", number=at) for at in range(8)]
    tool = Tool(broken, ToolOptions(on_error=None))
    with pytest.raises(ValueError, match=r"^0$"):
        agent([turn(*calls), "ok"], [tool]).run("Go", log="memory")


@pytest.mark.parametrize("place", ["main", "thread", "loop"])
def test_on_error_runs_where_the_tool_runs(place: str) -> None:
    seen: list[int] = []

    def told(ctx: Context, error: Exception) -> str:
        seen.append(threading.get_ident())
        return threading.current_thread().name

    def plain() -> str:
        seen.append(threading.get_ident())
        raise ValueError("no")

    async def later() -> str:
        return plain()

    function = later if place == "loop" else plain
    tool = Tool(function, ToolOptions(name="odd", thread=place == "thread", on_error=told))
    run = agent([turn(request("a", "odd")), "ok"], [tool]).run("Go", log="memory")
    names = {"main": "MainThread", "thread": "nbagents-tool", "loop": "nbagents-loop"}
    assert run.calls[0].content == names[place]
    assert (seen[0] == seen[1]) or place == "thread"  # a worker of its own kind, perhaps another
