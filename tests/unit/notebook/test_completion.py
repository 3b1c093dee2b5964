"""Tab in the lines of our magics offers options and what their values can be."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter

from nbagents.notebook.extension import unload
from nbagents.runs.state.session import Session, open_log, use_session
from tests.unit.notebook.conftest import Notebook

SETUP = """
import math
from nbagents import Agent
guide = Agent(model='gpt-mine')
sales, style = [1, 2], 'Be brief.'
class Answer: ...
def helper(): 'Help.'
"""
WEATHER = """%%tool
def weather(city: str, days: int = 1) -> str:
    "Look up the weather in a city."
    return city
"""


@pytest.fixture
def typed(notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Notebook:
    use_session(Session(open_log("memory")))
    monkeypatch.chdir(tmp_path)
    for name in ("notes.txt", "two words.txt", "tools.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner.py").write_text("")
    for source in (SETUP, WEATHER, "%agent -c trip hello"):
        assert notebook.run(source).error is None
    return notebook


def offered(notebook: Notebook, code: str, *, at: int | None = None) -> list[str]:
    """What a kernel's `complete_request` offers."""
    shell: Any = notebook.shell
    with provisionalcompleter():
        found = list(shell.Completer.completions(code, len(code) if at is None else at))
    return [one.text for one in found]


SUBJECTS = ["status", "doctor", "config", "runs", "show", "usage", "approvals", "reset"]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("%agent --mo", ["--model"]),
        ("%agent --max", ["--max-steps", "--max-calls", "--max-tokens", "--max-cost"]),
        ("%%agent --no", ["--no-raise"]),
        ("run = %agent --dr", ["--dry-run"]),
        ("%agent -m off", ["offline"]),
        ("%agent --model=resp", ["responses:gpt-6-luna"]),
        ("%agent -m gpt-m", ["gpt-mine"]),
        ("run = %agent -t ", ["all", "none", "weather", "helper"]),
        ("%agent -t weather,he", ["helper"]),
        ('%agent -t "weather, he', ["helper"]),
        ("%agent -t weather -a ", ["guide"]),
        ("%agent -s @s", ["@style"]),
        ("%agent -c ", ["trip"]),
        ("%agent -v sa", ["sales"]),
        ("%agent -o sa", ["sales"]),
        ("%agent --as An", ["Answer"]),
        ("%agent --attach no", ["notes.txt"]),
        ('%agent --attach "two', ["two words.txt"]),
        ("%agent --attach folder/", ["folder/inner.py"]),
        ("%agent -k temp", ["temperature="]),
        ("%agent -d st", ["static"]),
        ("%agent --open ", ["errors", "all", "none", "data"]),
        ("for x in y:\n    %agent -c ", ["trip"]),
        ("%time %agent -m off", ["offline"]),
        ("%%time\n%agent -m off", ["offline"]),
        ("%agent -m offline \\\n    -t wea", ["weather"]),
        ("%tool wea", ["weather"]),
        ("%tool weather ", ["city=", "days="]),
        ("%tool weather city=Oslo d", ["days="]),
        ("%tool --schema w", ["weather"]),
        ("%tool --rm ", ["weather"]),
        ("%tool --add hel", ["helper"]),
        ("%tool --from too", ["tools.py"]),
        ("%tool --from nbagents.mod", ["nbagents.models"]),
        ("%tool --from nbagents.models.scr", ["nbagents.models.scripted"]),
        ("%tool --fr", ["--from"]),
        ("%%tool --re", ["--read-only", "--resumable", "--retries", "--replace"]),
        ("%nbagents ", SUBJECTS),
        ("%nbagents re", ["reset"]),
        ("%nbagents reset ", ["trip"]),
        ("%nbagents runs 5 -", ["--all", "--tool", "--status", "--words", "--cost"]),
        ("%nbagents runs --status f", ["failed"]),
    ],
)
def test_a_tab_offers_what_may_stand_there(typed: Notebook, code: str, found: list[str]) -> None:
    assert [one for one in offered(typed, code) if one != "tools"] == found


def test_a_line_by_itself_is_completed_too(typed: Notebook) -> None:
    line = "run = %agent -t wea"
    with pytest.warns(PendingDeprecationWarning):
        assert typed.shell.complete("", line, len(line)) == ("wea", ["weather"])


@pytest.mark.medium
def test_before_the_prompt_all_options_are_offered_and_in_it_none(typed: Notebook) -> None:
    assert "--model" in offered(typed, "%agent ")
    assert "-m" in offered(typed, "%agent -m offline ")
    for code in ("%agent hello --mo", "%agent -t weather hello -m off", "%agent -- -m off"):
        assert not {"--model", "offline"} & set(offered(typed, code))


@pytest.mark.parametrize(
    "code", ["'%agent -m off", "%%agent\n-m off", "%%time\n'%agent -m off", "f(%agent -m off"]
)
def test_where_no_line_of_ours_is_nothing_of_ours_is_offered(typed: Notebook, code: str) -> None:
    assert "offline" not in offered(typed, code)


def test_ipython_completes_the_rest_as_before(typed: Notebook) -> None:
    assert "isqrt" in str(offered(typed, "math.isq"))
    assert "%agent" in offered(typed, "%age")
    assert "NbAgents.max_steps" in offered(typed, "%config NbAgents.max_s")


def test_the_functions_of_the_cell_below_are_offered(typed: Notebook) -> None:
    code = "%%tool --ask al\ndef alpha(): ...\nasync def also(): ...\ndef beta(): ...\n"
    assert offered(typed, code, at=len("%%tool --ask al")) == ["alpha", "also"]


def test_runs_are_offered_newest_first(typed: Notebook) -> None:
    typed.run("first = %agent hello")
    typed.run("second = %agent hello again")
    assert offered(typed, "%nbagents show ")[:2] == [typed["second"].id, typed["first"].id]


def test_a_variable_is_offered_where_a_tool_takes_an_object(typed: Notebook) -> None:
    typed.run("class Ledger: ...\nbooks = Ledger()")
    typed.run("%%tool\ndef total(data: Ledger) -> int:\n    'Sum.'\n    return 1\n")
    assert offered(typed, "%tool total data=bo") == ["books"]


def test_members_of_toolsets_and_their_group_are_offered(typed: Notebook) -> None:
    typed.run("import nbagents\n%tool --add \"nbagents.toolset_of('city', [helper])\"")
    assert offered(typed, "%agent -t ci") == ["city--helper", "city"]
    assert offered(typed, "%%tool --toolset ") == ["city"]


@pytest.mark.parametrize(
    "code", ["%tool nothing cit", "%nbagents nothing tri", "%agent -n --mo", "%agent --attach no/t"]
)
def test_where_nothing_is_known_nothing_of_ours_is_offered(typed: Notebook, code: str) -> None:
    assert not {"city=", "--model", "trip", "notes.txt"} & set(offered(typed, code))


def test_a_module_that_is_no_package_has_nothing_below_it(
    typed: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "handmade", ModuleType("handmade"))
    for code in ("%tool --from handmade.x", "%tool --from json.decoder.x"):
        assert not [one for one in offered(typed, code) if one.startswith(("handmade", "json"))]


def test_unloading_takes_the_completions_back(typed: Notebook) -> None:
    unload(typed.shell)
    assert "offline" not in offered(typed, "%agent -m off")
    assert typed.shell.Completer.custom_matchers == []
