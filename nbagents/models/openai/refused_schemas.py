"""A tool's schema that an endpoint refuses as strict: whose it is, and how it is sent then.

Source: OpenAI's API, status 400, code `invalid_function_parameters`: "Invalid schema for function
'f': In context=('properties', 'x'), …".
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from dataclasses import replace

from nbagents.models.model import ToolSpec
from nbagents.models.openai.json_body import body_json

MARK = "schema "
REFUSED_SCHEMA = re.compile(r"invalid schema for function\W{1,3}([\w-]+)", re.IGNORECASE)


def refused_function(said: str) -> str | None:
    """The function whose schema is refused, by its name on the wire.

    Example:
        >>> refused_function("Invalid schema for function 'a--f': 'type' is missing")
        'a--f'
    """
    found = REFUSED_SCHEMA.search(said)
    return found[1] if found else None


def mark_of(spec: ToolSpec) -> str:
    """What a refused schema is known by: another one, of a tool of the same name, is another."""
    schema = hashlib.sha256(body_json(dict(spec.parameters))).hexdigest()
    return f"{MARK}{spec.name} {schema}"


def loosened(specs: tuple[ToolSpec, ...], marks: Collection[str]) -> tuple[ToolSpec, ...]:
    """The tools, those that are known to be refused not as strict ones."""
    if not any(one.startswith(MARK) for one in marks):
        return specs
    return tuple(
        replace(one, strict=False) if one.strict and mark_of(one) in marks else one for one in specs
    )


def schema_note(model: str, name: str) -> str:
    """What the person is told."""
    return f"{model} refuses the schema of {name!r} as a strict one: it is sent as a plain one."
