"""Which tool a text asks for: BM25 over the weighted words of what a tool says of itself."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nbagents.models.offline.language import (
    COMMON_NOUNS,
    GENERIC_VERBS,
    NEXT,
    STOP_WORDS,
    related,
    split_name,
    stem,
    stems,
)
from nbagents.models.offline.matching.effects import READS, Effect, effect_of, tool_verbs
from nbagents.models.offline.matching.parameters import Parameter, parameters_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nbagents.models.model import ToolSpec

_NAME, _TOOLSET, _DESCRIPTION, _PARAMETER, _PARAMETER_TEXT, _CHOICE = 3.0, 1.2, 1.2, 1.0, 0.35, 1.0
_K1, _B = 1.4, 0.4
_VERB_WEIGHT, _NOUN_WEIGHT, _SYNONYM = 0.4, 0.45, 0.55
_DESCRIPTION_STEMS_MAX = 60
_VERB_SHORTEST = 2
_PREFIX = 5
_OWNED = 2
"""A stem belongs to a tool that weighs it this much more than any other."""
_OPENING = re.compile(r"[A-Z]?[a-z]+")
_IDF_FLOOR = 0.35
_FREE_TEXT = 0.4
"""How much an unknown word counts against a tool that takes free text: it may be the text."""
_GENERIC = {stem(word) for word in GENERIC_VERBS}
_COMMON = {stem(word): _NOUN_WEIGHT for word in COMMON_NOUNS} | {
    stem(word): _VERB_WEIGHT for word in GENERIC_VERBS
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Entry:
    """One tool, read once."""

    spec: ToolSpec
    parameters: tuple[Parameter, ...]
    weights: dict[str, float]
    name_stems: frozenset[str]
    """Of the name without its toolset."""
    text_stems: frozenset[str]
    """Of the whole name and the description."""
    own_stems: frozenset[str]
    """These, and the names of parameters that take no text: none of them is a value."""
    takes_text: bool
    effect: Effect
    verbs: frozenset[str]
    """What may be its verb: the first words of its name and of its description."""
    verb_stems: frozenset[str]
    length: float

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.spec.name

    @property
    def required(self) -> tuple[Parameter, ...]:
        """The parameters that must be given, those aside that take an object."""
        return tuple(one for one in self.parameters if one.required and not one.handle)

    @property
    def handled(self) -> tuple[Parameter, ...]:
        """The parameters that take an object by its name."""
        return tuple(one for one in self.parameters if one.handle)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How well one tool fits a text."""

    entry: Entry
    value: float
    matched: tuple[str, ...]
    """The words that both have, the most telling first."""
    coverage: float
    """The part of the text's telling words that the tool knows, 0 to 1."""
    telling: bool
    """Whether more than everyday verbs is shared."""
    named: float
    """The part of the tool's name that the text says, 0 to 1."""


class Index:
    """The offered tools, ready to be ranked."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self.entries = _with_examples([_entry(spec) for spec in tools])
        self.verbs = frozenset(
            piece
            for entry in self.entries
            for piece in (*split_name(_own(entry.name))[:1], *_opening(entry.spec.description))
            if len(piece) > _VERB_SHORTEST and _may_be_verb(piece, entry)
        )
        self.words = frozenset(
            piece
            for entry in self.entries
            for piece in split_name(entry.name)
            if len(piece) > _VERB_SHORTEST
        )
        self.shapes = frozenset(
            shape for entry in self.entries for one in entry.parameters for shape in one.shapes
        )
        self._average = sum(one.length for one in self.entries) / max(len(self.entries), 1)
        self._frequency: dict[str, int] = defaultdict(int)
        for entry in self.entries:
            for one in entry.weights:
                self._frequency[one] += 1

    def owner(self, root: str) -> Entry | None:
        """The tool that a stem belongs to: one that says it, where no other does nearly as much."""
        weights = [entry.weights.get(root, 0.0) for entry in self.entries]
        first, second = (*sorted(weights, reverse=True), 0.0)[:2]
        if first < _DESCRIPTION or first < second * _OWNED or _COMMON.get(root, 1.0) < 1:
            return None
        return self.entries[weights.index(first)]

    def knows(self, root: str) -> bool:
        """Whether any tool has a stem in its text."""
        return root in self._frequency

    def rank(self, words: Iterable[str], *, ignore: frozenset[str] = frozenset()) -> list[Score]:
        """The tools by how well they fit the stems of a text, best first; ties in offered order.

        Args:
            words: Stems without function words.
            ignore: Stems that are somebody's values: they count where a tool knows them, and are
                not missed where it does not.
        """
        weights = {word: _COMMON.get(word, 1.0) for word in words}
        scores = [self._score(entry, weights, ignore) for entry in self.entries]
        return sorted(scores, key=lambda score: -score.value)

    def _score(self, entry: Entry, query: dict[str, float], ignore: frozenset[str]) -> Score:
        value, known, total = 0.0, 0.0, 0.0
        missed = _FREE_TEXT if entry.takes_text else 1.0
        matched: list[tuple[float, str]] = []
        for word, weight in query.items():
            found, share = _match(entry, word)
            if found is None:
                total += 0.0 if word in ignore else weight * missed
                continue
            total += weight
            gain = weight * share * self._idf(found) * self._saturated(entry, found)
            value += gain
            known += weight * share
            matched.append((gain, word))
        matched.sort(key=lambda pair: -pair[0])
        words = tuple(word for _, word in matched)
        said = sum(_COMMON.get(one, 1.0) for one in entry.name_stems if one in words)
        named = said / (sum(_COMMON.get(one, 1.0) for one in entry.name_stems) or 1.0)
        return Score(
            entry=entry,
            value=value * (1 + 0.25 * named),
            matched=words,
            coverage=known / total if total else 0.0,
            telling=any(_COMMON.get(word, 1.0) > _VERB_WEIGHT for word in words),
            named=named,
        )

    def _idf(self, word: str) -> float:
        """How much a word tells the offered tools apart, about 0.35 to 1.35."""
        count = len(self.entries)
        frequency = self._frequency[word]
        top = math.log(1 + (count + 0.5) / 0.5)
        return _IDF_FLOOR + math.log(1 + (count - frequency + 0.5) / (frequency + 0.5)) / top

    def _saturated(self, entry: Entry, word: str) -> float:
        weight = entry.weights[word]
        room = _K1 * (1 - _B + _B * entry.length / (self._average or 1))
        return weight * (_K1 + 1) / (weight + room)


def _match(entry: Entry, word: str) -> tuple[str | None, float]:
    """The tool's own form of a word: the word, or a synonym at a discount."""
    if word in entry.weights:
        return word, 1.0
    if len(word) >= _PREFIX:
        longer = [one for one in entry.weights if one.startswith(word)]
        if longer:
            return max(longer, key=lambda other: (entry.weights[other], other)), _SYNONYM
    known = [other for other in related(word) if other in entry.weights]
    best = max(known, key=lambda other: (entry.weights[other], other), default=None)
    return best, _SYNONYM


