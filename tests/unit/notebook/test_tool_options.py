"""The options of `%%tool`: what they say of the functions below, and what contradicts itself."""

from __future__ import annotations

from typing import Any

import pytest
from IPython.core.error import UsageError

from nbagents.errors import ToolConflictError, ToolDefinitionError, ToolFailedError
from nbagents.tools.tool.registry import toolbox
from tests.unit.notebook.conftest import Notebook

ONE = "def weather(city: str, days: int = 1) -> str:\n    return f'{days} in {city}'\n"
TWO = f"{ONE}def delete(path: str) -> str:\n    return path\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--title 'Looking up'", {"title": "Looking up"}),
        ("--ask", {"ask": True}),
        ("--no-ask", {"ask": False}),
        ("--read-only --open-world", {"read_only": True, "open_world": True}),
        ("--destructive --idempotent", {"destructive": True, "idempotent": True}),
        ("--command --thread --private", {"command": True, "thread": True, "private": True}),
        ("--timeout 2.5 --retries 0", {"timeout_s": 2.5, "retries": 0}),
        ("", {"ask": None, "thread": False, "retries": None, "private": False}),
    ],
)
def test_an_option_holds_for_each_function_of_the_cell(
    notebook: Notebook, line: str, said: dict[str, object]
) -> None:
    assert notebook.run(f"%%tool {line}\n{TWO}").error is None
    for name in ("weather", "delete"):
        options = toolbox[name].options
        assert {key: getattr(options, key) for key in said} == said


def test_a_name_and_a_toolset_make_the_name_of_the_tool(notebook: Notebook) -> None:
    assert notebook.run(f"%%tool -n forecast --toolset city\n{ONE}").error is None
    assert list(toolbox) == ["city--forecast"]
    assert notebook.run("weather('Oslo', days=2)").value == "2 in Oslo"


def test_names_limit_which_functions_become_tools(notebook: Notebook) -> None:
    assert notebook.run(f"%%tool --ask delete\n{TWO}").error is None
    assert list(toolbox) == ["delete"]
    assert notebook.run("weather('Oslo')").value == "1 in Oslo"


def test_a_named_function_may_be_private_to_python(notebook: Notebook) -> None:
    assert notebook.run("%%tool -n hidden _hidden\ndef _hidden(): ...\n").error is None
    assert list(toolbox) == ["hidden"]


@pytest.mark.parametrize(
    ("line", "body", "message"),
    [
        ("--ask --no-ask", ONE, "--ask and --no-ask contradict each other"),
        ("--read-only --destructive", ONE, "--read-only and --destructive contradict"),
        ("--thread", "async def later(): ...\n", "--thread is for plain functions, and 'later'"),
        ("--name x", TWO, "--name is for one tool, and this cell makes 2: weather, delete."),
        ("--try x=1", TWO, "--try is for one tool"),
        ("--timeout soon", ONE, "--timeout wants a number of seconds above 0, not 'soon'"),
        ("--timeout 0", ONE, "above 0"),
        ("--timeout nan", ONE, "above 0"),
        ("--retries -1", ONE, "--retries wants a whole number"),
        ("weather, wether", ONE, "no function 'wether'. Did you mean 'weather'?"),
        ("--try city=Paris days=3", ONE, "Quote the arguments of --try"),
        ("--try 'Paris'", ONE, "write name=value"),
    ],
)
def test_what_does_not_fit_is_one_line_before_anything_is_executed(
    notebook: Notebook, line: str, body: str, message: str
) -> None:
    cell = notebook.run(f"%%tool {line}\n{body}ran = True\n")
    assert isinstance(cell.error, UsageError)
    assert message in str(cell.error)
    assert len(cell.stderr.strip().splitlines()) == 1
    assert ("ran" in notebook.shell.user_ns) == ("write name=value" in message)


def test_a_name_that_models_do_not_take_is_refused(notebook: Notebook) -> None:
    cell = notebook.run(f"%%tool -n 'two words'\n{ONE}")
    assert isinstance(cell.error, ToolDefinitionError)
    assert "weather" not in notebook.shell.user_ns


