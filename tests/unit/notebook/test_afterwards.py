"""The card of a suspended run learns that somebody went on with it, also in another kernel."""

from __future__ import annotations

import contextlib
import gc
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.errors import ModelError
from nbagents.events import RunStart
from nbagents.notebook.saved import aftermath as afterwards
from nbagents.notebook.saved.bundle import RUN_MIME
from nbagents.runs.logs.ledger import tree_of
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session, current_session, use_session
from nbagents.runs.wording.people_words import resume_line
from nbagents.tools.tool.definition import Tool, ToolOptions
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
    *on_the_way, bundle = page.bundles
    assert len(on_the_way) <= 1  # the thread that looks may have seen it run
    assert bundle[RUN_MIME]["tree"]["runs"][run.id]["resumed_by"] == later.id
    (call,) = bundle[RUN_MIME]["tree"]["runs"][run.id]["calls"].values()
    assert (call["status"], call["content"]) == ("done", "wiped x")
    for form in ("text/plain", "text/html"):
        assert "went on in another run" in bundle[form]
    assert later.id in bundle["text/html"]  # among the facts, which open
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


class Asked:
    """A page that asks, and what it is answered."""

    def __init__(self, **runs: str) -> None:
        self.heard: list[Any] = []
        afterwards.answer_page(self, {"content": {"data": {"runs": runs}}})

    def send(self, data: dict[str, Any]) -> None:
        self.heard += data["runs"]

    def states(self) -> list[str]:
        return [
            one[RUN_MIME]["tree"]["runs"][one[RUN_MIME]["root_id"]]["status"] for one in self.heard
        ]


def ends() -> dict[str, Run]:
    session = current_session()

    def stop() -> str:
        """Stop the run."""
        session.runs[-1].stop()
        return ""

    found = {"completed": agent(["Hi."]).run("Go", log=session), "suspended": suspended(session)}
    with contextlib.suppress(ModelError):
        agent([ModelError("down")]).run("Go", log=session)
    found["failed"] = session.runs[-1]
    with contextlib.suppress(KeyboardInterrupt):
        agent([turn(request("s", "stop"))], [stop]).run("Go", log=session)
    found["cancelled"] = session.runs[-1]
    return found


def test_a_page_that_was_not_there_is_told_how_each_run_ended() -> None:
    use_session(Session(MemoryLog()))
    for status, run in ends().items():
        assert Asked(**{run.id: "unseen"}).states() == [status]
        assert Asked(**{run.id: status}).states() == []  # it knows as much


def test_of_a_run_whose_kernel_is_gone_what_happened_is_told_and_of_one_that_goes_on_nothing() -> (
    None
):
    log = MemoryLog()
    left = Session(log)
    run, _ = agent(["Hi."]).begin("Go", left)
    run.emit(lambda stamp: RunStart(**stamp, agent_name="tester", model="m", tools=()))
    use_session(Session(log))
    assert Asked(**{run.id: "unseen"}).states() == []
    run_id = run.id
    del left, run
    gc.collect()
    assert Asked(**{run_id: "unseen"}).states() == ["unknown"]
    assert Asked(nobody="unseen").states() == []


def test_a_run_that_has_ended_is_not_followed() -> None:
    page = Page()
    run = agent(["Done."]).run("Go", log="memory")
    afterwards.follow_resumed(run, page.publish, {"display_id": "one"}, "errors")
    afterwards.look_again()
    assert page.bundles == []
