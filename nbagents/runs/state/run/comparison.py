"""Two runs beside each other, as a value that shows itself."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from nbagents.redaction import clean
from nbagents.runs.state.run.run import Run
from nbagents.runs.wording import compared, compared_text
from nbagents.tools.context import require

if TYPE_CHECKING:
    from nbagents.runs.wording import CallPair, Compared, Fact

DRAWN_BY: Final = "nbagents.notebook.copies"
"""The room that draws it: it knows notebooks, so it is found by its name."""


class Comparison:
    """What differs between two runs; printed it is text, in a notebook tables.

    Args:
        a: The one run.
        b: The other.
    """

    def __init__(self, a: Run, b: Run) -> None:
        self.a = a
        self.b = b
        self.found: Compared = compared(a.tree(), a.id, b.tree(), b.id)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is said and counted of both: prompt, model, steps, calls, tokens, cost, time."""
        return self.found.facts

    @property
    def calls(self) -> tuple[CallPair, ...]:
        """The calls of both beside each other, those of runs inside below theirs."""
        return self.found.calls

    @property
    def differing(self) -> tuple[CallPair, ...]:
        """Those of them that are not the same."""
        return tuple(one for one in self.calls if not one.is_same)

    @property
    def answer(self) -> tuple[str, ...]:
        """The answers, line by line as a diff has them; nothing where they are the same."""
        return self.found.answer

    @property
    def is_same(self) -> bool:
        """Whether both made the same calls, got the same and answered the same."""
        return not self.differing and not self.answer

    def __repr__(self) -> str:
        return clean(compared_text(self.found, (self.a.id, self.b.id)))

    def _repr_mimebundle_(self, **_options: object) -> dict[str, object]:
        drawer: Any = import_module(DRAWN_BY)  # Any: a module that stands above this room
        names = (self.a.id, self.b.id)
        return {"text/plain": repr(self), "text/html": drawer.comparison_markup(self.found, names)}


def compare(a: Run | str, b: Run | str) -> Comparison:
    """What differs between two runs: steps, calls, arguments, results, answer, tokens, time.

    Args:
        a: A run, or what `Run.load` takes: an id of the log, or a file.
        b: The other, e.g. a branch of it.

    Raises:
        RunError: There is no such run.
        ValueError: This is no run.

    Example:
        ```python
        nba.compare(run, run.fork(at=2, result="sold out"))
        ```
    """
    return Comparison(_run(a, "The first run"), _run(b, "The second run"))


def _run(given: Run | str, what: str) -> Run:
    require(what, given, (Run, str), "give a run, or its id, e.g. nbagents.compare(run, branch).")
    return given if isinstance(given, Run) else Run.load(given)
