"""A recording in a notebook's metadata: the very same text comes out, and nothing else changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbagents.errors import RecordingError
from nbagents.recordings import embed, embedded, recording_in
from nbagents.recordings.embedding import read_embedded

NOTEBOOK: dict[str, Any] = {
    "cells": [],
    "metadata": {"kernelspec": {"name": "python3"}, "nbagents": {"other": 1}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
LINE = '{"nbagents_recording": 1}\n'


def saved(path: Path, content: object = NOTEBOOK) -> Path:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def with_recording(text: str | None) -> dict[str, Any]:
    notebook = json.loads(json.dumps(NOTEBOOK))
    embed(notebook, text)
    return json.loads(json.dumps(notebook))


@given(st.text())
def test_any_text_comes_out_as_it_went_in(text: str) -> None:
    assert embedded(with_recording(text), "one.ipynb") == text


def test_it_stands_line_by_line_in_the_metadata_of_the_notebook() -> None:
    kept = with_recording('{"version": 1}\n{"é": 1}\nlast')["metadata"]["nbagents"]
    assert kept == {
        "other": 1,
        "recording": {"lines": ['{"version": 1}\n', '{"é": 1}\n', "last"]},
    }


def test_taken_out_again_the_notebook_is_as_it_was() -> None:
    notebook = with_recording(LINE)
    embed(notebook, None)
    assert notebook == NOTEBOOK
    bare: dict[str, Any] = {"cells": []}
    embed(bare, LINE)
    assert embedded(bare, "one.ipynb") == LINE
    embed(bare, None)
    assert bare == {"cells": [], "metadata": {}}


@pytest.mark.parametrize("kept", [1, "text", {"lines": "text"}, {"lines": [1]}, {}])
def test_what_is_no_recording_is_said_to_be_none(tmp_path: Path, kept: object) -> None:
    metadata = {"nbagents": {"recording": kept}}
    path = saved(tmp_path / "one.ipynb", {**NOTEBOOK, "metadata": metadata})
    with pytest.raises(RecordingError, match="is no recording: embed it anew"):
        read_embedded(path)


@pytest.mark.parametrize("content", ["", "{", '["recording"]', '{"recording": ', '{"metadata": 1}'])
def test_a_file_that_is_no_notebook_holds_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "one.ipynb"
    path.write_text(content, encoding="utf-8")
    assert read_embedded(path) is None
    assert recording_in(tmp_path / "none.ipynb") is None


def test_a_notebook_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    path = saved(tmp_path / "one.ipynb", with_recording(LINE))
    first = recording_in(path)
    assert first is not None
    assert first is recording_in(path)
    saved(path, with_recording(LINE + LINE))
    later = recording_in(path)
    assert later is not None
    assert later is not first
    saved(path)
    assert recording_in(path) is None
