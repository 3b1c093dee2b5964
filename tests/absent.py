"""What the tests stand on and may not find here: `make test-all` says it before it begins.

Without data or a package tests are skipped; without a kernel or a browser they fail.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import TYPE_CHECKING

from tests.browser.chromium import NoChromiumError, chromium
from tests.conformance import bfcl, shared_data
from tests.kernels.releases import RELEASES, folder_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["MODULES", "absent"]

MODULES = ("altair", "matplotlib", "numpy", "pandas")
"""What `requirements/dev.txt` has and tests ask for by `importorskip`."""


def absent() -> list[str]:
    """A line for each thing that is not there, with what to do about it; none where all is."""
    return [*_data(), *_modules(), *_kernels(), *_browser(), *_platform()]


def _data() -> Iterator[str]:
    folder = shared_data.FOLDER
    catalogue = folder / "tool-catalog"
    wanted: tuple[tuple[str, Path, str], ...] = (
        ("The function-calling data", bfcl.FOLDER / "functions.jsonl", bfcl.VARIABLE),
        ("The OpenAPI data", folder / "openapi" / "judge.py", shared_data.VARIABLE),
        ("The catalogue of APIs", catalogue / "catalog.jsonl", shared_data.VARIABLE),
        ("The queries of the catalogue", catalogue / "queries.public.jsonl", shared_data.VARIABLE),
    )
    for name, file, variable in wanted:
        if not file.is_file():
            yield f"{name}: no {file}; {variable} names another folder. Tests are skipped."


def _modules() -> Iterator[str]:
    for name in MODULES:
        if importlib.util.find_spec(name) is None:
            yield f"{name}: it is not installed, `make install` does it. Tests are skipped."


def _kernels() -> Iterator[str]:
    for release in RELEASES:
        try:
            folder_of(release)
        except FileNotFoundError as error:
            yield f"{error} Tests fail."


def _browser() -> Iterator[str]:
    try:
        chromium()
    except NoChromiumError as error:
        yield f"{error} Tests fail."


def _platform() -> Iterator[str]:
    if sys.platform == "win32" or not hasattr(os, "fork"):
        yield "Signals and fork: this platform has none. Tests are skipped."
