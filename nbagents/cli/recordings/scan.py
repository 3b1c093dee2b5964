"""`nbagents recording scan`: looks for secrets, and never repeats one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from nbagents.cli.recordings.sources import Source, sources
from nbagents.cli.terminal import say
from nbagents.narrowing import is_dict, is_list
from nbagents.recordings import secrets_in
from nbagents.redaction import refresh
from nbagents.runs.wording import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator


def scan(options: argparse.Namespace) -> int:
    """Say where a recording holds what must not be in it; 1 if one does."""
    refresh()  # the keys of this environment
    count = 0
    for source in sources(options.what):
        found = list(_secrets(source))
        count += len(found)
        for line, like in found:
            say(f"{source.name}, line {line}: {like}")
    if count:
        say(
            f"{counted(count, 'secret')}: take {'it' if count == 1 else 'them'} back at whoever"
            " gave them, and record the notebook again with `nbagents recording refresh`, which"
            " writes none."
        )
        return 1
    say("No secrets were found.")
    return 0


def _secrets(source: Source) -> Iterator[tuple[int, str]]:
    lines = source.recording.lines.read(0).decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines, 1):
        found = {like: None for text in _texts(line) for _, like in secrets_in(text)}
        for like in found:
            yield number, like


def _texts(line: str) -> Iterator[str]:
    """What a line says, as it is said: an escape may stand within a secret."""
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        yield line
        return
    yield from _strings(value)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_dict(value):
        for name, one in value.items():
            yield name
            yield from _strings(one)
    elif is_list(value):
        for one in value:
            yield from _strings(one)
