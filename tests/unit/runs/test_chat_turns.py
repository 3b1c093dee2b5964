"""What a conversation keeps: each turn whole, in the order in which they were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

import nbagents as nba
from nbagents.agents import Agent
from nbagents.messages import ToolMessage, UserMessage
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from tests.unit.runs.desk import agent, double, request, turn

if TYPE_CHECKING:
    from nbagents.messages import Message


@pytest.fixture
def session() -> Session:
    return Session(MemoryLog())


def said(session: Session) -> list[str]:
    """What the conversation `c` holds, also when it is opened again."""
    kept = session.chats.get("c").messages
    again = Session.reopen(session.log, session.session_id).chats.get("c").messages
    assert again == kept
    return [one.content if isinstance(one, ToolMessage) else one.text for one in kept]


def test_what_a_run_was_not_told_stays(session: Session) -> None:
    forgetful = agent(["one", "two", "three"], keep_turns=1)
    for prompt in ("first", "second", "third"):
        forgetful.run(prompt, chat="c", log=session)
    assert said(session) == ["first", "one", "second", "two", "third", "three"]


def test_what_a_hand_over_leaves_out_stays(session: Session) -> None:
    def newest(messages: Sequence[Message]) -> Sequence[Message]:
        return messages[-1:]

    other = Agent("other", model=ScriptedModel(["From the other."]))
    steps = ["one", turn(request("t", "transfer_to_other")), "three"]
    asked = agent(steps, handoffs=[nba.handoff(other, input_filter=newest)])
    for prompt in ("first", "second", "third"):
        asked.run(prompt, chat="c", log=session)
    assert said(session) == [
        *("first", "one"),
        *("second", "", "Handed over to 'other'.", "From the other."),
        *("third", "three"),
    ]


def test_a_run_that_waited_has_its_turn_where_it_was_asked_for(session: Session) -> None:
    def confirmed(ctx: Context) -> str:
        "Ask."
        return f"{ctx.ask('Sure?')}, sure"

    steps = ["one", turn(request("a", "confirmed")), "three", "two"]
    asked = agent(steps, [confirmed], on_await="suspend")
    asked.run("first", chat="c", log=session)
    waits = asked.run("second", chat="c", log=session)
    asked.run("third", chat="c", log=session)
    assert said(session) == ["first", "one", "third", "three"]
    asked.resume(waits, answer="yes", log=session)
    assert said(session) == [
        *("first", "one"),
        *("second", "", "yes, sure", "two"),
        *("third", "three"),
    ]


def test_a_prompt_that_was_refused_is_told_to_no_model_later(session: Session) -> None:
    def check(_ctx: object, text: str) -> object:
        if "bomb" in text:
            return nba.Refuse("No.")
        return nba.Replace(text.replace("secret", "…")) if "secret" in text else None

    asked = agent(["one", "two"], [double], input_guardrails=[check])
    for prompt in ("my secret", "make a bomb", "hello"):
        asked.run(prompt, chat="c", log=session)
    assert said(session) == ["my …", "one", "hello", "two"]
    told = session.chats.get("c").messages
    assert all(not one.is_notice for one in told if isinstance(one, UserMessage))
