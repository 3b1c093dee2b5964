"""Effects: whether a tool changes something, by what it declares or by its verb."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

from nbagents.models.offline.language import (
    DETERMINERS,
    PARTICLES,
    PRONOUNS,
    QUESTION_WORDS,
    READING_VERBS,
    WRITING_VERBS,
    split_name,
    word_set,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.models.model import ToolSpec

Effect: TypeAlias = Literal["none", "unclear", "some"]
"""What a tool does: it only reads, nothing tells, or it changes something."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[.,:;()]")
READS = READING_VERBS | word_set(
    "show view display see return provide filter sort transpose exchange scale round parse decode "
    "encode format hash simplify differentiate integrate multiply subtract divide sum average "
    "double halve square count ask answer browse preview validate test review recommend suggest "
    "plot draw render visualize chart examine assess process perform conduct scan scrape "
    "reverse respond output retrive explore study "
    "gather greet rank rate score classify extract infer interpret simulate generate"
)
RECORDING = word_set("report record log note enter write register track document jot")
_CHANGES = WRITING_VERBS | RECORDING
_STATES = frozenset({"is", "has", "can", "are", "was", "does", "should"})
_OBJECTS = (
    DETERMINERS
    | PRONOUNS
    | word_set("up off out down away back on one what which whether whose that how new")
)
_GETS = re.compile(r"\bGET request")
_NEUTRAL = word_set("execute run")
_ARITHMETIC = word_set("add combine merge mix")


def effect_of(spec: ToolSpec, *, numeric: bool) -> Effect:
    """Whether a tool changes something: as it says, else by its description's verb or its name's.

    Args:
        spec: The tool.
        numeric: Whether it takes numbers alone: then `add` only calculates.
    """
    if spec.read_only is not None:
        return "none" if spec.read_only else "some"
    named = split_name(_own(spec.name))
    words = _WORD.findall(spec.description)
    if words and words[0].lower().endswith("ly"):
        words = words[1:]
    described = _judged(words, numeric=numeric)
    if described == "some" and (_is_named_to_read(named, words) or _GETS.search(spec.description)):
        return "none"
    if described is not None:
        return described
    first = named[0] if named else ""
    if first in READS or first in _STATES or (numeric and first in _ARITHMETIC):
        return "none"
    return (
        "some" if first in WRITING_VERBS or (len(named) > 1 and first in RECORDING) else "unclear"
    )


def _is_named_to_read(named: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a name begins with a reading verb, where the description's verb is not known."""
    known = _base(words[0]) in _CHANGES - _NEUTRAL
    apart = len(named) > 1 and named[1] in PARTICLES  # `check_in`
    return not known and not apart and any(one in READING_VERBS for one in named[:2])


def _judged(words: list[str], *, numeric: bool) -> Effect | None:
    """What a description's first words tell; nothing where there are none."""
    if not words:
        return None
    first, following = _base(words[0]), words[1].lower() if len(words) > 1 else ""
    opening = words[0].lower()
    if first in READS or (numeric and first in _ARITHMETIC):
        return "none"
    noun = opening in DETERMINERS | QUESTION_WORDS | {"whether"} or following in {
        "of",
        "is",
    }  # `Price of …`, `The latest …`
    if not noun and first in _CHANGES:
        return "some"
    clausal = opening.endswith("s") and following in {"that", "which"}
    if not noun and following in _OBJECTS and not clausal:
        return "some"  # a verb and its object: `Dim the lights`
    return "none" if following else None


def _base(word: str) -> str:
    """A verb's plain form: `Finds` is `find`, `Searching` too."""
    lower = word.lower()
    known = READS | _CHANGES
    forms = (lower, lower.removesuffix("s"), lower.removesuffix("es"), lower.removesuffix("ing"))
    return next((one for one in forms if one in known), lower)


def _own(name: str) -> str:
    return name.rpartition("--")[2].rpartition(".")[2]


def tool_verbs(spec: ToolSpec) -> frozenset[str]:
    """The words that may be a tool's verb: the first of its name and of its description."""
    words = [one.lower() for one in _WORD.findall(spec.description)[:1]]
    return frozenset(_base(one) for one in (*split_name(_own(spec.name))[:1], *words))
