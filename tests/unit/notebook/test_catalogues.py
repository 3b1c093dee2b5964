"""A catalogue and its hits in a notebook: what is shown, answered and kept, whatever is in it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import comm
import pytest

import nbagents as nba
from nbagents.notebook.catalogues import CatalogueView, still
from nbagents.notebook.catalogues.example_call import example_call
from nbagents.tools.json_schema import fault_of
from tests.unit.notebook.conftest import Notebook
from tests.unit.widgets.wire import Wire
from tests.xss import VECTORS

VIEW = "application/vnd.jupyter.widget-view+json"
SAVED = "application/vnd.nbagents.widget.v1+json"
CELL = """
import nbagents as nba
def forecast(city: str, days: int = 1) -> str:
    "Tell tomorrow's weather in a city."
def tides(harbour: str) -> str:
    "Tell when the water is high."
catalogue = nba.Catalogue(forecast, tides)
"""


def record(api: str, **more: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    return {"category": "C", "tool": "T", "api": api, "parameters": parameters, **more}


@pytest.fixture
def wires(monkeypatch: pytest.MonkeyPatch) -> list[Wire]:
    opened: list[Wire] = []

    def create(**options: Any) -> Wire:
        opened.append(Wire(**options))
        return opened[-1]

    monkeypatch.setattr(comm, "create_comm", create)
    monkeypatch.setenv("NBAGENTS_FRONTEND", "live")
    return opened


def ask(wire: Wire, question: Any, number: int = 1) -> dict[str, Any]:
    content = {"type": "ask", "id": number, "kind": "catalogue", "question": question}
    wire.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    return next(one for one in wire.messages if one.get("id") == number)


def test_a_catalogue_shows_itself_at_the_end_of_a_cell(notebook: Notebook) -> None:
    (bundle,) = notebook.run(CELL + "catalogue").bundles
    assert VIEW not in bundle  # nobody watches
    assert "2 APIs, " in bundle["text/plain"]
    assert bundle[SAVED]["kind"] == "catalogue"


def test_hits_show_the_words_that_hit_the_score_and_what_there_is_to_open(
    notebook: Notebook,
) -> None:
    cell = notebook.run(CELL + "hits = catalogue.search('weather in cities')\nhits")
    (bundle,) = cell.bundles
    (hit,) = notebook["hits"]
    assert f"forecast  {hit.score:.2f}" in bundle["text/plain"]
    assert "weather (description), cities (description, parameters)" in bundle["text/html"]
    assert "await apis.forecast(city=" in bundle["text/html"]
    (row,) = bundle[SAVED]["value"]["rows"]
    assert row["why"] == {field: list(words) for field, words in hit.why.items()}
    detail = bundle[SAVED]["value"]["details"]["forecast"]
    assert json.loads(detail["schema"]) == notebook["catalogue"]["forecast"].parameters


def test_what_is_not_there_is_said(notebook: Notebook) -> None:
    cell = notebook.run(CELL + "hits = catalogue.search('quarterly ledger')\nhits")
    assert notebook["hits"].hint in cell.texts[0].replace("\n", " ")


def test_a_page_searches_opens_and_goes_to_places(wires: list[Wire]) -> None:
    records = [record("one", description="First."), record("two", description="Second.", tool="U")]
    CatalogueView(nba.Catalogue(records, cache=False))
    wire = wires[-1]
    found = ask(wire, {"query": "second", "category": "C", "tool": ""})["value"]
    assert [row["name"] for row in found["rows"]] == ["u__two"]
    assert ask(wire, {"query": "second", "tool": "T"}, 2)["value"]["rows"] == []
    listed = ask(wire, {"query": "", "category": "C", "tool": None}, 3)["value"]
    assert [row["name"] for row in listed["rows"]] == ["T", "U"]
    detail = ask(wire, {"describe": "u__two"}, 4)["value"]
    assert (detail["description"], detail["parameters"][0]["need"]) == ("Second.", "required")


def test_what_a_page_cannot_have_is_told_to_it(wires: list[Wire]) -> None:
    CatalogueView(nba.Catalogue([record("one")], cache=False))
    wire = wires[-1]
    assert "three" in ask(wire, {"describe": "three"})["error"]
    assert "Nowhere" in ask(wire, {"query": "", "category": "Nowhere"}, 2)["error"]
    for number, wrong in enumerate((None, {}, [1], {"query": 5}), start=3):
        assert "asked to `describe`" in ask(wire, wrong, number)["error"]


def test_hits_without_their_catalogue_show_themselves_too() -> None:
    (hit,) = nba.Catalogue([record("one")], cache=False).search("one")
    bundle = still(type(nba.Catalogue().search(""))(query="one", found=(hit,)))
    assert "t&#95;&#95;one" in bundle["text/html"]
    assert "t__one" in bundle["text/plain"]


class Tags(HTMLParser):
    """The names of elements, and of their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(name for name, _ in attrs)}


