"""`nba.expect(run)`: what a run must have done, said in a chain, each link told by its tree.

Long: one class, whose many members each say one thing that people expect of a run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final, Self

from nbagents.redaction import clean
from nbagents.runs.wording import counted
from nbagents.testing.expectations.breaks import ExpectationError
from nbagents.testing.expectations.call_links import (
    all_done,
    at_once,
    calls,
    failures,
    no_calls,
    no_others,
)
from nbagents.testing.expectations.given_words import (
    UNSAID,
    check_bound,
    contained,
    pattern_of,
)
from nbagents.testing.expectations.outline import Finding, chain, outline
from nbagents.testing.expectations.run_links import (
    answer,
    answer_checks,
    bounds,
    ended,
    hand_over,
    questions,
)
from nbagents.testing.expectations.selection import Selection, Status, Times, check_times
from nbagents.testing.expectations.state import Link, State
from nbagents.testing.expectations.subject import Subject
from nbagents.testing.expectations.values import call_words
from nbagents.tools.context import require, wrong

if TYPE_CHECKING:
    from types import TracebackType

    from nbagents.errors import FailureKind
    from nbagents.events import Resolution, RunStatus

ANYTHING: Final[Mapping[str, object]] = {}
NO_RUN: Final = (
    "These expectations have no run yet: give it by .of(run), or begin with expect(run)."
)
NO_LINK: Final = 'Nothing is expected of the run: say what, e.g. .called("find_place").'
PREDICATE: Final = "give a function of the answer, or contains=, equals= or matches=."
COLOURS: Final = {
    "green": "var(--jp-success-color1, #1a7f37)",
    "red": "var(--jp-error-color1, #cf222e)",
}
"""Those of the page's theme, and where there is none, such that light and dark have them."""


def expect(run: object = ...) -> Expectation:
    """Say what a run must have done; the first thing that it did not is an `AssertionError`.

    Args:
        run: A run that has ended, `run.tree()`, or what a notebook has saved of one. Without one,
            what is expected can be kept, and asked of any run by `.of(run)`.

    In a `with` block everything is looked at, and all that does not hold is said at its end:

    Example:
        >>> from nbagents import Agent, ScriptedModel, expect
        >>> from nbagents.models.scripted import call
        >>> def find_place(name: str, limit: int = 1) -> str:
        ...     "Find a place."
        ...     return "59.9, 10.7"
        >>> model = ScriptedModel([call("find_place", name="Oslo"), "Oslo is at 59.9, 10.7."])
        >>> run = Agent(tools=[find_place], model=model).run("Where is Oslo?", log="memory")
        >>> expect(run).called("find_place", name="Oslo").never("wipe").answered(contains="59.9")
        3 expectations hold:
        ✓ called("find_place", name="Oslo")
        ✓ never("wipe")
        ✓ answered(contains="59.9")

    Raises:
        ValueError: This is no run.
        RunError: It goes on.
    """
    return Expectation(None if run is ... else Subject(run))


