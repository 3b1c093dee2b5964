"""`nba.check`: is it right? One line for the student, no traceback, and yet the cell fails."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import NbagentsError
from nbagents.redaction import clean
from nbagents.runs.wording import clipped
from nbagents.testing.expectations import (
    Colour,
    Expectation,
    ExpectationError,
    coloured,
    is_looked_at,
)
from nbagents.tools.context import wrong

if TYPE_CHECKING:
    from nbagents.runs.state import Run

LINE: Final = 400
WHY: Final = 200
WRONG: Final = "it is not as it is to be"
NO_RUN: Final = "nbagents.check(nbagents.expect().called(...), of=run)"
CALL_IT: Final = "call it."
SHOWN: Final = 60
LAMBDA: Final = "<lambda>"


class CheckError(NbagentsError, AssertionError):
    """Something is not right yet: one line, also in a notebook.

    Attributes:
        hint: What the teacher says to it.
        why: What was found.
        points: How many points it would have given; `None`: none were said.
    """

    def __init__(self, line: str, *, why: str, hint: str, points: float | None) -> None:
        self.why, self.hint, self.points = why, hint, points
        super().__init__(line)

    def _render_traceback_(self) -> list[str]:
        """IPython shows this instead of a traceback: the student has not written what failed."""
        line = str(self)
        return [coloured(line, "red") if is_looked_at() else line]


def check(
    what: object,
    hint: str = "",
    *,
    of: Run | object = None,
    name: str = "",
    points: float | None = None,
    must: bool = True,
) -> float | None:
    """See whether something is right; say so in one line, or fail with one.

    Args:
        what: What is to be true: an expectation without a run (`nba.expect().called("f")`), a
            function that is called and may raise, assert or say whether it is right, or a value.
        hint: What the student is told where it is not.
        of: The run that an expectation is asked of; a function is called with it, if given.
        name: What is looked at, in a few words, for the line that says how it went.
        points: How many points it gives; said in the line, and kept on the error.
        must: Whether the cell fails where it is not right. Else the points that it gave come back,
            so that a cell of nbgrader may end in a sum: `nba.check(…, must=False) + …`.

    Returns:
        The points that it gave where it need not be right; else nothing, for nbgrader would take a
        number for all of the points of the cell.

    Example:
        >>> from nbagents import check
        >>> check(1 + 1 == 2, name="Sums", points=2)
        ✓ Sums (2 points)

    Raises:
        CheckError: It is not right.
        ValueError: It cannot be looked at, e.g. because an expectation has no run.
    """
    __tracebackhide__ = True
    _see_that_it_makes_sense(what, of, points)
    if points is None and not must:
        points = 1
    why = _why_not(what, of)
    if why is None:
        _say(f"✓ {name or _said(what)}{_worth(points)}", "green")
        return None if must else points
    line = _line(why, hint, name, points)
    if must:
        raise CheckError(line, why=why, hint=hint, points=points) from None
    _say(f"✗ {line}", "red")
    return 0


def _see_that_it_makes_sense(what: object, of: object, points: object) -> None:
    is_number = isinstance(points, (int, float)) and not isinstance(points, bool) and points >= 0
    if points is not None and not is_number:
        raise wrong("points", points, "give a number, or leave it out.")
    if isinstance(what, Expectation) and what.is_open and of is None:
        raise ValueError(f"The expectation has no run. Say which one it is asked of: {NO_RUN}.")
    if isinstance(what, Expectation):
        what.require_links()
    elif reason := _undecided(what):
        raise wrong("what", what, reason)
    if of is not None and not isinstance(what, Expectation) and not callable(what):
        raise wrong("what", what, f"a value is not asked of a run. Give e.g. {NO_RUN}.")


def _undecided(found: object) -> str | None:
    """Why something says nothing of whether it is right, though Python takes it as true."""
    if inspect.isawaitable(found) or inspect.iscoroutinefunction(found):
        if inspect.iscoroutine(found):
            found.close()
        return "it has not run: await it, and check what it gives."
    if inspect.isgenerator(found) or inspect.isasyncgen(found):
        return "it has not run: use all(...), any(...) or list(...)."
    if isinstance(found, Expectation) and found.is_open:
        return f"the expectation has no run. Say which one it is asked of: {NO_RUN}."
    return None


def _why_not(what: object, of: object) -> str | None:
    """Why it is not right; `None`: it is."""
    try:
        return None if _is_right(what, of) else WRONG
    except ExpectationError as error:
        return error.why
    except AssertionError as error:
        return str(error) or WRONG
    except Exception as error:  # noqa: BLE001  whatever a student's code does wrong is one line
        return f"{type(error).__name__}: {error}".rstrip(": ")


def _is_right(what: object, of: object) -> bool:
    if isinstance(what, Expectation):
        if what.is_open:
            what.of(of)
        return True
    if not callable(what):
        return bool(what)
    looked: Callable[..., Any] = what
    found: object = looked() if of is None else looked(of)
    if reason := _undecided(found) or (CALL_IT if inspect.isroutine(found) else None):
        raise TypeError(f"{clipped(repr(found), SHOWN)} says neither yes nor no: {reason}")
    if isinstance(found, Expectation):
        found.require_links()
    is_expression = getattr(what, "__name__", LAMBDA) == LAMBDA
    return bool(found) or (found is None and not is_expression)  # one that only asserts gives None


def _line(why: str, hint: str, name: str, points: float | None) -> str:
    about = f"{name}: " if name else ""
    advice = f" {hint.strip()}" if hint.strip() else ""
    found = clipped(clean(why).split("\n", maxsplit=1)[0], WHY).rstrip(".")
    of_all = "" if points is None else f" (0 of {_points(points)})"
    return clipped(clean(f"Not yet{of_all}: {about}{found}.{advice}"), LINE)


def _said(what: object) -> str:
    """What is right, where the teacher gave it no name."""
    if isinstance(what, Expectation):
        return what.said
    name = getattr(what, "__name__", LAMBDA) if callable(what) else LAMBDA
    return "Right" if name == LAMBDA else name.replace("_", " ").strip().capitalize()


def _worth(points: float | None) -> str:
    return "" if points is None else f" ({_points(points)})"


def _points(points: float) -> str:
    return f"{points:g} point{'' if points == 1 else 's'}"


def _say(line: str, colour: Colour) -> None:
    line = clipped(clean(line), LINE)
    sys.stdout.write(f"{coloured(line, colour) if is_looked_at() else line}\n")
