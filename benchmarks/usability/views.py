"""The editions of the run view that were tested: how a newcomer goes through each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from benchmarks.usability import first_view, second_view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.usability.steps import Step, Strategy

__all__ = ["VIEWS", "View"]


class View(NamedTuple):
    """The ways through one edition."""

    strategies: Mapping[str, Strategy]
    preparations: Mapping[str, Sequence[Step]]


VIEWS = {
    "first": View(first_view.STRATEGIES, first_view.PREPARATIONS),
    "second": View(second_view.STRATEGIES, second_view.PREPARATIONS),
}
"""The newest comes last, and is what is played where none is named."""
