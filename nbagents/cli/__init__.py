"""The command `nbagents`: one file for each of its commands, which loads what it needs."""

from nbagents.cli.command import main

__all__ = ["main"]
