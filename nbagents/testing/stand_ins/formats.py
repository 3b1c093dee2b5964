"""Texts of the formats that schemas name."""

from __future__ import annotations

import base64
import uuid
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.testing.stand_ins.choices import Choices

FIRST_DAY: Final = date(1970, 1, 1)
DAYS: Final = 60_000
WORDS: Final = ("a", "zero", "Ab1", "x-9", "long-name-of-something")


def _day(choices: Choices) -> date:
    return FIRST_DAY + timedelta(days=choices.below(DAYS))


def _time(choices: Choices) -> time:
    return time(choices.below(24), choices.below(60), choices.below(60), tzinfo=UTC)


def _moment(choices: Choices) -> str:
    return datetime.combine(_day(choices), _time(choices)).isoformat()


def _duration(choices: Choices) -> str:
    return f"P{choices.below(400)}DT{choices.below(24)}H{choices.below(60)}M{choices.below(60)}S"


def _uuid(choices: Choices) -> str:
    return str(uuid.UUID(int=choices.below(2**64), version=4))


def _word(choices: Choices) -> str:
    return WORDS[choices.below(len(WORDS))]


def _address(choices: Choices) -> str:
    return f"https://example.org/{_word(choices)}?n={choices.below(100)}"


def _ipv4(choices: Choices) -> str:
    return ".".join(str(choices.below(256)) for _ in range(4))


def _ipv6(choices: Choices) -> str:
    return ":".join(f"{choices.below(65536):x}" for _ in range(8))


FORMATS: Final[Mapping[str, Callable[[Choices], str]]] = {
    "base64": lambda choices: base64.b64encode(_word(choices).encode()).decode(),
    "base64url": lambda choices: base64.urlsafe_b64encode(_word(choices).encode()).decode(),
    "byte": lambda choices: base64.b64encode(_word(choices).encode()).decode(),
    "date": lambda choices: _day(choices).isoformat(),
    "date-time": _moment,
    "duration": _duration,
    "email": lambda choices: f"{_word(choices)}@example.org",
    "hostname": lambda choices: f"{_word(choices)}.example.org",
    "idn-email": lambda choices: f"{_word(choices)}@example.org",
    "ipv4": _ipv4,
    "ipv4interface": lambda choices: f"{_ipv4(choices)}/{choices.below(33)}",
    "ipv4network": lambda choices: f"{_ipv4(choices)}/32",
    "ipv6": _ipv6,
    "ipv6interface": lambda choices: f"{_ipv6(choices)}/{choices.below(129)}",
    "ipv6network": lambda choices: f"{_ipv6(choices)}/128",
    "ipvanyaddress": _ipv4,
    "ipvanyinterface": _ipv4,
    "ipvanynetwork": _ipv4,
    "json-pointer": lambda choices: f"/{_word(choices)}",
    "json-string": lambda choices: f'{{"{_word(choices)}": {choices.below(10)}}}',
    "regex": lambda choices: f"^{_word(choices)}$",
    "time": lambda choices: _time(choices).isoformat(),
    "uri": _address,
    "url": _address,
    "uri-reference": lambda choices: f"/{_word(choices)}",
    "uuid": _uuid,
    "uuid4": _uuid,
}
