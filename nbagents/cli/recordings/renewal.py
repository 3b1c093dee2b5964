"""`nbagents recording prune` and `refresh`: drops what no run uses, and has models answer anew.

What is used is found by running the notebook from its recording. No date of last use is kept: a
replay writes nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from nbagents.cli.recordings.execution import run_for
from nbagents.cli.recordings.sources import Source, of_file, sources
from nbagents.cli.terminal import say
from nbagents.errors import RecordingError
from nbagents.recordings import recording_beside
from nbagents.runs.wording import counted, size

if TYPE_CHECKING:
    import argparse

ASK: Final = "import json; from nbagents.recordings import used_ids; print(json.dumps(used_ids()))"


def prune(options: argparse.Namespace) -> int:
    """Run the notebook, and drop the rest."""
    source = _file(options)
    used = set(_printed(run_for(options, "replay", ASK)))
    source.read()
    before = source.recording.exchanges()
    needed = [one for one in before if one.id in used]
    if not needed:
        raise RecordingError(
            f"No run of {options.notebook} has used {source.path.name}, so nothing is dropped: look"
            " whether the notebook uses another recording."
        )
    if options.dry_run:
        for one in before:
            if one.id not in used:
                say(f"line {one.line}  {one.day}  {one.model}  {one.prompt[:80]}")
        say(f"{counted(len(before) - len(needed), 'exchange')} of {len(before)} not used.")
        return 0
    dropped = source.recording.keep_only(lambda one: one.id in used)
    left = counted(len(source.recording.exchanges()), "exchange")
    say(f"{source.name}: {counted(dropped, 'line')} dropped, {left} left.")
    return 0


def _file(options: argparse.Namespace) -> Source:
    """The file that is pruned: one in a notebook is taken out first."""
    for one in sources([str(options.notebook)]):
        if one.recording.path is not None:
            return one
    raise RecordingError(
        f"The recording is in {options.notebook}: take it out with `nbagents recording extract`,"
        " prune it, and put it in again with `nbagents recording embed`."
    )


def _printed(notebook: Any) -> list[str]:  # Any: nbformat has no types
    outputs = notebook.cells[-1].outputs
    text = "".join(one.text for one in outputs if one.output_type == "stream")
    return json.loads(text.splitlines()[-1])


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
