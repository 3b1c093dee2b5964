"""A recording: its exchanges, found by what is asked, and written one after the other."""

from __future__ import annotations

import threading
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from nbagents.errors import RecordingError
from nbagents.recordings.exchange import (
    HEADER,
    Damage,
    Exchange,
    RecordedResult,
    read_line,
)
from nbagents.recordings.lines import FileLines, Lines
from nbagents.recordings.rewriting import is_half, is_superseded, without

if TYPE_CHECKING:
    from nbagents.recordings.exchange import Entry, Signs
    from nbagents.recordings.rewriting import Choose

USED: Final[dict[str, None]] = {}
"""The ids of the exchanges that were said again in this process, by whichever recording."""
BY_RUN: Final[dict[str, list[Recording]]] = {}
"""The recordings that runs use which are not over yet, by the outermost run."""
COMPARED: Final = 512
"""So many bytes of the end are compared, to see that a file has only grown."""
NONE: Final = (
    "{name} is no recording: none of its lines can be read (line {line}: {why}). Move it away, "
    "or name another file."
)


@dataclass(frozen=True, slots=True)
class Point:
    """How far a run has come."""

    exchange: Exchange
    """The last one, which the next one goes on with."""
    signs: Signs
    """What stands for what is volatile in it."""


@dataclass(slots=True)
class Take:
    """What one run, with those inside of it, has taken of a recording, or put into it."""

    id: str
    name: str = ""
    """Under which it is written: no other run's, also where ids come again."""
    said: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Which of the answers were said again, by the key of their question."""
    of: dict[str, str] = field(default_factory=dict[str, str])
    """The run whose answers they are, as long as it has any."""
    live: set[str] = field(default_factory=set[str])
    """The keys for which there was nothing, when they were asked first."""
    points: dict[str, Point] = field(default_factory=dict[str, "Point"])
    """How far each run has come, by its id."""
    results: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    """How many results of a call were given."""
    has_begun: bool = False
    """Whether it was answered already."""
    refreshes: bool = False
    """Whether older answers to what it asked are to go."""


class Recording:
    """What is kept of exchanges with models, and given again.

    Of the answers to a question those count that the newest run has recorded, with the runs inside
    of it. A line that cannot be read stays where it is, and is told of.

    Args:
        lines: Where it is.
    """

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.damaged: tuple[Damage, ...] = ()
        """The lines that cannot be read."""
        self._lock = threading.RLock()
        self._takes: dict[str, Take] = {}
        self._known: dict[bytes, Entry] = {}  # in the middle of a rewriting: what stays is known
        self._forget()

    def _forget(self) -> None:
        self._state: object = None
        self._read = 0
        self._count = 0
        self._rest = self._end = b""
        self._by_id: dict[str, Exchange] = {}
        self._by_key: dict[str, list[Exchange]] = defaultdict(list)
        self._results: dict[tuple[str, str], list[RecordedResult]] = defaultdict(list)
        self._damaged: list[Damage] = []
        self._days: dict[str, None] = {}
        self._models: dict[str, int] = {}
        self._written: set[str] = set()
        self._is_one = False

    @property
    def name(self) -> str:
        """What people call it."""
        return self.lines.name

    @property
    def exists(self) -> bool:
        """Whether there is anything at all."""
        return self.lines.state is not None

    @property
    def path(self) -> Path | None:
        """The file in which it is, if it is in one."""
        return self.lines.path if isinstance(self.lines, FileLines) else None

    def exchanges(self) -> tuple[Exchange, ...]:
        """All exchanges, in the order of their lines."""
        with self._fresh():
            return tuple(self._by_id.values())

    def results(self) -> tuple[RecordedResult, ...]:
        """The results of all calls, in the order of their lines."""
        with self._fresh():
            several = (one for same in self._results.values() for one in same)
            return tuple(sorted(several, key=lambda one: one.line))

    def days(self) -> tuple[str, ...]:
        """The dates at which it was recorded."""
        with self._fresh():
            return tuple(self._days)

    def models(self) -> tuple[str, ...]:
        """The models that answered, the most frequent first."""
        with self._fresh():
            return tuple(sorted(self._models, key=lambda one: -self._models[one]))

    def by_id(self, exchange_id: str) -> Exchange | None:
        """The exchange of an id."""
        with self._fresh():
            return self._by_id.get(exchange_id)

    def take(self, take_id: str) -> Take:
        """What a run has taken of it so far; of one that is new, nothing."""
        with self._lock:
            known = self._takes.get(take_id)
            if known is None:
                known = self._takes[take_id] = Take(take_id)
                BY_RUN.setdefault(take_id, []).append(self)
            return known

    def end(self, take_id: str, *, is_whole: bool = True) -> None:
        """A run is over: what it has refreshed takes the place of what was there.

        Args:
            take_id: The run.
            is_whole: Whether it came to its end: half a run takes the place of none, and goes.

        Raises:
            RecordingError: It cannot be written.
        """
        with self._lock:
            take = self._takes.pop(take_id, None)
        if take is None or not take.refreshes:
            return
        if is_whole:
            self.tidy(set(take.live))
        elif take.name:
            self._drop(lambda entries: is_half(entries, take.name, take.live))

    def answers(self, key: str, model: str | None = None) -> list[Exchange]:
        """The answers to a question that the newest run has recorded, in order.

        Args:
            key: What the question is found by.
            model: Only those of this model.
        """
        known = self._answers(key, model)
        return [one for one in known if one.take == known[-1].take]

    def _answers(self, key: str, model: str | None) -> list[Exchange]:
        with self._fresh():
            return self._of_model(key, model)

    def _of_model(self, key: str, model: str | None) -> list[Exchange]:
        known = self._by_key.get(key, ())
        return [one for one in known if model is None or one.model == model]

    def next_answer(
        self, take: Take, key: str, place: str, model: str | None = None
    ) -> Exchange | None:
        """The answer that is next in a run: the last one again, where there are no more."""
        with self._lock:
            if not take.has_begun:  # in mid-run it is read again only for what it has not
                self.sync()
                take.has_begun = True
            known = self._of_model(key, model) or self._answers(key, model)
            if not known:
                return None
            of = take.of.get(key, "")
            if not any(one.take == of for one in known):
                of = take.of[key] = known[-1].take
            known = [one for one in known if one.take == of]
            said = take.said[key]
            left = [at for at in range(len(known)) if at not in said] or [len(known) - 1]
            at = next((one for one in left if known[one].place == place), left[0])
            said.append(at)
            USED.setdefault(known[at].id)
            return known[at]

    def next_result(self, take: Take, of: str, call: str, place: str) -> RecordedResult | None:
        """The recorded result of a call that is next in a run."""
        with self._fresh():
            known = self._results.get((of, call), [])
            known = [one for one in known if one.take == known[-1].take]
            if not known:
                return None
            known = [one for one in known if one.place == place] or known
            at = take.results.get((of + place, call), 0)
            take.results[of + place, call] = at + 1
            return known[min(at, len(known) - 1)]

    def write(self, take: Take, make: Callable[[str], str]) -> None:
        """Write a line of a run at its end.

        Args:
            take: The run.
            make: Makes the line; it is given the name under which the run is written.

        Raises:
            RecordingError: It cannot be written.
        """
        with self._fresh():  # what cannot be read is not written to
            if not take.name:
                names = chain((take.id,), (f"{take.id}-{number}" for number in count(2)))
                take.name = next(one for one in names if one not in self._written)
            line = make(take.name)
            state = self.lines.append(line, HEADER, self._state)
            if state is not None and not self._rest:
                self._add(line.encode("utf-8", "backslashreplace"), state)
            self._written.add(take.name)

    def _add(self, raw: bytes, state: object) -> None:
        """Take in a line that was just written, without reading the file again."""
        self._read += len(raw) + 1
        self._end = (self._end + raw + b"\n")[-COMPARED:]
        self._count += 1
        self._read_line(raw)
        self._state = state

    def sync(self) -> None:
        """Read what is new.

        Raises:
            RecordingError: It cannot be read, or was written by a newer nbagents.
        """
        with self._lock:
            state = self.lines.state
            if state == self._state:
                return
            self._take_new(state)

    def tidy(self, keys: Iterable[str] | None = None) -> int:
        """Drop the answers in whose place newer ones have come, which take their places.

        Args:
            keys: Only those to these questions; `None`: to all.

        Returns:
            How many lines were dropped.
        """
        wanted = None if keys is None else set(keys)
        return self._drop(lambda entries: is_superseded(entries, wanted))

    def keep_only(self, wanted: Callable[[Exchange], bool]) -> int:
        """Drop the exchanges that are not wanted, but those that wanted ones go on with.

        Returns:
            How many lines were dropped.
        """
        kept: set[str] = set()
        for one in reversed(self.exchanges()):
            if one.id in kept or wanted(one):
                kept |= {one.id, one.before or ""}
        keys = {one.key for one in self.exchanges() if one.id in kept}

        def is_unwanted(entry: Entry) -> bool:
            return entry.id not in kept if isinstance(entry, Exchange) else entry.of not in keys

        return self._drop(lambda _: is_unwanted)

    def _drop(self, choose: Choose) -> int:
        dropped = 0

        def make(data: bytes) -> bytes:
            nonlocal dropped
            made, dropped = without(data, choose, self.name, self._known)
            return made

        with self._fresh():
            self._known = {one.raw: one for one in (*self.exchanges(), *self.results())}
            try:
                self.lines.rewrite(make)
                self.sync()
            finally:
                self._known = {}
        return dropped

    def _fresh(self) -> AbstractContextManager[bool]:
        self.sync()
        return cast("AbstractContextManager[bool]", self._lock)

    def _take_new(self, state: object) -> None:
        data = self._more(state)
        if data is None:
            self._forget()
            data = self.lines.read(0) if state is not None else b""
        whole, end, rest = data.rpartition(b"\n")
        self._read += len(whole) + len(end)
        self._end = (self._end + whole[-COMPARED:] + end)[-COMPARED:]
        for raw in whole.split(b"\n") if end else ():
            self._count += 1
            self._read_line(raw)
        self._state, self._rest = state, rest
        self._read_last(rest)
        self._tell_damage()

    def _more(self, state: object) -> bytes | None:
        """What was added at the end; `None`: it may be that more has changed."""
        if self._rest or not self._read or not self.lines.has_grown(self._state, state):
            return None
        end = self._end
        data = self.lines.read(self._read - len(end))
        return data[len(end) :] if data.startswith(end) else None  # else an editor has written it

    def _read_line(self, raw: bytes) -> None:
        if not raw.strip():
            return
        known = self._known.get(raw)
        try:
            if known is not None:
                entry = replace(known, line=self._count)
            else:
                entry = read_line(raw, self._count, self._by_id, self.name)
        except ValueError as error:
            self._damaged.append(Damage(self._count, str(error)))
            return
        self._is_one = True
        if isinstance(entry, Exchange):
            self._written.add(entry.take)
            self._by_id[entry.id] = entry
            self._by_key[entry.key].append(entry)
            self._days.setdefault(entry.day)
            self._models[entry.model] = self._models.get(entry.model, 0) + 1
        elif entry is not None:
            self._results[entry.of, entry.call].append(entry)

    def _read_last(self, rest: bytes) -> None:
        """Read a last line that does not end: it may have been cut, or is being written."""
        if rest.strip():
            self._count += 1
            self._read_line(rest)

    def _tell_damage(self) -> None:
        said, damaged = self.damaged, tuple(self._damaged)
        self.damaged = damaged
        if not damaged:
            return
        if not self._is_one:
            first, self._state = damaged[0], None
            raise RecordingError(NONE.format(name=self.name, line=first.line, why=first.why))
        new = [one for one in damaged if one not in said]
        if new:
            warnings.warn(self._about_damage(new), stacklevel=2)

    def _about_damage(self, damaged: list[Damage]) -> str:
        shown = "; ".join(str(one) for one in damaged[:3])
        more = f" and {len(damaged) - 3} more" if len(damaged) > 3 else ""  # noqa: PLR2004
        return (
            f"{self.name} is read without what is damaged ({shown}{more}). Nothing of it is taken "
            'away; to answer what is missing, run with mode="extend".'
        )
