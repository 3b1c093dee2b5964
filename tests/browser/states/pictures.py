"""The pictures of the docs: each of a state, or of a JupyterLab that a browser test has open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["DOCS", "IMAGES", "LAB", "MOST_BYTES", "OF_STATES", "FromLab", "named_by_docs", "names"]

ROOT = Path(__file__).resolve().parents[3]
IMAGES = ROOT / "docs" / "images"
DOCS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
MOST_BYTES = 150_000
SHADES = ("light", "dark")


@dataclass(frozen=True)
class FromLab:
    """A picture that a browser test takes of JupyterLab.

    Args:
        shot: Its name in build/screenshots.
        test: The test that takes it.
    """

    shot: str
    test: str


OF_STATES = {
    "states": "ten-states",
    "run-opened": "what-the-model-saw",
    "table": "table",
    "chart": "chart",
    "map": "map",
    "renderers": "other-forms",
}
"""By name of the picture: the state that it shows."""

LAB = {
    "run": FromLab("tour-run", "test_tour.py"),
    "people": FromLab("people-8-nested", "test_people.py"),
    "background-waiting": FromLab("background-1-waiting", "test_background_runs.py"),
    "saved": FromLab("saved-trusted", "test_saved_notebooks.py"),
    "catalogue": FromLab("catalogue", "test_catalogue_table.py"),
    "pool": FromLab("pool", "test_catalogue_table.py"),
}


def names() -> set[str]:
    """The files that can be made: those of them that the docs name are."""
    return {f"{name}-{shade}.png" for name in (*OF_STATES, *LAB) for shade in SHADES}


def named_by_docs() -> set[str]:
    """The files that README and docs show or link to."""
    texts = (page.read_text(encoding="utf-8") for page in DOCS)
    return {name for text in texts for name in re.findall(r"images/([\w-]+\.png)", text)}
