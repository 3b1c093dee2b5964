"""Evidence: values in earlier results, found by name, type and limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.models.offline.language import abbreviates, plain_number, split_name, stem
from nbagents.models.offline.matching import UNSET, fits, shape_of
from nbagents.models.offline.planning.conversation import parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pydantic import JsonValue

    from nbagents.models.offline.matching import MaybeValue, Parameter
    from nbagents.models.offline.planning.conversation import Made

_SHAPES = {
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "url": re.compile(r"(?:https?|ftp)://\S+"),
}

KEY_MIN = 0.6
"""How much of a key and a parameter's name must agree."""

_DEPTH_MAX = 6
_FACTS_MAX = 400
_PLAIN_MAX = 60
_NAMED_ALIKE = 0.7
_SENTENCE = re.compile(r"[.!?](?:\s|$)|[:=]\s")
_PAIR = re.compile(
    r"(?P<key>[A-Za-z][\w-]*(?: [A-Za-z][\w-]*)?)\s*(?:=|:|\bis\b|\bof\b|\bat\b|\s)\s*[$€£]?"
    r"(?P<number>[-−]?\d+(?:,\d{3})*(?:\.\d+)?)(?![\w]|[-/:.]\d)",
)
_TEXT_PAIR = re.compile(r"(?P<key>\b[A-Za-z][\w-]*)\s*[:=]\s*(?P<value>[^\s,;]+(?: [^\s,;:=]+)*)")
_LONE_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|\.\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One value of a result, and the keys that lead to it."""

    path: tuple[str, ...]
    value: JsonValue
    call: Made

    @property
    def key(self) -> str:
        """The last key, or nothing for a bare value."""
        return self.path[-1] if self.path else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A value for a parameter and the fact that it is from."""

    value: JsonValue
    fact: Fact
    score: float


def facts_of(call: Made) -> list[Fact]:
    """What a result says: the leaves of JSON, and `key: value` pairs or a lone number in text."""
    value = parsed(call.content)
    if isinstance(value, str):
        pairs = [*_text_pairs(value), *([((), value.strip())] if _is_plain(value) else [])]
        return [Fact(path=path, value=leaf, call=call) for path, leaf in pairs]
    leaves = _leaves(value, (), 0)
    return [Fact(path=path, value=leaf, call=call) for path, leaf in leaves][:_FACTS_MAX]


def _is_plain(text: str) -> bool:
    """Whether a text is a value by itself, and no sentence."""
    return 0 < len(text.strip()) <= _PLAIN_MAX and "\n" not in text and not _SENTENCE.search(text)


def rows_of(call: Made) -> list[JsonValue]:
    """The items of a result that is a list, or that holds exactly one list."""
    value = parsed(call.content)
    if isinstance(value, Mapping):
        lists = [one for one in value.values() if isinstance(one, list)]
        value = lists[0] if len(lists) == 1 else None
    return list(value) if isinstance(value, list) else []


def look_up(parameter: Parameter, calls: Sequence[Made], *, loosely: bool = False) -> Found | None:
    """The best value for a parameter in the results, the newest first.

    Args:
        parameter: What is missing.
        calls: Ended calls, oldest first.
        loosely: Whether a value without a fitting key will do, if only one has the right type.
    """
    best: Found | None = None
    for call in reversed(calls):
        for fact in facts_of(call):
            score = _agreement(parameter, fact)
            value = _as_value(parameter, fact.value) if score >= KEY_MIN else UNSET
            if value is not UNSET and (best is None or score > best.score):
                best = Found(value=value, fact=fact, score=score)
        if best is not None and best.score >= 0.8:  # sure enough not to look further back
            return best
    if best is None and loosely:
        found = (_only_one(parameter, call) for call in reversed(calls))
        return next((one for one in found if one is not None), None)
    return best


