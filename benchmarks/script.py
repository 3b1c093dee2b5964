"""What the server plays: turns that each call tools, or one long text."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "ANSWER",
    "ASK",
    "CHAIN",
    "CHILDREN",
    "CHUNKS",
    "LONG_TURNS",
    "PAUSE_S",
    "PROMPT",
    "THREADS",
    "TOOL",
    "TURNS",
    "WIDTH",
    "scripts",
]

TURNS = 100
LONG_TURNS = 205
"""A few more than the turn that is looked at, so that it has neighbours."""

WIDTH = 100
THREADS = 16
PAUSE_S = 0.05
CHUNKS = 10_000
CHAIN = 5
"""Agents that stand one inside the other."""
CHILDREN = 10
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
ASK: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "ask",
        "description": "Ask another adder.",
        "parameters": {
            "type": "object",
            "properties": {"input": {"type": "string"}},
            "required": ["input"],
            "additionalProperties": False,
        },
        "strict": True,
    },
}


def scripts() -> dict[str, list[bytes]]:
    """The streams of each script, by the first part of the path at which it is played."""
    return {
        "turns": [*_sequence(TURNS), _answer()],
        "long": [*_sequence(LONG_TURNS), _answer()],
        "wide": [_calls_stream(range(WIDTH)), _answer()],
        "threads": [_calls_stream(range(THREADS)), _answer()],
        "chain": [*[_asking([depth]) for depth in range(1, CHAIN)], *[_answer()] * CHAIN],
        "children": [_asking(range(CHILDREN)), *[_answer()] * (CHILDREN + 1)],
        "text": [_stream([{"content": f"word{number} "} for number in range(CHUNKS)], "stop")],
    }


def _sequence(turns: int) -> list[bytes]:
    return [_calls_stream([turn]) for turn in range(turns)]


def _answer() -> bytes:
    return _stream([{"content": word + " "} for word in ANSWER.split()], "stop")


def _calls_stream(numbers: Iterable[int]) -> bytes:
    """A turn that asks for one call for each of the numbers."""
    pieces = [_call_pieces(index, number) for index, number in enumerate(numbers)]
    deltas = [{"tool_calls": [piece]} for piece in itertools.chain.from_iterable(pieces)]
    return _stream(deltas, "tool_calls")


def _asking(numbers: Iterable[int]) -> bytes:
    """A turn that asks another agent for each of the numbers."""
    pieces = [
        _pieces(index, number, "ask", {"input": f"Add up list {number}."})
        for index, number in enumerate(numbers)
    ]
    deltas = [{"tool_calls": [piece]} for piece in itertools.chain.from_iterable(pieces)]
    return _stream(deltas, "tool_calls")


def _call_pieces(index: int, number: int) -> list[dict[str, Any]]:
    return _pieces(index, number, "add", {"total": number * (number - 1) // 2, "number": number})


def _pieces(index: int, number: int, name: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    arguments = json.dumps(given)
    function = {"name": name, "arguments": ""}
    first = {"index": index, "id": f"call_{number}", "type": "function", "function": function}
    return [first] + [
        {"index": index, "function": {"arguments": arguments[start : start + 8]}}
        for start in range(0, len(arguments), 8)
    ]


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
