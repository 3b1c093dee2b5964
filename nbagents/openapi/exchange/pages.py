"""Pages: whether an answer is one of several, and how a model asks for the next.

Source: RFC 8288 (Link), JSON:API 1.1 (`links.next`), and what the documents at hand do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast
from urllib.parse import parse_qsl, urljoin, urlsplit

from pydantic import JsonValue

from nbagents.openapi.exchange.secrets import without_secrets
from nbagents.openapi.exchange.sending import Answer
from nbagents.openapi.request import HttpRequest, Operation
from nbagents.results import Bounds

LINK: Final = re.compile(r"<([^>]*)>((?:\s*;\s*[^,;]+)*)")
RELATION: Final = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;,]+))", re.IGNORECASE)

HOLDERS: Final = (
    *("", "links", "_links", "meta", "metadata", "pagination", "paging", "page_info", "pageInfo"),
    *("cursors", "response_metadata", "page"),
)
"""Objects of an answer that say what comes next; the first is the whole."""
NEXT: Final = (
    *("next_cursor", "nextCursor", "next_page_token", "nextPageToken", "next_token", "nextToken"),
    *("endCursor", "end_cursor", "continuation_token", "continuationToken", "after"),
    *("next_page", "nextPage", "next", "next_url", "nextLink", "@odata.nextLink", "next_href"),
)
TAKERS: Final = (
    *("cursor", "page_token", "pageToken", "next_token", "nextToken", "next_cursor", "after"),
    *("starting_after", "continuation_token", "continuationToken", "continuation", "token"),
    *("page[cursor]", "page[after]", "pagination_token", "page", "offset"),
)
"""The parameters that take what an answer gave as the next cursor."""
TOTALS: Final = (
    *("total", "total_count", "totalCount", "total_results", "totalResults", "count", "totalItems"),
    "total_entries",
)
MORE: Final = ("has_more", "hasMore", "hasNextPage", "has_next_page", "has_next")
MAX_CURSOR: Final = 4_000


def bounds_of(
    operation: Operation, request: HttpRequest, answer: Answer, value: JsonValue
) -> tuple[Bounds | None, str]:
    """How much an answer is of all there is, and a word on how to go on; nothing if it is all."""
    items = _items(value)
    total = _total(value, items)
    next_one = _next(answer, request.sent.secrets, value)
    if next_one is None:
        return None, ""
    arguments = _arguments(operation, request, next_one)
    cursor = _cursor_in(operation, arguments) or next_one
    returned = len(items) if items is not None else 1
    bounds = Bounds(returned=returned, total=total, truncated=True, next_cursor=cursor[:MAX_CURSOR])
    of_all = f" of {total:,}" if total is not None and total >= returned else ""
    how = " and ".join(f"{name}={one!r}" for name, one in arguments.items())
    onward = f"call again with {how} for the next" if how else f"the next is at {next_one!r}"
    return bounds, f"[These are {returned:,} items{of_all}: {onward}.]"


def _cursor_in(operation: Operation, arguments: Mapping[str, str]) -> str | None:
    """The one argument that tells pages apart."""
    if len(arguments) == 1:
        return next(iter(arguments.values()))
    names = {one.argument: one.name for one in operation.parts.parameters}
    found = [value for name, value in arguments.items() if names[name] in TAKERS]
    return found[0] if len(found) == 1 else None


def _next(answer: Answer, secrets: Sequence[str], value: JsonValue) -> str | None:
    """The address or the cursor of what comes next."""
    link = without_secrets(answer.header("link"), secrets)
    for target, said in LINK.findall(link):
        found = RELATION.search(said)
        if found and "next" in (found[1] or found[2] or "").lower().split():
            return urljoin(answer.address, target)
    if not isinstance(value, dict):
        return None
    holders = [
        cast("Mapping[str, Any]", one)
        for name in HOLDERS
        if isinstance(one := value if not name else value.get(name), dict)
    ]
    if any(one.get(word) is False for one in holders for word in MORE):
        return None
    for holder in holders:
        for word in NEXT:
            found = _cursor(holder.get(word))
            if found is not None:
                return found
    return None


def _cursor(given: object) -> str | None:
    if isinstance(given, dict):  # JSON:API and HAL write a link as an object, too
        given = cast("Mapping[str, Any]", given).get("href")
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    return given if isinstance(given, str) and given else None


def _arguments(operation: Operation, request: HttpRequest, next_one: str) -> dict[str, str]:
    """The arguments that ask for what comes next; none where the operation takes no such."""
    queries = [one for one in operation.parts.parameters if one.place == "query"]
    if "?" in next_one or next_one.startswith(("http://", "https://", "/")):
        asked = dict(parse_qsl("&".join(f"{name}={one}" for name, one in request.query)))
        wanted = dict(parse_qsl(urlsplit(next_one).query))
        return {
            one.argument: wanted[one.name]
            for one in queries
            if one.name in wanted and wanted[one.name] != asked.get(one.name)
        }
    known = {one.name: one.argument for one in queries}
    taker = next((one for one in TAKERS if one in known), None)
    return {known[taker]: next_one} if taker is not None else {}


def _items(value: JsonValue) -> Sequence[JsonValue] | None:
    """The list that an answer is about."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    lists = [one for one in value.values() if isinstance(one, list)]
    if lists:
        return max(lists, key=len)
    inner = value.get("data")
    return _items(inner) if isinstance(inner, dict) else None


def _total(value: JsonValue, items: Sequence[JsonValue] | None) -> int | None:
    if not isinstance(value, dict) or items is None:
        return None
    for name in HOLDERS:
        holder = value if not name else value.get(name)
        for word in TOTALS:
            found = cast("dict[str, Any]", holder).get(word) if isinstance(holder, dict) else None
            if isinstance(found, int) and not isinstance(found, bool) and found >= len(items):
                return found
    return None
