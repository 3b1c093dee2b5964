"""Where an answer comes from: its citations, each source once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from nbagents.runs.wording.words import clipped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WEB = ("http", "https")
TITLE_WIDTH = 200


class Source(NamedTuple):
    """A source of an answer; without an address it is a file, or no web page."""

    title: str
    url: str
    host: str


def sources_of(citations: Sequence[Mapping[str, Any]]) -> list[Source]:
    """The sources, each once, in the order in which they are cited first."""
    titles: dict[str, str] = {}
    urls: dict[str, str] = {}
    for one in citations:
        key = one["url"] or one["file_id"] or one["title"]
        if key:
            titles[key] = titles.get(key) or one["title"] or ""
            urls[key] = one["url"] or ""
    return [_source(title or key, urls[key]) for key, title in titles.items()]


def _source(title: str, url: str) -> Source:
    said = clipped(title, TITLE_WIDTH)
    try:
        parts = urlsplit(url)
    except ValueError:
        return Source(said, "", "")
    if parts.scheme.lower() not in WEB or not parts.hostname or _has_blanks(url):
        return Source(said, "", "")
    return Source(said, url, parts.netloc.rpartition("@")[2])


def _has_blanks(url: str) -> bool:
    return any(character.isspace() or not character.isprintable() for character in url)
