"""A model's Markdown as markup that can do nothing: no HTML of its own, no address but a web page.

Pictures become links, since a picture is fetched without being asked for: an address in it could
carry out what the model has read. Headings become bold lines, so that an answer leaves the
notebook's table of contents alone. Formulas keep their dollars, for whatever draws formulas on the
page; no other dollar can be taken for one.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from nbagents.notebook.markup.markup import LINE, Html, join, opening, pre, tag
from nbagents.notebook.markup.maths import add_maths, is_tame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
TASK = re.compile(r"\[([ xX])\] ")
SAFE_ADDRESS = re.compile(r"https?://|mailto:", re.IGNORECASE)
BEGINS_MATHS = re.compile(r"(\$|\\(?=[(\[]|begin))")
DEEPEST = 40
"""Elements inside one another; deeper ones are left out, their text is not."""
CELL = f"border:{LINE};padding:3px 10px;background:transparent"
HEADING_SIZES = {"h1": "1.25em", "h2": "1.15em"}
STYLES = {
    "blockquote": "margin:0 0 8px;padding:0 12px;border-left:3px solid #8886",
    "ol": "margin:0 0 8px;padding-left:24px",
    "p": "margin:0 0 8px",
    "table": "display:block;overflow:auto;margin:0 0 8px;border-collapse:collapse",
    "ul": "margin:0 0 8px;padding-left:24px",
}


def markdown(text: str) -> Html:
    """Markdown (CommonMark with tables and strikethrough) as safe markup."""
    written: list[str] = []
    closings: list[str] = []
    turned = {"dir": "auto"} if RIGHT_TO_LEFT.search(text) else {}
    for token in _flat(text):
        if token.nesting > 0:
            about = {} if closings else turned
            start, end = _around(token, about) if len(closings) < DEEPEST else ("", "")
            written.append(start)
            closings.append(end)
        elif token.nesting < 0:
            written.append(closings.pop())
        else:
            written.append(_leaf(token))
    return join(*written)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # only an answer pays for it

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return add_maths(parser)


def _flat(text: str) -> Iterator[Token]:
    """The tokens in a row; no recursion, however deep an answer is nested."""
    before = ("", "")
    for token in _parser().parse(text):
        if token.type == "inline":
            if before == ("list_item_open", "paragraph_open") and token.children:
                _tick(token.children[0])
            yield from token.children or ()
        else:
            yield token
        before = (before[1], token.type)


def _tick(first: Token) -> None:
    """What begins an item as a task does is a box, ticked or not."""
    found = TASK.match(first.content) if first.type == "text" else None
    if found:
        first.content = f"{'☐' if found[1] == ' ' else '☑'} {first.content[found.end() :]}"


def _around(token: Token, turned: Mapping[str, str]) -> tuple[str, str]:
    """What stands before and after that which a token opens; `turned`: how it is read."""
    if token.hidden:  # a paragraph in a list without blank lines
        return "", ""
    if token.type == "heading_open":
        size = HEADING_SIZES.get(token.tag, "1.05em")
        start = opening("p", f"margin:12px 0 4px;font-size:{size}", **turned)
        return join(start, STRONG), Html("</strong></p>")
    if token.type == "link_open":
        return _link(str(token.attrs.get("href", "")))
    if token.tag in ("th", "td"):
        align = str(token.attrs.get("style", "")).removeprefix("text-align:") or "left"
        return opening(token.tag, f"{CELL};text-align:{align}", align=align), _closing(token)
    first = {"start": str(token.attrs["start"])} if "start" in token.attrs else {}
    return opening(token.tag, STYLES.get(token.tag, ""), **first, **turned), _closing(token)


def _link(address: str) -> tuple[str, str]:
    if SAFE_ADDRESS.match(address):
        return opening("a", href=address, rel="noopener noreferrer nofollow"), Html("</a>")
    return "", f" ({address})"


def _closing(token: Token) -> Html:
    return Html(f"</{token.tag}>")


def _leaf(token: Token) -> str:
    draw = LEAVES.get(token.type)
    return draw(token) if draw else token.content  # unknown: as text, escaped


def _text(token: Token) -> Html:
    """Words in which a typesetter finds nothing: what begins a formula stands alone."""
    words, *others = BEGINS_MATHS.split(token.content)
    pairs = zip(others[::2], others[1::2], strict=True)
    return join(words, *(join(tag("span", sign), more) for sign, more in pairs))


def _maths(token: Token) -> Html:
    if not is_tame(token.content):
        return tag("code", token.content)
    name = "div" if token.block else "span"
    return tag(name, f"{token.markup}{token.content}{token.markup}")


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
    "maths": _maths,
    "softbreak": lambda _: "\n",
    "text": _text,
}
"""How each kind of token that holds no others is drawn."""
