"""Of many cases or examples of one claim, `make test` tries some, and `make test-all` tries all."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _pytest.mark.structures import ParameterSet

T = TypeVar("T")


def thinned(
    cases: Sequence[T], *, one_in: int, others: pytest.MarkDecorator = pytest.mark.slow
) -> list[ParameterSet]:
    """The cases as parameters; all but every so many are marked, as slow unless told otherwise."""
    return [
        pytest.param(case, marks=() if index % one_in == 0 else others)
        for index, case in enumerate(cases)
    ]


def examples(number: int) -> int:
    """How many examples are tried where the profile that holds says it of a hundred, but five."""
    return max(min(number, 5), number * settings().max_examples // 100)
