"""What states look like, as it is committed: written anew by one command, compared in words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

__all__ = ["BOXES", "COLOURS", "box_differences", "colour_differences", "kept", "write"]

HERE = Path(__file__).parent
BOXES = HERE / "boxes.json"
"""By state and width: where everything stands."""
COLOURS = HERE / "colours.json"
"""By theme and name of element: the colours that it has."""
NEAR_PX = 2
"""Fonts are the same everywhere; how a browser rounds is not."""
SAID = 4
"""So many differences of a state are said in full; the rest mostly follows from them."""


def kept(path: Path) -> dict[str, dict[str, Any]]:
    """What is committed (Any: JSON)."""
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, found: Mapping[str, object]) -> None:
    """Commit what was found."""
    text = json.dumps(found, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def box_differences(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What stands elsewhere, is new, or is gone, in one state.

    Args:
        was: What is committed.
        now: What the page shows.
    """
    found = [*compared(was, now)]
    more = [f"… and {len(found) - SAID} more"] if len(found) > SAID else []
    return found[:SAID] + more


def compared(was: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Each difference; from above to below, as it is seen."""
    for name, box in was.items():
        if name not in now:
            yield f"{name}: was at {box}, is gone"
        elif not near(box, now[name]):
            yield f"{name}: was at {box}, is at {now[name]}"
    yield from (f"{name}: is new, at {box}" for name, box in now.items() if name not in was)


def near(one: str, other: str) -> bool:
    """Whether two boxes are the same, but for how numbers are rounded."""
    numbers, others = (list(map(int, re.findall(r"-?\d+", box))) for box in (one, other))
    pairs = zip(numbers, others, strict=False)
    return len(numbers) == len(others) and all(abs(a - b) <= NEAR_PX for a, b in pairs)


def colour_differences(
    was: Mapping[str, Collection[str]], now: Mapping[str, Collection[str]], seen: Mapping[str, str]
) -> list[str]:
    """What has other colours.

    Args:
        was: What is committed, of one theme.
        now: What the page shows.
        seen: By element and colours, the first state that has them.
    """
    found: list[str] = []
    for name in sorted({*was, *now}):
        old, new = set(was.get(name, ())), set(now.get(name, ()))
        found += [f"{name}: no longer {one}" for one in sorted(old - new)]
        found += [
            f"{name}: now also {one}, in {seen[f'{name} {one}']}" for one in sorted(new - old)
        ]
    return found
