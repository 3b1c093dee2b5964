"""What the offline model is compared with: BM25 picks the tools, regexes by type fill them.

Its three thresholds are the best for it on the rows that it is measured on.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from benchmarks.bfcl_rows import Call
    from nbagents.models.model import ToolSpec

__all__ = ["baseline_calls"]

_K1, _B = 1.2, 0.75
_CALL_MIN = 0.05
"""The share of the prompt's words that a tool must have to be called."""
_PIECE_MIN = 0.3
"""A sentence calls a further tool where it scores this share of the best sentence's score."""
_CALLS_MAX = 8
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "from",
        "by",
        "with",
        "and",
        "or",
        "is",
        "are",
        "was",
        "be",
        "can",
        "could",
        "would",
        "you",
        "i",
        "me",
        "my",
        "we",
        "it",
        "its",
        "this",
        "that",
        "what",
        "which",
        "who",
        "how",
        "do",
        "does",
        "please",
        "need",
        "want",
        "like",
        "about",
        "as",
        "if",
        "s",
        "t",
        "us",
        "our",
        "give",
        "find",
        "get",
        "tell",
        "show",
        "use",
        "using",
        "also",
        "then",
    ]
)
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_SENTENCE = re.compile(r"(?<=[.?!;])\s+|,?\s+(?:and|then|also)\s+(?=[a-z]+\b)|\n+")
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.])-?\d+(?:\.\d+)?")
_QUOTED = re.compile(r"(?<!\w)['\"“‘]([^'\"”’]+)['\"”’](?!\w)")
_NAME = re.compile(r"(?<![.?!]\s)(?<!^)\b[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*")
_SERIES = re.compile(
    rf"{_NAME.pattern}(?:,\s+(?:and\s+)?{_NAME.pattern})*,?\s+and\s+{_NAME.pattern}"
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_EMAIL_OR_URL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://[^\s'\"<>]+")
_YES = re.compile(r"\b(?:yes|true|with|include|including)\b", re.IGNORECASE)


@lru_cache(maxsize=8192)
def _tokens(text: str) -> tuple[str, ...]:
    words = (one.lower() for one in _PIECE.findall(text))
    return tuple(_stem(one) for one in words if one not in _STOP)


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ating", "ings", "ing", "ies", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _document(tool: ToolSpec) -> tuple[str, ...]:
    said = [tool.name, tool.description]
    for name, schema in _properties(tool).items():
        said += [name, str(schema.get("description", ""))]
    return _tokens(" ".join(said))


def _properties(tool: ToolSpec) -> dict[str, Mapping[str, JsonValue]]:
    properties = tool.parameters.get("properties")
    found = cast("Mapping[str, Mapping[str, JsonValue]]", properties or {})
    return dict(found)


class _Bm25:
    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._documents = [Counter(_document(one)) for one in tools]
        self._average = sum(one.total() for one in self._documents) / max(len(tools), 1) or 1.0
        self._frequency = Counter(word for one in self._documents for word in one)

    def scores(self, words: Sequence[str]) -> list[float]:
        return [self._score(one, words) for one in self._documents]

    def share(self, at: int, words: Sequence[str]) -> float:
        """The share of some words that a tool has."""
        return sum(one in self._documents[at] for one in words) / max(len(words), 1)

    def _score(self, document: Counter[str], words: Sequence[str]) -> float:
        count, total = len(self._documents), 0.0
        for word in words:
            frequency = self._frequency[word]
            idf = math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))
            room = _K1 * (1 - _B + _B * document.total() / self._average)
            total += idf * document[word] * (_K1 + 1) / (document[word] + room)
        return total


def baseline_calls(text: str, tools: Sequence[ToolSpec]) -> list[Call]:
    """The calls for a prompt: for each of its pieces the best tool, filled from the pieces."""
    index = _Bm25(tools)
    words = _tokens(text)
    whole = index.scores(words)
    best = max(range(len(tools)), key=lambda at: whole[at], default=None)
    if best is None or index.share(best, words) < _CALL_MIN:
        return []
    chosen = _chosen(index, text) or {best: text}
    if len(chosen) == 1:
        chosen = dict.fromkeys(chosen if len(tools) == 1 else [best], text)
    return [call for at, said in chosen.items() for call in _calls(tools[at], said)]


