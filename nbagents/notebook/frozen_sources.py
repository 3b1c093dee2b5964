"""Where an answer comes from: its citations, each source once, as HTML and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from nbagents.notebook.frozen_markup import Html, join, muted, tag
from nbagents.notebook.frozen_words import clipped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Source", "sources_list", "sources_of"]

WEB = ("http", "https")
LIST = "margin:0;padding-left:24px;font-size:0.92em"
LABEL = "margin:8px 0 0;font-size:0.86em;opacity:0.75"
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


def sources_list(citations: Sequence[Mapping[str, Any]]) -> Html:
    """A numbered list with links that open beside the notebook and know nothing of it."""
    items = [tag("li", _entry(source)) for source in sources_of(citations)]
    if not items:
        return Html()
    return join(tag("p", "Sources", style=LABEL), tag("ol", *items, style=LIST))


def _entry(source: Source) -> Html:
    if not source.url:
        return join(source.title)
    link = tag(
        "a",
        source.title,
        href=source.url,
        title=source.url,
        target="_blank",
        rel="noopener noreferrer nofollow",
    )
    return join(link, " ", muted(source.host) if source.host != source.title else "")
