"""Pages: whether an answer is one of several, and how a model asks for the next.

Source: RFC 8288 (Link), JSON:API 1.1 (`links.next`), and what the documents at hand do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, urljoin, urlsplit

from pydantic import JsonValue

from nbagents.narrowing import dict_of, is_dict
from nbagents.openapi.exchange.secrets import without_secrets
from nbagents.openapi.exchange.sending import Answer
from nbagents.openapi.request import HttpRequest, Operation
from nbagents.results import Bounds

LINK: Final = re.compile(r'<([^>]*)>((?:\s*;(?:"(?:[^"\\]|\\.)*"|[^",;])*)*)')
"""A target and what is said of it, in which a quoted text may hold commas."""
RELATION: Final = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;,]+))", re.IGNORECASE)

HOLDERS: Final = (
    *("", "links", "_links", "meta", "metadata", "pagination", "paging", "page_info", "pageInfo"),
    *("cursors", "response_metadata", "page"),
)
"""Objects of an answer that say what comes next; the first is the whole."""
PAGES: Final = ("page", "page_number", "pageNumber", "page[number]")
OFFSETS: Final = ("offset", "skip", "page[offset]")
CURSORS: Final = (
    *("cursor", "page_token", "pageToken", "next_token", "nextToken", "next_cursor", "after"),
    *("starting_after", "continuation_token", "continuationToken", "continuation", "token"),
    *("page[cursor]", "page[after]", "pagination_token", "page"),
)
TAKERS: Final = (*CURSORS, *PAGES, *OFFSETS)
"""The parameters that take what an answer gave as the next."""
SIZES: Final = ("limit", "per_page", "perPage", "page_size", "pageSize", "page[size]", "size")
NEXT: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(("next_cursor", "nextCursor", "next_page_token", "nextPageToken"), CURSORS),
    **dict.fromkeys(("next_token", "nextToken", "endCursor", "end_cursor"), CURSORS),
    **dict.fromkeys(("continuation_token", "continuationToken", "after"), CURSORS),
    **dict.fromkeys(("next_page", "nextPage"), PAGES),
    **dict.fromkeys(("next_offset", "nextOffset"), OFFSETS),
    **dict.fromkeys(("next", "next_url", "nextLink", "@odata.nextLink", "next_href"), TAKERS),
}
"""Where an answer says what comes next, and the parameters that take such."""
TOTALS: Final = (
    *("total", "total_count", "totalCount", "total_results", "totalResults", "count", "totalItems"),
    "total_entries",
)
MORE: Final = ("has_more", "hasMore", "hasNextPage", "has_next_page", "has_next")
LISTS: Final = ("items", "data", "results", "records", "entries", "nodes", "edges", "value")
"""What lists are called that an answer is about; else it is the longest."""
MAX_CURSOR: Final = 4_000


@dataclass(frozen=True, slots=True)
class _Next:
    """What an answer says of the next one."""

    told: str
    """Its address, cursor or number; empty where it is only said that there is one."""
    takers: Sequence[str] = TAKERS


def bounds_of(
    operation: Operation, request: HttpRequest, answer: Answer, value: JsonValue
) -> tuple[Bounds | None, str]:
    """How much an answer is of all there is, and a word on how to go on; nothing if it is all."""
    items = _items(value)
    total = _total(value, items)
    asked = dict(parse_qsl("&".join(f"{name}={one}" for name, one in request.query)))
    found = _next(answer, request.sent.secrets, value)
    if found is None and items and total is not None:
        found = _counted(operation, asked, len(items), total)
    if found is None:
        return None, ""
    arguments = _arguments(operation, asked, found)
    if items is None and not arguments:  # one thing, of which there is a next one
        return None, ""
    cursor = _cursor_in(operation, arguments) or found.told or None
    returned = len(items) if items is not None else 1
    bounds = Bounds(
        returned=returned,
        total=total,
        truncated=True,
        next_cursor=cursor and cursor[:MAX_CURSOR],
    )
    return bounds, _note(returned, total, arguments, found.told)


def _note(returned: int, total: int | None, arguments: Mapping[str, str], told: str) -> str:
    these = f"These are {returned:,} items" if returned != 1 else "This is 1 item"
    of_all = f" of {total:,}" if total is not None and total >= returned else ""
    how = " and ".join(f"{name}={one!r}" for name, one in arguments.items())
    if how:
        onward = f": call again with {how} for the next"
    else:
        onward = f": the next is at {told!r}" if told else ", and there are more"
    return f"[{these}{of_all}{onward}.]"


def _cursor_in(operation: Operation, arguments: Mapping[str, str]) -> str | None:
    """The one argument that tells pages apart."""
    if len(arguments) == 1:
        return next(iter(arguments.values()))
    names = {one.argument: one.name for one in operation.parts.parameters}
    found = [value for name, value in arguments.items() if names[name] in TAKERS]
    return found[0] if len(found) == 1 else None


def _holders(value: JsonValue) -> Iterator[Mapping[str, Any]]:
    """The objects of an answer that may say how much there is: also within its `data`."""
    for whole in (value, dict_of(value).get("data")):
        if is_dict(whole):
            held = (whole.get(name) if name else whole for name in HOLDERS)
            yield from filter(is_dict, held)


def _next(answer: Answer, secrets: Sequence[str], value: JsonValue) -> _Next | None:
    """What comes next, as the answer says it."""
    link = without_secrets(", ".join(answer.all("link")), secrets)
    for target, said in LINK.findall(link):
        found = RELATION.search(said)
        if found and "next" in (found[1] or found[2] or "").lower().split():
            return _Next(urljoin(answer.address, target))
    holders = list(_holders(value))
    said_more = [one[word] for one in holders for word in MORE if isinstance(one.get(word), bool)]
    if False in said_more:
        return None
    for holder in holders:
        for word, takers in NEXT.items():
            cursor = _cursor(holder.get(word))
            if cursor is not None:
                return _Next(cursor, takers)
    return _Next("") if said_more else None


def _cursor(given: object) -> str | None:
    if is_dict(given):  # JSON:API and HAL write a link as an object, too
        given = given.get("href")
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    return given if isinstance(given, str) and given else None


def _counted(
    operation: Operation, asked: Mapping[str, str], returned: int, total: int
) -> _Next | None:
    """The next page of an answer that says how many there are, where pages are asked by number."""
    queries = {one.name: one for one in operation.parts.parameters if one.place == "query"}
    taker = next((one for one in (*OFFSETS, *PAGES) if one in queries), None)
    if taker is None:
        return None
    first = _first(queries[taker].schema, 0 if taker in OFFSETS else 1)
    at = _whole(asked.get(taker), first)
    if at is None:
        return None
    if taker in OFFSETS:
        end = onward = at + returned
    else:
        size = next((_whole(asked[one], 0) for one in SIZES if one in asked), None)
        end = returned if at == first else (at - first + 1) * (size or total)
        onward = at + 1
    return _Next(str(onward), (taker,)) if end < total else None


def _first(schema: object, usual: int) -> int:
    """Where the pages of a parameter begin."""
    said = dict_of(schema)
    given = said.get("default", said.get("minimum"))
    return given if isinstance(given, int) and not isinstance(given, bool) else usual


def _whole(given: str | None, usual: int) -> int | None:
    if given is None:
        return usual
    return int(given) if given.isascii() and given.isdecimal() else None


def _arguments(operation: Operation, asked: Mapping[str, str], found: _Next) -> dict[str, str]:
    """The arguments that ask for what comes next; none where the operation takes no such."""
    queries = [one for one in operation.parts.parameters if one.place == "query"]
    told = found.told
    if "?" in told or told.startswith(("http://", "https://", "/")):
        wanted = dict(parse_qsl(urlsplit(told).query))
        return {
            one.argument: wanted[one.name]
            for one in queries
            if one.name in wanted and wanted[one.name] != asked.get(one.name)
        }
    known = {one.name: one.argument for one in queries}
    taker = next((one for one in found.takers if one in known), None)
    return {known[taker]: told} if taker is not None and told else {}


def _items(value: JsonValue) -> Sequence[JsonValue] | None:
    """The list that an answer is about."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    lists = {name: one for name, one in value.items() if isinstance(one, list)}
    if lists:
        named = next((lists[name] for name in LISTS if name in lists), None)
        return max(lists.values(), key=len) if named is None else named
    inner = value.get("data")
    return _items(inner) if isinstance(inner, dict) else None


def _total(value: JsonValue, items: Sequence[JsonValue] | None) -> int | None:
    for holder in _holders(value) if items is not None else ():
        for word in TOTALS:
            found = holder.get(word)
            if isinstance(found, int) and not isinstance(found, bool) and found >= len(items or ()):
                return found
    return None
