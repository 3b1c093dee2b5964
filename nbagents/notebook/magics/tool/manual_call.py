"""`%tool NAME city=Paris`: one call by hand, on the model's own path."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING

from pydantic import JsonValue

from nbagents.identity import new_id
from nbagents.messages import CallRequest
from nbagents.models.model import ModelPart, ModelRequest, ModelTurn
from nbagents.narrowing import is_dict
from nbagents.notebook.options import OptionError
from nbagents.runs.wording import BY_HAND

if TYPE_CHECKING:
    from nbagents.tools.tool import Tool

ARGUMENT = re.compile(r"(?P<name>[^\W\d]\w*)=")
QUOTED = re.compile(r"""(?P<quote>["'])(?P<text>.*?)(?P=quote)(?=\s|\Z)""", re.DOTALL)


class Hand:
    """A model that makes one call, the person's, and says nothing."""

    name = BY_HAND
    is_program = True

    def __init__(self, tool_name: str, arguments: Mapping[str, JsonValue]) -> None:
        self._call = CallRequest(
            id=new_id("call"), name=tool_name, arguments=json.dumps(arguments, ensure_ascii=False)
        )

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """The call first, then nothing."""
        is_first = request.messages[-1].role == "user"
        yield ModelTurn(calls=(self._call,) if is_first else ())


def read_arguments(tool: Tool, text: str) -> dict[str, JsonValue]:
    """Read `city=Paris days=3`, or a JSON object, as a tool's arguments.

    A value is a word, a quoted text, or JSON; unless the tool wants text there, it is read as JSON.

    Raises:
        OptionError: A word is no `name=value`.
    """
    text = text.strip()
    if text.startswith("{"):
        return _object(text)
    arguments: dict[str, JsonValue] = {}
    while text:
        match = ARGUMENT.match(text)
        if match is None:
            word = text.split()[0]
            raise OptionError(f"{word!r} is no argument: write name=value, e.g. city=Paris.")
        name = match["name"]
        arguments[name], text = _value(text[match.end() :], is_text=_wants_text(tool, name))
    return arguments


def _value(text: str, *, is_text: bool) -> tuple[JsonValue, str]:
    """The value that stands first, and what follows it."""
    if match := QUOTED.match(text):
        return match["text"], text[match.end() :].lstrip()
    found = None if is_text else _leading_json(text)
    if found is not None:
        return found
    end = next((at for at, one in enumerate(text) if one.isspace()), len(text))
    return text[:end], text[end:].lstrip()


def _leading_json(text: str) -> tuple[JsonValue, str] | None:
    """The JSON that stands first, if a space or nothing follows it."""
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return None
    if text[end : end + 1].strip():
        return None
    return value, text[end:].lstrip()


def _object(text: str) -> dict[str, JsonValue]:
    try:
        value: object = json.loads(text)
    except ValueError as error:
        raise OptionError(f"The arguments are no JSON object: {error}.") from error
    if not is_dict(value):
        raise OptionError("The arguments are no JSON object.")
    return value


def _wants_text(tool: Tool, name: str) -> bool:
    properties = tool.parameters.get("properties")
    schema = properties.get(name) if isinstance(properties, dict) else None
    if not isinstance(schema, dict):
        return False
    kinds = [schema.get("type")]
    options = schema.get("anyOf")
    if isinstance(options, list):
        kinds += [option.get("type") for option in options if isinstance(option, dict)]
    return "string" in kinds and not {"integer", "number", "boolean"} & {str(k) for k in kinds}