def _chosen(index: _Bm25, text: str) -> dict[int, str]:
    """Which tools the pieces of a text ask for, and with which of its words."""
    pieces = [one for one in _SENTENCE.split(text) if _tokens(one)]
    scored = [index.scores(_tokens(one)) for one in pieces]
    top = max((max(one) for one in scored), default=0.0)
    chosen: dict[int, str] = {}
    last: int | None = None
    for piece, scores in zip(pieces, scored, strict=True):
        if max(scores) >= top * _PIECE_MIN and max(scores) > 0:
            last = scores.index(max(scores))
        if last is not None:
            chosen[last] = f"{chosen.get(last, '')} {piece}".strip()
    return chosen


def _calls(tool: ToolSpec, text: str) -> list[Call]:
    """One call, or as many as the text has values for each required parameter."""
    found = _Found.of(text)
    required = cast("list[str]", tool.parameters.get("required") or [])
    wanted = {name: schema for name, schema in _properties(tool).items() if name in required}
    numeric = sum(one.get("type") in {"integer", "number"} for one in wanted.values())
    textual = sum(one.get("type") == "string" and "enum" not in one for one in wanted.values())
    given = [(len(found.numbers), numeric), (len(found.series), textual)]
    times = {len_ / count for len_, count in given if count}
    whole = len(times) == 1 and next(iter(times)).is_integer()
    lists = any(one.get("type") == "array" for one in wanted.values())
    several = min(int(next(iter(times))), _CALLS_MAX) if whole and not lists else 1
    calls = [(tool.name, _arguments(tool, found)) for _ in range(max(several, 1))]
    complete = all(set(required) <= set(arguments) for _, arguments in calls)
    return calls if complete else [(tool.name, _arguments(tool, _Found.of(text)))]


@dataclass
class _Found:
    """What a text has of each type, in order; what was taken is gone."""

    text: str
    numbers: list[float]
    texts: list[str]
    series: list[str]
    """The texts, where quotes or `A, B and C` say that they stand beside each other."""
    dates: list[str]
    links: list[str]

    @classmethod
    def of(cls, text: str) -> _Found:
        bare = _DATE.sub(" ", text)
        quoted = [match[1] for match in _QUOTED.finditer(text)]
        series = _SERIES.search(bare)
        return cls(
            text=text,
            numbers=[_plain(one) for one in _NUMBER.findall(bare)],
            texts=quoted or _NAME.findall(bare),
            series=quoted or (_NAME.findall(series.group()) if series else []),
            dates=_DATE.findall(text),
            links=_EMAIL_OR_URL.findall(text),
        )


def _plain(digits: str) -> float:
    value = float(digits.replace(",", ""))
    return int(value) if value.is_integer() else value


def _arguments(tool: ToolSpec, found: _Found) -> dict[str, JsonValue]:
    required = cast("list[str]", tool.parameters.get("required") or [])
    arguments: dict[str, JsonValue] = {}
    for name, schema in _properties(tool).items():
        value = _value(name, schema, found, required=name in required)
        if value is not None:
            arguments[name] = value
    return arguments


def _value(
    name: str, schema: Mapping[str, JsonValue], found: _Found, *, required: bool
) -> JsonValue:
    """What fits the type; an optional parameter takes only a choice or a switch that is named."""
    choices = schema.get("enum")
    if isinstance(choices, list):
        named = [one for one in choices if _is_named(str(one), found.text)]
        return named[0] if named else schema.get("default") if required else None
    if schema.get("type") == "boolean":
        said = any(word in _tokens(found.text) for word in _tokens(name))
        return True if said else bool(schema.get("default")) if required else None
    if not required:
        return None
    value = _typed(name, schema, found)
    return schema.get("default") if value is None else value


def _typed(name: str, schema: Mapping[str, JsonValue], found: _Found) -> JsonValue:
    match schema.get("type"):
        case "integer" | "number":
            return found.numbers.pop(0) if found.numbers else None
        case "array":
            return _list(schema, found)
        case "object":
            return None
        case _ if "date" in name.lower() and found.dates:
            return found.dates.pop(0)
        case _ if found.links and re.search(r"mail|url|link", name.lower()):
            return found.links.pop(0)
        case _:
            return found.texts.pop(0) if found.texts else None


def _list(schema: Mapping[str, JsonValue], found: _Found) -> JsonValue:
    items = schema.get("items")
    kind = items.get("type") if isinstance(items, Mapping) else None
    values: list[JsonValue] = [*(found.numbers if kind in {"integer", "number"} else found.texts)]
    return values or None


def _is_named(choice: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(choice)}(?!\w)", text, re.IGNORECASE) is not None
