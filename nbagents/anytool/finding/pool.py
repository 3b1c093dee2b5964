"""The candidate pool: the APIs among which the solver chooses, as agents and reasons change it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, TypedDict

from nbagents.results import Payload

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nbagents.catalogue import Api
    from nbagents.runs.tree import RunNode

KIND: Final = "apiPool"
SHOWN_AS: Final = "pool"
BY_SEARCH: Final = "search"
WHY_LENGTH: Final = 200
FULL: Final = (
    "Nothing was added: the pool holds {held} of {size} APIs, and these would be {wanted} more. "
    "Choose at most {free}."
)
TAKEN_OUT: Final = "{name} was taken out of the pool before: {why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One API of the pool."""

    name: str
    category: str
    tool: str
    api: str
    by: str
    """Who put it in: `search`, or an agent."""
    round: int
    """In which round: 0 is the search before any agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """One API that was taken out."""

    name: str
    category: str
    tool: str
    api: str
    round: int
    why: str


class Addition(TypedDict, total=False):
    """What came of adding APIs, as a model reads it."""

    added: list[str]
    already_in_pool: list[str]
    refused: str
    note: list[str]
    unknown: list[str]
    pool: str


class Pool:
    """At most `size` APIs, in the order in which they came.

    Args:
        size: How many it may hold.
        seed: How many the search was to put in.
    """

    def __init__(self, size: int, seed: int) -> None:
        self.size = size
        self.seed = seed
        self.round = 0
        self.version = 0
        """Counts its changes."""
        self._held: dict[str, Candidate] = {}
        self._pruned: list[Pruned] = []

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, name: object) -> bool:
        return name in self._held

    @property
    def names(self) -> tuple[str, ...]:
        """What it holds, by the names that models call it by."""
        return tuple(self._held)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """What it holds."""
        return tuple(self._held.values())

    @property
    def pruned(self) -> tuple[str, ...]:
        """What was taken out and has not come back."""
        names = dict.fromkeys(one.name for one in self._pruned)
        return tuple(name for name in names if name not in self._held)

    @property
    def is_full(self) -> bool:
        """Whether nothing more can be added."""
        return len(self._held) >= self.size

    @property
    def state(self) -> str:
        """How full it is, in words for a model."""
        return f"{len(self._held)} of {self.size} APIs"

    def add(self, apis: Iterable[Api], by: str) -> Addition:
        """Add APIs: all that are new, or none where there is no room for them."""
        given = {one.name: one for one in apis}
        made: Addition = {}
        if known := [name for name in given if name in self._held]:
            made["already_in_pool"] = known
        new = [one for one in given.values() if one.name not in self._held]
        free = self.size - len(self._held)
        if len(new) > free:
            said = {"held": len(self._held), "size": self.size, "wanted": len(new), "free": free}
            made["refused"] = FULL.format(**said)
        elif new:
            made["added"] = [one.name for one in new]
            if notes := [note for one in new if (note := self._note(one.name))]:
                made["note"] = notes
            self._take(new, by)
        made["pool"] = self.state
        return made

    def prune(self, names: Sequence[str], why: str) -> tuple[str, ...]:
        """Take out APIs; those that were there."""
        gone = [self._held.pop(name) for name in names if name in self._held]
        for one in gone:
            self._pruned.append(
                Pruned(
                    name=one.name,
                    category=one.category,
                    tool=one.tool,
                    api=one.api,
                    round=self.round,
                    why=why[:WHY_LENGTH],
                )
            )
        self.version += bool(gone)
        return tuple(one.name for one in gone)

    def payload(self) -> Payload:
        """How it stands, for people."""
        value: Any = {
            "size": self.size,
            "seed": self.seed,
            "round": self.round,
            "apis": [asdict(one) for one in self._held.values()],
            "pruned": [asdict(one) for one in self._pruned],
        }
        return Payload(kind=KIND, value=value)

    def _take(self, new: Iterable[Api], by: str) -> None:
        for one in new:
            self._held[one.name] = Candidate(
                name=one.name,
                category=one.category,
                tool=one.tool,
                api=one.api,
                by=by,
                round=self.round,
            )
            self.version += 1

    def _note(self, name: str) -> str:
        """What is told of an API that comes back."""
        why = next((one.why for one in reversed(self._pruned) if one.name == name), "")
        return TAKEN_OUT.format(name=name, why=why) if why else ""


def names_shown(run: RunNode) -> tuple[str, ...]:
    """What the pool of a run holds, as its newest picture says."""
    shown: list[dict[str, Any]] = [
        one["payload"]["value"]
        for call in run["calls"].values()
        for one in call["payloads"]
        if one["payload"]["kind"] == KIND
    ]
    if not shown:
        return ()
    return tuple(one["name"] for one in shown[-1]["apis"])
