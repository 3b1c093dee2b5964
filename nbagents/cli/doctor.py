"""`nbagents doctor`: says what works here and what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.cli.terminal import say

if TYPE_CHECKING:
    import argparse


def add_doctor(commands: Any) -> None:  # Any: argparse keeps the type of its subparsers private
    """Declare `nbagents doctor`."""
    text = "say what works here and what does not, and what to do about it; nothing is sent"
    commands.add_parser("doctor", help=text, description=text).set_defaults(act=run_doctor)


def run_doctor(_options: argparse.Namespace) -> int:
    """Say what `%nbagents doctor` says in a shell; 1 if anything needs attention."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    from nbagents.notebook.extension import load
    from nbagents.notebook.reports import examine

    shell: Any = InteractiveShell(config=Config(HistoryManager={"enabled": False}))
    found = examine(load(shell).place)
    for name, one in found.items():
        say(f"{name:<10} {one.state:<8} {one.words}")
    return int(any(one.state == "problem" for one in found.values()))
