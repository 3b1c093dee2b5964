"""What refusals teach: how each is worded, what is asked next, and that it ends."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from nbagents.errors import ModelError
from nbagents.messages import (
    AssistantMessage,
    CallRequest,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from nbagents.models.chat.lessons import Asked, Lessons, lesson
from nbagents.models.model import ModelPart, ModelRequest, OutputSpec, ThoughtDelta, ToolSpec
from nbagents.results import FilePart, ImagePart
from tests.unit.models import provider as server
from tests.unit.models.provider import (
    TOOLS,
    Provider,
    Reply,
    ask,
    delta,
    refusal,
    request,
    sse,
)

pytestmark = pytest.mark.usefixtures("quick_retries")

HELLO = Reply(sse(delta("stop", content="{}"), "data: [DONE]"))
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
OUTPUT = OutputSpec(name="Page[City]", schema=SCHEMA, strict=True)
SEEN = ModelRequest(messages=[UserMessage(text="Look", parts=(ImagePart(data=b"x", name="plot"),))])
READ = ModelRequest(messages=[UserMessage(text="Read", parts=(FilePart(name="a", data=b"x"),))])


class Refused(Exception):  # noqa: N818  stands for any client's error
    """A refusal with a status."""

    def __init__(self, said: str, status: int) -> None:
        super().__init__(said)
        self.status_code = status


def asked(known: Lessons | None = None, **fields: Any) -> Asked:
    given: dict[str, Any] = {
        "options": {},
        "has_tools": False,
        "has_output": False,
        "has_strict": False,
        "schemas": {},
        "kinds": frozenset({"image", "file"}),
    }
    return Asked(model="m", known=known or Lessons(), **given | fields)


def exchange(*replies: Reply, about: ModelRequest) -> tuple[list[server.Asked], list[str]]:
    """What was asked, and the thoughts of the last answer."""

    async def scenario() -> tuple[list[server.Asked], list[str]]:
        async with Provider(*replies) as provider:
            parts: list[ModelPart] = []
            while provider.replies:
                parts = await ask(provider, ModelRequest(**_fields(about)))
            return provider.asked, [one.text for one in parts if isinstance(one, ThoughtDelta)]

    return asyncio.run(scenario())


def _fields(about: ModelRequest) -> dict[str, Any]:
    """A request's fields, with a memo of its own: another run."""
    names = ("messages", "tools", "settings", "output", "parallel")
    return {name: getattr(about, name) for name in names}


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "Invalid content type. image_url is only supported by certain models."),
        (400, "Failed to deserialize: messages[1]: unknown variant `image_url`, expected `text`"),
        (400, "this model does not support image input (ref: b8bd)"),
        (400, "Model do not support image input."),
        (404, "No endpoints found that support image input"),
        (500, "image input is not supported - hint: you may need to provide the mmproj"),
        (400, "m is not a multimodal model"),
        (400, "'messages.0' : content must be a string"),
        (400, "Image input is not enabled for this model"),
        (422, "Input should be 'text': image_url"),
    ],
)
def test_no_images_in_the_words_of_many_servers(status: int, said: str) -> None:
    learned = lesson(Refused(said, status), asked())
    assert learned
    assert not learned[0].images


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "Invalid 'messages[0].content[1].image_url.url'. Expected a base64-encoded URL."),
        (400, "You uploaded an unsupported image. image_url must have one of these formats"),
        (400, "Error while downloading image_url"),
        (500, "Internal error"),
        (429, "Too many images in image_url"),
        (400, "The temperature is too high"),
    ],
)
def test_what_is_wrong_with_one_image_is_no_lesson(status: int, said: str) -> None:
    assert lesson(Refused(said, status), asked()) is None


@pytest.mark.parametrize(
    "said",
    [
        "unknown variant `file`, expected one of `text`, `image_url`",
        "This model does not support file inputs.",
        "Invalid content part type: file",
        "PDF inputs are not supported",
    ],
)
def test_no_files_in_the_words_of_many_servers(said: str) -> None:
    learned = lesson(Refused(said, 400), asked())
    assert learned
    assert not learned[0].files


def test_a_refusal_of_something_that_was_not_sent_is_no_lesson() -> None:
    said = Refused("image_url file stream_options parallel_tool_calls response_format", 400)
    assert lesson(said, asked(kinds=frozenset())) is None
    assert lesson(ValueError("image_url"), asked()) is None


def test_a_refusal_of_something_else_is_no_lesson() -> None:
    everything = asked(
        has_tools=True, has_output=True, has_strict=True, options={"stream_options": {}}
    )
    assert lesson(Refused("'temperature' must be at most 2", 400), everything) is None


def test_what_is_known_is_no_lesson() -> None:
    refused = Refused("this model does not support image input", 400)
    assert lesson(refused, asked(Lessons(images=False))) is None


