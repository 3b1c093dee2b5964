"""What came of a run, in one sign and in words: the only place that decides what an end is called.

Header, saved run, text, `run.summary`, `%agent` alone and `%nbagents runs` all say these words;
`js/src/words/outcome.ts` says the same, held to it by `tests/fixtures/outcomes.json`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from nbagents.events import RunStatus
from nbagents.runs.wording.people_words import run_status, status_in_words
from nbagents.runs.wording.visible_text import visible
from nbagents.runs.wording.words import (
    CALL_STATUS,
    RUN_STATUS,
    child_runs,
    clipped,
    counted,
    family,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nbagents.runs.tree import CallNode, RunNode, Tree

Sign: TypeAlias = RunStatus | Literal["waiting", "skipped", "partly"]
"""`completed` is a tick, and stands for nothing but a run in which all went well; `partly` is one
that is done, but for what its words name."""
Verdict: TypeAlias = Literal["failed", "denied", "cancelled", "skipped", "unknown"]
Kind: TypeAlias = Literal[
    "failed", "timed_out", "denied", "refused", "cancelled", "skipped", "unknown", "hollow"
]

ENDINGS: Final[Mapping[Kind, tuple[str, str, str]]] = {
    "failed": ("failed", "failed", "failed"),
    "timed_out": ("timed out", "timed out", "timed out"),
    "denied": ("was denied", "were denied", "denied"),
    "refused": ("was refused", "were refused", "refused"),
    "cancelled": ("was cancelled", "were cancelled", "cancelled"),
    "skipped": ("was skipped", "were skipped", "skipped"),
    "unknown": ("has no known outcome", "have no known outcome", "of unknown outcome"),
    "hollow": ("came to nothing", "came to nothing", "came to nothing"),
}
"""How calls end without having done what they were for, the gravest first: of one, of several,
and after others. A guardrail refuses; a call is hollow if nothing inside it succeeded."""
VERDICTS: Final[Mapping[Kind, Verdict]] = {
    "failed": "failed",
    "timed_out": "failed",
    "denied": "denied",
    "refused": "denied",
    "cancelled": "cancelled",
    "skipped": "skipped",
    "unknown": "unknown",
}
"""What a run is called in which nothing succeeded, by its gravest ending."""
ORDER: Final[tuple[Kind, ...]] = tuple(ENDINGS)
VISIBLE: Final[frozenset[Kind]] = frozenset(ORDER) - {"cancelled", "skipped"}
GOES_ON: Final = frozenset({"running", "suspended"})
VERDICT_WORDS: Final[Mapping[Verdict, str]] = {
    "failed": RUN_STATUS["failed"],
    "denied": RUN_STATUS["denied"],
    "cancelled": RUN_STATUS["cancelled"],
    "skipped": CALL_STATUS["skipped"],
    "unknown": RUN_STATUS["unknown"],
}
DECLINED: Final = "refused by the model"
UNMET_SHOWN: Final = 5
UNMET_WIDTH: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a run and of those inside it."""

    sign: Sign
    words: str
    """`done, 2 of 30 calls failed`."""
    calls: str
    """How many calls there were, in the run and in those inside it; nothing where there were none,
    or where the words say it."""


def outcome_of(tree: Tree, run: RunNode) -> Outcome:
    """What came of a run: its own end, and what became of the calls in it, however deep."""
    kinds = _Kinds(tree)
    endings = [kinds.of(one, call) for one in family(tree, run) for call in one["calls"].values()]
    bad: dict[Kind, int] = {kind: many for kind in ORDER if (many := endings.count(kind))}
    status = run_status(tree, run)
    unmet = _unmet(run["unmet"])
    calls = _calls(bad, len(endings))
    verdict = _verdict(bad, len(endings)) if status == "completed" else None
    sign, head = status, status_in_words(status)
    if verdict is not None:
        sign, head = verdict, VERDICT_WORDS[verdict]
    elif status == "completed" and run["refused"]:
        sign, head = "denied", DECLINED
    elif status == "completed" and (bad or unmet):
        sign = "partly"
    said = f"{head}{': ' if verdict else ', '}{calls}" if calls else head
    others = counted(len(endings), "call") if endings and not calls else ""
    return Outcome(sign=sign, words=said + unmet, calls=others)


def came_to_nothing(tree: Tree, run: RunNode, call: CallNode) -> bool:
    """Whether a call must stay in sight: it did not do what it was for, or not all in it did.

    Those that a person stopped, or that were never begun, may be folded away.
    """
    kinds = _Kinds(tree)
    inside = (
        kinds.of(one, below)
        for child in child_runs(tree, call)
        for one in family(tree, child)
        for below in one["calls"].values()
    )
    return kinds.of(run, call) in VISIBLE or any(kind in VISIBLE for kind in inside)


class _Kinds:
    """How each call of a tree ended; `None`: it did what it was for, or goes on."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._hollow: dict[str, bool] = {}

    def of(self, run: RunNode, call: CallNode) -> Kind | None:
        status = call["status"]
        if status in ("preparing", "waiting", "running"):
            return None if run["status"] in GOES_ON else "unknown"
        if status != "done":
            return status
        if any(one["outcome"] == "refuse" for one in call["guardrails"]):
            return "refused"
        return "hollow" if self._is_hollow_call(call) else None

    def _is_hollow_call(self, call: CallNode) -> bool:
        children = child_runs(self._tree, call)
        return bool(children) and all(map(self._is_hollow, children))

    def _is_hollow(self, run: RunNode) -> bool:
        """Whether a run made calls, and none of them did what it was for."""
        if run["id"] not in self._hollow:
            self._hollow[run["id"]] = False  # a run in itself
            calls = run["calls"].values()
            kinds = (self.of(run, call) for call in calls)
            self._hollow[run["id"]] = bool(calls) and all(kind is not None for kind in kinds)
        return self._hollow[run["id"]]


def _verdict(bad: Mapping[Kind, int], count: int) -> Verdict | None:
    """What a run is called that is over, and in which nothing succeeded."""
    if not bad or sum(bad.values()) < count:
        return None
    return VERDICTS[next(iter(bad))]  # hollow is never alone


def _calls(bad: Mapping[Kind, int], count: int) -> str:
    """How calls came to nothing: `2 of 30 calls failed, 1 denied`; nothing where none did."""
    return ", ".join(_endings(bad, count))


def _endings(bad: Mapping[Kind, int], count: int) -> Iterator[str]:
    for place, (kind, many) in enumerate(bad.items()):
        one, several, after = ENDINGS[kind]
        if place:
            yield f"{many:,} {after}"
        elif many < count:
            yield f"{many:,} of {counted(count, 'call')} {one if many == 1 else several}"
        else:
            yield (
                f"its only call {one}" if count == 1 else f"all {counted(count, 'call')} {several}"
            )


def _unmet(wishes: Sequence[str]) -> str:
    """What of the prompt the model did not serve: `; did not use “GBP” and 2 more`."""
    if not wishes:
        return ""
    named = ", ".join(f"“{clipped(visible(one), UNMET_WIDTH)}”" for one in wishes[:UNMET_SHOWN])
    more = len(wishes) - UNMET_SHOWN
    return f"; did not use {named}{f' and {more:,} more' if more > 0 else ''}"
