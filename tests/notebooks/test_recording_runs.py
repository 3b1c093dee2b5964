"""`nbagents recording refresh` and `prune` run the notebook, and leave it as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nbagents.cli import main

LOAD = "%load_ext nbagents"
TOOL = '%%tool\ndef double(number: int) -> int:\n    """Double a number."""\n    return 2 * number\n'


def written(path: Path, *sources: str) -> bytes:
    cells: list[dict[str, Any]] = [
        {
            "cell_type": "code",
            "id": f"cell-{at}",
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for at, source in enumerate(sources)
    ]
    # Without a kernel in its metadata, as a notebook that was written by hand.
    notebook: dict[str, Any] = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook))
    return path.read_bytes()


def test_a_notebook_is_recorded_and_what_it_does_not_use_any_more_is_dropped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NBAGENTS_MODEL", "offline")
    path, beside = tmp_path / "lesson.ipynb", tmp_path / "lesson.recording.jsonl"
    before = written(path, LOAD, TOOL, "%agent Double 21", "%agent Double 4")
    assert main(["recording", "refresh", "lesson.ipynb"]) == 0
    said = capsys.readouterr().out
    assert "It names no kernel, so python3 runs it." in said
    assert "lesson.recording.jsonl: 4 exchanges, " in said
    assert path.read_bytes() == before

    written(path, LOAD, TOOL, "%agent Double 21")
    recorded = beside.read_bytes()
    assert main(["recording", "prune", "--dry-run", "lesson.ipynb"]) == 0
    assert "2 exchanges of 4 not used" in capsys.readouterr().out
    assert beside.read_bytes() == recorded
    assert main(["recording", "prune", "lesson.ipynb"]) == 0
    assert "2 exchanges left" in capsys.readouterr().out
    assert "Double 4" not in beside.read_text()

    written(path, LOAD, TOOL, "%agent Double 5")
    kept = beside.read_bytes()
    assert main(["recording", "prune", "lesson.ipynb"]) == 2
    said = capsys.readouterr().err
    assert "was not run to its end. In [3], %agent Double 5: RecordingMiss" in said
    assert beside.read_bytes() == kept

    written(tmp_path / "other.ipynb", LOAD, "1 + 1")
    assert main(["recording", "refresh", "other.ipynb"]) == 0
    assert "other.recording.jsonl was not written" in capsys.readouterr().out

    written(path, LOAD, "1 + 1")
    assert main(["recording", "prune", "lesson.ipynb"]) == 2
    assert "so nothing is dropped" in capsys.readouterr().err
    assert beside.read_bytes() == kept
