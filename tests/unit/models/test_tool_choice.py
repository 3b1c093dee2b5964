"""What a model is told of its choice of tools, in the words of both APIs."""

from __future__ import annotations

from typing import Any

import pytest

from nbagents.models.chat.model import OpenAIChat
from nbagents.models.model import ModelRequest, ToolSpec
from nbagents.models.responses.model import OpenAIResponses

LOOK = ToolSpec(name="look", description="Look.", parameters={"type": "object", "properties": {}})
WEB = ToolSpec(name="web", description="", parameters={}, hosted={"type": "web_search"})


def sent(model: Any, choice: Any, tools: tuple[ToolSpec, ...] = (LOOK,)) -> Any:
    body: Any = model.preview(ModelRequest(messages=[], tools=tools, tool_choice=choice))
    return body.get("tool_choice")


def chat(**settings: Any) -> OpenAIChat:
    return OpenAIChat("m", api_key="k", settings=settings)


def responses(**settings: Any) -> OpenAIResponses:
    return OpenAIResponses("m", api_key="k", settings=settings)


@pytest.mark.parametrize("model", [chat, responses])
def test_words_are_the_same_in_both(model: Any) -> None:
    assert [sent(model(), word) for word in ("required", "none", "auto", None)] == [
        "required",
        "none",
        None,
        None,
    ]


def test_a_tool_is_named_in_the_shape_of_the_api() -> None:
    assert sent(chat(), "look") == {"type": "function", "function": {"name": "look"}}
    assert sent(responses(), "look") == {"type": "function", "name": "look"}
    assert sent(responses(), "web", (LOOK, WEB)) == {"type": "web_search"}


@pytest.mark.parametrize("model", [chat, responses])
def test_another_shape_is_sent_as_it_stands(model: Any) -> None:
    choice: Any = {"type": "allowed_tools", "mode": "auto", "tools": []}
    assert sent(model(), choice) == choice


@pytest.mark.parametrize("model", [chat, responses])
def test_the_model_s_own_setting_holds_until_a_tool_was_used(model: Any) -> None:
    forced = model(tool_choice="required")
    assert sent(forced, None) == "required"
    assert sent(forced, "auto") is None
    assert sent(forced, None, ()) is None