def test_a_model_without_images_is_told_of_them_in_words() -> None:
    no = refusal(400, "this model does not support image input")
    bodies, thoughts = exchange(no, HELLO, HELLO, about=SEEN)
    first, second, third = (one.body["messages"][0]["content"] for one in bodies)
    assert [piece["type"] for piece in first] == ["text", "text", "image_url"]
    assert (
        second == third == ("Look\n\n[image plot (image/png) left out: this model cannot take it]")
    )
    # The second run is told as well: its image is missing too.
    assert thoughts == ["m takes no images: it is told of them in words.\n"]


def test_an_image_that_is_left_out_is_told_once_a_run() -> None:
    async def scenario() -> None:
        no = refusal(400, "this model does not support image input")
        async with Provider(no, HELLO, HELLO) as provider:
            one_run = ModelRequest(messages=SEEN.messages)
            first, second = await ask(provider, one_run), await ask(provider, one_run)
        assert isinstance(first[0], ThoughtDelta)
        assert not any(isinstance(part, ThoughtDelta) for part in second)

    asyncio.run(scenario())


def test_a_model_without_files_is_told_of_them_in_words() -> None:
    bodies, thoughts = exchange(refusal(400, "Unsupported type: 'file'"), HELLO, about=READ)
    assert "[file a (application/octet-stream) left out" in bodies[1].body["messages"][0]["content"]
    assert thoughts == ["m takes no files: it is told of them in words.\n"]


def test_an_answer_has_its_schema() -> None:
    bodies, thoughts = exchange(HELLO, about=request(output=OUTPUT))
    assert bodies[0].body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "Page_City_", "schema": SCHEMA, "strict": True},
    }
    assert thoughts == []


def test_a_schema_need_not_be_strict() -> None:
    loose = OutputSpec(name="City", schema=SCHEMA)
    bodies, _ = exchange(HELLO, about=request(output=loose))
    assert "strict" not in bodies[0].body["response_format"]["json_schema"]


def test_a_server_without_schemas_is_asked_for_json_and_told_the_schema() -> None:
    no = refusal(400, "'response_format' of type 'json_schema' is not supported with this model.")
    bodies, thoughts = exchange(no, HELLO, about=request(output=OUTPUT))
    assert bodies[1].body["response_format"] == {"type": "json_object"}
    told = bodies[1].body["messages"][0]
    assert told["role"] == "system"
    assert "JSON Schema and nothing else" in told["content"]
    assert '"required":["city"]' in told["content"]
    assert thoughts == ["m takes no schema: it is asked for JSON, and told the schema in words.\n"]


def test_a_server_without_response_formats_is_told_in_words() -> None:
    no = refusal(422, "Extra inputs are not permitted: response_format")
    bodies, thoughts = exchange(no, no, HELLO, HELLO, about=request(output=OUTPUT))
    assert ["response_format" in one.body for one in bodies] == [True, True, False, False]
    assert bodies[3].body["messages"] == bodies[2].body["messages"] == bodies[1].body["messages"]
    assert thoughts == []  # it was said in the first run


@pytest.mark.parametrize(
    "said",
    [
        "Unrecognized key(s) in object: 'strict'",
        "body.tools.0.function.strict: Extra inputs are not permitted",
        "property 'tools.0.function.strict' is unsupported",
    ],
)
def test_a_server_without_strict_schemas_is_sent_plain_ones(said: str) -> None:
    tools = (ToolSpec(name="f", description="d", parameters=SCHEMA, strict=True),)
    about = request(tools=tools, output=OUTPUT)
    bodies, thoughts = exchange(refusal(400, said), HELLO, about=about)
    assert [one.raw.count(b'"strict":true') for one in bodies] == [2, 0]
    assert thoughts == ["m knows no strict schemas: it is sent them as plain ones.\n"]


def test_every_lesson_is_said_before_the_answer() -> None:
    no = refusal(422, "Extra inputs are not permitted: response_format")
    _, thoughts = exchange(no, no, HELLO, about=request(output=OUTPUT))
    assert thoughts == [
        "m takes no schema: it is asked for JSON, and told the schema in words.\n",
        "m cannot be held to JSON: it is told the schema in words.\n",
    ]


@pytest.mark.parametrize(
    "replies",
    [
        3 * [refusal(400, "response_format")],
        [refusal(400, "Invalid schema for response_format 'City'")],
    ],
)
def test_a_refusal_that_stays_is_an_error(replies: list[Reply]) -> None:
    async def scenario() -> None:
        async with Provider(*replies) as provider:
            with pytest.raises(ModelError, match="response_format"):
                await ask(provider, request(output=OUTPUT))
        assert provider.replies == []

    asyncio.run(scenario())


def test_calls_are_asked_for_one_at_a_time() -> None:
    bodies, _ = exchange(HELLO, about=request(tools=TOOLS, parallel=False))
    assert bodies[0].body["parallel_tool_calls"] is False
    for plain in (request(tools=TOOLS), request(parallel=False)):
        bodies, _ = exchange(HELLO, about=plain)
        assert "parallel_tool_calls" not in bodies[0].body


