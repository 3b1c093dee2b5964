"""A notebook file: read whatever it holds, and written so that nothing is ever lost."""

from __future__ import annotations

import hashlib
import importlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from nbagents.disk import put_in_place
from nbagents.errors import NbagentsError
from nbagents.narrowing import is_dict, is_list

MOST_BYTES: Final = 512_000_000
FORMAT: Final = 4
LAST_PART: Final = 2
"""Of a file that stops being JSON so many characters before its end, the rest is missing."""
RESTORE: Final = "Restore it from a copy: JupyterLab keeps one in .ipynb_checkpoints beside it."
UNSIGNED: Final = (ImportError, OSError, ValueError, KeyError)
"""What comes of a notary that is not there, or cannot work: then a person trusts it by hand."""


class NotebookFileError(NbagentsError):
    """A file is no notebook that can be run, or cannot be written; says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A notebook as it was read."""

    path: Path
    notebook: Any
    """nbformat's notebook, of format 4 (nbformat has no types)."""
    digest: str
    """Of the file's bytes: whether it is still the one that was read."""


def read(path: Path) -> Document:
    """Read a notebook.

    Raises:
        NotebookFileError: It is none, or it cannot be read.
    """
    content = _content(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotebookFileError(f"It is no notebook: it is not text. {RESTORE}") from error
    fields = _checked(_json(text))
    return Document(path=path, notebook=_notebook(fields), digest=_digest(content))


def digest_of(path: Path) -> str:
    """What tells whether a file is still the same."""
    return _digest(path.read_bytes())


def write(path: Path, notebook: Any, *, was: str | None = None) -> bool:
    """Write a notebook all at once; whether that changed the file.

    Args:
        path: Where; what is there is replaced.
        notebook: nbformat's notebook (Any: it has no types).
        was: The digest of the file as it was read: one that has changed since is not replaced.

    Raises:
        NotebookFileError: It cannot be written. What was there is as it was.
    """
    nbformat: Any = importlib.import_module("nbformat")

    content = f"{nbformat.versions[FORMAT].writes_json(notebook)}\n".encode()
    target = path.resolve()  # a link stays one
    before = target.read_bytes() if target.is_file() else None
    if before == content:
        return False
    if was is not None and before is not None and _digest(before) != was:
        raise NotebookFileError("It has changed while it ran, so nothing is written: run it again.")
    try:
        put_in_place(target, [content])
    except OSError as error:
        raise NotebookFileError(
            f"{path} cannot be written: {error.strerror or error}. What was there is as it was."
        ) from error
    return True


def _content(path: Path) -> bytes:
    try:
        if (size := path.stat().st_size) > MOST_BYTES:
            raise NotebookFileError(
                f"It is too large to run ({size // 1_000_000:,} MB): clear its outputs first."
            )
        return path.read_bytes()
    except OSError as error:
        raise NotebookFileError(f"It cannot be read: {error.strerror or error}.") from error


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _json(text: str) -> object:
    if not text.strip():
        raise NotebookFileError(f"It is empty. {RESTORE}")
    try:
        return json.loads(text)
    except RecursionError as error:
        raise NotebookFileError("It is no notebook: it is nested too deeply.") from error
    except json.JSONDecodeError as error:
        if "\n<<<<<<< " in f"\n{text}":
            why = "It holds a merge conflict: resolve that first."
        elif error.pos >= len(text.rstrip()) - LAST_PART or error.msg.startswith("Unterminated"):
            why = f"It is cut off at line {text.count(chr(10)) + 1}. {RESTORE}"
        else:
            why = f"It is no notebook: line {error.lineno} is not JSON ({error.msg})."
        raise NotebookFileError(why) from error


def _checked(value: object) -> dict[str, Any]:
    """What was read, if it has the shape of a notebook, as far as it is used."""
    if not is_dict(value):
        raise NotebookFileError("It is JSON, but no notebook.")
    fields = value
    major, minor = fields.get("nbformat"), fields.get("nbformat_minor", 0)
    has_cells = "cells" in fields or "worksheets" in fields
    if type(major) is not int or type(minor) is not int or not has_cells:
        raise NotebookFileError("It is JSON, but no notebook: it has no nbformat or no cells.")
    if major > FORMAT:
        raise NotebookFileError(
            f"It is of notebook format {major}; this reads formats up to {FORMAT}: update nbformat."
        )
    if not isinstance(fields.setdefault("metadata", {}), dict):
        raise NotebookFileError("It is JSON, but no notebook: its metadata have no names.")
    cells = fields.get("cells", [])
    if not is_list(cells):
        raise NotebookFileError("It is JSON, but no notebook: its cells are no list.")
    for place, cell in enumerate(cells, 1):
        if not _is_cell(cell):
            raise NotebookFileError(f"Cell {place} of it is none: it lacks a type or a source.")
    return fields


def _is_cell(cell: object) -> bool:
    if not is_dict(cell):
        return False
    outputs, source = cell.get("outputs", []), cell.get("source")
    lines = source if is_list(source) else [source]
    return (
        isinstance(cell.get("cell_type"), str)
        and all(isinstance(one, str) for one in lines)
        and is_dict(cell.get("metadata", {}))
        and is_list(outputs)
        and all(map(is_dict, outputs))
    )


def _notebook(fields: dict[str, Any]) -> Any:
    """The notebook, brought to format 4; nothing of it is validated, which may take minutes."""
    nbformat: Any = importlib.import_module("nbformat")  # slow to import

    for cell in fields.get("cells", ()):
        cell.setdefault("metadata", {})
        if cell["cell_type"] == "code":
            cell.setdefault("outputs", [])
            cell.setdefault("execution_count", None)
    major, minor = fields["nbformat"], fields.setdefault("nbformat_minor", 0)
    try:
        notebook = nbformat.versions[major].to_notebook_json(fields, minor=minor)
        return nbformat.converter.convert(notebook, FORMAT)
    except Exception as error:
        raise NotebookFileError(f"It is no notebook that nbformat reads: {error}.") from error


def is_trusted(notebook: Any) -> bool:  # Any: nbformat and jupyter_core have no types
    """Whether the outputs of a notebook were signed as they are."""
    with suppress(*UNSIGNED):
        return bool(_notary().check_signature(notebook))
    return False


def sign(notebook: Any) -> None:
    """Sign the outputs of a notebook; where that cannot be, it stays as it is."""
    with suppress(*UNSIGNED):
        _notary().sign(notebook)


def _notary() -> Any:
    """Jupyter's; nbformat before 5.11 needs its folder, which Jupyter makes when it first runs."""
    data = Path(importlib.import_module("jupyter_core.paths").jupyter_data_dir())
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    return importlib.import_module("nbformat.sign").NotebookNotary()
