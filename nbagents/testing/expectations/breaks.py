"""`ExpectationError`: what a run did not do, with the place in its tree marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.errors import NbagentsError
from nbagents.redaction import clean
from nbagents.testing.expectations.outline import BROKEN, HELD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.testing.expectations.outline import Colour, Finding, Line

CODES: Final = {"red": "\x1b[31m", "green": "\x1b[32m"}
BOLD: Final = "\x1b[1m"
SIGNS: Final = (HELD[0], BROKEN[0])
RESET: Final = "\x1b[0m"


class ExpectationError(NbagentsError, AssertionError):
    """A run did not do what was expected of it.

    Attributes:
        findings: What came of each expectation, in order; the broken ones say why.
        why: The same of all broken ones, a line each.

    Printed, it is plain text; in a notebook that somebody looks at, what holds is marked in green
    and what does not in red.
    """

    def __init__(
        self, findings: Sequence[Finding], chain: Sequence[Line], outline: Sequence[Line]
    ) -> None:
        self.findings = tuple(findings)
        self._lines = (*chain, None, *outline)
        whys = [one.why for one in self.findings if not one.holds]
        self.why = clean("\n".join(whys))
        super().__init__("\n".join([self.why, "", *self._written(is_coloured=False)]))

    def _written(self, *, is_coloured: bool) -> list[str]:
        return ["" if one is None else _text(one, is_coloured=is_coloured) for one in self._lines]

    def _render_traceback_(self) -> list[str]:
        """IPython shows this instead of a traceback: none of its frames says more."""
        head = f"{type(self).__name__}: {self.why}"
        is_coloured = is_looked_at()
        shown = coloured(head, "red") if is_coloured else head
        return [shown, "", *self._written(is_coloured=is_coloured)]


def _text(line: Line, *, is_coloured: bool) -> str:
    said = clean(line.text)
    return coloured(said, line.colour) if is_coloured else said


def coloured(text: str, colour: Colour) -> str:
    """A line whose sign is in a colour of the page's theme, and which is bold where that is red.

    The words are not coloured: on the ground of an error nobody could read them.
    """
    if colour is None:
        return text
    sign, words = (text[:1], text[1:]) if text[:1] in SIGNS else ("", text)
    marked = f"{CODES[colour]}{sign}{RESET}" if sign else ""
    return f"{marked}{BOLD}{words}{RESET}" if colour == "red" else f"{marked}{words}"


def is_looked_at() -> bool:
    """Whether a page shows what this cell says; a notebook that is run headless stays plain."""
    from nbagents.notebook.kernel import is_watched  # only IPython asks for it

    return is_watched()
