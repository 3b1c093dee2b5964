"""What would be sent to a model, without sending it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import JsonValue
from pydantic_core import to_jsonable_python

from nbagents.redaction import clean, in_clean_words
from nbagents.runs.stepping import words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.messages import Message
    from nbagents.models.model import ModelRequest, OutputSpec, ToolSpec
    from nbagents.runs.plan.plan import Plan

PIECE = re.compile(r"[A-Za-z]+|[0-9]+|\s+|[^\sA-Za-z0-9]")
LETTERS, DIGITS = 7, 3
"""About what one token holds of a word and of a number."""
PER_MESSAGE = 4


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """One request that was not sent."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    form: OutputSpec | None
    """The form that the answer must have."""
    settings: dict[str, JsonValue]
    shared: tuple[str, ...]
    body: JsonValue
    """The request as this model's provider would get it."""
    tokens: int
    """About how many tokens go in; providers count differently, and images are not counted."""

    def __str__(self) -> str:
        lines = [f"Not sent. {self.model}, about {self.tokens:,} tokens in."]
        for message in self.messages:
            lines += [f"[{message.role}]", words_of(message)]
        for tool in self.tools:
            schema = json.dumps(to_jsonable_python(tool.parameters), ensure_ascii=False)
            lines += [f"[tool] {tool.name}: {tool.description}", f"  {schema}"]
            if tool.strict_note:
                lines.append(f"  {tool.strict_note}")
        if self.form is not None:
            schema = json.dumps(to_jsonable_python(self.form.schema), ensure_ascii=False)
            lines += [f"[form of the answer] {self.form.name}", f"  {schema}"]
        if self.settings:
            lines.append(f"[settings] {json.dumps(self.settings, ensure_ascii=False)}")
        return clean("\n".join(lines))


def preview_of(plan: Plan, request: ModelRequest) -> Preview:
    """The first request of a run.

    Args:
        plan: What the run would do.
        request: What its model would be asked.
    """
    body = _body(plan, request)
    return Preview(
        model=plan.model.name,
        messages=tuple(request.messages),
        tools=request.tools,
        form=request.output,
        settings=dict(plan.settings),
        shared=plan.shared,
        body=body,
        tokens=PER_MESSAGE * len(request.messages) + estimated_tokens(_text_of(body)),
    )


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has.

    Words count by their letters, numbers by their digits, each other mark and each character of
    another script as one. Of English and of JSON that is within a quarter of what OpenAI counts.
    """
    return sum(map(_weight, PIECE.findall(text)))


def _weight(piece: str) -> int:
    if piece.isspace():
        return 0 if piece == " " else 1
    if piece.isdigit():
        return -(-len(piece) // DIGITS)
    return -(-len(piece) // LETTERS) if piece.isascii() and piece.isalpha() else 1


def _body(plan: Plan, request: ModelRequest) -> JsonValue:
    make: Callable[[ModelRequest], JsonValue] | None = getattr(plan.model, "preview", None)
    if make is not None and (told := make(request)) is not None:
        return told
    fields = {
        "messages": [{"role": one.role, "content": words_of(one)} for one in request.messages],
        "tools": [
            {"name": one.name, "description": one.description, "parameters": one.parameters}
            for one in request.tools
        ],
        **request.settings,
    }
    return to_jsonable_python(fields, fallback=str)


def _text_of(body: JsonValue) -> str:
    """What of a body is text: without the bytes of images."""
    if isinstance(body, str):
        return "" if body.startswith("data:") else body
    if isinstance(body, dict):
        return " ".join(f"{key} {_text_of(value)}" for key, value in body.items())
    if isinstance(body, list):
        return " ".join(map(_text_of, body))
    return "" if body is None else str(body)
