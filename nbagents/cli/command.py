"""What stands after `nbagents`, and which command it is."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import nbagents
from nbagents.cli.demo import add_demo
from nbagents.cli.doctor import add_doctor
from nbagents.cli.recordings import add_recording
from nbagents.cli.run import add_run
from nbagents.cli.terminal import say
from nbagents.cli.test import add_test
from nbagents.cli.view import add_view
from nbagents.installation import MEND, conflict

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (add_demo, add_run, add_test, add_view, add_recording, add_doctor)
"""What declares each command, in the order of the help: a parser whose default `act` runs it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: What stands after `nbagents`; `None`: what the process was given.

    Returns:
        The exit code.
    """
    if mixed := conflict():
        say(f"{mixed} {MEND}")
    if not hasattr(nbagents, "load_ipython_extension"):
        return 1  # what is imported is not ours
    parser = declared()
    options = parser.parse_args(arguments)
    if not hasattr(options, "act"):
        parser.print_help()
        return 2
    return options.act(options)


def declared() -> argparse.ArgumentParser:
    """What reads the words after `nbagents`, with each command."""
    what = (nbagents.__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="nbagents", description=what)
    parser.add_argument("--version", action="version", version=f"nbagents {nbagents.__version__}")
    commands = parser.add_subparsers(metavar="command")
    for add in COMMANDS:
        add(commands)
    return parser
