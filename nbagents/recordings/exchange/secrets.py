"""What must not be written into a recording, beside what is written nowhere: tokens by shape."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from nbagents.redaction import MARK, clean, refresh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import JsonValue

SHAPES: Final = re.compile(
    r"""(?x)
      \b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{16,}\b   # OpenAI, Anthropic, Stripe
    | \bgh[pousr]_[A-Za-z0-9]{30,}\b | \bgithub_pat_[A-Za-z0-9_]{30,}
    | \bglpat-[A-Za-z0-9_-]{20,}
    | \bhf_[A-Za-z0-9]{30,}\b
    | \bxox[abprs]-[A-Za-z0-9-]{10,}
    | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b
    | \bAIza[A-Za-z0-9_-]{35}
    | \bya29\.[A-Za-z0-9_-]{20,}
    | \bnpm_[A-Za-z0-9]{36}\b | \bpypi-[A-Za-z0-9_-]{50,}
    | \beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}   # a JSON Web Token
    | (?<=Bearer\ )[A-Za-z0-9._~+/-]{16,}=*
    | -----BEGIN\ (?:[A-Z]+\ )?PRIVATE\ KEY-----.*?(?:-----END\ (?:[A-Z]+\ )?PRIVATE\ KEY-----|\Z)
    """,
    re.DOTALL,
)
"""Well-known tokens. Source: GitHub, supported secret scanning patterns; providers' own pages."""


def scrubbed(text: str) -> str:
    """The text without keys in use, without what the person has named, and without tokens."""
    return SHAPES.sub(MARK, clean(text))


def scrubbed_json(value: JsonValue) -> JsonValue:
    """The same of all texts in a value, names included."""
    if isinstance(value, str):
        return scrubbed(value)
    if isinstance(value, dict):
        return {scrubbed(name): scrubbed_json(one) for name, one in value.items()}
    if isinstance(value, list):
        return [scrubbed_json(one) for one in value]
    return value


def secrets_in(text: str) -> Iterator[tuple[int, str]]:
    """Where a text holds what must not be written: the place, and what it is like."""
    refresh()
    for found in SHAPES.finditer(text):
        yield found.start(), f"{found[0][:4]}…"
    if clean(text) != text:
        yield _first_difference(text, clean(text)), "a key in use, or what a pattern finds"


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
