"""Request bodies that grow by appending."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.errors import ModelError
from nbagents.messages import (
    AssistantMessage,
    CallRequest,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from nbagents.models.chat.body import Conversation, chat_head, encode_message
from nbagents.models.model import ToolSpec
from nbagents.models.openai.parts import Shape

if TYPE_CHECKING:
    from pydantic import JsonValue

SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"x": {"type": "integer"}},
    "required": ["x"],
    "additionalProperties": False,
}


def call(name: str = "f", arguments: str = "{}", call_id: str = "a") -> CallRequest:
    return CallRequest(id=call_id, name=name, arguments=arguments)


def decoded(conversation: Conversation, messages: list[Message]) -> list[Any]:
    return json.loads(b"[" + conversation.follow(messages) + b"]")


def test_each_kind_of_message_has_its_shape() -> None:
    said = AssistantMessage(text="", calls=(call("f", '{"x":1}'), call("g", "{}", "b")))
    messages = [
        SystemMessage(text="Kurz."),
        UserMessage(text='"Zürich"\n東京 🌍'),
        said,
        ToolMessage(call_id="a", name="f", content=""),
        AssistantMessage(text="fertig"),
    ]
    assert decoded(Conversation(), messages) == [
        {"role": "system", "content": "Kurz."},
        {"role": "user", "content": '"Zürich"\n東京 🌍'},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "a",
                    "type": "function",
                    "function": {"name": "f", "arguments": '{"x":1}'},
                },
                {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": ""},
        {"role": "assistant", "content": "fertig"},
    ]


def test_text_beside_calls_is_kept() -> None:
    assert b'"content":"so"' in encode_message(AssistantMessage(text="so", calls=(call(),)))


@pytest.mark.parametrize(
    ("written", "sent"),
    [("", "{}"), ("  ", "{}"), ('{"x": 1}', '{"x": 1}'), ("{oops", '{"invalid_json":"{oops"}')],
)
def test_arguments_in_the_history_are_always_json(written: str, sent: str) -> None:
    message = json.loads(encode_message(AssistantMessage(text="", calls=(call("f", written),))))
    assert message["tool_calls"][0]["function"]["arguments"] == sent


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("functions.f", "functions_f"),
        ("", "unknown"),
        ("w" * 99, "w" * 64),
        ("wetter-5", "wetter-5"),
    ],
)
def test_a_name_that_no_tool_can_have_is_made_one(written: str, sent: str) -> None:
    message = json.loads(encode_message(AssistantMessage(text="", calls=(call(written),))))
    assert message["tool_calls"][0]["function"]["name"] == sent


def test_half_a_character_does_not_break_the_request() -> None:
    message = ToolMessage(call_id="a", name="f", content="a\ud83c\udf0db\udcff")
    assert json.loads(encode_message(message))["content"] == "a🌍b\ufffd"


def test_half_a_character_in_a_schema_does_not_break_the_request() -> None:
    schema = {"type": "object", "enum": ["a\ud83c", ("b",)]}
    tool = ToolSpec(name="f", description="d", parameters=MappingProxyType(schema))  # pyright: ignore[reportArgumentType]  as a careless tool writes it
    body = json.loads(chat_head().follow({"n": 1}, (tool,)) + b"]}")
    assert body["tools"][0]["function"]["parameters"]["enum"] == ["a\ufffd", ["b"]]
    assert body["n"] == 1


def test_a_tool_that_runs_at_the_provider_needs_the_other_api() -> None:
    hosted = ToolSpec(
        name="web_search", description="", parameters={}, hosted={"type": "web_search"}
    )
    with pytest.raises(ModelError, match=r"'web_search' runs at the provider .* responses:MODEL"):
        chat_head().follow({}, (hosted,))


def test_a_setting_that_is_no_json_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="serializ"):
        chat_head().follow({"stop": object()}, ())  # pyright: ignore[reportArgumentType]  the point


def test_a_message_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[Message] = []

    def counting(message: Message, shape: Shape) -> bytes:
        encoded.append(message)
        return encode_message(message, shape)

    monkeypatch.setattr("nbagents.models.chat.body.encode_message", counting)
    conversation, messages = Conversation(), list[Message]()
    for number in range(5):
        messages.append(UserMessage(text=str(number)))
        decoded(conversation, messages)
    assert encoded == messages
    assert [one["content"] for one in decoded(conversation, messages)] == list("01234")


def test_another_conversation_is_encoded_anew() -> None:
    conversation = Conversation()
    first: list[Message] = [UserMessage(text="a"), AssistantMessage(text="", calls=(call(),))]
    decoded(conversation, first)
    assert conversation.call_ids == {"a"}
    assert decoded(conversation, [UserMessage(text="b")]) == [{"role": "user", "content": "b"}]
    assert conversation.call_ids == set()
    other: list[Message] = [UserMessage(text="c"), UserMessage(text="d")]
    assert [one["content"] for one in decoded(conversation, other)] == ["c", "d"]


def test_the_head_holds_options_and_tools_and_is_kept_while_they_stay() -> None:
    head = chat_head()
    tools = (
        ToolSpec(name="f", description="d", parameters=SCHEMA, strict=True),
        ToolSpec(name="g", description="", parameters=MappingProxyType(SCHEMA)),
    )
    first = head.follow({"model": "m"}, tools)
    assert json.loads(first + b"]}") == {
        "model": "m",
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "f",
                    "description": "d",
                    "parameters": SCHEMA,
                    "strict": True,
                },
            },
            {
                "type": "function",
                "function": {"name": "g", "description": "", "parameters": SCHEMA},
            },
        ],
        "messages": [],
    }
    assert head.follow({"model": "m"}, tools) is first
    assert json.loads(head.follow({"model": "m"}, ()) + b"]}") == {"model": "m", "messages": []}
