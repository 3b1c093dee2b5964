"""One thing of which a run may spend only so much: it draws on its own limit and on those above."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reached:
    """A limit that nothing is left of."""

    name: str
    limit: float
    agent_name: str | None = None
    """Whose limit it is, where it is that of a run above."""

    def __str__(self) -> str:
        said = f"{self.name}={self.limit:.12g}"
        return f"{said} of {self.agent_name!r}, above this run" if self.agent_name else said


class Purse:
    """What is spent of one thing, here and below.

    Args:
        name: The limit's name.
        limit: How much there is; `None`: as much as above.
        above: The purse of the run above.
        before: What was spent of the limit before the run was gone on with.
    """

    __slots__ = ("_above", "_before", "_held", "_limit", "name", "spent")

    def __init__(
        self, name: str, limit: float | None, above: Purse | None, before: float = 0.0
    ) -> None:
        self.name = name
        self.spent = 0.0
        self._limit = limit
        self._before = before
        self._above = above
        self._held = 0.0

    def begin(self) -> None:
        """Take from above what the run may spend, as far as it is there."""
        if self._limit is None or self._above is None:
            return
        left, own = self._above.left(), max(0.0, self._limit - self._before)
        self._held = own if left is None else max(0.0, min(own, left))
        self._above.spend(self._held)

    def end(self) -> None:
        """Give back what was not spent."""
        if self._above is not None and self._held > self.spent:
            self._above.spend(self.spent - self._held)
            self._held = self.spent

    def spend(self, amount: float) -> None:
        """Spend, also more than there is: what a model has used was used."""
        before = max(self._held, self.spent)
        self.spent += amount
        if self._above is not None and (more := max(self._held, self.spent) - before):
            self._above.spend(more)

    def left(self) -> float | None:
        """How much there is; `None`: no end."""
        if self._above is None:
            return None if self._limit is None else self._limit - self._before - self.spent
        return self._above.left() if self._limit is None else self._held - self.spent

    @property
    def is_bound(self) -> bool:
        """Whether there is a limit, here or above."""
        return self._limit is not None or (self._above is not None and self._above.is_bound)

    def bound(self) -> float | None:
        """The run's own limit, unless there was less above: then that one counts."""
        if self._limit is None:
            return None
        if self._above is not None and self._held < self._limit - self._before:
            return None
        return self._limit
