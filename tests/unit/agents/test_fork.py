"""A run is gone back to: its branch keeps what came before, and goes on otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.events import StepEdited
from nbagents.messages import CallRequest, ToolMessage, UserMessage
from nbagents.models.scripted import ScriptedModel, call
from nbagents.results import Usage
from nbagents.runs.state.run.run import Run


class Adding:
    """An agent that adds, and what its tool has really done."""

    def __init__(self, *steps: Any) -> None:
        self.done: list[tuple[int, int]] = []
        self.model = ScriptedModel(steps, usage=Usage(input_tokens=10, output_tokens=1))
        self.agent = Agent("adder", "You add.", tools=[self.add], model=self.model)

    def add(self, a: int, b: int) -> int:
        """Add."""
        self.done.append((a, b))
        return a + b

    def run(self) -> Run:
        """A run of it; what was done in it is forgotten."""
        run = self.agent.run("Add.", log="memory")
        self.done.clear()
        return run

    def then(self, *steps: Any) -> ScriptedModel:
        """A model that goes on with these."""
        return ScriptedModel(steps, usage=Usage(input_tokens=10, output_tokens=1))


def add(a: int, b: int) -> CallRequest:
    return call("add", a=a, b=b)


@pytest.fixture(name="adding")
def _adding() -> Adding:
    return Adding(add(1, 1), [add(2, 2), add(3, 3)], add(4, 4), "10")


def contents(run: Run) -> list[str | None]:
    return [one.content for one in run.calls]


def marks(run: Run) -> list[bool]:
    return [one.get("kept", False) for one in run.node["calls"].values()]


def test_another_result_takes_the_place_of_the_call_s(adding: Adding) -> None:
    run = adding.run()
    branch = run.fork(at=run.calls[1], result=77, model=adding.then(add(5, 5), "done"))
    assert (branch.text, adding.done) == ("done", [(5, 5)])
    assert contents(branch) == ["2", "77", "6", "10"]
    assert marks(branch) == [True, False, True, False]  # the second was given
    told = [one.content for one in branch.messages if isinstance(one, ToolMessage)]
    assert told == ["2", "77", "6", "10"]
    assert contents(run) == ["2", "4", "6", "8"]


def test_other_arguments_are_what_the_model_seems_to_have_asked_for(adding: Adding) -> None:
    run = adding.run()
    then = adding.then("done")
    branch = run.fork(at=2, arguments={"a": 20, "b": 2}, model=then)
    assert adding.done == [(20, 2)]
    assert contents(branch) == ["2", "22", "6"]
    asked = [call for one in branch.messages for call in getattr(one, "calls", ())]
    assert asked[1].arguments == '{"a": 20, "b": 2}'
    assert tuple(then.requests[0].messages) == branch.messages  # a list that grows in place


def test_a_message_at_the_first_request_takes_the_place_of_the_prompt(adding: Adding) -> None:
    run = adding.run()
    branch = run.fork(message="Add nothing.", model=adding.then("0"))
    assert (branch.prompt, branch.text, branch.calls) == ("Add nothing.", "0", ())
    assert branch.messages[1] == UserMessage(text="Add nothing.")


def test_a_message_at_a_later_request_is_said_before_it(adding: Adding) -> None:
    run = adding.run()
    branch = run.fork(step=3, message="That will do.", model=adding.then("8"))
    assert branch.messages[-2] == UserMessage(text="That will do.")
    assert (contents(branch), adding.done) == (["2", "4", "6"], [])


def test_what_was_kept_is_not_paid_again(adding: Adding) -> None:
    run = adding.run()
    branch = run.fork(at=2, result=0, model=adding.then("done"))
    assert branch.usage == Usage(input_tokens=10, output_tokens=1, requests=1)
    kept = branch.node.get("kept")
    assert kept is not None
    assert kept["usage"]["requests"] == 2


def test_a_branch_says_where_it_leaves_which_run(adding: Adding) -> None:
    run = adding.run()
    first = run.fork(at=2, result=0, model=adding.then(add(9, 9), "one"))
    second = first.fork(at=first.calls[-1], arguments={"a": 1, "b": 0}, model=adding.then("two"))
    at = second.forked_from
    assert at is not None
    assert (at.run_id, at.origin_id, at.step) == (first.id, run.id, 3)
    assert (at.call_id, at.call_number, at.tool_name) == (first.calls[-1].id, 4, "add")
    assert at.edited == ("arguments", "model")
    edits = [one for one in second.events if isinstance(one, StepEdited)]
    assert [(one.what, one.before, one.after) for one in edits] == [
        ("result", "4", "0"),
        ("arguments", {"a": 9, "b": 9}, {"a": 1, "b": 0}),
    ]
    assert [one["call_id"] for one in second.node.get("edits", ())] == [
        second.calls[1].id,
        second.calls[3].id,
    ]
    assert run.forked_from is None


def test_a_run_lists_its_branches_and_each_is_loaded(adding: Adding) -> None:
    run = adding.run()
    assert list(run.branches) == []
    first = run.fork(at=1, result=0, model=adding.then("one"))
    second = run.fork(step=2, model=adding.then("two"))
    below = second.fork(step=2, model=adding.then("three"))
    assert [one.id for one in run.branches] == [second.id, first.id]
    assert [one.id for one in second.branches] == [below.id]
    assert run.branches[1].load().text == "one"
