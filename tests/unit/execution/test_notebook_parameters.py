"""Parameters: a value as a person writes it, in the type that the notebook declares."""

from __future__ import annotations

import ast
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbagents.execution import ParameterError, read_assignment, with_parameters
from nbagents.execution.parameters import read_value
from tests.unit.execution.written import cell, node_of, notebook

LITERALS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def with_values(*given_: str, declared: str = "", tags: tuple[str, ...] = ("parameters",)) -> Any:
    made = node_of(notebook(cell("import os"), cell(declared, *tags), cell("rest")))
    notes = with_parameters(made, [read_assignment(one) for one in given_])
    return made, notes


def values_of(made: Any) -> dict[str, object]:
    """What the cell that was put in assigns."""
    (one,) = (c for c in made.cells if "injected-parameters" in c.metadata.get("tags", []))
    assigned: list[Any] = ast.parse(one.source).body
    return {one.targets[0].id: ast.literal_eval(one.value) for one in assigned}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3", 3),
        ("0.5", 0.5),
        ("1e3", 1000.0),
        ("true", True),
        ("True", True),
        ("null", None),
        ("None", None),
        ("Oslo", "Oslo"),
        ('"007"', "007"),
        ("007", "007"),
        ("[1, 2]", [1, 2]),
        ("{'a': (1, 2)}", {"a": (1, 2)}),
        ("NaN", "NaN"),
        ("a=b", "a=b"),
        ("", ""),
    ],
)
def test_a_value_is_json_or_python_or_a_text(written: str, value: object) -> None:
    found = read_value(written)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.medium
@given(LITERALS)
def test_what_python_writes_is_read_back(value: object) -> None:
    assert read_value(repr(value)) == value


@pytest.mark.parametrize(
    ("declared", "written", "value"),
    [
        ("name = 'x'", "5", "5"),
        ("name: str = None", "true", "true"),
        ("name = 'x'", '"quoted"', "quoted"),
        ("name = 0.5", "2", 2.0),
        ("name: float", "2", 2.0),
        ("name = 1", "2", 2),
        ("name = 1", "none", None),
        ("name = True", "false", False),
        ("name = None", "2", 2),
        ("name = compute()", "2", 2),
        ("not python (", "2", 2),
    ],
)
def test_a_value_gets_the_type_that_is_declared(declared: str, written: str, value: object) -> None:
    if written == "none":
        written = "None"
    made, _ = with_values(f"name={written}", declared=declared)
    found = values_of(made)["name"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("declared", "written"),
    [("name = 1", "2.5"), ("name = 1", "many"), ("name = True", "2"), ("name = []", "{}")],
)
def test_a_value_that_does_not_fit_is_refused(declared: str, written: str) -> None:
    with pytest.raises(ParameterError, match="name is of type"):
        with_values(f"name={written}", declared=declared)


def test_the_cell_stands_below_the_one_that_declares_and_is_replaced_by_the_next() -> None:
    made, notes = with_values("a=1", declared="a = 0")
    assert [one.source for one in made.cells] == [
        "import os",
        "a = 0",
        "# Parameters\na = 1",
        "rest",
    ]
    assert notes == []
    with_parameters(made, [("a", "2"), ("a", "3")])
    assert values_of(made) == {"a": 3}
    assert len(made.cells) == 4


def test_without_a_declaration_it_stands_first_and_that_is_said() -> None:
    made, (note,) = with_values("a=1", tags=())
    assert made.cells[0].source == "# Parameters\na = 1"
    assert "no cell tagged `parameters`" in note


def test_without_values_nothing_is_put_in() -> None:
    made, notes = with_values(declared="a = 0")
    assert (len(made.cells), notes) == (3, [])


@pytest.mark.parametrize("written", ["a", "1=2", "a b=3", "class=1", "=1", "a.b=1"])
def test_what_names_no_parameter_is_refused(written: str) -> None:
    with pytest.raises(ParameterError, match="name=value"):
        read_assignment(written)


def test_what_no_cell_can_hold_stays_a_text() -> None:
    assert read_value("Infinity") == "Infinity"
    assert not math.isinf(float(str(read_value("1e300"))))
