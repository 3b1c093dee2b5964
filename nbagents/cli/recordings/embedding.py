"""`nbagents recording embed` and `extract`: a lesson is one file, and comes apart again."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nbagents.cli.recordings.sources import of_file
from nbagents.cli.terminal import missing_packages, say, shown
from nbagents.errors import RecordingError
from nbagents.execution import Document, NotebookFileError, is_trusted, read, sign, write
from nbagents.recordings import FileLines, embed, embedded, recording_beside
from nbagents.runs.wording import counted, size

if TYPE_CHECKING:
    import argparse

WRITES: Final = re.compile(
    r"^\s*(\w+ = )?%{1,2}agent\b.*--record[ =](extend|refresh)\b"
    r"|^\s*%config NbAgents\.record = .(extend|refresh)\b"
)
"""A line of a notebook that records, where its recording should only be replayed."""


def embed_recording(options: argparse.Namespace) -> int:
    """Put a recording into a notebook."""
    path: Path = options.source or recording_beside(options.notebook)
    document = _document(options)
    if not path.is_file():
        raise RecordingError(
            f"There is no {path} to put in: `nbagents recording refresh {options.notebook}` makes"
            " it, or name another file with --from."
        )
    source = of_file(path)
    source.read()
    if source.recording.damaged:
        raise RecordingError(
            f"{path} is damaged: `nbagents recording verify {path}` says where. Mend it first."
        )
    embed(document.notebook, path.read_bytes().decode("utf-8"))
    _write(document)
    count = counted(len(source.recording.exchanges()), "exchange")
    part = f"{size(source.size)} of {size(options.notebook.stat().st_size)}"
    say(f"{shown(options.notebook.absolute())} holds its recording: {count}, {part}.")
    if writing := [line for line in _lines_of_code(document) if WRITES.search(line)]:
        say(
            f"note: {writing[0].strip()!r} writes a recording, and what is in a notebook is only"
            " read: that cell will fail. Leave it out before you give the notebook away."
        )
    return 0


def extract_recording(options: argparse.Namespace) -> int:
    """Write the recording of a notebook as the file that it was."""
    document = _document(options)
    text = embedded(document.notebook, options.notebook.name)
    if text is None:
        raise RecordingError(f"There is no recording in {options.notebook}.")
    out: Path = options.out or recording_beside(options.notebook)
    data = text.encode("utf-8")
    if out.is_file() and out.read_bytes() != data and not options.force:
        raise RecordingError(
            f"{out} is there and is another one: name another file with -o, or write it over with"
            " --force."
        )
    FileLines(out).rewrite(lambda _: data)
    if options.remove:
        embed(document.notebook, None)
        _write(document)
    say(f"{shown(out.absolute())}: {size(len(data))}.")
    return 0


def _lines_of_code(document: Document) -> list[str]:
    cells = [one for one in document.notebook.cells if one.cell_type == "code"]
    return [line for one in cells for line in str(one.source).splitlines()]


def _document(options: argparse.Namespace) -> Document:
    if missing := missing_packages(f"recording {options.kind}"):
        raise RecordingError(missing)
    try:
        return read(options.notebook)
    except NotebookFileError as error:
        raise NotebookFileError(f"{options.notebook}: {error}") from error


def _write(document: Document) -> None:
    """Write a notebook; where JupyterLab trusted what is in it, it still does."""
    if not os.access(document.path, os.W_OK):
        raise NotebookFileError(f"{document.path} is read-only: nothing was written.")
    was_trusted = is_trusted(read(document.path).notebook)
    write(document.path, document.notebook, was=document.digest)
    if was_trusted:
        sign(document.notebook)
