"""What a person said to a call holds when its run is gone on with, whatever the policy is then."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.agents import Agent
from nbagents.events import AwaitResolved, ToolAuthorization
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, turn

if TYPE_CHECKING:
    from nbagents.runs.state.run.run import Run

EDITED = Answer(action="approve", arguments={"path": "y"}, note="y is meant")


@pytest.fixture(name="done")
def _done() -> list[str]:
    return []


def wiping(done: list[str], **options: Any) -> Tool:
    def wipe(path: str) -> str:
        "Wipe."
        done.append(path)
        return f"wiped {path}"

    return Tool(wipe, ToolOptions(ask=True, **options))


def broken_after(run: Run, kind: type) -> Session:
    """A log of the run as a kernel leaves it that is killed after the first such event."""
    left = Session(MemoryLog())
    for event in run.events:
        left.log.append(event)
        if isinstance(event, kind):
            return left
    raise AssertionError(f"no {kind.__name__}")


def never(question: Await) -> Answer:
    raise AssertionError(f"asked again: {question.text}")


@pytest.mark.parametrize("kind", [AwaitResolved, ToolAuthorization])
@pytest.mark.parametrize("approval", ["risky", "auto", "ask"])
@pytest.mark.parametrize(
    ("said", "did", "told"),
    [
        (Answer(action="approve"), ["x"], "wiped x"),
        (EDITED, ["y"], "The person says: y is meant\nThe person changed the arguments to "),
        (Answer(action="deny", note="no"), [], "The person did not allow this call, and says: no"),
    ],
    ids=["approved", "edited", "denied"],
)
def test_a_decision_holds_that_was_in_the_log(
    done: list[str], kind: type, approval: Any, said: Answer, did: list[str], told: str
) -> None:
    tools = [wiping(done)]
    steps = [turn(request("a", "wipe", path="x")), "done"]

    def answer(_: Await) -> Answer:
        return said

    run = agent(steps, tools, on_await=answer).run("Go", log="memory")
    done.clear()
    left = broken_after(run, kind)
    after = agent(["done"], tools, on_await=never, approval=approval).resume(run.id, log=left)
    (call,) = after.calls
    assert (after.status, done) == ("completed", did)
    assert (call.content or "").startswith(told)
    decided = after.tree()["runs"][after.id]["calls"]["a"]["authorization"]
    assert decided is not None
    assert decided["approved"] == (said.action == "approve")


def test_a_call_that_had_begun_is_not_made_after_two_resumptions(done: list[str]) -> None:
    def look() -> str:
        "Look."
        done.append("looked")
        return "seen"

    tools = [Tool(look), wiping(done)]
    steps = [turn(request("a", "look"), request("b", "wipe", path="x")), "done"]
    whole = agent(steps, tools, on_await="suspend").run("Go", log="memory")
    left = Session(MemoryLog())
    for event in whole.events:
        if event.type == "tool_end":
            break
        left.log.append(event)
    done.clear()
    again = agent([], tools, on_await="suspend").resume(whole.id, log=left)
    assert (again.status, done) == ("suspended", [])
    last = agent(["done"], tools, on_await="deny").resume(again, log=left)
    assert (last.status, done) == ("completed", [])


def test_a_result_from_outside_can_be_given_on_resuming() -> None:
    def weigh(what: str) -> str:
        "Weigh."
        raise AssertionError(what)

    tools = [Tool(weigh, ToolOptions(external=True))]
    steps = [turn(request("a", "weigh", what="it")), "done"]
    made = agent(steps, tools, on_await="suspend")
    run = made.run("Go", log="memory")
    after = made.resume(run, answer={"a": "7 kg"})
    assert (after.status, after.calls[0].content) == ("completed", "7 kg")


def test_missing_values_that_were_given_are_not_asked_for_again(done: list[str]) -> None:
    def post(to: str, ctx: Context) -> str:
        "Post."
        done.append(ctx.ask("Which stamp?"))
        return to

    answers = iter([Answer(action="answer", value={"to": "Oslo"}), None])

    def answer(_: Await) -> Answer:
        said = next(answers)
        if said is None:
            signal.raise_signal(signal.SIGINT)  # the kernel dies while it asks for the stamp
        return said or Answer(action="deny")

    steps = [turn(request("a", "post")), "done"]
    left = Session(MemoryLog())
    made = Agent(
        "tester", tools=[post], model=agent(steps, []).model, on_await=answer, on_missing="ask"
    )
    with pytest.raises(KeyboardInterrupt):
        made.run("Go", log=left)
    broken = Session(MemoryLog())
    (run,) = left.log.entries(limit=1)
    for event in left.log.read(left.session_id):
        if event.type == "await_resolved" and event.outcome == "cancelled":
            break
        broken.log.append(event)
    asked: list[str] = []

    def stamps(question: Await) -> Answer:
        asked.append(question.text)
        return Answer(action="answer", value="blue")

    after = Agent(
        "tester", tools=[post], model=agent(["done"], []).model, on_await=stamps, on_missing="ask"
    ).resume(run.run_id, log=broken)
    assert (after.status, asked, done) == ("completed", ["Which stamp?"], ["blue"])
    assert (after.calls[0].content or "").startswith("The person gave what was missing")
