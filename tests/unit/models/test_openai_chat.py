"""Chat Completions over the openai client, against a server on this machine."""

from __future__ import annotations

import asyncio

import pytest

from nbagents.errors import ModelError
from nbagents.messages import AssistantMessage, CallRequest, Message, ToolMessage, UserMessage
from nbagents.models.chat.model import OpenAIChat
from nbagents.models.model import (
    CallDelta,
    ModelRequest,
    OutputSpec,
    TextDelta,
    ThoughtDelta,
    ToolSpec,
)
from nbagents.results import ImagePart, Usage
from tests.unit.models.provider import (
    KEY,
    TOOLS,
    Provider,
    Reply,
    ask,
    chunk,
    delta,
    refusal,
    request,
    sse,
    turn_of,
)

pytestmark = pytest.mark.usefixtures("quick_retries")

HELLO = sse(
    delta(role="assistant", content=""),
    delta(content="Grüße "),
    delta(content="🌍"),
    delta("stop"),
    chunk(usage={"prompt_tokens": 3, "completion_tokens": 2}),
    "data: [DONE]",
)


def test_text_comes_as_deltas_and_as_a_turn() -> None:
    async def scenario() -> None:
        async with Provider(Reply(HELLO)) as provider:
            parts = await ask(provider)
        assert "".join(part.text for part in parts if isinstance(part, TextDelta)) == "Grüße 🌍"
        assert turn_of(parts).text == "Grüße 🌍"
        assert turn_of(parts).usage == Usage(input_tokens=3, output_tokens=2, requests=1)

    asyncio.run(scenario())


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_bytes_that_come_one_by_one_make_the_same_turn(line_end: str) -> None:
    call = {"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"ort": "Zürich"}'}}
    body = sse(
        ": ping", delta(content="東京"), delta("tool_calls", tool_calls=[call]), line_end=line_end
    )

    async def scenario() -> None:
        async with Provider(Reply(body, byte_by_byte=True)) as provider:
            parts = await ask(provider)
        assert parts[:2] == [TextDelta("東京"), CallDelta("a", "f", '{"ort": "Zürich"}')]
        assert turn_of(parts).calls[0].arguments == '{"ort": "Zürich"}'

    asyncio.run(scenario())


def test_the_request_is_a_streamed_chat_completion_with_usage() -> None:
    async def scenario() -> None:
        async with Provider(Reply(HELLO)) as provider:
            await ask(
                provider,
                request("Wie spät?", tools=TOOLS, settings={"temperature": 0}),
                settings={"temperature": 1, "seed": 5},
            )
        asked = provider.asked[0]
        assert asked.path == "/v1/chat/completions"
        assert asked.headers["authorization"] == f"Bearer {KEY}"
        assert asked.headers["content-type"] == "application/json"
        assert asked.body == {
            "model": "m",
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": 0,
            "seed": 5,
            "messages": [{"role": "user", "content": "Wie spät?"}],
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": "f",
                        "description": "d",
                        "parameters": {"type": "object", "properties": {}},
                    },
                }
            ],
        }

    asyncio.run(scenario())


def test_a_run_grows_its_body_over_one_connection() -> None:
    async def scenario() -> None:
        messages: list[Message] = [UserMessage(text="hi")]
        memo: dict[str, object] = {}
        async with Provider(*(Reply(HELLO) for _ in range(3))) as provider:
            for number in range(3):
                tools = TOOLS if number < 2 else ()
                await ask(provider, ModelRequest(messages=messages, tools=tools, memo=memo))
                call = CallRequest(id=f"a{number}", name="f", arguments="")
                messages += [
                    AssistantMessage(text="", calls=(call,)),
                    ToolMessage(call_id=call.id, name="f", content="ok"),
                ]
        assert [len(asked.body["messages"]) for asked in provider.asked] == [1, 3, 5]
        assert provider.asked[2].raw.count(b'"tool_calls"') == 2
        assert "tools" not in provider.asked[2].body
        assert provider.connections == 1

    asyncio.run(scenario())


