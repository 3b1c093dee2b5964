"""A model's Markdown as markup that can do nothing: no HTML of its own, no address but a web page.

Pictures become links, since a picture is fetched without being asked for: an address in it could
carry out what the model has read. Headings become bold lines, so that an answer leaves the
notebook's table of contents alone.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from nbagents.notebook.frozen_markup import LINE, Html, join, opening, pre, tag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["markdown"]

SAFE_ADDRESS = re.compile(r"https?://|mailto:", re.IGNORECASE)
DEEPEST = 40
"""Elements inside one another; deeper ones are left out, their text is not."""
CELL = f"border:{LINE};padding:3px 10px;background:transparent"
HEADING_SIZES = {"h1": "1.25em", "h2": "1.15em"}
STYLES = {
    "blockquote": "margin:0 0 8px;padding:0 12px;border-left:3px solid #8886",
    "ol": "margin:0 0 8px;padding-left:24px",
    "p": "margin:0 0 8px",
    "table": "margin:0 0 8px;border-collapse:collapse",
    "ul": "margin:0 0 8px;padding-left:24px",
}


def markdown(text: str) -> Html:
    """Markdown (CommonMark with tables and strikethrough) as safe markup."""
    written: list[str] = []
    closings: list[str] = []
    for token in _flat(text):
        if token.nesting > 0:
            start, end = _around(token) if len(closings) < DEEPEST else ("", "")
            written.append(start)
            closings.append(end)
        elif token.nesting < 0:
            written.append(closings.pop())
        else:
            written.append(_leaf(token))
    return join(*written)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415  only an answer pays for it

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def _flat(text: str) -> Iterator[Token]:
    """The tokens in a row; no recursion, however deep an answer is nested."""
    for token in _parser().parse(text):
        if token.type == "inline":
            yield from token.children or ()
        else:
            yield token


def _around(token: Token) -> tuple[str, str]:
    """What stands before and after that which a token opens."""
    if token.hidden:  # a paragraph in a list without blank lines
        return "", ""
    if token.type == "heading_open":
        size = HEADING_SIZES.get(token.tag, "1.05em")
        return join(opening("p", f"margin:12px 0 4px;font-size:{size}"), STRONG), Html(
            "</strong></p>"
        )
    if token.type == "link_open":
        return _link(str(token.attrs.get("href", "")))
    if token.tag in ("th", "td"):
        align = str(token.attrs.get("style", "")).removeprefix("text-align:") or "left"
        return opening(token.tag, f"{CELL};text-align:{align}", align=align), _closing(token)
    start = {"start": str(token.attrs["start"])} if "start" in token.attrs else {}
    return opening(token.tag, STYLES.get(token.tag, ""), **start), _closing(token)


def _link(address: str) -> tuple[str, str]:
    if SAFE_ADDRESS.match(address):
        return opening("a", href=address, rel="noopener noreferrer nofollow"), Html("</a>")
    return "", f" ({address})"


def _closing(token: Token) -> Html:
    return Html(f"</{token.tag}>")


def _leaf(token: Token) -> str:
    draw = LEAVES.get(token.type)
    return draw(token) if draw else token.content  # unknown: as text, escaped


def _image(token: Token) -> Html:
    start, end = _link(str(token.attrs.get("src", "")))
    return join(start, f"[picture: {token.content}]", end)


STRONG = opening("strong")
LEAVES: Mapping[str, Callable[[Token], str]] = {
    "code_block": lambda token: pre(token.content.removesuffix("\n")),
    "code_inline": lambda token: tag("code", token.content),
    "fence": lambda token: pre(token.content.removesuffix("\n")),
    "hardbreak": lambda _: tag("br"),
    "hr": lambda _: tag("hr"),
    "image": _image,
    "softbreak": lambda _: "\n",
}
"""How each kind of token that holds no others is drawn."""