def test_what_the_decorator_says_holds_where_no_option_says_otherwise(notebook: Notebook) -> None:
    source = (
        "import nbagents as nba\n@nba.tool(name='own', title='Own', timeout_s=3)\n"
        "def weather(): ...\n"
    )
    assert notebook.run(f"%%tool --timeout 9 --read-only\n{source}", cell_id="a").error is None
    assert list(toolbox) == ["own"]
    options = toolbox["own"].options
    assert (options.title, options.timeout_s, options.read_only) == ("Own", 9.0, True)
    assert notebook["weather"] is toolbox["own"]
    assert notebook.run(f"%%tool -n other\n{source}", cell_id="a").error is None
    assert list(toolbox) == ["other"]


def test_what_the_cell_registers_itself_stays(notebook: Notebook) -> None:
    source = (
        "import nbagents as nba\n@nba.tool\ndef decorated(): ...\n"
        "def weather(): ...\ndef plain(): ...\n"
    )
    for _ in range(2):
        assert notebook.run(f"%%tool weather\n{source}", cell_id="a").error is None
        assert sorted(toolbox) == ["decorated", "weather"]


def test_a_conflict_is_one_of_the_names_that_tools_get(notebook: Notebook) -> None:
    notebook.run(f"%%tool\n{ONE}", cell_id="a")
    assert notebook.run(f"%%tool --toolset city\n{ONE}", cell_id="b").error is None
    cell = notebook.run("%%tool --name weather\ndef other(): ...\n", cell_id="c")
    assert isinstance(cell.error, ToolConflictError)
    assert "other" not in notebook.shell.user_ns


def test_try_calls_it_once_after_its_card(notebook: Notebook) -> None:
    cell = notebook.run(f"%%tool --try 'city=\"New York\" days=3'\n{ONE}")
    assert cell.error is None
    assert "weather(city" in cell.texts[0]
    assert cell.value.calls[0].content == "3 in New York"
    assert (
        notebook.run('%%tool --try ""\ndef now() -> int:\n    return 7\n').value.calls[0].content
        == "7"
    )


def test_a_try_that_fails_fails_the_cell_and_the_tool_is_there(notebook: Notebook) -> None:
    cell = notebook.run("%%tool --try ''\ndef broken() -> int:\n    return 1 / 0\n")
    assert isinstance(cell.error, ToolFailedError)
    assert "broken" in toolbox


@pytest.mark.parametrize(
    ("end", "is_shown"), [("40 + 2", True), ("40 + 2;", False), ("40 + 2;  # hidden", False)]
)
def test_a_semicolon_hides_the_value_of_the_last_expression(
    notebook: Notebook, end: str, *, is_shown: bool
) -> None:
    cell = notebook.run(f"%%tool\n{ONE}done = True\n{end}\n")
    assert cell.error is None
    assert ("42" in cell.stdout) is is_shown
    assert notebook["done"] is True


def test_the_card_says_the_options_in_words(notebook: Notebook) -> None:
    line = "--title Weather --ask --read-only --open-world --timeout 9 --retries 2 --private"
    (made,) = notebook.run(f"%%tool {line} --thread\n{ONE}").bundles
    assert "asks you first, private" in made["text/plain"]
    text = f"{notebook.run('%tool weather').texts[0]}"
    for said in (
        "People see it as “Weather”.",
        "It runs on a worker thread.",
        "You must confirm each call.",
        "It changes nothing.",
        "It reaches out of this notebook.",
        "It may take 9 s.",
        "A call that failed may be tried again 2 times in a run.",
        "It is private: `all` leaves it out",
    ):
        assert said in text


def test_a_tool_that_all_leaves_out_is_used_where_it_is_named(notebook: Notebook) -> None:
    notebook.run(f"%%tool --private\n{ONE}")
    used: dict[str, Any] = {}
    for spec in ("all", "weather"):
        used[spec] = notebook.run(f"%agent -t {spec} hello").value.events[0].tools
    assert used == {"all": (), "weather": ("weather",)}
