"""`%%tool` cells: ordinary Python, whose public functions become tools."""

from __future__ import annotations

import inspect
import re

import pytest
from IPython.core.error import UsageError

from nbagents.errors import ToolConflictError, ToolDefinitionError
from nbagents.tools.tool.registry import toolbox
from tests.unit.notebook.conftest import Notebook

WEATHER = '''%%tool
def weather(city: str) -> str:
    """Look up the weather.

    Args:
        city: Where.
    """
    return f"9 °C in {city}"
'''


def test_the_public_functions_of_a_cell_become_tools(notebook: Notebook) -> None:
    cell = notebook.run(
        "%%tool\nimport os\nfrom math import sqrt\nLIMIT = 3\n"
        "def _helper(): ...\nclass Box:\n    def method(self): ...\n"
        "def one(a: int) -> int:\n    def inner(): ...\n    return a\n"
        "async def two(): ...\nif True:\n    def three(): ...\n"
    )
    assert cell.error is None
    assert list(toolbox) == ["one", "two", "three"]
    assert toolbox["two"].is_async
    assert notebook["LIMIT"] == 3


def test_a_function_in_a_branch_that_is_not_taken_is_no_tool(notebook: Notebook) -> None:
    one = "if False:\n    def one(): ...\nelse:\n    def one(a: int): ...\n"
    cell = notebook.run(f"%%tool\n{one}if False:\n    def two(): ...\n")
    assert cell.error is None
    assert list(toolbox) == ["one"]
    assert len(cell.bundles) == 1


def test_a_function_is_called_as_before(notebook: Notebook) -> None:
    notebook.run(WEATHER)
    assert notebook.run("weather('Oslo')").value == "9 °C in Oslo"


def test_a_card_shows_each_tool(notebook: Notebook) -> None:
    cell = notebook.run(WEATHER)
    assert "Look up the weather." in cell.texts[0]
    assert "city" in cell.bundles[0]["text/html"]


def test_the_last_expression_is_displayed(notebook: Notebook) -> None:
    cell = notebook.run("%%tool\ndef f(): ...\n40 + 2\n")
    assert "42" in cell.stdout


def test_ipython_syntax_works_in_the_cell(notebook: Notebook) -> None:
    notebook.run("%%tool\nwhere = %pwd\ndef f() -> str:\n    return where\n")
    assert notebook.run("f()").value == notebook["where"]


def test_future_imports_of_the_notebook_count_and_the_cells_own(notebook: Notebook) -> None:
    notebook.run("from __future__ import annotations")
    notebook.run("%%tool\ndef f(a: Later) -> str: ...\nclass Later(dict[str, int]): ...\n")
    assert notebook["f"].__annotations__["a"] == "Later"


def test_a_traceback_names_the_cell_and_the_line(notebook: Notebook) -> None:
    notebook.run("1")
    cell = notebook.run("%%tool\ndef f(): ...\nx = 1\n1 / 0\n")
    assert isinstance(cell.error, ZeroDivisionError)
    assert cell.stdout.count("ZeroDivisionError") <= 2
    assert "line 4" in cell.stdout
    assert "In[3]" in cell.stdout


def test_a_traceback_of_a_tool_called_later_shows_its_line(notebook: Notebook) -> None:
    notebook.run("%%tool\ndef f():\n    # a comment\n    return 1 / 0\n")
    cell = notebook.run("f()")
    assert "return 1 / 0" in re.sub(r"\x1b\[[0-9;]*m", "", cell.stdout)
    assert "line 4" in cell.stdout


def test_the_source_can_be_inspected(notebook: Notebook) -> None:
    notebook.run(WEATHER)
    source = inspect.getsource(notebook["weather"])
    assert source.startswith("def weather(city: str)")
    assert "9 °C" in source


