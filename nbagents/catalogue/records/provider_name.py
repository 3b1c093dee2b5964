"""The names that models call APIs by: unique, valid, and the same from run to run."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final, Generic, TypeAlias, TypeVar

from nbagents.tools.tool import FINDERS

MAX_LENGTH: Final = 64
TOOL_LENGTH: Final = 28
"""How much of a name the tool's takes."""
DIGITS: Final = 8
LENGTHS: Final = (DIGITS, 16, 32, 48)
"""How many digits a hash has: more, should a name with fewer be another's."""

VALID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
OTHERS: Final = re.compile(r"[^a-z0-9]+")

Key: TypeAlias = tuple[str, str, str]
Identity: TypeAlias = tuple[str, ...]
T = TypeVar("T")


def is_valid(name: object) -> bool:
    """Whether models take a name. Source: OpenAI API reference, function name."""
    return isinstance(name, str) and VALID.fullmatch(name) is not None


def wanted_name(given: object, key: Key) -> str:
    """The name that a record has where no other wants it: its own, else `tool__api`.

    The tools by which others are found keep their names for themselves.
    """
    if isinstance(given, str) and is_valid(given) and given not in FINDERS:
        return given
    _, tool, api = key
    if given and isinstance(given, str):
        api = given
    prefix = _plain(tool)[:TOOL_LENGTH].strip("_")
    base = _plain(api)
    whole = f"{prefix}__{base}" if prefix and base else prefix or base or "api"
    return f"api__{whole}" if whole in FINDERS else whole[:MAX_LENGTH].strip("_")


def _plain(text: str) -> str:
    # Letters with marks become plain ones; what has no plain form becomes a border.
    decomposed = unicodedata.normalize("NFKD", text)
    kept = "".join(one for one in decomposed if not unicodedata.combining(one))
    return OTHERS.sub("_", kept.lower()).strip("_")


def hashed_name(wanted: str, identity: Identity, digits: int = DIGITS) -> str:
    """The name of one of several records that want the same: with a hash of what it is."""
    whole = "\x00".join(identity).encode(errors="surrogatepass")
    suffix = "_" + hashlib.sha256(whole).hexdigest()[:digits]
    return wanted[: MAX_LENGTH - len(suffix)] + suffix


class NameBook(Generic[T]):
    """Who is called how. Names follow from who is in it, not from the order of coming and going.

    Who alone wants a name has it; of several who want the same, each gets a hash beside it, so
    that no name silently comes to mean another API.
    """

    def __init__(self) -> None:
        self.holders: dict[str, T] = {}
        """Who has a name."""
        self._wanting: dict[str, dict[Identity, T]] = {}
        self._names: dict[Identity, str] = {}
        self._hashed: dict[str, str] = {}
        """What those wanted whose names have a hash."""
        self._shunned: dict[str, set[str]] = {}
        """Who would have a hash of fewer digits, were it not another's name."""

    def enter(self, wanted: str, identity: Identity, holder: T) -> None:
        """Somebody comes who would like a name; others may be called differently from then on."""
        self._wanting.setdefault(wanted, {})[identity] = holder
        if wanted in self._hashed:
            self._settle(self._hashed[wanted])
        self._settle(wanted)

    def leave(self, wanted: str, identity: Identity) -> None:
        """Somebody goes."""
        del self._wanting[wanted][identity]
        self._take(identity)
        if self._wanting[wanted]:
            self._settle(wanted)
            return
        del self._wanting[wanted]
        for other in self._shunned.pop(wanted, ()):
            if other in self._wanting:
                self._settle(other)

    def name_of(self, identity: Identity) -> str:
        """How somebody is called."""
        return self._names[identity]

    def _settle(self, wanted: str) -> None:
        group = self._wanting[wanted]
        for identity in group:
            self._take(identity)
        for identity, holder in group.items():
            name = wanted if len(group) == 1 else self._free(wanted, identity)
            self._names[identity] = name
            self.holders[name] = holder

    def _take(self, identity: Identity) -> None:
        name = self._names.pop(identity, None)
        if name is not None:
            del self.holders[name]
            self._hashed.pop(name, None)

    def _free(self, wanted: str, identity: Identity) -> str:
        name = wanted
        for digits in LENGTHS:
            name = hashed_name(wanted, identity, digits)
            if name in self._wanting:
                self._shunned.setdefault(name, set()).add(wanted)
            elif name not in self.holders:
                break
        self._hashed[name] = wanted
        return name
