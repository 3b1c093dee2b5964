"""Calls apart: a clause or a section that gives the same parameters anew is a call of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.models.offline.matching.arguments.arguments import PARALLEL_MIN, fill, missing_of
from nbagents.models.offline.matching.arguments.fit import is_tool_word, pointing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.models.offline.language import Clause, Reading
    from nbagents.models.offline.matching.arguments.assignment import Filling
    from nbagents.models.offline.matching.ranking import Entry

_POINTED_MIN = 0.35


def fill_apart(entry: Entry, clauses: Sequence[Clause], reading: Reading) -> list[Filling]:
    """As `fill`, where a clause that gives the same parameters anew is a call of its own."""
    parts: list[_Part] = []
    openings = [_opening(clause) for clause in clauses]
    for clause in clauses:
        again = openings.count(_opening(clause)) > 1
        own = _given(entry, clause, reading, phrases=again)
        anew = bool(own) and bool(parts) and _is_anew(clause, own, parts[-1].given)
        if anew and clause.asks and len(parts) == 1 and not parts[0].asking:
            # What was said before it is only where the wish comes from.
            before = _without_values(entry, parts[0].clauses, reading)
            parts = [_Part(clauses=[clause, *before], given=own, asking=True)]
        elif parts and not (anew and clause.asks == parts[-1].asking):
            parts[-1].add(clause, own)
        else:
            parts.append(_Part(clauses=[clause], given=own, asking=clause.asks))
    if len(parts) == 1:
        parts = _by_section(entry, clauses, reading) or parts
    fillings = [filling for part in parts for filling in fill(entry, part.clauses, reading)]
    for filling in fillings[1:]:
        for parameter in missing_of(entry, filling):
            if parameter.name in fillings[0].values:
                filling.values[parameter.name] = fillings[0].values[parameter.name]
    return fillings


def _opening(clause: Clause) -> tuple[str, ...]:
    """The first two words of a clause, the link aside: `how much` is asked again."""
    words = [one.lower for one in clause.words if one.lower not in {"and", "or"}]
    return tuple(words[:2])


def _is_anew(clause: Clause, own: dict[str, str], given: dict[str, str]) -> bool:
    """Whether a clause gives again what was given, and not just a detail of it."""
    most = len(own) * 2 >= len(given)
    return most and own.items() <= given.items() and not clause.refers


@dataclass(slots=True)
class _Part:
    """Clauses that make one call together."""

    clauses: list[Clause]
    given: dict[str, str]
    """The parameters that they give, and by which kind of mention."""
    asking: bool
    """Whether the clause that gave the last values is a wish by its form."""

    def add(self, clause: Clause, own: dict[str, str]) -> None:
        """Take another clause."""
        self.clauses.append(clause)
        self.given |= own
        self.asking = clause.asks if own else self.asking


def _by_section(entry: Entry, clauses: Sequence[Clause], reading: Reading) -> list[_Part]:
    """Each section as a part, where several say all that must be given: `The first …`."""
    numbers = dict.fromkeys(clause.section for clause in clauses)
    sections = [[one for one in clauses if one.section == number] for number in numbers]
    if len(sections) == 1 or not entry.required:
        return []
    whole = [own for own in sections if _is_whole(entry, own, reading)]
    rest = [one for own in sections if own not in whole for one in own]
    if len(whole) == 1 or any(one.asks and _given(entry, one, reading) for one in rest):
        return []
    return [_Part(clauses=own, given={}, asking=False) for own in whole]


def _is_whole(entry: Entry, clauses: Sequence[Clause], reading: Reading) -> bool:
    sources = fill(entry, clauses, reading)[0].sources
    return all(one.name in sources for one in entry.required)


def _without_values(entry: Entry, clauses: list[Clause], reading: Reading) -> list[Clause]:
    return [clause for clause in clauses if not _given(entry, clause, reading)]


def _given(
    entry: Entry, clause: Clause, reading: Reading, *, phrases: bool = False
) -> dict[str, str]:
    """The parameters that a clause gives by itself, and by which kind.

    Weak phrases count only where a question is asked again in the same words.
    """
    weak = {"unit"} if phrases else {"phrase", "unit"}
    sources = fill(entry, [clause], reading)[0].sources
    required = bool(entry.required)
    least = _POINTED_MIN if required else PARALLEL_MIN
    return {
        one.name: mention.kind
        for one in entry.parameters
        if (one.required or not required)
        and (mention := sources.get(one.name))
        and mention.kind not in weak
        and not is_tool_word(mention, entry)
        and ((mention.kind != "number" and required) or pointing(one, mention, reading) >= least)
    }
