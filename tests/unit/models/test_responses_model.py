"""The Responses API over the openai client, against a server on this machine."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from nbagents.errors import ModelError
from nbagents.messages import AssistantMessage, Message, SystemMessage, ToolMessage, UserMessage
from nbagents.models.model import (
    CallDelta,
    HostedCall,
    ModelPart,
    ModelRequest,
    ModelTurn,
    OutputSpec,
    TextDelta,
    ThoughtDelta,
    ToolSpec,
)
from nbagents.models.responses import model as openai_responses
from nbagents.models.responses.model import OpenAIResponses
from nbagents.results import Citation, Usage
from nbagents.tools.tool.hosted_tool import CodeInterpreter, FileSearch, ToolSearch, WebSearch
from tests.unit.models.provider import (
    KEY,
    TOOLS,
    Json,
    Provider,
    Reply,
    refusal,
    request,
    sse,
    turn_of,
)
from tests.unit.models.responses_wire import (
    answer,
    ask,
    call,
    events,
    message,
    reasoning,
    response,
    wire,
)

pytestmark = pytest.mark.usefixtures("quick_retries", "untaught")

HELLO = answer(message("Grüße 🌍"))
SERIAL = "parallel_tool_calls"
ENCRYPTED = ["reasoning.encrypted_content"]
CALLED = answer(message("Ich sehe nach."), call("f", '{"ort": "Zürich", "tag": "heute"}'))


@pytest.fixture
def untaught(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test's model wanted is forgotten in the next."""
    monkeypatch.setattr(openai_responses, "_learned", {})


def asked_of(asked: ModelRequest, *replies: Reply, **options: Any) -> tuple[list[ModelPart], Json]:
    """The parts of the answer, and the last body that was sent for it."""

    async def scenario() -> tuple[list[ModelPart], Json]:
        async with Provider(*(replies or (Reply(HELLO),))) as provider:
            parts = await ask(provider, asked, **options)
        assert provider.asked[-1].path == "/v1/responses"
        return parts, provider.asked[-1].body

    return asyncio.run(scenario())


def specs(*toolsets: Any) -> tuple[ToolSpec, ...]:
    """What a driver tells a model of these tools."""
    return tuple(
        ToolSpec(
            name=tool.name,
            description=tool.description,
            parameters=tool.parameters,
            hosted=tool.options.hosted,
        )
        for toolset in toolsets
        for tool in toolset.tools()
    )


def test_text_comes_as_deltas_and_as_a_turn() -> None:
    parts, _ = asked_of(request())
    assert "".join(part.text for part in parts if isinstance(part, TextDelta)) == "Grüße 🌍"
    assert turn_of(parts).text == "Grüße 🌍"
    usage = Usage(input_tokens=9, output_tokens=4, cached_tokens=2, requests=1)
    assert turn_of(parts).usage == usage


def test_bytes_that_come_one_by_one_make_the_same_turn() -> None:
    parts, _ = asked_of(request(), Reply(CALLED, byte_by_byte=True))
    whole, _ = asked_of(request(), Reply(CALLED))
    assert parts[-1] == whole[-1]
    assert CallDelta("call_1", "f", '{"ort":') in parts


def test_nothing_is_stored_and_the_reasoning_comes_back_with_us() -> None:
    messages = [SystemMessage(text="Be kind."), UserMessage(text="Wie spät?")]
    asked = ModelRequest(messages=messages, tools=TOOLS, settings={"temperature": 0})
    _, body = asked_of(asked, settings={"temperature": 1, "top_p": 0.5})
    assert body == {
        "model": "m",
        "stream": True,
        "store": False,
        "include": ENCRYPTED,
        "instructions": "Be kind.",
        "temperature": 0,
        "top_p": 0.5,
        "tools": [
            {
                "type": "function",
                "name": "f",
                "description": "d",
                "parameters": {"type": "object", "properties": {}},
                "strict": False,
            }
        ],
        "input": [{"role": "user", "content": "Wie spät?"}],
    }


