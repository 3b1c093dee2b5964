"""A value as a person types it, by the JSON Schema of what it should be, and as it is shown."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final

from nbagents.runs.stepping import cut_words
from nbagents.runs.wording import literal, plain, visible_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import JsonValue

MAX_SHOWN: Final = 300
"""Characters of each value in a question."""
CHOICES_SHOWN: Final = 20
OBJECT: Final = 'a JSON object, e.g. {"city": "Oslo"}'
YES: Final = frozenset({"y", "yes", "true", "1"})
NO: Final = frozenset({"n", "no", "false", "0"})
WORDS: Final[Mapping[str, str]] = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "y or n",
    "object": OBJECT,
}


def written(value: object, longest: int | None = MAX_SHOWN) -> str:
    """A value as Python, each cut by itself, so that a long one hides no other."""
    return cut_words(plain(literal(value, keys=visible_name)), longest)


def value_words(schema: Mapping[str, JsonValue], form: Mapping[str, JsonValue]) -> str:
    """What a value should be, in few words; nothing where any text will do."""
    schema = _resolved(schema, form)
    if (choices := _choices(schema)) is not None:
        shown = ", ".join(
            f"{at}. {_label(one)}" for at, one in enumerate(choices[:CHOICES_SHOWN], 1)
        )
        more = f" and {len(choices) - CHOICES_SHOWN} more" if len(choices) > CHOICES_SHOWN else ""
        return f"one of {shown}{more}"
    branches = [value_words(one, form) for one in _branches(schema) if one.get("type") != "null"]
    if branches:
        return (
            " or ".join(dict.fromkeys(one or "text" for one in branches)) if any(branches) else ""
        )
    if schema.get("type") == "array":
        return "several, by commas or as JSON"
    return WORDS.get(str(schema.get("type")), "")


def value_of(
    text: str, schema: Mapping[str, JsonValue], form: Mapping[str, JsonValue]
) -> JsonValue:
    """What was typed, as a value.

    Args:
        text: What was typed; `""` in quotes stands for an empty text.
        schema: What the value should be.
        form: The schema that holds it, in which its references point.

    Raises:
        ValueError: It cannot be that.
    """
    schema = _resolved(schema, form)
    if (choices := _choices(schema)) is not None:
        return _choice(text, choices)
    if branches := _branches(schema):
        return _first_that_fits(text, branches, form)
    kind = str(schema.get("type"))
    if kind == "array":
        return _several(text, schema, form)
    if (reading := READ.get(kind)) is not None:
        return reading(text)
    return _json_or_text(text)


def _resolved(
    schema: Mapping[str, JsonValue], form: Mapping[str, JsonValue]
) -> Mapping[str, JsonValue]:
    """A schema without the reference that it consists of."""
    whole = schema.get("allOf")
    inner = whole[0] if isinstance(whole, list) and len(whole) == 1 else schema
    reference = inner.get("$ref") if isinstance(inner, dict) else None
    if not isinstance(reference, str):
        return schema
    found: JsonValue = dict(form)
    for key in reference.removeprefix("#/").split("/"):
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _choices(schema: Mapping[str, JsonValue]) -> Sequence[JsonValue] | None:
    if "const" in schema:
        return [schema["const"]]
    choices = schema.get("enum")
    return choices if isinstance(choices, list) else None


def _branches(schema: Mapping[str, JsonValue]) -> Sequence[Mapping[str, JsonValue]]:
    """What the value may be, where that is several things; text is last: it fits everything."""
    kinds = schema.get("type")
    if isinstance(kinds, list):
        found = [{**schema, "type": kind} for kind in kinds]
    else:
        said = schema.get("anyOf") or schema.get("oneOf")
        listed = said if isinstance(said, list) else []
        found = [one for one in listed if isinstance(one, dict)]
    return sorted(found, key=lambda one: {"null": 0, "string": 2}.get(str(one.get("type")), 1))


def _label(value: JsonValue) -> str:
    return cut_words(plain(value if isinstance(value, str) else json.dumps(value)), MAX_SHOWN)


def _choice(text: str, choices: Sequence[JsonValue]) -> JsonValue:
    for value in choices:
        if _label(value).casefold() == text.casefold():
            return value
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= len(choices):
        return choices[int(text) - 1]
    raise ValueError(f"{written(text)} is not among {', '.join(map(_label, choices))}.")


def _first_that_fits(
    text: str, branches: Sequence[Mapping[str, JsonValue]], form: Mapping[str, JsonValue]
) -> JsonValue:
    wrong: list[str] = []
    for schema in branches:
        try:
            return value_of(text, schema, form)
        except ValueError as error:
            wrong.append(str(error))
    raise ValueError(wrong[-1])


def _several(
    text: str, schema: Mapping[str, JsonValue], form: Mapping[str, JsonValue]
) -> JsonValue:
    if text.startswith("["):
        return json_of(text, list, "a JSON list")
    inner = schema.get("items")
    items = inner if isinstance(inner, dict) else {}
    return [value_of(one.strip(), items, form) for one in text.split(",") if one.strip()]


def json_of(text: str, kind: type, words: str) -> JsonValue:
    """What was typed, read as JSON.

    Args:
        text: What was typed.
        kind: Which type of Python it must give.
        words: What that is called.

    Raises:
        ValueError: It is no JSON, or another kind of it.
    """
    try:
        found: Any = json.loads(text, parse_constant=_no_number)
    except ValueError as error:
        raise ValueError(f"This is no JSON: {error}.") from None
    if type(found) is not kind:
        raise ValueError(f"This should be {words}.")
    return found


def _json_or_text(text: str) -> JsonValue:
    try:
        return json.loads(text, parse_constant=_no_number)
    except ValueError:
        return text


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number that JSON has")


def _truth(text: str) -> JsonValue:
    if text.lower() in YES | NO:
        return text.lower() in YES
    raise ValueError(f"Type y or n, not {written(text)}.")


def _whole(text: str) -> JsonValue:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"This should be a whole number, not {written(text)}.") from None


def _number(text: str) -> JsonValue:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise ValueError(f"This should be a number, not {written(text)}.")
    return int(text) if text.lstrip("+-").isdecimal() else found


def _nothing(text: str) -> JsonValue:
    if text.lower() in {"null", "none"}:
        return None
    raise ValueError(f"This should be null, not {written(text)}.")


READ: Mapping[str, Callable[[str], JsonValue]] = {
    "boolean": _truth,
    "integer": _whole,
    "number": _number,
    "null": _nothing,
    "object": lambda text: json_of(text, dict, OBJECT),
    "string": lambda text: "" if text in {'""', "''"} else text,
}
