"""What a frozen run leaves out to stay small: large pictures and long texts, each cut named.

Up to the limit nothing is left out. Above it the contents of files go and the schemas of tools,
then the largest pictures, until the rest fits or the pictures take no more than half. Then all
texts are cut to one length, the longest that fits, so that what is short stays whole. Every call
always stays, and the answer whole, up to a second limit at which every text is cut, whatever it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.notebook.markup import (
    NOTE_BYTES,
    head_of,
    json_bytes,
    left_out,
    level_of,
    shortened,
    written_bytes,
)
from nbagents.notebook.saved.parts import (
    Cut,
    Heavy,
    Part,
    cut_schemas,
    every_text,
    heavy_parts,
    text_parts,
)
from nbagents.runs.wording import brief_output, clipped

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.runs.tree import Tree

LIMIT_BYTES = 60_000
MOST_BYTES = 1_000_000
"""More JSON than this no run leaves in a notebook, not even for its answer. The HTML and the text
beside it come to about as much again."""

LONG_BYTES = 1_000
"""Shorter texts are never cut."""
NAME_WIDTH = 100


def shorten(tree: Tree, root_id: str, *, limit_bytes: int = LIMIT_BYTES) -> list[Cut]:
    """Cut a tree in place to about `limit_bytes` of JSON; gives what was cut."""
    if json_bytes(tree) <= limit_bytes:
        return []
    return _cut_to_fit(tree, root_id, limit_bytes) + _cut_whatever(
        tree, max(limit_bytes, MOST_BYTES)
    )


def _cut_whatever(tree: Tree, most_bytes: int) -> list[Cut]:
    """Cut any text that is left, the answer too: there is a most that a notebook takes."""
    size_bytes = json_bytes(tree)
    if size_bytes <= most_bytes:
        return []
    parts = [(part, json_bytes(part.value)) for part in every_text(tree)]
    long = [(part, one) for part, one in parts if one > LONG_BYTES]
    room_bytes = most_bytes - (size_bytes - sum(one for _, one in long))
    level = level_of([one for _, one in long], room_bytes) if long else 0
    cuts = [_cut(part, level) for part, one in long if one > level + NOTE_BYTES]
    return [
        *{(one["call_id"], one["text"]): one for one in cuts}.values()
    ]  # an answer is in it twice


def _cut_to_fit(tree: Tree, root_id: str, limit_bytes: int) -> list[Cut]:
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
    level = level_of(sizes, limit_bytes - (size_bytes - sum(sizes)))
    long = (part for part, one in zip(parts, sizes, strict=True) if one > level + NOTE_BYTES)
    return [_cut(part, level) for part in long]


def _drop_files(tree: Tree, limit_bytes: int) -> list[Cut]:
    """Leave out what files hold: a notebook only names them."""
    files = [one for one in heavy_parts(tree) if one.is_file]
    return _drop(files, json_bytes(tree), limit_bytes)


def _drop_pictures(tree: Tree, limit_bytes: int) -> list[Cut]:
    """Leave out pictures: what is left of them has its room."""
    pictures = [one for one in heavy_parts(tree) if not one.is_file]
    taken_bytes = sum(one.size_bytes for one in pictures)
    room_bytes = max(limit_bytes - (json_bytes(tree) - taken_bytes), limit_bytes // 2)
    return _drop(pictures, taken_bytes, room_bytes)


def _drop(parts: list[Heavy], taken_bytes: int, room_bytes: int) -> list[Cut]:
    """Leave out the largest, until all fits."""
    cuts: list[Cut] = []
    for one in sorted(parts, key=lambda one: -one.size_bytes):
        if taken_bytes > room_bytes:
            cuts.append(one.drop())
            taken_bytes -= one.size_bytes
    return cuts


def _cut(part: Part, level: int) -> Cut:
    size_bytes, kept_bytes, kept = _arguments(part, level) or _text(part, level)
    part.holder[part.key] = kept
    if part.is_arguments:
        gone = part.holder.get("left_out_bytes", 0) + size_bytes - kept_bytes
        part.holder["left_out_bytes"] = gone
    return {
        "run_id": part.run["id"],
        "call_id": part.call and part.call["id"],
        "part": (name := clipped(part.name, NAME_WIDTH)),
        "size_bytes": size_bytes,
        "kept_bytes": kept_bytes,
        "text": f"{name}: {left_out(size_bytes, kept_bytes)}",
    }


def _arguments(part: Part, level: int) -> tuple[int, int, Any] | None:
    """Arguments by name, whose short ones stay whole."""
    value: JsonValue = part.value
    if not part.is_arguments or not isinstance(value, dict):
        return None
    kept, gone = shortened(value, level)
    size_bytes = json_bytes(value)
    return size_bytes, size_bytes - gone, kept


def _text(part: Part, level: int) -> tuple[int, int, Any]:
    if part.is_output:
        return _output(part, level)
    head = head_of(part.written, level)
    size_bytes, kept_bytes = written_bytes(part.written), written_bytes(head)
    words = left_out(size_bytes, kept_bytes)
    kept = _cut_payload(part, head, words) if part.as_payload else f"{head}… [{words}]"
    return size_bytes, kept_bytes, kept


def _output(part: Part, level: int) -> tuple[int, int, str]:
    """What was printed: beginning and end by whole lines; what went wrong is said last."""
    text = part.written
    head = head_of(text, level // 2)
    end = head_of(text[: -level - 1 : -1], level - level // 2)[::-1]
    head, end = head[: head.rfind("\n") + 1] or head, end[end.find("\n") + 1 :]
    size_bytes, kept_bytes = written_bytes(text), written_bytes(head) + written_bytes(end)
    return size_bytes, kept_bytes, f"{head}… [{left_out(size_bytes, kept_bytes)}]\n{end}"


def _cut_payload(part: Part, head: str, words: str) -> dict[str, Any]:
    """A payload that stands for one too large; no renderer takes it for its own."""
    kept = {key: part.value[key] for key in ("version", "audience") if key in part.value}
    return {
        **kept,
        "kind": "cut",
        "value": {"of": part.value.get("kind"), "head": head, "note": words},
    }
