"""What calls ask a person: in words, to choose, by a form, for what a call lacks, from outside."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, Field

from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import ShowingHost, agent, request, turn


class Trip(BaseModel):
    """A journey."""

    city: str
    nights: int = Field(ge=1)


def by_schema(asked: Any) -> Any:  # Any: a form is any JSON
    return asked["form"]


def answers(*said: Any) -> Any:
    left = list(said)

    def answer(question: Await) -> Answer | None:
        del question
        value = left.pop(0)
        return (
            value
            if isinstance(value, Answer) or value is None
            else Answer(action="answer", value=value)
        )

    return answer


def asking(how: Callable[[Context], Any], *, is_async: bool = True, **options: Any) -> Tool:
    """A tool that asks, and gives what it is answered."""

    async def later(ctx: Context) -> object:
        return await how(ctx)

    def now(ctx: Context) -> object:
        return how(ctx)

    return Tool(later if is_async else now, ToolOptions(name="asks", **options))


def answered(tool: Tool, *said: Any, **options: Any) -> Run:
    made = agent([turn(request("a", "asks")), "done"], [tool], on_await=answers(*said), **options)
    return made.run("Go", log="memory")


BOTH = pytest.mark.parametrize("is_async", [True, False])


@BOTH
@pytest.mark.parametrize("thread", [False, True])
def test_a_tool_asks_in_words(*, is_async: bool, thread: bool) -> None:
    tool = asking(
        lambda ctx: ctx.ask("Your name?"), is_async=is_async, thread=thread and not is_async
    )
    run = answered(tool, "Ada")
    assert run.calls[0].value == "Ada"
    (asked,) = run.tree()["runs"][run.id]["awaits"]
    assert (asked["kind"], asked["text"], asked["call_id"]) == ("clarification", "Your name?", "a")
    assert (asked["answer"], asked["outcome"]) == ("Ada", "answered")


@BOTH
def test_a_tool_lets_choose(*, is_async: bool) -> None:
    tool = asking(lambda ctx: ctx.ask("Which?", options=["red", 2]), is_async=is_async)
    run = answered(tool, {"answer": "2"})
    assert run.calls[0].value == "2"
    (asked,) = run.tree()["runs"][run.id]["awaits"]
    assert [one["label"] for one in asked["questions"][0]["options"]] == ["red", "2"]


def test_several_may_be_chosen() -> None:
    tool = asking(lambda ctx: ctx.ask("Which?", options=["a", "b", "c"], multiple=True))
    assert answered(tool, {"answer": ["a", "c"]}).calls[0].value == ["a", "c"]


@BOTH
def test_a_form_gives_a_value_of_its_type(*, is_async: bool) -> None:
    tool = asking(lambda ctx: ctx.ask("Where to?", form=Trip), is_async=is_async)
    run = answered(tool, {"city": "Oslo", "nights": 2})
    assert run.calls[0].value == Trip(city="Oslo", nights=2)
    (asked,) = run.tree()["runs"][run.id]["awaits"]
    assert asked["missing_fields"] == ["city", "nights"]
    assert by_schema(asked)["properties"]["nights"]["minimum"] == 1


def test_a_form_of_what_is_no_object_has_one_field() -> None:
    tool = asking(lambda ctx: ctx.ask("Which?", form=list[int]))
    assert answered(tool, {"value": [1, 2]}).calls[0].value == [1, 2]


@BOTH
@pytest.mark.parametrize(("said", "value"), [("Yes", True), ("No", False), (None, False)])
def test_a_tool_has_something_confirmed(*, is_async: bool, said: Any, value: bool) -> None:
    tool = asking(lambda ctx: ctx.confirm("Sure?"), is_async=is_async)
    run = answered(tool, None if said is None else {"answer": said})
    assert run.calls[0].value is value


def test_what_nobody_answers_fails_the_call_and_the_model_is_told() -> None:
    tool = asking(lambda ctx: ctx.ask("Your name?"))
    run = answered(tool, Answer(action="deny", note="ask my boss"))
    assert (run.calls[0].status, run.status) == ("failed", "completed")
    assert "ask my boss" in (run.calls[0].content or "")


def test_a_wrong_answer_is_asked_for_again() -> None:
    class Typing(ShowingHost):
        def ask(self, run: Run, question: Await) -> Answer | None:
            self.asked.append(question.text)
            nights = 0 if len(self.asked) == 1 else 3
            return Answer(action="answer", value={"city": "Oslo", "nights": nights})

    host = Typing()
    tool = asking(lambda ctx: ctx.ask("Where to?", form=Trip))
    run = agent([turn(request("a", "asks")), "done"], [tool]).run("Go", log="memory", host=host)
    assert run.calls[0].value == Trip(city="Oslo", nights=3)
    assert "nights" in host.asked[1]


def book(city: str, nights: int) -> str:
    "Book a room."
    return f"{nights} nights in {city}"


def test_a_person_gives_what_a_call_lacks() -> None:
    made = agent(
        [turn(request("a", "book", city="Oslo")), "done"],
        [book],
        on_missing="ask",
        on_await=answers({"nights": 3}),
    )
    run = made.run("Go", log="memory")
    assert run.calls[0].value == "3 nights in Oslo"
    (asked,) = run.tree()["runs"][run.id]["awaits"]
    assert (asked["missing_fields"], asked["arguments"]) == (["nights"], {"city": "Oslo"})
    assert by_schema(asked)["required"] == ["nights"]
    assert run.calls[0].arguments == {"city": "Oslo", "nights": 3}


def test_what_else_is_wrong_with_a_call_is_for_the_model() -> None:
    made = agent(
        [turn(request("a", "book", city="Oslo", nights="many")), "done"],
        [book],
        on_missing="ask",
        on_await=answers(),
    )
    run = made.run("Go", log="memory")
    assert (run.calls[0].status, run.tree()["runs"][run.id]["awaits"]) == ("failed", [])


def test_without_a_person_the_model_is_told_what_lacks() -> None:
    made = agent(
        [turn(request("a", "book", city="Oslo")), "done"], [book], on_missing="ask", on_await="deny"
    )
    run = made.run("Go", log="memory")
    assert "nights" in (run.calls[0].content or "")
    assert run.calls[0].status == "failed"


def test_a_result_from_outside() -> None:
    def weigh(item: str) -> float:
        "Weigh something on the scales in the lab."
        raise AssertionError("nobody runs this")

    tool = Tool(weigh, ToolOptions(external=True))
    calls = turn(request("a", "weigh", item="cup"), request("b", "weigh", item="jug"))
    run = agent([calls, "done"], [tool], on_await="wait").start("Go", log="memory")
    while len(run.awaiting) < 2:
        time.sleep(0.005)
    first, second = run.awaiting
    assert [one.calls[0].arguments for one in (first, second)] == [
        '{"item": "cup"}',
        '{"item": "jug"}',
    ]
    with pytest.raises(ValueError, match="result of weigh"):
        first.answer({"b": 1})
    second.answer({"b": 1.5})
    first.answer({"a": 0.3})
    assert [call.value for call in run.wait(5).calls] == [0.3, 1.5]


def test_an_awaited_run_asks_as_well() -> None:
    for is_async in (True, False):
        tool = asking(lambda ctx: ctx.ask("Your name?"), is_async=is_async)
        made = agent([turn(request("a", "asks")), "done"], [tool], on_await=answers("Ada"))
        run = asyncio.run(made.arun("Go", log="memory"))
        assert run.calls[0].value == "Ada"


def test_an_agent_that_can_ask_has_a_tool_for_it() -> None:
    made = agent(
        [turn(request("a", "ask_person", question="Which year?")), "done"],
        can_ask=True,
        on_await=answers("1999"),
    )
    run = made.run("Go", log="memory")
    assert run.calls[0].content == "1999"
