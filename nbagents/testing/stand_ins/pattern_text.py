"""A text that a regular expression matches, for what a schema calls a `pattern`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nbagents.testing.stand_ins.choices import Choices

LONGEST_MORE: Final = 4
"""So much more than it must a part is repeated."""
PRINTED: Final = [chr(one) for one in range(32, 127)]
CLASSES: Final = {
    "CATEGORY_DIGIT": [chr(one) for one in range(48, 58)],
    "CATEGORY_SPACE": [" ", "\t"],
    "CATEGORY_WORD": [one for one in PRINTED if one.isalnum() or one == "_"],
    "CATEGORY_NOT_DIGIT": [one for one in PRINTED if not one.isdigit()],
    "CATEGORY_NOT_SPACE": [one for one in PRINTED if not one.isspace()],
    "CATEGORY_NOT_WORD": [one for one in PRINTED if not (one.isalnum() or one == "_")],
}

Node = tuple[Any, Any]  # Any: Python's own parts of a pattern, which it leaves untyped


class CannotWriteError(Exception):
    """Nothing was found that the pattern matches."""


def text_matching(pattern: str, choices: Choices) -> str:
    """A text in which the pattern is found.

    Raises:
        CannotWriteError: It has parts that look around, or refer back, or are no pattern of
            Python's.
    """
    try:
        # Only Python's own parser reads all of its patterns; Hypothesis uses it, too.
        parse: Callable[[str], Sequence[Node]] = getattr(re, "_parser").parse  # noqa: B009
        text = _Writer(choices).sequence(parse(pattern))
    except (re.error, AttributeError, KeyError, RecursionError) as error:
        raise CannotWriteError(str(error)) from error
    if re.search(pattern, text) is None:
        raise CannotWriteError(pattern)
    return text


class _Writer:
    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self._groups: dict[int, str] = {}

    def sequence(self, nodes: Sequence[Node]) -> str:
        return "".join(self._part(str(kind), given) for kind, given in nodes)

    def _part(self, kind: str, given: Any) -> str:
        parts: dict[str, Callable[[Any], str]] = {
            "LITERAL": chr,
            "NOT_LITERAL": lambda code: self._pick([one for one in PRINTED if ord(one) != code]),
            "ANY": lambda _: self._pick(PRINTED),
            "IN": self._one_of,
            "BRANCH": lambda branch: self.sequence(self._pick(branch[1])),
            "SUBPATTERN": self._group,
            "MAX_REPEAT": self._repeated,
            "MIN_REPEAT": self._repeated,
            "POSSESSIVE_REPEAT": self._repeated,
            "ATOMIC_GROUP": self.sequence,
            "GROUPREF": lambda number: self._groups[number],
            "AT": lambda _: "",
        }
        return parts[kind](given)

    def _group(self, given: tuple[int | None, int, int, Sequence[Node]]) -> str:
        number, *_, nodes = given
        text = self.sequence(nodes)
        if number is not None:
            self._groups[number] = text
        return text

    def _repeated(self, given: tuple[int, Any, Sequence[Node]]) -> str:
        least, most, nodes = given
        extra = min(int(most) - least, LONGEST_MORE)
        return "".join(self.sequence(nodes) for _ in range(least + self._choices.below(extra + 1)))

    def _one_of(self, given: Sequence[Node]) -> str:
        kinds = [str(kind) for kind, _ in given]
        found = [one for kind, what in given for one in _members(str(kind), what)]
        if "NEGATE" in kinds:
            found = [one for one in PRINTED if one not in found]
        return self._pick(found)

    def _pick(self, found: Sequence[Any]) -> Any:
        if not found:
            raise KeyError("no character fits")
        return found[self._choices.below(len(found))]


def _members(kind: str, what: Any) -> list[str]:
    if kind == "LITERAL":
        return [chr(what)]
    if kind == "RANGE":
        first, last = what
        return [chr(one) for one in range(first, min(last, first + 500) + 1)]
    return CLASSES[str(what)] if kind == "CATEGORY" else []
