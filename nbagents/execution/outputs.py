"""What a cell gave, as text that is compared: all of it but ids of displays and counts."""

from __future__ import annotations

import json
from typing import Any, Final

from nbagents.execution.sequence import changes

MOST_LINES: Final = 40
SHOWN_ALIKE: Final = "text/plain"


def changed_outputs(before: Any, now: Any) -> str:
    """What has changed in the outputs of a cell; nothing where they are the same.

    Args:
        before: A cell as it was saved (Any: nbformat's).
        now: The same cell, run again.
    """
    was, is_now = ([_comparable(one) for one in cell.outputs] for cell in (before, now))
    if was == is_now:
        return ""
    brief = changes(_lines(was), _lines(is_now)).splitlines()
    kinds = sorted({kind for one in zip(was, is_now, strict=False) for kind in _differing(*one)})
    said = f"What differs: {', '.join(kinds) or 'the number of outputs'}."
    cut = [f"… {len(brief) - MOST_LINES} more lines"] if len(brief) > MOST_LINES else []
    return "\n".join([said, *brief[:MOST_LINES], *cut])


def _comparable(output: Any) -> dict[str, Any]:
    """An output without what changes each time, its texts in one piece."""
    kept = json.loads(json.dumps(output))
    kept.pop("execution_count", None)
    kept.pop("traceback", None)  # it names files of this machine
    return kept


def _lines(outputs: list[dict[str, Any]]) -> list[str]:
    """What people read of them."""
    lines: list[str] = []
    for output in outputs:
        data = output.get("data", {})
        text = output.get("text") or data.get(SHOWN_ALIKE) or output.get("evalue") or ""
        lines += str(text).splitlines()
    return lines


def _differing(was: dict[str, Any], is_now: dict[str, Any]) -> set[str]:
    """By what two outputs differ: types of their data, or fields."""
    if was.get("output_type") != is_now.get("output_type"):
        return {"the kind of an output"}
    fields = {name for name in {*was, *is_now} if was.get(name) != is_now.get(name)}
    if "data" not in fields:
        return fields
    before, after = was["data"], is_now["data"]
    types = {kind for kind in {*before, *after} if before.get(kind) != after.get(kind)}
    return (fields - {"data"}) | types
