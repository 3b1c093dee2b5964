"""What is chosen by a word, or counted, is seen to before anything begins."""

from __future__ import annotations

from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.errors import ToolDefinitionError
from nbagents.models.scripted import ScriptedModel
from nbagents.tools.tool.definition import Tool, ToolOptions

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"approval": "riski"}, "approval is 'riski'.*'risky'"),
    ({"on_await": "susend"}, "on_await is 'susend'.*'suspend'"),
    ({"on_await": 5}, "on_await is 5"),
    ({"on_missing": "aks"}, "on_missing is 'aks'.*'ask'"),
    ({"keep_turns": -1}, "keep_turns is -1"),
    ({"keep_tokens": "3"}, "keep_tokens is '3'"),
    ({"max_calls": 2.5}, "max_calls is 2.5"),
    ({"max_steps": "3"}, "max_steps is '3'"),
    ({"deny_tags": [3]}, "deny_tags is"),
]


@pytest.mark.parametrize(("options", "told"), WRONG, ids=[str(one[0]) for one in WRONG])
def test_a_wrong_word_or_count_is_said(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Agent(model=ScriptedModel([]), **options).run("Go", log="memory")


def test_a_wrong_log_is_said() -> None:
    wrong: Any = "memry"
    with pytest.raises(ValueError, match="log is 'memry'"):
        Agent(model=ScriptedModel([])).run("Go", log=wrong)


def look() -> None:
    "Look."


def test_one_tag_may_stand_for_several() -> None:
    tool = Tool(look, ToolOptions(tags=("net",)))
    made = Agent(tools=[tool], deny_tags="net", model=ScriptedModel(["done"]))
    run = made.run("Go", log="memory")
    assert run.tree()["runs"][run.id]["tools"] == []


@pytest.mark.parametrize("options", [{"ask": "yes"}, {"ask": 5}, {"tags": "net"}], ids=str)
def test_a_tool_says_what_is_wrong_with_it(options: dict[str, Any]) -> None:
    with pytest.raises(ToolDefinitionError, match="of tool 'look'"):
        Tool(look, ToolOptions(**options))
