"""Notebooks are signed as Jupyter signs them, wherever that can be."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

import pytest

from nbagents.execution import is_trusted, sign

# Any in this file: nbformat has no types.


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Jupyter's data folder, of a machine on which it has never run."""
    folder = tmp_path / "share" / "jupyter"
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(folder))
    return folder


def notebook() -> Any:
    v4 = importlib.import_module("nbformat.v4")
    output = v4.new_output("display_data", data={"text/html": "<b>all</b>"})
    return v4.new_notebook(cells=[v4.new_code_cell("1", outputs=[output])])


@pytest.mark.usefixtures("data")
def test_what_was_signed_is_trusted_and_nothing_else() -> None:
    signed = notebook()
    assert not is_trusted(signed)
    sign(signed)
    assert is_trusted(signed)
    signed.cells[0].outputs[0].data["text/html"] = "<b>another</b>"
    assert not is_trusted(signed)


def test_the_folder_is_there_before_a_notary_looks_for_it(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As nbformat before 5.11 expects: it opens its files there, and makes no folder."""
    module = importlib.import_module("nbformat.sign")
    makes: Any = module.NotebookNotary
    found: list[bool] = []

    def notary() -> Any:
        found.append(data.is_dir())
        return makes()

    monkeypatch.setattr(module, "NotebookNotary", notary)
    sign(notebook())
    assert found == [True]


def test_where_nothing_can_be_signed_nothing_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file stands where the folder would be, which stops even root."""
    (tmp_path / "share").write_text("")
    monkeypatch.setenv("JUPYTER_DATA_DIR", os.fspath(tmp_path / "share" / "jupyter"))
    sign(notebook())
    assert not is_trusted(notebook())
