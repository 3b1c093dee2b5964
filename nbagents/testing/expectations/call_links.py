"""What is expected of calls, and what is said where it does not hold."""

from __future__ import annotations

import difflib
import warnings
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from nbagents.errors import did_you_mean
from nbagents.runs.wording import counted
from nbagents.testing.expectations.outline import Finding
from nbagents.testing.expectations.selection import (
    Selection,
    Times,
    count_words,
    times_fit,
    times_words,
)
from nbagents.testing.expectations.state import Link

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.testing.expectations.outline import Key
    from nbagents.testing.expectations.state import State
    from nbagents.testing.expectations.subject import Place, Subject

FAILED: Final = ("failed", "timed_out")
CLOSE: Final = 0.8
"""How much alike two names are of which one may be the other, misspelt."""


def calls(said: str, chosen: Selection, times: Times, *, after: bool = False) -> Link:
    """There are such calls, so many; of those after the ones before, if that is asked."""

    def look(state: State) -> Finding:
        subject = state.subject
        if unknown := chosen.unknown(subject):
            return _untold(said, unknown, chosen, subject)
        named = [one for one in subject.places if chosen.names(one)]
        wrongs = {one.key: chosen.misfits(subject, one) for one in named}
        right = [one for one in named if not wrongs[one.key]]
        early = _early(state, right) if after else {}
        found = [one for one in right if one.key not in early]
        if times_fit(times, len(found)):
            state.reached = found or state.reached
            return Finding(said=said, places={one.key: "" for one in found})
        if times is not None and found:
            much = f"{count_words(chosen.name, len(found))}, not {times_words(times)}."
            return Finding(said=said, why=much, places={one.key: said for one in found})
        if early:
            why = _not_after(chosen.name, state.reached)
            return Finding(said=said, why=why, places=early)
        if named:
            return Finding(
                said=said,
                why=f"{chosen.name} was not called so: {'; '.join(wrongs[named[-1].key])}.",
                places={key: "; ".join(why) for key, why in wrongs.items()},
            )
        return _uncalled(said, chosen, state, after=after)

    return Link(said, look)


def no_calls(said: str, chosen: Selection) -> Link:
    """There is no such call."""

    def look(state: State) -> Finding:
        subject = state.subject
        if unknown := chosen.unknown(subject):
            return _untold(said, unknown, chosen, subject)
        found = [
            one for one in subject.places if chosen.names(one) and not chosen.misfits(subject, one)
        ]
        if not found:
            _warn_of_misspelling(chosen, state)
            return Finding(said=said)
        names = " and ".join(dict.fromkeys(one.call["name"] for one in found))
        why = f"{count_words(names, len(found))}, which was never to be."
        return Finding(said=said, why=why, places={one.key: said for one in found})

    return Link(said, look)


def _warn_of_misspelling(chosen: Selection, state: State) -> None:
    """Say that what was never called may be misspelt: it would hold for ever."""
    known = {*state.subject.offered, *(one.call["name"] for one in state.subject.places)}
    if chosen.is_pattern or not known or chosen.name in known:
        return
    close = difflib.get_close_matches(chosen.name, sorted(known), n=1, cutoff=CLOSE)
    if close:
        said = f"never({chosen.name!r}): no run was offered such a tool. Is it {close[0]!r}?"
        warnings.warn(said, stacklevel=5)


def no_others(said: str, names: Sequence[str]) -> Link:
    """No tool but these was called."""

    def look(state: State) -> Finding:
        found = [
            one
            for one in state.subject.places
            if one.was_made and not any(fnmatchcase(one.call["name"], name) for name in names)
        ]
        if not found:
            return Finding(said=said)
        others = ", ".join(dict.fromkeys(one.call["name"] for one in found))
        places = {one.key: said for one in found}
        return Finding(said=said, why=f"Other tools were called, too: {others}.", places=places)

    return Link(said, look)


def at_once(said: str, names: Sequence[str]) -> Link:
    """Calls of these tools were asked for in one step."""

    def look(state: State) -> Finding:
        steps: dict[tuple[str, int], list[Place]] = {}
        for one in state.subject.places:
            steps.setdefault((one.run["id"], one.call["step"]), []).append(one)
        about = [
            one
            for one in state.subject.places
            if any(fnmatchcase(one.call["name"], name) for name in names)
        ]
        for places in steps.values():
            asked = [one.call["name"] for one in places]
            if _each_has_its_own(names, asked):
                return Finding(said=said, places={one.key: "" for one in places if one in about})
        why = f"{', '.join(names)} were not asked for in one step."
        notes = {one.key: f"in step {one.call['step']}" for one in about}
        return Finding(said=said, why=why, places=notes)

    return Link(said, look)


