"""Conversations by name."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import pytest

from nbagents.errors import ModelError, RunError
from nbagents.messages import SystemMessage, UserMessage
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from tests.unit.runs.behind import until
from tests.unit.runs.desk import agent, double, request, turn


@pytest.fixture
def session() -> Session:
    return Session(MemoryLog())


def talk(session: Session, steps: list[Any], **options: Any) -> Callable[..., Run]:
    asked = agent(steps, [double], **options)

    def say(prompt: str, chat: str | None = "trip") -> Run:
        return asked.run(prompt, chat=chat, log=session)

    return say


def test_a_run_goes_on_with_what_was_said_and_called_before(session: Session) -> None:
    steps = [turn(request("c1", "double", number=4)), turn(text="8"), turn(text="As I said: 8.")]
    say = talk(session, steps)
    say("Double 4")
    run = say("Again?")
    assert [one.role for one in run.messages] == [
        *("user", "assistant", "tool", "assistant"),
        *("user", "assistant"),
    ]
    assert run.text == "As I said: 8."
    assert [call.id for call in run.calls] == []


def test_without_a_name_each_run_starts_clean(session: Session) -> None:
    say = talk(session, [turn(text="one"), turn(text="two")])
    say("One")
    assert len(say("Two", chat=None).messages) == 2


def test_the_instructions_are_those_of_the_run_and_stand_first_and_once(session: Session) -> None:
    talk(session, [turn(text="one")], instructions="Be brief.")("One")
    run = talk(session, [turn(text="two")], instructions="Be kind.")("Two")
    said = [one.text for one in run.messages if isinstance(one, SystemMessage)]
    assert said == ["Be kind."]
    assert isinstance(run.messages[0], SystemMessage)


def test_objects_keep_their_names_in_a_conversation(session: Session) -> None:
    thing = threading.Event()

    def make() -> object:
        """Make something that no JSON can carry."""
        return thing

    steps = [turn(request("c1", "make")), turn(text="made"), turn(text="still there")]
    asked = agent(steps, [make])
    asked.run("Make one", chat="sets", log=session)
    assert asked.run("Is it there?", chat="sets", log=session).values["r1"] is thing


def test_a_run_that_failed_before_it_was_answered_is_no_part_of_the_conversation(
    session: Session,
) -> None:
    def fail(_request: object) -> Any:
        raise ModelError("down")

    talk(session, [turn(text="one")])("One")
    with pytest.raises(ModelError):
        talk(session, [fail])("Lost")
    run = talk(session, [turn(text="two")])("Two")
    assert [one.text for one in run.messages if isinstance(one, UserMessage)] == ["One", "Two"]


def test_two_runs_do_not_go_on_with_one_conversation_at_once(session: Session) -> None:
    asked = agent([turn(text="one")])
    begun = asked.begin("One", session, chat="trip")
    with pytest.raises(RunError, match="'trip' is busy"):
        asked.begin("Two", session, chat="trip")
    del begun
    gc.collect()
    asked.begin("Two", session, chat="trip")


def test_a_conversation_can_be_forgotten(session: Session) -> None:
    say = talk(session, [turn(text="one"), turn(text="two")])
    say("One")
    assert session.chats.names() == ("trip",)
    assert session.chats.forget("nowhere") == ()
    assert session.chats.forget("trip") == ("trip",)
    assert len(say("Two").messages) == 2


def test_a_run_says_to_which_conversation_it_belongs(session: Session) -> None:
    run = talk(session, [turn(text="one")])("One")
    assert run.tree()["runs"][run.id]["chat"] == "trip"
    assert session.chats.get("trip").firsts == {run.id: run.id}


def test_an_empty_name_is_refused(session: Session) -> None:
    with pytest.raises(RunError, match="needs a name"):
        agent([turn(text="one")]).run("One", chat=" ", log=session)


def test_a_run_can_be_told_a_part_of_the_conversation_and_the_rest_stays(session: Session) -> None:
    steps = [turn(request("c1", "double", number=4)), *(turn(text=str(n)) for n in range(5))]
    say = talk(session, steps, keep_turns=1)
    for prompt in ("One", "Two", "Three"):
        run = say(prompt)
    assert [one.text for one in run.messages if isinstance(one, UserMessage)] == ["Two", "Three"]
    kept = session.chats.get("trip").messages
    assert [one.text for one in kept if isinstance(one, UserMessage)] == ["One", "Two", "Three"]
    few = talk(session, [turn(text="few")], keep_tokens=1)("Four")
    assert [one.text for one in few.messages if isinstance(one, UserMessage)] == ["Four"]
    whole = talk(session, [turn(text="all")])("Five")
    assert sum(isinstance(one, UserMessage) for one in whole.messages) == 5


def test_less_than_nothing_cannot_be_kept(session: Session) -> None:
    with pytest.raises(ValueError, match="keep_turns is -1"):
        talk(session, [turn(text="one")], keep_turns=-1)("One")


def test_the_session_knows_its_runs_while_somebody_holds_them(session: Session) -> None:
    asked = agent([turn(text=str(number)) for number in range(3)])
    first = asked.run("1", log=session)
    asked.run("2", log=session)
    asked.run("3", log=session)
    until(lambda: gc.collect() >= 0 and [run.prompt for run in session.runs] == ["1", "3"])
    assert first in session.runs