def test_a_call_id_of_an_earlier_step_is_given_another() -> None:
    call = {"index": 0, "id": "call_0", "function": {"name": "f", "arguments": "{}"}}
    earlier = CallRequest(id="call_0", name="f", arguments="{}")
    messages = [
        UserMessage(text="hi"),
        AssistantMessage(text="", calls=(earlier,)),
        ToolMessage(call_id="call_0", name="f", content="ok"),
    ]

    async def scenario() -> None:
        async with Provider(Reply(sse(delta("tool_calls", tool_calls=[call])))) as provider:
            parts = await ask(provider, ModelRequest(messages=messages, tools=TOOLS))
        assert [one.id for one in turn_of(parts).calls] == ["call_0-2"]

    asyncio.run(scenario())


def test_a_server_that_does_not_stream_is_understood() -> None:
    message = {"role": "assistant", "content": "hallo"}
    body = chunk({"message": message, "finish_reason": "stop"})

    async def scenario() -> None:
        reply = Reply(sse(body)[6:], headers={"content-type": "application/json"})
        async with Provider(reply) as provider:
            parts = await ask(provider)
        assert parts[0] == TextDelta("hallo")
        assert turn_of(parts).text == "hallo"

    asyncio.run(scenario())


def test_a_rate_limit_is_waited_out() -> None:
    async def scenario() -> None:
        slow_down = refusal(429, "slow down", headers={"retry-after": "0.01"})
        async with Provider(slow_down, Reply(HELLO)) as provider:
            parts = await ask(provider)
        assert turn_of(parts).text == "Grüße 🌍"
        assert provider.asked[1].raw == provider.asked[0].raw

    asyncio.run(scenario())


def test_a_server_that_stays_open_after_the_end_is_not_waited_for() -> None:
    async def scenario() -> None:
        async with Provider(Reply(HELLO, stay_open=True)) as provider:
            assert turn_of(await ask(provider)).text == "Grüße 🌍"
            await asyncio.wait_for(provider.hung_up.wait(), 5)

    asyncio.run(scenario())


def test_what_follows_the_end_is_passed_over() -> None:
    async def scenario() -> None:
        replies = [Reply(HELLO + b": bye\n\ndata: {oops\n\n", byte_by_byte=True), Reply(HELLO)]
        async with Provider(*replies) as provider:
            assert turn_of(await ask(provider)).text == "Grüße 🌍"
            await ask(provider)
        assert provider.connections == 1

    asyncio.run(scenario())


def test_a_last_event_without_its_blank_line_counts() -> None:
    async def scenario() -> None:
        async with Provider(Reply(sse(delta("stop", content="so")).rstrip())) as provider:
            assert turn_of(await ask(provider)).text == "so"

    asyncio.run(scenario())


def test_a_refusal_is_marked() -> None:
    async def scenario() -> None:
        async with Provider(Reply(sse(delta(refusal="No."), delta("stop")))) as provider:
            parts = await ask(provider)
        assert turn_of(parts).refused
        assert turn_of(parts).text == "No."

    asyncio.run(scenario())


def test_a_preview_is_the_body_that_is_sent_and_needs_no_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    image = ImagePart(data=b"x")
    asked = ModelRequest(
        messages=[UserMessage(text="Look", parts=(image,))],
        tools=TOOLS,
        settings={"temperature": 0, "timeout_s": 5},
        output=OutputSpec(name="o", schema={"type": "object"}),
        parallel=False,
    )
    body = OpenAIChat("m").preview(asked)
    assert asked.memo == {}

    async def scenario() -> None:
        async with Provider(Reply(HELLO)) as provider:
            await ask(provider, asked)
        assert provider.asked[0].body == body

    asyncio.run(scenario())


def test_a_tool_that_runs_at_the_provider_is_refused_before_anything_is_sent() -> None:
    hosted = ToolSpec(name="web", description="", parameters={}, hosted={"type": "web_search"})

    async def scenario() -> None:
        async with Provider(Reply(HELLO)) as provider:
            with pytest.raises(ModelError, match="needs the Responses API"):
                await ask(provider, request(tools=(hosted,)))
        assert provider.asked == []

    asyncio.run(scenario())


def test_a_model_says_nothing_of_its_faults_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    parts = OpenAIChat("m").stream(request())

    async def scenario() -> None:
        with pytest.raises(ModelError, match="There is no key"):
            await anext(parts)

    asyncio.run(scenario())


