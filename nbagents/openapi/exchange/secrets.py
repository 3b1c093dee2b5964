"""Credentials in what servers send back: in addresses, in headers, in their words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from nbagents.redaction import MARK

SHORTEST: Final = 4
"""What is shorter is in any text, and no secret."""


def forms(secret: str) -> tuple[str, ...]:
    """A credential as it may stand in an address: with the word before it, and without."""
    word = secret.rpartition(" ")[2]
    written = (secret, word, quote(secret, safe=""), quote(word, safe=""))
    return tuple(one for one in dict.fromkeys(written) if len(one) >= SHORTEST)


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """A text without the credentials that it was asked for with."""
    for secret in secrets:
        for one in forms(secret):
            text = text.replace(one, MARK)
            text = text.replace(json.dumps(one)[1:-1], MARK)
    return text
