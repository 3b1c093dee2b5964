"""AnyTool's pool of candidates in a saved notebook: by category, with what is new and what went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from nbagents.narrowing import is_list
from nbagents.notebook.kinds.text_forms import text_in
from nbagents.notebook.markup import CODE, Html, join, muted, table, tag
from nbagents.runs.wording import clipped, counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST: Final = 200
"""APIs that are drawn; a pool holds 64 unless somebody wants more."""
NAME: Final = 80
WHY: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """An API that is in the pool, or was."""

    name: str
    category: str
    round: int
    why: str
    """Of one that was taken out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """What a payload of kind `apiPool` says."""

    size: int
    round: int
    apis: Sequence[Member]
    pruned: Sequence[Member]

    @property
    def new(self) -> int:
        """How many came in this round, after the first."""
        return sum(self.is_new(one) for one in self.apis)

    def is_new(self, one: Member) -> bool:
        """Whether an API came in this round, after the first."""
        return bool(self.round) and one.round == self.round


def pool_html(value: Mapping[str, Any]) -> Html:
    """The APIs of each category in a row; those that an agent put in this round are marked.

    Raises:
        TypeError: It is no pool, or lacks something.
    """
    pool = _read(value)
    rows: list[list[str]] = [
        [f"{clipped(category, NAME)} ({len(apis)})", _names(pool, apis)]
        for category, apis in _by_category(pool.apis[:MOST])
    ]
    gone = [
        tag("div", muted("taken out: ", tag("code", one.name, style=CODE), f" {one.why}"))
        for one in pool.pruned[:MOST]
    ]
    return join(tag("div", muted(_sentence(pool))), table(rows) if rows else "", *gone)


def pool_words(value: Mapping[str, Any]) -> str:
    """A pool in one line: `pool, 12 of 64 APIs in 3 categories, round 1: 4 new`.

    Raises:
        TypeError: It is no pool, or lacks something.
    """
    sentence = _sentence(_read(value))
    return f"{sentence[0].lower()}{sentence[1:]}"


def _sentence(pool: Pool) -> str:
    places = len({one.category for one in pool.apis})
    where = f" in {places} {'category' if places == 1 else 'categories'}" if places else ""
    changes = [f"{pool.new:,} new"] if pool.new else []
    changes += [f"{len(pool.pruned):,} taken out"] if pool.pruned else []
    said = f"Pool, {len(pool.apis):,} of {counted(pool.size, 'API')}{where}, round {pool.round}"
    return f"{said}: {', '.join(changes)}" if changes else said


def _names(pool: Pool, apis: Sequence[Member]) -> Html:
    drawn = [
        join(tag("code", one.name, style=CODE), muted(" new") if pool.is_new(one) else "")
        for one in apis
    ]
    return join(*drawn, between=", ")


def _by_category(apis: Sequence[Member]) -> list[tuple[str, list[Member]]]:
    found: dict[str, list[Member]] = {}
    for one in apis:
        found.setdefault(one.category, []).append(one)
    return list(found.items())


def _read(value: Mapping[str, Any]) -> Pool:
    match value:
        case {"size": int(size), "round": int(number), "apis": apis, "pruned": pruned} if is_list(
            apis
        ) and is_list(pruned):
            members, gone = map(_member, apis), map(_member, pruned)
            return Pool(size=size, round=number, apis=[*members], pruned=[*gone])
        case _:
            raise TypeError(value)


def _member(given: Any) -> Member:
    match given:
        case {"name": str(name), "category": str(category), "round": int(number), **more}:
            why = clipped(text_in(more.get("why", "")), WHY)
            return Member(name=clipped(name, NAME), category=category, round=number, why=why)
        case _:
            raise TypeError(given)
