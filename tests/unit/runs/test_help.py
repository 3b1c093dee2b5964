"""What `help()` says of what users hold in their hands begins with what they need."""

from __future__ import annotations

import inspect

import pytest

import nbagents as nba
from nbagents.runs.wording.call import Call
from nbagents.tools.values.handles import Handles

FIRST_LINES = 24
NEEDED: dict[type, tuple[str, ...]] = {
    nba.Run: ("text", "output", "status", "calls", "values", "usage", "messages", "wait()"),
    Call: ("arguments", "content", "value", "status", "failure"),
    nba.Agent: ("run(prompt)", "arun", "start", "stream", "resume"),
    Handles: ('run.values["r1"]', "list(run.values)"),
}


@pytest.mark.parametrize("kind", NEEDED, ids=lambda kind: kind.__name__)
def test_help_begins_with_what_is_needed(kind: type) -> None:
    said = (inspect.getdoc(kind) or "").splitlines()
    first = "\n".join(said[:FIRST_LINES])
    assert [word for word in NEEDED[kind] if word not in first] == []
