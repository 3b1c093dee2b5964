"""Measures in a real browser and prints a table: `python -m benchmarks.browser [NAME …]`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from benchmarks.browser.opening import measure_notebooks, measure_widgets
from benchmarks.browser.place import chromium_open, lab_open
from benchmarks.browser.streams import measure_clicks, measure_commands, measure_events
from benchmarks.browser.tables import measure_wide_table
from benchmarks.browser.views import measure_long_run
from benchmarks.measure import table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from playwright.sync_api import Browser

    from benchmarks.browser.place import Lab

BARS: Mapping[str, Mapping[str, float]] = {
    "events": {
        "last drawn after ms, flood below the limit": 100,
        "kernel CPU, flood below the limit": 2,
        "kernel CPU, flood above the limit": 2,
    },
    "clicks": {"median ms": 30},
    "commands": {"median ms": 15},
    "long run": {
        "opened ms": 200,
        "unfolded ms": 200,
        "scripting a frame while rows are drawn, p95 ms": 8,
        "scripting a frame, all rows drawn, p95 ms": 8,
        "a key in the filter, median ms": 16,
        "a key in the filter, most ms": 16,
    },
    "wide table": {"scripting a frame, p95 ms": 8},
    "widgets": {"table ms": 300, "first chart ms": 400, "next chart ms": 50},
    "notebooks": {
        "50 runs / plain text, from the address": 1.3,
        "50 runs / plain text, in an open JupyterLab": 1.3,
    },
}
IN_LAB: Mapping[str, Callable[[Lab], dict[str, float]]] = {
    "events": measure_events,
    "clicks": measure_clicks,
    "commands": measure_commands,
    "widgets": measure_widgets,
    "notebooks": measure_notebooks,
}
ON_PAGE: Mapping[str, Callable[[Browser], dict[str, float]]] = {
    "long run": measure_long_run,
    "wide table": measure_wide_table,
}


def main(names: list[str]) -> int:
    """Measure what is named, or everything; 1 where a bar is missed."""
    wanted = names or [*ON_PAGE, *IN_LAB]
    found: dict[str, dict[str, float]] = {}
    with chromium_open() as browser:
        for name in wanted:
            if name in ON_PAGE:
                found[name] = ON_PAGE[name](browser)
        if any(name in IN_LAB for name in wanted):
            with lab_open(browser) as lab:
                for name in wanted:
                    if name in IN_LAB:
                        found[name] = IN_LAB[name](lab)
    return report(found)


def report(found: Mapping[str, Mapping[str, float]]) -> int:
    """Print what was found beside the bars."""
    missed = False
    rows: list[list[str]] = []
    for name, values in found.items():
        for what, value in values.items():
            bar = BARS[name].get(what)
            holds = bar is None or value <= bar
            missed = missed or not holds
            verdict = "" if bar is None else f"≤ {bar:g} {'holds' if holds else 'MISSED'}"
            rows.append([name, what, f"{value:.2f}", verdict])
    print(table("In a real browser", ["", "", "value", "bar"], rows), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
