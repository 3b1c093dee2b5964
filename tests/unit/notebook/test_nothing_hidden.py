"""Whatever a model or a tool wrote: where a run is shown, nothing of it acts unseen."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any, cast

import pytest

from nbagents.messages import CallRequest
from nbagents.notebook.saved.html import run_html
from nbagents.notebook.saved.text import text_tree
from nbagents.runs.people.consent import question_of
from nbagents.runs.people.typing import typed_answer
from nbagents.runs.state.desk import Await
from nbagents.tools.call.invocation import PreparedCall

FIXTURES = Path(__file__).parents[2] / "fixtures" / "events"
NAMES = sorted(one.name for one in FIXTURES.glob("*.tree.json"))
HOSTILE = "\u202e\u200b\u2066x\u3164\u2800\U000e0041\ufe0f\u180e\x1b[2J\u2028\ud800y\xad"
"""Turns the reading order, has no width, is blank, steers a terminal, ends a line."""
STRUCTURE = {
    *("id", "kind", "type", "status", "phase", "outcome", "stage", "stream", "approval", "version"),
    *("call_id", "run_id", "payload", "recovery", "constraint", "parent_run_id", "root_ids"),
    *("parent_tool_call_id", "child_run_ids", "cell_id", "source_hash", "static", "requests"),
}
"""What says which node it is, and payloads, which have tests of their own."""


def made_hostile(value: Any, key: str = "") -> Any:
    """The same with hostile characters in each text and each name of an argument."""
    if isinstance(value, str):
        return value[:3] + HOSTILE + value[3:]
    if isinstance(value, list):
        return [made_hostile(one) for one in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, Any]", value).items()
    if key in ("arguments", "proposed", "answer"):
        return {made_hostile(name): made_hostile(one) for name, one in fields}
    is_by_id = key in ("runs", "calls")
    return {
        name: one if name in STRUCTURE else made_hostile(one, "" if is_by_id else name)
        for name, one in fields
    }


def hidden_in(text: str) -> set[str]:
    """What of a text acts unseen."""
    kinds = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    blank = {"\u3164", "\u2800", "\ufe0f", "\uffa0"}
    return {
        ascii(one)
        for one in set(text) - {"\n", "\t"}
        if unicodedata.category(one) in kinds or one in blank
    }


@pytest.mark.parametrize("name", NAMES)
def test_neither_the_text_of_a_run_nor_its_saved_html_hides_anything(name: str) -> None:
    tree = json.loads((FIXTURES / name).read_text("utf-8"))
    for root in tree["root_ids"]:
        hostile = made_hostile(tree)
        assert hidden_in(text_tree(hostile, root)) == set()
        assert hidden_in(run_html(hostile, root)) == set()


ASKED: list[Await] = [
    Await(
        id="a",
        kind="confirmation",
        run_id="r",
        agent_name=HOSTILE,
        tool_name=HOSTILE,
        title=HOSTILE,
        text=HOSTILE,
        reason=HOSTILE,
        arguments={HOSTILE: HOSTILE, "nested": {HOSTILE: [HOSTILE]}},
    ),
    Await(
        id="b",
        kind="clarification",
        run_id="r",
        agent_name=HOSTILE,
        text=HOSTILE,
        form={
            "type": "object",
            "properties": {HOSTILE: {"description": HOSTILE, "enum": [HOSTILE]}},
        },
    ),
]


@pytest.mark.parametrize("question", ASKED, ids=lambda one: one.kind)
def test_a_typed_question_hides_nothing(question: Await) -> None:
    shown: list[str] = []

    def read(prompt: str) -> str:
        shown.append(prompt)
        if len(shown) > 3:
            raise EOFError
        return HOSTILE

    assert typed_answer(question, read) is None
    assert shown
    assert set().union(*map(hidden_in, shown)) == set()


def test_a_call_in_a_question_shows_names_that_pass_for_others() -> None:
    request = CallRequest(id="c", name="p\u0430y", arguments="{}")
    call = PreparedCall(request=request, tool=None, arguments={"t\u043e": "\u202ea"})
    assert question_of(call) == 'Run p\\u0430y("t\\u043e"="\\u202ea")?'
