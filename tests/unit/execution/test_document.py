"""Any file as a notebook: what is wrong with it in a sentence, and nothing lost by writing."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from nbagents.execution import NotebookFileError, choose_kernel, labels_of, read, write
from nbagents.execution import document as documents
from tests.unit.execution.written import cell, notebook, written

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = json.dumps(notebook(cell("print(1)"), cell("2")), indent=1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "It is empty"),
        (WHOLE[: len(WHOLE) // 2], "cut off at line"),
        (WHOLE[:-2], "cut off at line"),
        ("print('hello')", "line 1 is not JSON"),
        (WHOLE.replace('"print(1)"', '\n<<<<<<< HEAD\n"a"\n=======\n"b"\n>>>>>>> x\n'), "conflict"),
        ("[1, 2]", "JSON, but no notebook"),
        ('{"a": 1}', "no nbformat or no cells"),
        ('{"nbformat": 4, "cells": 3}', "its cells are no list"),
        ('{"nbformat": 4, "cells": [3]}', "Cell 1 of it is none"),
        ('{"nbformat": 9, "cells": []}', "notebook format 9"),
        ('{"nbformat": 0, "cells": []}', "no notebook that nbformat reads"),
        ('{"nbformat": 4, "nbformat_minor": "5", "cells": []}', "no nbformat or no cells"),
        ('{"nbformat": 4, "metadata": [], "cells": []}', "its metadata have no names"),
        ('{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}', "Cell 1 of it is"),
        ("[" * 100_000, "nested too deeply"),
    ],
    ids=lambda one: one[:20] if len(one) < 60 else "text",
)
def test_what_is_no_notebook_is_said_to_be_so(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "one.ipynb"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NotebookFileError, match=says):
        read(path)
    assert path.read_text(encoding="utf-8") == text


def test_bytes_that_are_no_text_are_no_notebook(tmp_path: Path) -> None:
    path = tmp_path / "one.ipynb"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NotebookFileError, match="not text"):
        read(path)


def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "one.ipynb", cell("1"))
    monkeypatch.setattr(documents, "MOST_BYTES", 10)
    with pytest.raises(NotebookFileError, match="clear its outputs"):
        read(path)


def test_a_notebook_of_an_older_format_is_read_and_written_as_of_today(tmp_path: Path) -> None:
    path = tmp_path / "old.ipynb"
    old: dict[str, object] = {
        "metadata": {"name": ""},
        "nbformat": 3,
        "nbformat_minor": 0,
        "worksheets": [
            {
                "cells": [
                    {
                        "cell_type": "code",
                        "input": ["1 + 1"],
                        "language": "python",
                        "metadata": {},
                        "outputs": [],
                    }
                ]
            }
        ],
    }
    path.write_text(json.dumps(old), encoding="utf-8")
    document = read(path)
    assert document.notebook.cells[0].source == "1 + 1"
    assert write(path, document.notebook)
    assert json.loads(path.read_text(encoding="utf-8"))["nbformat"] == 4


def test_a_notebook_that_has_only_cells_is_one(tmp_path: Path) -> None:
    path = tmp_path / "bare.ipynb"
    path.write_text('{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["x\\n", "y"]}]}')
    notebook = read(path).notebook
    assert notebook.cells[0].source == "x\ny"
    assert labels_of(notebook) == {0: "In [1]"}
    assert choose_kernel(notebook).name == "python3"
    assert write(path, notebook)


def test_writing_what_is_there_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "one.ipynb", cell("print(1)"))
    assert write(path, read(path).notebook)
    before = path.stat()
    assert not write(path, read(path).notebook)
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_a_notebook_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "one.ipynb", cell("print(1)"))
    document = read(path)
    written(path, cell("print(2)"))
    text = path.read_text(encoding="utf-8")
    with pytest.raises(NotebookFileError, match="changed while it ran"):
        write(path, document.notebook, was=document.digest)
    assert path.read_text(encoding="utf-8") == text


def test_a_disk_that_is_full_leaves_the_notebook_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "one.ipynb", cell("print(1)"))
    text, document = path.read_text(encoding="utf-8"), read(path)

    def full(*_given: object, **_named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NotebookFileError, match=r"No space left on device\. What was there is"):
        write(path, document.notebook)
    assert path.read_text(encoding="utf-8") == text


def test_a_notebook_that_names_no_kernel_is_run_by_python3_and_that_is_said(
    tmp_path: Path,
) -> None:
    path = written(tmp_path / "one.ipynb", cell("1"), kernelspec={})
    chosen = choose_kernel(read(path).notebook)
    assert (chosen.name, chosen.is_python) == ("python3", True)
    assert "names no kernel" in chosen.note


def test_a_kernel_that_is_not_here_is_named_with_those_that_are(tmp_path: Path) -> None:
    path = written(tmp_path / "one.ipynb", cell("1"), kernelspec={"name": "python33"})
    with pytest.raises(NotebookFileError, match=r"no kernel 'python33' here.*python3.*--kernel"):
        choose_kernel(read(path).notebook)


def test_another_language_without_a_kernel_is_not_taken_for_python(tmp_path: Path) -> None:
    path = written(tmp_path / "r.ipynb", cell("1"), kernelspec={}, language_info={"name": "R"})
    with pytest.raises(NotebookFileError, match="its language is 'R'"):
        choose_kernel(read(path).notebook)
