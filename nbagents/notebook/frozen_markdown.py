"""A model's Markdown as markup that can do nothing: no HTML of its own, no address but a web page.

Pictures become links, since a picture is fetched without being asked for: an address in it could
carry out what the model has read. Headings become bold lines, so that an answer leaves the
notebook's table of contents alone.
"""

from __future__ import annotations

import html
import re
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from nbagents.notebook.frozen_markup import LINE, Html, join, pre, tag, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["markdown"]

Node: TypeAlias = "Mapping[str, Any]"  # mistune's tree is untyped
SAFE_ADDRESS = re.compile(r"(https?://|mailto:)[^\s]+", re.IGNORECASE)
CELL = f"border:{LINE};padding:3px 10px;background:transparent"
HEADING_SIZES = ("1.25em", "1.15em", "1.05em")


def markdown(text: str) -> Html:
    """Markdown (CommonMark with tables and strikethrough) as safe markup."""
    try:
        return _drawn(_parser()(visible(text)))
    except RecursionError:  # nested deeper than any answer: shown as it was written
        return pre(text)


@cache
def _parser() -> Callable[[str], Sequence[Node]]:
    import mistune  # noqa: PLC0415  only an answer pays for it

    made = mistune.create_markdown(renderer=None, plugins=["table", "strikethrough"])
    return cast("Callable[[str], Sequence[Node]]", made)


def _drawn(tokens: Sequence[Node]) -> Html:
    return join(*(_draw(token) for token in tokens))


def _draw(token: Node) -> str:
    draw = DRAW.get(token["type"])
    return draw(token) if draw else str(token.get("raw", ""))  # unknown: as text, escaped


def _inside(token: Node) -> Html:
    return _drawn(token.get("children", ()))


def _wrapped(name: str, style: str = "") -> Callable[[Node], str]:
    return lambda token: tag(name, _inside(token), style=style)


def _text(token: Node) -> str:
    return html.unescape(token["raw"])  # `&amp;` is an entity in Markdown; it is escaped anew


def _heading(token: Node) -> Html:
    at = min(token["attrs"]["level"], len(HEADING_SIZES)) - 1
    strong = tag("strong", _inside(token))
    return tag("p", strong, style=f"margin:12px 0 4px;font-size:{HEADING_SIZES[at]}")


def _link(token: Node) -> Html:
    return _linked(_inside(token), token["attrs"]["url"])


def _linked(label: Html, url: str) -> Html:
    address = html.unescape(url)
    if SAFE_ADDRESS.fullmatch(address):
        return tag("a", label, href=address, rel="noopener noreferrer nofollow")
    return join(label, f" ({address})") if address else label


def _image(token: Node) -> Html:
    alt = "".join(_plain(child) for child in token.get("children", ())) or "picture"
    return _linked(join(f"[picture: {alt}]"), token["attrs"]["url"])


def _plain(token: Node) -> str:
    inner = "".join(_plain(child) for child in token.get("children", ()))
    return html.unescape(token.get("raw", "")) + inner


def _list(token: Node) -> Html:
    attrs = token["attrs"]
    style = "margin:0 0 8px;padding-left:24px"
    if not attrs.get("ordered"):
        return tag("ul", _inside(token), style=style)
    start = {"start": str(attrs["start"])} if "start" in attrs else {}
    return tag("ol", _inside(token), style=style, **start)


def _cell(token: Node) -> Html:
    attrs = token["attrs"]
    name = "th" if attrs.get("head") else "td"
    align = attrs.get("align") or "left"
    return tag(name, _inside(token), align=align, style=f"{CELL};text-align:{align}")


def _table_head(token: Node) -> Html:
    return tag("thead", tag("tr", _inside(token)))


DRAW: Mapping[str, Callable[[Node], str]] = {
    "blank_line": lambda _: "",
    "block_code": lambda token: pre(token["raw"].removesuffix("\n")),
    "block_html": lambda token: tag("p", token["raw"].strip(), style="margin:0 0 8px"),
    "block_quote": _wrapped(
        "blockquote", "margin:0 0 8px;padding:0 12px;border-left:3px solid #8886"
    ),
    "block_text": _inside,
    "codespan": lambda token: tag("code", token["raw"]),
    "emphasis": _wrapped("em"),
    "heading": _heading,
    "image": _image,
    "inline_html": lambda token: str(token["raw"]),
    "linebreak": lambda _: tag("br"),
    "link": _link,
    "list": _list,
    "list_item": _wrapped("li"),
    "paragraph": _wrapped("p", "margin:0 0 8px"),
    "softbreak": lambda _: "\n",
    "strikethrough": _wrapped("del"),
    "strong": _wrapped("strong"),
    "table": _wrapped("table", "margin:0 0 8px;border-collapse:collapse"),
    "table_body": _wrapped("tbody"),
    "table_cell": _cell,
    "table_head": _table_head,
    "table_row": _wrapped("tr"),
    "text": _text,
    "thematic_break": lambda _: tag("hr"),
}
"""How each kind of token is drawn."""