class Expectation:
    """What is expected of a run, link by link; see `nbagents.expect`.

    A call counts as made if its tool got it: one that was denied, skipped or not valid does not.
    The calls of runs inside of calls count, too. A `name` may have `*` in it. Arguments are those
    that the tool got, with its defaults and what a person changed; each may be a value, a compiled
    pattern, a type, a function that says whether it will do, or `...` for any.
    """

    def __init__(self, subject: Subject | None) -> None:
        self._state = None if subject is None else State(subject)
        self._links: list[Link] = []
        self._findings: list[Finding] = []
        self._collects = False

    # What is expected of calls.

    def called(
        self,
        name: str,
        /,
        *,
        times: Times = None,
        status: Status = None,
        gave: object = ...,
        inside: str | bool | None = None,
        arguments: Mapping[str, object] = ANYTHING,
        **given: object,
    ) -> Self:
        """A tool was called; what `then` follows is what comes after any of these calls.

        Args:
            name: The tool, e.g. `"maps--setCenter"`, or `"maps--*"`.
            times: How often: a number, a `range`, or a function of the number; else at least once.
            status: How the calls ended, e.g. `"done"` or `"denied"`.
            gave: What the model was told, or the object that the tool gave.
            inside: Inside of which tool's call or agent's run; `False`: not inside of any.
            arguments: Arguments that are called like an option here, e.g. `{"times": 3}`.
            given: What the tool got at least, by name.
        """
        __tracebackhide__ = True
        chosen = _selection(name, {**arguments, **given}, status, gave, inside=inside)
        check_times(times)
        return self._add(calls(chosen.words("called", times=times), chosen, times))

    def then(
        self,
        name: str,
        /,
        *,
        times: Times = None,
        status: Status = None,
        gave: object = ...,
        inside: str | bool | None = None,
        arguments: Mapping[str, object] = ANYTHING,
        **given: object,
    ) -> Self:
        """A tool was called after those of the link before; options as for `called`.

        After means: in a later step, when the model had been told what the other call gave, or
        inside of that very call. Calls of one step are asked for at once, so neither is after the
        other, whichever was quicker: see `together`.
        """
        __tracebackhide__ = True
        chosen = _selection(name, {**arguments, **given}, status, gave, inside=inside)
        check_times(times)
        said = chosen.words("then", times=times)
        return self._add(calls(said, chosen, times, after=True))

    def never(
        self,
        name: str,
        /,
        *,
        status: Status = None,
        gave: object = ...,
        inside: str | bool | None = None,
        arguments: Mapping[str, object] = ANYTHING,
        **given: object,
    ) -> Self:
        """A tool was not called, or not so; one that was asked for and denied was not called.

        It warns of a name that no run was offered and that is close to one: it may be misspelt.
        """
        __tracebackhide__ = True
        chosen = _selection(name, {**arguments, **given}, status, gave, inside=inside)
        return self._add(no_calls(chosen.words("never"), chosen))

    def only(self, *names: str) -> Self:
        """No other tools than these were called; without a name, none at all."""
        __tracebackhide__ = True
        return self._add(no_others(call_words("only", *names), names))

    def together(self, *names: str) -> Self:
        """These tools were asked for in one step, so that they could run at the same time."""
        __tracebackhide__ = True
        return self._add(at_once(call_words("together", *names), names))

    # What is expected of its end.

    def succeeded(self, name: str | None = None, /) -> Self:
        """The run came to its end and was not in vain; with a name, so did all calls of the tool.

        A call that failed, and that the model then made up for, is no failure of the run.
        """
        __tracebackhide__ = True
        if name is None:
            return self._add(ended("succeeded()", well=True))
        chosen = _selection(name, {}, None)
        return self._add(all_done(chosen.words("succeeded"), chosen))

    def failed(
        self,
        name: str | None = None,
        /,
        *,
        status: RunStatus | None = None,
        kind: FailureKind | None = None,
        contains: str = UNSAID,
        times: Times = None,
    ) -> Self:
        """The run did not succeed; with a name, calls of that tool failed.

        Args:
            name: A tool.
            status: How the run ended, e.g. `"limit"`.
            kind: Why the run, or the calls, failed, e.g. `"timeout"`.
            contains: What the error says.
            times: How many calls failed; else at least one.
        """
        __tracebackhide__ = True
        check_times(times)
        text = next(iter(contained(contains)), None)
        options = {"status": status, "kind": kind, "contains": text, "times": times}
        if name is None:
            said = call_words("failed", **options)
            return self._add(ended(said, well=False, status=status, kind=kind, contains=text))
        said = call_words("failed", name, **options)
        chosen = _selection(name, {}, None)
        return self._add(failures(said, chosen, kind, text, times))

    def answered(
        self,
        predicate: Callable[[Any], object] | None = None,
        /,
        *,
        contains: str | Sequence[str] = UNSAID,
        equals: object = ...,
        matches: str | re.Pattern[str] = UNSAID,
    ) -> Self:
        """The answer is as expected; without a word about it, there is one.

        Args:
            predicate: A function of the answer, or of the value that was asked for (`output=`).
            contains: A text, or several, that stand in it.
            equals: What it equals: the text, or the value that was asked for.
            matches: A regular expression that is found in it.
        """
        __tracebackhide__ = True
        if predicate is not None and not callable(predicate):
            raise wrong("The predicate", predicate, PREDICATE)
        texts, pattern = contained(contains, several=True), pattern_of(matches)
        checks = answer_checks(predicate, texts, equals, pattern)
        given = {"contains": contains, "equals": equals, "matches": pattern or ...}
        shown = {name: one for name, one in given.items() if one is not ...}
        said = call_words("answered", *([predicate] if predicate else []), **shown)
        return self._add(answer(said, checks))

    def within(
        self,
        *,
        max_calls: int | None = None,
        max_steps: int | None = None,
        max_tokens: int | None = None,
        max_seconds: float | None = None,
        max_cost: float | None = None,
    ) -> Self:
        """It took no more than that, runs inside of it included; steps are its own.

        What a branch has kept of the run that it leaves is none of its calls. Seconds are those
        from its beginning to its end; the cost is in the currency of `prices=`.
        """
        __tracebackhide__ = True
        given = {
            "max_calls": max_calls,
            "max_steps": max_steps,
            "max_tokens": max_tokens,
            "max_seconds": max_seconds,
            "max_cost": max_cost,
        }
        most = {name: one for name, one in given.items() if one is not None}
        for name, one in most.items():
            check_bound(name, one)
        if not most:
            raise ValueError("within() bounds nothing: give it a bound, e.g. max_calls=5.")
        limits = {name.removeprefix("max_"): one for name, one in most.items()}
        return self._add(bounds(call_words("within", **most), limits))

    # What is expected of people and other agents.

    def asked(
        self,
        tool: str | None = None,
        /,
        *,
        outcome: Resolution | None = None,
        contains: str = UNSAID,
        times: Times = None,
    ) -> Self:
        """A person was asked: for consent to a call, or a question of a tool's.

        Args:
            tool: The tool that was to be called, or that asked.
            outcome: What came of it; consent is `answered` where it was given, else `denied`.
            contains: What stands in the question.
            times: How often; `times=0`: never.
        """
        __tracebackhide__ = True
        check_times(times)
        text = next(iter(contained(contains)), None)
        options = {"outcome": outcome, "contains": text, "times": times}
        said = call_words("asked", *([tool] if tool else []), **options)
        return self._add(questions(said, tool, outcome, text, times))

    def denied(self, name: str, /, *, times: Times = None) -> Self:
        """A call was asked for, and not allowed: by a person, or by a policy."""
        __tracebackhide__ = True
        check_times(times)
        chosen = _selection(name, {}, "denied")
        said = call_words("denied", name, times=times)
        return self._add(calls(said, chosen, times))

    def handed_over(self, to: str, /) -> Self:
        """Another agent took over."""
        __tracebackhide__ = True
        require("The agent", to, str, "give its name.")
        return self._add(hand_over(call_words("handed_over", to), to))

    # How it is asked.

    def of(self, run: object) -> Expectation:
        """Ask the same of another run.

        Raises:
            ExpectationError: It does not hold.
        """
        __tracebackhide__ = True
        made = Expectation(Subject(run))
        self.require_links()
        for link in self._links:
            made._add(link)
        return made

    @property
    def is_open(self) -> bool:
        """Whether it has no run yet."""
        return self._state is None

    def require_links(self) -> None:
        """See that it says something: what expects nothing would hold of every run.

        Raises:
            ValueError: It has no link.
        """
        if not self._links:
            raise ValueError(NO_LINK)

    @property
    def said(self) -> str:
        """What is expected, as it was written."""
        return ", ".join(one.said for one in self._links)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What came of each link so far; each has `said`, `holds` and `why`."""
        return tuple(self._findings)

    def __enter__(self) -> Self:
        if self._state is None:
            raise ValueError(NO_RUN)
        self._collects = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        __tracebackhide__ = True
        self._collects = False
        if kind is None:  # what went wrong in the block says more
            self.require_links()
            self._raise_broken()

    def _add(self, link: Link) -> Self:
        __tracebackhide__ = True
        self._links.append(link)
        if self._state is not None:
            self._findings.append(link.look(self._state))
            if not self._collects:
                self._raise_broken()
        return self

    def _raise_broken(self) -> None:
        __tracebackhide__ = True
        if self._state is not None and not all(one.holds for one in self._findings):
            subject = self._state.subject
            tree = outline(subject.tree, subject.run, self._findings)
            raise ExpectationError(self._findings, chain(self._findings), tree)

    def __repr__(self) -> str:
        if self._state is None:
            return f"{counted(len(self._links), 'expectation')} of no run yet: use .of(run)."
        return clean("\n".join([f"{self._head()}:", *(one.text for one in chain(self._findings))]))

    def _repr_html_(self) -> str | None:
        """The same with what holds in green."""
        if self._state is None:
            return None
        said = "".join(
            f'<div><span style="color:{COLOURS[one.colour or "green"]}">{one.text[:1]}</span>'
            f"{escape(clean(one.text[1:]))}</div>"
            for one in chain(self._findings)
        )
        return f"<div>{escape(self._head())}:</div>{said}"

    def _head(self) -> str:
        held = sum(one.holds for one in self._findings)
        count = counted(len(self._findings), "expectation")
        if held == len(self._findings):
            return f"{count} {'holds' if held == 1 else 'hold'}"
        return f"{held} of {count} hold"


def _selection(
    name: str,
    given: Mapping[str, object],
    status: Status,
    gave: object = ...,
    *,
    inside: str | bool | None = None,
) -> Selection:
    return Selection(name=name, arguments=given, status=status, gave=gave, inside=inside)
