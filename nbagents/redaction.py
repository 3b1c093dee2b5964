"""What must not be written or shown: keys, passwords in addresses, and what a person has named.

One place cleans whatever leaves the runtime: events as they are logged, errors as they are raised,
and text as it is shown. It also writes half characters (lone surrogates) as escapes, since no file
and no page can carry them.
"""

from __future__ import annotations

import json
import os
import re
from html import escape
from typing import TYPE_CHECKING, Final, TypeVar, cast
from urllib.parse import quote, quote_plus

from nbagents.narrowing import is_mapping, is_sequence

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "MARK",
    "VARIABLE",
    "Held",
    "are_patterns",
    "clean",
    "cut",
    "holds_mark",
    "in_clean_words",
    "know",
    "redact",
    "refresh",
    "use_patterns",
]

T = TypeVar("T")

MARK: Final = "[redacted]"
"""Stands where something was taken out."""
VARIABLE: Final = "NBAGENTS_REDACT"
"""A regular expression: what it finds is taken out, too."""
SHORTEST: Final = 8
"""What is shorter is no secret ("none", "any"), and a part of ordinary words."""
LONGEST_HELD: Final = 2_000
"""So much of a text that comes in pieces is held back at most, until it is seen what it is."""

SECRET_NAME: Final = re.compile(
    r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE
)
"""The variables of the environment whose values are secrets."""
HALF: Final = re.compile("[\ud800-\udfff]")
USER: Final = re.compile(r"(?<=://)[^\s/?#\"'<>\\]+@")
"""Who is named in an address, with the password."""
GIVEN: Final = re.compile(
    r"([?&;](?:[\w.-]*[_-])?(?:api-?key|key|token|secret|password|passwd|pwd|sig|signature|auth)=)"
    r"[^&\s\"'<>#;\\]+",
    re.IGNORECASE,
)
"""A secret among the parameters of an address."""
PERCENT: Final = re.compile(r"%[0-9A-F]{2}")
ESCAPE: Final = re.compile(r"\\+u00([0-7][0-9a-fA-F])")
"""A character of ASCII as JSON may write it, too, where nothing has to be escaped."""
STOPS: Final = re.compile(r"[\s\"'<>]")

_keys: dict[str, None] = {}
_literals: tuple[str, ...] = ()
"""What is looked for as it stands, the longest first."""
_patterns: tuple[re.Pattern[str], ...] = ()
_seen: object = None
"""The environment when it was looked at last."""
_of_environment: tuple[str, ...] = ()
_said: str = ""
"""The pattern that the environment gave."""
_compiled: re.Pattern[str] | None = None


def know(key: object) -> None:
    """Take a key that is in use: it is never written or shown from now on."""
    if isinstance(key, str) and len(key) >= SHORTEST and key not in _keys:
        _keys[key] = None
        _rebuild()


def redact(*patterns: str | re.Pattern[str]) -> tuple[str, ...]:
    r"""Say what must not be written or shown, beside keys: in logs, errors, cards and notebooks.

    What was written before stays. A text that comes in pieces is looked at line by line.

    Args:
        patterns: Regular expressions, which take the place of those that were given before; none:
            only ask.

    Returns:
        The patterns that hold now.

    Raises:
        ValueError: One is no regular expression, or finds nothing everywhere.

    Example:
        >>> redact(r"EMP-\d{6}")
        ('EMP-\\d{6}',)
        >>> clean("EMP-123456 is ill")
        '[redacted] is ill'
        >>> use_patterns(())
    """
    if patterns:
        use_patterns(patterns)
    return tuple(one.pattern for one in _patterns)


def use_patterns(patterns: Iterable[str | re.Pattern[str]]) -> None:
    """Look for these patterns, and for no others that were given before.

    Raises:
        ValueError: One cannot be looked for.
    """
    global _patterns  # noqa: PLW0603  one list a process
    _patterns = tuple(_pattern(one) for one in patterns)


def _pattern(given: object) -> re.Pattern[str]:
    advice = 'give regular expressions, e.g. nbagents.redact(r"EMP-\\d{6}").'
    if not isinstance(given, (str, re.Pattern)):
        raise ValueError(f"This is no pattern: {given!r}; {advice}")  # noqa: TRY004  a value
    try:
        made = re.compile(cast("str", given))
        finds_nothing = made.search("") is not None
    except (re.error, TypeError) as error:
        raise ValueError(f"This is no pattern: {given!r} ({error}); {advice}") from error
    if finds_nothing:
        raise ValueError(f"{given!r} finds nothing everywhere: let it find something.")
    return made


def are_patterns(given: object) -> bool:
    """Whether this is a list of what can be looked for."""
    if not is_sequence(given):
        return False
    try:
        for one in given:
            _pattern(one)
    except ValueError:
        return False
    return True


def refresh() -> None:
    """Look at the environment, if it has changed: keys in it are never written or shown."""
    global _seen, _of_environment, _said, _compiled  # noqa: PLW0603  one environment a process
    there: object = getattr(os.environ, "_data", None)  # compared without decoding it
    if there is not None and there == _seen:
        return
    _seen = dict(cast("dict[object, object]", there)) if isinstance(there, dict) else None
    found = (value.strip() for name, value in os.environ.items() if SECRET_NAME.search(name))
    _of_environment = tuple(one for one in found if len(one) >= SHORTEST and one[0] not in "/~.")
    said = os.environ.get(VARIABLE, "")
    if said != _said:
        _said, _compiled = said, _pattern(said) if said else None
    _rebuild()


