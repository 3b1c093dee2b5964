"""What stands after `nbagents`: a command, or a sentence that says which there are."""

from __future__ import annotations

import pytest

import nbagents
from nbagents.cli import main


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    said = capsys.readouterr().out
    assert ended.value.code == 0
    assert all(name in said for name in ("demo", "run", "test", "view", "doctor"))


def test_a_command_that_there_is_not_is_refused_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["dance"])
    assert ended.value.code == 2
    assert "demo" in capsys.readouterr().err


def test_the_version_is_ours(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.strip() == f"nbagents {nbagents.__version__}"


def test_nothing_after_the_name_is_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    said = capsys.readouterr().out
    assert "doctor" in said
    assert "pydantic" not in said  # what a module says of itself is for its readers
