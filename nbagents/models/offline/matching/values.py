"""Values: a mention turned into what a parameter's type asks for, or refused."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, TypeAlias

from nbagents.models.offline.language import COMMON_NOUNS, numbers_of, rescaled, stem
from nbagents.models.offline.matching.parameters import UNSET, Parameter, Unset

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.models.offline.language import Mention

MaybeValue: TypeAlias = "JsonValue | Unset"

_PERCENT = 100
_DATE_FORMAT = re.compile(
    r"(?<![A-Za-z])(?:YYYY|MM|DD|dd|mm|yyyy)(?:([-/.])(?:YYYY|MM|DD|dd|mm|yyyy)){2}"
)
_FRACTION = re.compile(r"\bdecimal|\bfraction|(?<!\d)0?\.\d+")
_FIELDS = {"YYYY": "%Y", "MM": "%m", "DD": "%d"}
_YEAR_DIGITS = 4


def value_of(parameter: Parameter, mention: Mention) -> MaybeValue:
    """What the parameter receives if the mention is its argument; `UNSET` if it cannot be."""
    if mention.kind == "choice":
        return mention.value
    if parameter.choices:
        return next((one for one in parameter.choices if same(one, mention.value)), UNSET)
    if isinstance(mention.value, list):
        return _array(parameter, mention.value)
    if isinstance(mention.value, dict):
        return mention.value if parameter.takes("object") else UNSET
    for value in _readings(parameter, mention):
        if fits(parameter, value):
            return value
    return UNSET


def fits(parameter: Parameter, value: JsonValue) -> bool:
    """Whether a scalar has the parameter's type and keeps its limits."""
    if parameter.choices:
        return value in parameter.choices
    if isinstance(value, bool):
        return parameter.takes("boolean")
    if isinstance(value, (int, float)):
        whole = isinstance(value, int) or value.is_integer()
        typed = parameter.takes("number") or (whole and parameter.takes("integer"))
        return typed and _in_limits(parameter, value)
    return isinstance(value, str) and parameter.takes("string")


def _readings(parameter: Parameter, mention: Mention) -> list[JsonValue]:
    """The ways to read a mention for this parameter, the likeliest first."""
    if mention.kind == "number":
        return [*_number(parameter, mention), mention.text.strip("$€£¥ ")]
    if mention.kind == "period":
        return [*_counted(parameter, mention), mention.text]
    if mention.kind == "date":
        year = str(mention.value)[:_YEAR_DIGITS]
        return (
            [int(year), _date(parameter, mention)]
            if "year" in parameter.name_words and "per" not in parameter.name_words
            else [_date(parameter, mention)]
        )
    if mention.kind in {"quoted", "code", "time"}:
        return [
            mention.value,
            *(one.value for one in numbers_of(mention.text) if _is_all(one, mention)),
        ]
    said = _worded(parameter, str(mention.value), mention.kind)
    return [] if mention.kind == "phrase" and said.lower() in COMMON_NOUNS else [said]


def _worded(parameter: Parameter, said: str, kind: str) -> str:
    """A name or a phrase as the parameter would have it written.

    `red paint` is `red` for a parameter `paint`; a name is written out as an example has it.
    """
    known = as_example(parameter, said)
    if known is not None:
        return known
    if kind == "phrase":
        return _bare(parameter, said)
    return (
        said if parameter.examples or "format" in parameter.description else said.partition(",")[0]
    )


def as_example(parameter: Parameter, said: str) -> str | None:
    """The example in a description that a text begins or abbreviates: `NY` is `New York, NY`."""
    begun = f"{said.casefold()},"
    for one in parameter.examples:
        first = one.partition(",")[0]
        letters = "".join(word[0] for word in first.split())
        if one.casefold().startswith(begun) or (len(letters) > 1 and said == letters):
            return one
    return None


def _bare(parameter: Parameter, said: str) -> str:
    words = said.split()
    while len(words) > 1 and stem(words[-1].lower()) in parameter.name_stems:
        words.pop()
    while len(words) > 1 and stem(words[0].lower()) in parameter.name_stems:
        words.pop(0)
    return " ".join(words)


def _is_all(number: object, mention: Mention) -> bool:
    return getattr(number, "start", 1) == 0 and getattr(number, "end", 0) == len(mention.text)


def _number(parameter: Parameter, mention: Mention) -> list[JsonValue]:
    value = mention.value
    if not isinstance(value, (int, float)):
        return []
    described = f"{parameter.name} {parameter.description}".lower()
    if mention.percent and parameter.takes("number") and _wants_fraction(described):
        return [float(f"{value / _PERCENT:.12g}"), value]
    if mention.unit:
        value = rescaled(value, mention.unit, described)
    if isinstance(value, float) and value.is_integer() and not parameter.takes("number"):
        value = int(value)
    return [value]


def _counted(parameter: Parameter, mention: Mention) -> list[JsonValue]:
    """A span of time in the unit of the parameter: `next week` is 7 days."""
    described = f"{parameter.name} {parameter.description}".lower()
    count = rescaled(1, mention.unit, described)
    return [] if count == 1 else [round(count)]


def _wants_fraction(described: str) -> bool:
    """Whether 5 % is 0.05 for a parameter: unless its description counts in percent."""
    if _FRACTION.search(described):
        return True
    return "percent" not in described and "%" not in described


def _date(parameter: Parameter, mention: Mention) -> str:
    """The date as the parameter's description wants it, ISO otherwise."""
    said = str(mention.value)
    wanted = _DATE_FORMAT.search(parameter.description)
    if mention.kind != "date" or wanted is None or "T" in said:
        return said
    pattern = wanted.group().upper()
    for field, code in _FIELDS.items():
        pattern = pattern.replace(field, code)
    try:
        return dt.date.fromisoformat(said).strftime(pattern)
    except ValueError:
        return said


def _array(parameter: Parameter, values: list[JsonValue]) -> MaybeValue:
    if not parameter.takes("array"):
        return UNSET
    items = parameter.items
    if items is None or not items.types:
        return list(values)
    if all(fits(items, one) or (isinstance(one, list) and items.takes("array")) for one in values):
        return list(values)
    return UNSET


def _in_limits(parameter: Parameter, value: float) -> bool:
    low, high = parameter.minimum, parameter.maximum
    return (low is None or value >= low) and (high is None or value <= high)


def same(one: JsonValue, other: MaybeValue) -> bool:
    """Whether two values are the same but for the case of letters."""
    return one == other or str(one).lower() == str(other).lower()
