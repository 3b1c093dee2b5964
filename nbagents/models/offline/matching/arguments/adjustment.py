"""Adjustments: what the surest pairs of parameters and mentions get wrong, put right."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from nbagents.models.offline.language import word_set
from nbagents.models.offline.matching.arguments.fit import is_tool_word, pointing
from nbagents.models.offline.matching.parameters import UNSET
from nbagents.models.offline.matching.values import value_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.models.offline.language import Mention, Reading
    from nbagents.models.offline.matching.parameters import Parameter
    from nbagents.models.offline.matching.ranking import Entry

_SERIAL = frozenset({"name", "quoted", "phrase", "code"})
_LOOSE = frozenset({"name", "quoted"})
_NEVER_NAMES = word_set("id date time unit year email url part path")
_NUMBERED = re.compile(r"[_-]?(?:\d|(?<=[a-z])[A-Z]|(?<=[_-])[A-Za-z])$")
_NAMED = 1.1
_FAINT = 0.1
_ENDS = frozenset({"from", "to"})
_PREFIX = 3
_NEARER = 0.35


def unsplit(
    chosen: dict[int, int],
    parameters: Sequence[Parameter],
    mentions: Sequence[Mention],
    reading: Reading,
) -> dict[int, int]:
    """Without the second of two names that stand beside each other, if it went elsewhere.

    `in Rome and Bath` gives one parameter two values, unless two parameters are of one sort.
    """
    kept = dict(chosen)
    for index, at in chosen.items():
        for other, beside in chosen.items():
            alone = mentions[at].kind in _SERIAL and mentions[at].kind == mentions[beside].kind
            if (
                alone
                and index in kept
                and other in kept
                and mentions[beside].end <= mentions[at].start
                and not _are_alike(parameters[index], parameters[other])
                and reading.coordinated(mentions[beside], mentions[at])
            ):
                nearer = [
                    pointing(parameters[one], mentions[which], reading)
                    for one, which in ((index, at), (other, beside))
                ]
                del kept[index if nearer[0] <= nearer[1] + _NEARER else other]
    return kept


def refilled(
    kept: dict[int, int],
    dropped: set[int],
    pairs: Sequence[tuple[float, int, int]],
    mentions: Sequence[Mention],
    reading: Reading,
) -> dict[int, int]:
    """What lost its mention takes the best one that stands beside none of those in use."""
    for _, index, at in pairs:
        if index in kept or index not in dropped:
            continue
        if not any(
            mentions[at].overlaps(mentions[used])
            or reading.coordinated(mentions[at], mentions[used])
            for used in kept.values()
        ):
            kept[index] = at
    return kept


def set_names(
    chosen: dict[int, int],
    parameters: Sequence[Parameter],
    mentions: Sequence[Mention],
    reading: Reading,
    entry: Entry,
) -> None:
    """Give a name that is left to the optional parameter that it may be for.

    Only where nothing that must be given is missing, and the name goes on no series.
    """
    if any(
        one.required and not one.handle and index not in chosen
        for index, one in enumerate(parameters)
    ):
        return
    for at, mention in enumerate(mentions):
        used = [mentions[one] for one in chosen.values()]
        own = mention.kind == "name" and is_tool_word(mention, entry)
        if (
            own
            or mention.kind not in {*_LOOSE, "number"}
            or any(
                mention.overlaps(one)
                or (one.kind == mention.kind and reading.coordinated(one, mention))
                for one in used
            )
        ):
            continue
        open_ones = [
            (pointing(one, mention, reading), -index)
            for index, one in enumerate(parameters)
            if index not in chosen
            and (_has_choice(one, mention) if mention.kind == "number" else _takes_names(one))
            and value_of(one, mention) is not UNSET
        ]
        best = max(open_ones, default=None)
        if best is not None and (best[0] > _FAINT or len(open_ones) == 1):
            chosen[-best[1]] = at


def _has_choice(parameter: Parameter, mention: Mention) -> bool:
    """Whether a number is one of the few values that an optional parameter may have."""
    return not parameter.required and value_of(parameter, mention) in parameter.choices


def _takes_names(parameter: Parameter) -> bool:
    return (
        not parameter.required
        and parameter.takes("string")
        and not parameter.choices
        and not parameter.properties
        and not parameter.handle
        and not parameter.roles & _NEVER_NAMES
    )


def put_in_order(
    chosen: dict[int, int],
    parameters: Sequence[Parameter],
    mentions: Sequence[Mention],
    reading: Reading,
) -> None:
    """Let parameters have their mentions as they come, where the words say no more.

    They are only numbered (`num1`, `num2`), or named together: `width and depth as 3 and 4`.
    """
    for one, other in itertools.permutations(chosen, 2):
        first, second = mentions[chosen[one]], mentions[chosen[other]]
        if second.start < first.start and _are_joined(
            parameters[one], parameters[other], second, reading
        ):
            chosen[one], chosen[other] = chosen[other], chosen[one]
    groups: dict[str, list[int]] = {}
    for index in chosen:
        base = _NUMBERED.sub("", parameters[index].name)
        if base != parameters[index].name:
            groups.setdefault(base, []).append(index)
    for indexes in groups.values():
        held = [mentions[chosen[index]] for index in indexes]
        one_kind = len({mention.kind for mention in held}) == 1
        named = any(
            pointing(parameters[index], mentions[chosen[index]], reading) > _NAMED
            for index in indexes
        )
        if one_kind and not named:
            ordered = sorted(
                (chosen[index] for index in indexes), key=lambda at: mentions[at].start
            )
            chosen.update(zip(sorted(indexes), ordered, strict=True))


def _are_joined(one: Parameter, other: Parameter, first: Mention, reading: Reading) -> bool:
    """Whether two parameters are named together right before a mention."""
    names = [
        r"\s".join(re.escape(word) for word in parameter.name_words) for parameter in (one, other)
    ]
    joined = re.compile(
        rf"\b{names[0]}s?\s+and\s+(?:\w+\s+)?{names[1]}s?\b[^.;?!]{{0,14}}$", re.IGNORECASE
    )
    return joined.search(reading.text[: first.start]) is not None


def _are_alike(one: Parameter, other: Parameter) -> bool:
    """Whether two parameters are of one sort: `first_name` and `last_name`, `from` and `to`."""
    if one.name_stems & other.name_stems or (one.roles & _ENDS and other.roles & _ENDS):
        return True
    return bool(one.name_words) and one.name_words[0][:_PREFIX] == other.name_words[0][:_PREFIX]
