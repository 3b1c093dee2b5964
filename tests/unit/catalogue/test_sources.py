"""What a catalogue can be made from, and what is said of what it cannot use."""

from __future__ import annotations

import json
import types
from pathlib import Path
from typing import Any

import pytest

import nbagents as nba
from nbagents.catalogue import Catalogue
from tests.unit.catalogue.records import RECORDS, Record, record, written

PETS: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Pet Shop", "version": "1"},
    "paths": {
        "/pets": {
            "get": {
                "operationId": "listPets",
                "tags": ["animals"],
                "summary": "All pets of the shop",
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
            },
            "delete": {"summary": "Sell out"},
        }
    },
}
RAPID = {
    "category_name": "Weather",
    "tool_name": "Sky",
    "api_name": "Next days",
    "api_description": "The weather of the next days.",
    "method": "get",
    "api_url": "https://sky.p.rapidapi.com/days/{place}",
    "required_parameters": [{"name": "place", "type": "STRING", "description": "Where"}],
    "optional_parameters": [{"name": "days", "type": "NUMBER", "default": 3}],
}


def double(number: int) -> int:
    """Twice a number."""
    return 2 * number


def halve(number: int) -> float:
    """Half of a number."""
    return number / 2


@pytest.mark.parametrize("how", ["path", "text", "json", "list", "one by one"])
def test_records_come_from_files_and_lists(tmp_path: Path, how: str) -> None:
    path = written(tmp_path / "apis.jsonl", RECORDS)
    as_json = tmp_path / "apis.json"
    as_json.write_text(json.dumps(RECORDS), encoding="utf-8")
    sources: dict[str, tuple[Any, ...]] = {
        "path": (path,),
        "text": (str(path),),
        "json": (as_json,),
        "list": (RECORDS,),
        "one by one": tuple(RECORDS),
    }
    catalogue = Catalogue(*sources[how])
    assert [one.key for one in catalogue] == [(r["category"], r["tool"], r["api"]) for r in RECORDS]
    assert catalogue.describe("tunes__get_song")[0]["parameters"] == RECORDS[4]["parameters"]


@pytest.mark.parametrize("how", ["dictionary", "file", "toolset"])
def test_operations_of_a_document_stand_by_title_and_tag(tmp_path: Path, how: str) -> None:
    path = tmp_path / "pets.json"
    path.write_text(json.dumps(PETS), encoding="utf-8")
    source = {"dictionary": PETS, "file": path, "toolset": nba.OpenAPI(PETS)}[how]
    catalogue = Catalogue(source, cache=False)
    listed = catalogue["Pet_Shop--listPets"]
    assert listed.key == ("Pet Shop", "Pet Shop: animals", "listPets")
    assert (listed.method, listed.description) == ("GET", "All pets of the shop")
    assert catalogue.tool_of(listed.name).options.read_only
    assert catalogue.search("list all pets").names[0] == listed.name
    assert {one.method for one in catalogue} == {"GET", "DELETE"}


def test_what_python_offers_comes_with_its_tools() -> None:
    module = types.ModuleType("sums")
    for function in (double, halve):
        setattr(module, function.__name__, function)
    module.__all__ = ["double", "halve"]  # pyright: ignore[reportAttributeAccessIssue]
    catalogue = Catalogue(module, nba.toolset_of("more", [halve]), double)
    assert catalogue.names == ("sums--double", "sums--halve", "more--halve", "double")
    assert catalogue.tool_of("sums--double")(number=4) == 8
    assert catalogue["more--halve"].key == ("Python", "more", "halve")
    assert catalogue.search("half of a number", tool="more").names == ("more--halve",)
    assert [tool.name for tool in catalogue.tools()] == list(catalogue.names)


def test_who_adds_says_where_it_belongs() -> None:
    catalogue = Catalogue(cache=False)
    assert catalogue.add(double, category="Maths", tool="Sums") == ("double",)
    assert catalogue["double"].key == ("Maths", "Sums", "double")
    catalogue.add({"name": "alone", "parameters": {}}, category="Maths")
    assert catalogue["alone"].category == "Maths"


def test_records_of_requests_are_executed_and_typed() -> None:
    catalogue = Catalogue(RAPID, cache=False)
    (api,) = catalogue
    assert api.key == ("Weather", "Sky", "Next days")
    assert api.name == "sky__next_days"
    assert api.method == "GET"
    assert api.parameters["required"] == ["place"]
    assert api.parameters["properties"]["days"] == {"type": "number", "default": 3}
    assert catalogue.tool_of(api.name).options.read_only
    tool = {"tool_name": "Sky", "api_list": [{"name": "Later", "url": RAPID["api_url"]}]}
    assert Catalogue(tool, cache=False).names == ("sky__later",)


