"""`%nbagents runs` chooses and opens; `%nbagents` follows what happens, and does what is asked."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import nbagents as nba
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import call
from nbagents.notebook.extension import Extension
from nbagents.notebook.options import STATUSES
from nbagents.notebook.reports.overview import Overview
from nbagents.notebook.reports.runs_panel import Wanted, listed
from nbagents.runs.logs.sqlite import SqliteLog
from nbagents.runs.state.session import Session, open_log, use_session
from tests.unit.runs.outcome_cases import outcome_in, run_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.unit.notebook.conftest import Notebook


def fetch(page: str) -> str:
    """Fetch a page."""
    return page


def breaks() -> str:
    """Break."""
    raise ValueError("no")


def begin(prompt: str, tool: str, session: Session, **arguments: Any) -> nba.Run:
    model = nba.ScriptedModel([[call(tool, **arguments)], "Done."])
    return nba.Agent("guide", tools=[fetch, breaks], model=model).run(prompt, log=session)


@pytest.fixture(params=["memory", "sqlite"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Session:
    """A session with two runs, one of which came to nothing."""
    is_file = request.param == "sqlite"
    log = SqliteLog(tmp_path / "log.sqlite3") if is_file else open_log("memory")
    made = Session(log)
    begin("Fetch the news of Oslo", "fetch", made, page="news")
    begin("Break it in Rome", "breaks", made)
    return made


@pytest.mark.medium
@pytest.mark.parametrize(
    ("wanted", "prompts"),
    [
        ({}, ["Break it in Rome", "Fetch the news of Oslo"]),
        ({"limit": 1}, ["Break it in Rome"]),
        ({"tool": "fetch"}, ["Fetch the news of Oslo"]),
        ({"tool": "br*"}, ["Break it in Rome"]),
        ({"status": "failed"}, ["Break it in Rome"]),
        ({"status": "done"}, ["Fetch the news of Oslo"]),
        ({"words": "oslo NEWS"}, ["Fetch the news of Oslo"]),
        ({"words": "oslo rome"}, []),
        ({"cost": 0.01}, []),
    ],
)
def test_runs_are_chosen_by_what_is_wanted(
    session: Session, wanted: dict[str, Any], prompts: list[str]
) -> None:
    options: Any = {"limit": 20, **wanted}
    found = listed(session, Wanted(**options))
    assert [one.entry.prompt for one in found] == prompts


def until(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(0.005)


def plan(ctx: nba.Context) -> str:
    """Plan."""
    return ctx.ask("Where to?", options=["Oslo", "Rome"])


def overview(notebook: Notebook) -> Any:
    """What `%nbagents` shows (Any: it is asked as a page asks)."""
    extension = Extension.current
    assert extension is not None
    return Overview(extension.place)._view  # pyright: ignore[reportPrivateUsage]


def rows(view: Any, title: str) -> list[Any]:
    view.renew()
    return next(one["rows"] for one in view.shown["sections"] if one["title"] == title)


def test_what_waits_is_answered_and_what_runs_is_stopped_there(notebook: Notebook) -> None:
    use_session(Session(open_log("memory")))
    view = overview(notebook)
    assert rows(view, "Waiting for you") == rows(view, "Running") == []
    model = nba.ScriptedModel([call("plan"), "Good."])
    tools = [nba.Tool(plan, nba.ToolOptions(thread=True))]
    agent = nba.Agent("planner", tools=tools, model=model, on_await="wait")
    one = agent.start("Plan.")
    until(lambda: bool(one.awaiting))
    (waiting,) = rows(view, "Waiting for you")
    assert [act["label"] for act in waiting["acts"]] == ["Oslo", "Rome", "Go there"]
    view.answer({"act": waiting["acts"][1]["asks"]})
    one.wait()
    assert one.calls[0].content == "Rome"
    assert rows(view, "Waiting for you") == []
    with pytest.raises(ValueError, match="answered already"):
        view.answer({"act": waiting["acts"][1]["asks"]})


def test_a_call_is_not_allowed_there_for_all_of_it_must_be_seen(notebook: Notebook) -> None:
    use_session(Session(open_log("memory")))
    view = overview(notebook)
    model = nba.ScriptedModel([call("fetch", page="x"), "Good."])
    tools = [nba.Tool(fetch, nba.ToolOptions(ask=True, thread=True))]
    run = nba.Agent(tools=tools, model=model, on_await="wait").start("Fetch.")
    until(lambda: bool(run.awaiting))
    (waiting,) = rows(view, "Waiting for you")
    assert [act["label"] for act in waiting["acts"]] == ["Go there", "Deny"]
    (running,) = rows(view, "Running")
    view.answer({"act": running["acts"][1]["asks"]})
    run.wait()
    assert run.status == "cancelled"


def test_leave_that_was_given_is_taken_back_there(notebook: Notebook) -> None:
    use_session(Session(open_log("memory")))
    model = nba.ScriptedModel([[call("fetch", page="x")], "Good."])
    tool = nba.Tool(fetch, nba.ToolOptions(ask=True))
    say = nba.Answer(action="approve", remember=True)
    nba.Agent(tools=[tool], model=model, on_await=lambda _asked: say).run("Fetch.", chat="trip")
    view = overview(notebook)
    (leave,) = rows(view, "Allowed without asking")
    view.answer({"act": leave["acts"][0]["asks"]})
    assert rows(view, "Allowed without asking") == []
    (chat,) = rows(view, "Chats")
    view.answer({"act": chat["acts"][0]["asks"]})
    assert rows(view, "Chats") == []


def test_a_run_that_the_model_refused_is_among_the_denied() -> None:
    made = Session(open_log("memory"))
    model = nba.ScriptedModel([ModelTurn(text="I will not.", refused=True)])
    run = nba.Agent(model=model).run("Break it.", log=made)
    assert run.summary == "refused by the model"
    (found,) = listed(made, Wanted(limit=20, status="denied"))
    assert found.entry.run_id == run.id
    assert not listed(made, Wanted(limit=20, status="done"))


@pytest.mark.parametrize(
    ("status", "kinds"),
    [
        ("done", ["done"]),
        ("failed", ["failed"]),
        ("skipped", ["skipped"] * 2),
        ("denied", ["denied"]),
    ],
)
def test_a_status_finds_the_runs_whose_calls_came_out_so(
    status: str, kinds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    every = {outcome_in([run_of([one])]).words for one in ("done", "failed", "skipped", "denied")}
    words = outcome_in([run_of(kinds)]).words
    found = [SimpleNamespace(entry=one, summary=one) for one in every | {words}]

    def history_of(*_: object, **_more: object) -> list[SimpleNamespace]:
        return found

    monkeypatch.setattr("nbagents.notebook.reports.runs_panel.history_of", history_of)
    shown = listed(Session(open_log("memory")), Wanted(status=status, limit=10))
    assert status in STATUSES
    assert words in [one.words for one in shown]
    assert {one.words.partition(":")[0] for one in shown} == {words.partition(":")[0]}
