"""Where an answer comes from: its sources as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.notebook.markup import Html, join, muted, tag
from nbagents.runs.wording import Source, sources_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LIST = "margin:0;padding-left:24px;font-size:0.92em"
LABEL = "margin:8px 0 0;font-size:0.86em;opacity:0.75"


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
