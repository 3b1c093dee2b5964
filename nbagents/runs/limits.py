"""How much a run may still do, with all runs below it, against what it was given.

Calls, tokens and money are drawn from a run and from all runs above it. A run with a limit of its
own takes as much from above when it begins, if there is as much, and gives back what it leaves.
Runs of one family may go on in several threads: whoever draws holds the lock of the family.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nbagents import bounds
from nbagents.errors import RunError
from nbagents.results import CallResult, Failure, Limits, Usage
from nbagents.runs.logs.spent import Spent, counted_after
from nbagents.runs.prices import cost_of, unpriced
from nbagents.tools.caps import Remaining
from nbagents.tools.clock import ActiveClock, run_clock
from nbagents.tools.misuse import wrong

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nbagents.runs.prices import Prices

__all__ = ["Purse", "Reached", "Spending", "check_limits"]

LAST_WORD_S = 30.0
"""How long a run whose time is over may take to say what it has found, at most."""

USED_UP: Final = "is used up, or set aside for runs that still go on"

COUNTS: Final = (
    ("max_steps", 1),
    ("max_calls", 0),
    ("max_tokens", 1),
    ("max_failed_batches", 1),
    ("max_depth", 0),
)
"""What is counted, and how much of it is the least that makes sense."""
NEEDED: Final = ("max_steps",)
NOTHING: Final = Spent()
AMOUNTS: Final = (("timeout_s", " seconds"), ("max_cost", ""))
"""What is measured, and in what."""


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


class Spending:
    """What a run has spent, with all runs below it.

    Args:
        limits: What it may spend.
        parent: The spending of the run above.
        prices: What tokens cost; what the run above says of them holds, too.
        agent_name: Whose run it is.
        before: What was spent before the run was gone on with.
    """

    clock: ActiveClock
    """Of the run's time; there once the run has begun."""

    def __init__(
        self,
        limits: Limits,
        parent: Spending | None = None,
        prices: Prices | None = None,
        *,
        agent_name: str = "",
        before: Spent = NOTHING,
    ) -> None:
        above = parent
        self._before_s = before.active_s
        self.limits = limits
        self.agent_name = agent_name
        self.prices: Prices = {**(above.prices if above else {}), **(prices or {})}
        self.above = above
        self.drawing: threading.Lock = above.drawing if above else threading.Lock()
        self.step = before.steps
        """The newest request to the model."""
        self.failed_batches = before.failed_batches
        """How many steps have failed one after the other."""
        self.calls = Purse("max_calls", limits.max_calls, above and above.calls, before.calls)
        self.tokens = Purse("max_tokens", limits.max_tokens, above and above.tokens, before.tokens)
        self.cost = Purse("max_cost", limits.max_cost, above and above.cost, before.cost)
        self.purses = (self.calls, self.tokens, self.cost)
        self.timeout_s: float | None = _least(limits.timeout_s, above.timeout_s if above else None)
        self._reached: Reached | None = None
        self._is_bound = self.timeout_s is not None or any(one.is_bound for one in self.purses)

    def begin(self) -> None:
        """The run's time begins; in the context in which its calls will be made."""
        own_s = self.limits.timeout_s
        left_s = None if own_s is None else own_s - self._before_s
        self.clock = ActiveClock(left_s, self.above and self.above.clock)
        run_clock.set(self.clock)
        if self.above is not None:
            with self.drawing:
                for purse in self.purses:
                    purse.begin()

    def end(self) -> None:
        """The run has ended: what it leaves of what it took from above goes back."""
        if self.above is not None:
            with self.drawing:
                for purse in self.purses:
                    purse.end()

    def begin_last_word(self) -> None:
        """Give what is done now time of its own, where the run's time is limited."""
        if self.timeout_s is not None:
            run_clock.set(ActiveClock(min(self.timeout_s, LAST_WORD_S)))

    def remaining(self) -> Remaining:
        """What is left now, here and above; nothing is less than nothing."""
        with self.drawing:
            calls, tokens, cost = (one.left() for one in self.purses)
        most, left_s = self.limits.max_steps, self.clock.left_s()
        return Remaining(
            steps=None if most is None else max(0, most - self.step),
            calls=None if calls is None else max(0, int(calls)),
            tokens=None if tokens is None else max(0, int(tokens)),
            cost=None if cost is None else max(0.0, cost),
            time_s=None if left_s is None else max(0.0, left_s),
        )

    def take_calls(self, wanted: int) -> int:
        """Spend calls; how many of those that are wanted may be made."""
        wanted = min(wanted, bounds.MAX_CALLS_A_TURN)
        if not self._is_bound:  # most runs: nothing above or here has an end
            return wanted
        with self.drawing:
            left = self.calls.left()
            granted = wanted if left is None else max(0, min(wanted, int(left)))
            self.calls.spend(granted)
        return granted

    def add_prices(self, prices: Prices) -> None:
        """Know what more models cost; what was known before holds."""
        self.prices = {**prices, **self.prices}

    def take_tokens(self, usage: Usage, model: str = "") -> float | None:
        """Count what a step has used.

        Returns:
            What it has cost, where the model has a price.
        """
        price = self.prices.get(model)
        cost = None if price is None else cost_of(usage, price)
        if self._is_bound:
            with self.drawing:
                self.tokens.spend(usage.total_tokens)
                self.cost.spend(cost or 0.0)
        return cost

    def count_batch(self, results: Sequence[CallResult]) -> None:
        """Count a step of which no call gave a result; one that did begins the count anew."""
        self.failed_batches = counted_after(self.failed_batches, [one.status for one in results])

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left of one of the limits."""
        return (self._is_bound or self.failed_batches > 0) and self.reached is not None

    @property
    def reached(self) -> Reached | None:
        """The limit that was reached first, of this run or of one above."""
        if self._reached is None:
            self._reached = self._found()
        return self._reached

    def _found(self) -> Reached | None:
        most = self.limits.max_failed_batches
        if most is not None and self.failed_batches >= most:
            return Reached("max_failed_batches", most)
        for at, purse in enumerate(self.purses):
            left = purse.left()
            if left is not None and left <= 0:
                return self._of_purse(at)
        left_s = self.clock.left_s()
        return self._of_time() if left_s is not None and left_s <= 0 else None

    def _of_purse(self, at: int) -> Reached:
        """Whose limit it is that nothing is left of."""
        for one in self._line():
            purse = one.purses[at]
            bound = purse.bound()
            if bound is not None:
                return Reached(purse.name, bound, None if one is self else one.agent_name)
        raise AssertionError("a purse without end is never empty")

    def _of_time(self) -> Reached:
        for one in reversed(tuple(self._line())):  # the end of one is the end of all below
            limit_s, left_s = one.limits.timeout_s, one.clock.left_s()
            if limit_s is not None and left_s is not None and left_s <= 0:
                return Reached("timeout_s", limit_s, None if one is self else one.agent_name)
        raise AssertionError("time without end is never over")

    def _line(self) -> Iterator[Spending]:
        """This run, and those above, from below."""
        one: Spending | None = self
        while one is not None:
            yield one
            one = one.above

    def left_s(self, *, is_final: bool) -> float | None:
        """How long the model may take to answer; the last word has time of its own."""
        if self.timeout_s is None:
            return None
        left_s = self.clock.left_s() or 0.0
        return max(left_s, 0.0) + (min(self.timeout_s, LAST_WORD_S) if is_final else 0.0)

    def not_made(self, asked: int = 0, granted: int = 0) -> CallResult:
        """The result of a call for which there was no room.

        Args:
            asked: How many calls the answer asks for.
            granted: How many of them are made.
        """
        if granted >= bounds.MAX_CALLS_A_TURN:
            return _too_many_calls(asked)
        most = self.calls.bound()
        if most is None:
            said = f"Not called: {self._of_purse(0)} {USED_UP}. Answer now."
        else:
            made = "1 call, and has made it" if most == 1 else f"{most:g} calls, and has made them"
            said = f"Not called: this run may make {made}. Answer now."
        failure = Failure(kind="unavailable", recovery="finish", message=said)
        return CallResult(content=said, failure=failure, status="skipped")

    def refuse_child(self) -> None:
        """See that a run may begin below this one.

        Raises:
            RunError: It would be too deep, or there is nothing left for it.
        """
        for depth, one in enumerate(self._line(), 1):
            most = one.limits.max_depth
            if most is not None and depth > most:
                raise RunError(
                    f"No run may begin here: {depth} runs would stand one inside the other below "
                    f"{one.agent_name!r}, which allows max_depth={most}. Do it without another "
                    "agent."
                )
        if (reached := self._found()) is not None:
            raise RunError(f"No run may begin here: {reached} {USED_UP}.")

    def refuse_unpriced(self, models: Sequence[str]) -> None:
        """See that money can be counted where it is limited.

        Raises:
            ValueError: A model has no price; says how to give one.
        """
        said = unpriced(models, self.prices) if self.cost.is_bound else None
        if said is not None:
            raise ValueError(said)


def _too_many_calls(asked: int) -> CallResult:
    """The result of a call that was one too many in its answer."""
    most = bounds.MAX_CALLS_A_TURN
    said = (
        f"Not called: one answer asked for {asked:,} calls, and the first {most:,} are made. "
        "Ask for fewer at once."
    )
    failure = Failure(kind="unavailable", recovery="replan", message=said)
    return CallResult(content=said, failure=failure, status="skipped")


def _least(one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def check_limits(given: object) -> None:
    """See that limits can be kept.

    Args:
        given: What has limits by their names: an agent, or `Limits`.

    Raises:
        ValueError: One is no number, or less than what a run needs to begin.
    """
    for name, least in COUNTS:
        count = getattr(given, name)
        if count is not None or name in NEEDED:
            _check_count(name, count, least)
    for name, unit in AMOUNTS:
        amount = getattr(given, name)
        if amount is not None:
            _check_amount(name, amount, unit)


def _check_count(name: str, count: object, least: int) -> None:
    if not isinstance(count, int) or isinstance(count, bool):
        raise wrong(name, count, "it must be a whole number.")
    if count < least:
        raise wrong(name, count, f"it must be at least {least}.")


def _check_amount(name: str, amount: object, unit: str) -> None:
    if not isinstance(amount, (int, float)) or isinstance(amount, bool):
        raise wrong(name, amount, f"it must be a number, e.g. {name}=60.")
    if not 0 < amount < float("inf"):
        raise wrong(name, amount, f"it must be more than 0{unit}.")