def test_running_the_cell_again_replaces_its_tools(notebook: Notebook) -> None:
    notebook.run(WEATHER, cell_id="a")
    before = toolbox["weather"].source_hash
    notebook.run(WEATHER.replace("9 °C", "4 °C"), cell_id="a")
    assert toolbox["weather"]("Oslo") == "4 °C in Oslo"
    assert toolbox["weather"].source_hash != before


def test_a_function_that_its_cell_defines_no_more_is_no_tool_any_more(notebook: Notebook) -> None:
    notebook.run("%%tool\ndef one(): ...\ndef two(): ...\n", cell_id="a")
    notebook.run("%%tool\ndef two(): ...\n", cell_id="a")
    assert list(toolbox) == ["two"]


def test_the_same_name_from_another_cell_is_a_conflict_naming_both(notebook: Notebook) -> None:
    notebook.run(WEATHER, cell_id="a")
    cell = notebook.run("%%tool\nx = 5\ndef weather(day: str): ...\n", cell_id="b")
    assert isinstance(cell.error, ToolConflictError)
    assert "In [2]: def weather(city: str) -> str:" in str(cell.error)
    assert "In [3]: def weather(day: str): ..." in str(cell.error)
    assert "--replace" in str(cell.error)
    assert "x" not in notebook.shell.user_ns
    assert toolbox["weather"]("Oslo") == "9 °C in Oslo"


def test_replace_settles_a_conflict(notebook: Notebook) -> None:
    notebook.run(WEATHER, cell_id="a")
    cell = notebook.run("%%tool --replace\ndef weather(day: str): ...\n", cell_id="b")
    assert cell.error is None
    assert "day" in toolbox["weather"].parameters["properties"]  # type: ignore[operator]


def test_without_cell_ids_the_same_source_is_the_same_cell(notebook: Notebook) -> None:
    notebook.run(WEATHER)
    assert notebook.run(WEATHER).error is None
    assert isinstance(notebook.run(WEATHER + "\n1\n").error, ToolConflictError)


def test_a_deleted_cell_frees_its_names(notebook: Notebook) -> None:
    notebook.run(WEATHER, cell_id="a")
    notebook.shell.get_parent = lambda: {"metadata": {"cellId": "b", "deletedCells": ["a"]}}
    notebook.shell.run_cell("1", store_history=True)
    assert list(toolbox) == []


def test_the_decorator_is_the_equal_twin(notebook: Notebook) -> None:
    source = "import nbagents as nba\n@nba.tool\ndef weather(city: str) -> str:\n    return city\n"
    assert notebook.run(source, cell_id="a").error is None
    assert notebook.run(source, cell_id="a").error is None
    assert isinstance(notebook.run(source, cell_id="b").error, ToolConflictError)
    assert notebook.run("weather('Oslo')").value == "Oslo"


def test_the_decorator_inside_a_tool_cell_keeps_its_options(notebook: Notebook) -> None:
    cell = notebook.run(
        "%%tool\nimport nbagents as nba\n@nba.tool(title='Ask')\ndef ask(): ...\n", cell_id="a"
    )
    assert cell.error is None
    assert toolbox["ask"].title == "Ask"


def test_a_cell_without_a_public_function_says_what_is_missing(notebook: Notebook) -> None:
    cell = notebook.run("%%tool\n_x = 1\n")
    assert isinstance(cell.error, ToolDefinitionError)
    assert "defines no public function" in str(cell.error)


def test_await_outside_of_a_function_is_refused_with_the_way_out(notebook: Notebook) -> None:
    cell = notebook.run("%%tool\nimport asyncio\nawait asyncio.sleep(0)\ndef f(): ...\n")
    assert isinstance(cell.error, ToolDefinitionError)
    assert "@nba.tool" in str(cell.error)


def test_a_syntax_error_is_shown_at_its_line(notebook: Notebook) -> None:
    cell = notebook.run("%%tool\ndef f():\n    return )\n")
    assert isinstance(cell.error, SyntaxError)
    assert cell.error.lineno == 3