def test_a_conversation_goes_on_with_what_the_api_wrote() -> None:
    items = (reasoning("so"), call())

    async def scenario() -> None:
        messages: list[Message] = [UserMessage(text="hi")]
        memo: dict[str, object] = {}
        async with Provider(Reply(answer(*items)), Reply(HELLO), Reply(HELLO)) as provider:
            for text in ("ok", "ok, again", ""):
                asked = ModelRequest(messages=messages, tools=TOOLS, memo=memo)
                turn = turn_of(await ask(provider, asked))
                messages.append(_message(turn))
                messages += [
                    ToolMessage(call_id=one.id, name=one.name, content=text) for one in turn.calls
                ]
        first, second, third = (asked.body["input"] for asked in provider.asked)
        output = {"type": "function_call_output", "call_id": "call_1", "output": "ok"}
        assert second == [*first, *items, output]
        assert third == [*second, message("Grüße 🌍")]
        assert provider.asked[2].raw.startswith(provider.asked[1].raw.removesuffix(b"]}"))
        assert provider.connections == 1

    asyncio.run(scenario())


def _message(turn: ModelTurn) -> AssistantMessage:
    return AssistantMessage(
        text=turn.text, calls=turn.calls, native=turn.native, native_of=turn.native_of
    )


def test_an_answer_can_be_held_to_a_form() -> None:
    schema: Json = {"type": "object", "properties": {}, "additionalProperties": False}
    output = OutputSpec(name="my answer", schema=schema, strict=True)
    settings: Json = {"text": {"verbosity": "low"}}
    _, body = asked_of(request(output=output, settings=settings))
    named = {"type": "json_schema", "name": "my_answer", "schema": schema, "strict": True}
    assert body["text"] == {"verbosity": "low", "format": named}


@pytest.mark.parametrize(("parallel", "sent"), [(True, None), (False, False)])
def test_calls_can_be_asked_for_one_at_a_time(parallel: bool, sent: bool | None) -> None:  # noqa: FBT001  parameters
    _, body = asked_of(request(tools=TOOLS, parallel=parallel))
    assert body.get(SERIAL) is sent
    _, body = asked_of(request(parallel=parallel))
    assert SERIAL not in body


def test_hosted_tools_say_what_the_answer_shall_hold_of_them() -> None:
    tools = specs(WebSearch(), FileSearch(["vs_1"], include_search_results=True), CodeInterpreter())
    more: Json = {"include": ["message.output_text.logprobs", *ENCRYPTED]}
    _, body = asked_of(request(tools=tools, settings=more))
    assert [tool["type"] for tool in body["tools"]] == [
        "web_search",
        "file_search",
        "code_interpreter",
    ]
    assert body["include"] == [
        *ENCRYPTED,
        "web_search_call.action.sources",
        "file_search_call.results",
        "code_interpreter_call.outputs",
        "message.output_text.logprobs",
    ]


def test_a_hosted_call_and_its_citations_come_with_the_answer() -> None:
    action = {"type": "search", "query": "rain"}
    search = {"id": "ws_1", "type": "web_search_call", "status": "completed", "action": action}
    cited = {"url": "https://x.org", "title": "X", "start_index": 0, "end_index": 2}
    part = {"type": "output_text", "text": "Ja", "annotations": [{"type": "url_citation", **cited}]}
    parts, _ = asked_of(request(tools=specs(WebSearch())), Reply(answer(search, message(part))))
    calls = [part for part in parts if isinstance(part, HostedCall)]
    assert [one.result is None for one in calls] == [True, False]
    assert turn_of(parts).citations == (Citation(url="https://x.org", title="X", start=0, end=2),)
    assert turn_of(parts).calls == ()


CUTS = {
    "before the first byte": 0,
    "inside an event's JSON": CALLED.index(b"in_progress") + 4,
    "inside the first delta": CALLED.index(b'"delta"') + 3,
}


