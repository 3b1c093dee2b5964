"""A run as a text tree, for terminals, diffs, and whoever reads the notebook file itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nbagents.runs.tree import explanation_of
from nbagents.runs.wording.branches import KEPT, branch_in_words
from nbagents.runs.wording.edits import edit_in_words, edits_of
from nbagents.runs.wording.outcomes import outcome_of
from nbagents.runs.wording.people_words import (
    asked_of_run,
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
from nbagents.runs.wording.replays import replayed_in_words
from nbagents.runs.wording.rows import call_time, run_time, troubles_inside
from nbagents.runs.wording.sources import sources_of
from nbagents.runs.wording.visible_text import plain, visible
from nbagents.runs.wording.words import (
    CALL_STATUS,
    CALLED_BY_HAND,
    REFUSED,
    answer_item,
    answer_of,
    as_json,
    call_in_words,
    child_runs,
    clipped,
    cost_of,
    counted,
    family,
    is_by_hand,
    money,
    preview,
    short_name,
    tokens,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nbagents.runs.tree import AwaitNode, CallNode, Item, RunNode, Tree
    from nbagents.runs.wording.sources import Source

INDENT = "  "
CALL_WIDTH = 44
PREVIEW_WIDTH = 38
PAYLOAD_WIDTH = 94
WIDEST = 200
PROMPT_WIDTH = 300
TERMINAL = 96
EXPLAINED = frozenset({"failed", "timed_out"})
"""What is said of other ends stands in their rows."""


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
    """A run as text: a header, the prompt, the answer, and what happened, a line a call.

    It is in the order of the page: child runs stand below their calls.

    Args:
        tree: Runs by id, as `nbagents.runs.tree.folding.fold` makes them.
        run_id: The run to write.
        pictures: What is said of payloads.
    """
    run, writer = tree["runs"][run_id], _Writer(tree, pictures)
    asked = [writer.head(run), *_waiting(tree, run), *writer.asked(run, INDENT)]
    answer = visible(answer_of(run)).strip()
    said = ["", *(line.rstrip() for line in answer.split("\n"))] if answer else []
    said += ["", REFUSED] if run["refused"] else []
    said += _sources(run) if answer else []
    happened = writer.happened(run, INDENT, frozenset({run_id}))
    between = [""] if said and happened else []
    return "\n".join([*asked, *said, *between, *happened])


@dataclass(frozen=True, slots=True)
class _Writer:
    tree: Tree
    pictures: Pictures
    explained: set[str] = field(default_factory=set[str])
    """What was said already of why calls came to nothing."""

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
            replayed_in_words(self.tree, run),
            f"approval {_line(approval, 20)}" if approval else "",
            _line(leave_in_words(run), 100),
            f"chat {_line(run['chat'], 40)}" if run["chat"] else "",
            visible(branch_in_words(run["forked_from"])) if run["forked_from"] else "",
            "goes on with another run" if run["resumed_from"] else "",
            "went on in another run" if run.get("resumed_by") else "",
        ]
        said = f"{short_name(run['agent_name'])} ({_line(run['model'], 60)}): "
        if is_by_hand(run):
            said = f"{CALLED_BY_HAND}: "
        return said + ", ".join(figure for figure in figures if figure)

    def asked(self, run: RunNode, indent: str) -> list[str]:
        """What was asked, and what is to be said of the run as a whole."""
        is_asked = run["prompt"] and not is_by_hand(run)
        asked = f"asked: {_line(run['prompt'], PROMPT_WIDTH)}" if is_asked else ""
        lines = [f"{indent}{line}" for line in _wrapped(asked, TERMINAL - len(indent))]
        lines += [f"{indent}shared: {_line(one, 200)}" for one in run["shared"]]
        if failure := run["failure"]:
            lines.append(f"{indent}error: {_line(str(failure['message']), 200)}")
        lines += [indent + one for one in self._why(run)]
        return lines + _about_run(run, indent)

    def happened(self, run: RunNode, indent: str, above: frozenset[str]) -> list[str]:
        """What happened before the answer, in order, and what it has shown."""
        answer = answer_item(run)
        widths, lines = _widths(self.tree, run), list[str]()
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
        lines += [inner + one for one in self._why(call)]
        lines += [f"{inner}[{_line(one, PAYLOAD_WIDTH)}]" for one in self.pictures.of_call(call)]
        for child in child_runs(self.tree, call):
            if child["id"] not in above:
                lines += self._child(child, inner, above | {child["id"]})
        return lines

    def _why(self, node: CallNode | RunNode) -> list[str]:
        """Why it came to nothing and what to do, once for all of which that is the same."""
        said = explanation_of(node) if node["status"] in EXPLAINED else None
        if said is None or said["what"] in self.explained:
            return []
        self.explained.add(said["what"])
        why, *remedies = (_line(one, WIDEST) for one in (said["what"], *said["remedies"]))
        return [f"why: {why}", *(f"to do: {one}" for one in remedies)]

    def _child(self, run: RunNode, indent: str, above: frozenset[str]) -> list[str]:
        inner = indent + INDENT
        answer = [f"{inner}{line}" for line in _wrapped(answer_of(run), TERMINAL - len(inner))]
        answer += [f"{inner}{REFUSED}"] if run["refused"] else []
        asked = self.asked(run, inner)
        return [indent + self.head(run), *asked, *answer, *self.happened(run, inner, above)]


def _waiting(tree: Tree, run: RunNode) -> list[str]:
    """What the run and those inside it wait for, and how to go on."""
    lines = [
        f"{INDENT}waits for you: {short_name(asker['agent_name'])} asks: "
        + _line(await_in_words(asked), WIDEST)
        for asker, asked in open_awaits(tree, run)
    ]
    resume = resume_line(tree, run)
    return [*lines, *([f"{INDENT}to go on: {_line(resume, WIDEST)}"] if resume else [])]


def _about_run(run: RunNode, indent: str) -> list[str]:
    """What a person said and guardrails did that is no call's."""
    closed = asked_of_run(run)
    said = [guardrail_in_words(one) for one in effective_guardrails(run["guardrails"])]
    said += map(edit_in_words, edits_of(run))
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
    said += map(edit_in_words, edits_of(run, call["id"]))
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
    said += [f"started a run of {one}" for one in links_in_words(tree, call)]
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
    words = CALL_STATUS.get(status, status)
    return [
        f"{words}, {KEPT}" if call.get("kept") else words,
        visible(call_in_words(call, CALL_WIDTH)),
        visible(_gave(tree, call)),
        call_time(tree, run, call),
    ]


def _gave(tree: Tree, call: CallNode) -> str:
    inside = troubles_inside(tree, call)
    more = f"({inside}) " if inside else ""
    more += f"(kept as {short_name(call['handle'], 16)})" if call["handle"] else ""
    return f"{preview(call, PREVIEW_WIDTH - len(more))} {more}".strip()


def _widths(tree: Tree, run: RunNode) -> list[int]:
    """How wide each column of a run's calls is."""
    rows = [_cells(tree, run, call) for call in run["calls"].values()]
    return [max((len(row[column]) for row in rows), default=0) for column in range(4)]


def _columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True) if width]
    return "  ".join(padded).rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    import textwrap  # rarely needed

    return [
        piece
        for line in visible(text).strip().split("\n")
        for piece in textwrap.wrap(line, max(width, 24)) or [""]
        if text.strip()
    ]


def _line(text: str, limit: int) -> str:
    return clipped(visible(text), limit)
