"""What cannot be forked is said in a sentence that says what to do, and nothing is lost."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.agents import Agent
from nbagents.errors import ModelError, RunError
from nbagents.models.scripted import ScriptedModel, call
from nbagents.runs.logs import MemoryLog
from nbagents.runs.state import Run, Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.kept_runs import saved_in_notebook

if TYPE_CHECKING:
    from pathlib import Path

done: list[str] = []


def look(place: str) -> str:
    """Look."""
    done.append(place)
    return f"seen {place}"


def last(asked: Any) -> str:
    """Says what it was told last."""
    return asked.messages[-1].content


def guide(*steps: Any, **options: Any) -> Agent:
    return Agent("guide", tools=[look], model=ScriptedModel(steps), **options)


def ran(*steps: Any, **options: Any) -> Run:
    run = guide(*steps, **options).run("Look.", log=Session(MemoryLog()))
    done.clear()
    return run


def two_looks() -> Run:
    return ran(call("look", place="a"), call("look", place="b"), "both")


def elsewhere(run: Run) -> Session:
    """Another kernel's session, with the same log."""
    return Session(run.session.log)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"at": 3}, r"calls from 1 to 2: there is no call 3"),
        ({"at": "call-none"}, r"no call 'call-none'"),
        ({"at": True}, r"give a call of the run, its id, or its number"),
        ({"step": 9}, r"no request 9 to its model: give one from 1 to 3"),
        ({"step": 0}, r"give the number of a request"),
        ({"at": 1, "step": 1}, r"and not both"),
        ({"at": 1, "result": 1, "message": "Hm"}, r"result= and message= exclude one another"),
        ({"result": 1}, r"result= is of a call: say which"),
        ({"at": 1, "arguments": ["a"]}, r"give them by name"),
        ({"at": 1, "arguments": {"place": 1.5j}}, r"they are no JSON"),
        ({"at": 1, "arguments": {"plce": "c"}}, r"So takes 'look' as it is now"),
        ({"message": "  "}, r"give what the person says"),
        ({"again": "fly"}, r"made no call 'fly'"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_begins(
    options: dict[str, Any], said: str
) -> None:
    run = two_looks()
    with pytest.raises((RunError, ValueError), match=said):
        run.fork(**options)
    assert (done, len(run.session.runs)) == ([], 1)


def test_a_tool_that_is_gone_is_needed_only_where_it_is_called() -> None:
    run = two_looks()
    with pytest.raises(RunError, match=r"has no such tool.* or say what the call gave: result=…"):
        run.fork(at=1, arguments={"place": "c"}, tools=[])
    branch = run.fork(at=2, result="c", tools=[], model=ScriptedModel(["fine"]))
    assert [one.content for one in branch.calls] == ["seen a", "c"]


def test_a_tool_of_another_signature_refuses_what_it_does_not_take() -> None:
    def look(town: str) -> str:
        """Look."""
        return f"seen {town}"

    run = two_looks()
    with pytest.raises(ValueError, match=r"town.* So takes 'look' as it is now"):
        run.fork(at=1, arguments={"place": "c"}, tools=[look])
    branch = run.fork(
        at=1, arguments={"town": "c"}, tools=[look], model=ScriptedModel(["as it is"])
    )
    assert branch.calls[0].content == "seen c"


def test_a_run_that_goes_on_is_forked_when_it_has_ended() -> None:
    going, may_end = threading.Event(), threading.Event()

    def wait() -> str:
        """Wait."""
        going.set()
        may_end.wait(10)
        return "over"

    agent = Agent(
        "waiter",
        tools=[Tool(wait, ToolOptions(thread=True))],
        model=ScriptedModel([call("wait"), "end", "anew"]),
    )
    run = agent.start("Wait.", log=Session(MemoryLog()))
    assert going.wait(10)
    with pytest.raises(RunError, match=r"still goes on: fork it when it has ended, or stop it"):
        run.fork(at=1)
    may_end.set()
    run.wait(10)
    assert run.fork(step=2).text == "anew"


def test_a_run_of_another_kernel_needs_to_be_told_who_goes_on() -> None:
    run = two_looks()
    loaded = Run.load(run.id, log=elsewhere(run))
    with pytest.raises(
        RunError, match=r"does not know who is to go on: give it, run\.fork\(agent="
    ):
        loaded.fork(at=1, result="c")
    branch = loaded.fork(agent=guide("c it is"), at=1, result="c", log=elsewhere(run))
    assert (branch.text, branch.calls[0].content) == ("c it is", "c")
    with pytest.raises(RunError, match=r"There is no run 'run-none' in this log"):
        guide("never").fork("run-none", at=1, log=elsewhere(run))


def test_what_a_notebook_shows_of_a_run_is_not_enough_to_go_back_in_it(tmp_path: Path) -> None:
    run = two_looks()
    shown = Run.load(saved_in_notebook(tmp_path / "shown.ipynb", run))
    for options in ({}, {"log": Session(MemoryLog())}):
        with pytest.raises(RunError, match=r"loaded from what a notebook shows.*run\.save\(PATH\)"):
            shown.fork(agent=guide("never"), at=2, result="c", **options)
    branch = shown.fork(agent=guide("c it is"), at=2, result="c", log=elsewhere(run))
    assert (branch.text, [one.content for one in branch.calls]) == ("c it is", ["seen a", "c"])
    kept = Run.load(run.save(tmp_path / "kept.run.jsonl"))
    assert kept.fork(agent=guide("kept"), at=2, result="c").text == "kept"
    assert done == []


def test_objects_that_are_gone_with_their_kernel_are_asked_for() -> None:
    agent = Agent("guide", tools=[look], model=ScriptedModel([call("look", place="a"), "end"]))
    run = agent.run("Look.", vars={"table": {1, 2}}, log=Session(MemoryLog()))
    with pytest.raises(RunError, match=r"given the object 'table', which is gone with its kernel"):
        guide("never").fork(run.id, at=1, result="c", log=elsewhere(run))
    branch = guide("there").fork(run.id, at=1, result="c", vars={"table": {3}}, log=elsewhere(run))
    assert branch.values["table"] == {3}


def test_a_failed_run_goes_on_from_where_it_failed() -> None:
    with pytest.raises(ModelError):
        guide(call("look", place="a"), ModelError("no more")).run("Look.", log="memory")
    session = Session(MemoryLog())
    agent = guide(call("look", place="a"), ModelError("no more"))
    with pytest.raises(ModelError):
        agent.run("Look.", log=session)
    (run,) = session.runs
    done.clear()
    branch = run.fork(step=2, model=ScriptedModel(["at last"]))
    assert (branch.text, done) == ("at last", [])


def test_a_run_at_its_limit_has_no_more_steps_in_a_branch_that_keeps_them() -> None:
    run = ran(call("look", place="a"), call("look", place="b"), "so far", max_steps=2)
    assert run.status == "limit"
    branch = run.fork(at=2, result="c", model=ScriptedModel(["so far and no further"]))
    assert (branch.status, branch.text) == ("limit", "so far and no further")


def test_a_suspended_run_is_forked_before_its_question() -> None:
    wiped: list[str] = []

    def wipe(path: str) -> str:
        """Wipe."""
        wiped.append(path)
        return "wiped"

    agent = Agent(
        "eraser",
        tools=[look, Tool(wipe, ToolOptions(ask=True))],
        model=ScriptedModel([call("look", place="a"), call("wipe", path="b")]),
        on_await="suspend",
    )
    run = agent.run("Wipe.", log=Session(MemoryLog()))
    assert run.status == "suspended"
    branch = run.fork(at=2, result="it was empty", model=ScriptedModel(["nothing to do"]))
    assert (branch.text, wiped) == ("nothing to do", [])


@pytest.mark.parametrize("is_allowed", [True, False])
def test_a_branch_that_is_suspended_is_resumed_with_what_it_keeps(*, is_allowed: bool) -> None:
    wiped: list[str] = []

    def wipe(path: str) -> str:
        """Wipe."""
        wiped.append(path)
        return "wiped"

    run = two_looks()
    tools = [look, Tool(wipe, ToolOptions(ask=True))]
    model = ScriptedModel([call("wipe", path="b"), last])
    eraser = Agent("eraser", tools=tools, model=model, on_await="suspend")
    branch = run.fork(agent=eraser, at=2, result="an old file")
    assert (branch.status, branch.agent_name, wiped) == ("suspended", "eraser", [])
    again = Agent("eraser", tools=tools, model=model).resume(
        branch, answer=is_allowed, log=branch.session
    )
    assert wiped == ["b"] * is_allowed
    told = [one.content for one in again.messages if one.role == "tool"]
    assert told[:2] == ["seen a", "an old file"]
    assert again.text == told[2]
    assert (again.text == "wiped") is is_allowed
    assert done == []  # what it keeps is not made again
    back = again.fork(agent=guide("left as it was"), at=3, result="not needed")
    assert [one.content for one in back.calls] == ["seen a", "an old file", "not needed"]
    assert back.forked_from is not None
    assert (back.forked_from.run_id, back.forked_from.origin_id) == (again.id, run.id)


def test_a_tool_around_a_run_begins_anew_only_if_it_may() -> None:
    low = Agent("low", tools=[look], model=ScriptedModel([call("look", place="a"), "low"]))
    begun: list[str] = []

    async def send(ctx: Context) -> str:
        """Send."""
        begun.append("sent")
        return (await ctx.run(low, "Go")).text

    high = Agent("high", tools=[send], model=ScriptedModel([call("send"), "end", "again"]))
    run = high.run("Go", log=Session(MemoryLog()))
    inner = run.children[0]
    low.model.steps.append("anew")  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess, reportUnknownMemberType]
    with pytest.raises(RunError, match=r"does not say that it may begin anew.*again=\['send'\]"):
        inner.fork(at=1, result="c")
    assert begun == ["sent"]
    branch = inner.fork(at=1, result="c", again=["send"])
    assert branch.text == "again"
    assert branch.calls[0].content == "anew"
    assert branch.children[0].calls[0].content == "c"
    assert begun == ["sent", "sent"]


def test_kept_calls_are_made_again_where_that_is_asked_for() -> None:
    counts = iter(range(1, 9))

    def number() -> str:
        """Count."""
        return f"number {next(counts)}"

    steps = [call("number"), call("number"), "two"]
    agent = Agent("counter", tools=[number], model=ScriptedModel(steps))
    run = agent.run("Count.", log=Session(MemoryLog()))
    branch = run.fork(step=3, again=[1], model=ScriptedModel(["three"]))
    assert [one.content for one in branch.calls] == ["number 3", "number 2"]
    told = [one.content for one in branch.messages if one.role == "tool"]
    assert told == ["number 3", "number 2"]
    assert [one.get("kept", False) for one in branch.node["calls"].values()] == [False, True]
