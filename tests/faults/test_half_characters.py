"""Half characters (lone surrogates) anywhere raise nothing out of the runtime, and stay apart."""

from __future__ import annotations

import json

import pytest

from nbagents.agents import Agent
from nbagents.errors import ToolError
from nbagents.messages import CallRequest
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.faults.leaving import run_to_the_end
from tests.unit.runs.desk import agent, turn

HALF, OTHER = "a\ud800b", "a\udfffb"


def work(ctx: Context, said: str = "") -> dict[str, str]:
    """Work."""
    print(HALF)
    ctx.log(HALF)
    ctx.progress(HALF)
    ctx.display({"text/plain": HALF})
    return {HALF: OTHER, "said": said}


def fail() -> None:
    """Fail."""
    raise ToolError(HALF)


def missing() -> None:
    """Look for a file."""
    raise FileNotFoundError(2, HALF, f"/home/{OTHER}")


def test_half_characters_everywhere_are_one_sound_run(session: Session) -> None:
    arguments = json.dumps({"said": HALF}, ensure_ascii=False)
    calls = [
        CallRequest(id=HALF, name="work", arguments=arguments),
        CallRequest(id=OTHER, name="work", arguments="{}"),
        CallRequest(id="f", name="fail", arguments="{}"),
        CallRequest(id="m", name="missing", arguments=HALF),
        CallRequest(id="n", name=HALF, arguments="{}"),
    ]
    made = agent([turn(*calls), HALF], [work, fail, missing])
    ended = run_to_the_end(made, session, HALF)
    assert (ended.error, ended.run.status) == (None, "completed")
    ids = [call.id for call in ended.run.calls]
    assert len(set(ids)) == len(calls)
    assert [call.status for call in ended.run.calls] == ["done", "done", *["failed"] * 3]
    "".join(event.model_dump_json() for event in ended.run.events).encode()


@pytest.mark.parametrize("where", ["agent", "chat", "label"])
def test_half_characters_in_names_raise_nothing(session: Session, where: str) -> None:
    model = ScriptedModel(["done"])
    made = Agent(HALF if where == "agent" else "ok", model=model)
    labels = {HALF: OTHER} if where == "label" else {}
    run = made.run("Go", log=session, chat=HALF if where == "chat" else None, labels=labels)
    assert run.status == "completed"
    session.log.flush()


def test_an_error_that_a_run_raises_is_written(session: Session) -> None:
    def bad() -> None:
        raise ValueError(HALF)

    tool = Tool(bad, ToolOptions(on_error=None))
    made = agent([turn(CallRequest(id="b", name="bad", arguments="{}"))], [tool])
    ended = run_to_the_end(made, session)
    assert ended.run.status == "failed"
    str(ended.error).encode()
