"""`nbagents recording refresh`: runs a notebook live, and writes what its models answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.cli.recordings.execution import run_for
from nbagents.cli.recordings.sources import of_file
from nbagents.cli.terminal import say
from nbagents.recordings import recording_beside
from nbagents.runs.wording import counted, size

if TYPE_CHECKING:
    import argparse


def refresh(options: argparse.Namespace) -> int:
    """Run it, and say what is in its recording now."""
    run_for(options, "refresh")
    path = recording_beside(options.notebook)
    if not path.is_file():
        say(
            f"{path} was not written: no run of {options.notebook} has asked a model, or they name"
            " other recordings."
        )
        return 0
    source = of_file(path)
    source.read()
    count = counted(len(source.recording.exchanges()), "exchange")
    say(f"{source.name}: {count}, {size(source.size)}. `prune` drops what is not used.")
    return 0
