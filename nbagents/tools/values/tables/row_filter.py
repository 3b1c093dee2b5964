"""Which rows a person wants to see: the words of a filter, and what they find.

`js/src/table/rows/row-filter.ts` does the same for rows that no kernel has; `tests/fixtures/
table-filters.json` holds the two together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from nbagents.tools.values.tables.cells import MAX_SAFE, is_missing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TOKEN: Final = re.compile(r'(?:"[^"]*"?|[^\s"])+')
"""Words; what stands in quotes is one."""

NOT: Final = re.compile(r"[-!](?![\d.=])")
"""Before a condition that must not be met; `-5` is a number."""
SIGN: Final = re.compile(r"^:?(?P<sign>>=|<=|!=|>|<|=)?(?P<value>.*)$", re.DOTALL)
COLUMN: Final = re.compile(r"^(\"[^\"]+\"|[^:<>=!\"]+)(?=:|>|<|=|!=)")
MISSING_WORDS: Final = frozenset({"none", "nan", "null", "missing"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One condition of a filter."""

    column: str | None
    """Its name in small letters; `None`: any column."""
    sign: str
    """One of `>`, `>=`, `<`, `<=` and `=`; empty: the text is somewhere in the cell."""
    value: str
    """In small letters."""
    is_not: bool

    @property
    def number(self) -> float | None:
        """The value as a number, if it is one."""
        try:
            return float(self.value.replace("∞", "inf"))
        except ValueError:
            return None


def terms_of(query: str, names: Sequence[str]) -> list[Term]:
    """The conditions that a filter names; each row must meet them all.

    Args:
        query: `rain` (somewhere in the row), `"light rain"`, `city:oslo`, `celsius>5` or
            `celsius:>5`, `=Oslo` (a whole cell), `note:=none` (missing), `-rain` or `!rain` (not).
        names: The columns, of which one may be named.
    """
    known = {name.lower() for name in names}
    found = [_term(token, known) for token in TOKEN.findall(query)]
    return [one for one in found if one is not None]


def test_of(term: Term) -> Callable[[Any, str | None], bool]:
    """Whether a cell meets a condition: by its value, and by its text in small letters.

    The text is `None` where the value is missing.
    """
    if not term.sign:
        return lambda _value, text: text is not None and term.value in text
    number = term.number
    if term.sign == "=":
        return _equals(term.value, number)
    if number is not None:
        compare = COMPARE[term.sign]
        return lambda value, text: text is not None and _is_number(value) and compare(value, number)
    by_text = COMPARE[term.sign]
    return lambda value, text: (
        text is not None and not _is_number(value) and by_text(text, term.value)
    )


COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}


def small_text(value: Any) -> str | None:  # Any: whatever a column holds
    """A cell's text in small letters; `None` where the value is missing."""
    return None if is_missing(value) else str(value).lower()


def _term(token: str, known: set[str]) -> Term | None:
    is_not = NOT.match(token) is not None
    body = token[1:] if is_not else token
    column, rest = _column(body, known)
    sign, value = _signed(rest, body if column is None else None)
    if not value:
        return None  # it is still being written
    negated = is_not != (sign == "!=")
    return Term(column=column, sign="=" if sign == "!=" else sign, value=value, is_not=negated)


def _signed(rest: str, whole: str | None) -> tuple[str, str]:
    """A sign and what follows it; where no column was named, a text without a sign is that text."""
    found = SIGN.match(rest)
    sign = (found and found["sign"]) or ""
    value = found["value"] if found and (sign or whole is None) else rest
    return sign, value.replace('"', "").strip().lower()


def _column(body: str, known: set[str]) -> tuple[str | None, str]:
    found = COLUMN.match(body)
    name = found[1].strip('"').lower() if found else ""
    if found is None or name not in known:
        return None, body
    return name, body[found.end() :]


def _equals(value: str, number: float | None) -> Callable[[Any, str | None], bool]:
    is_gap = value in MISSING_WORDS

    def equals(cell: Any, text: str | None) -> bool:
        if text is None:
            return is_gap
        if number is not None and _is_number(cell):
            is_exact = abs(number) < MAX_SAFE or not value.lstrip("-").isdigit()
            return float(cell) == number if is_exact else text == value
        return text == value

    return equals


def _is_number(value: Any) -> bool:
    return not isinstance(value, (str, bool)) and hasattr(value, "__float__")
