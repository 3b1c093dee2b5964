"""A model that says nothing where nothing keeps it from speaking: that is said, to people too."""

from __future__ import annotations

import pytest

from nbagents.messages import AssistantMessage
from nbagents.models.model import ModelTurn
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session
from tests.unit.runs.desk import agent, double, request, turn

NOTHING = [
    ModelTurn(),
    ModelTurn(text=" \n\t"),
    ModelTurn(is_cut=True),
    ModelTurn(native=({"type": "reasoning", "id": "r"},), native_of="responses"),
]


@pytest.mark.parametrize("calls_before", [True, False])
@pytest.mark.parametrize("last", NOTHING, ids=["empty", "blank", "cut", "a-thought"])
def test_no_answer_is_empty_and_no_message_of_the_chat_is(
    last: ModelTurn, *, calls_before: bool
) -> None:
    before = [turn(request("a", "double", number=2))] if calls_before else []
    made = agent([*before, last, "Well."], [double])
    session = Session(MemoryLog())
    run = made.run("Go", log=session, chat="c")
    assert run.text.startswith("No answer: ")
    assert ("cut off" in run.text) is last.is_cut
    assert run.tree()["runs"][run.id]["text"] == run.text
    again = made.run("And now?", log=session, chat="c")
    said = [one for one in again.messages if isinstance(one, AssistantMessage)]
    assert all(one.calls or one.text.strip() for one in said)
    assert again.text == "Well."
