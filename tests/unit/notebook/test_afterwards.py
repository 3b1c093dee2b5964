"""The card of a suspended run learns that somebody went on with it, also in another kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from nbagents.notebook import afterwards
from nbagents.notebook.frozen import RUN_MIME
from nbagents.runs.logs.ledger import tree_of
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.logs.sqlite import SqliteLog
from nbagents.runs.record import Run
from nbagents.runs.session import Session
from nbagents.runs.tree.people import resume_line
from nbagents.tools.tool import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, turn

if TYPE_CHECKING:
    from pathlib import Path

    from nbagents.agents import Agent


def wipe(path: str) -> str:
    """Wipe."""
    return f"wiped {path}"


def clerk(*steps: Any) -> Agent:
    return agent([*steps, "Done."], [Tool(wipe, ToolOptions(ask=True))], on_await="suspend")


def suspended(session: Session) -> Run:
    run = clerk(turn(request("a", "wipe", path="x"))).run("Go", log=session)
    assert run.status == "suspended"
    return run


class Page:
    """What was published for one display."""

    def __init__(self) -> None:
        self.bundles: list[dict[str, Any]] = []

    def publish(self, bundle: dict[str, Any], **options: Any) -> None:
        assert options == {"transient": {"display_id": "one"}, "update": True}
        self.bundles.append(bundle)


@pytest.mark.parametrize("is_elsewhere", [False, True], ids=["this kernel", "another kernel"])
def test_a_card_that_waits_learns_that_it_was_gone_on_with(
    tmp_path: Path, *, is_elsewhere: bool
) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    run, page = suspended(Session(log)), Page()
    afterwards.follow_resumed(run, page.publish, {"display_id": "one"}, "errors")
    afterwards.look_again()
    assert page.bundles == []
    other = SqliteLog(tmp_path / "log.sqlite3") if is_elsewhere else log
    later = clerk().resume(run.id, answer=True, log=Session(other))
    assert later.status == "completed"
    afterwards.look_again()
    afterwards.look_again()
    (bundle,) = page.bundles
    assert bundle[RUN_MIME]["tree"]["runs"][run.id]["resumed_by"] == later.id
    assert f"went on as {later.id}" in bundle["text/plain"]
    assert f"went on as {later.id}" in bundle["text/html"]
    for form in ("text/plain", "text/html"):
        assert "--resume" not in bundle[form]
        assert "waits for you" not in bundle[form].lower()
    other.close()
    log.close()


def test_what_a_log_shows_of_such_a_run_offers_no_line_that_would_be_refused() -> None:
    session = Session(MemoryLog())
    run = suspended(session)
    tree = afterwards.with_resumed(tree_of(session.log, session.session_id), session.log)
    assert resume_line(tree, tree["runs"][run.id]) == f"%agent --resume {run.id}"
    clerk().resume(run, answer=True)
    tree = afterwards.with_resumed(tree_of(session.log, session.session_id), session.log)
    assert resume_line(tree, tree["runs"][run.id]) == ""


def test_a_run_that_has_ended_is_not_followed() -> None:
    page = Page()
    run = agent(["Done."]).run("Go", log="memory")
    afterwards.follow_resumed(run, page.publish, {"display_id": "one"}, "errors")
    afterwards.look_again()
    assert page.bundles == []
