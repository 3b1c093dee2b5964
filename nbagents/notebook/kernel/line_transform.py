"""Takes `%agent` and `%tool` lines before IPython does.

IPython turns any line that ends in `?` into help, and reads quotes and braces in magic lines; a
prompt is natural language, so it must come through as it stands. A line is taken only where Python
itself could have an expression: what stands before must be an assignment, a `return`, or nothing.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Sequence

MAGIC = re.compile(r"%(?P<magic>agent|tool)\b(?P<rest>[^\r\n]*)")
TIMING = re.compile(r"\s*%time(it)?\b")
FOREIGN = re.compile(r"\s*[%!?]|[^#]*\?\s*$")
"""A line of IPython's own: a magic, a shell command, or help."""


def take_magic_lines(lines: list[str]) -> list[str]:
    """Turn `%agent …` and `x = %agent …` into calls that carry their text as a string.

    Lines inside strings and brackets, other magics, and `%agent?` are left alone.
    """
    if not lines or lines[0].startswith("%%") or not any("%" in line for line in lines):
        return lines
    taken: list[str] = []
    rest = list(lines)
    while rest:
        line = rest.pop(0)
        match = _magic(line)
        if match is None or _is_inside(taken):
            taken.append(line)
            continue
        text = match["rest"]
        while text.endswith("\\") and rest:
            text = text[:-1].rstrip() + " " + rest.pop(0).strip()
        call = f"get_ipython().run_line_magic({match['magic']!r}, {text.strip()!r})"
        taken.append(f"{line[: match.start()]}{call}\n")
    return taken


def _magic(line: str) -> re.Match[str] | None:
    """The first `%agent` of a line that stands where an expression may."""
    for match in MAGIC.finditer(line):
        if may_stand_before(line[: match.start()]):
            is_help = match["rest"].strip() in ("?", "??")
            return None if is_help else match
    return None


def may_stand_before(text: str) -> bool:
    """Whether an expression may follow: after nothing, an assignment, `return`, `;` or a head."""
    text = TIMING.sub("", text).strip()
    if not text:
        return True
    if not re.search(r"(=|;|:|\breturn)$", text):
        return False
    try:
        ast.parse(f"def function():\n {text} 0")
    except (SyntaxError, ValueError):
        return False
    return True


def _is_inside(before: Sequence[str]) -> bool:
    """Whether the lines before end within a string, a bracket or a continued line."""
    pending: list[str] = []
    for line in before:
        if not pending and FOREIGN.match(line) and not _is_open([line]):
            continue
        if not pending and line.lstrip()[:1] in ("%", "!"):
            continue
        pending.append(line)
        if not _is_open(pending):
            pending = []
    return bool(pending)


def _is_open(lines: Sequence[str]) -> bool:
    """Whether these lines leave a string, a bracket or a backslash open."""
    try:
        for _ in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
            pass
    except tokenize.TokenError as error:
        return "EOF in multi-line" in str(error) or "unterminated triple" in str(error)
    except SyntaxError:  # an indentation that what is left out would explain
        return False
    return lines[-1].rstrip("\r\n").endswith("\\")
