"""`%tool --schema --add --from --rm`: what there is becomes tools, and goes again."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from IPython.core.error import UsageError

from nbagents.errors import ToolConflictError, ToolDefinitionError
from nbagents.notebook.options.option import MissingNameError
from nbagents.tools.tool.registry import toolbox
from tests.unit.notebook.conftest import Notebook

WEATHER = """%%tool weather
import math
def weather(city: str, days: int = 1) -> str:
    "Look up the weather in a city."
    return f"{9 * days} °C in {city}"
def helper(number: int) -> int:
    "Help."
    return number
class Counter:
    def up(self, by: int) -> int:
        "Count up."
        return by
    def down(self, by: int) -> int:
        "Count down."
        return -by
"""


@pytest.fixture
def box(notebook: Notebook) -> Notebook:
    assert notebook.run(WEATHER, cell_id="weather").error is None
    return notebook


def test_a_schema_is_what_the_model_gets(box: Notebook) -> None:
    (text,) = box.run("%tool --schema weather").texts
    told = json.loads(text)
    preview = box.run("%agent --dry-run hi").value
    (sent,) = preview.tools
    assert told["name"] == sent.name
    assert told["description"] == sent.description
    assert told["parameters"] == dict(sent.parameters)
    assert told["strict"] is sent.strict


def test_names_and_globs_are_taken_out_and_said(box: Notebook) -> None:
    box.run("%tool --add helper")
    assert box.run("%tool --rm help*,weather").stdout == "Removed: helper, weather.\n"
    assert list(toolbox) == []


def test_where_one_name_is_wrong_nothing_is_taken_out(box: Notebook) -> None:
    cell = box.run("%tool --rm weather --rm hepler")
    assert isinstance(cell.error, UsageError)
    assert list(toolbox) == ["weather"]


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("helper", ["helper"]),
        ('"Counter()"', ["Counter--up", "Counter--down"]),
        ('"[helper, weather]"', ["helper"]),
        ("math.isqrt", ["isqrt"]),
        ('"nbagents.Tool(helper)"', ["helper"]),
        ("\"nbagents.toolset_of('own', [helper])\"", ["own--helper"]),
    ],
)
def test_what_an_expression_gives_becomes_tools(
    box: Notebook, expression: str, names: list[str]
) -> None:
    box.run("import nbagents")
    cell = box.run(f"%tool --add {expression}", cell_id="weather")
    assert cell.error is None, cell.stdout
    assert list(toolbox) == ["weather", *names]
    assert all(name in cell.texts[0] for name in names)


def test_a_name_of_another_cell_is_a_conflict_that_replace_settles(box: Notebook) -> None:
    box.run("def other(): 'Another.'\nother.__name__ = 'weather'")
    cell = box.run("%tool --add other", cell_id="b")
    assert isinstance(cell.error, ToolConflictError)
    assert "already defined in In [" in str(cell.error)
    assert box.run("%tool --add other --replace", cell_id="b").error is None
    assert toolbox["weather"].description == "Another."


def test_a_module_gives_its_functions_under_its_name(
    box: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (tmp_path / "harbour.py").write_text(
        'def ships(port: str) -> int:\n    "Count."\n    return 3\n'
    )
    assert box.run("%tool --from harbour").error is None
    assert "harbour--ships" in toolbox
    assert box.run("%tool harbour--ships port=Oslo").value.calls[0].content == "3"
    monkeypatch.delitem(sys.modules, "harbour")


def test_a_file_without_decorators_gives_its_functions_under_its_name(
    box: Notebook, tmp_path: Path
) -> None:
    (tmp_path / "harbour.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Ship:\n    name: str\n"
        "def tons(ship: Ship) -> int:\n    'Weigh.'\n    return len(ship.name)\n"
    )
    cell = box.run(f"%tool --from {tmp_path / 'harbour.py'}")
    assert cell.error is None, cell.stdout
    cell = box.run('%tool harbour--tons {"ship": {"name": "Fram"}}')
    assert cell.value.calls[0].content == "4"


def test_a_tool_that_runs_at_the_provider_shows_what_it_is_sent(box: Notebook) -> None:
    box.run('import nbagents\n%tool --add "nbagents.WebSearch()"')
    name = list(toolbox)[-1]
    (text,) = box.run(f"%tool --schema {name}").texts
    assert json.loads(text)["type"] == "web_search"


def test_a_schema_that_is_not_strict_does_not_say_so(box: Notebook) -> None:
    box.run("%tool --add math.gcd")
    assert "strict" not in json.loads(box.run("%tool --schema gcd").texts[0])


def test_a_file_gives_the_tools_that_it_defines_and_is_read_anew(
    box: Notebook, tmp_path: Path
) -> None:
    file = tmp_path / "my tools.py"
    source = 'import nbagents\n@nbagents.tool\ndef ships() -> int:\n    "One."\n    return 1\n'
    file.write_text(f"{source}def helper(): ...\n")
    assert box.run(f'%tool --from "{file}"', cell_id="c").error is None
    assert list(toolbox) == ["weather", "ships"]
    file.write_text(source.replace("One.", "Two."))
    assert box.run(f'%tool --from "{file}"', cell_id="c").error is None
    assert toolbox["ships"].description == "Two."


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--from mcp:files", "servers of tools (MCP) are not supported yet"),
        ("--from https://example.org/mcp", "not supported yet"),
        ("--from nope.py", "There is no file 'nope.py'."),
        ("--from nope.inner", "There is no module 'nope' that can be imported here."),
        ("--from json.nope", "There is no module 'json.nope'"),
        ('--from "not a module"', "a module such as pkg.mod, or a .py file"),
        ("--from nope.json", "There is no file 'nope.json'."),
        ("--from defined.json", "defines 2 tools, but no code that runs them"),
        ("--from listed.json", "defines 1 tool, but no code that runs them"),
        ("--from broken.json", "is no JSON"),
        ("--from empty.py", "has no public methods or functions"),
        ("--add 'a b'", "wants a Python expression"),
        ("--add \"'text'\"", "is 'text'"),
        ("--add None", "is None"),
        ('--add "[]"', "[] gives no tools."),
        ('--add "[weather, weather]" --replace', "gives two tools called 'weather'"),
        ("--schema", "--schema wants a value"),
        ("--schema wether", "Did you mean 'weather'?"),
        ("--schema none", "'none' names no tool"),
        ("--schema weather city", "'city' is too much after --schema"),
        ("--rm weather --schema weather", "--rm and --schema are two things to do"),
        ("--replace", "--replace belongs to --add, --from, or %%tool above a cell."),
        ("--replace --rm weather", "--replace does not go with --rm"),
        ("--ask", "--ask belongs to %%tool, above a cell."),
        ("--schmea weather", "Did you mean '--schema'"),
    ],
)
def test_misuse_is_one_line(
    box: Notebook, line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "defined.json").write_text('[{"name": "a"}, {"name": "b"}]')
    (tmp_path / "listed.json").write_text('{"tools": [{"name": "a"}]}')
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "empty.py").write_text("x = 1\n")
    cell = box.run(f"%tool {line}")
    assert isinstance(cell.error, (UsageError, ToolDefinitionError))
    assert message in str(cell.error)
    assert len((cell.stderr + cell.stdout).strip().splitlines()) == 1
    assert list(toolbox) == ["weather"]


def test_a_name_that_there_is_not_says_which_come_close(box: Notebook) -> None:
    cell = box.run("%tool --add hepler")
    assert isinstance(cell.error, MissingNameError)
    assert "Did you mean 'helper'?" in str(cell.error)


@pytest.mark.medium
def test_a_module_that_needs_what_is_not_there_says_that(
    box: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (tmp_path / "needy.py").write_text("import nowhere_to_be_found\n")
    cell = box.run("%tool --from needy")
    assert isinstance(cell.error, ModuleNotFoundError)


def test_the_options_of_the_line_do_not_stand_above_a_cell(box: Notebook) -> None:
    cell = box.run("%%tool --rm weather\ndef f(): ...\n")
    assert isinstance(cell.error, UsageError)
    assert "--rm belongs to %tool, on a line of its own." in str(cell.error)
