"""What runs after a person changed a call was shown, or was given just so."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, Field

from nbagents.runs.state.desk import Answer, Await
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, turn
from tests.unit.runs.test_shown_is_done import asked_of

COUNT = iter(range(1_000))


def pay(
    at: Annotated[int, Field(default_factory=lambda: next(COUNT))],
    cents: Annotated[int, AfterValidator(lambda euros: 100 * euros)] = 0,
    to: Annotated[str, AfterValidator(str.lower)] = "me",
    days: Collection[int] = (),
) -> str:
    """Pay."""
    assert isinstance(days, (set, tuple))
    return f"{cents} {at} {to} {sorted(days)}"


pay.__annotations__["days"] = set[int]
EDITS: list[dict[str, Any]] = [
    {},
    {"cents": 400},
    {"to": "YOU"},
    {"to": "you", "days": [3, 1]},
    {"cents": 700, "to": " You"},
    {"days": [10**9, 5, 10**6, 5]},
]


@pytest.mark.parametrize("whole", [True, False], ids=["all", "changed"])
@pytest.mark.parametrize("edit", EDITS)
def test_what_runs_was_shown_or_was_given_just_so(edit: dict[str, Any], *, whole: bool) -> None:
    """Also where a tool makes something else of what it is given, and of each default a new one."""
    asked: list[Await] = []
    given: dict[str, Any] = {}

    def say(question: Await) -> Answer:
        asked.append(question)
        shown: Any = question.arguments
        if len(asked) > 1:
            return Answer("approve")
        given.update({**(shown if whole else {}), **edit})
        return Answer("approve", arguments=given)

    run, _ = asked_of(pay, request("c", "pay", cents=5), say=say)
    (call,) = run.calls
    got: Any = call.arguments
    assert call.value == f"{got['cents']} {got['at']} {got['to']} {sorted(got['days'])}"
    if len(asked) > 1:
        assert got == asked[-1].arguments
    else:
        assert {**got, "days": set(got["days"])} == got | given | {"days": set(got["days"])}
        assert set(given.get("days", got["days"])) == set(got["days"])
    (said,) = [event for event in run.events if event.type == "tool_authorization"]
    assert said.arguments == call.arguments
    assert said.edited == (bool(edit) or not whole)
    assert all("this is what its tool would get" in one.reason for one in asked[1:])


def test_what_a_tool_makes_something_else_of_is_not_taken_for_what_was_given() -> None:
    def say(question: Await) -> Answer:
        shown: Any = question.arguments
        return Answer("approve", arguments={**shown, "cents": 400})

    with pytest.raises(ValueError, match="for cents, its tool makes what you see"):
        asked_of(pay, request("c", "pay", cents=5), say=say)


def test_what_the_model_wanted_stays_what_it_wanted_where_it_is_asked_twice() -> None:
    asked: list[Await] = []

    def say(question: Await) -> Answer:
        asked.append(question)
        return Answer("approve", arguments=None if len(asked) > 1 else {"cents": 7, "at": 1})

    run, _ = asked_of(pay, request("c", "pay", cents=5, at=1), say=say)
    (call,) = run.tree()["runs"][run.id]["calls"].values()
    assert call["proposed"] == asked[0].arguments
    assert call["arguments"] == asked[1].arguments
    assert 'the model wanted: {"cents": 500, "at": 1' in str(run.tree())


@pytest.mark.parametrize("drawn", range(5))
def test_another_spelling_is_taken_however_often_it_is_given(
    drawn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a default that is another each time is, when it is shown, what is given."""
    monkeypatch.setitem(globals(), "COUNT", iter(range(drawn, 1_000)))
    asked: list[Await] = []

    def say(question: Await) -> Answer:
        asked.append(question)
        return Answer("approve", arguments={"to": "YOU", "at": 3, "days": [3, 1]})

    run, _ = asked_of(pay, request("c", "pay", cents=5), say=say)
    assert len(asked) == 2
    assert run.calls[0].value == "0 3 you [1, 3]"


def test_what_an_edit_comes_to_is_asked_over_a_resume_too() -> None:
    tool = Tool(pay, ToolOptions(ask=True))
    given = {"cents": 4, "at": 1, "to": "you"}
    now = agent(["done"], [tool], on_await="suspend")
    first = agent([turn(request("c", "pay", **given))], [tool], on_await="suspend").run(
        "Go", log="memory"
    )
    second = now.resume(first, answer=Answer("approve", arguments={**given, "cents": 7}))
    assert second.status == "suspended"
    shown = [one for one in second.events if one.type == "await_confirmation"][-1]
    assert shown.arguments == {"cents": 700, "at": 1, "to": "you", "days": []}
    third = now.resume(second, answer=True)
    assert third.calls[0].value == "700 1 you []"
