"""What must not be written into a recording, beside what is written nowhere: tokens by shape."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from nbagents.redaction import MARK, clean, refresh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import JsonValue

SHAPES: Final = {
    begins: re.compile(shape, re.DOTALL)
    for begins, shape in {
        # OpenAI, Anthropic, Stripe
        ("sk-", "sk_", "pk-", "pk_", "rk-", "rk_"): (
            r"\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{16,}\b"
        ),
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"): r"\bgh[pousr]_[A-Za-z0-9]{30,}\b",
        ("github_pat_",): r"\bgithub_pat_[A-Za-z0-9_]{30,}",
        ("glpat-",): r"\bglpat-[A-Za-z0-9_-]{20,}",
        ("hf_",): r"\bhf_[A-Za-z0-9]{30,}\b",
        ("xox",): r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
        ("AKIA", "ASIA"): r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        ("AIza",): r"\bAIza[A-Za-z0-9_-]{35}",
        ("ya29.",): r"\bya29\.[A-Za-z0-9_-]{20,}",
        ("npm_",): r"\bnpm_[A-Za-z0-9]{36}\b",
        ("pypi-",): r"\bpypi-[A-Za-z0-9_-]{50,}",
        # a JSON Web Token
        ("eyJ",): r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
        ("Bearer ",): r"(?<=Bearer )[A-Za-z0-9._~+/-]{16,}=*",
        ("PRIVATE KEY",): (
            r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"
            r".*?(?:-----END (?:[A-Z]+ )?PRIVATE KEY-----|\Z)"
        ),
    }.items()
}
"""Well-known tokens, by what each of them holds as it stands: to look for that alone takes a
twentieth of the time. Source: GitHub, supported secret scanning patterns; providers' own pages."""
_MARKS: Final = tuple((mark, shape) for marks, shape in SHAPES.items() for mark in marks)
SHORTEST: Final = 15
"""No token is shorter."""


def scrubbed(text: str) -> str:
    """The text without keys in use, without what the person has named, and without tokens."""
    if not text:
        return text
    text = clean(text)
    if len(text) < SHORTEST:
        return text
    for mark, shape in _MARKS:
        if mark in text:
            text = shape.sub(MARK, text)
    return text


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
    shapes = dict.fromkeys(shape for mark, shape in _MARKS if mark in text)
    several = [one for shape in shapes for one in shape.finditer(text)]
    for found in sorted(several, key=lambda one: one.start()):
        yield found.start(), f"{found[0][:4]}…"
    if clean(text) != text:
        yield _first_difference(text, clean(text)), "a key in use, or what a pattern finds"


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