@pytest.mark.parametrize("cut", [True, False])
@pytest.mark.parametrize("place", CUTS)
def test_a_stream_that_breaks_off_before_anything_came_is_asked_again(
    place: str,
    cut: bool,  # noqa: FBT001  a parameter
) -> None:
    broken = Reply(CALLED[: CUTS[place]], cut=cut)
    parts, _ = asked_of(request(), broken, broken, Reply(CALLED))
    whole, _ = asked_of(request(), Reply(CALLED))
    assert parts == whole


SECOND = CALLED.index(b"arguments.delta", CALLED.index(b"arguments.delta") + 1)
BREAKS = {
    "inside a character": CALLED.index("ü".encode()) + 1,
    "between the deltas of arguments": CALLED.rindex(b"data", 0, SECOND),
    "before the end": CALLED.index(b'"type": "response.completed"'),
}


@pytest.mark.parametrize("cut", [True, False])
@pytest.mark.parametrize("place", BREAKS)
def test_a_stream_that_breaks_off_after_something_came_is_one_error(
    place: str,
    cut: bool,  # noqa: FBT001  a parameter
) -> None:
    async def scenario() -> None:
        broken = Reply(CALLED[: BREAKS[place]], cut=cut)
        async with Provider(broken, Reply(HELLO)) as provider:
            parts = OpenAIResponses("m", base_url=provider.url, api_key=KEY).stream(request())
            assert isinstance(await anext(parts), TextDelta)
            with pytest.raises(ModelError, match="broke off before its end"):
                assert not [part async for part in parts if isinstance(part, ModelTurn)]
        assert len(provider.asked) == 1

    asyncio.run(scenario())


def test_an_answer_that_was_finished_counts_though_the_connection_breaks() -> None:
    parts, _ = asked_of(request(), Reply(HELLO, cut=True))
    assert turn_of(parts).text == "Grüße 🌍"


def test_a_server_that_stays_open_after_the_end_is_not_waited_for() -> None:
    parts, _ = asked_of(request(), Reply(HELLO, stay_open=True))
    assert turn_of(parts).text == "Grüße 🌍"


def failure(code: str | None) -> bytes:
    error = {"code": code, "message": "boom"}
    failed = response(status="failed", error=error)
    return sse(*events()[:2], {"type": "response.failed", "response": failed})


def test_a_failure_that_may_pass_is_asked_again_and_then_told() -> None:
    again = Reply(failure("server_error"))
    parts, _ = asked_of(request(), again, Reply(sse("data: {oops")), Reply(HELLO))
    assert turn_of(parts).text == "Grüße 🌍"
    with pytest.raises(ModelError, match="failed while it answered: boom"):
        asked_of(request(), again, again, again)


def test_a_failure_that_the_request_causes_is_told_at_once() -> None:
    with pytest.raises(ModelError, match="failed while it answered: boom"):
        asked_of(request(), Reply(failure("invalid_prompt")))


def test_a_withheld_answer_is_told_at_once() -> None:
    fields: Json = {
        "status": "incomplete",
        "incomplete_details": {"reason": "content_filter"},
        "usage": None,
    }
    end = {"type": "response.incomplete", "response": response(**fields)}
    with pytest.raises(ModelError, match="content filter withheld"):
        asked_of(request(), Reply(wire(*events()[:2], end)))


def test_a_model_that_keeps_no_reasoning_is_asked_without() -> None:
    no = refusal(400, "Encrypted content is not supported with this model.", param="include")

    async def scenario() -> None:
        async with Provider(no, Reply(HELLO), Reply(HELLO)) as provider:
            await ask(provider)
            await ask(provider, request(tools=specs(WebSearch())))
        assert [asked.body.get("include") for asked in provider.asked] == [
            ENCRYPTED,
            None,
            ["web_search_call.action.sources"],
        ]

    asyncio.run(scenario())


