"""What a run of the past has spent is read from its events."""

from __future__ import annotations

from typing import Any

import pytest

from nbagents.events import (
    AnyEvent,
    AssistantTurn,
    AwaitQuestions,
    AwaitResolved,
    ChildRunLinked,
    Handoff,
    PromptRendered,
    RequestedCall,
    RunStart,
    ToolEnd,
    UsageReported,
    Workflow,
)
from nbagents.results import Failure
from nbagents.runs.policy.limits import Spent, counted_after, spent_of
from nbagents.runs.tree.folding import fold


class Told:
    """Events, one after the other, a second apart unless said otherwise."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = []

    def add(
        self, kind: Any, run_id: str = "run-a", *, at: float | None = None, **said: Any
    ) -> None:
        seq = len(self.events)
        before = self.events[-1].at if self.events else 99.0
        self.events.append(
            kind(
                seq=seq,
                at=before + 1 if at is None else at,
                event_key=str(seq),
                session_id="s",
                turn_id="t",
                run_id=run_id,
                parent_run_id=None,
                parent_tool_call_id=None,
                labels={},
                **said,
            )
        )

    def start(self, run_id: str = "run-a", **said: Any) -> None:
        self.add(RunStart, run_id, agent_name="a", model="m", tools=(), **said)

    def child(self, run_id: str = "run-b") -> None:
        """A run inside begins."""
        linked = {"child_run_id": run_id, "child_agent_name": "b"}
        self.add(ChildRunLinked, at=self.events[-1].at, tool_call_id="x", tool_name="x", **linked)
        self.start(run_id)

    def step(self, step: int, *calls: str, run_id: str = "run-a", asked: bool = True) -> None:
        if asked:
            self.add(PromptRendered, run_id, step=step, message_count=1, tools=())
        wanted = tuple(RequestedCall(id=one, name="f", arguments="{}") for one in calls)
        self.add(AssistantTurn, run_id, step=step, text="", calls=wanted)

    def end(self, call_id: str, status: str = "done", run_id: str = "run-a", **said: Any) -> None:
        self.add(
            ToolEnd,
            run_id,
            tool_call_id=call_id,
            tool_name="f",
            call_run_id=run_id,
            status=status,
            content="",
            duration_ms=0.0,
            **said,
        )

    def spent(self, *line: str) -> Spent:
        tree = fold(self.events)
        return spent_of(tree, [tree["runs"][one] for one in line or ("run-a",)])


def test_of_nothing_it_is_nothing() -> None:
    assert spent_of(fold([]), ()) == Spent()


def test_calls_are_counted_here_and_below_but_for_those_that_found_no_room() -> None:
    told = Told()
    told.start()
    told.step(1, "a", "b", "c")
    full = Failure(kind="unavailable", recovery="finish", message="full")
    told.end("c", "skipped", failure=full)
    told.end("b", "skipped")  # granted, and not made for another reason
    told.child()
    told.step(1, "d", run_id="run-b")
    assert (told.spent().calls, told.spent().steps) == (3, 1)


def test_a_call_that_no_model_asked_for_is_none_of_them() -> None:
    told = Told()
    told.start()
    told.step(1, "a")
    told.step(2, "closing", asked=False)
    assert (told.spent().calls, told.spent().steps) == (1, 2)


def test_tokens_and_money_are_summed() -> None:
    told = Told()
    told.start()
    used: dict[str, Any] = {"step": 1, "model": "m", "cached_tokens": 0}
    used |= {"input_tokens": 10, "output_tokens": 2}
    told.add(UsageReported, **used, cost=0.5)
    told.child()
    told.add(UsageReported, "run-b", **used)
    assert (told.spent().tokens, told.spent().cost) == (24, 0.5)


@pytest.mark.parametrize(
    ("batches", "count"),
    [
        ([["failed"], ["timed_out", "failed"]], 2),
        ([["failed"], ["failed", "done"]], 0),
        ([["failed"], ["denied"], ["skipped"]], 1),
        ([["failed"], ["failed", None]], 1),
        ([["done"], ["failed"]], 1),
    ],
)
def test_steps_that_failed_are_counted_as_long_as_none_got_anywhere(
    batches: list[list[str | None]], count: int
) -> None:
    told = Told()
    told.start()
    for step, batch in enumerate(batches, 1):
        ids = [f"{step}-{index}" for index in range(len(batch))]
        told.step(step, *ids)
        for call_id, status in zip(ids, batch, strict=True):
            if status is not None:  # else it is still open
                told.end(call_id, status)
    assert told.spent().failed_batches == count


def test_a_step_in_which_nothing_was_made_changes_nothing() -> None:
    assert counted_after(2, []) == 2


def test_who_took_over_has_not_called_yet_but_who_only_holds_the_run_has() -> None:
    told = Told()
    told.start()
    told.step(1, "a")
    assert told.spent().has_called
    told.add(Handoff, from_agent="a", to_agent="b", step=1)
    assert not told.spent().has_called
    told.step(2, "b")
    told.start("run-b")
    told.add(Handoff, "run-b", from_agent="a", to_agent="b")
    assert told.spent("run-a", "run-b").has_called


def question(told: Told, await_id: str, at: float, run_id: str = "run-a") -> None:
    told.add(AwaitQuestions, run_id, at=at, await_id=await_id, title="?", questions=())


def answer(told: Told, await_id: str, at: float, run_id: str = "run-a") -> None:
    told.add(AwaitResolved, run_id, at=at, await_id=await_id, outcome="answered", answered_by="p")


def test_time_stands_still_while_a_person_is_waited_for() -> None:
    told = Told()
    told.start()  # at 100
    told.child()
    question(told, "one", at=110)
    question(told, "two", at=120, run_id="run-b")
    answer(told, "one", at=130)
    answer(told, "two", at=150, run_id="run-b")
    told.add(Workflow, at=155, phase="failed")
    assert told.spent().active_s == 15


def test_what_was_suspended_waited_for_nobody() -> None:
    told = Told()
    told.start()
    question(told, "one", at=110)
    told.add(Workflow, at=120, phase="suspended")
    assert told.spent().active_s == 20


def test_a_kernel_that_died_while_it_waited_did_nothing_else() -> None:
    told = Told()
    told.start()
    question(told, "one", at=110)
    told.step(1, "a")  # another call of it went on
    told.events[-1] = told.events[-1].model_copy(update={"at": 140.0})
    assert told.spent().active_s == 10
