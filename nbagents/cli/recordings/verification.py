"""`nbagents recording verify`: whether all lines can be read, and are as they were written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.cli.recordings.sources import Source, sources
from nbagents.cli.terminal import say
from nbagents.errors import RecordingError
from nbagents.runs.wording import counted

if TYPE_CHECKING:
    import argparse

    from nbagents.recordings import Recording


def verify(options: argparse.Namespace) -> int:
    """Say of each recording whether it is whole; 1 if one is not."""
    return max((_verified(one) for one in sources(options.what)), default=0)


def _verified(source: Source) -> int:
    try:
        source.read()
    except RecordingError as error:
        say(f"{source.name}  not readable: {error}")
        return 1
    recording = source.recording
    said = [counted(len(recording.exchanges()), "exchange"), *_damage(recording)]
    say(f"{source.name}  {'damaged' if recording.damaged else 'ok'}: {', '.join(said)}")
    for one in recording.damaged:
        say(f"  {one}")
    for line in [one.line for one in recording.exchanges() if one.is_edited]:
        say(f"  line {line} was edited by hand: what stands there now is what is asked and said")
    return int(bool(recording.damaged))


def _damage(recording: Recording) -> list[str]:
    count = len(recording.damaged)
    return [f"{counted(count, 'line')} cannot be read, the others replay"] if count else []
