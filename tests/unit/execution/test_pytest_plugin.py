"""`pytest --nbagents`: each notebook a test, beside nbval, and nothing where nobody asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.unit.execution.written import call, cell, shown_run, written

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.medium
pytest_plugins = ["pytester"]

PLAIN = ("-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:xdist")
LOADED = """
import sys

def pytest_sessionfinish():
    print("loaded:", sorted({"nbagents.execution", "nbclient", "pydantic"} & set(sys.modules)))
"""


def ids(pytester: pytest.Pytester, *options: str) -> Sequence[str]:
    """What is collected, by its ids."""
    done = pytester.runpytest_subprocess(*PLAIN, "--collect-only", "-q", *options)
    return [line for line in done.outlines if "::" in line]


@pytest.fixture
def folder(pytester: pytest.Pytester) -> pytest.Pytester:
    written(pytester.path / "good.ipynb", cell("x = 1"), cell("assert x"))
    saved = shown_run(call("c1", "find", {"name": "Oslo"}))
    written(pytester.path / "bad.ipynb", cell("x = 1", outputs=[saved]), cell("x.nothing"))
    return pytester


def test_notebooks_are_collected_by_whom_they_are_asked_of(folder: pytest.Pytester) -> None:
    assert ids(folder, "--nbagents", "-p", "no:nbval") == [
        "bad.ipynb::nbagents",
        "good.ipynb::nbagents",
    ]
    assert [one.split("::")[1] for one in ids(folder, "--nbval")] == ["Cell 0", "Cell 1"] * 2
    assert len(ids(folder, "--nbval", "--nbagents")) == 6


def test_what_is_not_asked_for_loads_nothing(folder: pytest.Pytester) -> None:
    folder.makeconftest(LOADED)
    folder.makepyfile("def test_it(): pass")
    done = folder.runpytest_subprocess(*PLAIN)
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["*loaded: []*"])


def test_a_failure_is_a_reason_and_a_diff(folder: pytest.Pytester) -> None:
    done = folder.runpytest_subprocess(*PLAIN, "--nbagents")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(
        [
            "In [[]2[]] 'x.nothing': AttributeError: *",
            "In [[]1[]] 'x = 1': its calls are not those that are saved",
            "-run of agent",
            '-  find(name="Oslo")',
            "FAILED bad.ipynb::nbagents*",
        ]
    )
    done.stdout.no_fnmatch_line("*pytest_plugin.py*")
