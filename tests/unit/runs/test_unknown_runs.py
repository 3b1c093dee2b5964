"""A stream of one run is of a run that there is; whoever hears it and ends is told of."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

import nbagents as nba
from nbagents.agents import Agent
from nbagents.events import AnyEvent
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.drive.entrance import run_async
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session
from tests.unit.runs.behind import until
from tests.unit.runs.desk import agent, request, turn


def test_a_run_that_there_is_not_is_said_at_once() -> None:
    session = Session(MemoryLog())
    agent(["Hi."]).run("Go", log=session)
    with pytest.raises(nba.RunError, match="no run 'run-typo' in this session"):
        session.stream(run_id="run-typo")
    with pytest.raises(nba.RunError, match="no run 'run-typo'"):
        session.events(run_id="run-typo")


def test_a_run_that_has_not_begun_can_be_followed() -> None:
    session = Session(MemoryLog())
    run, _ = agent(["Hi."]).begin("Go", session)
    assert list(session.events("debug", run_id=run.id)) == []


def test_a_run_inside_can_be_followed_as_soon_as_it_is_heard_of() -> None:
    session = Session(MemoryLog())
    helper = Agent("helper", model=ScriptedModel(["Hi."]))
    run, plan = agent(
        [turn(request("c1", "helper", input="x")), turn(text="Done.")], [helper]
    ).begin("Go", session)
    heard: list[object] = []

    def hear(event: AnyEvent) -> None:
        if event.type == "child_run_linked":
            heard.append(session.stream(run_id=event.child_run_id))

    run.listen(hear)
    asyncio.run(run_async(run, plan))
    assert len(heard) == 1


def test_a_subscriber_that_exits_is_told_nothing_more_and_that_is_said() -> None:
    session = Session(MemoryLog())
    told: list[AnyEvent] = []

    def leave(event: AnyEvent) -> None:
        told.append(event)
        raise SystemExit(3)

    def subscribed() -> None:
        session.subscribe(leave)
        agent(["Hi."]).run("Go", log=session)
        until(lambda: not any(one.name == "nbagents-subscriber" for one in threading.enumerate()))

    with pytest.warns(UserWarning, match=r"SystemExit\(3\).*nothing more"):
        subscribed()
    bell: Any = vars(session)["_bell"]
    assert bell.hearing == ()
    assert len(told) == 1
