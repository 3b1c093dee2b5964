"""A run as a text tree, for terminals, diffs, and whoever reads the notebook file itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.runs.tree.outcomes import outcome_of
from nbagents.runs.tree.people import (
    await_in_words,
    call_status,
    children_in_words,
    decision_in_words,
    effective_guardrails,
    exchanges,
    guardrail_in_words,
    handoff_in_words,
    leave_in_words,
    links_in_words,
    open_awaits,
    resume_line,
    unusual_approval,
)
from nbagents.runs.tree.sources import sources_of
from nbagents.runs.tree.times import call_time, run_time
from nbagents.runs.tree.troubles import troubles_inside
from nbagents.runs.tree.visible import plain, visible, visible_name
from nbagents.runs.tree.words import (
    CALL_STATUS,
    REFUSED,
    answer_item,
    as_json,
    call_in_words,
    child_runs,
    clipped,
    cost_of,
    counted,
    family,
    money,
    preview,
    tokens,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nbagents.runs.tree.folding import CallNode, Item, RunNode, Tree
    from nbagents.runs.tree.nodes import AwaitNode
    from nbagents.runs.tree.sources import Source

__all__ = ["BARE", "Pictures", "tree_text"]

INDENT = "  "
CALL_WIDTH = 44
PREVIEW_WIDTH = 38
PAYLOAD_WIDTH = 94
WIDEST = 200
PROMPT_WIDTH = 300
TERMINAL = 96


def kinds_shown(call: CallNode) -> list[str]:
    """What a call has shown, by its kinds alone."""
    return [
        node["payload"]["kind"]
        for node in call["payloads"]
        if node["payload"].get("audience") != "internal"
    ]


def nothing_shared(run: RunNode) -> list[str]:
    """A run whose pictures are all its calls' own."""
    del run
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """How what people would see is put in words: a line for each picture."""

    of_call: Callable[[CallNode], list[str]]
    of_run: Callable[[RunNode], list[str]]
    """What the calls of a run share, such as its map."""


BARE = Pictures(of_call=kinds_shown, of_run=nothing_shared)


def tree_text(tree: Tree, run_id: str, pictures: Pictures = BARE) -> str:
    """A run as text: a header, a line per call with child runs below it, and the answer.

    Args:
        tree: Runs by id, as `nbagents.runs.tree.folding.fold` makes them.
        run_id: The run to write.
        pictures: What is said of payloads.
    """
    run, writer = tree["runs"][run_id], _Writer(tree, pictures)
    lines = [writer.head(run), *_waiting(tree, run), *writer.body(run, INDENT, frozenset({run_id}))]
    answer = [line.rstrip() for line in visible(run["text"]).strip().split("\n")]
    said = ["", *answer] if run["text"].strip() else []
    refused = ["", REFUSED] if run["refused"] else []
    return "\n".join([*lines, *said, *refused, *(_sources(run) if said else [])])


@dataclass(frozen=True, slots=True)
class _Writer:
    tree: Tree
    pictures: Pictures

    def head(self, run: RunNode) -> str:
        inside = len(family(self.tree, run)) - 1
        cost, approval = money(cost_of(self.tree, run)), unusual_approval(self.tree, run)
        came = outcome_of(self.tree, run)
        figures = [
            came.words,
            run_time(self.tree, run),
            came.calls,
            f"{counted(inside, 'run')} inside" if inside else "",
            tokens(self.tree, run),
            f"cost {cost}" if cost else "",
            f"approval {_line(approval, 20)}" if approval else "",
            _line(leave_in_words(run), 100),
            f"chat {_line(run['chat'], 40)}" if run["chat"] else "",
            f"resumed from {_line(run['resumed_from'], 60)}" if run["resumed_from"] else "",
            f"went on as {_line(run.get('resumed_by', ''), 60)}" if run.get("resumed_by") else "",
        ]
        said = f"{_line(visible_name(run['agent_name']), 60)} ({_line(run['model'], 60)}): "
        return said + ", ".join(figure for figure in figures if figure)

    def body(self, run: RunNode, indent: str, above: frozenset[str]) -> list[str]:
        asked = f"asked: {_line(run['prompt'], PROMPT_WIDTH)}" if run["prompt"] else ""
        lines = [f"{indent}{line}" for line in _wrapped(asked, TERMINAL - len(indent))]
        lines += [f"{indent}shared: {_line(one, 200)}" for one in run["shared"]]
        if failure := run["failure"]:
            lines.append(f"{indent}error: {_line(str(failure['message']), 200)}")
        lines += _about_run(run, indent)
        answer = answer_item(run)
        widths = _widths(self.tree, run)
        for place, item in enumerate(run["items"]):
            if place != answer:
                lines += self._item(run, item, indent, above, widths)
        return [*lines, *(f"{indent}[{visible(one)}]" for one in self.pictures.of_run(run))]

    def _item(
        self, run: RunNode, item: Item, indent: str, above: frozenset[str], widths: Sequence[int]
    ) -> list[str]:
        if item["type"] == "handoff":
            return [indent + _line(handoff_in_words(item), WIDEST)]
        if item["type"] != "call":
            said = item["text"] if item["type"] == "text" else ""
            return [f"{indent}{line}" for line in _wrapped(said, TERMINAL - len(indent))]
        call, inner = run["calls"][item["call_id"]], indent + INDENT
        lines = [indent + _columns(_cells(self.tree, run, call), widths)]
        lines += [inner + one for one in _about_call(self.tree, run, call)]
        lines += [f"{inner}[{_line(one, PAYLOAD_WIDTH)}]" for one in self.pictures.of_call(call)]
        for child in child_runs(self.tree, call):
            if child["id"] not in above:
                lines += self._child(child, inner, above | {child["id"]})
        return lines

    def _child(self, run: RunNode, indent: str, above: frozenset[str]) -> list[str]:
        inner = indent + INDENT
        answer = [f"{inner}{line}" for line in _wrapped(run["text"], TERMINAL - len(inner))]
        answer += [f"{inner}{REFUSED}"] if run["refused"] else []
        return [indent + self.head(run), *self.body(run, inner, above), *answer]


