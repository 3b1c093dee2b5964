"""Closed values: enums found by value or stem, booleans by the parameter's words and negation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nbagents.models.offline.language import (
    COMMON_NOUNS,
    NEGATIONS,
    Mention,
    related,
    split_name,
    stem,
    unit_names,
    word_set,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.models.offline.language import Word
    from nbagents.models.offline.matching.parameters import Parameter

_NEGATION_REACH = 4
_PREFIX = 4
_SHORT_FORM = 3
_TRUE = re.compile(
    r"\s*(?:=|:|is|to|as|set to|be)?\s*(?:set\s+to\s+)?[\"'`]?(true|false|yes|no|on|off)\b",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"\btrue (?:for|to|means|is|=|if) (?P<true>[^,.;]+)[,.;]\s*(?:and |or )?"
    r"false (?:for|to|means|is|=|if) (?P<false>[^,.;]+)",
    re.IGNORECASE,
)
_BOOLEAN_STOPS = {
    stem(one)
    for one in COMMON_NOUNS
    | word_set(
        "is has should include included whether flag enable enabled show with only use allow "
        "consider indicates indicate set true false want boolean specify determine return option "
        "default find search get if"
    )
}


def choice_mentions(parameter: Parameter, words: Sequence[Word]) -> list[Mention]:
    """Where the text says one of the parameter's choices, the longest where several begin."""
    values = parameter.choices or (parameter.items.choices if parameter.items else ())
    free = values or parameter.is_numeric or "text" in parameter.roles
    said: list[tuple[str, JsonValue]] = [(str(one), one) for one in values]
    said += [] if free else [(one, one) for one in parameter.hints]
    said += [(words, code) for words, code in parameter.codes if not values or code in values]
    found: list[Mention] = []
    for text, value in sorted(said, key=lambda pair: -len(pair[0])):
        for mention in _occurrences(text, value, words, parameter):
            if not any(mention.overlaps(other) for other in found):
                found.append(mention)
    return sorted(found, key=lambda mention: mention.start)


def meant_choice(parameter: Parameter, words: Sequence[Word]) -> JsonValue:
    """The choice that the text means by a word of about the same meaning: `create` for `add`."""
    said = {word.stem for word in words}
    for value in parameter.choices:
        if any(related(stem(piece)) & said for piece in split_name(str(value))):
            return value
    # A word that only one of the choices has.
    pieces = [frozenset(split_name(str(value))) for value in parameter.choices]
    meant = [
        value
        for value, own in zip(parameter.choices, pieces, strict=True)
        if any(
            _is_same(piece, word)
            for piece in own
            if sum(piece in other for other in pieces) == 1
            for word in words
        )
    ]
    return meant[0] if len(meant) == 1 else None


def _occurrences(
    said: str, value: JsonValue, words: Sequence[Word], parameter: Parameter
) -> list[Mention]:
    pieces = split_name(said) or (said.lower(),)
    exact = len(said) == 1 or said.isdigit()
    found: list[Mention] = []
    for index in range(len(words) - len(pieces) + 1):
        window = words[index : index + len(pieces)]
        if exact and parameter.name_stems.isdisjoint(_around(words, index)):
            continue
        if len(said) == 1 and said.isupper() and not window[0].text.isupper():
            continue
        if all(_is_same(piece, word) for piece, word in zip(pieces, window, strict=True)):
            text = " ".join(word.text for word in window)
            found.append(
                Mention(
                    kind="choice",
                    value=value if isinstance(value, (str, int, float, bool)) else said,
                    text=text,
                    start=window[0].start,
                    end=window[-1].end,
                    owner=parameter.name,
                )
            )
    return found


def _around(words: Sequence[Word], index: int) -> set[str]:
    return {word.stem for word in words[max(index - _PREFIX, 0) : index + 2]}


def _is_same(piece: str, word: Word) -> bool:
    if word.lower == piece:
        return True
    if len(piece) > 1 and word.stem == stem(piece):
        # `rentals` for `rental`, but not `acted` for `action`.
        alike = piece.startswith(word.lower) or word.lower.startswith(piece)
        return alike or word.lower[:_PREFIX] == piece[:_PREFIX]
    short = min(len(word.lower), len(piece))
    if short >= _PREFIX and word.lower[:short] == piece[:short] and not word.is_stop:
        # `rental` for `rent`, `fahr` for a longer name; not `report` for `repository`.
        return abs(len(word.lower) - len(piece)) <= _PREFIX or word.lower == piece[:short]
    if len(piece) == _SHORT_FORM and len(word.lower) > 2 * _SHORT_FORM and not word.is_stop:
        return word.lower.startswith(piece)  # `asc` for `ascending`
    return piece in unit_names(word.lower)


def _says(word: Word, wanted: frozenset[str]) -> bool:
    """Whether a word is one of those wanted, or a longer form of one (`statistics`, `stats`)."""
    return word.stem in wanted or any(
        len(one) >= _PREFIX and word.stem.startswith(one) for one in wanted
    )


def _told_truth(parameter: Parameter, words: Sequence[Word]) -> bool | None:
    """What a description says of both: `True for on, False to lift the cover`."""
    match = _BOTH.search(parameter.description)
    if match is None:
        return None
    own = {stem(one) for one in split_name(match["true"])}
    other = {stem(one) for one in split_name(match["false"])}
    said = {word.stem for word in words}
    yes, no = said & (own - other), said & (other - own)
    return bool(yes) if bool(yes) != bool(no) else None


def truth(parameter: Parameter, text: str, words: Sequence[Word]) -> bool | None:
    """What the text says about a boolean: true, false, or nothing.

    The parameter's own telling words must be there (`include_tax`: tax); a negation close before
    them makes it false.
    """
    if (told := _told_truth(parameter, words)) is not None:
        return told
    wanted = parameter.name_stems - _BOOLEAN_STOPS
    at = [index for index, word in enumerate(words) if _says(word, wanted)]
    if not at and not wanted:
        wanted = parameter.text_stems - _BOOLEAN_STOPS
        at = [index for index, word in enumerate(words) if word.stem in wanted]
    if not at or len({words[index].stem for index in at}) * 2 < len(wanted):
        return None
    last = words[at[-1]]
    if explicit := _TRUE.match(text, last.end):
        return explicit[1].lower() in {"true", "yes", "on"}
    first = at[0]
    near = words[max(first - _NEGATION_REACH, 0) : first]
    return not any(word.lower in NEGATIONS for word in near)
