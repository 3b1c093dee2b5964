"""What a frozen run leaves out to stay small: large pictures and long texts, each cut named.

Up to the limit nothing is left out. Above it the contents of files go, then the largest pictures,
until the rest fits or the pictures take no more than half. Then all texts are cut to one length,
the longest that fits, so that what is short stays whole. Every call and the answer always stay.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from nbagents.notebook.frozen_payloads import has_contents, picture_type
from nbagents.notebook.frozen_words import as_json, brief_output, size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from nbagents.runs.tree import CallNode, PayloadNode, RunNode, Tree

__all__ = ["LIMIT_BYTES", "Cut", "answer_item", "shorten"]

LIMIT_BYTES = 60_000
SHORTEST_BYTES = 100
NOTE_BYTES = 330
"""About what a cut's note and its entry in the list take: what gains less than that stays."""


class Cut(TypedDict):
    """One part that was shortened."""

    run_id: str
    call_id: str | None
    part: str
    size_bytes: int
    kept_bytes: int
    text: str
    """The cut in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Something of a run that may be shortened."""

    run_id: str
    call_id: str | None
    name: str
    value: Any  # a text or any JSON
    put: Callable[[Any], None]
    as_payload: bool = False

    @property
    def written(self) -> str:
        """The part as the person would read it."""
        return self.value if isinstance(self.value, str) else as_json(self.value)


def shorten(tree: Tree, root_id: str, *, limit_bytes: int = LIMIT_BYTES) -> list[Cut]:
    """Cut a tree in place to about `limit_bytes` of JSON; gives what was cut."""
    if _bytes(tree) <= limit_bytes:
        return []
    for call in (call for run in tree["runs"].values() for call in run["calls"].values()):
        call["output"] = brief_output(call["output"])
    dropped = _drop(tree, limit_bytes)
    return dropped + _cut_texts(tree, root_id, limit_bytes)


def _cut_texts(tree: Tree, root_id: str, limit_bytes: int) -> list[Cut]:
    size_bytes = _bytes(tree)
    if size_bytes <= limit_bytes:
        return []
    parts = [part for run in tree["runs"].values() for part in _parts(run, root_id)]
    sizes = [_bytes(part.value) for part in parts]
    level = _level(sizes, limit_bytes - (size_bytes - sum(sizes)))
    long = (part for part, one in zip(parts, sizes, strict=True) if one > level + NOTE_BYTES)
    return [_cut(part, level) for part in long]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heavy:
    """A picture or a file in a run, which is kept whole or not at all."""

    run_id: str
    call: CallNode
    node: PayloadNode
    size_bytes: int

    @property
    def is_file(self) -> bool:
        """Whether a saved notebook shows nothing of it but its name."""
        return self.node["payload"]["kind"] == "file"

    def drop(self) -> Cut:
        """Put words in its place."""
        payload, words = self.node["payload"], f"{size(self.size_bytes)} left out"
        value = payload["value"]
        if self.is_file:
            what = f"contents of {value.get('name')}"
            self.node["payload"] = {**payload, "value": {**value, "data": None}}
        else:
            what = "picture"
            cut = {"of": "image", "head": "", "note": words}
            self.node["payload"] = {**payload, "kind": "cut", "value": cut}
        part = f"{what} of {self.call['name']}"
        return {
            "run_id": self.run_id,
            "call_id": self.call["id"],
            "part": part,
            "size_bytes": self.size_bytes,
            "kept_bytes": 0,
            "text": f"{part}: {words}",
        }


def _drop(tree: Tree, limit_bytes: int) -> list[Cut]:
    """Leave out files, then the largest pictures: what is left of them has its room."""
    heavy = sorted(_heavy(tree), key=lambda one: (not one.is_file, -one.size_bytes))
    taken_bytes = sum(one.size_bytes for one in heavy)
    room_bytes = max(limit_bytes - (_bytes(tree) - taken_bytes), limit_bytes // 2)
    cuts: list[Cut] = []
    for one in heavy:
        if taken_bytes > room_bytes:
            cuts.append(one.drop())
            taken_bytes -= one.size_bytes
    return cuts


def _heavy(tree: Tree) -> Iterator[Heavy]:
    for run in tree["runs"].values():
        for call in run["calls"].values():
            for node in call["payloads"]:
                if _is_heavy(node["payload"]):
                    size_bytes = _bytes(node["payload"]["value"])
                    yield Heavy(run_id=run["id"], call=call, node=node, size_bytes=size_bytes)


def _is_heavy(payload: Mapping[str, Any]) -> bool:
    kind, value = payload["kind"], payload["value"]
    return has_contents(value) if kind == "file" else bool(picture_type(kind, value))


def answer_item(run: RunNode) -> int | None:
    """The place among a run's items of the text that is its answer."""
    for place in range(len(run["items"]) - 1, -1, -1):
        item = run["items"][place]
        if item["type"] == "text":
            return place if item["text"] == run["text"] else None
    return None


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
    size_bytes, kept_bytes = _written_bytes(part.written), _written_bytes(head)
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
    while (taken := _bytes(head)) > level:
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


def _parts(run: RunNode, root_id: str) -> Iterator[Part]:
    answer = answer_item(run) if run["id"] == root_id else None
    for place, item in enumerate(run["items"]):
        if item["type"] != "call" and place != answer:
            yield _part(run, None, f"{item['type']} of step {item['step']}", item, "text")
    yield _part(run, None, f"question to {run['agent_name']}", run, "prompt")
    for place in range(len(run["shared"])):
        yield _part(run, None, "what was shared", run["shared"], place)
    if run["id"] != root_id:
        yield _part(run, None, f"answer of {run['agent_name']}", run, "text")
    if run["failure"]:
        yield _part(run, None, "traceback", run["failure"], "debug_message")
    for call in run["calls"].values():
        yield from _call_parts(run, call)


def _call_parts(run: RunNode, call: CallNode) -> Iterator[Part]:
    name = call["name"]
    yield _part(run, call, f"arguments of {name}", call, "arguments")
    yield _part(run, call, f"result of {name}", call, "content")
    yield _part(run, call, f"preview of {name}", call, "preview")
    for output in call["output"]:
        yield _part(run, call, f"{output['stream']} of {name}", output, "text")
    for node in call["payloads"]:
        if _is_heavy(node["payload"]):
            continue
        label = f"{node['payload'].get('kind')} data of {name}"
        yield _part(run, call, label, node, "payload", as_payload=True)
    if call["failure"]:
        yield _part(run, call, f"error of {name}", call["failure"], "message")
        yield _part(run, call, f"traceback of {name}", call["failure"], "debug_message")


def _part(
    run: RunNode,
    call: CallNode | None,
    name: str,
    holder: Any,
    key: str | int,
    *,
    as_payload: bool = False,
) -> Part:
    def put(value: Any) -> None:
        holder[key] = value

    return Part(
        run_id=run["id"],
        call_id=call and call["id"],
        name=name,
        value=holder[key],
        put=put,
        as_payload=as_payload,
    )


def _written_bytes(text: str) -> int:
    return len(text.encode(errors="replace"))


def _bytes(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
