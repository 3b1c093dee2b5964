"""How far a person's word reaches: which calls it is about, and which it is not."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

import nbagents as nba
from nbagents.agents import Agent
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from tests.unit.runs.desk import agent, request, run_of, turn


def forced(ctx: nba.Context, arguments: dict[str, Any]) -> bool:
    return arguments["force"] is True or arguments["euros"] == 500


def saying(said: Any) -> Callable[[Await], Any]:
    return lambda _: said


def pay(euros: int = 1, *, force: bool = False) -> str:
    """Pay."""
    return f"paid {euros!r}"


def asks(**arguments: Any) -> bool:
    tool = nba.Tool(pay, nba.ToolOptions(ask=forced))
    made = agent([turn(request("a", "pay", **arguments)), "done"], [tool], on_await="deny")
    return made.run("Go", log="memory").calls[0].status == "denied"


@pytest.mark.parametrize("arguments", [{"force": "true"}, {"force": 1}, {"euros": "500"}])
def test_a_predicate_sees_what_the_tool_gets(arguments: dict[str, Any]) -> None:
    assert asks(**arguments)
    assert not asks(euros="5", force="no")


def test_a_predicate_sees_defaults() -> None:
    def wipe(*, force: bool = True) -> str:
        """Wipe."""
        return "wiped"

    def is_forced(ctx: nba.Context, arguments: dict[str, Any]) -> bool:
        return arguments.get("force") is True

    tool = nba.Tool(wipe, nba.ToolOptions(ask=is_forced))
    made = agent([turn(request("a", "wipe")), "done"], [tool], on_await="deny")
    assert made.run("Go", log="memory").calls[0].status == "denied"


def test_what_a_predicate_or_a_check_does_to_its_arguments_changes_no_call() -> None:
    def spoil(ctx: nba.Context, arguments: dict[str, Any]) -> None:
        arguments["euros"] = 0

    for options in (
        nba.ToolOptions(ask=spoil),
        nba.ToolOptions(input_guardrails=(spoil, spoil)),
    ):
        tool = nba.Tool(pay, options)
        made = agent([turn(request("a", "pay", euros=5)), "done"], [tool])
        (call,) = made.run("Go", log="memory").calls
        assert (call.content, call.arguments) == ("paid 5", {"euros": 5, "force": False})


def test_a_call_that_does_not_fit_is_not_asked_about() -> None:
    tool = nba.Tool(pay, nba.ToolOptions(ask=True))
    made = agent([turn(request("a", "pay", euros="much")), "done"], [tool], on_await="deny")
    run = made.run("Go", log="memory")
    assert run.calls[0].status == "failed"
    assert "await_confirmation" not in [event.type for event in run.events]


def small(ctx: nba.Context, arguments: dict[str, Any]) -> nba.Refuse | None:
    return nba.Refuse("That is too much.") if arguments["euros"] > 10 else None


def test_a_check_sees_what_the_tool_gets_and_may_leave_it() -> None:
    seen: list[Any] = []

    def note(ctx: nba.Context, arguments: dict[str, Any]) -> nba.Replace:
        seen.append(arguments)
        return nba.Replace({**arguments, "force": False})

    tool = nba.Tool(pay, nba.ToolOptions(input_guardrails=(note, small)))
    calls = turn(request("a", "pay", euros="5", force=1), request("b", "pay", euros="500"))
    run = agent([calls, "done"], [tool]).run("Go", log="memory")
    assert seen[0] == {"euros": 5, "force": True}
    assert [call.status for call in run.calls] == ["done", "denied"]
    assert run.calls[0].arguments == {"euros": 5, "force": False}


@pytest.mark.parametrize("given", [{1, 2}, object(), b"x"], ids=["set", "object", "bytes"])
def test_arguments_that_no_json_carries_are_refused_in_words(given: object) -> None:
    def spoil(ctx: nba.Context, arguments: object) -> nba.Replace:
        return nba.Replace({"euros": given})

    tool = nba.Tool(pay, nba.ToolOptions(ask=True, input_guardrails=(spoil,)))
    run = agent([turn(request("a", "pay")), "done"], [tool]).run("Go", log="memory")
    assert (run.status, run.calls[0].status) == ("completed", "denied")
    assert "as JSON has them" in (run.calls[0].content or "")


def edits(**arguments: Any) -> Callable[[Await], Answer]:
    return lambda _: Answer(action="approve", arguments=arguments)


def test_what_a_person_puts_in_place_is_checked_too() -> None:
    tool = nba.Tool(pay, nba.ToolOptions(ask=True, input_guardrails=(small,)))
    made = agent([turn(request("a", "pay")), "done"], [tool], on_await=edits(euros=500))
    run = made.run("Go", log="memory")
    assert (run.calls[0].status, run.calls[0].value) == ("denied", None)
    assert '{"euros": 500}.\nThat is too much.' in (run.calls[0].content or "")
    said = [event.outcome for event in run.events if event.type == "guardrail"]
    assert said == ["allow", "refuse"]


def made_with(path: str) -> nba.Tool:
    def delete(x: int = 1) -> str:
        """Delete."""
        return f"deleted {path}"

    return nba.Tool(delete, nba.ToolOptions(ask=True))


def test_leave_for_one_tool_is_none_for_another_of_its_name() -> None:
    asked: list[Await] = []

    def always(question: Await) -> Answer:
        asked.append(question)
        return Answer(action="approve", remember=True)

    session = Session(MemoryLog())
    for path, count in (("tmp", 1), ("tmp", 1), ("/", 2)):
        made = agent([turn(request("a", "delete")), "done"], [made_with(path)], on_await=always)
        made.run("Go", log=session)
        assert len(asked) == count


def test_a_denial_of_one_tool_is_none_of_another_of_its_name() -> None:
    asked: list[Await] = []

    def never(question: Await) -> Answer:
        asked.append(question)
        return Answer(action="deny")

    members = [child(f"k{n}", made_with(path), x=1) for n, path in enumerate("ab")]
    calls = [turn(request("a", "k0", input="x")), turn(request("b", "k1", input="x")), "done"]
    agent(calls, members, on_await=never).run("Go", log="memory")
    assert [question.agent_name for question in asked] == ["k0", "k1"]


def child(name: str, tool: nba.Tool, **arguments: Any) -> Agent:
    steps = [turn(request("c", tool.name, **arguments)), "ok"]
    return Agent(name, tools=[tool], model=agent(steps).model)


def both_wait(tool: nba.Tool, *numbers: int) -> Run:
    """A run in which two agents inside wait for consent to a call each."""
    members = [child(f"k{n}", tool, x=number) for n, number in enumerate(numbers)]
    calls = turn(request("a", "k0", input="x"), request("b", "k1", input="x"))
    run = agent([calls, "done"], members, on_await="wait").start("Go", log="memory")
    deadline = time.monotonic() + 10
    while len(run.awaiting) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return run


def statuses(run: Run) -> list[str]:
    return [call.status for inside in run.children for call in inside.calls]


def test_leave_settles_what_waits_for_it() -> None:
    run = both_wait(made_with("tmp"), 1, 2)
    first, _ = run.awaiting
    first.approve(remember=True)
    assert statuses(run.wait(10)) == ["done", "done"]


def test_a_denial_settles_the_same_call_that_waits() -> None:
    run = both_wait(made_with("tmp"), 1, 1)
    _, second = run.awaiting
    second.deny("not today")
    assert statuses(run.wait(10)) == ["denied", "denied"]
    assert all("not today" in (call.content or "") for one in run.children for call in one.calls)


def test_a_denial_leaves_another_call_that_waits() -> None:
    run = both_wait(made_with("tmp"), 1, 2)
    first, second = run.awaiting
    first.deny()
    deadline = time.monotonic() + 10
    while len(run.awaiting) > 1:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    second.approve()
    assert sorted(statuses(run.wait(10))) == ["denied", "done"]


class Trip(BaseModel):
    days: int


class Whole(BaseModel):
    days: int
    by: str


ASKED: list[tuple[dict[str, Any], object, object]] = [
    ({}, "Oslo", "Oslo"),
    ({"options": ["Oslo", "Rome"]}, "Rome", "Rome"),
    ({"options": ["Oslo", "Rome"], "multiple": True}, ["Rome"], ["Rome"]),
    ({"form": int}, 3, 3),
    ({"form": bool}, False, False),
    ({"form": Trip}, 3, Trip(days=3)),
    ({"form": Trip}, {"days": 3}, Trip(days=3)),
    ({"form": Whole}, {"days": 3, "by": "air"}, Whole(days=3, by="air")),
]


@pytest.mark.parametrize(("how", "said", "given"), ASKED)
def test_a_function_may_answer_by_the_value(
    how: dict[str, Any], said: object, given: object
) -> None:
    got: list[object] = []

    def ask(ctx: nba.Context) -> str:
        got.append(ctx.ask("Where?", **how))
        return "asked"

    agent([turn(request("a", "ask")), "done"], [ask], on_await=saying(said)).run("Go", log="memory")
    assert got == [given]


@pytest.mark.parametrize("said", [True, False])
def test_a_function_may_answer_by_yes_and_no(*, said: bool) -> None:
    got: list[object] = []

    def ask(ctx: nba.Context) -> str:
        got.append(ctx.confirm("Sure?"))
        return "asked"

    tool = nba.Tool(ask, nba.ToolOptions(ask=True))
    calls = turn(request("a", "ask"))
    free = agent([calls, "done"], [ask], on_await=saying(said)).run("Go", log="memory")
    assert got == [said]
    asked = agent([calls, "done"], [tool], on_await=saying(said)).run("Go", log="memory")
    assert (free.calls[0].status, asked.calls[0].status) == ("done", "done" if said else "denied")


@pytest.mark.parametrize(
    ("how", "said"), [({}, True), ({}, 3), ({"form": Whole}, 3), ({"form": int}, object())]
)
def test_what_is_no_answer_to_a_question_ends_the_run(how: dict[str, Any], said: object) -> None:
    def ask(ctx: nba.Context) -> str:
        return str(ctx.ask("Where?", **how))

    made = agent([turn(request("a", "ask")), "done"], [ask], on_await=saying(said))
    with pytest.raises((TypeError, ValueError), match=r"on_await gave|value of Answer"):
        made.run("Go", log="memory")


def broken(question: Await) -> Answer:
    raise LookupError(question.kind)


@pytest.mark.parametrize("is_async", [True, False])
def test_an_error_of_the_function_that_answers_ends_the_run_at_any_depth(*, is_async: bool) -> None:
    low = child("low", made_with("tmp"))

    def ask_low(ctx: nba.Context) -> str:
        try:
            return ctx.run(low, "Go").text
        except LookupError:
            return "never mind"

    async def ask_low_later(ctx: nba.Context) -> str:
        await asyncio.sleep(0)
        return (await ctx.run(low, "Go")).text

    ask = ask_low_later if is_async else ask_low
    made = agent([turn(request("a", ask.__name__)), "done"], [ask], on_await=broken)
    with pytest.raises(LookupError, match="confirmation") as caught:
        made.run("Go", log="memory")
    run = run_of(caught.value)
    assert (run.agent_name, run.status) == ("tester", "failed")


def test_missing_values_are_asked_for_as_one_says_it() -> None:
    asked: list[str] = []

    def note(question: Await) -> None:
        asked.append(question.text)

    def stay(nights: int, room: str, breakfast: str) -> str:
        """Stay."""
        return "stayed"

    for given in ({"nights": 1, "room": "a"}, {"room": "a"}, {}):
        made = agent(
            [turn(request("a", "stay", **given)), "done"], [stay], on_await=note, on_missing="ask"
        )
        made.run("Go", log="memory")
    assert asked == [
        "What is breakfast?",
        "What are nights and breakfast?",
        "What are nights, room and breakfast?",
    ]


class Thing:
    """No JSON can carry it."""


def test_a_result_that_is_refused_leaves_no_object() -> None:
    def load() -> Thing:
        """Load."""
        return Thing()

    def use(thing: Thing) -> str:
        """Use."""
        return "used"

    def refuse(ctx: nba.Context, content: str) -> nba.Refuse | None:
        return nba.Refuse("withheld")

    def allow(ctx: nba.Context, content: str) -> None:
        return None

    for check, last in ((refuse, "failed"), (allow, "done")):
        guarded = nba.Tool(load, nba.ToolOptions(output_guardrails=(check,)))
        steps = [turn(request("a", "load")), turn(request("b", "use", thing="r1")), "done"]
        run = agent(steps, [guarded, use]).run("Go", log="memory")
        assert run.calls[1].status == last
        assert bool(run.values) == bool(run.calls[0].handle) == (check is allow)
