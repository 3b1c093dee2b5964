"""How well a mention fits a parameter: its kind, the words around it, its preposition."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nbagents.models.offline.language import (
    abbreviates,
    dimension_of,
    measures,
    split_name,
    stem,
    stems,
    unit_names,
    word_set,
)
from nbagents.models.offline.matching.parameters import UNSET, shape_of
from nbagents.models.offline.matching.values import as_example, value_of

if TYPE_CHECKING:
    from nbagents.models.offline.language import Mention, Reading
    from nbagents.models.offline.matching.parameters import Parameter
    from nbagents.models.offline.matching.ranking import Entry

REQUIRED_MIN = 0.2
"""A required parameter takes a mention that fits at least this well."""

_DECAY = (1.0, 0.85, 0.7, 0.5, 0.35, 0.25)
_TEXT_SHARE = 0.4
_PHRASE_SHARE = 0.6
_SAID_INSIDE = 0.5
_EXEMPLARY, _KNOWN = 0.3, 0.6
"""How much a name suits a parameter whose description gives names as examples."""
_LIKE_EXAMPLE, _LIKE_NAME = 0.5, 0.2
"""How much it tells that a value looks as the examples do, by digits and marks, or by its case."""
_YEARS = range(1000, 2200)
_UNLIKE_EXAMPLES = 0.4
"""What is left of plain words where the examples are names."""
_OPENING_SHARE = 0.7
"""What is left of a name that has its capital letter from opening a sentence, maybe."""
_GRAMMAR_SHARE = 0.5
"""How much a function word in a parameter's name tells: the `by` of `written_by`."""
_KIND_MIN = 0.1
_CUE_MIN = 0.45
_CUES = {"phrase": 0.7, "code": 0.34}
_DIRECTED = 0.5
_OWN_KIND = 0.9
"""A kind that fits this well needs no word that points at the parameter."""
_TOOL_WORD = 0.25
_PLACING = word_set("in at near from for with on by around within")
_AROUND = word_set("in at near around")
_NOUNS = frozenset({"name", "phrase", "quoted"})
_CONJUNCTIONS = frozenset({"and", "or", "then", "but"})
_ROLE_KINDS = {
    "quoted": {"text": 1.0, "name": 1.0, "": 0.8, "date": 0.6, "unit": 0.4},
    "name": {"": 0.55, "name": 0.7, "text": 0.5, "date": 0.02, "time": 0.02, "url": 0.05,
             "email": 0.05, "path": 0.15, "unit": 0.4, "id": 0.35, "year": 0.02},
    "date": {"date": 0.95, "time": 0.6, "year": 0.9, "": 0.03, "text": 0.03, "id": 0.0,
             "name": 0.0},
    "time": {"time": 0.95, "date": 0.35, "": 0.03, "text": 0.03, "id": 0.0, "name": 0.0},
    "email": {"email": 1.0, "address": 0.95, "to": 0.9, "from": 0.7, "id": 0.3, "": 0.15,
              "text": 0.1},
    "url": {"url": 1.0, "address": 0.6, "path": 0.3, "": 0.2},
    "path": {"path": 1.0, "url": 0.4, "": 0.35, "text": 0.2, "name": 0.5},
    "code": {"id": 0.9, "name": 0.5, "": 0.4, "text": 0.25, "date": 0.0, "time": 0.0, "email": 0.0},
    "unit": {"unit": 0.65, "from": 0.35, "to": 0.3, "": 0.06},
    "phrase": {"": 0.22, "unit": 0.4, "from": 0.25, "to": 0.25, "id": 0.03, "date": 0.05,
               "time": 0.03, "email": 0.0, "url": 0.0, "path": 0.05, "year": 0.0, "text": 0.05},
    "period": {"": 0.02, "date": 0.5, "time": 0.5, "year": 0.0},
    "list": {"": 0.9},
    "choice": {"": 0.75},
}  # fmt: skip
_DIRECTIONS = {
    "from": {"from": 0.6, "between": 0.4, "to": -0.3, "into": -0.3},
    "to": {"to": 0.6, "into": 0.6, "from": -0.3, "in": 0.3, "and": 0.1},
    "by": {"by": 0.5},
    "with": {"with": 0.5},
    "name": {"named": 0.5, "called": 0.5, "titled": 0.5},
    "date": {"on": 0.1},
    "time": {"at": 0.1},
    "text": {"about": 0.3, "for": 0.1},
}
_EXPLICIT = re.compile(r"\s*(?:=|:|\bis\b|\bto\b|\bof\b|\bas\b|\bequals?\b|\bat\b)*\s*[$€£]?$")
_LEADING = frozenset({"to", "from", "into", "onto", "off", "on", "in", "over", "by"})
_NEW = frozenset({"new", "target", "destination"})
_FOR = frozenset({"for", "about", "with", "to", "from"})
_QUANTITY = re.compile(r"(?<![\w-])\d[\d.,]*\s?$")
_NUMBER_AS_TEXT = 0.12
_COUNTED_IN = re.compile(r"\bin ([a-z]{3,})\b(?! per\b)")