def test_quirks_of_real_catalogues_are_borne() -> None:
    old = record("A", "T", "old")
    old["parameters"]["properties"] = {"n": {"type": "int", "minimum": 1, "exclusiveMinimum": True}}
    bare: Record = {
        "category": "A",
        "tool": "T",
        "api": "bare",
        "parameters": {},
        "undocumented": True,
    }
    broken: Record = {
        "category": "A",
        "tool": "T",
        "api": "broken",
        "parameters": {"type": "circle"},
    }
    catalogue = Catalogue([old, bare, broken], cache=False)
    assert catalogue["t__old"].parameters["properties"]["n"] == {
        "type": "integer",
        "exclusiveMinimum": 1,
    }
    assert catalogue["t__bare"].parameters == {"type": "object", "properties": {}}
    assert "circle" in catalogue["t__broken"].parameters["description"]
    assert catalogue.search("bare").text.startswith("t__bare")


def test_what_cannot_be_used_is_named_and_the_rest_is_used(tmp_path: Path) -> None:
    path = tmp_path / "apis.jsonl"
    path.write_text('[1]\n{"tool": "nameless"}\n\n{"api": "good"}\n{"api": \n', encoding="utf-8")
    with pytest.warns(UserWarning, match="Line 1 of apis.jsonl .* and 2 more"):
        catalogue = Catalogue(path)
    assert catalogue.names == ("apis__good",)
    assert [fault.split()[1] for fault in catalogue.faults] == ["1", "2", "5"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("no/such/file.jsonl", "cannot be read"),
        ([{"tool": "nameless"}], "has no name"),
        ([RECORDS[0], double], "one by one"),
        ({"swagger": "2.0", "info": {"title": "Old"}, "paths": {}}, "2.0"),
        (int, "class"),
    ],
)
def test_what_is_no_source_is_refused_and_loses_nothing(source: object, said: str) -> None:
    catalogue = Catalogue(RECORDS, cache=False)
    with pytest.raises(nba.ToolDefinitionError, match=said):
        catalogue.add(record("New", "New", "new"), source)
    assert len(catalogue) == len(RECORDS)


def test_the_same_again_takes_the_place_of_the_one_before() -> None:
    catalogue = Catalogue(RECORDS, cache=False)
    catalogue.add({**RECORDS[0], "description": "Rain only."})
    assert len(catalogue) == len(RECORDS)
    assert catalogue["open_meteo__daily_forecast"].description == "Rain only."


def test_listings_come_by_the_page_and_unknown_places_get_near_ones() -> None:
    catalogue = Catalogue(RECORDS, cache=False)
    page = catalogue.browse("Office", limit=1)
    assert (page.names, page.total, page.next) == (("Mailer",), 2, 1)
    assert page.text == "Mailer (1 APIs)\n1 more of 2: start=1"
    assert catalogue.browse("Office", start=1).names == ("Taskly Boards",)
    assert catalogue.browse(tool="Tunes").names == ("songs", "tunes__get_song")
    with pytest.raises(nba.ToolNotFoundError, match="'Office'"):
        catalogue.browse("Offices")
    with pytest.raises(nba.ToolNotFoundError, match="taskly_boards__create_card"):
        catalogue.tool_of("create_cart_on_boards")
    with pytest.raises(nba.ToolNotFoundError):
        catalogue.remove("songs", "nothing")
    assert "songs" in catalogue


@pytest.mark.parametrize("wrong", [{"defer": "later"}, {"found": "?"}, {"context_tokens": 0}])
def test_options_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Catalogue(**wrong)


def test_a_record_with_an_address_and_a_schema_takes_what_the_schema_says() -> None:
    one = record("A", "Sky", "rain", parameters=["place"])
    one |= {"api_url": "https://sky.example/rain", "method": "GET", "optional_parameters": []}
    one["parameters"]["required"] = ["place"]
    catalogue = Catalogue(one, cache=False)
    assert catalogue["sky__rain"].parameters["required"] == ["place"]
    assert catalogue.tool_of("sky__rain").schema.parameters["properties"] == {
        "place": {"type": "string", "description": "The place"}
    }
    assert catalogue.search("place")[0].why["parameters"] == ("place",)


def test_a_file_of_deep_brackets_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(nba.ToolDefinitionError, match="nested too deeply"):
        Catalogue(path, cache=False)


def test_the_names_of_what_was_added_are_those_that_it_has() -> None:
    catalogue = Catalogue(cache=False)
    added = catalogue.add(
        record("A", "One", "x", name="mine"), record("B", "Two", "x", name="mine")
    )
    assert added == catalogue.names


def served_at(url: str, path: str) -> Record:
    return {
        "openapi": "3.1.0",
        "info": {"title": "FastAPI"},
        "servers": [{"url": url}],
        "paths": {path: {"get": {"operationId": "read"}}},
    }


def test_an_operation_that_is_lost_to_another_servers_of_the_same_name_is_said() -> None:
    first, second = served_at("https://a.example", "/a"), served_at("https://b.example", "/b")
    with pytest.warns(UserWarning, match="FastAPI--read went to another server before"):
        catalogue = Catalogue(first, second, cache=False)
    assert len(catalogue) == len(catalogue.faults) == 1
    both = Catalogue(first, nba.OpenAPI(second, name="other"), cache=False)
    assert both.names == ("FastAPI--read", "other--read")
    both.add(first)
    assert not both.faults
