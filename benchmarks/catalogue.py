"""A catalogue of 16,464 APIs: what is found, how fast, and how much a model reads of it."""

from __future__ import annotations

import math
import re
import shutil
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.catalogue import Catalogue
from tests.conformance.retrieval import (
    CATALOGUE,
    QUERIES,
    SEAL,
    SEAL_QUERIES,
    absent_share,
    answer_tokens,
    catalogue_of,
    distinctive_tools,
    emptied,
    misnamed,
    recall,
)
from tests.conformance.shared_data import FOLDER, read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["FOLDER", "Measure", "has_data", "measures", "speeds"]

SHORT_WORDS = 6
LONG = 4
"""Letters of a word that a model would write in a short query, at least."""
SAMPLE = 300
PERCENTILE = 0.95


@dataclass(frozen=True)
class Measure:
    """One figure, and the bar that it has to keep."""

    what: str
    value: float
    bar: float
    at_least: bool = False
    digits: int = 3


def has_data() -> bool:
    """Whether the data is there."""
    return (FOLDER / CATALOGUE).is_file()


def speeds(folder: Path, rounds: int) -> list[Measure]:
    """What it takes to build, to load and to search, in CPU time.

    It is work for one core, so that CPU time is what a quiet machine's clock on the wall shows.

    Args:
        folder: Where a cache may lie.
        rounds: How often it is built and loaded.
    """
    path = FOLDER / CATALOGUE
    builds, loads = list[float](), list[float]()
    for _ in range(rounds):
        shutil.rmtree(folder, ignore_errors=True)
        builds.append(_taken(lambda: Catalogue(path, cache=folder)))
        loads.append(_taken(lambda: Catalogue(path, cache=folder)))
    catalogue = Catalogue(path, cache=folder)
    queries = [row["query"] for row in read_lines(QUERIES)]
    short = [" ".join(_long_words(one)[:SHORT_WORDS]) for one in queries]
    raw, model = (
        [_taken(lambda q=q: catalogue.search(q)) for q in some] for some in (queries, short)
    )
    return [
        Measure("build, CPU s", _middle(builds), 3, digits=2),
        Measure("load from the cache, CPU s", _middle(loads), 0.5, digits=2),
        Measure("a raw query, p95, CPU ms", _high(raw) * 1000, 20, digits=1),
        Measure("a query of six words, p95, CPU ms", _high(model) * 1000, 5, digits=1),
    ]


def measures() -> list[Measure]:
    """What is found of what should be, and what a model reads."""
    catalogue, seal = catalogue_of(CATALOGUE), catalogue_of(SEAL)
    rows, queries = read_lines(CATALOGUE), read_lines(QUERIES)
    found = recall(catalogue, queries)["ALL"]
    names = catalogue.names
    return [
        Measure("public queries, R@10", found["R@10"], 0.693, at_least=True),
        Measure("public queries, nDCG@10", found["nDCG@10"], 0.610, at_least=True),
        Measure("public queries, all gold in 20", found["C@20"], 0.643, at_least=True),
        Measure(
            "Seal-Tools, R@10",
            recall(seal, read_lines(SEAL_QUERIES))["ALL"]["R@10"],
            0.93,
            at_least=True,
        ),
        Measure("names that do not come first", len(list(misnamed(catalogue, names))), 0, digits=0),
        Measure(
            "absent service gives nothing and a hint",
            absent_share(catalogue, distinctive_tools(rows), SAMPLE),
            0.95,
            at_least=True,
        ),
        Measure("queries emptied", len(emptied(catalogue, queries)) / len(queries), 0.02),
        Measure("tokens of ten hits, most", answer_tokens(catalogue, queries)[-1], 500, digits=0),
    ]


def _taken(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _long_words(query: str) -> list[str]:
    return [word for word in re.findall(r"\w+", query) if len(word) >= LONG]


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]


def _high(values: Sequence[float]) -> float:
    return sorted(values)[math.ceil(len(values) * PERCENTILE) - 1]