def _each_has_its_own(names: Sequence[str], asked: Sequence[str]) -> bool:
    """Whether there is a call for each name: one that is named twice was asked for twice."""
    if not names or len(names) > len(asked):
        return not names
    for one in dict.fromkeys(asked):
        if fnmatchcase(one, names[0]):
            rest = list(asked)
            rest.remove(one)
            if _each_has_its_own(names[1:], rest):
                return True
    return False


def all_done(said: str, chosen: Selection) -> Link:
    """There are such calls, and each did what it was for."""

    def look(state: State) -> Finding:
        named = [one for one in state.subject.places if chosen.names(one)]
        bad = [one for one in named if one.call["status"] != "done"]
        if not named:
            return _uncalled(said, chosen, state, after=False)
        if not bad:
            return Finding(said=said, places={one.key: "" for one in named})
        why = f"{len(bad)} of {counted(len(named), 'call')} of {chosen.name} did not succeed."
        return Finding(said=said, why=why, places={one.key: said for one in bad})

    return Link(said, look)


def failures(
    said: str, chosen: Selection, kind: str | None, contains: str | None, times: Times
) -> Link:
    """There are such calls that failed, so many."""

    def look(state: State) -> Finding:
        named = [one for one in state.subject.places if chosen.names(one)]
        failed = [one for one in named if one.call["status"] in FAILED]
        found = [one for one in failed if _failed_so(one, kind, contains)]
        if times_fit(times, len(found)):
            return Finding(said=said, places={one.key: "" for one in found})
        if not named:
            return _uncalled(said, chosen, state, after=False)
        so = " so" if kind or contains else ""
        did = f"failed{so} {counted(len(found), 'time')}" if found else f"did not fail{so}"
        why = f"{chosen.name} {did}; it was asked for {counted(len(named), 'time')}."
        return Finding(said=said, why=why, places={one.key: said for one in failed or named})

    return Link(said, look)


def _failed_so(place: Place, kind: str | None, contains: str | None) -> bool:
    failure = place.call["failure"] or {}
    is_kind = kind is None or failure.get("kind") == kind
    return is_kind and (contains is None or contains in str(failure.get("message", "")))


def _early(state: State, found: Sequence[Place]) -> dict[Key, str]:
    """Which calls do not come after those that the chain has reached, each with the reason."""
    reached = state.reached
    follows = state.subject.follows
    late = {one.key for one in found if any(follows(one, other) for other in reached)}
    return {one.key: _why_early(state, one) for one in found if one.key not in late}


def _why_early(state: State, place: Place) -> str:
    if any(one.key == place.key for one in state.reached):
        return "this is the call before it"
    is_before = any(state.subject.follows(one, place) for one in state.reached)
    return "came before" if is_before else "asked for at once, so neither is after the other"


def _not_after(name: str, reached: Sequence[Place]) -> str:
    names = " and ".join(dict.fromkeys(one.call["name"] for one in reached))
    return (
        f"{name} was called, but not after {names}: a call comes after another one if a later step "
        "asked for it, or if it was made inside of it."
    )


def _untold(said: str, why: str, chosen: Selection, subject: Subject) -> Finding:
    """What is expected of an argument that there is not."""
    named = {one.key: said for one in subject.places if chosen.names(one)}
    return Finding(said=said, why=why, places=named or {(subject.run["id"], ""): said})


def _uncalled(said: str, chosen: Selection, state: State, *, after: bool) -> Finding:
    subject = state.subject
    known = list(dict.fromkeys([*(one.call["name"] for one in subject.places), *subject.offered]))
    where = f" inside of {chosen.inside}" if isinstance(chosen.inside, str) else ""
    meant = did_you_mean(chosen.name, known) if chosen.name not in known else ""
    after_what = ""
    key: Key = (subject.run["id"], "")
    if after and state.reached:
        last = state.reached[-1]
        key, after_what = last.key, f" after {last.call['name']}"
    what = f"No tool like {chosen.name}" if chosen.is_pattern else chosen.name
    was = "was called" if chosen.is_pattern else "was not called"
    return Finding(said=said, why=f"{what} {was}{where}{after_what}.{meant}", places={key: said})
