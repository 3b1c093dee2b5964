"""What differs between two runs: their calls beside each other, and what they came to."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from nbagents.runs.wording.branches import KEPT, branch_in_words
from nbagents.runs.wording.edits import edits_of
from nbagents.runs.wording.outcomes import outcome_of
from nbagents.runs.wording.words import (
    CALL_STATUS,
    call_in_words,
    clipped,
    cost_of,
    duration,
    family,
    money,
    run_duration_ms,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from nbagents.runs.tree import CallNode, RunNode, Tree

Change: TypeAlias = Literal["arguments", "result", "status", "tool"]

NAMED: Final = 60
GAVE: Final = 60
SIGNS: Final = {"same": " ", "other": "≠", "only a": "-", "only b": "+"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPair:
    """A call of one run beside that of the other which stands in its place."""

    a: CallNode | None
    b: CallNode | None
    depth: int = 0
    """How many runs it is inside of."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """What differs, where both have it."""
        if self.a is None or self.b is None:
            return ()
        a, b = self.a, self.b
        found: dict[Change, bool] = {
            "tool": a["name"] != b["name"],
            "arguments": a["arguments"] != b["arguments"],
            "result": a["content"] != b["content"],
            "status": a["status"] != b["status"],
        }
        return tuple(name for name, differs in found.items() if differs)

    @property
    def is_same(self) -> bool:
        """Whether nothing differs but how long it took."""
        return self.a is not None and self.b is not None and not self.changes

    @property
    def sign(self) -> str:
        """` ` the same, `≠` another, `-` only of the first, `+` only of the second."""
        if self.b is None:
            return SIGNS["only a"]
        if self.a is None:
            return SIGNS["only b"]
        return SIGNS["same" if self.is_same else "other"]

    @property
    def what(self) -> str:
        """The call, and what differs of it, in words."""
        if self.a is None or self.b is None:
            return called(self.b or self.a)
        if "tool" in self.changes or "arguments" in self.changes:
            return f"{called(self.a)} ≠ {called(self.b)}"
        return called(self.a)

    @property
    def gave(self) -> str:
        """What it gave; where that differs, in both."""
        if self.a is None or self.b is None:
            return gave_in_words(self.b or self.a)
        a, b = gave_in_words(self.a), gave_in_words(self.b)
        return a if a == b else f"{a} ≠ {b}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that is counted or said of both."""

    name: str
    a: str
    b: str

    @property
    def is_same(self) -> bool:
        """Whether it is the same of both."""
        return self.a == self.b


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What differs between two runs."""

    facts: tuple[Fact, ...]
    calls: tuple[CallPair, ...]
    answer: tuple[str, ...]
    """The answers line by line, as a diff has them; nothing where they are the same."""


def compared(a: Tree, a_id: str, b: Tree, b_id: str) -> Compared:
    """What differs between two runs."""
    one, other = a["runs"][a_id], b["runs"][b_id]
    return Compared(
        facts=tuple(_facts(a, one, b, other)),
        calls=tuple(_pairs(a, one, b, other, 0)),
        answer=tuple(_diff(one["text"], other["text"])),
    )


def called(call: CallNode | None) -> str:
    """A call as one would write it, on one line."""
    return "" if call is None else call_in_words(call, NAMED)


def gave_in_words(call: CallNode | None) -> str:
    """What a call gave, on one line, and how it ended, where that was not well."""
    if call is None:
        return ""
    said = clipped(call["content"] or "", GAVE)
    words = CALL_STATUS[call["status"]]
    return said if call["status"] == "done" else f"{words}: {said}" if said else words


def kept_count(run: RunNode) -> int:
    """How many calls of a branch are of the run that it leaves."""
    return sum(call.get(KEPT, False) for call in run["calls"].values())


def _facts(a: Tree, one: RunNode, b: Tree, other: RunNode) -> Iterator[Fact]:
    for name, left, right in (
        ("branch", _branch(one), _branch(other)),
        ("agent", one["agent_name"], other["agent_name"]),
        ("model", _model(one), _model(other)),
        ("prompt", clipped(one["prompt"], GAVE), clipped(other["prompt"], GAVE)),
        ("outcome", outcome_of(a, one).words, outcome_of(b, other).words),
        ("steps", _steps(one), _steps(other)),
        ("calls", _calls(a, one), _calls(b, other)),
        ("tokens", _tokens(a, one), _tokens(b, other)),
        ("cost", money(cost_of(a, one)), money(cost_of(b, other))),
        ("time", duration(run_duration_ms(one)), duration(run_duration_ms(other))),
    ):
        if left or right:
            yield Fact(name=name, a=left, b=right)


def _model(run: RunNode) -> str:
    """Who answered: the model, or who did in its place."""
    instead = [one for one in edits_of(run) if one["what"] in ("answer", "skip")]
    if not instead:
        return run["model"]
    who = ", ".join(dict.fromkeys(one["by"] for one in instead))
    steps = [*dict.fromkeys(one["step"] for one in instead)]
    if len(steps) == _step_count(run):
        return who
    noun = "step" if len(steps) == 1 else "steps"
    return f"{run['model']}; {who} at {noun} {', '.join(map(str, steps))}"


def _branch(run: RunNode) -> str:
    said = run["forked_from"]
    return "" if said is None else branch_in_words(said)


def _steps(run: RunNode) -> str:
    return str(_step_count(run))


def _step_count(run: RunNode) -> int:
    return max((one["step"] for one in run["requests"]), default=run["step"])


def _calls(tree: Tree, run: RunNode) -> str:
    runs = family(tree, run)
    kept = sum(map(kept_count, runs))
    whole = sum(len(one["calls"]) for one in runs)
    return f"{whole}, {kept} {KEPT}" if kept else str(whole)


def _tokens(tree: Tree, run: RunNode) -> str:
    """What it used itself, and beside that what the part had used which it keeps."""
    runs = family(tree, run)
    used = sum(one["usage"]["input_tokens"] + one["usage"]["output_tokens"] for one in runs)
    kept = [one["kept"]["usage"] for one in runs if "kept" in one]
    before = sum(one["input_tokens"] + one["output_tokens"] for one in kept)
    return f"{used:,}, {before:,} {KEPT}" if before else f"{used:,}"


def _pairs(a: Tree, one: RunNode, b: Tree, other: RunNode, depth: int) -> Iterator[CallPair]:
    for left, right in _aligned([*one["calls"].values()], [*other["calls"].values()]):
        yield CallPair(a=left, b=right, depth=depth)
        yield from _inside(a, left, b, right, depth + 1)


def _inside(
    a: Tree, left: CallNode | None, b: Tree, right: CallNode | None, depth: int
) -> Iterator[CallPair]:
    ones, others = _runs(a, left), _runs(b, right)
    for at in range(max(len(ones), len(others))):
        one = ones[at] if at < len(ones) else None
        other = others[at] if at < len(others) else None
        if one is not None and other is not None:
            yield from _pairs(a, one, b, other, depth)
        elif one is not None:
            yield from (CallPair(a=call, b=None, depth=depth) for call in one["calls"].values())
        elif other is not None:
            yield from (CallPair(a=None, b=call, depth=depth) for call in other["calls"].values())


def _runs(tree: Tree, call: CallNode | None) -> Sequence[RunNode]:
    ids: Iterable[str] = () if call is None else call["child_run_ids"]
    return [tree["runs"][one] for one in ids if one in tree["runs"]]


def _aligned(
    ones: Sequence[CallNode], others: Sequence[CallNode]
) -> Iterator[tuple[CallNode | None, CallNode | None]]:
    """The calls beside each other: those of one id, else those of one tool in the same order."""
    common = {one["id"] for one in ones} & {one["id"] for one in others}
    left = [one["id"] if one["id"] in common else one["name"] for one in ones]
    right = [one["id"] if one["id"] in common else one["name"] for one in others]
    matching = SequenceMatcher(None, left, right, autojunk=False)
    for tag, i1, i2, j1, j2 in matching.get_opcodes():
        if tag == "equal":
            yield from zip(ones[i1:i2], others[j1:j2], strict=True)
            continue
        yield from ((one, None) for one in ones[i1:i2])
        yield from ((None, one) for one in others[j1:j2])


def _diff(a: str, b: str) -> Iterator[str]:
    lines = unified_diff(a.splitlines(), b.splitlines(), lineterm="", n=1)
    return (line for at, line in enumerate(lines) if at > 1 and not line.startswith("@@"))


def _call_line(pair: CallPair) -> str:
    gave = f" → {pair.gave}" if pair.gave else ""
    return f"{pair.sign} {'  ' * pair.depth}{pair.what}{gave}".rstrip()


def compared_text(found: Compared, names: tuple[str, str]) -> str:
    """What differs, as text.

    Args:
        found: What differs.
        names: What the two are called.
    """
    facts = [("", *names), *((one.name, one.a, one.b) for one in found.facts)]
    widths = [max(len(row[at]) for row in facts) for at in range(2)]
    lines = [f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}".rstrip() for row in facts]
    if found.calls:
        lines += ["", "calls", *map(_call_line, found.calls)]
    lines += ["", "answer", *(found.answer or ["  the same"])]
    return "\n".join(lines)
