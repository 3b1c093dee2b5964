"""The tables of `docs/reliability.md` say what the tests of this folder hold."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.errors import FailureKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reliability.md"
HERE = Path(__file__).parent
WORD = re.compile(r"`(\w+)`")

Row = dict[str, str]


def rows() -> Iterator[Row]:
    """The rows of all tables that name a test, by the names of their columns."""
    names: list[str] = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            names = []
        elif not names:
            names = cells
        elif names[-1] == "test" and not set(line) <= set("|-"):
            yield dict(zip(names, cells, strict=True))


ROWS = list(rows())


def claims_in(module: ModuleType) -> dict[str, Callable[..., object]]:
    return {
        name.removeprefix("test_"): found
        for name, found in vars(module).items()
        if name.startswith("test_") and callable(found)
    }


def cases_of(test: Any) -> set[str]:  # Any: a function with marks
    """The names of a test's parameters, as pytest shows them."""
    marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    return {one for mark in marks for one in mark.args[1] if isinstance(one, str)}


def held_by(row: Row) -> list[Callable[..., object]]:
    """The tests that a row names: one, or those that have its case."""
    file, _, name = row["test"].strip("`").partition("::")
    tests = claims_in(importlib.import_module(f"tests.faults.test_{file}"))
    return [test for own, test in tests.items() if own == name or name in cases_of(test)]


def test_the_page_has_its_tables() -> None:
    files = {row["test"].strip("`").partition("::")[0] for row in ROWS}
    written = {path.stem.removeprefix("test_") for path in HERE.glob("test_*.py")}
    assert files == written - {"reliability_table"}
    assert len(ROWS) > 70


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["test"].strip("`"))
def test_a_row_is_held_by_a_test_that_asserts_what_it_says(row: Row) -> None:
    tests = held_by(row)
    assert tests, f"there is no test {row['test']}"
    sources = "\n".join(map(inspect.getsource, tests))
    ends = [word for name in ("call", "run") for word in WORD.findall(row.get(name, ""))]
    assert ends
    missing = [end for end in ends if f'"{end}"' not in sources]
    assert missing == []


def test_the_kinds_of_failure_are_those_of_the_code() -> None:
    page = (PAGE.parent / "tools.md").read_text(encoding="utf-8")
    kinds = FailureKind.__args__  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]  a Literal has them
    assert [kind for kind in kinds if f"`{kind}`" not in page] == []  # pyright: ignore[reportUnknownVariableType]