def _may_be_verb(word: str, entry: Entry) -> bool:
    """Whether a tool's first word may open a wish: that of one that reads is mostly a noun."""
    named = entry.effect != "none" or not entry.spec.description or word in READS
    return named and word not in STOP_WORDS


def _own(name: str) -> str:
    """A tool's name without its toolset."""
    return name.rpartition("--")[2].rpartition(".")[2]


def _opening(description: str) -> tuple[str, ...]:
    """The first word of a description, which mostly is its verb; `finds` is also `find`."""
    match = _OPENING.match(description)
    if match is None:
        return ()
    word = match.group().lower()
    return (word, word.removesuffix("s"))


def _entry(spec: ToolSpec) -> Entry:
    toolset, _, own = spec.name.rpartition("--")
    weights: dict[str, float] = defaultdict(float)
    room, _, last = own.rpartition(".")
    _add(weights, stems(last), _NAME)
    _add(weights, {*stems(toolset), *stems(room)} - {*stems(last)}, _TOOLSET)
    _add(weights, stems(spec.description)[:_DESCRIPTION_STEMS_MAX], _DESCRIPTION)
    if NEXT in split_name(last):
        weights[NEXT] += _NAME
    if NEXT in spec.description.lower().split():
        weights[NEXT] += _DESCRIPTION
    length = sum(weights.values())
    parameters = tuple(
        replace(one, handle=spec.handles.get(one.name, ""))
        for one in parameters_of(spec.parameters)
    )
    for parameter in parameters:
        _add(weights, parameter.name_stems, _PARAMETER)
        _add(weights, parameter.text_stems - _GENERIC, _PARAMETER_TEXT)
        for choice in parameter.choices:
            _add(weights, stems(str(choice)), _CHOICE)
    text_stems = frozenset((*stems(spec.name), *stems(spec.description)))
    switches = [one.name_stems for one in parameters if not one.takes("string", "array")]
    return Entry(
        spec=spec,
        parameters=parameters,
        weights=dict(weights),
        name_stems=frozenset(stems(own)),
        text_stems=text_stems,
        own_stems=text_stems.union(*switches),
        takes_text=any(one.required and "text" in one.roles for one in parameters),
        effect=effect_of(spec, numeric=_is_numeric(parameters)),
        verbs=(verbs := tool_verbs(spec)),
        verb_stems=frozenset(stem(one) for one in verbs),
        length=length,
    )


def _is_numeric(parameters: Sequence[Parameter]) -> bool:
    """Whether a tool takes nothing but numbers."""
    return bool(parameters) and all(
        one.is_numeric or (one.items is not None and one.items.is_numeric) for one in parameters
    )


def _with_examples(entries: list[Entry]) -> tuple[Entry, ...]:
    """Each parameter that has examples with those of all the others: they name the same things."""
    parameters = [parameter for entry in entries for parameter in entry.parameters]
    examples = tuple(dict.fromkeys(one for parameter in parameters for one in parameter.examples))
    if not examples:
        return tuple(entries)
    return tuple(
        replace(
            entry,
            parameters=tuple(
                replace(one, examples=examples) if one.examples else one for one in entry.parameters
            ),
        )
        for entry in entries
    )


def _add(weights: dict[str, float], found: Iterable[str], weight: float) -> None:
    for one in set(found):
        weights[one] += weight
