"""What of a run a recording gave, in words; `js/src/words/replays.ts` says the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.runs.wording.words import family

if TYPE_CHECKING:
    from nbagents.runs.tree import RunNode, Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What of a run, with those inside it, a recording gave instead of a model.

    Printed, it is what its card says: `replayed, recorded 2026-11-23`.
    """

    answers: int
    """How many answers the recording gave."""
    of: int
    """How many there were."""
    since: str
    """When the first of them were recorded, as a date."""
    recorded: str
    """When the last of them were."""

    @property
    def is_whole(self) -> bool:
        """Whether no model was asked at all."""
        return self.answers == self.of

    def __str__(self) -> str:
        what = "replayed" if self.is_whole else f"{self.answers} of {self.of} answers replayed"
        first = "" if self.since == self.recorded else f"{self.since} to "
        return f"{what}, recorded {first}{self.recorded}"


def replayed_of(tree: Tree, run: RunNode) -> Replayed | None:
    """What of a run a recording gave; `None`: nothing."""
    runs = family(tree, run)
    said = [one for node in runs if (one := node.get("replayed")) is not None]
    if not said:
        return None
    return Replayed(
        answers=sum(one["answers"] for one in said),
        of=sum(one["usage"]["requests"] for one in runs),
        since=min(one["since"] for one in said),
        recorded=max(one["until"] for one in said),
    )


def replayed_in_words(tree: Tree, run: RunNode) -> str:
    """What its card says of it; nothing, where models were asked."""
    said = replayed_of(tree, run)
    return "" if said is None else str(said)
