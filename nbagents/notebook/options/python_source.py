"""Values as Python writes them."""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING

from nbagents.narrowing import is_mapping

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH = 88


def source_of(value: object) -> str:
    """A value as Python writes it; its texts as people do."""
    if isinstance(value, str):
        return text_source(value)
    if is_mapping(value):
        pairs = (f"{source_of(key)}: {source_of(one)}" for key, one in value.items())
        return f"{{{', '.join(pairs)}}}"
    return repr(value)


def text_source(text: str) -> str:
    """A text as Python writes it, its lines below each other where that can be read."""
    lines = '"""' + text.replace("\\", "\\\\") + '"""'
    if "\n" in text and _reads_as(lines, text):
        return lines
    written = json.dumps(text, ensure_ascii=False)
    return written if _reads_as(written, text) else repr(text)


def _reads_as(written: str, text: str) -> bool:
    try:
        return ast.literal_eval(written) == text
    except (SyntaxError, ValueError):
        return False


def call_source(function: str, named: Mapping[str, str], *first: str) -> str:
    """A call on one line, or with a line for each argument; these are written already."""
    arguments = [*first, *(f"{name}={one}" for name, one in named.items())]
    line = f"{function}({', '.join(arguments)})"
    if len(line) <= WIDTH // 2 or (len(arguments) == 1 and len(line) <= WIDTH):
        return line
    return f"{function}(\n{''.join(f'    {one},{chr(10)}' for one in arguments)})"
