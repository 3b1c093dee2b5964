"""Looks through tools, one by one and two beside each other."""

from __future__ import annotations

import json
from itertools import combinations
from typing import TYPE_CHECKING, Final

from nbagents.tools.lint.docstring_rules import docstring_findings
from nbagents.tools.lint.finding import Findings, LintFinding
from nbagents.tools.lint.linted import Linted
from nbagents.tools.lint.parameter_rules import parameter_findings
from nbagents.tools.lint.words import content_words, says_nothing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LARGE: Final = 8_000
"""Characters of a schema, about 2,000 tokens: more is told with each request."""
LONG: Final = 2_000
"""Characters of a description; OpenAI takes 1,024 where it is strict about it."""
LISTED: Final = 3
IN_HINT: Final = ("no-docstring", "no-type", "vague-name")
"""What is worth a word where a tool is defined."""


def lint_one(tool: Linted) -> Findings:
    """What in one tool may mislead a model."""
    return Findings(
        [
            *_name_findings(tool),
            *parameter_findings(tool),
            *docstring_findings(tool),
            *_size_findings(tool),
        ]
    )


def lint_together(tools: Sequence[Linted]) -> Findings:
    """The same of several, and which of them a model cannot tell from each other."""
    each = [one for tool in tools for one in lint_one(tool)]
    return Findings([*each, *_alike(tools)])


def hint_of(tool: Linted) -> str | None:
    """One line on what a tool lacks most; `None` if that is nothing."""
    found = [one for one in lint_one(tool) if one.rule in IN_HINT]
    if not found:
        return None
    rules = {one.rule for one in found}
    untyped = [one.parameter for one in found if one.rule == "no-type" and one.parameter]
    missing = ["no docstring"] if "no-docstring" in rules else []
    missing += ["a name that says nothing"] if "vague-name" in rules else []
    missing += [f"no type for {_listed(untyped)}"] if untyped else []
    known = "what the docstring says" if "no-docstring" not in rules else "its name"
    goes_by = f": a model goes by {known} alone" if rules != {"vague-name"} else ""
    return f"{tool.name!r} has {_and(missing)}{goes_by}."


def _name_findings(tool: Linted) -> Iterator[LintFinding]:
    if not tool.description.strip():
        yield LintFinding(
            tool=tool.name,
            rule="no-docstring",
            what="It has no docstring: all that a model knows of it is its name.",
            remedy="Say in its first line what it does, and when to use it.",
        )
    if says_nothing(tool.name):
        yield LintFinding(
            tool=tool.name,
            rule="vague-name",
            what=f"The name {tool.name!r} says nothing of what it does.",
            remedy="Name it by a verb and a thing, e.g. find_place, or give a name: name=….",
        )


def _size_findings(tool: Linted) -> Iterator[LintFinding]:
    size = len(json.dumps(tool.schema.parameters))
    if size > LARGE:
        yield LintFinding(
            tool=tool.name,
            rule="large",
            what=f"Its schema has {size:,} characters, which a model is told with each request.",
            remedy="Take fewer parameters, or a type with fewer fields, or make two tools of it.",
        )
    if len(tool.description) > LONG:
        yield LintFinding(
            tool=tool.name,
            rule="large",
            what=f"Its description has {len(tool.description):,} characters.",
            remedy="Say what it does in a few sentences; what it takes stands with its parameters.",
        )


def _alike(tools: Sequence[Linted]) -> Iterator[LintFinding]:
    """Pairs of which neither the descriptions nor the parameters say which is meant when."""
    told = [
        (tool, content_words(tool.description), _names(tool))
        for tool in tools
        if tool.description.strip()
    ]
    for (one, words, takes), (other, others, gets) in combinations(told, 2):
        if words == others and takes == gets and one.function != other.function:
            yield LintFinding(
                tool=other.name,
                rule="alike",
                what=f"A model cannot tell it from {one.name}: both are described alike.",
                remedy="Say in each docstring when to use it, and not the other one.",
            )


def _names(tool: Linted) -> frozenset[str]:
    properties = tool.schema.parameters.get("properties")
    return frozenset(properties if isinstance(properties, dict) else ())


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(map(repr, names[:LISTED])) + more


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
