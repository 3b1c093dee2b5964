"""The last word: the tools stay, the model is told why, and what it calls all the same is answered.

Over every limit, and both APIs.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

from nbagents.agents import Agent
from nbagents.errors import OutputError, ToolError
from nbagents.messages import AssistantMessage, ToolMessage, UserMessage
from nbagents.models.chat.model import OpenAIChat
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.results import Usage
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from tests.unit.runs.desk import double, request, turn
from tests.unit.runs.wire import APIS, Wired

PRICES = {"scripted": {"input": 100_000.0, "output": 100_000.0}}
ONE = request("c1", "double", number=1)
FAILING = request("c1", "broken")


def broken() -> str:
    """Fail."""
    raise RuntimeError("no")


def closed() -> str:
    """Fail for good."""
    raise ToolError("The office is closed.", recovery="finish")


async def slow() -> str:
    """Take longer than there is."""
    await asyncio.sleep(60)
    return "never"


LIMITS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "steps": (ONE, {"max_steps": 1}, "max_steps=1"),
    "calls": (ONE, {"max_calls": 1}, "max_calls=1"),
    "tokens": (ONE, {"max_tokens": 12}, "max_tokens=12"),
    "money": (ONE, {"max_cost": 1.0, "prices": PRICES}, "max_cost=1"),
    "failed batches": (FAILING, {"max_failed_batches": 1}, "max_failed_batches=1"),
    "time": (request("c1", "slow"), {"timeout_s": 0.05}, "timeout_s=0.05"),
    "finish": (request("c1", "closed"), {}, "'closed' says that nothing more can be done"),
}


def ended(kind: str, *last: Any, api: Any = OpenAIChat, **more: Any) -> tuple[Run, Wired, str]:
    first, options, why = LIMITS[kind]
    model = Wired([turn(first), *last], api)
    tools = [double, broken, closed, slow]
    made = Agent("tester", tools=tools, model=model, **{**options, **more})
    return made.run("Double 1", log="memory"), model, why


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("kind", LIMITS)
def test_at_each_limit_the_tools_stay_and_the_last_message_says_why(kind: str, api: Any) -> None:
    run, model, why = ended(kind, turn(text="So far: 2."), api=api)
    first, last = model.requests
    assert last["tools"] == first["tools"]
    assert (first.get("tool_choice"), last["tool_choice"]) == (None, "none")
    said = model.messages()[-1]
    assert said["role"] == "user"
    assert said["content"].startswith("No more calls are possible: ")
    assert why in said["content"]
    assert run.text == "So far: 2."
    assert model.breaks() == []


@pytest.mark.parametrize("text", ["", "So far: 2."])
@pytest.mark.parametrize("kind", LIMITS)
def test_what_is_called_all_the_same_is_answered_and_the_person_sees_it(
    kind: str, text: str
) -> None:
    calls = (request("x1", "double", number=7), request("x2", "double", number=8))
    run, _, why = ended(kind, ModelTurn(text=text, calls=calls, usage=Usage(requests=1)))
    late = [one for one in run.calls if one.id in ("x1", "x2")]
    assert [one.status for one in late] == ["skipped", "skipped"]
    nodes = run.tree()["runs"][run.id]["calls"]
    assert {nodes[one.id]["preview"] for one in late} == {"asked for one more call"}
    assert "tool_start" not in [
        event.type for event in run.events if getattr(event, "tool_call_id", "") in ("x1", "x2")
    ]
    results = [one.call_id for one in run.messages if isinstance(one, ToolMessage)]
    asked = [
        call.id for one in run.messages if isinstance(one, AssistantMessage) for call in one.calls
    ]
    assert results == asked == ["c1", "x1", "x2"]
    if text:
        assert run.text == text
    else:
        assert run.text.startswith("No answer: the model asked for one more call")
        assert why in run.text
        assert run.messages[-1] == AssistantMessage(text=run.text)


@pytest.mark.parametrize("said", ["", " \n"])
@pytest.mark.parametrize("kind", LIMITS)
def test_no_answer_and_no_message_is_empty(kind: str, said: str) -> None:
    run, _, why = ended(kind, turn(text=said))
    assert run.text.startswith("No answer: ")
    assert why in run.text
    empty = [one for one in run.messages if isinstance(one, AssistantMessage)]
    assert all(one.calls or one.text.strip() for one in empty)


@pytest.mark.parametrize("api", APIS)
def test_the_next_turn_may_call_again_and_is_told_so(api: Any) -> None:
    again = request("c2", "double", number=2)
    model = Wired([turn(ONE), "2", turn(again), "4"], api)
    made = Agent("tester", tools=[double], model=model, max_calls=1)
    session = Session(MemoryLog())
    made.run("Double 1", chat="sums", log=session)
    run = made.run("Double 2", chat="sums", log=session)
    assert [one.status for one in run.calls] == ["done"]
    assert model.requests[2].get("tool_choice") is None
    notice = next(
        one["content"]
        for one in model.messages(2)
        if str(one.get("content")).startswith("No more calls")
    )
    assert notice.endswith("This holds for this one answer.")
    assert model.messages(2)[-1]["content"] == "Double 2"
    assert model.breaks() == []


def test_a_correction_after_the_last_word_is_asked_for_without_calls_too() -> None:
    class Sum(BaseModel):
        value: int

    run, model, _ = ended("steps", "two", '{"value": 2}', output=Sum)
    assert run.output == Sum(value=2)
    assert [one.get("tool_choice") for one in model.requests] == [None, "none", "none"]
    notices = [one for one in run.messages if isinstance(one, UserMessage) and one.is_notice]
    assert len(notices) == 1


def test_words_of_ours_are_no_answer_of_a_form() -> None:
    class Sum(BaseModel):
        value: int

    with pytest.raises(OutputError):
        ended("steps", "", "", output=Sum)


def test_the_offline_model_answers_the_wish_and_not_the_notice() -> None:
    made = Agent("maths", tools=[double], model="offline", max_calls=1)
    run = made.run("Double 21", log="memory")
    assert (run.status, "42" in run.text) == ("limit", True)


def test_without_tools_nothing_is_said_of_a_choice() -> None:
    model = ScriptedModel(["Hello."])
    Agent("tester", model=model, max_tokens=1).run("Hi", log="memory")
    assert [one.tool_choice for one in model.requests] == [None]
