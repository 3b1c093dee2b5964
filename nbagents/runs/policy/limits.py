"""What a run may spend, with all runs below it: counted as it goes on, and read from a tree.

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
from nbagents.runs.policy.prices import cost_of, unpriced
from nbagents.runs.policy.purse import Purse, Reached
from nbagents.runs.wording import family, joined
from nbagents.tools.context import ActiveClock, Remaining, run_clock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from nbagents.runs.policy.prices import Prices
    from nbagents.runs.tree import RunNode, Tree

LAST_WORD_S = 30.0
"""How long a run whose time is over may take to say what it has found, at most."""

USED_UP: Final = "is used up, or set aside for runs that still go on"

FAILED: Final = ("failed", "timed_out")
GOT_SOMEWHERE: Final = ("done", "cancelled")
"""A call that was denied or skipped says nothing of whether the run gets anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a run had spent when it was suspended, or broke off."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    failed_batches: int = 0
    """How many steps had failed one after the other; one that is not whole is not among them."""
    steps: int = 0
    """The last one whose answer is there."""
    active_s: float = 0.0
    """Without the time in which a person was waited for."""
    has_called: bool = False
    """Whether the agent who holds the run has asked for any call."""


NOTHING: Final = Spent()


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
            calls, tokens, cost = self.calls.left(), self.tokens.left(), self.cost.left()
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


def counted_after(failed_batches: int, statuses: Iterable[str]) -> int:
    """How many steps have failed one after the other, with one more step of these calls."""
    seen = set(statuses)
    if seen.intersection(GOT_SOMEWHERE):
        return 0
    return failed_batches + bool(seen.intersection(FAILED))


def spent_of(tree: Tree, line: Sequence[RunNode]) -> Spent:
    """What a run has spent.

    Args:
        tree: It has the run, those that it goes on with, and the runs inside of all these.
        line: The run and those that it goes on with, the oldest first.
    """
    families = [family(tree, run) for run in line]
    runs = [run for one in families for run in one]
    answers = [answer for run in line for answer in run["answers"]]
    used = [run["usage"] for run in runs] + [run["kept"]["usage"] for run in runs if "kept" in run]
    return Spent(
        calls=sum(map(_calls, runs)),
        tokens=sum(one["input_tokens"] + one["output_tokens"] for one in used),
        cost=sum(one["cost"] or 0.0 for one in used),
        failed_batches=_failed_batches(line),
        steps=max((one["step"] for one in answers), default=0),
        active_s=sum(map(_active_s, families)),
        has_called=_has_called(line),
    )


def _calls(run: RunNode) -> int:
    """The calls that a model asked for, but for those for which there was no room."""
    asked = [
        call
        for one in run["answers"]
        if one["step"] in (other["step"] for other in run["requests"][: one["requests"]])
        for call in one["calls"]
    ]
    refused = (
        call
        for call in run["calls"].values()
        if call["status"] == "skipped" and call["failure"] is not None
    )
    return len(asked) - sum(1 for _ in refused)


def _failed_batches(line: Sequence[RunNode]) -> int:
    """How many steps have failed one after the other."""
    calls = [call for run in line for call in run["calls"].values()]
    ended = {call["id"]: call["status"] for call in calls if call["content"] is not None}
    count = 0
    for answer in (one for run in line for one in run["answers"]):
        batch = [call["id"] for call in answer["calls"]]
        if batch and all(call_id in ended for call_id in batch):
            count = counted_after(count, [ended[call_id] for call_id in batch])
    return count


def _has_called(line: Sequence[RunNode]) -> bool:
    """Whether a call was asked for since the run was handed over last."""
    for run in reversed(line):
        handed = [one["step"] for one in run["items"] if one["type"] == "handoff"]
        since = max(handed, default=0)  # 0 says only who holds it
        if any(one["calls"] and one["step"] > since for one in run["answers"]):
            return True
        if since:
            return False
    return False


def _active_s(runs: Sequence[RunNode]) -> float:
    """How long a run and those inside it went on, but for the time in which somebody was asked."""
    last_s = max(run["heard_at"] for run in runs)
    whole_s = last_s - min(run["started_at"] for run in runs)
    waited_s = sum((end or last_s) - begin for begin, end in joined(_waits(runs, last_s)))
    return max(0.0, whole_s - waited_s)


def _waits(runs: Sequence[RunNode], last_s: float) -> Iterator[tuple[float, float]]:
    """From when to when somebody was waited for, each question by itself."""
    for run in runs:
        for one in run["awaits"]:
            is_left_open = one["outcome"] is None and run["status"] == "suspended"  # nobody waited
            open_until_s = one["asked_at"] if is_left_open else last_s
            resolved_s = one["resolved_at"]
            yield one["asked_at"], open_until_s if resolved_s is None else resolved_s