def _rebuild() -> None:
    global _literals  # noqa: PLW0603  one list a process
    found = {form: None for key in (*_keys, *_of_environment) for form in _forms(key)}
    _literals = tuple(sorted(found, key=len, reverse=True))


def _forms(key: str) -> tuple[str, ...]:
    """A key as it stands, in an address, in a page, in JSON or Python, and in JSON twice."""
    quoted = quote(key, safe=""), quote(key), quote_plus(key)
    inside = json.dumps(key)[1:-1], json.dumps(key, ensure_ascii=False)[1:-1]
    python = (repr(key)[1:-1], ascii(key)[1:-1], repr(key.encode("utf-8", "replace"))[2:-1])
    within = (*inside, *python, key.replace("'", "\\'"))
    return (
        key,
        *quoted,
        *(PERCENT.sub(lambda found: found[0].lower(), one) for one in quoted),
        *within,
        *(one.replace("/", "\\/") for one in within),
        *(one.replace("\\", "\\\\") for one in within),
        *(json.dumps(one)[1:-1] for one in within),
        *(one.replace("\\", "\\\\").replace("'", "\\'") for one in within),
        escape(key),
        escape(key, quote=False),
    )


def clean(text: str) -> str:
    """The text without secrets, and with half characters as escapes."""
    if "u00" in text and "\\" in text:
        text = _without_escapes(text)
    for one in _literals:
        if one in text:
            text = text.replace(one, MARK)
    if "=" in text or "@" in text:
        text = _clean_addresses(text)
    if not text.isascii() and HALF.search(text) is not None:
        text = HALF.sub(_escaped, text)
    if _compiled is not None or _patterns:
        text = _clean_patterns(text)
    return text


def _without_escapes(text: str) -> str:
    """The text with its escapes of ASCII as characters, if they spell a key; else as it is."""
    plain = ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    return plain if any(one in plain for one in _literals) else text


def _clean_addresses(text: str) -> str:
    if "@" in text and "://" in text:
        text = USER.sub(f"{MARK}@", text)
    if "=" in text and ("?" in text or "&" in text or ";" in text):
        text = GIVEN.sub(_marked, text)  # a template would import, which nothing can at the end
    return text


def _marked(found: re.Match[str]) -> str:
    return found[1] + MARK


def _clean_patterns(text: str) -> str:
    for one in (*_patterns, *((_compiled,) if _compiled is not None else ())):
        text = one.sub(MARK, text)
    return text


def _escaped(half: re.Match[str]) -> str:
    return f"\\u{ord(half[0]):04x}"


def in_clean_words(kind: type[T]) -> type[T]:
    """Have objects of a class show themselves without secrets; what they hold stays."""
    said = kind.__repr__

    def __repr__(self: T) -> str:  # noqa: N807  it takes the place of that of the class
        return clean(said(self))

    kind.__repr__ = __repr__
    return kind


def cut(text: str, length: int) -> str:
    """The beginning of a text, not so long that it ends within a key."""
    if len(text) <= length:
        return text
    for one in _literals:
        at = text.find(one, max(0, length - len(one) + 1), length + len(one) - 1)
        if 0 <= at < length:
            length = at
    return text[:length]


def holds_mark(value: object) -> bool:
    """Whether something was taken out of a value."""
    if isinstance(value, str):
        return MARK in value
    if is_mapping(value):
        return any(holds_mark(name) or holds_mark(one) for name, one in value.items())
    return is_sequence(value) and any(map(holds_mark, value))


class Held:
    """A text that comes in pieces: what may be the beginning of a secret waits for what follows."""

    __slots__ = ("_rest",)

    def __init__(self) -> None:
        self._rest = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not self._rest

    def take(self, piece: str) -> str:
        """The part that can be given on, cleaned."""
        text = self._rest + piece
        at = _open_from(text)
        self._rest = text[at:]
        return clean(text[:at])

    def end(self) -> str:
        """What has waited, cleaned: nothing follows."""
        text, self._rest = self._rest, ""
        return clean(text)


def _open_from(text: str) -> int:
    """From where on a text may still become a secret; its length where it cannot."""
    end = at = len(text)
    for key in _literals:
        at = min(at, _begun(text, key))
    for sign in ("://", "?", "&", ";"):
        at = min(at, _unended(text, sign))
    if text.endswith((":", ":/")):
        at = min(at, text.rindex(":"))
    if _patterns or _compiled is not None:
        at = min(at, text.rfind("\n") + 1)
    return at if end - at <= LONGEST_HELD else end


def _begun(text: str, key: str) -> int:
    """Where the beginning of a key stands at the end of a text."""
    end = len(text)
    at = text.find(key[0], max(0, end - len(key) + 1))
    while at >= 0:
        if key.startswith(text[at:]):
            return at
        at = text.find(key[0], at + 1)
    return end


def _unended(text: str, sign: str) -> int:
    """Where an address stands at the end of a text that is not over yet."""
    at = text.rfind(sign)
    if at < 0 or STOPS.search(text, at) is not None:
        return len(text)
    return at
