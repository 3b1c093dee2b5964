"""A run as a short outline in which calls are marked: the same text whenever the run is the same.

It has no ids and no times, so that a saved notebook, a terminal and a diff hold it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from nbagents.runs.wording import (
    CALL_STATUS,
    CALLED_BY_HAND,
    KEPT,
    answer_item,
    answer_of,
    await_in_words,
    call_in_words,
    call_status,
    child_runs,
    clipped,
    counted,
    decision_in_words,
    handoff_in_words,
    is_by_hand,
    outcome_of,
    preview,
    short_name,
    visible,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.runs.tree import CallNode, Item, RunNode, Tree

Colour: TypeAlias = Literal["red", "green"] | None
Key: TypeAlias = tuple[str, str]
"""The id of a run and of its call; an empty one for the run itself."""

INDENT: Final = "  "
CALL_WIDTH: Final = 60
GAVE_WIDTH: Final = 44
TEXT_WIDTH: Final = 100
NOTE_WIDTH: Final = 200
MOST_LINES: Final = 60
MOST_MARKS: Final = 10
NEAR: Final = 2
HELD, BROKEN, PLAIN = "✓ ", "✗ ", "  "


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What came of one expectation."""

    said: str
    """The expectation, as it was written."""
    why: str = ""
    """Why it does not hold; nothing where it does."""
    places: Mapping[Key, str] = field(default_factory=dict[Key, str])
    """The calls and runs that it is about, with what is said beside each."""

    @property
    def holds(self) -> bool:
        """Whether it does."""
        return not self.why


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an outline."""

    text: str
    colour: Colour = None


def outline(tree: Tree, run: RunNode, findings: Sequence[Finding]) -> list[Line]:
    """A run, a line for each call with the runs inside of it below, and the answer.

    Args:
        tree: The runs.
        run: The run.
        findings: Where they hold or break is marked. Of a long run what is far from any mark is
            left out.
    """
    return _shortened(list(_Outline(tree, findings).of(run, "", frozenset({run["id"]}))))


def _shortened(lines: list[Line]) -> list[Line]:
    """The beginning, the end, and what is near to marks: to the broken ones, if there are many."""
    if len(lines) <= MOST_LINES:
        return lines
    broken = [at for at, one in enumerate(lines) if one.colour == "red"]
    held = [at for at, one in enumerate(lines) if one.colour == "green"]
    marked = [0, len(lines) - 1, *broken[:MOST_MARKS], *held[: MOST_MARKS - len(broken)]]
    near = {at for mark in marked for at in range(mark - NEAR, mark + NEAR + 1)}
    kept: list[Line] = []
    left_out = 0
    for at, one in enumerate(lines):
        if at not in near:
            left_out += 1
            continue
        if left_out:
            kept.append(Line(f"{PLAIN}… {counted(left_out, 'line')}"))
            left_out = 0
        kept.append(one)
    return kept


def chain(findings: Sequence[Finding]) -> list[Line]:
    """The expectations, each marked by whether it holds."""
    return [
        Line(f"{HELD if one.holds else BROKEN}{one.said}", "green" if one.holds else "red")
        for one in findings
    ]


class _Outline:
    def __init__(self, tree: Tree, findings: Sequence[Finding]) -> None:
        self._tree = tree
        self._held = {key for one in findings if one.holds for key in one.places}
        self._broken: dict[Key, str] = {}
        for one in findings:
            if not one.holds:
                self._broken |= one.places

    def of(self, run: RunNode, indent: str, above: frozenset[str]) -> Iterator[Line]:
        yield self._line((run["id"], ""), indent + self._head(run))
        inner = indent + INDENT
        if run["prompt"] and not is_by_hand(run):
            yield Line(f"{PLAIN}{inner}asked: {clipped(run['prompt'], TEXT_WIDTH)}")
        for asked in run["awaits"]:
            if asked["call_id"] is None:
                yield Line(f"{PLAIN}{inner}a person was asked: {await_in_words(asked)}")
        rows = [self._row(run["calls"][key]) for key in run["calls"]]
        width = max((len(said) for said, _ in rows), default=0)
        answer = answer_item(run)
        for place, item in enumerate(run["items"]):
            if place != answer:
                yield from self._item(run, item, inner, above, width)
        for said in visible(answer_of(run)).strip().split("\n"):
            if said:
                yield self._line((run["id"], "answer"), inner + clipped(said, TEXT_WIDTH))

    def _head(self, run: RunNode) -> str:
        came = outcome_of(self._tree, run)
        name = short_name(run["agent_name"])
        who = CALLED_BY_HAND if is_by_hand(run) else f"{name} ({clipped(run['model'], 60)})"
        return f"{who}: {came.words}"

    def _item(
        self, run: RunNode, item: Item, indent: str, above: frozenset[str], width: int
    ) -> Iterator[Line]:
        if item["type"] == "handoff":
            yield Line(f"{PLAIN}{indent}{clipped(handoff_in_words(item), TEXT_WIDTH)}")
        elif item["type"] == "text":
            yield Line(f"{PLAIN}{indent}{clipped(item['text'], TEXT_WIDTH)}")
        elif item["type"] == "call" and (call := run["calls"].get(item["call_id"])) is not None:
            said, gave = self._row(call)
            row = f"{said:<{width}}  {gave}".rstrip()
            yield self._line((run["id"], call["id"]), indent + row)
            if decided := call["authorization"]:
                yield Line(f"{PLAIN}{indent}{INDENT}{decision_in_words(decided)}")
            for child in child_runs(self._tree, call):
                if child["id"] not in above:
                    yield from self.of(child, indent + INDENT, above | {child["id"]})

    def _row(self, call: CallNode) -> tuple[str, str]:
        status = CALL_STATUS[call_status(self._tree, call)]
        status = f"{status}, {KEPT}" if call.get("kept") else status
        said = f"{status:<9} {visible(call_in_words(call, CALL_WIDTH))}"
        return said, visible(preview(call, GAVE_WIDTH))

    def _line(self, key: Key, text: str) -> Line:
        if (note := self._broken.get(key)) is not None:
            beside = f"  ← {clipped(note, NOTE_WIDTH)}" if note else ""
            return Line(f"{BROKEN}{text}{beside}", "red")
        if key in self._held:
            return Line(f"{HELD}{text}", "green")
        return Line(f"{PLAIN}{text}")
