"""A catalogue as its users meet it: what goes in, what is found, what is called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import nbagents as nba

RECORDS: list[dict[str, Any]] = [
    {
        "category": "Weather",
        "tool": "Open Meteo",
        "api": "Daily forecast",
        "description": "Tell the weather of the next days. At any place.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "Where"}},
            "required": ["city"],
        },
    },
    {
        "category": "Music",
        "tool": "Tunes",
        "api": "searchSongs",
        "name": "songs",
        "description": "",
        "parameters": {"type": "object", "properties": {"level": {"exclusiveMinimum": True}}},
    },
]


def test_what_goes_in_is_found_described_and_listed(tmp_path: Path) -> None:
    path = tmp_path / "apis.jsonl"
    path.write_text("\n".join(map(json.dumps, RECORDS)), encoding="utf-8")
    catalogue = nba.Catalogue(path, cache=False)
    assert len(catalogue) == 2
    assert [one.name for one in catalogue] == ["open_meteo__daily_forecast", "songs"]
    (hit,) = catalogue.search("weather for a city")
    assert (hit.name, hit.category, hit.tool) == (catalogue.names[0], "Weather", "Open Meteo")
    assert hit.summary == "Tell the weather of the next days"
    assert hit.why["description"] == ("weather",)
    (definition,) = catalogue.describe(hit.name)
    assert definition["parameters"]["required"] == ["city"]
    assert catalogue.browse().names == ("Music", "Weather")
    assert catalogue.browse("Music").names == ("Tunes",)
    assert catalogue.browse("Music", "Tunes").names == ("songs",)


def test_what_went_is_not_found() -> None:
    catalogue = nba.Catalogue(RECORDS, cache=False)
    assert catalogue.remove("songs") == ("songs",)
    assert "songs" not in catalogue
    assert not catalogue.search("songs")
    with pytest.raises(nba.ToolNotFoundError):
        catalogue["songs"]


def test_a_function_is_called() -> None:
    def double(number: int) -> int:
        """Twice a number."""
        return 2 * number

    catalogue = nba.Catalogue(double, RECORDS, cache=False)
    assert catalogue.search("twice")[0].name == "double"
    assert catalogue.tool_of("double")(number=4) == 8


def test_what_nothing_executes_fails_as_unavailable() -> None:
    tool = nba.Catalogue(RECORDS, cache=False).tool_of("songs")
    assert tool.name == "songs"
    with pytest.raises(nba.ToolError) as failed:
        tool.function({})
    assert failed.value.kind == "unavailable"
