"""Traffic of the Responses API in its published shapes, and a model that is sent it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, cast

from openai import BaseModel
from openai.types.responses import ResponseStreamEvent
from pydantic import TypeAdapter

from nbagents.models.model import ModelPart, ModelRequest
from nbagents.models.openai.sse import EventCutter
from nbagents.models.responses.model import OpenAIResponses
from nbagents.models.responses.stream import ResponsesStream
from tests.unit.models.provider import KEY, Json, Provider, request, sse

__all__ = [
    "answer",
    "ask",
    "call",
    "checked",
    "events",
    "heard",
    "message",
    "reasoning",
    "response",
    "wire",
]

PIECE = 7


def wire(*events: Json) -> bytes:
    """Events as a server sends them: published shapes only, numbered."""
    return sse(*checked(*events))


def checked(*events: Json) -> list[Json]:
    """The events, numbered, each one held to its published type."""
    numbered = [{**event, "sequence_number": at} for at, event in enumerate(events)]
    for event in numbered:
        _refuse_extras(_adapter().validate_python(event), str(event["type"]))
    return numbered


@functools.cache
def _adapter() -> TypeAdapter[Any]:
    return TypeAdapter(ResponseStreamEvent)


def _refuse_extras(value: object, at: str) -> None:
    """The package's models keep what they do not know: here it is a mistake of the fixture."""
    if isinstance(value, BaseModel):
        assert not value.model_extra, f"{at}: {value.model_extra}"
        for name in type(value).model_fields:
            _refuse_extras(getattr(value, name), f"{at}.{name}")
    elif isinstance(value, list):
        for one in cast("list[object]", value):
            _refuse_extras(one, at)


def response(*output: Json, status: str = "completed", **fields: Any) -> Json:
    """A response as it stands in an event."""
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1795200000,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": "m",
        "output": list(output),
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": None,
        **fields,
    }


def usage(tokens_in: int, tokens_out: int, cached: int = 0) -> Json:
    """How the API counts tokens."""
    return {
        "input_tokens": tokens_in,
        "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": 0},
        "output_tokens": tokens_out,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens_in + tokens_out,
    }


def message(*parts: str | Json, item_id: str = "msg_1", **fields: Any) -> Json:
    """A message that is whole."""
    content: list[Json] = [
        {"type": "output_text", "text": part, "annotations": []} if isinstance(part, str) else part
        for part in parts
    ]
    return {
        "id": item_id,
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": content,
        **fields,
    }


def reasoning(*summary: str, item_id: str = "rs_1") -> Json:
    """Reasoning that is whole, with what only the provider can read."""
    return {
        "id": item_id,
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": text} for text in summary],
        "encrypted_content": "gAAAA",
    }


def call(name: str = "f", arguments: str = "{}", call_id: str = "call_1", **fields: Any) -> Json:
    """A call of a function that is whole."""
    return {
        "id": f"fc_{call_id}",
        "type": "function_call",
        "status": "completed",
        "call_id": call_id,
        "name": name,
        "arguments": arguments,
        **fields,
    }


def events(*items: Json, **fields: Any) -> list[Json]:
    """All events of a response with these items, as OpenAI sends them."""
    status = fields.get("status", "completed")
    begun = response(status="in_progress")
    told = [one for index, item in enumerate(items) for one in _item_events(item, index)]
    given: Json = {"usage": usage(9, 4, 2), **fields}
    ended = response(*items, **given)
    return [
        {"type": "response.created", "response": begun},
        {"type": "response.in_progress", "response": begun},
        *told,
        {"type": f"response.{status}", "response": ended},
    ]


def answer(*items: Json, **fields: Any) -> bytes:
    """The same as bytes."""
    return wire(*events(*items, **fields))


def _item_events(item: Json, index: int) -> Iterator[Json]:
    at: Json = {"output_index": index}
    begun = _begun(item)
    yield {"type": "response.output_item.added", "item": begun, **at}
    at["item_id"] = item["id"]
    if item["type"] == "message":
        yield from _message_events(item, at)
    elif item["type"] == "function_call":
        kind = "response.function_call_arguments"
        for piece in _pieces(item["arguments"]):
            yield {"type": f"{kind}.delta", "delta": piece, **at}
        yield {"type": f"{kind}.done", "arguments": item["arguments"], **at}
    elif item["type"] == "reasoning":
        yield from _reasoning_events(item, at)
    yield {"type": "response.output_item.done", "item": item, "output_index": index}


def _begun(item: Json) -> Json:
    empty: Json = {"message": {"content": []}, "function_call": {"arguments": ""}}
    empty["reasoning"] = {"summary": [], "encrypted_content": ""}
    begun = {**item, **empty.get(item["type"], {})}
    return {**begun, "status": "in_progress"} if "status" in item else begun


def _message_events(item: Json, at: Json) -> Iterator[Json]:
    for number, part in enumerate(item["content"]):
        here = {**at, "content_index": number}
        is_text = part["type"] == "output_text"
        field, kind = ("text", "output_text") if is_text else ("refusal", "refusal")
        bare: Json = {"type": part["type"], field: ""} | ({"annotations": []} if is_text else {})
        extra: Json = {"logprobs": []} if is_text else {}
        yield {"type": "response.content_part.added", "part": bare, **here}
        for piece in _pieces(part[field]):
            yield {"type": f"response.{kind}.delta", "delta": piece, **extra, **here}
        for place, note in enumerate(part.get("annotations") or ()):
            yield {
                "type": "response.output_text.annotation.added",
                "annotation": note,
                "annotation_index": place,
                **here,
            }
        yield {"type": f"response.{kind}.done", field: part[field], **extra, **here}
        yield {"type": "response.content_part.done", "part": part, **here}


def _reasoning_events(item: Json, at: Json) -> Iterator[Json]:
    kind = "response.reasoning_summary"
    for number, part in enumerate(item["summary"]):
        here = {**at, "summary_index": number}
        yield {"type": f"{kind}_part.added", "part": {**part, "text": ""}, **here}
        for piece in _pieces(part["text"]):
            yield {"type": f"{kind}_text.delta", "delta": piece, **here}
        yield {"type": f"{kind}_text.done", "text": part["text"], **here}
        yield {"type": f"{kind}_part.done", "part": part, **here}


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + PIECE] for at in range(0, len(text), PIECE))


def heard(*pieces: bytes, **options: Any) -> tuple[ResponsesStream, list[ModelPart]]:
    """What is heard of bytes that come in these pieces."""
    cutter, stream, parts = EventCutter(), ResponsesStream(**options), list[ModelPart]()
    for piece in pieces:
        for data in cutter.feed(piece):
            stream.read(data)
        parts += stream.drain()
    for data in cutter.finish():
        stream.read_last(data)
    return stream, parts + stream.drain()


async def ask(
    provider: Provider | str, asked: ModelRequest | None = None, **options: Any
) -> list[ModelPart]:
    """All parts that a Responses model at the provider answers."""
    url = provider if isinstance(provider, str) else provider.url
    given: Json = {"base_url": url, "api_key": KEY, **options}
    model = OpenAIResponses("m", **given)
    return [part async for part in model.stream(asked or request())]
