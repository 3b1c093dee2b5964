"""Answers that break off or make no sense: asked again where nothing was shown, else one error."""

from __future__ import annotations

import asyncio
import json

import pytest

from nbagents.agents import Agent
from nbagents.errors import ModelError
from nbagents.models.chat.model import OpenAIChat
from nbagents.models.model import CallDelta, ModelPart, ModelTurn, TextDelta, ThoughtDelta
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session
from tests.unit.models.provider import (
    KEY,
    TOOLS,
    Provider,
    Reply,
    chunk,
    delta,
    refusal,
    request,
    sse,
)

pytestmark = pytest.mark.usefixtures("quick_retries")

HELLO = Reply(sse(delta("stop", content="Grüße"), "data: [DONE]"))
BEGUN = sse(delta(role="assistant", content=""))
TEXT = sse(delta(content="東京"))
OPENED = {"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"ort": '}}
CALL = sse(delta(tool_calls=[OPENED]))
REST = sse(delta(tool_calls=[{"index": 0, "function": {"arguments": '"Zürich"}'}}]))

BEFORE_ANYTHING = {
    "before the first byte": b"",
    "after an empty delta": BEGUN,
    "inside a chunk's JSON": BEGUN + TEXT[:30],
    "inside a character": BEGUN + TEXT[: TEXT.index("京".encode()) + 1],
    "inside an event's line end": BEGUN + TEXT[:-2],
    "after a comment": b": keep-alive\n\n",
}
AFTER_SOMETHING: dict[str, tuple[bytes, list[ModelPart]]] = {
    "after text": (TEXT, [TextDelta("東京")]),
    "inside the next chunk": (TEXT + TEXT[:30], [TextDelta("東京")]),
    "inside the next character": (
        TEXT + TEXT[: TEXT.index("京".encode()) + 2],
        [TextDelta("東京")],
    ),
    "between a call's arguments": (CALL, [CallDelta("a", "f", '{"ort": ')]),
    "inside a call's arguments": (CALL + REST[:-12], [CallDelta("a", "f", '{"ort": ')]),
    "before the end is said": (CALL + REST, [CallDelta("a", "f", '{"ort": "Zürich"}')]),
    "after a thought": (sse(delta(reasoning_content="hm")), [ThoughtDelta("hm")]),
}
NONSENSE = {
    "no JSON": b"data: {oops\n\n",
    "no object": b"data: [1]\n\n",
    "no UTF-8": b'data: {"choices": [{"delta": {"content": "\xff"}}]}\n\n',
    "another shape": b'data: {"choices": [{"delta": {"tool_calls": [7]}}]}\n\n',
    "brackets without end": b"data: " + b"[" * 100_000 + b"\n\n",
    "a failure": sse({"error": {"message": "overloaded", "code": 503}}),
}


async def heard_from(provider: Provider) -> tuple[list[ModelPart], ModelError | None]:
    """The parts that came, and the error they ended in."""
    model, parts = OpenAIChat("m", base_url=provider.url, api_key=KEY), list[ModelPart]()
    try:
        async for part in model.stream(request(tools=TOOLS)):
            parts.append(part)
            provider.go_on.set()
    except ModelError as error:
        return parts, error
    return parts, None


def after(*replies: Reply) -> tuple[list[ModelPart], ModelError | None, int]:
    """The parts, the error, and how often was asked."""

    async def scenario() -> tuple[list[ModelPart], ModelError | None, int]:
        async with Provider(*replies) as provider:
            return *await heard_from(provider), len(provider.asked)

    return asyncio.run(scenario())


@pytest.mark.parametrize("cut", [True, False], ids=["reset", "ended"])
@pytest.mark.parametrize("where", BEFORE_ANYTHING)
def test_a_stream_that_breaks_off_before_anything_came_is_asked_again(
    where: str,
    cut: bool,  # noqa: FBT001  a parameter
) -> None:
    parts, error, asked = after(Reply(BEFORE_ANYTHING[where], cut=cut), HELLO)
    assert error is None
    assert parts[0] == TextDelta("Grüße")
    assert [part for part in parts if isinstance(part, ModelTurn)] == parts[1:]
    assert asked == 2


@pytest.mark.parametrize("cut", [True, False], ids=["reset", "ended"])
@pytest.mark.parametrize("where", AFTER_SOMETHING)
def test_a_stream_that_breaks_off_after_something_came_is_one_error(
    where: str,
    cut: bool,  # noqa: FBT001  a parameter
) -> None:
    body, shown = AFTER_SOMETHING[where]
    parts, error, asked = after(Reply(body, cut=cut), HELLO)
    assert "broke off before its end" in str(error)
    assert parts == shown
    assert asked == 1


@pytest.mark.parametrize("what", NONSENSE)
def test_nonsense_before_anything_came_is_asked_again(what: str) -> None:
    parts, error, asked = after(Reply(BEGUN + NONSENSE[what]), HELLO)
    assert error is None
    assert parts[0] == TextDelta("Grüße")
    assert asked == 2


@pytest.mark.parametrize("what", NONSENSE)
def test_nonsense_after_something_came_is_one_error(what: str) -> None:
    parts, error, asked = after(Reply(TEXT, then=NONSENSE[what]), HELLO)
    assert "The provider" in str(error)
    assert parts == [TextDelta("東京")]
    assert asked == 1


def test_nonsense_that_stays_is_one_error() -> None:
    _, error, asked = after(*(Reply(NONSENSE["no JSON"]) for _ in range(3)))
    assert str(error) == (
        "The provider sent something that is no chunk of a chat completion: {oops. Try again."
    )
    assert asked == 3


def test_a_web_page_is_not_asked_for_again() -> None:
    _, error, asked = after(Reply(b"<h1>Hi</h1>", headers={"content-type": "text/html"}), HELLO)
    assert "answers with a web page" in str(error)
    assert asked == 1


def test_a_call_without_a_name_is_an_error_once_it_was_shown() -> None:
    nameless = {"index": 0, "id": "a", "function": {"arguments": "{}"}}
    _, error, asked = after(Reply(sse(delta("stop", tool_calls=[nameless]))), HELLO)
    assert str(error) == "The provider sent a call without the tool's name. Try again."
    assert asked == 1


def test_an_answer_without_anything_in_it_is_asked_for_again() -> None:
    parts, error, asked = after(Reply(sse("data: [DONE]")), HELLO)
    assert (error, asked) == (None, 2)
    assert parts[0] == TextDelta("Grüße")


@pytest.mark.medium
def test_an_answer_that_was_finished_counts_wherever_it_breaks_after_that() -> None:
    whole = sse(delta("stop", content="so"), chunk(usage={"prompt_tokens": 1}), "data: [DONE]")
    end = whole.index(b"data:", 10)
    for at in range(end, len(whole), 7):
        parts, error, asked = after(Reply(whole[:at], cut=True))
        assert (error, asked) == (None, 1), at
        assert isinstance(parts[-1], ModelTurn)


def test_a_body_that_is_no_stream_and_is_cut_is_asked_for_again() -> None:
    whole = chunk({"message": {"role": "assistant", "content": "so"}, "finish_reason": "stop"})
    body, kind = json.dumps(whole).encode(), {"content-type": "application/json"}
    parts, error, asked = after(
        Reply(body[:40], headers=kind, cut=True),
        Reply(body[:40], headers=kind),
        Reply(body, headers=kind),
    )
    assert (error, asked) == (None, 3)
    assert parts[0] == TextDelta("so")


def test_a_run_that_breaks_off_records_no_turn() -> None:
    session = Session(MemoryLog())

    async def scenario() -> None:
        async with Provider(Reply(CALL, cut=True)) as provider:
            model = OpenAIChat("m", base_url=provider.url, api_key=KEY)
            with pytest.raises(ModelError, match="broke off"):
                await Agent(model=model).arun("hi", log=session)

    asyncio.run(scenario())
    types = [event.type for event in session.log.read(session.session_id)]
    assert types[0] == "run_start"
    assert "assistant_turn" not in types
    assert "tool_start" not in types


def test_a_stream_that_breaks_after_a_refused_option_is_asked_again_without_it() -> None:
    no = refusal(400, "Unknown parameter: 'stream_options'.")
    _, error, asked = after(no, Reply(BEGUN, cut=True), HELLO)
    assert (error, asked) == (None, 3)
