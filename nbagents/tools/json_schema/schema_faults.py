"""What no endpoint takes of a schema from elsewhere: references that lead nowhere, broken patterns.

Found when the tool is defined, because else it is found by the provider in the middle of a run.
"""

from __future__ import annotations

import re
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TypeAlias, cast

from pydantic import JsonValue

from nbagents.tools.json_schema.reference import is_schema, target_of
from nbagents.tools.json_schema.type_names import INNER, INNER_BY_NAME, INNER_LISTS, Schema

Place: TypeAlias = tuple[str, object]

WRONG_EVERYWHERE = (
    "missing )",
    "unbalanced parenthesis",
    "unterminated character set",
    "nothing to repeat",
    "multiple repeat",
    "min repeat greater than max repeat",
    "bad character range",
    "bad escape (end of pattern)",
    "unexpected end of pattern",
)
"""What Python says of a pattern that is wrong in ECMAScript too, which JSON Schema speaks.

Source: ECMA-262, Patterns and annex B.1.2; `re` of Python.
"""

OF_ECMASCRIPT = ("[]", "[^]", "{,")
"""What ECMAScript reads otherwise than Python, so that Python may stumble over the rest."""


def fault_of(schema: Schema) -> str | None:
    """What is wrong in a schema, with its path; `None` if nothing is.

    Args:
        schema: As `json_schema_of` gives it.
    """
    places = list(_nodes(schema))
    anchors = [node.get("$anchor") for _, node in places]
    for where, node in places:
        for found in (_wrong_reference(node, schema, anchors), *_wrong_patterns(node)):
            if found:
                return f"{where}.{found}" if where else found
    return None


def _nodes(root: Schema) -> Iterator[tuple[str, Schema]]:
    """Each schema in the schema, also those that stand elsewhere and are referred to."""
    waiting: deque[Place] = deque([("", root)])
    seen: set[int] = set()
    while waiting:
        where, node = waiting.popleft()
        if not is_schema(node) or id(node) in seen:
            continue
        seen.add(id(node))
        known = cast("Schema", node)
        yield where, known
        waiting += [(f"{where}.{at}" if where else at, one) for at, one in _inner(known)]
        if isinstance(ref := known.get("$ref"), str):
            waiting.append((f"{where}.$ref" if where else "$ref", target_of(ref, root)))


def _inner(node: Schema) -> Iterator[Place]:
    for word, given in node.items():
        if word in INNER:
            yield word, given
        elif word in INNER_BY_NAME and isinstance(given, dict):
            yield from ((f"{word}.{name}", one) for name, one in given.items())
        elif word in INNER_LISTS and isinstance(given, list):
            yield from ((f"{word}.{at}", one) for at, one in enumerate(given))


def _wrong_reference(node: Schema, root: Schema, anchors: Sequence[JsonValue]) -> str | None:
    ref = node.get("$ref")
    if not isinstance(ref, str):
        return None
    if not ref.startswith("#"):
        return f"$ref leads out of the schema, to {ref!r}, and no endpoint follows: write it inside"
    found = target_of(ref, root)
    if is_schema(found) or isinstance(found, bool) or ref[1:] in anchors:
        return None
    return f"$ref leads to {ref!r}, which is not there, or is no schema"


def _wrong_patterns(node: Schema) -> Iterator[str]:
    pattern, named = node.get("pattern"), node.get("patternProperties")
    if isinstance(pattern, str) and (why := _why_wrong(pattern)):
        yield f"pattern {pattern!r} is no pattern: {why}"
    for one in named if isinstance(named, dict) else ():
        if why := _why_wrong(one):
            yield f"patternProperties {one!r} is no pattern: {why}"


def _why_wrong(pattern: str) -> str | None:
    if any(one in pattern for one in OF_ECMASCRIPT):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python may read otherwise one day
            re.compile(pattern)
    except re.error as error:
        # A class in a range is wrong in Python only.
        is_class = error.msg.startswith("bad character range") and "\\" in error.msg
        return error.msg if error.msg.startswith(WRONG_EVERYWHERE) and not is_class else None
    except (OverflowError, RecursionError):  # only Python cannot
        return None
    return None
