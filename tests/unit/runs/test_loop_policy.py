"""The loop of a run where a limit, a rule or another agent ends it, driven with lists."""

from __future__ import annotations

import pytest

from nbagents.messages import AssistantMessage, CallRequest, Message, ToolMessage
from nbagents.results import CallResult, Failure
from nbagents.runs.state.loop import AskModel, CallTools, Decide, Outcome, agent_loop

CLOSING = CallRequest(id="end", name="save", arguments="{}")
FAILED = CallResult(
    content="no",
    status="failed",
    failure=Failure(kind="internal", recovery="replan", message="no"),
)


def asked(*names: str) -> AssistantMessage:
    calls = tuple(CallRequest(id=name, name=name, arguments="{}") for name in names)
    return AssistantMessage(text="", calls=calls)


def test_at_a_limit_the_call_said_beforehand_is_made_instead_of_asking() -> None:
    messages: list[Message] = []
    loop = agent_loop(messages, max_steps=5, is_spent=lambda: True, closing=CLOSING)
    next(loop)
    loop.send(asked("a"))
    need = loop.send([CallResult(content="A")])
    assert need == CallTools(calls=(CLOSING,), step=2, is_closing=True)
    with pytest.raises(StopIteration) as stop:
        loop.send([CallResult(content="saved")])
    assert stop.value.value == Outcome(status="limit", text="saved", step=2, is_of_tool=True)
    assert [type(one) for one in messages[-2:]] == [AssistantMessage, ToolMessage]


def test_where_it_fails_the_model_is_asked_once_more() -> None:
    loop = agent_loop([], max_steps=5, is_spent=lambda: True, closing=CLOSING)
    next(loop)
    loop.send(asked("a"))
    loop.send([CallResult(content="A")])
    need = loop.send([FAILED])
    assert isinstance(need, AskModel)
    assert need.is_final
    with pytest.raises(StopIteration) as stop:
        loop.send(AssistantMessage(text="last word"))
    assert stop.value.value.text == "last word"


def test_a_batch_may_end_the_run_by_decision() -> None:
    loop = agent_loop([], max_steps=5, decides=True)
    next(loop)
    loop.send(asked("a"))
    need = loop.send([CallResult(content="A")])
    assert isinstance(need, Decide)
    assert [result.content for result in need.results] == ["A"]
    assert isinstance(loop.send(None), AskModel)
    loop.send(asked("b"))
    loop.send([CallResult(content="B")])
    with pytest.raises(StopIteration) as stop:
        loop.send("B it is")
    assert stop.value.value == Outcome(status="completed", text="B it is", step=2, is_of_tool=True)


def test_a_loop_goes_on_where_another_one_stood() -> None:
    loop = agent_loop([], max_steps=3, after=AskModel(messages=[], step=3))
    need = next(loop)
    assert isinstance(need, AskModel)
    assert (need.step, need.is_final) == (3, False)
    loop.send(asked("a"))
    last = loop.send([CallResult(content="A")])
    assert isinstance(last, AskModel)
    assert (last.step, last.is_final) == (4, True)


def test_a_last_word_stays_the_last_word_for_whoever_goes_on() -> None:
    loop = agent_loop([], max_steps=2, after=AskModel(messages=[], step=3, is_final=True))
    need = next(loop)
    assert isinstance(need, AskModel)
    assert need.is_final
    with pytest.raises(StopIteration) as stop:
        loop.send(AssistantMessage(text="done"))
    assert stop.value.value.status == "limit"
