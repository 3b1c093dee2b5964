"""Faults in runs inside of runs: the call that started them fails, and its neighbours go on."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

import nbagents as nba
from nbagents.runs.drive.entrance import run_blocking
from tests.faults.bad_server import Answer, BadServer, End, refusal, unused_port
from tests.faults.leaving import (
    assert_calls_end_once,
    assert_sound,
    call_of,
    events_of,
    logged,
    run_to_the_end,
)
from tests.faults.wire_words import Api, Asked, answer
from tests.unit.runs.desk import agent, double, request, turn

if TYPE_CHECKING:
    from nbagents.runs.state.run.run import Run
    from nbagents.runs.state.session import Session

TOO_LONG_S = 600


def parent_of(child: nba.Agent, **options: Any) -> nba.Agent:
    """An agent that asks a child beside a call of its own, and then answers."""
    steps = [
        turn(request("child", "inner", input="Go."), request("own", "double", number=2)),
        "So be it.",
    ]
    return agent(steps, [child.as_tool("inner", "Ask it."), double], **options)


def child_with(model: Any, *tools: Any, **options: Any) -> nba.Agent:
    return nba.Agent("inner", tools=tools, model=model, **options)


def assert_family_is_sound(run: Run) -> dict[str, str]:
    """Every run of the tree has ended in order; how each stands, by its agent."""
    assert_sound(run)
    events = logged(run)
    for one in run.children:
        own = events_of(events, one)
        assert own[-1].type == "run_stream_end"
        assert_calls_end_once(own)
        assert one.tree() == run.tree()
    links = [link.run_id for call in run.calls for link in call.run_links]
    assert links == [one.id for one in run.children]
    return {one["agent_name"]: one["status"] for one in run.tree()["runs"].values()}


def test_a_child_whose_provider_cannot_be_reached_is_a_failed_call(
    api: Api, session: Session
) -> None:
    child = child_with(api.model(f"http://127.0.0.1:{unused_port()}/v1", max_retries=0))
    ended = run_to_the_end(parent_of(child), session)
    assert assert_family_is_sound(ended.run) == {"tester": "completed", "inner": "failed"}
    assert call_of(ended.run, "child").status == "failed"
    assert call_of(ended.run, "child").failure.kind == "unavailable"
    assert "No server answers" in call_of(ended.run, "child").content
    assert (call_of(ended.run, "own").status, ended.run.text) == ("done", "So be it.")


FAILING: dict[str, Answer] = {
    "reset": [End.RESET],
    "401": refusal(401, "No."),
    "503": refusal(503, "Not now."),
}


@pytest.mark.parametrize("fault", FAILING)
def test_a_child_whose_provider_fails_is_a_failed_call(
    api: Api, session: Session, fault: str
) -> None:
    with BadServer(otherwise=FAILING[fault]) as server:
        ended = run_to_the_end(parent_of(child_with(api.model(server.url))), session)
    assert assert_family_is_sound(ended.run) == {"tester": "completed", "inner": "failed"}
    assert call_of(ended.run, "child").status == "failed"
    assert call_of(ended.run, "own").status == "done"


def test_a_child_that_calls_without_end_is_ended_with_an_answer(api: Api, session: Session) -> None:
    class Looping(BadServer):
        def after_the_script(self) -> Any:
            is_last = self.asked[-1].body.get("tool_choice") == "none"
            return answer(api.text("Enough.")) if is_last else self.otherwise

    again = answer(api.calls(Asked("double", '{"number": 3}')))
    with Looping(otherwise=again) as server:
        child = child_with(api.model(server.url), double, max_steps=3)
        ended = run_to_the_end(parent_of(child), session)
    assert assert_family_is_sound(ended.run) == {"tester": "completed", "inner": "limit"}
    assert call_of(ended.run, "child").status == "done"
    lead = "'inner' did not finish. Stopped at a limit: max_steps=3. What it had by then:"
    assert call_of(ended.run, "child").content == f"{lead}\nEnough."


@pytest.mark.parametrize("error", [SystemExit(3), ValueError("no luck"), MemoryError()], ids=repr)
def test_what_a_tool_of_a_child_raises_is_told_to_the_child(
    session: Session, error: BaseException
) -> None:
    def it() -> None:
        """Raise."""
        raise error

    child = child_with(nba.ScriptedModel([turn(request("inside", "it")), "It failed."]), it)
    ended = run_to_the_end(parent_of(child), session)
    assert assert_family_is_sound(ended.run) == {"tester": "completed", "inner": "completed"}
    (inner,) = ended.run.children
    assert call_of(inner, "inside").status == "failed"
    assert call_of(ended.run, "child").content == "It failed."


def hang() -> None:
    """Hang."""
    until = time.monotonic() + TOO_LONG_S
    while time.monotonic() < until:
        time.sleep(0.01)


@pytest.mark.parametrize("thread", [False, True], ids=["main", "thread"])
def test_a_child_whose_tool_hangs_ends_with_its_parent(
    session: Session,
    thread: bool,  # noqa: FBT001  a parameter
) -> None:
    goes_on = threading.Event()
    hanging = nba.Tool(
        goes_on.wait if thread else hang, nba.ToolOptions(name="it", thread=thread, strict=False)
    )
    child = child_with(nba.ScriptedModel([turn(request("inside", "it")), "Never."]), hanging)
    run, plan = agent(
        [turn(request("child", "inner", input="Go.")), "Never."],
        [child.as_tool("inner", "Ask it.")],
    ).begin("Go.", session)

    def stop(event: Any) -> None:  # Any: one of all events
        if event.type == "tool_start" and event.tool_call_id == "inside":
            threading.Timer(0.05, run.stop).start()

    run.listen(stop)
    with pytest.raises(KeyboardInterrupt):
        run_blocking(run, plan)
    goes_on.set()
    assert assert_family_is_sound(run) == {"tester": "cancelled", "inner": "cancelled"}
    (inner,) = run.children
    assert call_of(inner, "inside").status == "cancelled"
    assert call_of(run, "child").status == "cancelled"


def test_a_child_that_is_stopped_leaves_its_siblings(session: Session) -> None:
    def named(name: str, *tools: Any, steps: list[Any]) -> nba.Tool:
        return nba.Agent(name, tools=tools, model=nba.ScriptedModel(steps)).as_tool(name, "Ask it.")

    async def never() -> None:
        """Hang."""
        await asyncio.sleep(TOO_LONG_S)

    slow = named("slow", never, steps=[turn(request("inside", "never")), "Never."])
    quick = named("quick", steps=["Here."])
    steps = [
        turn(request("a", "slow", input="Go."), request("b", "quick", input="Go.")),
        "One of two.",
    ]
    run, plan = agent(steps, [slow, quick]).begin("Go.", session)

    def stop(event: Any) -> None:  # Any: one of all events
        if event.type == "tool_start" and event.tool_call_id == "inside":
            threading.Timer(0.05, run.stop_part, [event.run_id]).start()

    run.listen(stop)
    run_blocking(run, plan)
    assert assert_family_is_sound(run) == {
        "tester": "completed",
        "slow": "cancelled",
        "quick": "completed",
    }
    assert call_of(run, "b").content == "Here."
    assert call_of(run, "a").status == "cancelled"
    assert run.text == "One of two."
