r"""Maths in Markdown: what is between `$` or `$$`, `\(` and `\)`, `\[` and `\]`, and what is none.

The twin of `js/src/markdown/maths.ts`, which says how amounts of money are told from formulas; both
pass `tests/fixtures/maths.json`. A formula keeps its dollars, so that the page which shows a saved
notebook draws it as it draws the notebook's own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

MOST_CHARACTERS = 4000
"""Longer formulas are text: a delimiter was forgotten."""
BLANK_LINE = re.compile(r"\n[ \t]*\n")
END_OF_LINE = re.compile(r"[ \t]*(?:\n|\Z)")
DOLLARS = re.compile(r"\$(?P<tex>(?:\\.|[^\\$]){1,4000}?)\$(?![^\W_])", re.DOTALL)
AMOUNT = re.compile(r"\d[\d.,]*[kKmMbB]?[,;:]?\s+[^\W\d_]{2,}")
ACTIVE = re.compile(
    r"\\(?:[exg]?def|let|futurelet|(?:re)?new(?:command|environment)|providecommand|newtheorem"
    r"|DeclareMathOperator|DeclarePairedDelimiters?X?(?:pp)?|require|href|url|hyperref|style|class"
    r"|cssId|data|html[A-Za-z]*|includegraphics|unicode|mmlToken|label|ref|eqref|bbox|texttip"
    r"|mathtip|toggle|catcode|newcolumntype|definecolor)(?![A-Za-z])"
)
"""What would act on the page, or on the formulas of others."""
STARTS = frozenset({"$$", "\\["})
"""What begins a formula that has lines of its own."""
PAIRS = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}


class Maths(NamedTuple):
    """A formula in a text."""

    length: int
    """Of all of it, its delimiters included."""
    tex: str
    is_block: bool


def maths_in(text: str, before: str = "") -> Maths | None:
    """The formula at the beginning of a text; `before` is the character that stands before it."""
    if text[:2] in PAIRS:
        return _between(text, PAIRS[text[:2]], is_block=text[:2] in STARTS)
    if not text.startswith("$") or before == "$" or before.isalnum():
        return None
    found = DOLLARS.match(text)
    tex = found["tex"] if found else ""
    if found is None or tex != tex.strip() or BLANK_LINE.search(tex) or AMOUNT.match(tex):
        return None
    return Maths(found.end(), tex, is_block=False)


def is_tame(tex: str) -> bool:
    """Whether a formula may be handed to whatever draws formulas."""
    return ACTIVE.search(tex) is None


def add_maths(parser: MarkdownIt) -> MarkdownIt:
    """Have a parser find formulas: tokens of the type `maths`, marked `$` or `$$`."""
    parser.inline.ruler.before("escape", "maths", _inline)
    around: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "maths", _block, around)
    return parser


def _between(text: str, close: str, *, is_block: bool) -> Maths | None:
    end = text.find(close, 2, MOST_CHARACTERS)
    tex = text[2 : max(end, 2)]
    if not tex.strip() or BLANK_LINE.search(tex):
        return None
    return Maths(end + 2, tex.strip(), is_block)


def _inline(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  as rules are called
    if state.src[state.pos] not in "$\\":
        return False
    text = state.src[state.pos : min(state.posMax, state.pos + MOST_CHARACTERS + 4)]
    found = maths_in(text, state.src[state.pos - 1 : state.pos])
    if found is None:
        return False
    if not silent:
        token = state.push("maths", "", 0)
        token.content, token.markup = found.tex, "$$" if found.is_block else "$"
    state.pos += found.length
    return True


def _block(state: StateBlock, line: int, last: int, silent: bool) -> bool:  # noqa: FBT001  as above
    begin = state.bMarks[line] + state.tShift[line]
    text = state.src[begin : min(state.eMarks[last - 1], begin + MOST_CHARACTERS + 4)]
    found = None if state.is_code_block(line) or text[:2] not in STARTS else maths_in(text)
    if found is None or not END_OF_LINE.match(text, found.length):
        return False
    if not silent:
        token = state.push("maths", "", 0)
        token.content, token.markup, token.block = found.tex, "$$", True
        state.line = line + 1 + text.count("\n", 0, found.length)
    return True
