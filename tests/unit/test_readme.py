"""What the README shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[2] / "README.md"
ONE_SCREEN = 60


def block(language: str) -> str:
    """The README's code block of this language."""
    (text,) = re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    return text


@pytest.mark.medium
def test_the_ten_lines_run_without_a_key_and_print_what_they_say() -> None:
    done = subprocess.run(
        [sys.executable, "-c", block("python")],
        cwd=README.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == block("text")


def test_they_are_ten_lines() -> None:
    assert len([line for line in block("python").splitlines() if line.strip()]) <= 10


def test_the_readme_fits_one_screen() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= ONE_SCREEN


def test_what_the_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (README.parent / link).is_file()] == []
