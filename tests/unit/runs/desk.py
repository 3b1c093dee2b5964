"""What the tests of runs have at hand: agents by script, and two tools."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from typing import Any

from nbagents.agents import Agent, ToolLike
from nbagents.events import AnyEvent, UserMessageReceived
from nbagents.messages import CallRequest
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.results import Usage
from nbagents.runs.people.host import NoHost
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run


def request(call_id: str, name: str, **arguments: Any) -> CallRequest:
    return CallRequest(id=call_id, name=name, arguments=json.dumps(arguments))


def turn(*calls: CallRequest, text: str = "") -> ModelTurn:
    return ModelTurn(text=text, calls=calls, usage=Usage(input_tokens=10, output_tokens=2))


def agent(steps: Sequence[Any], tools: Sequence[ToolLike] = (), **options: Any) -> Agent:
    return Agent("tester", tools=tools, model=ScriptedModel(steps), **options)


def run_of(error: BaseException) -> Run:
    """The run that an error ended."""
    run: object = getattr(error, "run", None)
    assert isinstance(run, Run)
    return run


def double(number: int) -> int:
    """Double a number."""
    return 2 * number


async def treble(number: int) -> int:
    """Treble a number."""
    await asyncio.sleep(0)
    return 3 * number


class ShowingHost(NoHost):
    """A host that shows what calls print, and answers for the person."""

    @property
    def shows_output(self) -> bool:
        return True

    def __init__(self, *, answer: bool | None = None) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def ask(self, run: Run, question: Await) -> Answer | None:
        self.asked.append(question.text)
        assert threading.current_thread() is threading.main_thread()
        if self.answer is None:
            return None
        return Answer(action="approve" if self.answer else "deny")


def event(seq: int, *, run: str = "run-1", session: str = "s", key: str | None = None) -> AnyEvent:
    return UserMessageReceived(
        seq=seq,
        at=float(seq),
        event_key=key or str(seq),
        session_id=session,
        turn_id="t",
        run_id=run,
        parent_run_id=None,
        parent_tool_call_id=None,
        labels={"a": "b"},
        text=f"text {seq} é",
    )
