"""`python -m benchmarks`: measure, print the tables, and say which bars hold."""

from __future__ import annotations

import argparse
import asyncio
import importlib.metadata
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.bundles import BARS_KB, sizes_kb
from benchmarks.measure import Spread, Timing, interleaved, table
from benchmarks.script import CHUNKS, TURNS

if TYPE_CHECKING:
    from benchmarks.kernels import Load

BARS = {
    "nbagents, arun, async tool": 1.6,
    "nbagents, run, def tool on the main lane": 2.5,
}
LOAD_BAR = 0.2
SEEN = ("openai", "aiohttp", "httpx2", "pydantic", "ipykernel", "IPython")


class Report:
    """Prints as it goes and keeps the bars that were missed."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def verdict(self, what: str, value: float, bar: float | None) -> str:
        """Whether a bar holds, as a cell of a table."""
        if bar is None:
            return ""
        if value <= bar:
            return f"≤ {bar:g} holds"
        self.missed.append(f"{what}: {value:.2f}, the bar is {bar:g}")
        return f"≤ {bar:g} MISSED"

    def show(self, title: str, head: list[str], rows: list[list[str]]) -> None:
        """Print a table."""
        print(table(title, head, rows), flush=True)


def main() -> int:
    options = _options()
    report = Report()
    print(_machine())
    if "runs" in options.only:
        _runs(report, options.rounds)
    if "load" in options.only:
        _load(report, max(3, options.rounds // 2))
    if "size" in options.only:
        _size(report)
    for miss in report.missed:
        print(f"MISSED  {miss}")
    return 1 if report.missed else 0


def _runs(report: Report, rounds: int) -> None:
    # Only here, so that the other parts do not pay for it.
    from benchmarks.server import serving  # noqa: PLC0415
    from benchmarks.workloads import FLOOR, FLOOR_HTTPX, text_work, turn_work  # noqa: PLC0415

    folder = tempfile.TemporaryDirectory(prefix="nbagents-benchmarks-")
    with folder as log, serving() as address, asyncio.Runner() as loop:
        with turn_work(address, loop, Path(log)) as work:
            timings = interleaved(work, rounds=rounds, seldom={"documented create()": 3})
        report.show(
            f"{TURNS} turns of one tool call each, streamed",
            [
                "",
                "wall ms",
                "CPU ms",
                "ms a turn",
                "x floor",
                "x floor, CPU",
                "x default floor",
                "bar",
            ],
            [
                _row(report, name, timing, timings[FLOOR], timings[FLOOR_HTTPX])
                for name, timing in timings.items()
            ],
        )
        with text_work(address, loop) as work:
            timings = interleaved(work, rounds=rounds)
        report.show(
            f"One text of {CHUNKS:,} chunks, as fast as it comes",
            ["", "wall ms", "CPU ms", "µs a chunk", "x floor"],
            [
                [
                    name,
                    Spread(tuple(timing.wall_ms)).text(),
                    Spread(tuple(timing.cpu_ms)).text(),
                    f"{Spread(tuple(timing.wall_ms)).median * 1000 / CHUNKS:.1f}",
                    timing.ratio_to(timings[FLOOR]).text(2),
                ]
                for name, timing in timings.items()
            ],
        )


def _row(report: Report, name: str, timing: Timing, floor: Timing, other: Timing) -> list[str]:
    wall, ratio = Spread(tuple(timing.wall_ms)), timing.ratio_to(floor)
    return [
        name,
        wall.text(),
        Spread(tuple(timing.cpu_ms)).text(),
        f"{wall.median / TURNS:.2f}",
        ratio.text(2),
        timing.cpu_ratio_to(floor).text(2),
        timing.ratio_to(other).text(2),
        report.verdict(name, ratio.median, BARS.get(name)),
    ]


def _load(report: Report, rounds: int) -> None:
    from benchmarks.kernels import EXTENSION_NAME, HEAVY, OPENAI_NAME, load_times  # noqa: PLC0415

    loads = load_times(rounds)
    bars = {EXTENSION_NAME: LOAD_BAR}
    report.show(
        "Loading, each time in a fresh kernel",
        ["", "wall ms", "CPU ms", "modules", "x import openai (CPU)", "bar"],
        [
            _load_row(report, name, ours, loads[OPENAI_NAME], bars.get(name))
            for name, ours in loads.items()
        ],
    )
    brought = {package for load in loads[EXTENSION_NAME] for package in load.packages}
    heavy = sorted(brought.intersection(HEAVY))
    print(f"Of {', '.join(HEAVY)}, {EXTENSION_NAME} loads: {', '.join(heavy) or 'none'}.\n")
    if heavy:
        report.missed.append(f"{EXTENSION_NAME} loads {', '.join(heavy)}")


def _load_row(
    report: Report, name: str, ours: list[Load], theirs: list[Load], bar: float | None
) -> list[str]:
    # Importing is work for one core: its CPU time does not depend on what else the machine does.
    ratio = Spread(tuple(a.cpu_ms / b.cpu_ms for a, b in zip(ours, theirs, strict=True)))
    return [
        name,
        Spread(tuple(load.wall_ms for load in ours)).text(),
        Spread(tuple(load.cpu_ms for load in ours)).text(),
        str(ours[0].modules),
        ratio.text(2),
        report.verdict(name, ratio.median, bar),
    ]


def _size(report: Report) -> None:
    sizes = sizes_kb()
    report.missed += [f"{name} is not built" for name in BARS_KB if name not in sizes]
    report.show(
        "Built JavaScript, gzipped",
        ["", "kB", "bar"],
        [
            [name, f"{size:.1f}", report.verdict(f"{name}, kB", size, BARS_KB.get(name))]
            for name, size in sizes.items()
        ],
    )


def _machine() -> str:
    versions = [f"{name} {importlib.metadata.version(name)}" for name in SEEN]
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}; Python {platform.python_version()}, "
        + ", ".join(versions)
        + "\nMedian (smallest–largest); ratios are the median of each round's own ratio.\n"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="how often each run is measured")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=["runs", "load", "size"],
        default=["runs", "load", "size"],
        help="what to measure",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
