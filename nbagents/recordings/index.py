"""A recording: its exchanges, found by what is asked, and written one after the other."""

from __future__ import annotations

import threading
import warnings
from collections import defaultdict
from contextlib import AbstractContextManager
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from nbagents.errors import RecordingError
from nbagents.recordings.exchange import (
    HEADER,
    Damage,
    Exchange,
    RecordedResult,
    no_recording,
    read_line,
    read_without,
)
from nbagents.recordings.lines import FileLines, Lines
from nbagents.recordings.rewriting import is_half, is_superseded, lines_in, without
from nbagents.recordings.take import USED, Take
from nbagents.recordings.waiting_lines import Waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from nbagents.recordings.exchange import Entry, Raw
    from nbagents.recordings.rewriting import Choose
    from nbagents.recordings.take import Make

BY_RUN: Final[dict[str, list[Recording]]] = {}
"""The recordings that runs use which are not over yet, by the outermost run."""
COMPARED: Final = 512
"""So many bytes of the end are compared, to see that a file has only grown."""


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
        self._known: dict[Raw, Entry] = {}  # in the middle of a rewriting: what stays is known
        self._waiting = Waiting(self._write_waiting)
        self._forget()

    def _forget(self) -> None:
        self._state: object = None
        self._read = 0
        self._count = 0
        self._rest = self._end = b""
        self._entries: list[Entry] = []
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
        with self._written_out():
            return tuple(one for one in self._entries if isinstance(one, RecordedResult))

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
            if take is not None and self._waiting.lines:
                self._waiting.end(take, is_whole=is_whole)
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
        with self._fresh():
            known = self._of_model(key, model)
        return [one for one in known if one.take == known[-1].take]

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
            known = self._of_model(key, model)
            if not known:
                self.sync()
                known = self._of_model(key, model)
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
        with self._written_out():
            known = self._results.get((of, call), [])
            known = [one for one in known if one.take == known[-1].take]
            if not known:
                return None
            known = [one for one in known if one.place == place] or known
            at = take.results.get((of + place, call), 0)
            take.results[of + place, call] = at + 1
            return known[min(at, len(known) - 1)]

    def write(self, take: Take, make: Make) -> Entry:
        """Write a line of a run at its end, and whatever waits before it.

        Args:
            take: The run.
            make: Makes what is written.

        Raises:
            RecordingError: It cannot be written.
        """
        with self._lock:
            return self._append([*self._waiting.lines, (take, make)])[-1]

    def write_soon(self, take: Take, make: Make) -> None:
        """Write a line of a run with the next one, or a moment later.

        What a call gave may wait for the exchange in which the model is told of it: it is lost no
        sooner than that.

        Raises:
            RecordingError: It cannot be written.
        """
        with self._lock:
            self._waiting.add(take, make)

    def _write_waiting(self) -> None:
        with self._lock:
            if self._waiting.lines:
                self._append(self._waiting.lines)

    def _append(self, several: list[tuple[Take, Make]]) -> list[Entry]:
        self.sync()  # what cannot be read is not written to
        numbered = enumerate(several, start=self._count + 1)
        made = [make(self._named(take), line) for line, (take, make) in numbered]
        data = b"".join([piece for one in made for piece in (one.raw, b"\n")])
        expected = None if self._rest else self._state
        self._state, before = self.lines.append(data, HEADER, expected), self._state
        if self._state is None:
            self._state = before  # it is read again
        elif self._read:
            self._add(made, data)
        else:
            self._state = None  # with its first line
        self._waiting.lines = []
        return made

    def _named(self, take: Take) -> str:
        """The name under which a run is written: no other one's."""
        if not take.name:
            names = chain((take.id,), (f"{take.id}-{number}" for number in count(2)))
            take.name = next(one for one in names if one not in self._written)
            self._written.add(take.name)
        return take.name

    def _add(self, made: list[Entry], data: bytes) -> None:
        """Take in lines that were just written, without reading the file again."""
        self._read += len(data)
        self._end = (self._end + data[-COMPARED:])[-COMPARED:]
        self._count += len(made)
        for one in made:
            self._take_in(one)

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

        with self._written_out():
            self._known = {one.raw: one for one in self._entries}
            try:
                self.lines.rewrite(make)
                self.sync()
            finally:
                self._known = {}
        return dropped

    def _fresh(self) -> AbstractContextManager[bool]:
        self.sync()
        return cast("AbstractContextManager[bool]", self._lock)

    def _written_out(self) -> AbstractContextManager[bool]:
        self._write_waiting()
        return self._fresh()

    def _take_new(self, state: object) -> None:
        data = self._more(state)
        if data is None:
            self._forget()
            data = self.lines.read(0) if state is not None else b""
        end = data.rfind(b"\n") + 1
        self._read += end
        self._end = (self._end + data[max(0, end - COMPARED) : end])[-COMPARED:]
        for raw in lines_in(data, end):
            self._count += 1
            self._read_line(raw)
        self._state, self._rest = state, data[end:]
        self._read_last(self._rest)
        self._tell_damage()

    def _more(self, state: object) -> bytes | None:
        """What was added at the end; `None`: it may be that more has changed."""
        if self._rest or not self._read or not self.lines.has_grown(self._state, state):
            return None
        end = self._end
        data = self.lines.read(self._read - len(end))
        return data[len(end) :] if data.startswith(end) else None  # else an editor has written it

    def _read_line(self, raw: Raw) -> None:
        known = self._known.get(raw)
        if known is not None:
            known.line = self._count
            self._take_in(known)
            return
        try:
            entry = read_line(raw, self._count, self._by_id, self.name)
        except ValueError as error:
            if bytes(raw).strip():
                self._damaged.append(Damage(self._count, str(error)))
            return
        self._is_one = True
        if entry is not None:
            self._take_in(entry)

    def _take_in(self, entry: Entry) -> None:
        self._is_one = True
        self._entries.append(entry)
        if isinstance(entry, Exchange):
            self._written.add(entry.take)
            self._by_id[entry.id] = entry
            self._by_key[entry.key].append(entry)
            self._days.setdefault(entry.day)
            self._models[entry.model] = self._models.get(entry.model, 0) + 1
        else:
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
            self._state = None
            raise RecordingError(no_recording(self.name, damaged[0]))
        new = [one for one in damaged if one not in said]
        if new:
            warnings.warn(read_without(self.name, new), stacklevel=2)