@pytest.mark.parametrize("error", ["ToolDefinitionError", "ToolConflictError"])
def test_an_error_about_a_definition_is_one_line(notebook: Notebook, error: str) -> None:
    notebook.run("%%tool\ndef f(): ...\n", cell_id="a")
    source = "%%tool\nx = 1\n" if error == "ToolDefinitionError" else "%%tool\ndef f(): ...\n"
    cell = notebook.run(source, cell_id="b")
    assert cell.stdout.strip().startswith(error)
    assert len(cell.stdout.strip().splitlines()) == 1


@pytest.mark.parametrize("head", ["%%tool", "%%tool --toolset home --read-only", "%%tool weather"])
def test_a_corrected_cell_is_told_how_it_takes_the_place_of_the_first(
    notebook: Notebook, head: str
) -> None:
    """In a terminal no cell has an id, so the corrected one is another cell; so is a new one."""
    body = WEATHER.removeprefix("%%tool")
    notebook.run(head + body)
    cell = notebook.run(head + body.replace("9 °C", "8 °C"))
    assert isinstance(cell.error, ToolConflictError)
    written = re.search(r"begin the cell with `(.*)`", str(cell.error))
    assert written is not None
    assert notebook.run(written[1] + body.replace("9 °C", "8 °C")).error is None
    (tool,) = toolbox.values()
    assert tool("Oslo") == "8 °C in Oslo"


@pytest.mark.parametrize(
    "cell", ["%%tool\ndef f(x: Missing): ...\n", "@nba.tool\ndef f(x: 'Missing'): ...\n"]
)
def test_a_hint_that_does_not_resolve_fails_where_it_stands(notebook: Notebook, cell: str) -> None:
    notebook.run("import nbagents as nba\nfrom __future__ import annotations")
    ended = notebook.run(cell)
    assert isinstance(ended.error, ToolDefinitionError)
    assert "Missing" in str(ended.error)
    assert not toolbox
    assert notebook.run("%agent hello").error is None


@pytest.mark.parametrize(
    ("function", "notice"),
    [
        ("def area(): ...", "'area' has no docstring: a model goes by its name alone."),
        (
            "def area(a, b): ...",
            "'area' has no docstring and no type for 'a', 'b': a model goes by its name alone.",
        ),
        (
            "def area(a):\n    'Do.'",
            "'area' has no type for 'a': a model goes by what the docstring says alone.",
        ),
        (
            "def func1():\n    'Do.'",
            "'func1' has a name that says nothing.",
        ),
        ("def area(a: int):\n    'Do.'", ""),
    ],
)
def test_what_a_definition_does_not_say_is_said_in_one_line(
    notebook: Notebook, function: str, notice: str
) -> None:
    cell = notebook.run(f"%%tool\n{function}\n")
    assert cell.error is None
    assert cell.stdout.strip() == notice


def test_hints_can_be_turned_off(notebook: Notebook) -> None:
    notebook.run("%config NbAgents.hints = 'off'")
    assert notebook.run("%%tool\ndef func1(a): ...\n").stdout == ""


def test_lint_says_what_misleads_in_tools_and_in_functions_that_are_none_yet(
    notebook: Notebook,
) -> None:
    notebook.run("%%tool\ndef func1(a: int):\n    'Do.'\n")
    notebook.run(
        "%%tool\ndef area(r: float) -> float:\n    'Area of a circle.'\n    return r * r\n"
    )
    notebook.run("def later(data): ...")
    everything, one, fine, function = (
        notebook.run(f"%tool --lint {names}").stdout
        for names in ("", "func1", "area", "later, area")
    )
    assert everything == one
    assert one.startswith("func1: The name 'func1' says nothing of what it does.\n")
    assert fine == "Nothing to mend.\n"
    assert function.startswith("later: It has no docstring")
    assert isinstance(notebook.run("%tool --lint aera").error, UsageError)
