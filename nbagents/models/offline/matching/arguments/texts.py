"""Free text that a wish brings along: after a parameter's own name, or after a colon."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nbagents.models.offline.language import Mention
from nbagents.models.offline.matching.deeds import command_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nbagents.models.offline.language import Clause, Reading
    from nbagents.models.offline.matching.parameters import Parameter
    from nbagents.models.offline.matching.ranking import Entry

_LED = r"\b(?:with|the|as|using)\s+(?:the\s+|exact\s+)*{name}\s*(?:\s(?:is|as)\s|[:=–-])?\s*"
_NO_TEXT = re.compile(
    r"(?:to|of|for|from|in|is|on|and|or|that|which|with|by|at)\b|\W*$", re.IGNORECASE
)
_COLON = re.compile(r":\s+")
_PURPOSE = re.compile(r"\s+to (?:find|check|see|do|get|show|list|tell)\b")
_END = " \t\n.?!*\\"
_WORDS_MIN = 3


def texts_of(
    entry: Entry, mentions: Sequence[Mention], reading: Reading, spans: Iterable[tuple[int, int]]
) -> list[Mention]:
    """Text for the one required parameter that takes any: `with the note call Ann at 9`.

    Where something is quoted, that is the text.
    """
    wanted = [one for one in entry.required if "text" in one.roles and one.only("string")]
    if len(wanted) != 1 or any(one.kind == "quoted" for one in mentions):
        return []
    for start, end in spans:
        found = _led(wanted[0], reading, start, end)
        if found is not None:
            return [found]
    return []


def commands_of(entry: Entry, clauses: Iterable[Clause], reading: Reading) -> list[Mention]:
    """The command that a clause says is to be run: `using docker ps`."""
    found = ((clause, command_at(entry, clause)) for clause in clauses)
    return [
        _text(reading, clause.words[at].start, purpose.start() if purpose else clause.end)
        for clause, at in found
        if at is not None
        for purpose in [_PURPOSE.search(reading.text, clause.words[at].end, clause.end)]
    ][:1]


def _led(parameter: Parameter, reading: Reading, start: int, end: int) -> Mention | None:
    name = r"[\s_-]".join(re.escape(one) for one in parameter.name_words)
    match = re.compile(_LED.format(name=name), re.IGNORECASE).search(reading.text, start, end)
    if match is not None and not _NO_TEXT.match(reading.text, match.end()):
        return _text(reading, match.end(), end)
    colon = _COLON.search(reading.text, start)
    if colon is None:
        return None
    found = _text(reading, colon.end(), len(reading.text))
    return found if len(found.text.split()) >= _WORDS_MIN else None


def _text(reading: Reading, start: int, end: int) -> Mention:
    said = reading.text[start:end].strip(_END)
    at = reading.text.find(said, start)
    return Mention(kind="quoted", value=said, text=said, start=at, end=at + len(said))
