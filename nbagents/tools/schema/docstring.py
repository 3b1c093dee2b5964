"""What a docstring says of a function and its parameters, in Google, NumPy or Sphinx style."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, TypeAlias, cast

DocstringStyle: TypeAlias = Literal["auto", "google", "numpy", "sphinx"]

# Source: openai/openai-agents-python, docstring style detection (its rules, see A2.1 of our notes):
# a point for each pattern that is found, and in this order where points are equal.
PATTERNS: dict[Literal["sphinx", "numpy", "google"], tuple[str, ...]] = {
    "sphinx": (r"^:param\s", r"^:type\s", r"^:returns?:", r"^:rtype:"),
    "numpy": (
        r"^Parameters\s*\n\s*-{3,}",
        r"^Returns\s*\n\s*-{3,}",
        r"^Yields\s*\n\s*-{3,}",
    ),
    "google": (r"^(Args|Arguments):", r"^Returns:", r"^Raises:"),
}

GOOGLE_HEADER = re.compile(
    r"(?<=[^\n])\n(?=(?:Args|Arguments|Parameters|Params|Returns|Raises|Yields|Example|Examples):"
    r"[ \t]*\n)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocText:
    """A docstring, as far as a model reads it."""

    description: str = ""
    """The free text before the first section."""
    parameters: dict[str, str] = field(default_factory=dict[str, str])
    """One line of text for each parameter that is described; names without stars."""
    types: dict[str, str] = field(default_factory=dict[str, str])
    """The types that it gives itself, where it does; hints say what holds."""


def detected_style(docstring: str) -> Literal["google", "numpy", "sphinx"]:
    """The style that a docstring is written in; Google where nothing says otherwise."""
    if "---" not in docstring and not docstring.startswith(":") and "\n:" not in docstring:
        return "google"  # neither of the others can be found: most are such

    def points(style: Literal["google", "numpy", "sphinx"]) -> int:
        return sum(1 for one in PATTERNS[style] if re.search(one, docstring, re.MULTILINE))

    best = max(PATTERNS, key=points)
    return best if points(best) else "google"


def read_docstring(docstring: str | None, style: DocstringStyle = "auto") -> DocText:
    """Read a docstring whose indentation is already cleaned (`inspect.getdoc`)."""
    if not docstring or not docstring.strip():
        return DocText()
    if ":" not in docstring and "---" not in docstring:  # what every section needs
        return DocText(description=docstring.strip())
    if style == "auto":
        style = detected_style(docstring)
    if style == "google":
        # The parser takes a header as prose unless a blank line stands before it.
        docstring = GOOGLE_HEADER.sub("\n\n", docstring)
    return _parsed(docstring, style)


def _parsed(docstring: str, style: Literal["google", "numpy", "sphinx"]) -> DocText:
    import griffe

    # The empty line keeps it from taking indentation away a second time; and it would warn of every
    # parameter whose type is not in the text.
    sections = griffe.Docstring("\n" + docstring, lineno=1).parse(style, warnings=False)
    description = ""
    parameters: dict[str, str] = {}
    types: dict[str, str] = {}
    for position, section in enumerate(sections):
        if section.kind is griffe.DocstringSectionKind.text and position == 0:
            description = str(section.value).strip()
        elif section.kind in _parameter_kinds():
            for one in cast("list[griffe.DocstringParameter]", section.value):
                parameters.update(_described(one.name, one.description))
                types.update(_described(one.name, str(one.annotation or "")))
    return DocText(description=description, parameters=parameters, types=types)


@cache
def _parameter_kinds() -> tuple[object, ...]:
    import griffe

    kinds = griffe.DocstringSectionKind
    return (kinds.parameters, kinds.other_parameters)


def _described(names: str, description: str | None) -> dict[str, str]:
    # NumPy style may describe several at once: `lon, lat : float`.
    text = " ".join((description or "").split())
    return {name.strip().lstrip("*\\"): text for name in names.split(",")} if text else {}
