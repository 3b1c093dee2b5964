"""The rows of the function-calling data: definitions, gold calls and mutations, as they lie there.

Derived from the Berkeley Function-Calling Leaderboard, data v4 (Apache-2.0). Another folder of the
same form is named by `NBAGENTS_BFCL`, or lies as `bfcl` in that of `NBAGENTS_DATA`.
"""

from __future__ import annotations

import functools
import json
import os
import re
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.conformance import shared_data

__all__ = [
    "CALL_ROWS",
    "FOLDER",
    "VARIABLE",
    "Row",
    "definitions",
    "definitions_of",
    "faults",
    "needs_data",
    "rows",
]

Row: TypeAlias = dict[str, Any]  # Any: JSON as it lies there

VARIABLE = "NBAGENTS_BFCL"
FOLDER = Path(os.environ.get(VARIABLE) or shared_data.FOLDER / "bfcl")
OTHER_LANGUAGES = ("simple_java", "simple_javascript")
"""Categories whose values are source text: their definitions count, their calls do not."""

needs_data = pytest.mark.skipif(
    not (FOLDER / "functions.jsonl").is_file(),
    reason=f"the conformance data is not there: set {VARIABLE} to its folder (looked in {FOLDER})",
)


@functools.cache
def rows(name: str) -> tuple[Row, ...]:
    """The rows of one file; none where the data is not there."""
    path = FOLDER / f"{name}.jsonl"
    if not path.is_file():
        return ()
    return tuple(json.loads(line) for line in path.read_text("utf-8").splitlines() if line)


@functools.cache
def definitions() -> dict[str, Row]:
    """All definitions, by id."""
    return {row["id"]: row for row in rows("functions")}


def definitions_of(row: Row) -> list[Row]:
    """What a row offers."""
    return [definitions()[one] for one in row["functions"]]


def faults(row: Row, at: int) -> list[list[str]]:
    """The paths at which a gold call does not fit, each a fault of the data.

    Marked are those that break the call's own schema. A parameter that the definition does not
    have is none to JSON Schema, but we refuse it as we do in every call (`unknown_param`).
    """
    marked = [_path(one) for one in row.get("gold_schema_errors", ()) if one["call"] == at]
    call = row["calls"][at]
    (definition,) = [one for one in definitions_of(row) if one["name"] == call["name"]]
    unknown = [
        [one] for one in call["arguments"] if one not in definition["parameters"]["properties"]
    ]
    return marked + unknown


def _path(fault: Row) -> list[str]:
    missing = re.match(r"'(.+)' is a required property", fault["msg"])
    return [
        part for part in (*fault["path"].split("/"), *(missing.groups() if missing else ())) if part
    ]


CALL_ROWS = tuple(
    row for row in rows("single_turn") if row["calls"] and row["category"] not in OTHER_LANGUAGES
)
"""The rows whose calls count."""
