"""The loop of a run, driven with lists."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nbagents.messages import AssistantMessage, CallRequest, Message, ToolMessage, UserMessage
from nbagents.results import CallResult
from nbagents.runs.state.loop import AskModel, CallTools, Need, Outcome, agent_loop

Answer = AssistantMessage | list[CallResult]


def calls(*names: str) -> AssistantMessage:
    requests = tuple(CallRequest(id=name, name=name, arguments="{}") for name in names)
    return AssistantMessage(text="", calls=requests)


def pump(
    answers: Sequence[Answer], messages: list[Message] | None = None, max_steps: int = 10
) -> tuple[list[Need], Outcome]:
    loop = agent_loop(messages if messages is not None else [], max_steps=max_steps)
    needs: list[Need] = [next(loop)]
    try:
        for answer in answers:
            needs.append(loop.send(answer))  # noqa: PERF401  a generator would eat StopIteration
    except StopIteration as stop:
        return needs, stop.value
    pytest.fail(f"the loop wants more: {needs[-1]}")


def test_an_answer_without_calls_ends_the_run() -> None:
    needs, outcome = pump([AssistantMessage(text="hi")])
    assert [type(need) for need in needs] == [AskModel]
    assert outcome == Outcome(status="completed", text="hi", step=1)


def test_results_go_back_in_call_order_each_once() -> None:
    messages: list[Message] = [UserMessage(text="go")]
    results = [CallResult(content="A"), CallResult(content="B")]
    needs, outcome = pump([calls("a", "b"), results, AssistantMessage(text="ok")], messages)
    assert [type(need) for need in needs] == [AskModel, CallTools, AskModel]
    assert outcome.text == "ok"
    assert [m for m in messages if isinstance(m, ToolMessage)] == [
        ToolMessage(call_id="a", name="a", content="A"),
        ToolMessage(call_id="b", name="b", content="B"),
    ]


def test_the_turn_ends_when_every_result_says_it_need_not_be_read() -> None:
    done = CallResult(content="moved", has_next=False, preview="59.9")
    _, outcome = pump([calls("a", "b"), [done, done]])
    assert outcome == Outcome(status="completed", text="59.9", step=1, is_of_tool=True)


def test_one_result_that_must_be_read_keeps_the_turn_going() -> None:
    done, more = CallResult(content="moved", has_next=False), CallResult(content="9 °C")
    _, outcome = pump([calls("a", "b"), [done, more], AssistantMessage(text="nine")])
    assert outcome.text == "nine"


def test_after_the_last_step_the_model_has_one_last_word() -> None:
    result = [CallResult(content="x")]
    needs, outcome = pump(
        [calls("a"), result, calls("a"), result, AssistantMessage(text="so far")], max_steps=2
    )
    asked = [need for need in needs if isinstance(need, AskModel)]
    assert [need.is_final for need in asked] == [False, False, True]
    assert outcome == Outcome(status="limit", text="so far", step=3)


def test_results_that_do_not_match_the_calls_are_refused() -> None:
    loop = agent_loop([], max_steps=1)
    next(loop)
    loop.send(calls("a", "b"))
    with pytest.raises(TypeError, match="wants 2 results"):
        loop.send([CallResult(content="only one")])


def test_an_answer_of_the_wrong_kind_is_refused() -> None:
    loop = agent_loop([], max_steps=1)
    next(loop)
    with pytest.raises(TypeError, match="wants an AssistantMessage"):
        loop.send([])
