"""`%tool --search` and `%tool --from FILE.yaml`: what is found, and what becomes tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from IPython.core.error import UsageError

from nbagents.tools.tool.registry import toolbox
from tests.unit.notebook.conftest import Notebook

WEATHER = """%%tool
def weather(city: str, days: int = 1) -> str:
    "Look up the weather in a city."
    return city
"""
PETS: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "version": "1"},
    "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X"}}},
    "paths": {
        "/pets/{id}": {
            "get": {
                "operationId": "getPet",
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
                ],
            },
            "delete": {"parameters": [{"$ref": "#/components/parameters/gone"}]},
        }
    },
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_search_finds_tools_and_what_the_variables_hold(notebook: Notebook) -> None:
    notebook.run(WEATHER)
    notebook.run(
        "import nbagents\n"
        "def forecast(city: str): 'Tell the weather of tomorrow.'\n"
        "_hidden = mine = also_mine = nbagents.Catalogue(forecast)\n"
        "def tides(harbour: str): 'High water.'\n"
        "sea = nbagents.Catalogue(tides)"
    )
    cell = notebook.run("%tool --search weather in cities")
    assert cell.error is None, cell.stderr
    tools, mine = cell.texts
    assert tools.startswith("Tools · 1 API")
    assert "“weather in cities”: 1 hit" in tools
    assert mine.startswith("mine · 1 API")
    assert "forecast" in mine
    call = '%tool weather {"city": "…"}'
    details = cell.bundles[0]["application/vnd.nbagents.widget.v1+json"]["value"]["details"]
    assert details["weather"]["call"] == call
    assert notebook.run(call.replace("…", "Oslo")).value.calls[0].content == "Oslo"


def test_a_search_that_finds_nothing_says_so(notebook: Notebook) -> None:
    assert isinstance(notebook.run("%tool --search weather").error, UsageError)
    notebook.run(WEATHER)
    (text,) = notebook.run("%tool --search quarterly ledger").texts
    assert "“quarterly ledger”: 0 hits" in text
    assert len(text.splitlines()) > 2  # what to do instead


@pytest.mark.parametrize("ending", [".json", ".yaml", ".yml"])
def test_a_document_gives_its_operations_and_says_what_of_it_cannot_be_used(
    notebook: Notebook, here: Path, ending: str
) -> None:
    (here / f"pets{ending}").write_text(json.dumps(PETS))
    cell = notebook.run(f"%tool --from pets{ending} --base-url http://127.0.0.1:1")
    assert cell.error is None, cell.stderr
    assert cell.stderr == ""
    assert list(toolbox) == ["Pets--getPet"]
    added, faults = cell.texts
    assert "Pets--getPet(id)" in added
    assert "DELETE /pets/{id}" in faults
    assert "gone" in faults


def test_a_large_document_is_shown_to_search_in(notebook: Notebook, here: Path) -> None:
    paths = {f"/pets/{n}": {"get": {"operationId": f"pet{n}"}} for n in range(60)}
    (here / "pets.yaml").write_text(json.dumps({**PETS, "paths": paths}))
    (text,) = notebook.run("%tool --from pets.yaml").texts
    assert text.startswith("Pets · 60 APIs")
    assert len(toolbox) == 60


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--from nope.yaml", "There is no file 'nope.yaml'."),
        ("--from empty.yaml", "empty.yaml has no operation that can be used."),
        ("--from pets.yaml --auth key", "--auth wants SCHEME=VARIABLE"),
        ("--from pets.yaml --auth key=A,", "--auth wants SCHEME=VARIABLE"),
        ("--from tools.py --auth key=A", "--auth is for OpenAPI documents, and tools.py is none."),
        ("--base-url http://127.0.0.1", "--base-url belongs to --from."),
        ("--rm weather --base-url http://a", "--base-url does not go with --rm, but with --from."),
        ("--search weather --replace", "--replace does not go with --search"),
        ("--search weather --rm weather", "--search and --rm are two things to do"),
        ("--search", "--search wants a value"),
    ],
)
def test_misuse_is_one_line_and_adds_nothing(
    notebook: Notebook, here: Path, line: str, message: str
) -> None:
    (here / "pets.yaml").write_text(json.dumps(PETS))
    (here / "empty.yaml").write_text(json.dumps({**PETS, "paths": {}}))
    (here / "tools.py").write_text("def ships(): 'Count.'")
    cell = notebook.run(f"%tool {line}")
    assert isinstance(cell.error, UsageError), cell.error
    assert message in str(cell.error)
    assert len((cell.stderr + cell.stdout).strip().splitlines()) == 1
    assert list(toolbox) == []


def test_a_name_that_is_taken_is_a_conflict_and_nothing_is_added(
    notebook: Notebook, here: Path
) -> None:
    (here / "pets.yaml").write_text(json.dumps(PETS))
    notebook.run("%tool --from pets.yaml", cell_id="a")
    before = toolbox["Pets--getPet"]
    assert notebook.run("%tool --from pets.yaml", cell_id="b").error is not None
    assert toolbox["Pets--getPet"] is before
    assert notebook.run("%tool --from pets.yaml --replace", cell_id="b").error is None