@pytest.mark.medium
def test_what_a_catalogue_says_is_never_markup() -> None:
    """Whatever stands in whichever field, the elements are those of a harmless record."""
    shapes: list[set[str]] = []
    for text in ("harmless", *VECTORS):
        schema = {
            "type": "object",
            "properties": {text: {"type": "string", "description": text, "enum": [text]}},
            "required": [text],
        }
        told = record("one", category=text, tool=text, description=text, parameters=schema)
        catalogue = nba.Catalogue([{**told, "name": "n"}], cache=False)
        tags = Tags()
        for given in (catalogue, catalogue.search("one")):
            tags.feed(still(given)["text/html"])
        assert "details" in tags.names
        shapes.append(tags.names)
    assert [names - shapes[0] for names in shapes if names - shapes[0]] == []


def test_what_is_kept_has_a_size_whatever_is_in_the_catalogue() -> None:
    long = "*<&`_" * 2_000
    records = [
        record(
            f"api{n}",
            description=f"word {long}",
            parameters={
                "type": "object",
                "properties": {f"p{k}": {"type": "string", "description": long} for k in range(30)},
            },
        )
        for n in range(12)
    ]
    bundle = still(nba.Catalogue(records, cache=False).search("word"))
    assert len(bundle[SAVED]["value"]["rows"]) == 10
    assert len(json.dumps(bundle[SAVED])) < 80_000
    assert len(bundle["text/html"]) < 200_000
    assert len(bundle["text/plain"]) < 5_000


def test_a_key_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-1234567890abcdef"
    monkeypatch.setenv("SERVICE_API_KEY", key)
    nba.redact(key)
    bundle = still(
        nba.Catalogue([record("one", description=f"Send {key}.")], cache=False).search("one")
    )
    assert key not in json.dumps(bundle)


EXAMPLES: list[dict[str, Any]] = [
    {"type": "integer", "minimum": 3},
    {"type": ["null", "string"], "format": "date"},
    {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Kind"}]},
    {"type": "array", "items": {"type": "object", "properties": {"a": {}}, "required": ["a"]}},
    {"type": "boolean"},
    {"const": {"deep": [1, None]}},
    {"$ref": "#/$defs/Loop"},
    {},
]


def test_the_example_of_a_call_gives_all_that_is_required_and_is_python() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {f"p{n}": one for n, one in enumerate(EXAMPLES)} | {"a b": {"default": 2}},
        "required": [*(f"p{n}" for n in range(len(EXAMPLES))), "a b"],
        "$defs": {
            "Kind": {"enum": ["red", "blue"]},
            "Loop": {
                "type": "object",
                "properties": {"again": {"$ref": "#/$defs/Loop"}},
                "required": ["again"],
            },
        },
    }
    assert not fault_of(schema)
    (api,) = nba.Catalogue([record("one", parameters=schema)], cache=False)
    given: dict[str, Any] = {}

    def call(**arguments: Any) -> None:
        given.update(arguments)

    written = example_call(api).removeprefix("await ")
    eval(written, {"apis": SimpleNamespace(**{api.name: call})})
    assert given["p0"] == 3
    assert given["p1"] == "2026-01-31"
    assert given["p2"] == "red"
    assert given["p3"] == [{"a": "…"}]
    assert given["p5"] == {"deep": [1, None]}
    assert given["a b"] == 2
    assert set(given) == set(schema["required"])


@pytest.mark.medium
def test_a_catalogue_alone_loads_no_notebook() -> None:
    code = "import sys, nbagents; nbagents.Catalogue; print(*sorted({*sys.modules} & {*sys.argv}))"
    heavy = ["IPython", "anywidget", "nbagents.notebook"]
    done = subprocess.run(
        [sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_the_example_of_a_call_reaches_the_api_also_where_its_name_is_taken() -> None:
    seen: list[str] = []

    def search(q: str) -> str:
        seen.append(q)
        return q

    catalogue = nba.Catalogue(search)
    (api,) = catalogue

    async def called() -> None:
        await eval(example_call(api).removeprefix("await "), {"apis": nba.apis(catalogue)})

    asyncio.run(called())
    assert seen == ["…"]
