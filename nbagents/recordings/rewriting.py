"""A recording without some of its lines: what stays, and where it stands.

Lines that cannot be read stay where they are.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from nbagents.recordings.exchange import Entry, Exchange, Raw, read_line

Goes: TypeAlias = Callable[[Entry], bool]
Choose: TypeAlias = Callable[[Sequence[Entry]], Goes]
"""Says of all that there is what goes."""
Read: TypeAlias = tuple[Raw, Entry | None]


def is_superseded(entries: Sequence[Entry], keys: set[str] | None) -> Goes:
    """What goes where newer runs have answered the same questions anew.

    Where a newer one has asked what an older run had begun with, all of the older run goes.

    Args:
        entries: All that there is, in order.
        keys: Only answers to these questions; `None`: to all.
    """
    newest = {one.key: one.take for one in entries if isinstance(one, Exchange)}

    def is_old(entry: Entry) -> bool:
        key = entry.key if isinstance(entry, Exchange) else entry.of
        return (keys is None or key in keys) and newest.get(key, entry.take) != entry.take

    begun = [one for one in entries if isinstance(one, Exchange) and not (one.before or one.place)]
    over = {one.take for one in begun if is_old(one)}
    return lambda entry: entry.take in over or is_old(entry)


def is_half(entries: Sequence[Entry], take: str, keys: set[str]) -> Goes:
    """What goes where a run broke off that was to take the place of an older one: its own.

    Where there is no older one, what was asked so far is better than nothing.
    """
    is_old = is_superseded(entries, keys)
    has_older = any(map(is_old, entries))
    return lambda entry: has_older and entry.take == take


def without(
    data: bytes, choose: Choose, name: str, known: Mapping[Raw, Entry]
) -> tuple[bytes, int]:
    """All lines but those that go; a newer answer stands where the older one stood.

    Args:
        data: All lines.
        choose: What goes.
        name: What people call the recording.
        known: What lines say that were read before.

    Returns:
        What is left, and how many lines went.
    """
    lines = _read(data, name, known)
    entries = [one for _, one in lines if one is not None]
    goes = choose(entries)
    gone = {id(one) for one in entries if goes(one)}
    gone |= _orphans(entries, gone)
    kept = [raw for raw, one in _placed(lines, gone) if one is None or id(one) not in gone]
    return b"\n".join(kept), len(gone)


def lines_in(data: bytes, end: int) -> Iterator[Raw]:
    """The lines up to an end, as parts of all of it: a large file is in memory once."""
    view, at = memoryview(data), 0
    while at < end:
        to = data.find(b"\n", at, end)
        to = end if to < 0 else to
        yield view[at:to]
        at = to + 1


def _read(data: bytes, name: str, read: Mapping[Raw, Entry]) -> list[Read]:
    known: dict[str, Exchange] = {}
    made: list[Read] = []
    several = chain(lines_in(data, len(data)), (b"",) if data.endswith(b"\n") else ())
    for number, raw in enumerate(several, start=1):
        entry = read.get(raw)
        if entry is None:
            with contextlib.suppress(ValueError):
                entry = read_line(raw, number, known, name)
        if isinstance(entry, Exchange):
            known[entry.id] = entry
        made.append((raw, entry))
    return made


def _orphans(entries: Sequence[Entry], gone: set[int]) -> set[int]:
    """Those that go on with what is gone: nothing that is asked can come to them any more."""
    left: set[str] = set()
    found: set[int] = set()
    for one in entries:
        if not isinstance(one, Exchange) or id(one) in gone:
            continue
        if one.before is None or one.before in left:
            left.add(one.id)
        else:
            found.add(id(one))
    return found


def _placed(lines: Sequence[Read], gone: set[int]) -> list[Read]:
    """The lines, with those of a newer run where those to the same questions stood.

    A line stands after that with which it goes on.
    """
    places: dict[str, int] = {}
    for at, (_, one) in enumerate(lines):
        if isinstance(one, Exchange) and id(one) in gone:
            places.setdefault(one.key, at)
    to_of: dict[str, int] = {}
    order: list[tuple[int, int]] = []
    for at, (_, one) in enumerate(lines):
        to = at
        if isinstance(one, Exchange) and id(one) not in gone:
            to = min(places.get(one.key, at), at)
            if one.before is not None:
                to = max(to, to_of.get(one.before, to)) if one.key in places else at
            to_of.setdefault(one.id, to)
            to_of[one.key] = to
        elif one is not None and not isinstance(one, Exchange) and id(one) not in gone:
            to = to_of.get(one.of, at)  # beside the answer that asked for the call
        order.append((to, at))
    return [lines[at] for _, at in sorted(order)]
