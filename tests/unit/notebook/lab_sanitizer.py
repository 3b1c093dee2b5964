"""What JupyterLab lets through of the HTML of an untrusted notebook, as far as we use it.

Source: jupyterlab/jupyterlab, `packages/apputils/src/sanitizer.ts`: `allowedTags`,
`allowedAttributes`, `allowedStyles`. A property that is not listed here may well be allowed there:
look it up before adding it.
"""

from __future__ import annotations

import re

from nbagents.notebook.saved.look import style_sheet_address

TAGS = frozenset(
    {
        "a",
        "blockquote",
        "br",
        "code",
        "del",
        "details",
        "div",
        "em",
        "hr",
        "img",
        "ins",
        "li",
        "ol",
        "p",
        "pre",
        "s",
        "span",
        "strong",
        "summary",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    }
)
ANYWHERE = frozenset({"class", "dir", "style", "title"})
ATTRIBUTES = {
    "a": {"href", "rel", "target"},
    "details": {"open"},
    "img": {"alt", "src"},
    "ol": {"start"},
    "td": {"align", "scope"},
    "th": {"align", "scope"},
}
COLOUR = r"(#[0-9a-f]+|transparent)"
LENGTH = r"(0|[+-]?(\d*\.)?\d+(px|em|%))"
SIZE = r"(0|\+?(\d*\.)?\d+(px|em|%))"
BORDER = rf"(({LENGTH}|solid|{COLOUR})\s*){{1,3}}"
STYLES = {
    "background": COLOUR,
    "border": BORDER,
    "border-collapse": "collapse|separate",
    "border-left": BORDER,
    "border-radius": rf"({LENGTH}\s*){{1,4}}",
    "border-top": BORDER,
    "clear": "none|left|right|both",
    "color": COLOUR,
    "cursor": "pointer",
    "display": "block|inline-block|none",
    "float": "left|right|none",
    "font-size": SIZE,
    "font-weight": "normal|bold|[1-9]00",
    "height": f"{SIZE}|auto",
    "line-height": r"normal|\+?(\d*\.)?\d+",
    "font-family": r"[a-z-]+(,\s*[a-z-]+)*",
    "left": f"{LENGTH}|auto",
    "list-style": "none",
    "margin": rf"({LENGTH}\s*){{1,4}}",
    "margin-bottom": LENGTH,
    "margin-left": LENGTH,
    "max-height": SIZE,
    "max-width": SIZE,
    "opacity": r"1|0(\.\d+)?",
    "overflow": "visible|hidden|scroll|auto",
    "padding": rf"({SIZE}\s*){{1,4}}",
    "padding-left": SIZE,
    "position": "static|relative|absolute",
    "text-decoration": "none|underline|line-through",
    "text-align": "left|right|center|justify",
    "vertical-align": "top|middle|bottom|baseline",
    "white-space": "normal|pre|nowrap|pre-wrap|pre-line",
    "width": SIZE,
    "word-break": "normal|keep-all|break-all",
    "word-wrap": "normal|break-word",
}
SHEET = {"rel": "stylesheet", "href": style_sheet_address()}
SAFE_LINK = re.compile(r"(https?://|mailto:)\S+", re.IGNORECASE)
SAFE_PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}")


def refused(elements: list[tuple[str, dict[str, str]]]) -> list[str]:
    """What the sanitizer would take away, or what could do something on its own."""
    found: list[str] = []
    for tag, attributes in elements:
        if tag == "link" and attributes == SHEET:
            continue  # it is taken away, and nothing is left of it: see `look`
        if tag not in TAGS:
            found.append(f"<{tag}>")
        known = ANYWHERE | ATTRIBUTES.get(tag, set())
        found += [
            f"<{tag} {name}={value}>" for name, value in attributes.items() if name not in known
        ]
        found += refused_styles(attributes.get("style", ""))
        if "href" in attributes and not SAFE_LINK.fullmatch(attributes["href"]):
            found.append(f"href={attributes['href']}")
        if "src" in attributes and not SAFE_PICTURE.fullmatch(attributes["src"]):
            found.append(f"src={attributes['src']}")
    return found


def refused_styles(style: str) -> list[str]:
    """The declarations of an inline style that would be taken away."""
    pairs = [one.split(":", 1) for one in style.split(";") if one.strip()]
    return [
        f"{name}:{value}"
        for name, value in pairs
        if not re.fullmatch(STYLES.get(name, r"(?!)"), value, re.IGNORECASE)
    ]
