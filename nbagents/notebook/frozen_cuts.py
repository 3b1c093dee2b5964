"""What a frozen run leaves out to stay small: large pictures and long texts, each cut named.

Up to the limit nothing is left out. Above it the contents of files go and the schemas of tools,
then the largest pictures, until the rest fits or the pictures take no more than half. Then all
texts are cut to one length, the longest that fits, so that what is short stays whole. Every call
and the answer always stay.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from nbagents.notebook.frozen_parts import (
    Cut,
    Part,
    cut_schemas,
    heavy_parts,
    json_bytes,
    text_parts,
    written_bytes,
)
from nbagents.runs.tree_words import brief_output, size

if TYPE_CHECKING:
    from nbagents.runs.tree import Tree

__all__ = ["LIMIT_BYTES", "Cut", "shorten"]

LIMIT_BYTES = 60_000
SHORTEST_BYTES = 100
NOTE_BYTES = 330
"""About what a cut's note and its entry in the list take: what gains less than that stays."""


def shorten(tree: Tree, root_id: str, *, limit_bytes: int = LIMIT_BYTES) -> list[Cut]:
    """Cut a tree in place to about `limit_bytes` of JSON; gives what was cut."""
    if json_bytes(tree) <= limit_bytes:
        return []
    for call in (call for run in tree["runs"].values() for call in run["calls"].values()):
        call["output"] = brief_output(call["output"])
    dropped = _drop_files(tree, limit_bytes)
    if json_bytes(tree) > limit_bytes:
        dropped += cut_schemas(tree)
    dropped += _drop_pictures(tree, limit_bytes)
    return dropped + _cut_texts(tree, root_id, limit_bytes)


def _cut_texts(tree: Tree, root_id: str, limit_bytes: int) -> list[Cut]:
    size_bytes = json_bytes(tree)
    if size_bytes <= limit_bytes:
        return []
    parts = [part for run in tree["runs"].values() for part in text_parts(run, root_id)]
    sizes = [json_bytes(part.value) for part in parts]
    level = _level(sizes, limit_bytes - (size_bytes - sum(sizes)))
    long = (part for part, one in zip(parts, sizes, strict=True) if one > level + NOTE_BYTES)
    return [_cut(part, level) for part in long]


def _drop_files(tree: Tree, limit_bytes: int) -> list[Cut]:
    """Leave out what files hold, the largest first: a notebook only names them."""
    files = sorted(
        (one for one in heavy_parts(tree) if one.is_file), key=lambda one: -one.size_bytes
    )
    left_bytes = json_bytes(tree)
    cuts: list[Cut] = []
    for one in sorted(files, key=lambda one: -one.size_bytes):
        if left_bytes > limit_bytes:
            cuts.append(one.drop())
            left_bytes -= one.size_bytes
    return cuts


def _drop_pictures(tree: Tree, limit_bytes: int) -> list[Cut]:
    """Leave out the largest pictures: what is left of them has its room."""
    pictures = [one for one in heavy_parts(tree) if not one.is_file]
    taken_bytes = sum(one.size_bytes for one in pictures)
    room_bytes = max(limit_bytes - (json_bytes(tree) - taken_bytes), limit_bytes // 2)
    cuts: list[Cut] = []
    for one in sorted(pictures, key=lambda one: -one.size_bytes):
        if taken_bytes > room_bytes:
            cuts.append(one.drop())
            taken_bytes -= one.size_bytes
    return cuts


def _level(sizes: list[int], room_bytes: int) -> int:
    """The length to which to cut so that all parts fit into a room too small for them."""
    rising = sorted(sizes)
    shorter_bytes = itertools.accumulate(rising, initial=0)
    levels = (
        (room_bytes - taken) // (len(rising) - place) - NOTE_BYTES
        for place, taken in zip(range(len(rising)), shorter_bytes, strict=False)
    )
    fits = next(level for level, one in zip(levels, rising, strict=True) if one > level)
    return max(fits, SHORTEST_BYTES)


def _cut(part: Part, level: int) -> Cut:
    head = _head(part.written, level)
    size_bytes, kept_bytes = written_bytes(part.written), written_bytes(head)
    words = f"{size(size_bytes - kept_bytes)} of {size(size_bytes)} left out"
    part.put(_cut_payload(part, head, words) if part.as_payload else f"{head}… [{words}]")
    return {
        "run_id": part.run_id,
        "call_id": part.call_id,
        "part": part.name,
        "size_bytes": size_bytes,
        "kept_bytes": kept_bytes,
        "text": f"{part.name}: {words}",
    }


def _head(text: str, level: int) -> str:
    """The beginning of a text that takes about `level` bytes once it is written as JSON."""
    head = text[:level]
    while (taken := json_bytes(head)) > level:
        head = head[: min(len(head) * level // taken, len(head) - 1)]
    return head


def _cut_payload(part: Part, head: str, words: str) -> dict[str, Any]:
    """A payload that stands for one too large; no renderer takes it for its own."""
    kept = {key: part.value[key] for key in ("version", "audience") if key in part.value}
    return {
        **kept,
        "kind": "cut",
        "value": {"of": part.value.get("kind"), "head": head, "note": words},
    }
