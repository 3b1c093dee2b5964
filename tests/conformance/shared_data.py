"""Where the data of the conformance suites lies, and how it is read.

A folder of the same form is named by `NBAGENTS_DATA`.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["FOLDER", "VARIABLE", "Row", "needs", "read_lines", "scorer"]

Row: TypeAlias = dict[str, Any]  # Any: JSON as it lies there

VARIABLE = "NBAGENTS_DATA"
FOLDER = Path(
    os.environ.get(VARIABLE) or Path(__file__).parents[2].parent / "shared" / "data"
).expanduser()


def needs(name: str) -> pytest.MarkDecorator:
    """What skips a test where a part of the data is not there, and says so."""
    return pytest.mark.skipif(
        not (FOLDER / name).exists(),
        reason=f"the conformance data is not there: set {VARIABLE} to its folder "
        f"(looked for {FOLDER / name})",
    )


@functools.cache
def read_lines(name: str) -> tuple[Row, ...]:
    """The rows of a file of JSON lines."""
    text = (FOLDER / name).read_text("utf-8")
    return tuple(json.loads(line) for line in text.split("\n") if line.strip())


@functools.cache
def scorer() -> ModuleType:
    """The data's own scorer: recall, completeness and nDCG."""
    path = FOLDER / "tool-catalog" / "score.py"
    spec = importlib.util.spec_from_file_location("tool_catalog_score", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
