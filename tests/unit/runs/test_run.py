"""A run from the question to the answer: what it leaves, whatever happens on the way."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Generator

import pytest

import nbagents as nba
from nbagents.agents import Agent
from nbagents.errors import ModelError, RunError
from nbagents.messages import AssistantMessage, CallRequest, ToolMessage
from nbagents.models.model import ModelRequest, ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.people.host import Attendance, NoHost, use_host
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, double, request, treble, turn


def types(run: Run) -> list[str]:
    return [event.type for event in run.events]


def test_an_answer_comes_back_with_its_events() -> None:
    run = agent(["Hello."]).run("Hi", log="memory")
    assert (run.text, run.status, run.output, run.error) == ("Hello.", "completed", "Hello.", None)
    assert types(run)[:2] == ["run_start", "user_message"]
    assert types(run)[-2:] == ["workflow", "run_stream_end"]
    assert [event.seq for event in run.events] == list(range(len(run.events)))
    assert len({event.event_key for event in run.events}) == len(run.events)


def test_calls_are_made_and_their_results_told_to_the_model() -> None:
    run = agent([turn(request("a", "double", number=21)), "42"], [double]).run("Go", log="memory")
    (call,) = run.calls
    assert (call.name, call.arguments, call.status) == ("double", {"number": 21}, "done")
    assert (call.content, call.failure) == ("42", None)
    assert call.duration is not None
    assert run.messages[2] == ToolMessage(call_id="a", name="double", content="42")
    assert run.usage.total_tokens == 12
    assert run.usage.requests == 2


def test_parallel_calls_run_together_and_are_answered_in_call_order() -> None:
    order: list[str] = []
    started = asyncio.Event()

    async def slow() -> str:
        await started.wait()
        order.append("slow")
        return "S"

    async def quick() -> str:
        order.append("quick")
        started.set()
        return "Q"

    steps = [turn(request("a", "slow"), request("b", "quick")), "ok"]
    run = agent(steps, [slow, quick]).run("Go", log="memory")
    assert order == ["quick", "slow"]
    told = [m.content for m in run.messages if isinstance(m, ToolMessage)]
    assert told == ["S", "Q"]


def test_plain_functions_run_on_the_calling_thread_one_at_a_time_in_order() -> None:
    seen: list[tuple[int, threading.Thread]] = []

    def note(number: int) -> None:
        seen.append((number, threading.current_thread()))

    calls = [request(str(n), "note", number=n) for n in range(5)]
    agent([turn(*calls), "ok"], [note]).run("Go", log="memory")
    assert seen == [(n, threading.main_thread()) for n in range(5)]


def test_a_tool_on_a_thread_runs_elsewhere() -> None:
    seen: list[threading.Thread] = []

    def work() -> None:
        seen.append(threading.current_thread())

    tool = nba.Tool(work, ToolOptions(thread=True))
    agent([turn(request("a", "work")), "ok"], [tool]).run("Go", log="memory")
    assert seen != [threading.main_thread()]


def fail() -> None:
    raise ValueError(f"cannot read {os.path.abspath('secret.txt')}")  # noqa: PTH100


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (CallRequest(id="a", name="double", arguments='{"number": '), "invalid_call"),
        (CallRequest(id="a", name="double", arguments='{"number": "x"}'), "invalid_call"),
        (CallRequest(id="a", name="duoble", arguments='{"number": 1}'), "invalid_call"),
        (CallRequest(id="a", name="fail", arguments="{}"), "internal"),
        (CallRequest(id="", name="", arguments=""), "invalid_call"),
    ],
)
def test_nothing_dies_of_a_models_mistake(call: CallRequest, kind: str) -> None:
    run = agent([turn(call), "sorry"], [double, fail]).run("Go", log="memory")
    assert (run.status, run.text) == ("completed", "sorry")
    (made,) = run.calls
    assert made.status == "failed"
    assert made.failure is not None
    assert made.failure.kind == kind
    told = [m.content for m in run.messages if isinstance(m, ToolMessage)]
    assert len(told) == 1
    assert "Traceback" not in told[0]
    assert os.getcwd() not in told[0]  # noqa: PTH109


def test_an_unknown_tool_is_answered_with_close_names() -> None:
    run = agent([turn(request("a", "duoble", number=1)), "ok"], [double]).run("Go", log="memory")
    assert run.calls[0].content is not None
    assert "'double'" in run.calls[0].content


def test_call_ids_that_a_provider_repeats_are_made_unique() -> None:
    steps = [turn(request("c", "double", number=1)), turn(request("c", "double", number=2)), "ok"]
    run = agent(steps, [double]).run("Go", log="memory")
    assert [call.content for call in run.calls] == ["2", "4"]
    ids = [m.call_id for m in run.messages if isinstance(m, ToolMessage)]
    assert len(set(ids)) == 2
    asked = [c.id for m in run.messages if isinstance(m, AssistantMessage) for c in m.calls]
    assert asked == ids


def test_data_is_kept_for_the_person_and_never_told_to_the_model() -> None:
    def look() -> nba.Result:
        return nba.Result("moved", data={"kind": "map", "center": {"lon": 1, "lat": 2}})

    model = ScriptedModel([turn(request("a", "look")), "ok"])
    run = Agent("t", tools=[look], model=model).run("Go", log="memory")
    assert run.data["a"] == {"kind": "map", "center": {"lon": 1, "lat": 2}}
    assert run.calls[0].data == run.data["a"]
    payload = run.tree()["runs"][run.id]["calls"]["a"]["payloads"][0]["payload"]
    assert payload["kind"] == "map"
    assert "center" not in str(model.requests[-1].messages)


def test_a_tool_shows_progress_before_it_ends() -> None:
    def work(ctx: Context) -> str:
        ctx.progress("half", 0.5)
        ctx.log("a line")
        ctx.show({"kind": "map", "zoom": 3})
        return f"{ctx.tool_name} {ctx.call_id}"

    run = agent([turn(request("a", "work")), "ok"], [work]).run("Go", log="memory")
    assert run.calls[0].content == "work a"
    happened = types(run)
    assert happened.index("tool_start") < happened.index("tool_update") < happened.index("tool_end")
    node = run.tree()["runs"][run.id]["calls"]["a"]
    assert node["progress"] == {"message": "half", "fraction": 0.5}
    assert node["output"] == [{"stream": "log", "text": "a line\n"}]


def test_at_the_step_limit_the_model_must_answer() -> None:
    model = ScriptedModel([turn(request("a", "double", number=1)), "that is all"])
    run = Agent("t", tools=[double], model=model, max_steps=1).run("Go", log="memory")
    assert (run.status, run.text) == ("limit", "that is all")
    assert [one.tool_choice for one in model.requests] == [None, "none"]


def test_a_failed_model_fails_the_run_and_leaves_a_valid_log() -> None:
    session = Session(MemoryLog())
    with pytest.raises(ModelError, match="hung up"):
        agent([turn(request("a", "double", number=1)), ModelError("it hung up")], [double]).run(
            "Go", log=session
        )
    events = session.log.read(session.session_id)
    assert events[-1].type == "run_stream_end"
    assert events[-2].type == "workflow"
    assert events[-2].phase == "failed"


def test_the_conversation_only_grows_and_has_one_memo() -> None:
    memos: list[object] = []

    def look(asked: ModelRequest) -> ModelTurn:
        memos.append(asked.memo)
        return turn(request("a", "double", number=1))

    agent([look, look, "ok"], [double]).run("Go", log="memory")
    assert memos[0] is memos[1]


def test_it_runs_under_a_running_loop() -> None:
    async def main() -> str:
        return agent([turn(request("a", "treble", number=2)), "six"], [treble]).run("Go").text

    assert asyncio.run(main()) == "six"


def test_it_runs_on_another_thread() -> None:
    texts: list[str] = []
    script = agent([turn(request("a", "double", number=2)), "four"], [double])
    thread = threading.Thread(target=lambda: texts.append(script.run("Go").text))
    thread.start()
    thread.join()
    assert texts == ["four"]


def test_it_can_be_awaited() -> None:
    run = asyncio.run(agent([turn(request("a", "double", number=2)), "four"], [double]).arun("Go"))
    assert (run.text, run.status) == ("four", "completed")


def test_its_events_can_be_streamed() -> None:
    async def main() -> list[str]:
        return [event.type async for event in agent(["Hi"]).stream("Go", log="memory")]

    happened = asyncio.run(main())
    assert happened[0] == "run_start"
    assert happened[-1] == "run_stream_end"


def test_a_failed_stream_raises_after_its_last_event() -> None:
    async def main() -> list[str]:
        happened: list[str] = []

        async def collect() -> None:
            async for event in agent([ModelError("no")]).stream("Go", log="memory"):
                happened.append(event.type)  # noqa: PERF401  what came before the error counts

        with pytest.raises(ModelError):
            await collect()
        return happened

    assert asyncio.run(main())[-1] == "run_stream_end"


def test_a_tool_may_run_an_agent_of_its_own() -> None:
    def ask(question: str) -> str:
        return agent([turn(request("b", "double", number=4)), "eight"], [double]).run(question).text

    run = agent([turn(request("a", "ask", question="4?")), "done"], [ask]).run("Go", log="memory")
    assert run.calls[0].content == "eight"


def test_a_blocking_run_inside_an_async_tool_is_refused_with_the_way_out() -> None:
    async def ask() -> str:
        with pytest.raises(RunError, match=r"await agent\.arun"):
            agent(["never"]).run("x")
        return (await agent(["inner"]).arun("x", log="memory")).text

    run = agent([turn(request("a", "ask")), "done"], [ask]).run("Go", log="memory")
    assert run.calls[0].content == "inner"


def test_an_empty_prompt_and_no_steps_are_refused() -> None:
    with pytest.raises(ValueError, match="prompt is empty"):
        agent([]).run("  ")
    with pytest.raises(ValueError, match="at least 1"):
        agent([], max_steps=0).run("Hi")


def test_where_the_tools_have_the_last_word_it_is_the_answer() -> None:
    def look() -> nba.Result:
        return nba.Result("It is nine.", has_next=False)

    run = agent([turn(request("a", "look"))], [look]).run("What time is it?", log="memory")
    assert (run.text, run.status) == ("It is nine.", "completed")
    assert run.messages[-1] == AssistantMessage(text="It is nine.")


def test_calls_of_the_last_word_are_answered_so_that_no_call_lacks_its_result() -> None:
    steps = [turn(request("a", "double", number=1)), turn(request("b", "double", number=2))]
    run = agent(steps, [double], max_steps=1).run("Go", log="memory")
    assert run.status == "limit"
    assert [(call.id, call.status) for call in run.calls] == [("a", "done"), ("b", "skipped")]
    assert run.messages[-1] == AssistantMessage(text=run.text)


def test_tools_that_can_be_iterated_once_stay_and_a_single_one_is_understood() -> None:
    script = Agent(tools=(tool for tool in [double]), model=ScriptedModel(["a", "b"]))
    runs = [script.run("Go", log="memory") for _ in range(2)]
    offered = [event.tools for run in runs for event in run.events if event.type == "run_start"]
    assert offered == [("double",), ("double",)]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_a_model_that_exits_fails_its_run_and_not_the_loop(error: BaseException) -> None:
    with pytest.raises(type(error)):
        agent([error]).run("Go", log="memory")
    assert agent(["fine"]).run("Again", log="memory").text == "fine"


def test_a_cancellation_that_nobody_asked_for_is_an_error() -> None:
    with pytest.raises(RunError, match="not by a stop") as caught:
        agent([asyncio.CancelledError()]).run("Go", log="memory")
    assert caught.value.run.status == "cancelled"  # type: ignore[attr-defined]
    assert agent(["fine"]).run("Again", log="memory").text == "fine"


def test_an_error_carries_its_run() -> None:
    with pytest.raises(ModelError) as caught:
        agent([ModelError("no")]).run("Go", log="memory")
    assert caught.value.run.status == "failed"  # type: ignore[attr-defined]


class BrokenHost(NoHost):
    """A host whose display breaks at one point."""

    def __init__(self, where: str) -> None:
        self.where = where

    @contextlib.contextmanager
    def attend(
        self, run: Run, stop: Callable[[], None], *, is_blocking: bool
    ) -> Generator[Attendance]:
        if self.where == "start":
            raise OSError("start")
        yield self
        if self.where == "end":
            raise OSError("end")

    def poll(self) -> None:
        if self.where == "poll":
            raise OSError("poll")

    def beat(self) -> None:
        if self.where == "beat":
            raise OSError("beat")


@pytest.mark.parametrize("where", ["start", "poll"])
def test_a_host_that_breaks_leaves_nothing_running(where: str) -> None:
    session = Session(MemoryLog())

    async def wait() -> None:
        await asyncio.sleep(10)

    with pytest.raises(OSError, match=where):
        agent([turn(request("a", "wait")), "x"], [wait]).run(
            "Go", log=session, host=BrokenHost(where)
        )
    events = session.log.read(session.session_id)
    assert not events or events[-1].type == "run_stream_end"


def test_a_display_that_breaks_is_said_and_does_not_break_the_run() -> None:
    async def wait() -> None:
        await asyncio.sleep(0.2)

    with pytest.warns(UserWarning, match="broke off"):
        run = agent([turn(request("a", "wait")), "fine"], [wait]).run(
            "Go", log="memory", host=BrokenHost("beat")
        )
    assert run.text == "fine"


def test_the_models_error_counts_more_than_the_hosts() -> None:
    with pytest.raises(ModelError, match="bad key"):
        agent([ModelError("bad key")]).run("Go", log="memory", host=BrokenHost("end"))


def test_a_stream_ends_also_where_the_run_could_not_begin() -> None:
    async def main() -> None:
        before = use_host(BrokenHost("start"))
        try:
            async for _ in agent(["x"]).stream("Go", log="memory"):
                pass
        finally:
            use_host(before)

    with pytest.raises(OSError, match="start"):
        asyncio.run(main())


def test_workers_that_start_workers_do_not_wait_for_each_other() -> None:
    def leaf() -> str:
        return "leaf"

    def branch() -> str:
        inner = agent([turn(request("b", "leaf")), "ok"], [Tool(leaf, ToolOptions(thread=True))])
        return inner.run("Go", log="memory").text

    calls = [request(str(n), "branch") for n in range(20)]
    run = agent([turn(*calls), "done"], [Tool(branch, ToolOptions(thread=True))]).run("Go")
    assert [call.content for call in run.calls] == ["ok"] * 20
