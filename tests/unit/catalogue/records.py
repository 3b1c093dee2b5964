"""Small catalogues to try things on, written and drawn."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from nbagents.catalogue import Catalogue

__all__ = ["RECORDS", "Record", "catalogues", "contents", "queries", "record", "written"]

Record: TypeAlias = dict[str, Any]  # Any: JSON


def record(
    category: str,
    tool: str,
    api: str,
    description: str = "",
    parameters: Iterable[str] = (),
    name: str | None = None,
) -> Record:
    """A record whose parameters are text."""
    properties = {one: {"type": "string", "description": f"The {one}"} for one in parameters}
    made: Record = {
        "category": category,
        "tool": tool,
        "api": api,
        "description": description,
        "parameters": {"type": "object", "properties": properties},
    }
    return made if name is None else {**made, "name": name}


RECORDS = [
    record("Weather", "Open Meteo", "Daily forecast", "The weather of the next days.", ["city"]),
    record("Weather", "Open Meteo", "Air quality", "How clean the air in a city is.", ["city"]),
    record("Weather", "StormGlass", "getTides", "Tides at a coast.", ["lat", "lng"]),
    record("Music", "Tunes", "searchSongs", "Songs by words of their text.", name="songs"),
    record("Music", "Tunes", "getSong", "One song.", ["id"], name="tunes__get_song"),
    record("Music", "BandBook", "concerts", "Where a band plays, with the weather.", ["band"]),
    record("Office", "Taskly Boards", "create_card", "Put a card on a board.", ["board", "title"]),
    record("Office", "Taskly Boards", "list_cards", "All cards of a board.", ["board"]),
    record("Office", "Mailer", "send", "Send a mail. Any size.", ["to", "text"]),
]


def written(path: Path, records: Sequence[Record]) -> Path:
    """A file of records, a line each."""
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def contents(catalogue: Catalogue) -> dict[tuple[str, ...], Any]:
    """All that a catalogue says of its APIs, whatever their order."""
    return {(*one.key, one.name): one.definition() for one in catalogue}


WORDS = st.sampled_from(
    [
        *("get", "list", "create", "weather", "forecast", "city", "song", "songs", "band", "card"),
        *("cards", "GitHub", "github", "mail", "天気", "予報", "tide", "tides", "2", "of", "the"),
    ]
)
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)


@st.composite
def catalogues(draw: st.DrawFn, most: int = 12) -> list[Record]:
    """Records, some of which want the same names."""
    places = st.sampled_from([("A", "One"), ("A", "Two"), ("B", "one"), ("C d", "Ünö x")])
    count = draw(st.integers(1, most))
    made: list[Record] = []
    for number in range(count):
        category, tool = draw(places)
        api = draw(st.lists(WORDS, min_size=1, max_size=3).map(" ".join))
        name = draw(st.sampled_from([None, None, "same", "other", f"n{number}", "not valid!"]))
        made.append(record(category, tool, api, draw(TEXTS), draw(st.sets(WORDS)), name))
    return made


queries = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)
