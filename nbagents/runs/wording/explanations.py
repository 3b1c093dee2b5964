"""Why calls and runs came to nothing, as text: what failed, what the model was told, what to do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from nbagents.runs.tree import explanation_of
from nbagents.runs.wording.people_words import status_in_words
from nbagents.runs.wording.visible_text import visible
from nbagents.runs.wording.words import CALL_STATUS, call_in_words, family, short_name
from nbagents.tools.values import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nbagents.runs.tree import CallNode, RunNode, Tree

NOTHING: Final = "Nothing failed."
TOLD_LENGTH: Final = 2_000
SHOWN: Final = 12
"""Troubles that are still read; what is alike counts once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """One thing that came to nothing, or several of which the same is to be said."""

    of: str
    """What: a call as one would write it, or who ran; with how it ended."""
    what: str
    """What went wrong, in a sentence."""
    told: str | None
    """What the model was told of a call; of a run, what its end says."""
    remedies: tuple[str, ...]
    """What can be done about it."""
    is_call: bool
    more: int = 0
    """How many others ended in the same way."""

    def __str__(self) -> str:
        others = f", and {counted(self.more, 'other')} alike" if self.more else ""
        said = "The model was told" if self.is_call else "It said"
        told = [f"  {said}: {_indented(self.told)}"] if self.told else []
        remedies = [f"  - {one}" for one in self.remedies]
        return "\n".join(
            [f"{self.of}{others}", f"  {self.what}", *told, "  What you can do:", *remedies]
        )


@dataclass(frozen=True, slots=True)
class Troubles:
    """Why a run or a call came to nothing. It shows itself as text."""

    found: tuple[Trouble, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.found)

    def __str__(self) -> str:
        shown = [str(one) for one in self.found[:SHOWN]]
        rest = len(self.found) - SHOWN
        return "\n\n".join([*shown, *([f"… {rest:,} more"] if rest > 0 else [])]) or NOTHING

    def __repr__(self) -> str:
        return str(self)


def explain_run(tree: Tree, run: RunNode) -> Troubles:
    """Why a run came to nothing, or calls in it and in those inside it; what is alike once."""
    found: dict[tuple[str, str | None, bool], Trouble] = {}
    for one in _troubles(family(tree, run)):
        key = one.what, one.told, one.is_call
        known = found.get(key)
        found[key] = one if known is None else _and_another(known)
    return Troubles(tuple(found.values()))


def explain_call(call: CallNode) -> Troubles:
    """Why a call came to nothing."""
    return Troubles(tuple(_of_call(call)))


def _troubles(runs: Sequence[RunNode]) -> Iterator[Trouble]:
    for run in runs:
        yield from _of_run(run)
        for call in run["calls"].values():
            yield from _of_call(call)


def _of_run(run: RunNode) -> Iterator[Trouble]:
    if (said := explanation_of(run)) is not None:
        failure = run["failure"]
        yield Trouble(
            of=f"{short_name(run['agent_name'])}: {status_in_words(run['status'])}",
            what=said["what"],
            told=None if failure is None else failure["message"],
            remedies=tuple(said["remedies"]),
            is_call=False,
        )


def _of_call(call: CallNode) -> Iterator[Trouble]:
    if (said := explanation_of(call)) is not None:
        yield Trouble(
            of=f"{call_in_words(call)}: {CALL_STATUS[call['status']]}",
            what=said["what"],
            told=call["content"],
            remedies=tuple(said["remedies"]),
            is_call=True,
        )


def _and_another(known: Trouble) -> Trouble:
    return replace(known, more=known.more + 1)


def _indented(text: str) -> str:
    cut = text if len(text) <= TOLD_LENGTH else f"{text[:TOLD_LENGTH]}…"
    return visible(cut).strip().replace("\n", "\n    ")