def fit(parameter: Parameter, mention: Mention, reading: Reading, entry: Entry) -> float:
    """How well the mention fits, 0 (not at all) to about 2.5.

    An optional parameter must be pointed at by a word, a preposition or a kind of its own; a
    required one takes the best there is.
    """
    if value_of(parameter, mention) is UNSET or _is_of_another_kind(parameter, mention):
        return 0.0
    kind = _kind_score(parameter, mention)
    if kind < _KIND_MIN:
        return 0.0
    score = _weighed(kind, parameter, mention, reading, entry)
    near = _near(parameter, mention, reading)
    direction = _direction(parameter, mention, reading)
    direction += _named_direction(parameter, mention, reading, entry)
    inner = _inner(parameter, mention)
    if not parameter.required:
        if mention.kind == "name" and is_tool_word(mention, entry):
            return 0.0
        counted = _is_day(parameter, mention) or (
            parameter.counts
            and mention.kind == "number"
            and not mention.percent
            and dimension_of(mention.unit) is None
        )
        special = score >= _OWN_KIND and mention.kind not in {"quoted", "code", "list"}
        cue = _CUES.get(mention.kind, _CUE_MIN)
        alike = _alike(parameter, mention) >= _LIKE_EXAMPLE
        pointed = near >= cue or inner >= _SAID_INSIDE or direction >= _DIRECTED or alike
        if not (pointed or special or counted or mention.kind == "choice"):
            return 0.0
    if mention.kind == "number" and not _takes_number(parameter) and near < _CUE_MIN:
        score = score if parameter.roles & {"id", "year"} else 0.0
    total = score + near + direction + inner + (_alike(parameter, mention) if score else 0.0)
    return total + 0.2 if parameter.required and score and total > REQUIRED_MIN else max(total, 0.0)


def _weighed(
    score: float, parameter: Parameter, mention: Mention, reading: Reading, entry: Entry
) -> float:
    """The score of a kind, less where the mention may be no value at all."""
    if mention.kind in {"name", "phrase", "unit"} and is_tool_word(mention, entry):
        score *= _TOOL_WORD
    if mention.kind == "name" and "unit" not in parameter.roles and _is_unit(mention, reading):
        score *= _TOOL_WORD
    if mention.kind == "name" and " " not in mention.text and reading.opens(mention):
        score *= _OPENING_SHARE
    if mention.kind == "phrase" and parameter.examples:
        score *= _UNLIKE_EXAMPLES
    if mention.kind == "date" and mention.text[:1].isalpha() and mention.value == mention.text:
        score -= 0.05  # a weekday gives way to a date
    return score


def _is_day(parameter: Parameter, mention: Mention) -> bool:
    """Whether an ordinal number is the day of a month: `on the 15th`."""
    ordinal = mention.kind == "number" and mention.text[-2:].lower() in {"st", "nd", "rd", "th"}
    return ordinal and "day" in parameter.name_words


def _is_of_another_kind(parameter: Parameter, mention: Mention) -> bool:
    """Whether a quantity measures something else: `45 minutes` is no weight, `3 m` no count."""
    if mention.kind != "number":
        return False
    if mention.percent:
        return parameter.measure is not None
    measured = dimension_of(mention.unit) if mention.unit else None
    if measured is None:
        return bool(mention.unit) and "day" in parameter.name_words
    if parameter.measure is None:
        return parameter.counts and unit_names(mention.unit).isdisjoint(
            (*parameter.name_words, *parameter.text_words)
        )
    return measured != parameter.measure


def _alike(parameter: Parameter, mention: Mention) -> float:
    """Whether a text looks like the examples of a parameter, and how much that tells."""
    if not parameter.shapes or mention.kind in {"number", "list", "choice", "period"}:
        return 0.0
    shape = shape_of(str(mention.value))
    if shape in parameter.shapes:
        return _LIKE_EXAMPLE if not shape.isalpha() else _LIKE_NAME if shape.isupper() else 0.0
    coded = all("0" in one for one in parameter.shapes)
    return -_LIKE_EXAMPLE if coded and "0" not in shape else 0.0


