"""Takes `%agent` and `%tool` lines before IPython does.

IPython turns any line that ends in `?` into help, and reads quotes and braces in magic lines; a
prompt is natural language, so it must come through as it stands.
"""

from __future__ import annotations

import io
import re
import tokenize

__all__ = ["take_magic_lines"]

LINE = re.compile(
    r"(?P<indent>[ \t]*)(?P<target>[^\s#%!=][^#%!=]*=[ \t]*)?%(?P<magic>agent|tool)\b(?P<rest>.*)"
)
ELSEWHERE = re.compile(r"\s*[%!?]|.*\?\s*$")


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
        match = LINE.match(line)
        if match is None or _is_help(match["rest"]) or _is_inside(taken):
            taken.append(line)
            continue
        text = match["rest"].rstrip("\r\n")
        while text.endswith("\\") and rest:
            text = text[:-1].rstrip() + " " + rest.pop(0).strip()
        call = f"get_ipython().run_line_magic({match['magic']!r}, {text.strip()!r})"
        taken.append(f"{match['indent']}{match['target'] or ''}{call}\n")
    return taken


def _is_help(rest: str) -> bool:
    return rest.strip() in ("?", "??")


def _is_inside(before: list[str]) -> bool:
    """Whether the lines before end within a string, a bracket or a continued line."""
    plain = ["pass\n" if ELSEWHERE.match(line) and not _indented(line) else line for line in before]
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO("".join(plain)).readline))
    except tokenize.TokenError as error:
        return "EOF in multi-line" in str(error) or "unterminated triple" in str(error)
    except (SyntaxError, IndentationError):
        return False
    del tokens
    return bool(plain) and plain[-1].rstrip("\r\n").endswith("\\")


def _indented(line: str) -> bool:
    return line[:1] in (" ", "\t")
