"""What somebody may write to get a page to do something: `tests/fixtures/xss.json`, by class.

Each vector calls `xss()`, or makes the page fetch from `evil.example`; some only do so after a
click. They are written by hand from the known classes of such tricks.
"""

from __future__ import annotations

import json
from pathlib import Path

__all__ = ["CLASSES", "VECTORS", "numbered"]

FIXTURE = Path(__file__).parent / "fixtures" / "xss.json"

CLASSES: dict[str, list[str]] = json.loads(FIXTURE.read_text(encoding="utf-8"))
VECTORS: list[str] = [vector for vectors in CLASSES.values() for vector in vectors]


def numbered(vector: str, number: int) -> str:
    """The vector, saying which one it is when it runs; those that are encoded cannot."""
    return vector.replace("xss()", f"xss({number})")
