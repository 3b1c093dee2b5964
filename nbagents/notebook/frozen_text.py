"""A run as a text tree, for terminals, diffs, and whoever reads the notebook file itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.notebook.frozen_markup import visible
from nbagents.notebook.frozen_parts import answer_item
from nbagents.notebook.frozen_pictures import (
    map_in_words,
    payload_line,
    shown_payloads,
    stage_values,
)
from nbagents.notebook.frozen_sources import sources_of
from nbagents.notebook.frozen_words import (
    CALL_STATUS,
    REFUSED,
    RUN_STATUS,
    call_in_words,
    child_runs,
    clipped,
    counted,
    duration,
    preview,
    run_duration_ms,
    tokens,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.notebook.frozen_sources import Source
    from nbagents.runs.tree import CallNode, Item, RunNode, Tree

__all__ = ["text_tree"]

INDENT = "  "
CALL_WIDTH = 44
PREVIEW_WIDTH = 38
PAYLOAD_WIDTH = 94


def text_tree(tree: Tree, root_id: str) -> str:
    """A run as text: a header, a line per call with child runs below it, and the answer.

    Args:
        tree: Runs by id, as `nbagents.runs.tree.fold` makes them.
        root_id: The run to write.
    """
    run = tree["runs"][root_id]
    lines = [_head(tree, run), *_body(tree, run, INDENT, frozenset({root_id}))]
    answer = [line.rstrip() for line in visible(run["text"]).strip().split("\n")]
    said = ["", *answer] if run["text"].strip() else []
    refused = ["", REFUSED] if run["refused"] else []
    return "\n".join([*lines, *said, *refused, *(_sources(run) if said else [])])


def _sources(run: RunNode) -> list[str]:
    sources = enumerate(sources_of(run["citations"]), 1)
    lines = [f"[{number}] {_source(source)}" for number, source in sources]
    return ["", "Sources:", *lines] if lines else []


def _source(source: Source) -> str:
    title, url = visible(source.title), visible(source.url)
    return f"{title}: {url}" if url and url != title else title


def _head(tree: Tree, run: RunNode) -> str:
    figures = [
        RUN_STATUS.get(run["status"], run["status"]),
        duration(run_duration_ms(run)),
        counted(len(run["calls"]), "call") if run["calls"] else "",
        tokens(tree, run),
        f"chat {_line(run['chat'], 40)}" if run["chat"] else "",
    ]
    said = f"{_line(run['agent_name'], 60)} ({_line(run['model'], 60)}): "
    return said + ", ".join(figure for figure in figures if figure)


def _body(tree: Tree, run: RunNode, indent: str, above: frozenset[str]) -> list[str]:
    lines = [f"{indent}asked: {_line(run['prompt'], 100)}"] if run["prompt"] else []
    lines += [f"{indent}shared: {_line(one, 200)}" for one in run["shared"]]
    if failure := run["failure"]:
        lines.append(f"{indent}error: {_line(str(failure['message']), 200)}")
    answer = answer_item(run)
    widths = _widths(run)
    for place, item in enumerate(run["items"]):
        if place != answer:
            lines += _item(tree, run, item, indent, above, widths)
    return [*lines, *_stage(stage_values(run), indent)]


def _item(
    tree: Tree,
    run: RunNode,
    item: Item,
    indent: str,
    above: frozenset[str],
    widths: Sequence[int],
) -> list[str]:
    if item["type"] != "call":
        said = item["text"] if item["type"] == "text" else ""
        return [f"{indent}{line}" for line in _wrapped(said, 96 - len(indent))]
    call = run["calls"][item["call_id"]]
    lines = [indent + _columns(_cells(call), widths)]
    lines += [f"{indent}{INDENT}[{words}]" for words in _payloads(call)]
    for child in child_runs(tree, call):
        if child["id"] not in above:
            lines += _child(tree, child, indent + INDENT, above | {child["id"]})
    return lines


def _payloads(call: CallNode) -> list[str]:
    """What people would see beside the call, in words."""
    return [
        _line(words, PAYLOAD_WIDTH)
        for payload in shown_payloads(call)
        if (words := payload_line(payload))
    ]


def _child(tree: Tree, run: RunNode, indent: str, above: frozenset[str]) -> list[str]:
    inner = indent + INDENT
    answer = [f"{inner}{line}" for line in _wrapped(run["text"], 96 - len(inner))]
    answer += [f"{inner}{REFUSED}"] if run["refused"] else []
    return [indent + _head(tree, run), *_body(tree, run, inner, above), *answer]


def _cells(call: CallNode) -> list[str]:
    return [
        CALL_STATUS.get(call["status"], call["status"]),
        visible(call_in_words(call, CALL_WIDTH)),
        visible(_gave(call)),
        duration(call["duration_ms"]),
    ]


def _gave(call: CallNode) -> str:
    kept = f"(kept as {_line(call['handle'], 16)})" if call["handle"] else ""
    gave = preview(call, PREVIEW_WIDTH - len(kept))
    return f"{gave} {kept}".strip()


def _widths(run: RunNode) -> list[int]:
    """How wide each column of a run's calls is."""
    rows = [_cells(call) for call in run["calls"].values()]
    return [max((len(row[column]) for row in rows), default=0) for column in range(4)]


def _columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True) if width]
    return "  ".join(padded).rstrip()


def _stage(values: Mapping[str, JsonValue], indent: str) -> list[str]:
    lines: list[str] = []
    for kind, value in values.items():
        try:
            words = map_in_words(value) if kind == "map" else kind
        except ValueError:  # any tool may call its payload a map
            words = kind
        lines.append(f"{indent}[{visible(words)}]")
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    import textwrap  # noqa: PLC0415  rarely needed

    return [
        piece
        for line in visible(text).strip().split("\n")
        for piece in textwrap.wrap(line, max(width, 24)) or [""]
        if text.strip()
    ]


def _line(text: str, limit: int) -> str:
    return clipped(visible(text), limit)
