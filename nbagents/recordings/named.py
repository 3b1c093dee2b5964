"""A recording that is no file of the person's: at an address, or in a package."""

from __future__ import annotations

import functools
import importlib.resources
from typing import TYPE_CHECKING, Final

from nbagents.errors import RecordingError
from nbagents.recordings.embedding import SUFFIX, recording_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from nbagents.recordings.index import Recording

ADDRESSES: Final = ("https://", "http://")
PACKAGE: Final = "package:"
LARGEST: Final = 500_000_000
TIMEOUT_S: Final = 60


def is_elsewhere(named: str) -> bool:
    """Whether a name is an address, or leads into a package."""
    return named.startswith((*ADDRESSES, PACKAGE))


def recording_elsewhere(named: str) -> Recording:
    """The recording at an address or in a package, to be read.

    Args:
        named: An address, or `package:NAME`, where `/` leads to one of several in it.

    Raises:
        RecordingError: There is none to be had; says why.
    """
    text = _packaged(named) if named.startswith(PACKAGE) else _fetched(named)
    return recording_of(text, named)


@functools.cache  # once a process: a lesson asks for it with each run
def _fetched(address: str) -> str:
    import urllib.request  # slow to import, and hardly ever needed

    request = urllib.request.Request(address, headers={"User-Agent": "nbagents"})  # noqa: S310  http
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310  as above
            content = answer.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", None) or error
        raise RecordingError(
            f"The recording at {address} cannot be had: {why}. Look at the address, or save it as a"
            " file and name that. Nothing was asked."
        ) from error
    if len(content) > LARGEST:
        raise RecordingError(f"The recording at {address} is larger than {LARGEST:,} bytes.")
    return _text(content, address)


def _packaged(named: str) -> str:
    package, _, inside = named.removeprefix(PACKAGE).partition("/")
    try:
        found = _recordings(importlib.resources.files(package))
    except (ImportError, ValueError, TypeError, OSError) as error:
        raise RecordingError(
            f"There is no package {package!r} here, of which {named} would be: install it."
        ) from error
    wanted = inside if not inside or inside.endswith(SUFFIX) else inside + SUFFIX
    fitting = [one for name, one in found.items() if wanted in ("", name)]
    if len(fitting) == 1:
        return _text(fitting[0].read_bytes(), named)
    if not found:
        raise RecordingError(
            f"There is no recording in the package {package!r}: no file of it ends with {SUFFIX}."
        )
    known = ", ".join(f"{PACKAGE}{package}/{name.removesuffix(SUFFIX)}" for name in found)
    raise RecordingError(f"{named} names none of the recordings there, which are {known}.")


def _recordings(folder: Traversable, at: str = "") -> dict[str, Traversable]:
    """The recordings in a package, by their paths in it."""
    found: dict[str, Traversable] = {}
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        if one.name.endswith(SUFFIX):
            found[at + one.name] = one
        elif one.is_dir() and not one.name.startswith((".", "__")):
            found |= _recordings(one, f"{at}{one.name}/")
    return found


def _text(content: bytes, named: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordingError(f"{named} is no recording: it is not text.") from error