def test_reasoning_that_another_account_wrote_is_left_out() -> None:
    said = "The encrypted content gAAA could not be verified. Reason: it could not be decrypted."
    no = refusal(400, said, code="invalid_encrypted_content")
    turn = _message(turn_of(asked_of(request(), Reply(answer(reasoning(), message("so"))))[0]))
    asked = ModelRequest(messages=[UserMessage(text="q"), turn, UserMessage(text="r")])
    _, body = asked_of(asked, no, Reply(HELLO))
    assert [item.get("type") for item in body["input"]] == [None, "message", None]
    assert body["include"] == ENCRYPTED


def test_a_model_that_cannot_be_held_to_one_call_is_asked_without_and_that_is_told() -> None:
    no = refusal(400, "Unsupported parameter: 'parallel_tool_calls'.", param=SERIAL)
    parts, body = asked_of(request(tools=TOOLS, parallel=False), no, Reply(HELLO))
    assert SERIAL not in body
    assert parts[0] == ThoughtDelta("m cannot be told to ask for one call at a time.\n")
    assert sum(isinstance(part, ThoughtDelta) for part in parts) == 1


@pytest.mark.parametrize("is_searched", [False, True])
def test_a_schema_that_is_refused_is_sent_as_a_plain_one(*, is_searched: bool) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    tools = tuple(
        ToolSpec(
            name=f"a--{name}",
            description="d",
            parameters=schema,
            strict=True,
            toolset="a",
            defer=is_searched,
        )
        for name in "fg"
    )
    more = specs(ToolSearch()) if is_searched else ()
    name = "f" if is_searched else "a--f"
    no = refusal(400, f"Invalid schema for function '{name}': 'type' is missing.")
    parts, body = asked_of(request(tools=(*tools, *more)), no, Reply(HELLO))
    sent = next(one["tools"] for one in body["tools"] if "tools" in one) if is_searched else None
    assert [one["strict"] for one in sent or body["tools"]] == [False, True]
    assert parts[0] == ThoughtDelta(
        "m refuses the schema of 'a--f' as a strict one: it is sent as a plain one.\n"
    )


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "'include' is odd"),
        (400, "Something else"),
        (404, "Encrypted content is not supported"),
        (400, "invalid_encrypted_content"),
        (400, SERIAL),
    ],
)
def test_a_refusal_that_teaches_nothing_new_is_told(status: int, said: str) -> None:
    no = refusal(status, said)
    with pytest.raises(ModelError, match=said):
        asked_of(request(), no, no, no)


def test_a_server_that_does_not_stream_is_understood() -> None:
    whole = json.dumps(response(message("hallo"))).encode()
    parts, _ = asked_of(request(), Reply(whole, headers={"content-type": "application/json"}))
    assert parts[0] == TextDelta("hallo")
    assert turn_of(parts).text == "hallo"


def test_a_consumer_that_leaves_hangs_up() -> None:
    async def scenario() -> None:
        async with Provider(Reply(CALLED[: BREAKS["before the end"]], stay_open=True)) as provider:
            parts = OpenAIResponses("m", base_url=provider.url, api_key=KEY).stream(request())
            assert isinstance(await anext(parts), TextDelta)
            await parts.aclose()
            await asyncio.wait_for(provider.hung_up.wait(), 5)

    asyncio.run(scenario())


def test_a_preview_is_the_body_and_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    memo: dict[str, object] = {}
    model = OpenAIResponses("m", base_url="https://nowhere.invalid/v1")
    asked = request("hi", tools=TOOLS, memo=memo, settings={"timeout_s": 5})
    preview = model.preview(asked)
    _, body = asked_of(request("hi", tools=TOOLS))
    assert preview == body
    assert memo == {}
    with pytest.raises(ModelError, match="no key"):
        model.check()


def test_its_name_is_the_models() -> None:
    assert OpenAIResponses("m").name == "m"
    assert repr(OpenAIResponses("m", api_key=KEY)) == "OpenAIResponses('m')"
