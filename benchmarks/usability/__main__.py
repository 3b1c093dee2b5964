"""Plays the ten tasks and prints a table: `python -m benchmarks.usability [--only TASK …]`."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Error as PlaywrightError

from benchmarks.browser.place import chromium_open, lab_open
from benchmarks.measure import table
from benchmarks.usability.desk import Desk
from benchmarks.usability.tasks import TASKS
from benchmarks.usability.views import VIEWS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.usability.player import Played


def main() -> int:
    """Play what is named, or everything; 1 where an answer was not found that should have been."""
    options = _options()
    view = VIEWS[options.view]
    pictures = options.pictures or Path(tempfile.mkdtemp(prefix="nbagents-usability-"))
    found: dict[str, Played] = {}
    with chromium_open() as browser, lab_open(browser) as lab:
        desk = Desk(browser, lab, view, pictures)
        for name in options.only:
            try:
                found[name] = desk.play(name)
            except (LookupError, PlaywrightError) as error:
                print(f"{name}: a step cannot be done. {error}", flush=True)
    print(table(f"The {options.view} view", HEAD, rows_of(found)), flush=True)
    print(f"Pictures: {pictures}")
    if options.record:
        record(options.record, found)
    is_whole = len(found) == len(options.only)
    return int(
        not is_whole or any(one.is_found == (one.end == "given up") for one in found.values())
    )


HEAD = ["task", "clicks", "seconds", "waited s", "how it ended", "answer"]


def rows_of(found: Mapping[str, Played]) -> list[list[str]]:
    """A line for each task, and their median."""
    rows = [
        [name, f"{one.clicks}", f"{one.seconds:.0f}", f"{one.waited_s:.1f}", one.end, said(one)]
        for name, one in found.items()
    ]
    clicks = statistics.median(one.clicks for one in found.values())
    seconds = statistics.median(one.seconds for one in found.values())
    return [*rows, ["median", f"{clicks:g}", f"{seconds:.0f}", "", "", ""]]


def record(file: Path, found: Mapping[str, Played]) -> None:
    """Write figures and steps into a file, beside those of other tasks that it has."""
    known = json.loads(file.read_text("utf-8")) if file.exists() else {}
    known |= {name: one.as_json() for name, one in found.items()}
    file.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", "utf-8")


def is_unexpected(played: Played) -> bool:
    """Whether an answer was not found, or found where the newcomer had given up."""
    return played.is_found == (played.end == "given up")


def said(played: Played) -> str:
    """Whether the answer was in sight."""
    return "found" if played.is_found else "not found"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.usability", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=TASKS, default=list(TASKS), metavar="TASK")
    parser.add_argument("--view", choices=VIEWS, default=list(VIEWS)[-1], help="whose strategies")
    parser.add_argument("--record", type=Path, help="write figures and steps into this file")
    parser.add_argument("--pictures", type=Path, help="the folder for a picture after each task")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