def _only_one(parameter: Parameter, call: Made) -> Found | None:
    if "text" in parameter.roles and parameter.takes("string"):
        fact = Fact(path=(), value=call.content, call=call)
        return Found(value=call.content, fact=fact, score=KEY_MIN)
    alike = [one for one in facts_of(call) if _is_alike(parameter, one.value)]
    value = _as_value(parameter, alike[0].value) if len(alike) == 1 else UNSET
    if value is UNSET:
        return None
    return Found(value=value, fact=alike[0], score=KEY_MIN)


def _is_alike(parameter: Parameter, value: JsonValue) -> bool:
    """Whether a value has the parameter's type, limits aside."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return parameter.takes("integer", "number")
    return _as_value(parameter, value) is not UNSET


def _as_value(parameter: Parameter, value: JsonValue) -> MaybeValue:
    if isinstance(value, list):
        items = parameter.items
        good = items is None or not items.types or all(fits(items, one) for one in value)
        return value if parameter.only("array") and good else UNSET
    if (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and not fits(parameter, value)
    ):
        value = str(value) if "id" in parameter.roles else value
    return value if value is not None and fits(parameter, value) else UNSET


def _agreement(parameter: Parameter, fact: Fact) -> float:
    """How much a fact's keys and a parameter's name agree, 0 to 1."""
    if not fact.path:
        return _looks_alike(parameter, fact)
    if fact.key.lower() == parameter.name.lower():
        return 1.0
    own = parameter.name_stems or frozenset({parameter.name.lower()})
    last = frozenset(stem(word) for word in split_name(fact.key))
    whole = {stem(word) for key in (*fact.path, fact.call.name) for word in split_name(key)}
    degrees = (
        (0.95, last == own),
        (0.9, bool(last & own) and own <= whole),
        (0.8, all(any(abbreviates(one, other) for other in last) for one in own)),
        (0.75, _has_shape(parameter, fact.value)),
        (0.7, last <= parameter.text_stems | own and not last.isdisjoint(own)),
        (KEY_MIN, parameter.is_numeric and _is_described(parameter, last)),
    )
    return next((degree for degree, holds in degrees if holds), 0.0)


def _looks_alike(parameter: Parameter, fact: Fact) -> float:
    """Whether a bare value looks as the parameter's examples do, with digits or marks."""
    made = {stem(word) for word in split_name(fact.call.name)}
    if parameter.name_stems and len(parameter.name_stems & made) * 2 > len(parameter.name_stems):
        return _NAMED_ALIKE
    shape = shape_of(str(fact.value))
    return KEY_MIN if shape in parameter.shapes and not shape.isalpha() else 0.0


def _has_shape(parameter: Parameter, value: JsonValue) -> bool:
    """Whether a text looks like what the parameter is for: an e-mail address, a web address."""
    return isinstance(value, str) and any(
        role in parameter.roles and shape.fullmatch(value) for role, shape in _SHAPES.items()
    )


def _is_described(parameter: Parameter, key: frozenset[str]) -> bool:
    """Whether the parameter's description has a key of one word, or what it is short for."""
    return len(key) == 1 and any(
        abbreviates(one, other) for one in key for other in parameter.text_stems
    )


def _leaves(
    value: JsonValue, path: tuple[str, ...], depth: int
) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    if depth > _DEPTH_MAX:
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, str(key)), depth + 1)
    elif isinstance(value, list):
        yield path, value
        for inner in value:
            yield from _leaves(inner, path, depth + 1)
    else:
        yield path, value


def _text_pairs(text: str) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    taken: list[int] = []
    for match in _PAIR.finditer(text):
        taken.append(match.start("number"))
        words = match["key"].split()
        number = plain_number(match["number"])
        yield (words[-1],), number
        if len(words) > 1:
            yield ("_".join(words),), number
    lone = list(_LONE_NUMBER.finditer(text))
    if len(lone) == 1 and lone[0].start() not in taken:
        yield (), plain_number(lone[0].group())
    for match in _TEXT_PAIR.finditer(text):
        value = match["value"].strip(".")
        if not _LONE_NUMBER.fullmatch(value):
            yield (match["key"],), value
