"""How large the built JavaScript is when it travels."""

from __future__ import annotations

import gzip
from pathlib import Path

__all__ = ["BARS_KB", "sizes_kb"]

STATIC = Path(__file__).parents[1] / "widgets" / "nbagents_widgets" / "static"
BARS_KB = {"map.js": 100, "run-view.js": 60}


def sizes_kb() -> dict[str, float]:
    """Each built module, gzipped, in kilobytes of 1000 bytes."""
    built = sorted(STATIC.glob("*.js"))
    return {path.name: len(gzip.compress(path.read_bytes(), 9)) / 1000 for path in built}
