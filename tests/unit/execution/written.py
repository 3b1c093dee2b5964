"""Notebooks that tests write: cells of code, some with tags, and runs as outputs hold them."""

from __future__ import annotations

import importlib
import json
from typing import TYPE_CHECKING, Any

from nbagents.runs.files import RUN_MIME

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# Any in this file: what a notebook holds.


class Silent:
    """Is told of cells, and keeps what they are called."""

    def __init__(self) -> None:
        self.labels: list[str] = []

    def began(self, label: str, cell: object) -> None:
        self.labels.append(label)

    def ended(self, label: str, cell: object, seconds: float) -> None:
        pass


def cell(source: str, *tags: str, outputs: Sequence[Any] = ()) -> Any:
    """A cell of code."""
    return {
        "cell_type": "code",
        "id": "",
        "metadata": {"tags": list(tags)} if tags else {},
        "source": source,
        "execution_count": None,
        "outputs": list(outputs),
    }


def shown_run(*calls: Any, run_id: str = "run-1", **fields: Any) -> Any:
    """An output that shows a run with such calls."""
    node = {"id": run_id, "agent_name": "agent", "status": "completed", **fields}
    node["items"] = [{"type": "call", "call_id": one["id"]} for one in calls]
    node["calls"] = {one["id"]: one for one in sorted(calls, key=lambda one: one["id"])}
    saved: Any = {"version": 1, "root_id": run_id, "tree": {"runs": {run_id: node}}, "cuts": []}
    return {"output_type": "display_data", "metadata": {}, "data": {RUN_MIME: saved}}


def call(call_id: str, name: str, arguments: Any = None, **fields: Any) -> Any:
    """A call as a saved run has it."""
    return {
        "id": call_id,
        "name": name,
        "arguments": arguments or {},
        "status": "done",
        "child_run_ids": [],
        **fields,
    }


def notebook(*cells: Any, **metadata: Any) -> dict[str, Any]:
    """A notebook as a file holds it."""
    for place, one in enumerate(cells):
        one["id"] = f"cell-{place}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {
        "cells": list(cells),
        "metadata": {"kernelspec": kernel, **metadata},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def written(path: Path, *cells: Any, **metadata: Any) -> Path:
    """Write a notebook."""
    path.write_text(json.dumps(notebook(*cells, **metadata)), encoding="utf-8")
    return path


def node_of(content: object) -> Any:
    """What a file holds, as nbformat has it."""
    return importlib.import_module("nbformat").from_dict(content)
