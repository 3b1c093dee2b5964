"""What of a catalogue is shown at a time, as JSON: rows of a search or of a place, and details.

The page draws it, and so does the static form; each text in it is cut to a length, and none of it
is markup.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nbagents.event_cleaner import clean_value
from nbagents.narrowing import dict_of, list_of
from nbagents.notebook.cards import parameters_in_words
from nbagents.notebook.catalogues.example_call import example_call
from nbagents.notebook.markup import cut_text, json_bytes, written_bytes
from nbagents.runs.wording import as_json, clipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pydantic import JsonValue

    from nbagents.catalogue import Api, Branch, Catalogue, Hit, Hits

Example: TypeAlias = "Callable[[Api], str]"
"""Writes a call of an API."""

HITS: Final = 10
MOST_HITS: Final = 50
PAGE: Final = 50
"""Rows of a list of categories, tools or APIs."""
NAME: Final = 200
SUMMARY: Final = 160
PROSE_BYTES: Final = 3_000
SCHEMA_BYTES: Final = 12_000
MOST_PARAMETERS: Final = 60
KEPT_BYTES: Final = 40_000
"""Of the details that a saved notebook keeps, beside the rows themselves."""
MOST_WORDS: Final = 12
"""Of a query that are said to have hit a field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a page asks for."""

    query: str = ""
    category: str | None = None
    tool: str | None = None
    start: int = 0
    """From which row on, where there is no query."""
    limit: int = HITS
    """How many hits."""


def shown_of(
    catalogue: Catalogue, wanted: Wanted, *, title: str = "", hits: Hits | None = None
) -> dict[str, JsonValue]:
    """What is shown: the hits of a query, or what stands in a place.

    Args:
        catalogue: The catalogue.
        wanted: What of it.
        title: A name for people.
        hits: The hits, where they have been found already.

    Raises:
        ToolNotFoundError: There is no such category or tool.
    """
    if hits is None and wanted.query.strip():
        limit = min(max(wanted.limit, 1), MOST_HITS)
        hits = catalogue.search(wanted.query, limit, wanted.category, wanted.tool)
    about: dict[str, JsonValue] = {
        "title": clipped(title, NAME),
        "size": None,
        "query": clipped(wanted.query, NAME),
        "category": wanted.category and wanted.category[:NAME],
        "tool": wanted.tool and wanted.tool[:NAME],
    }
    if hits is not None:
        return dict_of(clean_value(about | _found(hits)))
    about["size"] = size_of(catalogue)
    here = catalogue.browse(wanted.category, wanted.tool, start=max(0, wanted.start), limit=PAGE)
    listed: list[JsonValue] = [_branch(one) for one in here]
    return dict_of(
        clean_value(about | {"rows": listed, "total": here.total, "next": here.next, "hint": ""})
    )


def hits_alone(hits: Hits) -> dict[str, JsonValue]:
    """Hits of which nobody knows the catalogue."""
    about: dict[str, JsonValue] = {"title": "", "size": None, "category": None, "tool": None}
    return dict_of(clean_value(about | {"query": clipped(hits.query, NAME)} | _found(hits)))


def with_details(
    catalogue: Catalogue, shown: dict[str, JsonValue], example: Example = example_call
) -> dict[str, JsonValue]:
    """The same with its size and the details of its first rows, as far as a notebook keeps them."""
    kept: dict[str, JsonValue] = {}
    taken = 0
    for name in _apis(list_of(shown["rows"])):
        if name not in catalogue:
            continue
        detail = detail_of(catalogue[name], example)
        taken += json_bytes(detail)
        if taken > KEPT_BYTES:
            break
        kept[name] = detail
    return {**shown, "size": shown["size"] or size_of(catalogue), "details": kept}


def detail_of(api: Api, example: Example = example_call) -> dict[str, JsonValue]:
    """One API: what it does and takes, and how it is called."""
    told: dict[str, JsonValue] = {
        "name": api.name,
        "category": clipped(api.category, NAME),
        "tool": clipped(api.tool, NAME),
        "api": clipped(api.api, NAME),
        "description": _cut(api.description.strip(), PROSE_BYTES),
        "source": clipped(api.source, NAME),
        "method": clipped(api.method or "", 20),
        "parameters": _parameters(api),
        "schema": _cut(as_json(api.parameters, indent=2), SCHEMA_BYTES),
        "call": _cut(example(api), PROSE_BYTES),
    }
    return dict_of(clean_value(told))


def size_of(catalogue: Catalogue) -> dict[str, JsonValue]:
    """How large a catalogue is; to count it takes longer than to search it."""
    categories = catalogue.browse() if len(catalogue) else ()
    return {
        "apis": len(catalogue),
        "tools": sum(one.tools for one in categories),
        "categories": len(categories),
    }


def _found(hits: Hits) -> dict[str, JsonValue]:
    rows: list[JsonValue] = [_hit(one) for one in hits[:MOST_HITS]]
    return {"rows": rows, "total": len(hits), "next": None, "hint": clipped(hits.hint, 400)}


def _hit(hit: Hit) -> dict[str, JsonValue]:
    why: dict[str, JsonValue] = {
        clipped(field, NAME): [clipped(word, 40) for word in words[:MOST_WORDS]]
        for field, words in hit.why.items()
    }
    return {
        "kind": "hit",
        "name": hit.name,
        "category": clipped(hit.category, NAME),
        "tool": clipped(hit.tool, NAME),
        "summary": clipped(hit.summary, SUMMARY),
        "score": round(hit.score, 2),
        "why": why,
    }


def _branch(branch: Branch) -> dict[str, JsonValue]:
    return {
        "kind": branch.kind,
        "name": branch.name[:NAME],
        "category": branch.category[:NAME],
        "summary": clipped(branch.summary, SUMMARY),
        "apis": branch.apis,
        "tools": branch.tools,
    }


def _apis(rows: Sequence[dict[str, Any]]) -> Iterable[str]:
    return (str(one["name"]) for one in rows if one["kind"] in ("hit", "api"))


def _parameters(api: Api) -> list[JsonValue]:
    """What it takes in words; of a schema that says nonsense nothing, for it is shown as well."""
    with contextlib.suppress(ArithmeticError, LookupError, TypeError, ValueError, RecursionError):
        return [
            {
                "name": clipped(one.name, NAME),
                "type": clipped(one.type, SUMMARY),
                "need": clipped(one.need, 60),
                "description": clipped(one.description, SUMMARY * 2),
            }
            for one in parameters_in_words(api.parameters)[:MOST_PARAMETERS]
        ]
    return []


def _cut(text: str, most_bytes: int) -> str:
    """A text that says at its end how much of it is gone."""
    return text if written_bytes(text) <= most_bytes else cut_text(text, most_bytes)