def test_images_of_a_run_are_appended_like_all_else() -> None:
    call = CallRequest(id="a", name="f", arguments="{}")
    image = ImagePart(data=b"x")
    messages: list[Message] = [UserMessage(text="hi")]
    memo: dict[str, object] = {}

    async def scenario() -> None:
        async with Provider(Reply(HELLO), Reply(HELLO)) as provider:
            await ask(provider, ModelRequest(messages=messages, tools=TOOLS, memo=memo))
            messages.append(AssistantMessage(text="", calls=(call,)))
            messages.append(ToolMessage(call_id="a", name="f", content="ok", parts=(image,)))
            await ask(provider, ModelRequest(messages=messages, tools=TOOLS, memo=memo))
        first, second = provider.asked
        assert second.raw.startswith(first.raw[: -len(b"]}")])
        assert [one["role"] for one in second.body["messages"]] == [
            *("user", "assistant", "tool", "user")
        ]

    asyncio.run(scenario())


def test_its_name_is_the_models() -> None:
    assert OpenAIChat("m").name == "m"
    assert repr(OpenAIChat("m", api_key=KEY)) == "OpenAIChat('m')"


def test_a_consumer_that_leaves_hangs_up() -> None:
    async def scenario() -> None:
        async with Provider(Reply(sse(delta(content="so ")), stay_open=True)) as provider:
            parts = OpenAIChat("m", base_url=provider.url, api_key=KEY).stream(request())
            assert await anext(parts) == TextDelta("so ")
            await parts.aclose()
            await asyncio.wait_for(provider.hung_up.wait(), 5)

    asyncio.run(scenario())


def test_a_cancelled_request_hangs_up() -> None:
    async def scenario() -> None:
        async with Provider(Reply(sse(delta(content="so ")), stay_open=True)) as provider:
            asking = asyncio.create_task(ask(provider))
            await asyncio.wait_for(provider.is_asked.wait(), 5)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await asyncio.wait_for(provider.hung_up.wait(), 5)

    asyncio.run(scenario())


def test_a_model_that_reasons_is_asked_without_where_it_takes_tools_only_so() -> None:
    no = refusal(
        400,
        "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. "
        "To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
        param="reasoning_effort",
    )

    async def scenario() -> None:
        async with Provider(no, *(Reply(HELLO) for _ in range(3))) as provider:
            first = await ask(provider, request(tools=TOOLS))
            second = await ask(provider, request(tools=TOOLS))
            await ask(provider, request())
        efforts = [asked.body.get("reasoning_effort") for asked in provider.asked]
        assert efforts == [None, "none", "none", None]
        assert isinstance(first[0], ThoughtDelta)
        assert "reasoning_effort is 'none'" in first[0].text
        assert not any(isinstance(part, ThoughtDelta) for part in second)

    asyncio.run(scenario())


def test_a_server_that_knows_no_stream_options_is_asked_without() -> None:
    async def scenario() -> None:
        no = refusal(422, "extra fields not permitted: stream_options")
        async with Provider(no, Reply(HELLO)) as provider:
            await ask(provider)
        assert ["stream_options" in asked.body for asked in provider.asked] == [True, False]

    asyncio.run(scenario())


def test_key_and_base_url_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with Provider(Reply(HELLO)) as provider:
            monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\n")
            monkeypatch.setenv("OPENAI_BASE_URL", provider.url + "/")
            await ask(provider, base_url=None, api_key=None)
        assert provider.asked[0].headers["authorization"] == f"Bearer {KEY}"
        assert provider.asked[0].path == "/v1/chat/completions"

    asyncio.run(scenario())


def test_a_server_on_this_machine_needs_no_key() -> None:
    async def scenario() -> None:
        async with Provider(Reply(HELLO)) as provider:
            assert turn_of(await ask(provider, api_key="")).text == "Grüße 🌍"

    asyncio.run(scenario())


def test_the_default_transport_does_where_aiohttp_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing() -> None:
        raise RuntimeError("To use the aiohttp client you must have installed …")

    monkeypatch.setattr("openai.DefaultAioHttpClient", missing)

    async def scenario() -> None:
        cut = Reply(sse(delta(content="so ")), cut=True)
        async with Provider(Reply(HELLO), Reply(HELLO, stay_open=True), cut) as provider:
            assert turn_of(await ask(provider)).text == "Grüße 🌍"
            assert turn_of(await ask(provider)).text == "Grüße 🌍"
            with pytest.raises(ModelError, match="broke off"):
                await ask(provider)
            url = provider.url
        with pytest.raises(ModelError, match="No server answers"):
            await ask(url, max_retries=0, timeout_s=30)

    asyncio.run(scenario())
