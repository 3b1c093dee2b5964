"""When a call waited, for what, and when it ran: phases of real times, and their axis.

`js/src/run-view/rows/waterfall.ts` has the same rule, for runs that go on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from nbagents.events import UNDER_WAY
from nbagents.runs.tree import askers
from nbagents.runs.wording.words import SECOND_MS, child_runs, duration, family

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from nbagents.runs.tree import CallNode, RunNode, Tree

PhaseKind: TypeAlias = Literal["model", "slot", "you", "running"]
Span: TypeAlias = tuple[float, float | None]
"""From when to when; `None`: it goes on."""

LEAST_S: Final = 0.001
"""Waiting for less than this is no phase."""
MANY: Final = 40
"""Of a group with more calls than this only the whole time is drawn."""
KIND_WORDS: Final[Mapping[PhaseKind, str]] = {
    "model": "for the model",
    "slot": "for a slot",
    "you": "for you",
    "running": "running",
}


@dataclass(frozen=True, slots=True)
class Phase:
    """A time in which a call waited for something, or ran; seconds since 1970."""

    kind: PhaseKind
    from_s: float
    to_s: float | None
    """`None`: it goes on."""


def phases_of(tree: Tree, run: RunNode, call: CallNode) -> list[Phase]:
    """The phases of a call, in order.

    Args:
        tree: Runs by id.
        run: The run of the call.
        call: The call.
    """
    if call.get("kept"):
        return []  # it was made in another run, and then
    asked_at, started_at = call.get("asked_at"), call["started_at"]
    you = joined(waits_of(tree, run, call))
    is_open = call["status"] in UNDER_WAY and run["ended_at"] is None
    begun: list[Span] = []
    if started_at is not None:
        begun = [(started_at, None if is_open else _end_of(run, call, started_at))]
    slot: list[Span] = []
    model: list[Span] = []
    if asked_at is not None:
        slot = [
            (
                asked_at,
                started_at if started_at is not None else _decided(you, asked_at, is_open=is_open),
            )
        ]
        sent_at = _sent_at(run, call["step"])
        model = [] if sent_at is None else [(sent_at, asked_at)]
    found = [
        *_phases("model", model),
        *_phases("slot", _without(slot, you)),
        *_phases("you", you),
        *_phases("running", _without(begun, you)),
    ]
    return sorted(found, key=lambda one: one.from_s)


def phases_of_run(tree: Tree, run: RunNode) -> list[Phase]:
    """The phases of a run that stands for itself: it runs, but for when it asks."""
    you = joined(span for one in family(tree, run) for span in asked_in(one))
    ended_at = run["started_at"] if run["ended_at"] is None else run["ended_at"]
    whole: list[Span] = [(run["started_at"], None if run["status"] == "running" else ended_at)]
    found = [*_phases("you", you), *_phases("running", _without(whole, you))]
    return sorted(found, key=lambda one: one.from_s)


def phases_of_group(tree: Tree, run: RunNode, calls: Sequence[CallNode]) -> list[Phase]:
    """When several calls ran together: each of them, or of very many the whole."""
    found = [phase for call in calls for phase in phases_of(tree, run, call)]
    running = [one for one in found if one.kind == "running"]
    if len(calls) <= MANY:
        return [*(one for one in found if one.kind == "you"), *running]
    return [Phase("running", *span) for span in joined((one.from_s, one.to_s) for one in running)]


def phase_words(phases: Sequence[Phase], now_s: float) -> str:
    """Phases in words: `Waiting for the model 1.2 s, for you 3.0 s; running 2.3 s`."""
    told: dict[PhaseKind, str] = {}
    for kind, words in KIND_WORDS.items():
        # Several calls at once take their time once, and a clock that was set back takes none.
        spans = joined((one.from_s, one.to_s) for one in phases if one.kind == kind)
        total_s = sum(max(0.0, (now_s if to_s is None else to_s) - at_s) for at_s, to_s in spans)
        if spans:
            told[kind] = f"{words} {duration(total_s * SECOND_MS) or '0 s'}"
    ran = told.pop("running", "")
    waiting = f"waiting {', '.join(told.values())}" if told else ""
    said = "; ".join(one for one in (waiting, ran) if one)
    return said[:1].upper() + said[1:]


def tick_s(total_s: float) -> float:
    """How far apart the ticks of an axis stand: 1, 2 or 5 of some power of ten."""
    least = max(total_s, LEAST_S) / 4
    power = 10 ** math.floor(math.log10(least))
    return power * next((one for one in (1, 2, 5) if one * power >= least), 10)


def tick_words(at_s: float) -> str:
    """A time on the axis: `200 ms`, `1.5 s`, `2 min 0 s`."""
    if at_s < 1:
        return f"{round(at_s * SECOND_MS, 3):g} ms"
    return f"{round(at_s, 1):g} s" if at_s < 60 else duration(at_s * SECOND_MS)


def joined(spans: Iterable[Span]) -> list[Span]:
    """Spans that overlap or touch, as one."""
    made: list[Span] = []
    for from_s, to_s in sorted(spans, key=lambda span: span[0]):
        last = made[-1] if made else None
        if last is None or (last[1] is not None and from_s > last[1]):
            made.append((from_s, to_s))
        elif last[1] is not None:
            made[-1] = (last[0], None if to_s is None else max(last[1], to_s))
    return made


def waits_of(tree: Tree, run: RunNode, call: CallNode) -> Iterator[Span]:
    """When a call, and the runs inside it, asked a person."""
    for one in run["awaits"]:
        if call["id"] in askers(one):
            yield one["asked_at"], _resolved(run, one["resolved_at"])
    for child in child_runs(tree, call):
        for inner in family(tree, child):
            yield from asked_in(inner)


def asked_in(run: RunNode) -> Iterator[Span]:
    """When a run asked a person; what never ended did so with it."""
    return ((one["asked_at"], _resolved(run, one["resolved_at"])) for one in run["awaits"])


def _resolved(run: RunNode, resolved_at: float | None) -> float | None:
    return run["ended_at"] if resolved_at is None else resolved_at


def _end_of(run: RunNode, call: CallNode, started_at: float) -> float | None:
    took_ms = call["duration_ms"]
    return run["ended_at"] if took_ms is None else started_at + took_ms / SECOND_MS


def _decided(you: Sequence[Span], asked_at: float, *, is_open: bool) -> float | None:
    """Until when what never began has waited: until it was decided, or still."""
    if is_open:
        return None
    return you[-1][1] if you and you[-1][1] is not None else asked_at


def _sent_at(run: RunNode, step: int) -> float | None:
    sent = [one.get("at") for one in run["requests"] if one["step"] == step]
    return sent[-1] if sent else None


def _phases(kind: PhaseKind, spans: Iterable[Span]) -> Iterator[Phase]:
    for from_s, to_s in spans:
        if to_s is None or to_s - from_s >= LEAST_S or kind == "running":
            yield Phase(kind, from_s, to_s)


def _without(spans: Iterable[Span], holes: Sequence[Span]) -> Iterator[Span]:
    """What of the spans is left without the holes, which do not overlap."""
    for from_s, to_s in spans:
        at_s: float | None = from_s
        for hole_s, end_s in holes:
            is_past = to_s is not None and hole_s >= to_s
            if at_s is None or is_past or (end_s is not None and end_s <= at_s):
                continue
            if hole_s > at_s:
                yield at_s, hole_s
            at_s = end_s
        if at_s is not None and (to_s is None or at_s < to_s or from_s == to_s):
            yield at_s, to_s
