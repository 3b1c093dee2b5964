"""Looking at everything that a run leaves, for a key that must not be there."""

from __future__ import annotations

import json
import traceback
from pathlib import Path
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.notebook.saved.bundle import frozen_bundle
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from tests.faults.bad_server import Answer as WireAnswer
from tests.faults.bad_server import BadServer
from tests.faults.leaving import run_to_the_end
from tests.faults.wire_words import Api, answer
from tests.unit.models.provider import KEY

__all__ = ["Look", "assert_nowhere"]

PIECES = ("assistant_delta", "thought", "tool_args_delta", "tool_output_delta")
PARTS = [KEY, KEY[:10], KEY[4:], KEY.removeprefix("sk-")]
"""The key, and as much of it as would be of use to somebody."""


def assert_nowhere(said: str, where: str) -> None:
    found = [one for one in PARTS if one in said]
    assert not found, f"{where}: {said[max(0, said.index(found[0]) - 100) :][:300]}"


def assert_kept(run: Run, error: BaseException | None, log: Path, streams: str) -> None:
    """Looks everywhere where a run leaves something."""
    run.session.log.flush()
    for file in (one for one in log.parent.glob(f"{log.name}*") if one.is_file()):
        assert_nowhere(file.read_bytes().decode("utf-8", "replace"), file.name)
    assert_nowhere("".join(event.model_dump_json() for event in run.events), "events")
    joined: dict[tuple[str, str], str] = {}
    for event in run.events:
        if event.type in PIECES:
            place = (event.type, getattr(event, "tool_call_id", ""))
            joined[place] = joined.get(place, "") + getattr(event, "text", "")
    assert_nowhere(json.dumps([*joined.values()]), "deltas, joined")
    for name, said in frozen_bundle(run.tree(), run.id).items():
        assert_nowhere(said if isinstance(said, str) else json.dumps(said), name)
    for what in (run, run.calls, run.data, run.tree()):
        assert_nowhere(f"{what!r} {what}", "repr")
    assert_nowhere(streams, "what was printed")
    if error is not None:
        assert_nowhere("".join(traceback.format_exception(error)), "traceback")
        assert_nowhere(repr(error) + repr(vars(error).get("run")), "repr of the error")


class Look:
    """Runs agents, and looks at everything that they leave."""

    def __init__(self, session: Session, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.session = session
        self._log = log
        self._capsys = capsys

    def at(self, made: Agent, prompt: str = "Go on.") -> Run:
        ended = run_to_the_end(made, self.session, prompt)
        assert_kept(ended.run, ended.error, self._log, "".join(self._capsys.readouterr()))
        return ended.run

    def after(self, api: Api, *script: WireAnswer, tools: Any = (), **options: Any) -> Run:
        with BadServer(*script, otherwise=answer(api.text())) as server:
            return self.at(Agent(model=api.model(server.url, **options), tools=tools))