def test_a_server_that_cannot_be_told_so_is_asked_without() -> None:
    no = refusal(400, "Unsupported parameter: 'parallel_tool_calls'")
    bodies, thoughts = exchange(no, HELLO, about=request(tools=TOOLS, parallel=False))
    assert "parallel_tool_calls" not in bodies[1].body
    assert thoughts == ["m cannot be told to ask for one call at a time.\n"]


def test_a_lesson_is_said_though_the_answer_is_empty() -> None:
    no = refusal(400, "Unsupported parameter: 'parallel_tool_calls'")
    empty = Reply(sse(delta("stop"), "data: [DONE]"))
    _, thoughts = exchange(no, empty, about=request(tools=TOOLS, parallel=False))
    assert len(thoughts) == 1


def test_a_setting_of_the_persons_own_is_not_unlearned() -> None:
    async def scenario() -> None:
        no = refusal(400, "stream_options")
        own = request(settings={"stream_options": {"include_usage": False}})
        async with Provider(no, no, HELLO) as provider:
            with pytest.raises(ModelError, match="stream_options"):
                await ask(provider, own)
        assert len(provider.asked) == 2

    asyncio.run(scenario())


def strict_tool(name: str, **properties: Any) -> ToolSpec:
    schema: dict[str, Any] = {**SCHEMA, "properties": properties, "required": list(properties)}
    return ToolSpec(name=name, description="d", parameters=schema, strict=True)


INVALID = refusal(
    400,
    "Invalid schema for function 'f': In context=('properties', 'x'), 'maximum' is not permitted.",
    code="invalid_function_parameters",
    param="tools[0].function.parameters",
)


def strictness(asked: server.Asked) -> dict[str, bool]:
    return {
        one["function"]["name"]: one["function"].get("strict", False) for one in asked.body["tools"]
    }


def test_a_schema_that_is_refused_is_sent_as_a_plain_one_and_the_others_stay_strict() -> None:
    about = request(tools=(strict_tool("f"), strict_tool("g")))
    asked, thoughts = exchange(INVALID, HELLO, about=about)
    assert [strictness(one) for one in asked] == [{"f": True, "g": True}, {"f": False, "g": True}]
    assert thoughts == ["m refuses the schema of 'f' as a strict one: it is sent as a plain one.\n"]


def test_another_schema_of_the_same_name_is_sent_strictly_again() -> None:
    async def scenario() -> list[server.Asked]:
        async with Provider(INVALID, HELLO, HELLO, HELLO) as provider:
            for schema in ({}, {}, {"x": {"type": "string"}}):
                await ask(provider, request(tools=(strict_tool("f", **schema),)))
            return provider.asked

    sent = [strictness(one)["f"] for one in asyncio.run(scenario())]
    assert sent == [True, False, False, True]


def test_a_plain_schema_that_is_refused_is_an_error() -> None:
    with pytest.raises(ModelError, match="Invalid schema for function 'f'"):
        exchange(INVALID, INVALID, about=request(tools=(strict_tool("f"),)))


TALK = ModelRequest(
    messages=[
        SystemMessage(text="You sort."),
        UserMessage(text="Bill me"),
        AssistantMessage(text="", calls=(CallRequest(id="c1", name="f", arguments="{}"),)),
        ToolMessage(call_id="c1", name="f", content="Handed over."),
        SystemMessage(text="You are now 'Billing'."),
        UserMessage(text="They moved the map.", is_notice=True),
        UserMessage(text="No more calls are possible.", is_notice=True),
    ],
    tools=TOOLS,
    tool_choice="none",
)


def test_of_the_order_some_servers_speak_with_a_500() -> None:
    refused = Refused("Jinja Exception: System message must be at the beginning.", 500)
    learned = lesson(refused, asked())
    assert learned is not None
    assert learned[0].system_first


@pytest.mark.parametrize(
    ("status", "said", "roles", "choice"),
    [
        (
            400,
            "Error: Jinja Exception: System message must be at the beginning.",
            ["system", "user", "assistant", "tool", "user", "user", "user"],
            "none",
        ),
        (
            400,
            "Unexpected role 'user' after role 'tool'",
            [*("system", "user", "assistant", "tool", "system"), "user", "assistant", "user"],
            "none",
        ),
        (
            400,
            "conversation roles must alternate user and assistant roles except for tool calls",
            [*("system", "user", "assistant", "tool", "system"), "user", "assistant", "user"],
            "none",
        ),
        (
            400,
            "Unknown parameter in tool_choice: 'none', must be one of: auto, required",
            ["system", "user", "assistant", "tool", "system", "user", "user"],
            None,
        ),
    ],
)
def test_an_endpoint_says_in_which_order_it_wants_to_be_told(
    status: int, said: str, roles: list[str], choice: str | None
) -> None:
    async def scenario() -> Any:
        async with Provider(refusal(status, said), HELLO, is_openai=False) as provider:
            await ask(provider, TALK)
        return provider.asked[-1].body

    body = asyncio.run(scenario())
    assert [one["role"] for one in body["messages"]] == roles
    assert body["messages"][-1]["content"] == "No more calls are possible."
    assert body.get("tool_choice") == choice
    assert body["tools"]
