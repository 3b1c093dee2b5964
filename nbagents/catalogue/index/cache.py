"""Indexes of files, kept on disk under the hash of what they were made from.

What is read is data, never code: a header of JSON, then numbers as they lie in memory. What is
damaged, of another version or of another machine is not used; the index is built again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from array import array
from pathlib import Path
from typing import Any, Final

from nbagents.catalogue.index.index import FIELDS, UNIT, Segment

MAGIC: Final = b"nbagents catalogue index\n"
VERSION: Final = 2
"""Of the file's form and of all that decides what is in it: terms, fields, how records are read."""
LENGTH_UNIT: Final = "H"
DIGEST_BYTES: Final = 32
VARIABLE: Final = "NBAGENTS_CACHE"


class IndexCache:
    """The folder of cached indexes.

    Args:
        folder: Where; by default the user's folder for caches, or what `NBAGENTS_CACHE` names.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or _default_folder()

    def path_of(self, content: bytes, *circumstances: str) -> Path:
        """The file of what was made from a content."""
        digest = hashlib.blake2b(content, digest_size=DIGEST_BYTES)
        digest.update(json.dumps([VERSION, UNIT, *FIELDS, *circumstances]).encode())
        return self.folder / f"{digest.hexdigest()}.index"

    def load(self, path: Path) -> tuple[Any, Segment] | None:
        """What was kept there beside a segment, and the segment; `None` if there is none to use."""
        try:
            whole = path.read_bytes()
            return _unpacked(whole, path.stem)
        except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
            return None

    def store(self, path: Path, beside: object, segment: Segment) -> None:
        """Keep a segment, and some JSON beside it; where nothing can be kept, do nothing.

        The file appears whole or not at all, also where several processes write it.
        """
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_packed(beside, segment, path.stem))
                Path(name).replace(path)
            except OSError:
                Path(name).unlink(missing_ok=True)


def _default_folder() -> Path:
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "nbagents" / "catalogue"


def _packed(beside: object, segment: Segment, key: str) -> bytes:
    listed = list(segment.postings.values())
    header = {
        "key": key,
        "order": sys.byteorder,
        "sizes": [array(UNIT).itemsize, array(LENGTH_UNIT).itemsize],
        "documents": len(segment),
        "terms": list(segment.postings),
        "counts": [len(one) for one in listed],
        "beside": beside,
    }
    head = json.dumps(header, separators=(",", ":")).encode()
    body = b"".join(
        [
            len(head).to_bytes(8, "big"),
            head,
            *(one.tobytes() for one in segment.lengths),
            *(one.tobytes() for one in listed),
        ]
    )
    return MAGIC + _digest(body) + body


def _digest(body: bytes | memoryview) -> bytes:
    return hashlib.blake2b(body, digest_size=DIGEST_BYTES).digest()


def _unpacked(whole: bytes, key: str) -> tuple[Any, Segment]:
    start = len(MAGIC) + DIGEST_BYTES
    body = memoryview(whole)[start:]
    if whole[: len(MAGIC)] != MAGIC or whole[len(MAGIC) : start] != _digest(body):
        raise ValueError("it is damaged, or none of ours")
    end = 8 + int.from_bytes(body[:8], "big")
    header = json.loads(bytes(body[8:end]))
    sizes = [array(UNIT).itemsize, array(LENGTH_UNIT).itemsize]
    if (header["key"], header["order"], header["sizes"]) != (key, sys.byteorder, sizes):
        raise ValueError("it was made for something else")
    segment = Segment()
    for lengths in segment.lengths:
        more = end + header["documents"] * sizes[1]
        lengths.frombytes(body[end:more])
        end = more
    numbers = array(UNIT, bytes(body[end:]))
    at = 0
    for term, count in zip(header["terms"], header["counts"], strict=True):
        segment.postings[term] = numbers[at : at + count]
        at += count
    if at != len(numbers):
        raise ValueError("it is cut")
    return header["beside"], segment
