"""What is installed: our distribution, and whether another project's files are among ours.

The package index has a project `nbagents` that is not this one, and it installs a package of the
same name: pip lets each write over the other. Where its `__init__` is over ours, only the command
`nbagents` can still say so.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
from importlib import metadata
from pathlib import Path

__all__ = ["DISTRIBUTION", "MEND", "OTHER", "TO_RUN", "conflict", "lacking"]

DISTRIBUTION = "jupyter-nbagents"
OTHER = "nbagents"
PACKAGE = Path(__file__).parent
MEND = f"pip uninstall {OTHER}; pip install --force-reinstall --no-deps {DISTRIBUTION}"
TO_RUN = ("nbclient", "nbformat", "ipykernel")
"""What it takes to run a notebook."""


def lacking(feature: str, *more: str) -> str:
    """What a feature that runs notebooks lacks, and how one gets it; nothing where all is there.

    Args:
        feature: What needs it, as a person types it.
        more: Packages that it needs beside those to run a notebook.
    """
    absent = [name for name in (*TO_RUN, *more) if importlib.util.find_spec(name) is None]
    if not absent:
        return ""
    return f"{feature} needs {', '.join(absent)}: pip install '{DISTRIBUTION}[lab]'"


def conflict() -> str:
    """One line on another project's files among ours; empty where there are none."""
    strange = _strange()
    others = [one for one in metadata.distributions(name=OTHER) if _is_beside_us(one)]
    if others:
        who = f"Another project, {OTHER} {others[0].version},"
        if strange:
            return f"{who} is installed over {DISTRIBUTION}: {strange} not ours."
        return f"{who} is installed in the same folder as {DISTRIBUTION}: removing it breaks ours."
    if strange:
        return f"The installation of {DISTRIBUTION} is broken: {strange} missing or not ours."
    return ""


def _is_beside_us(other: metadata.Distribution) -> bool:
    """Whether it has written into our folder; an old editable installation of ours has not."""
    paths = (Path(str(file.locate())) for file in other.files or ())
    return any(path.is_relative_to(PACKAGE) for path in paths)


def _strange() -> str:
    """Which of our files are missing or others, where a wheel is installed."""
    try:
        files = metadata.files(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return ""
    strange = [
        file.as_posix() for file in files if file.parts[0] == PACKAGE.name and _is_strange(file)
    ]
    if not strange:
        return ""
    more = len(strange) - 1
    return f"{strange[0]} and {more} more of its files are" if more else f"{strange[0]} is"


def _is_strange(file: metadata.PackagePath) -> bool:
    """Whether a file is missing, or is not the one that was installed."""
    if file.hash is None:  # what pip has compiled
        return False
    try:
        found = hashlib.new(file.hash.mode, file.read_binary()).digest()
    except OSError:
        return True
    return base64.urlsafe_b64encode(found).decode().rstrip("=") != file.hash.value
