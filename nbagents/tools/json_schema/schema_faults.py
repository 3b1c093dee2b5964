"""What no endpoint takes of a schema from elsewhere: references that lead nowhere, broken patterns.

Found when the tool is defined, because else it is found by the provider in the middle of a run.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from nbagents.narrowing import dict_of
from nbagents.tools.json_schema.reference import (
    Schema,
    all_schemas,
    is_schema,
    path_of,
    target_of,
)

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
    for where, node in all_schemas(schema):
        for found in (_wrong_reference(node, schema), *_wrong_patterns(node)):
            if found:
                return path_of(where, found)
    return None


def _wrong_reference(node: Schema, root: Schema) -> str | None:
    ref = node.get("$ref")
    if not isinstance(ref, str):
        return None
    if not ref.startswith("#"):
        return f"$ref leads out of the schema, to {ref!r}, and no endpoint follows: write it inside"
    found = target_of(ref, root)
    if is_schema(found) or isinstance(found, bool):
        return None
    return f"$ref leads to {ref!r}, which is not there, or is no schema"


def _wrong_patterns(node: Schema) -> Iterator[str]:
    pattern = node.get("pattern")
    if isinstance(pattern, str) and (why := _why_wrong(pattern)):
        yield f"pattern {pattern!r} is no pattern: {why}"
    for one in dict_of(node.get("patternProperties")):
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
