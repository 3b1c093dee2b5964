"""Which calls an expectation is about, and how many of them there are to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final, TypeAlias

from nbagents.errors import did_you_mean
from nbagents.events import CallStatus
from nbagents.runs.wording import CALL_STATUS, counted
from nbagents.testing.expectations.values import (
    expected_words,
    fits,
    misfits,
    options_words,
    value_words,
)
from nbagents.tools.context import wrong

if TYPE_CHECKING:
    from nbagents.testing.expectations.subject import Place, Subject

Times: TypeAlias = int | range | Callable[[int], object] | None
Status: TypeAlias = CallStatus | Sequence[CallStatus] | None

TIMES_ADVICE: Final = "give a number, a range such as range(1, 4), or a function of the number."
INSIDE_ADVICE: Final = "give the name of a tool or an agent, or False for the run's own calls."
NAME_ADVICE: Final = 'give the name of a tool, e.g. "find_place"; * stands for anything.'


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Some calls, by what they are and got."""

    name: str
    """Of the tool; `*` stands for any characters, `?` for one."""
    arguments: Mapping[str, object]
    """What each got at least."""
    status: Status = None
    """How each ended; `None`: as it likes, if its tool was called at all."""
    gave: object = ...
    """What the model was told of it."""
    inside: str | bool | None = None
    """Inside of which tool's calls or which agent's runs; `False`: not inside of any."""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore[reportUnnecessaryIsInstance]  people give anything
            raise wrong("The tool", self.name, NAME_ADVICE)
        if (
            self.inside is not None
            and self.inside is not False
            and not isinstance(self.inside, str)
        ):
            raise wrong("inside", self.inside, INSIDE_ADVICE)
        if unknown := [one for one in self._statuses() if one not in CALL_STATUS]:
            raise wrong("status", unknown[0], f"give one of {', '.join(CALL_STATUS)}.")

    @property
    def is_pattern(self) -> bool:
        """Whether the name stands for several tools."""
        return any(one in self.name for one in "*?[")

    def words(self, verb: str, **more: object) -> str:
        """How it is written: `called("find_place", name="Oslo")`."""
        gave = {} if self.gave is ... else {"gave": self.gave}
        options = {"status": self.status, "inside": self.inside, **more}
        asked = {name: one for name, one in options.items() if one is not None}
        given = options_words({**self.arguments, **gave, **asked})
        return f"{verb}({', '.join([value_words(self.name), *given])})"

    def names(self, place: Place) -> bool:
        """Whether a call is of the tool, and where it is to be."""
        return fnmatchcase(place.call["name"], self.name) and self._is_inside(place)

    def unknown(self, subject: Subject) -> str:
        """Which argument no such tool takes and no such call got, in words; nothing: each one may.

        Whatever is said of such a call would hold, or not hold, of every run.
        """
        known = {
            name: one for name, one in subject.parameters.items() if fnmatchcase(name, self.name)
        }
        calls = [one.call for one in subject.places if fnmatchcase(one.call["name"], self.name)]
        if not known or any(one["name"] not in known for one in calls):
            return ""
        given = [one["arguments"] for one in calls]
        got = {name for one in given if isinstance(one, dict) for name in one}
        taken = frozenset[str]().union(*known.values())
        for name in self.arguments:
            if name not in taken | got:
                hint = did_you_mean(name, sorted(taken)) if taken else " It takes none."
                return f"{' and '.join(known)} has no argument {name!r}.{hint}"
        return ""

    def misfits(self, subject: Subject, place: Place) -> list[str]:
        """What of such a call is not as expected, in words."""
        call = place.call
        found = list(misfits(self.arguments, call["arguments"], subject.objects(place)).values())
        if self.status is None and not place.was_made:
            found.insert(0, _unmade(place))
        elif self.status is not None and call["status"] not in self._statuses():
            found.insert(0, f"{CALL_STATUS[call['status']]}, not {self._status_words()}")
        if self.gave is not ... and not self._gave(subject, place):
            found.append(f"gave {value_words(call['content'])}, not {expected_words(self.gave)}")
        return found

    def _gave(self, subject: Subject, place: Place) -> bool:
        """Whether it gave what is expected: what the model was told, or the object itself."""
        value = subject.value(place)
        return fits(self.gave, place.call["content"]) or (
            value is not None and fits(self.gave, value)
        )

    def _is_inside(self, place: Place) -> bool:
        if self.inside is None:
            return True
        if self.inside is False:
            return not place.above
        pattern = str(self.inside)
        runs = [one.run for one in place.path[1:]]
        names = [one.call["name"] for one in place.above] + [one["agent_name"] for one in runs]
        return any(fnmatchcase(name, pattern) for name in names)

    def _statuses(self) -> Sequence[CallStatus]:
        if self.status is None:
            return ()
        return (self.status,) if isinstance(self.status, str) else tuple(self.status)

    def _status_words(self) -> str:
        return " or ".join(CALL_STATUS[one] for one in self._statuses())


def check_times(times: Times) -> None:
    """See that a number of calls can be that.

    Raises:
        ValueError: It cannot.
    """
    is_number = isinstance(times, int) and not isinstance(times, bool) and times >= 0
    if times is not None and not (is_number or isinstance(times, range) or callable(times)):
        raise wrong("times", times, TIMES_ADVICE)


def times_fit(times: Times, count: int) -> bool:
    """Whether there are as many as expected; without a number: any."""
    if times is None:
        return count > 0
    if isinstance(times, range):
        return count in times
    return bool(times(count)) if callable(times) else count == times


def times_words(times: Times) -> str:
    """A number of calls that is expected, in words."""
    if isinstance(times, range) and times:
        return f"{times[0]} to {times[-1]} times" if times.step == 1 else f"in {times}"
    return _many(times) if isinstance(times, int) else expected_words(times)


def count_words(name: str, count: int) -> str:
    """How often a tool was called: `wipe was called twice`."""
    return f"{name} was {'not called' if count == 0 else f'called {_many(count)}'}"


def _many(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count) or counted(count, "time")


def _unmade(place: Place) -> str:
    if place.call["status"] == "failed":
        return "it was no valid call, so the tool did not get it"
    return f"{CALL_STATUS[place.call['status']]}, so the tool did not get it"
