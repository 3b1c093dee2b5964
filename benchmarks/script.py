"""What the server plays: turns that each call one tool, or one long text."""

from __future__ import annotations

import itertools
import json
from typing import Any

__all__ = ["ANSWER", "CHUNKS", "PROMPT", "TOOL", "TURNS", "text_stream", "turn_streams"]

TURNS = 100
CHUNKS = 10_000
PROMPT = "Add up the numbers from the list, one after the other."
ANSWER = "The sum is 4950."
TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Add a number to the sum.",
        "parameters": {
            "type": "object",
            "properties": {
                "total": {"type": "integer", "description": "The sum so far."},
                "number": {"type": "integer", "description": "What to add."},
            },
            "required": ["total", "number"],
            "additionalProperties": False,
        },
        "strict": True,
    },
}


def turn_streams() -> list[bytes]:
    """The streams of one run: `TURNS` with a call each, then the answer."""
    sums = itertools.accumulate(range(TURNS + 1), initial=0)
    called = [_call_stream(turn, total) for turn, total in zip(range(TURNS), sums, strict=False)]
    words = [word + " " for word in ANSWER.split()]
    return [*called, _stream([{"content": word} for word in words], "stop")]


def text_stream() -> bytes:
    """One answer of `CHUNKS` pieces."""
    return _stream([{"content": f"word{number} "} for number in range(CHUNKS)], "stop")


def _call_stream(turn: int, total: int) -> bytes:
    def piece(**fields: object) -> dict[str, Any]:
        return {"tool_calls": [{"index": 0, **fields}]}

    function = {"name": "add", "arguments": ""}
    deltas = [piece(id=f"call_{turn}", type="function", function=function)]
    arguments = json.dumps({"total": total, "number": turn})
    deltas += [
        piece(function={"arguments": arguments[start : start + 8]})
        for start in range(0, len(arguments), 8)
    ]
    return _stream(deltas, "tool_calls")


def _stream(deltas: list[dict[str, Any]], finish_reason: str) -> bytes:
    first = {"role": "assistant", "content": None}
    chunks = [_chunk(delta, None) for delta in [first, *deltas]]
    chunks.append(_chunk({}, finish_reason))
    usage = {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920}
    chunks.append({**_chunk({}, None), "choices": [], "usage": usage})
    events = [f"data: {json.dumps(chunk, separators=(',', ':'))}\n\n" for chunk in chunks]
    return ("".join(events) + "data: [DONE]\n\n").encode()


def _chunk(delta: dict[str, Any], finish_reason: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
    return {
        "id": "chatcmpl-bench",
        "object": "chat.completion.chunk",
        "created": 1_767_225_600,
        "model": "bench",
        "choices": [choice],
    }
