"""`nbagents demo` runs the tour without a key, shows each run, and fails when a cell does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this Python without a terminal."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_demo_shows_each_run_and_keeps_its_outputs_and_asks_no_model_with_a_key() -> None:
    done = run("-m", "nbagents.cli", "demo", OPENAI_API_KEY="a key", NBAGENTS_MODEL="x")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("agent (offline): done") == 4
    assert 'failed  find_place(name="Atlantis")' in done.stdout
    assert "mapAgent--setCenter(lon=-21.94" in done.stdout
    assert done.stdout.rstrip().endswith("-m jupyterlab build/demo/tour.ipynb")
    tour = json.loads((ROOT / "build" / "demo" / "tour.ipynb").read_text(encoding="utf-8"))
    shown = [cell for cell in tour["cells"] if cell.get("outputs")]
    runs = [cell for cell in shown if "%agent" in "".join(cell["source"])]
    assert len(runs) == 4


def test_a_cell_that_fails_is_shown_and_fails_the_demo(tmp_path: Path) -> None:
    notebook = tmp_path / "broken.ipynb"
    cell: dict[str, object] = {
        "cell_type": "code",
        "id": "broken",
        "metadata": {},
        "source": "1 / 0",
        "execution_count": None,
        "outputs": [],
    }
    content: dict[str, object] = {
        "cells": [cell],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    notebook.write_text(json.dumps(content), encoding="utf-8")
    code = f"""
import pathlib, sys
from nbagents.cli.demo import execute
sys.exit(not execute(pathlib.Path({str(notebook)!r})))
"""
    done = run("-c", code)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stdout
    assert "Traceback" in notebook.read_text(encoding="utf-8")


def test_without_a_command_it_says_what_there_is() -> None:
    done = run("-m", "nbagents.cli")
    assert done.returncode == 2
    assert "demo" in run("-m", "nbagents.cli", "--help").stdout
