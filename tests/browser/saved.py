"""A notebook as it is saved, with a run of every sort, and how its file comes about."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbformat.sign import NotebookNotary

if TYPE_CHECKING:
    from collections.abc import Mapping

RUN_MIME = "application/vnd.nbagents.run.v1+json"
WIDGET_MIME = "application/vnd.nbagents.widget.v1+json"
VIEW_MIME = "application/vnd.jupyter.widget-view+json"
ANSWER = "Lisbon is **there**, and Atlantis is nowhere."

CELLS: Mapping[str, str] = {
    "load": """
%load_ext nbagents
import nbagents as nba
from nbagents.models.scripted import call
maps = nba.map_tools()
""",
    "define": '''
%%tool
def find_place(name: str) -> dict[str, float]:
    """Find where a place is: its longitude and latitude.

    Args:
        name: Name of the place.
    """
    if name != "Lisbon":
        raise nba.ToolError(f"There is no place {name!r}.")
    return {"lon": -9.14, "lat": 38.71}
''',
    "run": f"""
model = nba.ScriptedModel([
    call("find_place", name="Lisbon"),
    call("mapAgent--setCenter", lon=-9.14, lat=38.71, zoom=5),
    call("find_place", name="Atlantis"),
    {ANSWER!r},
])
nba.Agent("guide", tools=[find_place, maps], model=model).run("Show me Lisbon and Atlantis.")
""",
    "large": """
def read_book() -> str:
    '''Read all of it.'''
    return "word " * 40_000
reader = nba.ScriptedModel([call("read_book"), "It is long."])
nba.Agent("reader", tools=[read_book], model=reader).run("Read the book.")
""",
    "map": "view = nba.MapView(lon=10.75, lat=59.91, zoom=4, title='Around Oslo')\nview",
}
AT = {name: index for index, name in enumerate(CELLS)}
"""Where each cell stands."""


def notebook_of(*sources: str) -> dict[str, Any]:
    """A notebook of code cells that were never run (Any: nbformat's JSON)."""
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
        "cells": [
            {
                "cell_type": "code",
                "id": f"cell-{index}",
                "metadata": {},
                "source": source.strip("\n"),
                "execution_count": None,
                "outputs": [],
            }
            for index, source in enumerate(sources)
        ],
    }


def write(path: Path, notebook: Mapping[str, Any]) -> Path:
    """Write a notebook that nbformat finds nothing wrong with."""
    nbformat.validate(dict(notebook), version=4)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def read(path: Path) -> dict[str, Any]:
    """Read a notebook that nbformat finds nothing wrong with."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    nbformat.validate(notebook, version=4)
    return notebook


def executed(folder: Path, name: str = "saved.ipynb") -> Path:
    """Write the notebook and run it with nobody watching, as a build does."""
    source = write(folder / name, notebook_of(*CELLS.values()))
    convert(source, "--to", "notebook", "--execute", "--inplace")
    read(source)
    return source


def convert(notebook: Path, *options: str) -> None:
    """Call nbconvert on a notebook, deterministically and without a key."""
    keyless = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    done = subprocess.run(
        [sys.executable, "-m", "nbconvert", str(notebook), *options],
        env={
            **keyless,
            "NBAGENTS_DETERMINISTIC": "1",
            "NBAGENTS_STATE_DIR": str(notebook.parent / "state"),
            "IPYTHONDIR": str(notebook.parent / "ipython"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def trust(path: Path, private: Path) -> None:
    """Sign a notebook, as `jupyter trust` does for the person whose folders these are."""
    (private / "data").mkdir(exist_ok=True)
    untyped: Any = nbformat  # it has no types
    notary: Any = NotebookNotary(data_dir=str(private / "data"))
    notary.sign(untyped.from_dict(read(path)))
    notary.store.close()


def outputs_of(notebook: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The bundles that a cell of ours displayed."""
    outputs: list[dict[str, Any]] = notebook["cells"][AT[name]]["outputs"]
    return [one["data"] for one in outputs if "data" in one]
