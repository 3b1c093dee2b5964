"""Files of records, a JSON object a line, with the index of what stands in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nbagents.catalogue.index import Segment
from nbagents.catalogue.records import Entry, entry_of_record
from nbagents.errors import ToolDefinitionError
from nbagents.narrowing import is_dict

if TYPE_CHECKING:
    from pathlib import Path

    from nbagents.catalogue.index import IndexCache
    from nbagents.catalogue.records import Record

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Batch:
    """What one source holds: each API once, those of one tool together."""

    entries: list[Entry] = field(default_factory=list["Entry"])
    """In the order in which they came."""
    faults: list[str] = field(default_factory=list[str])
    """What of it cannot be used, and why, a sentence each."""
    segment: Segment | None = None
    """The index of the entries in the order of `numbered`, where it is made already."""


def numbered(entries: Iterable[Entry]) -> list[Entry]:
    """The entries in the order in which an index counts them: by category and tool."""
    places: dict[str, dict[str, list[Entry]]] = {}
    for one in entries:
        places.setdefault(one.category, {}).setdefault(one.tool, []).append(one)
    return [one for tools in places.values() for listed in tools.values() for one in listed]


def unique(entries: Iterable[Entry]) -> list[Entry]:
    """Each API once: the last that was said of it counts."""
    return list({one.identity: one for one in entries}.values())


def read_lines(
    content: bytes, path: Path, place: Mapping[str, str], cache: IndexCache | None
) -> Batch:
    """The records of a file, with their index: from the cache, else made and kept there."""
    lines = content.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    if cache is None:
        return _indexed(lines, path.name, place)
    kept = cache.path_of(content, path.name, json.dumps(sorted(place.items())))
    loaded = cache.load(kept)
    if loaded is not None:
        batch = _restored(loaded[0], lines)
        if len(batch.entries) == len(loaded[1]):
            batch.segment = loaded[1]
            return batch
    batch = _indexed(lines, path.name, place)
    if batch.entries and batch.segment is not None:
        cache.store(kept, _kept(batch, lines), batch.segment)
    return batch


def _indexed(lines: list[bytes], name: str, place: Mapping[str, str]) -> Batch:
    batch = Batch()
    texts: dict[Entry, list[str]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = _object(json.loads(line))
            entry = entry_of_record(record, source=name, place=place, line=line)
            texts[entry] = entry.texts_of(record)
        except (ValueError, RecursionError, ToolDefinitionError) as error:
            batch.faults.append(f"Line {number} of {name} cannot be used: {error}.")
        else:
            batch.entries.append(entry)
    batch.entries = unique(batch.entries)
    batch.segment = Segment()
    for entry in numbered(batch.entries):
        batch.segment.add(texts[entry])
    return batch


def _object(given: object) -> Record:
    if not is_dict(given):
        raise ToolDefinitionError("it is no JSON object")
    return given


def _kept(batch: Batch, lines: list[bytes]) -> dict[str, Any]:
    """What of a batch is kept beside its index: all but what the file itself says."""
    numbers = {id(line): number for number, line in enumerate(lines)}
    places: dict[tuple[str, str, str], int] = {}
    rows = [
        [
            places.setdefault((one.category, one.tool, one.source), len(places)),
            one.api,
            one.given,
            numbers[id(one.body)],
        ]
        for one in batch.entries
    ]
    return {"places": list(places), "rows": rows, "faults": batch.faults}


def _restored(kept: Any, lines: list[bytes]) -> Batch:
    places: list[tuple[str, str, str]] = kept["places"]
    rows: list[tuple[int, str, str, int]] = kept["rows"]
    entries: list[Entry] = []
    for place, api, given, line in rows:
        category, tool, source = places[place]
        entries.append(Entry(category, tool, api, given, source, lines[line]))
    return Batch(entries, kept["faults"])
