"""Images and files in chat completions: what is sent, and when."""

from __future__ import annotations

import base64
import json
from typing import Any

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
from nbagents.models.chat.body import Conversation
from nbagents.models.openai.parts import Shape, kinds
from nbagents.results import ContentPart, FilePart, ImagePart
from tests.unit.models.published import faults

PNG = b"\x89PNG\r\n"
IMAGE = ImagePart(data=PNG, name="plot")
PDF = FilePart(name="a.pdf", media_type="application/pdf", data=b"%PDF")
TABLE = FilePart(name="t.csv", media_type="text/csv", data="Ort\nZürich".encode())
ENCODED = base64.b64encode(PNG).decode()
SENT_IMAGE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{ENCODED}"}}
TEXT_ONLY = Shape(images=False, files=False)
LABEL = {"type": "text", "text": "plot:"}


def sent(
    messages: list[Message], shape: Shape | None = None, conversation: Conversation | None = None
) -> list[dict[str, Any]]:
    """The messages as they are sent; they keep the published schema."""
    encoded = (conversation or Conversation()).follow(messages, shape or Shape())
    decoded = json.loads(b"[" + encoded + b"]")
    body = {"model": "m", "stream": True, "messages": decoded}
    assert faults("/chat/completions", body) == []
    return decoded


def user(*parts: ContentPart, text: str = "Look") -> UserMessage:
    return UserMessage(text=text, parts=parts)


def batch(*results: tuple[str, tuple[ContentPart, ...]]) -> list[Message]:
    """A step with calls, and their results."""
    calls = tuple(CallRequest(id=call_id, name="f", arguments="{}") for call_id, _ in results)
    told = [
        ToolMessage(call_id=call_id, name="f", content="ok", parts=parts)
        for call_id, parts in results
    ]
    return [AssistantMessage(text="", calls=calls), *told]


@pytest.mark.parametrize(
    ("part", "piece"),
    [
        (IMAGE, SENT_IMAGE),
        (
            ImagePart(url="https://x/y.jpg", detail="high"),
            {"type": "image_url", "image_url": {"url": "https://x/y.jpg", "detail": "high"}},
        ),
        (
            PDF,
            {
                "type": "file",
                "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERg=="},
            },
        ),
        (
            FilePart(name="a.pdf", file_id="file-7"),
            {"type": "file", "file": {"file_id": "file-7"}},
        ),
        (
            FilePart(name="x.txt", media_type="text/plain", data=b"\xff"),
            {
                "type": "file",
                "file": {"filename": "x.txt", "file_data": "data:text/plain;base64,/w=="},
            },
        ),
    ],
)
def test_a_part_follows_the_text(part: ContentPart, piece: dict[str, Any]) -> None:
    label = [{"type": "text", "text": f"{part.name}:"}] if part.name else []
    assert sent([user(part)]) == [
        {"role": "user", "content": [{"type": "text", "text": "Look"}, *label, piece]}
    ]


@pytest.mark.parametrize("part", [ImagePart(name="a"), FilePart(name="a")])
def test_a_part_without_anything_in_it_is_an_error(part: ContentPart) -> None:
    with pytest.raises(ModelError, match=r"'a' has neither data nor an? .*: give it one"):
        sent([user(part)])


def test_a_message_may_be_an_image_alone() -> None:
    assert sent([user(IMAGE, text="")]) == [{"role": "user", "content": [LABEL, SENT_IMAGE]}]


def test_a_text_file_is_text_which_every_model_reads() -> None:
    assert sent([user(TABLE)]) == [{"role": "user", "content": "Look\n\nt.csv:\n\nOrt\nZürich"}]
    assert kinds([TABLE, PDF, IMAGE]) == {"file", "image"}
    assert kinds([TABLE]) == set()


def test_what_a_model_cannot_take_is_named_in_words() -> None:
    assert sent([user(IMAGE, PDF, ImagePart(url="https://x"))], TEXT_ONLY) == [
        {
            "role": "user",
            "content": "Look\n\n"
            "[image plot (image/png) left out: this model cannot take it]\n\n"
            "[file a.pdf (application/pdf) left out: this model cannot take it]\n\n"
            "[image (image/png) left out: this model cannot take it]",
        }
    ]


def test_images_of_results_follow_the_last_tool_message_of_their_batch() -> None:
    messages = batch(("a", (IMAGE,)), ("b", ()), ("c", (IMAGE, PDF)))
    decoded = sent([user(), *messages, AssistantMessage(text="Nice")])
    assert [one["role"] for one in decoded] == [
        *("user", "assistant", "tool", "tool", "tool", "user", "assistant")
    ]
    assert [one["content"] for one in decoded[2:5]] == ["ok", "ok", "ok"]
    shown = decoded[5]["content"]
    assert shown[0] == {"type": "text", "text": "This belongs to the result of f, call a:"}
    assert shown[1:3] == [LABEL, SENT_IMAGE]
    assert shown[3] == {"type": "text", "text": "This belongs to the result of f, call c:"}
    assert [piece["type"] for piece in shown[4:]] == ["text", "image_url", "text", "file"]
    assert shown[6]["text"] == "a.pdf:"


def test_a_text_file_of_a_result_stays_in_its_tool_message() -> None:
    decoded = sent(batch(("a", (TABLE,))))
    assert decoded[1]["content"] == "ok\n\nt.csv:\n\nOrt\nZürich"
    assert len(decoded) == 2


def test_an_image_of_a_result_that_a_model_cannot_take_is_named_there() -> None:
    decoded = sent(batch(("a", (IMAGE,))), TEXT_ONLY)
    assert decoded[1]["content"].startswith("ok\n\n[image plot")
    assert len(decoded) == 2


def test_a_conversation_with_images_grows_by_appending() -> None:
    conversation, messages = Conversation(), list[Message]([user(IMAGE)])
    lengths = list[int]()
    before = b""
    for number in range(3):
        messages += batch((f"a{number}", (IMAGE,)))
        sent(messages, conversation=conversation)
        assert conversation.encoded.startswith(before)
        before = bytes(conversation.encoded)
        lengths.append(len(before))
    assert bytes(Conversation().follow(messages)) == before
    assert conversation.kinds == {"image"}


def test_another_shape_is_encoded_anew() -> None:
    conversation, messages = Conversation(), list[Message]([user(IMAGE)])
    sent(messages, conversation=conversation)
    assert isinstance(sent(messages, TEXT_ONLY, conversation)[0]["content"], str)
    assert isinstance(sent(messages, conversation=conversation)[0]["content"], list)


def test_a_batch_that_goes_on_keeps_its_order() -> None:
    conversation, messages = Conversation(), batch(("a", (IMAGE,)), ("b", ()))
    sent(messages[:2], conversation=conversation)
    assert [one["role"] for one in sent(messages, conversation=conversation)] == [
        *("assistant", "tool", "tool", "user")
    ]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (
            [SystemMessage(text="Short."), user()],
            [
                {"role": "system", "content": "Short.\n\nAs JSON."},
                {"role": "user", "content": "Look"},
            ],
        ),
        (
            [user()],
            [{"role": "system", "content": "As JSON."}, {"role": "user", "content": "Look"}],
        ),
    ],
)
def test_an_instruction_is_said_with_the_system_message(
    messages: list[Message], said: list[dict[str, str]]
) -> None:
    conversation, shape = Conversation(), Shape(instruction="As JSON.")
    assert sent(messages, shape, conversation) == said
    assert sent([*messages, AssistantMessage(text="{}")], shape, conversation)[:-1] == said