def _takes_number(parameter: Parameter) -> bool:
    return not parameter.takes("string") or parameter.takes("integer", "number")


def _inner(parameter: Parameter, mention: Mention) -> float:
    """Whether a value says itself what it is: `Orange County` for a county."""
    if mention.kind not in _NOUNS:
        return 0.0
    own = stems(mention.text)
    said = len(own) > 1 and not parameter.name_stems.isdisjoint(own)
    known = as_example(parameter, str(mention.value)) is not None
    capital = mention.kind == "name" and bool(parameter.examples)
    return max(_SAID_INSIDE * said, _EXEMPLARY * capital, _KNOWN * known)


def _kind_score(parameter: Parameter, mention: Mention) -> float:
    if mention.kind == "number":
        return _number_score(parameter, mention)
    if mention.kind == "period" and parameter.is_numeric:
        return 0.35  # where it can be counted in another unit
    table = _ROLE_KINDS[mention.kind]
    roles = parameter.roles
    described = parameter.text_stems
    if mention.kind in {"date", "time"} and not roles & {"date", "time", "year"}:
        # The description alone says that it is a moment.
        return 0.6 if stem(mention.kind) in described else table[""]
    if len(mention.text) == 1 and mention.kind in {"name", "phrase"}:
        return 0.2
    known = [table[role] for role in roles if role in table]
    if not known:
        return table[""]
    return max(known) if mention.kind not in {"name", "phrase", "code"} else _mean(known)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _number_score(parameter: Parameter, mention: Mention) -> float:
    year = mention.value in _YEARS and not mention.unit and mention.text.isdigit()
    if year and "year" in parameter.name_words:
        return 0.95
    if parameter.takes("integer", "number"):
        return 0.4 if not mention.text[-2:].isalpha() else 0.35
    if mention.text.isalpha():
        return 0.0
    return 0.5 if parameter.roles & {"id", "year", "date", "time"} else _NUMBER_AS_TEXT


def is_tool_word(mention: Mention, entry: Entry) -> bool:
    """Whether it only says what the tool says of itself."""
    own = stems(mention.text)
    return bool(own) and all(one in entry.own_stems for one in own)


def _is_unit(mention: Mention, reading: Reading) -> bool:
    """Whether a name stands where the unit of a number would."""
    return _QUANTITY.search(reading.text, 0, mention.start) is not None


def _explicit(parameter: Parameter, mention: Mention, reading: Reading) -> float:
    """Whether the parameter's very name stands before the mention: `a = 2`, `line width of 5`."""
    before = reading.text[max(mention.start - 60, 0) : mention.start].lower()
    spoken = " ".join(parameter.name_words)
    for name in {parameter.name.lower(), spoken}:
        if len(name) == 1:
            pattern = rf"(?<!\w){re.escape(name)}\s*(?:=|:|\bis\b|\bequals?\b)\s*$"
            if re.search(pattern, before):
                return 1.4
            continue
        at = before.rfind(name)
        if at >= 0 and _EXPLICIT.fullmatch(before, at + len(name)):
            return 1.4
    return 0.0


def pointing(parameter: Parameter, mention: Mention, reading: Reading) -> float:
    """How clearly the words around a mention point at the parameter, 0 to 1.4."""
    return max(_near(parameter, mention, reading), _direction(parameter, mention, reading))


def _near(parameter: Parameter, mention: Mention, reading: Reading) -> float:
    explicit = _explicit(parameter, mention, reading)
    sides = (_left(parameter, mention, reading), _right(parameter, mention, reading))
    # A unit of something else speaks against the parameter whatever stands before.
    return max(explicit, max(sides) if min(sides) >= 0 else min(sides) + max(sides))


def _left(parameter: Parameter, mention: Mention, reading: Reading) -> float:
    best, distance, share, last = 0.0, 0, 1.0, mention.start
    for word in reversed(reading.before(mention.start)[-14:]):
        gap = reading.text[word.end : last]
        last = word.start
        if "." in gap or ";" in gap or "?" in gap or distance >= len(_DECAY):
            break
        share *= 0.6 if "," in gap and distance == 0 else 1.0
        if word.lower in _CONJUNCTIONS:
            share *= 0.5
        elif word.text[0].isdigit() or word.start in reading.valued:
            distance += 2 if word.text[0].isdigit() else 1
        elif (
            word.lower in _PLACING
            and mention.kind in _NOUNS
            and word.lower not in parameter.name_words
        ):
            share *= 0.45
        elif not word.is_stop or word.lower in parameter.name_words:
            told = _GRAMMAR_SHARE if word.is_stop else 1.0
            found = told * _word_match(parameter, word.stem, word.lower)
            best = max(best, share * _DECAY[distance] * found)
            distance += 1
    return best


