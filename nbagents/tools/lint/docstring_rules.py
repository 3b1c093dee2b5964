"""Where a docstring says something else than the signature."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import did_you_mean
from nbagents.narrowing import dict_of
from nbagents.tools.context import docstring_of
from nbagents.tools.lint.finding import LintFinding
from nbagents.tools.schema import FunctionSchema, read_docstring, read_signature

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.tools.lint.linted import Linted

DEFAULT: Final = re.compile(
    r"\b(?:[Dd]efaults? (?:to|is|of)|[Bb]y default|[Dd]efault:)\s*[:=]?\s*`{0,2}"
    r"(?P<value>-?\d+(?:\.\d+)?|True|False|None|'[^']*'|\"[^\"]*\")`{0,2}(?=[\s.,;)]|$)"
)
"""What a description says the default is, where it is a literal of Python."""
TYPES: Final[Mapping[str, str]] = {
    "str": "string",
    "string": "string",
    "int": "integer",
    "integer": "integer",
    "float": "number",
    "number": "number",
    "bool": "boolean",
    "boolean": "boolean",
    "list": "array",
    "dict": "object",
}


def docstring_findings(tool: Linted) -> Iterator[LintFinding]:
    """Where its docstring is not of its parameters, of their types or of their defaults."""
    if not isinstance(tool.schema, FunctionSchema) or tool.docstring_style is None:
        return
    text = read_docstring(docstring_of(tool.function), tool.docstring_style)
    found = read_signature(tool.function, tool.name, tool.local_names)
    names = [one.name for one in found]
    properties = dict_of(tool.schema.parameters.get("properties"))
    for name, said in text.parameters.items():
        if name not in names:
            takes_any = any(one.kind is one.kind.VAR_KEYWORD for one in found)
            if not takes_any:
                yield _unknown(tool.name, name, names)
            continue
        parameter = next(one for one in found if one.name == name)
        wrong = _wrong_default(said, parameter.default)
        if wrong is not None and not parameter.is_required:
            yield LintFinding(
                tool=tool.name,
                rule="wrong-default",
                what=f"The docstring says that {name} is {wrong} by default; it is "
                f"{parameter.default!r}.",
                remedy="Let both say the same; the schema has the default already.",
                parameter=name,
            )
        yield from _wrong_type(tool.name, name, text.types.get(name, ""), properties.get(name, {}))


def _unknown(tool: str, name: str, names: list[str]) -> LintFinding:
    return LintFinding(
        tool=tool,
        rule="unknown-parameter",
        what=f"The docstring describes {name}, which is no parameter.{did_you_mean(name, names)}",
        remedy="A model is not told what it says. Give it the parameter's name, or take it out.",
        parameter=name,
    )


def _wrong_default(said: str, default: object) -> str | None:
    """What a description says the default is, where it is another one."""
    match = DEFAULT.search(said)
    if match is None:
        return None
    value: object = ast.literal_eval(match["value"])
    if isinstance(default, (int, float, str, type(None))) and value != default:
        return match["value"]
    return None


def _wrong_type(
    tool: str, name: str, said: str, schema: Mapping[str, Any]
) -> Iterator[LintFinding]:
    """A type of one word in the docstring that is another one than the hint's."""
    meant = TYPES.get(said.removesuffix(", optional").strip().lower())
    kind = schema.get("type")
    is_number = {meant, kind} == {"integer", "number"}
    if meant is not None and isinstance(kind, str) and meant != kind and not is_number:
        yield LintFinding(
            tool=tool,
            rule="wrong-type",
            what=f"The docstring says that {name} is {said}; its type hint says {kind}.",
            remedy="Leave the type to the hint: a model is told that one.",
            parameter=name,
        )
