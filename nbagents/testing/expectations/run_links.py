"""What is expected of a run's end, of its cost, and of people."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nbagents.runs.wording import (
    clipped,
    cost_of,
    counted,
    duration,
    family,
    money,
    outcome_of,
    was_given,
)
from nbagents.testing.expectations.outline import Finding
from nbagents.testing.expectations.selection import Times, times_fit
from nbagents.testing.expectations.state import Link
from nbagents.testing.expectations.values import expected_words, fits, value_words

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.runs.tree import AwaitNode, RunNode
    from nbagents.testing.expectations.outline import Key
    from nbagents.testing.expectations.state import State
    from nbagents.testing.expectations.subject import Place, Subject

    Check: TypeAlias = tuple[str, Callable[[Subject], bool]]

ANSWER: Final = "answer"
QUOTED: Final = 160
WENT_WELL: Final = ("completed", "partly")
NOT_KNOWN: Final = {
    "cost": "Nobody knows what it cost: give the agent prices=….",
    "seconds": "It has not come to its end, so nobody knows how long it takes.",
}
SECOND_MS: Final = 1000


def ended(
    said: str,
    *,
    well: bool,
    status: str | None = None,
    kind: str | None = None,
    contains: str | None = None,
) -> Link:
    """The run has ended well, or has not."""

    def look(state: State) -> Finding:
        run, tree = state.subject.run, state.subject.tree
        came = outcome_of(tree, run)
        failure = run["failure"] or {}
        message = str(failure.get("message", ""))
        key: Mapping[Key, str] = {(run["id"], ""): said}
        if (came.sign in WENT_WELL) != well:
            return Finding(said=said, why=f"The run ended as: {came.words}.", places=key)
        if status is not None and run["status"] != status:
            why = f"The run is {run['status']}, not {status}."
            return Finding(said=said, why=why, places=key)
        if kind is not None and failure.get("kind") != kind:
            why = f"It failed as {failure.get('kind')}, not {kind}."
            return Finding(said=said, why=why, places=key)
        if contains is not None and contains not in message:
            why = f"Its error is {value_words(message)}, without {value_words(contains)}."
            return Finding(said=said, why=why, places=key)
        return Finding(said=said, places={(run["id"], ""): ""})

    return Link(said, look)


def answer(said: str, checks: Sequence[Check]) -> Link:
    """The answer is as expected; each check has the words for where it is not."""

    def look(state: State) -> Finding:
        subject = state.subject
        run = subject.run
        key = (run["id"], ANSWER if subject.text.strip() else "")
        for words, check in checks:
            if not check(subject):
                text = clipped(subject.text, QUOTED)
                quoted = f"It answered {value_words(text)}" if text else "It gave no answer"
                return Finding(said=said, why=f"{quoted}: {words}.", places={key: said})
        return Finding(said=said, places={key: ""})

    return Link(said, look)


def answer_checks(
    predicate: Callable[[Any], object] | None,
    texts: Sequence[str],
    expected: object,
    pattern: re.Pattern[str] | None,
) -> list[Check]:
    """What an answer is to be, each with the words for where it is not."""
    checks: list[Check] = [
        (f"it does not contain {value_words(one)}", partial(_has_text, one)) for one in texts
    ]
    if expected is not ...:
        checks.append((f"it is not {expected_words(expected)}", _equals(expected)))
    if pattern is not None:
        words = f"{expected_words(pattern)} is not found in it"
        checks.append((words, lambda subject: pattern.search(subject.text) is not None))
    if predicate is not None:
        said = f"{expected_words(predicate)} does not accept it"
        checks.append((said, lambda subject: bool(predicate(subject.output))))
    return checks or [("there is none", lambda subject: bool(subject.text.strip()))]


def _has_text(text: str, subject: Subject) -> bool:
    return text in subject.text


def _equals(expected: object) -> Callable[[Subject], bool]:
    """Whether the answer is a value: the text, the value that was asked for, or its JSON."""

    def check(subject: Subject) -> bool:
        if fits(expected, subject.text) or fits(expected, subject.output):
            return True
        try:
            return fits(expected, json.loads(subject.text))
        except ValueError:
            return False

    return check


def bounds(said: str, most: Mapping[str, float]) -> Link:
    """The run took no more than that, with all runs inside of it."""

    def look(state: State) -> Finding:
        run = state.subject.run
        used = _used(state.subject)
        over = [
            _over(name, limit, used[name])
            for name, limit in most.items()
            if _is_over(used[name], limit)
        ]
        key: Mapping[Key, str] = {(run["id"], ""): said if over else ""}
        return Finding(said=said, why=" ".join(over), places=key)

    return Link(said, look)


def questions(
    said: str,
    tool: str | None,
    outcome: str | None,
    contains: str | None,
    times: Times,
) -> Link:
    """A person was asked that, so often."""

    def look(state: State) -> Finding:
        subject = state.subject
        runs = family(subject.tree, subject.run)
        asked = [(run, one) for run in runs for one in run["awaits"]]
        found = [
            (run, one)
            for run, one in asked
            if (tool is None or fnmatchcase(_asker(run, one), tool))
            and (outcome is None or one["outcome"] == outcome)
            and (contains is None or contains in _told(one))
        ]
        if times_fit(times, len(found)):
            return Finding(said=said, places={_key(run, one): "" for run, one in found})
        often = counted(len(found), "time") if found else "never"
        about = f" about {tool}" if tool else ""
        other = "" if found or not asked else f" Asked was {counted(len(asked), 'other question')}."
        why = f"A person was {often} asked{about}{' so' if outcome or contains else ''}.{other}"
        notes = {
            _key(run, one): f"{one['outcome'] or 'open'}: {said}" for run, one in found or asked
        }
        return Finding(said=said, why=why, places=notes or {(subject.run["id"], ""): said})

    return Link(said, look)


def hand_over(said: str, to: str) -> Link:
    """Another agent took over."""

    def look(state: State) -> Finding:
        run = state.subject.run
        names = [one["to_agent"] for one in run["items"] if one["type"] == "handoff"]
        if any(fnmatchcase(name, to) for name in names):
            return Finding(said=said, places={(run["id"], ""): ""})
        who = (
            f"It was handed over to {', '.join(names)}" if names else "It was handed over to nobody"
        )
        return Finding(said=said, why=f"{who}.", places={(run["id"], ""): said})

    return Link(said, look)


def _used(subject: Subject) -> dict[str, float | None]:
    run, tree = subject.run, subject.tree
    usages = [one["usage"] for one in family(tree, run)]
    seconds = None if run["ended_at"] is None else run["ended_at"] - run["started_at"]
    return {
        "calls": sum(not _was_spared(one) for one in subject.places),
        "steps": run["step"],
        "tokens": sum(one["input_tokens"] + one["output_tokens"] for one in usages),
        "seconds": seconds,
        "cost": cost_of(tree, run),
    }


def _was_spared(place: Place) -> bool:
    """Whether a call was not made in this run: a branch kept it, or somebody gave its result."""
    return bool(place.call.get("kept")) or was_given(place.run, place.call["id"])


def _is_over(used: float | None, limit: float) -> bool:
    return used is None or used > limit


def _over(name: str, limit: float, used: float | None) -> str:
    if used is None:
        return NOT_KNOWN[name]
    if name == "seconds":
        return f"It took {duration(used * SECOND_MS)}, more than {duration(limit * SECOND_MS)}."
    if name == "cost":
        return f"It cost {money(used)}, more than {money(limit)}."
    noun = name.removesuffix("s")
    return f"It took {counted(int(used), noun)}, more than {limit:g}."


def _asker(run: RunNode, asked: AwaitNode) -> str:
    """The tool about which, or by which, a person was asked."""
    call = run["calls"].get(asked["call_id"] or "")
    return call["name"] if call else asked["title"]


def _told(asked: AwaitNode) -> str:
    words = [
        asked["title"],
        asked["text"],
        asked["reason"],
        *(one["text"] for one in asked["questions"]),
    ]
    return "\n".join(map(str, words))


def _key(run: RunNode, asked: AwaitNode) -> Key:
    return run["id"], asked["call_id"] or ""