def _right(parameter: Parameter, mention: Mention, reading: Reading) -> float:
    best, last = 0.0, mention.end
    if mention.kind == "number" and mention.unit:
        best = _unit_match(parameter, mention.unit)
    for distance, word in enumerate(reading.after(mention.end)[:3]):
        gap = reading.text[last : word.start]
        last = word.end
        if (
            word.lower in _CONJUNCTIONS
            or word.is_stop
            or word.start in reading.valued
            or any(mark in gap for mark in ".,;:?!")
            or reading.leads(word)
        ):
            break
        found = 0.9 * _DECAY[distance] * _word_match(parameter, word.stem, word.lower)
        best = max(best, found) if found else best
    return best


def _unit_match(parameter: Parameter, unit: str) -> float:
    if parameter.measure is not None and dimension_of(unit) == parameter.measure:
        return 0.8
    measured = measures(unit, parameter.name_words)
    if measured is not None:
        return 0.8 if measured else -0.3
    names = unit_names(unit)
    if not names.isdisjoint(parameter.name_words):
        return 0.9
    root = stem(unit)
    if any(stem(one) == root for one in _COUNTED_IN.findall(parameter.description.lower())):
        return 0.8
    described = frozenset(re.findall(r"[a-z]+", parameter.description.lower()))
    return _TEXT_SHARE if any(name in described for name in names if len(name) > 1) else 0.0


def _word_match(parameter: Parameter, found: str, lower: str) -> float:
    if found in parameter.name_stems or lower in parameter.name_words:
        return 1.0
    if any(abbreviates(found, own) for own in parameter.name_stems if len(own) > 2):
        return 0.8
    return _TEXT_SHARE if found in parameter.text_stems else 0.0


def _named_direction(
    parameter: Parameter, mention: Mention, reading: Reading, entry: Entry
) -> float:
    """Whether the tool says itself what its preposition leads to: `add_to_list`, `from a list`."""
    if mention.kind not in {"name", "quoted", "code", "phrase"}:
        return 0.0
    preposition = reading.word_before(mention)
    if preposition == "to" and not _NEW.isdisjoint(parameter.text_words):
        return _LIKE_NAME
    said = f"{' '.join(split_name(entry.name))} . {entry.spec.description.lower()}"
    led = re.search(rf"\b{preposition} (?:(?:the|an?|my|one|some|another) )?(\w+)", said)
    if preposition not in _LEADING or led is None:
        return 0.0
    return _DIRECTED if stem(led[1]) in parameter.name_stems else 0.0


def _measured(parameter: Parameter, mention: Mention, reading: Reading, preposition: str) -> float:
    """`how many of these are 3 of those`: what stands on a number is what is converted from."""
    counted = _QUANTITY.search(reading.text, 0, mention.start) is not None or any(
        one.kind == "number" and reading.text[one.end : mention.start].strip() == ""
        for one in reading.mentions
        if one.end <= mention.start
    )
    source = counted or preposition == "from"
    wanted = preposition in {"many", "much", "to", "into", "in"} and not counted
    role = "from" if source else "to" if wanted else ""
    if not role:
        return 0.0
    return 0.6 if role in parameter.roles else -0.6


def _direction(parameter: Parameter, mention: Mention, reading: Reading) -> float:
    preposition = reading.word_before(mention)
    if mention.kind == "unit":
        # `3 kg to pounds`: a unit on its number is what is converted from.
        return 0.45 if "from" in parameter.roles else -0.2 if "to" in parameter.roles else 0.1
    on_number = (
        mention.kind in {"name", "code"}
        and _QUANTITY.search(reading.text, 0, mention.start) is not None
    )
    if (mention.kind == "choice" or on_number) and parameter.roles & {"from", "to"}:
        return _measured(parameter, mention, reading, preposition)
    if preposition in _FOR and parameter.description.rstrip(". ").endswith(f" {preposition}"):
        return _DIRECTED + _KIND_MIN
    found = [
        bonus[preposition]
        for role in parameter.roles
        if (bonus := _DIRECTIONS.get(role)) and preposition in bonus
    ]
    best = max(found, default=0.0)
    if mention.kind == "phrase":
        return best * _PHRASE_SHARE
    if mention.kind == "name" and preposition in _AROUND and "where" in parameter.text_words:
        return max(best, 0.3)
    return best
