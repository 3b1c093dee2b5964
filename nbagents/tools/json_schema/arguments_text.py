"""The text that a model wrote as arguments, read as JSON where it can be meant in one way only.

Models write JSON by habit, not by rule. Read as well, though it is no JSON: nothing or `null` for
no arguments, a fence of Markdown around it, an object inside of a JSON string, a comma too many at
an end, a line break inside of a text, and Python's `{'a': True}`. What was cut off is never read.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator
from typing import Final

from pydantic import JsonValue
from pydantic_core import from_json

from nbagents import bounds
from nbagents.tools.values import clean_text

EXCERPT: Final = 1_000
"""Characters that are shown of arguments that are too long."""
TOO_LONG: Final = "they are {length:,} characters long, and at most {limit:,} are taken: give less"
FENCE = "```"
# An unclosed text runs to the end, so that each character is looked at once.
TOKEN = re.compile(
    r"""(?P<json>"(?:[^"\\]|\\.)*+(?:"|$))|(?P<python>'(?:[^'\\]|\\.)*+(?:'|$))"""
    r"""|(?P<word>\b(?:True|False|None)\b)|(?P<first>[{\[]\s*,)|(?P<last>,(?=\s*[}\]]))""",
    re.DOTALL,
)
WORDS = {"True": "true", "False": "false", "None": "null"}
CONTROL = re.compile(r"[\x00-\x1f]")
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
PYTHON_ESCAPES = frozenset("\\'\"nrtxuU")
"""What `repr` writes; of others Python may warn, which would be heard in the notebook."""
HUGE = re.compile(r"[0-9][eE]\+?[0-9]{3}|[0-9]{309}")
"""What a float may be too small for; it would be read as infinity."""


def read_arguments(text: str) -> tuple[JsonValue, str | None]:
    """The arguments of a call, or the text and what is wrong with it, in words.

    Args:
        text: What the model wrote.

    Example:
        >>> read_arguments('{"days": 3,}')
        ({'days': 3}, None)
    """
    if len(text) > bounds.MAX_ARGUMENTS:
        return f"{text[:EXCERPT]}…", TOO_LONG.format(length=len(text), limit=bounds.MAX_ARGUMENTS)
    text = clean_text(text)
    try:
        value = read_json(text)
        if isinstance(value, str):  # written twice
            value = read_json(value)
    except ValueError as error:
        return text, f"they are no valid JSON ({error})"
    if value is None:
        return {}, None  # what some providers send for a call without arguments
    return value, None if isinstance(value, dict) else "they are no JSON object"


def read_json(text: str) -> JsonValue:
    """A text as JSON, also where a model wrote it carelessly; an empty one is `None`.

    Raises:
        ValueError: It cannot be read.
    """
    if not text.strip():
        return None
    try:
        value: JsonValue = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        value = _repaired(text, error)
    if HUGE.search(text):
        for path in _infinities(value, ""):
            raise ValueError(f"the number at {path!r} is too large")
    return value


def _repaired(text: str, error: ValueError) -> JsonValue:
    try:
        written = TOKEN.sub(_as_json, _without_fence(text))
        return from_json(written, allow_inf_nan=False)
    except (ValueError, SyntaxError):
        raise error from None


def _without_fence(text: str) -> str:
    inside = text.strip()
    if not (inside.startswith(FENCE) and inside.endswith(FENCE)):
        return text
    language, _, rest = inside.removesuffix(FENCE).removeprefix(FENCE).partition("\n")
    return rest if not language.strip() or language.strip().isalnum() else text


def _as_json(token: re.Match[str]) -> str:
    if token["json"]:
        return CONTROL.sub(lambda one: f"\\u{ord(one[0]):04x}", token["json"])
    if token["python"]:
        return _of_python(token["python"])
    if token["word"]:
        return WORDS[token["word"]]
    return token["first"] or ""


def _of_python(literal: str) -> str:
    if not PYTHON_ESCAPES.issuperset(ESCAPE.findall(literal)):
        raise ValueError("an escape that Python does not write")
    return json.dumps(ast.literal_eval(literal))


def _infinities(value: JsonValue, path: str) -> Iterator[str]:
    if isinstance(value, float) and not math.isfinite(value):
        yield path.removesuffix(".")
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _infinities(one, f"{path}{name}.")
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from _infinities(one, f"{path}{at}.")
