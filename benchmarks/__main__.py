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
from benchmarks.measure import Spread, interleaved
from benchmarks.report import Bar, Report
from benchmarks.script import CHAIN, CHILDREN, CHUNKS, PAUSE_S, THREADS, TURNS, WIDTH

if TYPE_CHECKING:
    from benchmarks.kernels import Load
    from benchmarks.workloads import Place

PAUSE_MS = round(PAUSE_S * 1000)
GROWTH_BAR = 2.5
LOAD_BAR = 0.2
PARTS = (
    "runs",
    "families",
    "growth",
    "schemas",
    "listing",
    "chats",
    "openapi",
    "catalogue",
    "deferral",
    "forks",
    "anytool",
    "recordings",
    "start",
    "load",
    "notebooks",
    "size",
)
SEEN = ("openai", "aiohttp", "httpx2", "pydantic", "griffelib", "ipykernel", "IPython")


def main() -> int:
    options = _options()
    report = Report()
    print(_machine())
    rounds, few = options.rounds, max(3, options.rounds // 3)
    if {"runs", "families", "growth", "recordings"} & set(options.only):
        _served(report, options.only, rounds, few)
    for part, measure, often in (
        ("schemas", _schemas, few),
        ("listing", _listing, rounds),
        ("chats", _chats, few),
        ("openapi", _openapi, rounds),
        ("catalogue", _catalogue, few),
        ("deferral", _deferral, few),
        ("forks", _forks, rounds),
        ("start", _start, max(3, rounds // 2)),
        ("load", _load, few),
    ):
        if part in options.only:
            measure(report, often)
    if "anytool" in options.only:
        from benchmarks.anytool import report_on

        report_on(report)
    if "notebooks" in options.only:
        from benchmarks.notebooks import report_time

        report_time(report)
    if "size" in options.only:
        _size(report)
    for miss in report.missed:
        print(f"MISSED  {miss}")
    return 1 if report.missed else 0


def _served(report: Report, parts: list[str], rounds: int, few: int) -> None:
    """What asks a server."""
    # Only here, so that the other parts do not pay for it.
    from benchmarks.server import serving
    from benchmarks.workloads import Place

    with serving() as address, asyncio.Runner() as loop:
        place = Place(address, loop)
        if "runs" in parts:
            _turns(report, place, rounds)
            _together(report, place, rounds)
            _text(report, place, rounds)
        if "families" in parts:
            _families(report, place, rounds)
        if "growth" in parts:
            _growth(report, place, few)
        if "recordings" in parts:
            from benchmarks.recordings import report_costs

            report_costs(report, place, rounds)


def _turns(report: Report, place: Place, rounds: int) -> None:
    from benchmarks.workloads import ARUN, FLOOR, FLOOR_HTTPX, turn_work

    with (
        tempfile.TemporaryDirectory(prefix="nbagents-benchmarks-") as folder,
        turn_work(place, Path(folder)) as work,
    ):
        timings = interleaved(work, rounds=rounds, seldom={"documented create()": 3})
    report.compare(
        f"{TURNS} turns of one tool call each",
        timings,
        {FLOOR: "x floor", FLOOR_HTTPX: "x default floor"},
        {
            ARUN: Bar(1.6, FLOOR),
            "run, def tool on the main lane": Bar(2.5, FLOOR),
            "arun, async tool, SQLite log": Bar(1.25, ARUN),
        },
        ("turn", TURNS),
    )


def _together(report: Report, place: Place, rounds: int) -> None:
    from benchmarks.workloads import FLOOR, FLOOR_HTTPX, thread_work, wide_work

    floors = {FLOOR: "x floor", FLOOR_HTTPX: "x default floor"}
    with wide_work(place) as work:
        timings = interleaved(work, rounds=rounds)
    title = f"{WIDTH} async tools of {PAUSE_MS} ms in one turn"
    report.compare(title, timings, floors, {"arun": Bar(1.15, FLOOR)})
    with thread_work(place) as work:
        timings = interleaved(work, rounds=rounds)
    title = f"{THREADS} tools with thread=True, {PAUSE_MS} ms each, in one turn"
    report.compare(title, timings, floors, {"arun": Bar(1.2, FLOOR)})


def _families(report: Report, place: Place, rounds: int) -> None:
    from benchmarks.families import (
        AGENTS,
        BY_HAND,
        BY_HAND_AIOHTTP,
        chain_work,
        children_work,
    )

    for title, working in (
        (f"A chain of {CHAIN} agents, five times", chain_work),
        (f"{CHILDREN} agents in one turn, five times", children_work),
    ):
        with working(place) as work:
            timings = interleaved(work, rounds=rounds)
        floors = {BY_HAND: "x by hand", BY_HAND_AIOHTTP: "x by hand, aiohttp"}
        report.compare(title, timings, floors, {AGENTS: Bar(1.5, BY_HAND)})


def _text(report: Report, place: Place, rounds: int) -> None:
    from benchmarks.workloads import FLOOR, FLOOR_HTTPX, text_work

    with text_work(place) as work:
        timings = interleaved(work, rounds=rounds)
    report.compare(
        f"One text of {CHUNKS:,} chunks, as fast as it comes",
        timings,
        {FLOOR: "x floor", FLOOR_HTTPX: "x default floor"},
        {"the model's stream": Bar(1.8, FLOOR), "agent.stream": Bar(1.8, FLOOR)},
        ("chunk", CHUNKS),
    )


def _growth(report: Report, place: Place, rounds: int) -> None:
    from benchmarks.growth import EARLY, LATE, RESULT_LENGTH, growths
    from benchmarks.workloads import ARUN

    bars = {ARUN: GROWTH_BAR}
    report.show(
        f"CPU of one turn, in a run whose results have {RESULT_LENGTH:,} characters each",
        ["", f"turn {EARLY}, ms", f"turn {LATE}, ms", "late / early", "bar"],
        [
            [
                name,
                growth.early_ms.text(2),
                growth.late_ms.text(2),
                growth.ratio.text(2),
                report.verdict(f"growth, {name}", growth.ratio.median, bars.get(name)),
            ]
            for name, growth in growths(place, rounds).items()
        ],
    )


def _schemas(report: Report, rounds: int) -> None:
    from benchmarks.schemas import (
        FUNCTIONS,
        SCHEMAS,
        SCHEMAS_FLOOR,
        schema_timings,
    )

    report.compare(
        f"Schemas of {FUNCTIONS:,} functions",
        schema_timings(rounds),
        {SCHEMAS_FLOOR: "x floor"},
        {SCHEMAS: Bar(1.5, SCHEMAS_FLOOR)},
        ("function", FUNCTIONS),
    )


def _listing(report: Report, rounds: int) -> None:
    from benchmarks.listing import BARE, EVENTS, LISTING, RUNS, listing_work

    with (
        tempfile.TemporaryDirectory(prefix="nbagents-benchmarks-") as folder,
        listing_work(Path(folder)) as work,
    ):
        timings = interleaved(work, rounds=rounds)
    report.compare(
        f"Listing {RUNS:,} runs of a session",
        timings,
        {BARE: "x bare SQL", EVENTS: "x SQL over the events"},
        {LISTING: Bar(3, BARE)},
        ("run", RUNS),
    )


def _chats(report: Report, rounds: int) -> None:
    from benchmarks.chats import RAW, REOPENED, TURNS, chat_work

    with (
        tempfile.TemporaryDirectory(prefix="nbagents-benchmarks-") as folder,
        chat_work(Path(folder)) as (work, kilobytes),
    ):
        timings = interleaved(work, rounds=rounds)
    title = f"Reopening a chat of {TURNS:,} short turns, {kilobytes:.1f} kB of log each"
    bars = {REOPENED: Bar(80, RAW)}
    report.compare(title, timings, {RAW: "x raw"}, bars, ("turn", TURNS))


def _openapi(report: Report, rounds: int) -> None:
    from benchmarks.openapi import (
        BY_HAND,
        CALL,
        CALLS,
        DOCUMENTS,
        LOADED,
        LOADS,
        TIMES,
        US_AN_OPERATION,
        call_work,
        load_work,
        paths,
    )

    known = paths()
    if not known:
        print(f"No OpenAPI documents in {DOCUMENTS}: set NBAGENTS_DATA to the folder of the data.")
    for words, chosen in (("all", known), ("the largest", known[-1:])):
        work, count = load_work(chosen)
        if not count:
            continue
        timings = interleaved(work, rounds=rounds)
        floor_ms = Spread(tuple(timings[LOADS].wall_ms)).median
        allowed = TIMES + US_AN_OPERATION * count / 1000 / floor_ms
        title = f"Loading OpenAPI documents: {words} of {len(known)}, {count:,} operations"
        bars = {LOADED: Bar(round(allowed, 2), LOADS)}
        report.compare(title, timings, {LOADS: "x json.loads"}, bars, ("operation", count))
    with call_work() as calls:
        timings = interleaved(calls, rounds=rounds)
    report.compare(
        f"{CALLS} requests of OpenAPI operations",
        timings,
        {BY_HAND: "x by hand"},
        {CALL: Bar(2, BY_HAND)},
        ("request", CALLS),
    )


def _catalogue(report: Report, rounds: int) -> None:
    from benchmarks.catalogue import FOLDER, has_data, measures, speeds

    if not has_data():
        print(f"No catalogue in {FOLDER}: set NBAGENTS_DATA to the folder of the data.")
        return
    with tempfile.TemporaryDirectory(prefix="nbagents-benchmarks-") as folder:
        found = [*speeds(Path(folder) / "cache", rounds), *measures()]
    report.show(
        "A catalogue of 16,464 APIs",
        ["", "", "bar"],
        [
            [
                one.what,
                f"{one.value:.{one.digits}f}",
                report.verdict(one.what, one.value, one.bar, at_least=one.at_least),
            ]
            for one in found
        ],
    )


def _deferral(report: Report, rounds: int) -> None:
    from benchmarks.deferral import report_ways

    del rounds  # what is counted is the same each time
    report_ways(report)


def _forks(report: Report, rounds: int) -> None:
    from benchmarks.forks import report_forks

    report_forks(report, rounds)


def _start(report: Report, rounds: int) -> None:
    from benchmarks.starts import START, START_FLOOR, START_MODEL, starts

    timings = starts(rounds)
    bar = Bar(1.5, START_FLOOR)
    floors = {START_FLOOR: "x floor"}
    title = "From nothing, each time in a new process"
    report.compare(title, timings, floors, {START: bar, START_MODEL: bar})


def _load(report: Report, rounds: int) -> None:
    from benchmarks.kernels import EXTENSION_NAME, HEAVY, OPENAI_NAME, load_times

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
        choices=PARTS,
        default=PARTS,
        help="what to measure",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
