"""`nbagents recording ls` and `verify`: what there is, and whether it is as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.cli.recordings.sources import Source, sources
from nbagents.cli.terminal import say
from nbagents.errors import RecordingError
from nbagents.runs.wording import clipped, counted, size

if TYPE_CHECKING:
    import argparse

    from nbagents.recordings import Recording

MOST_MODELS: Final = 3
WIDTH: Final = 80


def list_all(options: argparse.Namespace) -> int:
    """Say of each recording how much is in it; 1 if one cannot be read."""
    found = sources(options.what)
    if not found:
        say("There are no recordings.")
    return max((_listed(one, is_long=options.all) for one in found), default=0)


def _listed(source: Source, *, is_long: bool) -> int:
    try:
        source.read()
    except RecordingError as error:
        say(f"{source.name}  {error}")
        return 1
    recording = source.recording
    parts = [
        counted(len(recording.exchanges()), "exchange"),
        *([counted(count, "result")] if (count := len(recording.results())) else []),
        _models(recording.models()),
        _dates(recording.days()),
        size(source.size),
        *([counted(len(recording.damaged), "damaged line")] if recording.damaged else []),
    ]
    say(f"{source.name}  {', '.join(filter(None, parts))}")
    for one in recording.exchanges() if is_long else ():
        asked = clipped(" ".join(one.prompt.split()), WIDTH)
        say(f"  line {one.line}  {one.day}  {one.model}  {asked}")
    return 0


def _models(names: tuple[str, ...]) -> str:
    more = len(names) - MOST_MODELS
    return ", ".join([*names[:MOST_MODELS], *([f"{more} more models"] if more > 0 else [])])


def _dates(days: tuple[str, ...]) -> str:
    known = sorted(filter(None, days))
    if not known:
        return ""
    return known[0] if known[0] == known[-1] else f"{known[0]} to {known[-1]}"


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
