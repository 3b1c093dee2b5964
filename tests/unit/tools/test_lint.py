"""What in a tool may mislead a model is found, said once, and with what to do about it."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import pytest
from pydantic import BaseModel, Field

import nbagents as nba
from benchmarks.everyday import domains
from nbagents.tools.lint import hint_of
from nbagents.tools.tool import toolset_of
from tests.thinning import thinned

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted([*ROOT.glob("docs/*.md"), *ROOT.glob("notebooks/*.ipynb"), ROOT / "README.md"])


def rules(*tools: Any) -> list[tuple[str, str | None]]:
    return [(one.rule, one.parameter) for one in nba.lint(*tools)]


NAMES: dict[str, Any] = {}
exec("def func1(x):\n    return x", NAMES)  # what people write, and no checker takes
func1: Any = NAMES["func1"]


def data(n: int) -> int:
    """Count to a number."""
    return n


def do_it() -> str:
    """Tidy up the desk."""
    return "done"


def wait_for(duration: float, speed: int = 3, height: float | None = None) -> str:
    """Wait."""
    return "done"


def wait_long(
    duration: float, speed_kmh: int, height: Annotated[float, Field(description="In m.")]
):
    """Wait; duration in seconds."""


def described_wrongly(to: str, limit: int = 5, name: str = "Oslo") -> str:
    """Describe something.

    Args:
        too: Whom it is for.
        limit (str): How many. Defaults to 10.
        name: The place; by default "Oslo".
    """
    return to


def numpy_style(limit: int = 5) -> int:
    """Describe something.

    Parameters
    ----------
    limit : int
        How many, 5 by default.
    """
    return limit


def take(data: str, x: str, opts: list[Any], shape: dict[str, Any], n: int, k: float) -> str:
    """Take what there is."""
    return data


def take_well(data: list[str], mode: Literal["r", "w"], number: int) -> str:
    """Take `data` in one mode or the other."""
    return ""


class Row(TypedDict):
    name: str


def take_rows(rows: list[Row], fields: dict[str, int]) -> str:
    """Take rows."""
    return ""


def with_object(name: str, board: object = object()) -> str:
    """Put a name on a board."""
    return name


def test_what_says_nothing_is_found() -> None:
    assert rules(func1) == [("no-docstring", None), ("vague-name", None), ("no-type", "x")]
    assert rules(data) == rules(do_it) == [("vague-name", None)]


@pytest.mark.parametrize(
    "name", ["foo", "func1", "f", "data", "do_it", "getData", "my_tool", "run", "test2", "x"]
)
def test_names_that_say_nothing(name: str) -> None:
    assert ("vague-name", None) in rules(nba.Tool(data, nba.ToolOptions(name=name)))


@pytest.mark.parametrize(
    "name", ["find_place", "get_weather", "run_query_plan", "double", "data_of_city", "testify"]
)
def test_names_that_say_something(name: str) -> None:
    assert rules(nba.Tool(data, nba.ToolOptions(name=name))) == []


def test_numbers_without_a_unit_are_found() -> None:
    found = rules(wait_for)
    assert found == [("no-unit", "duration"), ("no-unit", "speed"), ("no-unit", "height")]
    assert rules(wait_long) == []


def test_a_docstring_that_contradicts_is_found() -> None:
    found = {(one.rule, one.parameter): one for one in nba.lint(described_wrongly)}
    assert set(found) == {
        ("unknown-parameter", "too"),
        ("wrong-type", "limit"),
        ("wrong-default", "limit"),
    }
    assert "Did you mean 'to'?" in found["unknown-parameter", "too"].what
    assert "limit is 10 by default; it is 5" in found["wrong-default", "limit"].what
    assert rules(numpy_style) == []
    silent = nba.Tool(described_wrongly, nba.ToolOptions(use_docstring=False, description="Well."))
    assert rules(silent) == []


def test_parameters_of_which_nothing_is_said_are_found() -> None:
    assert rules(take) == [
        ("no-description", "data"),
        ("no-description", "x"),
        ("no-description", "opts"),
        ("no-shape", "shape"),
    ]
    assert rules(take_well) == rules(take_rows) == []


def test_a_default_of_which_a_model_is_not_told_is_found() -> None:
    assert rules(with_object) == [("default-not-json", "board")]


def test_tools_that_a_model_cannot_tell_apart_are_found() -> None:
    def find(name: str) -> str:
        """Find the place."""
        return name

    def look_up(name: str) -> str:
        """Find places."""
        return name

    def find_near(name: str, radius_km: float) -> str:
        """Find the place."""
        return name

    assert rules(find, look_up, find_near) == [("alike", None)]
    said = str(nba.lint(find, look_up))
    assert said.startswith("look_up: A model cannot tell it from find: both are described alike.")
    assert rules(toolset_of("a", [find]), toolset_of("b", [find])) == []


def test_a_schema_that_is_too_large_is_found() -> None:
    class Form(BaseModel):
        number: Annotated[int, Field(description="One of many. " * 800)]

    def fill(form: Form) -> str:
        """Fill a form."""
        return ""

    def tell(name: str) -> str:
        return name

    tell.__doc__ = "Tell a story. " * 300
    assert rules(fill) == rules(tell) == [("large", None)]


def test_tools_of_others_are_looked_through_as_far_as_they_go() -> None:
    parameters: dict[str, Any] = {
        "type": "object",
        "properties": {"delay": {"type": "number"}, "payload": {}, "city": {"type": "string"}},
    }

    def handler(arguments: dict[str, Any]) -> str:
        return "ok"

    made = nba.Tool.from_schema("weather", "", parameters, handler)
    assert rules(made) == [
        ("no-docstring", None),
        ("no-unit", "delay"),
        ("no-description", "payload"),
    ]
    assert rules(nba.WebSearch()) == []


def test_a_tool_lints_itself_and_findings_are_text_and_false_if_there_are_none() -> None:
    tool = nba.Tool(do_it)
    assert list(tool.lint()) == list(nba.lint(do_it))
    assert str(nba.lint(numpy_style)) == "Nothing to mend."
    assert not nba.lint(numpy_style)
    finding = nba.lint(do_it)[0]
    assert str(finding) == f"do_it: {finding.what}\n    {finding.remedy} [vague-name]"


def test_a_hint_is_one_line_about_what_lacks_most() -> None:
    assert hint_of(nba.Tool(func1).linted) == (
        "'func1' has no docstring, a name that says nothing and no type for 'x': "
        "a model goes by its name alone."
    )
    assert hint_of(nba.Tool(wait_for).linted) is None


def test_no_false_alarm_on_what_users_wrote() -> None:
    """96 functions that were written as users write, with docstrings."""
    modules = [one.name for one in pkgutil.iter_modules(domains.__path__)]
    found = [importlib.import_module(f"{domains.__name__}.{name}") for name in modules]
    sets = [toolset_of(one.__name__.rpartition(".")[2], one) for one in found]
    assert sum(len(one.tools()) for one in sets) > 90
    assert [str(one) for each in sets for one in nba.lint(each)] == []


PARTS = 4
"""`make test` looks at a quarter of the pages, and `make test-all` at all."""


@pytest.mark.medium
@pytest.mark.parametrize("part", thinned(range(PARTS), one_in=PARTS))
def test_no_false_alarm_on_our_own_pages_and_notebooks(tmp_path: Path, part: int) -> None:
    pages = PAGES[part::PARTS]
    done = subprocess.run(
        [sys.executable, "-m", "tests.unit.tools.lint_corpus", *map(str, pages)],
        cwd=ROOT,
        env={**os.environ, "NBAGENTS_MODEL": "offline", "NBAGENTS_STATE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    counts = [one for one in lines if one.endswith(" tools")]
    assert [one.split(": ")[0] for one in counts] == [one.name for one in pages]
    found = [one for one in lines if one not in counts and one.split()[0] not in SHOWN]
    assert found == []


SHOWN = {"func1"}
"""Tools that docs/testing.md shows for what is found in them."""
