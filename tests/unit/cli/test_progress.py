"""The line at the bottom of a terminal: it makes way for lines that stay, and comes back."""

from __future__ import annotations

import io

import pytest

from nbagents.cli.progress import GREEN, StatusLine, coloured
from nbagents.cli.test import painted

CLEAR = "\r\x1b[K"


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal of 20 columns to which a test writes: set by the test, after pytest's capture."""
    made = Terminal()
    monkeypatch.setattr("sys.stdout", made)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return made


def test_lines_that_stay_stand_above_the_status(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    line = StatusLine()
    line.show("one.ipynb In [1]")
    line.say("passed")
    assert terminal.getvalue() == (f"{CLEAR}one.ipynb In [1]{CLEAR}passed\n{CLEAR}one.ipynb In [1]")


def test_a_status_that_is_the_same_is_not_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    line = StatusLine()
    line.show("one")
    line.show("one")
    assert terminal.getvalue() == f"{CLEAR}one"


def test_a_status_is_never_longer_than_the_terminal_is_wide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = terminal_of(monkeypatch)
    StatusLine().show("x" * 100)
    assert terminal.getvalue() == f"{CLEAR}{'x' * 18}…"


def test_a_status_that_ended_does_not_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    line = StatusLine()
    line.show("one")
    line.show("")
    line.say("done")
    assert terminal.getvalue() == f"{CLEAR}one{CLEAR}done\n"


def test_a_file_gets_the_lines_that_stay_alone_and_no_colours(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = StatusLine()
    line.show("one")
    line.say(coloured("passed", GREEN))
    assert capsys.readouterr().out == "passed\n"


def test_what_is_added_is_green_where_nobody_wants_no_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal_of(monkeypatch)
    assert painted("+  b") == "\x1b[32m+  b\x1b[0m"
    assert painted("-  a") == "\x1b[31m-  a\x1b[0m"
    assert painted("   c") == "   c"
    monkeypatch.setenv("NO_COLOR", "1")
    assert painted("+  b") == "+  b"
