"""What a search tells: a model in a line each, people in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from nbagents.narrowing import dict_of, is_list
from nbagents.results import Payload

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.catalogue import Hit

NAME: Final = "name"
LOADED: Final = "loaded"
COLUMNS: Final = (NAME, "tool", "category", "does", "score", "matched", LOADED)
DTYPES: Final = ("object", "object", "object", "object", "float64", "object", "bool")

MOST: Final = 2000
"""Characters of one answer: five hundred tokens."""
LONGEST: Final = 60
"""Characters of what an API takes, in a line about it."""


def table_of(hits: Sequence[Hit], loaded: Container[str]) -> Payload:
    """The hits for people: with their scores, and the words that matched."""
    rows: list[JsonValue] = [
        [
            hit.name,
            hit.tool,
            hit.category,
            hit.summary,
            round(hit.score, 2),
            ", ".join(dict.fromkeys(word for words in hit.why.values() for word in words)),
            hit.name in loaded,
        ]
        for hit in hits
    ]
    value: dict[str, JsonValue] = {
        "columns": list(COLUMNS),
        "dtypes": list(DTYPES),
        "rows": rows,
        "total": len(rows),
    }
    return Payload(kind="table", value=value)


def lines_of(hits: Sequence[Hit], takes: Mapping[str, str], end: Sequence[str]) -> str:
    """The hits for a model: a line each, and what to do with them.

    Args:
        hits: The hits, the best first.
        takes: By name what some take, in brackets; left out where there is no room.
        end: What is said below.
    """
    plain = [_line(hit, "") for hit in hits]
    room = MOST - sum(len(one) + 1 for one in (*plain, *end))
    told: list[str] = []
    for hit, line in zip(hits, plain, strict=True):
        more = takes.get(hit.name, "")
        fits = len(more) <= room
        told.append(_line(hit, more) if fits else line)
        room -= len(more) if fits else 0
    whole = "\n".join([*told, *end])
    return whole if len(whole) <= MOST else f"{whole[: MOST - 1]}…"


def _line(hit: Hit, takes: str) -> str:
    said = " ".join(hit.summary.split())
    return f"{hit.name}{takes}: {said}" if said else f"{hit.name}{takes}"


def takes_of(parameters: Mapping[str, Any]) -> str:
    """What an API takes, in brackets: the required first, the others with a question mark.

    Example:
        >>> properties = {"city": {"type": "string"}, "days": {"type": "integer"}}
        >>> takes_of({"properties": properties, "required": ["city"]})
        '(city: string, days?: integer)'
    """
    known = dict_of(parameters.get("properties"))
    required = [name for name in parameters.get("required") or () if name in known]
    rest = [name for name in known if name not in required]
    told = [f"{name}: {_kind(known[name])}" for name in required]
    told += [f"{name}?: {_kind(known[name])}" for name in rest]
    whole = ", ".join(told)
    while told and len(whole) > LONGEST:
        told.pop()
        whole = ", ".join([*told, "…"])
    return f"({whole})"


def _kind(schema: object) -> str:
    given = dict_of(schema).get("type")
    if is_list(given):
        return "|".join(map(str, given))
    return str(given or "any")