def _waiting(tree: Tree, run: RunNode) -> list[str]:
    """What the run and those inside it wait for, and how to go on."""
    lines = [
        f"{INDENT}waits for you: {_line(visible_name(asker['agent_name']), 60)} asks: "
        + _line(await_in_words(asked), WIDEST)
        for asker, asked in open_awaits(tree, run)
    ]
    resume = resume_line(tree, run)
    return [*lines, *([f"{INDENT}to go on: {_line(resume, WIDEST)}"] if resume else [])]


def _about_run(run: RunNode, indent: str) -> list[str]:
    """What a person said and guardrails did that is no call's."""
    closed = [one for one in run["awaits"] if one["outcome"] and one["call_id"] is None]
    said = [guardrail_in_words(one) for one in effective_guardrails(run["guardrails"])]
    return [indent + one for one in [*_exchanges(closed), *(_line(one, WIDEST) for one in said)]]


def _exchanges(closed: Sequence[AwaitNode]) -> list[str]:
    """Each question that a person was asked, beside its answer."""
    return [
        line
        for asked in closed
        for question, answer in exchanges(asked)
        for line in _wrapped(f"you were asked: {question} {answer}", TERMINAL - len(INDENT) * 2)
    ]


def _about_call(tree: Tree, run: RunNode, call: CallNode) -> list[str]:
    """What a person said to a call, what guardrails did to it, and the runs it has started."""
    said: list[str] = []
    if call["proposed"] is not None:
        said.append(f"the model wanted: {plain(as_json(call['proposed']))}")
    if decided := call["authorization"]:
        said.append(decision_in_words(decided))
    closed = [
        one
        for one in run["awaits"]
        if one["call_id"] == call["id"] and one["outcome"] and one["kind"] != "confirmation"
    ]
    said += [guardrail_in_words(one) for one in effective_guardrails(call["guardrails"])]
    if call["expected_children"] and (count := children_in_words(call)):
        said.append(count)
    said += [f"run {one}" for one in links_in_words(tree, call)]
    return [*_exchanges(closed), *(_line(one, WIDEST) for one in said)]


def _sources(run: RunNode) -> list[str]:
    sources = enumerate(sources_of(run["citations"]), 1)
    lines = [f"[{number}] {_source(source)}" for number, source in sources]
    return ["", "Sources:", *lines] if lines else []


def _source(source: Source) -> str:
    title, url = visible(source.title), visible(source.url)
    return f"{title}: {url}" if url and url != title else title


def _cells(tree: Tree, run: RunNode, call: CallNode) -> list[str]:
    status = call_status(tree, call)
    return [
        CALL_STATUS.get(status, status),
        visible(call_in_words(call, CALL_WIDTH)),
        visible(_gave(tree, call)),
        call_time(tree, run, call),
    ]


def _gave(tree: Tree, call: CallNode) -> str:
    inside = troubles_inside(tree, call)
    more = f"({inside}) " if inside else ""
    more += f"(kept as {_line(call['handle'], 16)})" if call["handle"] else ""
    return f"{preview(call, PREVIEW_WIDTH - len(more))} {more}".strip()


def _widths(tree: Tree, run: RunNode) -> list[int]:
    """How wide each column of a run's calls is."""
    rows = [_cells(tree, run, call) for call in run["calls"].values()]
    return [max((len(row[column]) for row in rows), default=0) for column in range(4)]


def _columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True) if width]
    return "  ".join(padded).rstrip()


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
