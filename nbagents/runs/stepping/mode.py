"""Whether the runs of a tree wait at each step, and who says what is done there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from nbagents.runs.stepping.edit import Edit
from nbagents.runs.stepping.pause import Pause
from nbagents.tools.context import check_function, wrong

Stepper: TypeAlias = "Callable[[Pause], Edit | str | Awaitable[Edit | str | None] | None]"
Stepping: TypeAlias = "bool | Literal['outer'] | Stepper"
"""How `step=` is said: `True` asks the person at each step of the run and of those inside of it,
`"outer"` at those of this run alone; a function of a `Pause` says it instead of a person."""
OUTER: Final = "outer"
HOW: Final = (
    'give True, "outer" for this run without those inside of it, or a function of an '
    "nbagents.Pause."
)


@dataclass(slots=True, eq=False)
class StepMode:
    """Step mode of a tree of runs, which all of them share."""

    function: Callable[[Pause], Any] | None = None
    """Who says what is done; `None`: the person."""
    is_for_all: bool = True
    """Whether runs inside wait, too."""
    is_over: bool = False
    """Whether somebody said to go on to the end."""

    @property
    def inside(self) -> StepMode | None:
        """What holds for a run inside."""
        return self if self.is_for_all else None


def mode_of(given: Stepping | None, above: StepMode | None) -> StepMode | None:
    """Step mode as it was asked for; where nothing was said, as the run above has it.

    Raises:
        ValueError: It is nothing that can be done; says what to give.
    """
    said: object = given
    if said is None:
        return above and above.inside
    if isinstance(said, bool):
        return StepMode() if said else None
    if said == OUTER:
        return StepMode(is_for_all=False)
    if not callable(said):
        raise wrong("step", said, HOW)
    check_function("step", said, "an nbagents.Pause", 1, classes=True)
    return StepMode(said)
