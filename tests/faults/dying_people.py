"""A process that dies while people are asked: killed at each event, and gone on with by the next.

`python -m tests.faults.dying_people FOLDER EVERY` forks two children a kill: one is killed right
after its nth event was committed, where n is 1 and every so many more, and another one resumes its
run. All write the same log, each its own session; what tools did and who was asked what is noted in
files beside it.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import nbagents as nba
from nbagents.messages import AssistantMessage, CallRequest, ToolMessage
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.drive import entrance as door
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session
from tests.faults.dying import DyingLog, child_dies

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.models.model import ModelRequest
    from nbagents.runs.plan.plan import Plan
    from nbagents.runs.state.desk import Await
    from nbagents.runs.state.run.run import Run

__all__ = ["LOG", "STEP", "Notes", "notes_of", "sessions_of", "sessions_of_two"]

LOG: Final = "log.sqlite3"
MOST_STEPS: Final = 6
CONSENT: Final = {
    "edited": nba.Answer(action="approve", arguments={"path": "b2"}, note="b2 is meant"),
    "denied": nba.Answer(action="deny", note="not that one"),
}
"""What the person says to calls that need consent; to all others, yes."""
VALUES: Final[Mapping[str, Sequence[Any]]] = {
    "paint": ["red", {"answer": "L"}],
    "knock": [None, None],
    "post": [{"to": "Oslo"}],
    "weigh": [{"weigh": "7 kg"}],
}
"""What they answer, by call, where it asks for text or values, and where it gives options."""
TOLD_AT: Final = 30
"""The event at which a process is killed whose successor is killed, too: much is open there."""
STEP: Final = 5
"""Each of how many events of that successor is killed after; all would take long."""


@dataclass(slots=True)
class Notes:
    """What happened beside the log, a line each, in order."""

    did: list[str] = field(default_factory=list[str])
    """What tools have done: the call's id, and what."""
    asked: list[str] = field(default_factory=list[str])
    """What the person was asked: the kind, the call's id, and the question."""
    status: str = ""
    """How the run ended, or what was said instead."""
    told: dict[str, str] = field(default_factory=dict[str, str])
    """What the model was told of each call."""


class Notebook:
    """Where one process notes what happens, at once.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def note(self, kind: str, what: object) -> None:
        with self._path.open("a") as file:
            file.write(json.dumps([kind, what]) + "\n")


def notes_of(folder: Path, name: str) -> Notes:
    """What a process has noted."""
    made = Notes()
    path = folder / f"{name}.jsonl"
    for line in path.read_text().splitlines() if path.exists() else ():
        kind, what = json.loads(line)
        if kind in ("did", "asked"):
            getattr(made, kind).append(what)
        else:
            setattr(made, kind, what)
    return made


def tools_of(notebook: Notebook) -> dict[str, nba.Tool]:
    def did(ctx: nba.Context, what: str) -> str:
        notebook.note("did", f"{ctx.call_id}: {what}")
        return what

    def look(ctx: nba.Context) -> str:
        """Look."""
        return did(ctx, "looked")

    @nba.tool(ask=True)
    def wipe(path: str, ctx: nba.Context) -> str:
        """Wipe."""
        return did(ctx, f"wiped {path}")

    @nba.tool(thread=True)
    def paint(ctx: nba.Context) -> str:
        """Paint, in a colour and a size that are asked for."""
        colour = ctx.ask("Which colour?")
        size = ctx.ask("Which size?", options=["S", "L"])
        return did(ctx, f"painted {colour} {size}")

    async def knock(ctx: nba.Context) -> str:
        """Knock, if they are not too tired."""
        is_open = await ctx.confirm("Are you in?")
        return did(ctx, "came in" if is_open else "went away")

    def post(to: str, ctx: nba.Context) -> str:
        """Post."""
        return did(ctx, f"posted to {to}")

    @nba.tool(external=True)
    def weigh(what: str) -> str:
        """Weigh."""
        raise AssertionError(what)

    made = [nba.Tool(look), wipe, paint, nba.Tool(knock), nba.Tool(post), weigh]
    return {one.name: one for one in made}


def answers(notebook: Notebook) -> Callable[[Await], nba.Answer]:
    """What the person says."""

    def answer(question: Await) -> nba.Answer:
        words = question.text or question.title
        notebook.note("asked", f"{question.kind} {question.call_id} {words}")
        if question.kind == "confirmation":
            return CONSENT.get(question.call_id or "", nba.Answer(action="approve"))
        value = VALUES[question.call_id or ""][len(question.questions)]
        return nba.Answer(action="deny" if value is None else "answer", value=value)

    return answer


def in_turn(*steps: Sequence[CallRequest], text: str) -> ScriptedModel:
    """Says what comes next, however much of it was said in another process."""

    def say(request: ModelRequest) -> ModelTurn:
        said = sum(isinstance(one, AssistantMessage) for one in request.messages)
        return ModelTurn(calls=tuple(steps[said])) if said < len(steps) else ModelTurn(text=text)

    return ScriptedModel([say] * MOST_STEPS)


def asked_for(call_id: str, name: str, **arguments: object) -> CallRequest:
    return CallRequest(id=call_id, name=name, arguments=json.dumps(arguments))


def boss(notebook: Notebook, *, suspends: bool) -> nba.Agent:
    """Asks in every way at once, then asks an agent that may suspend it all, then answers."""
    tools = tools_of(notebook)
    low = nba.Agent(
        "low",
        tools=[tools["wipe"], tools["look"]],
        model=in_turn(
            [asked_for("low-look", "look")], [asked_for("low-wipe", "wipe", path="l")], text="low"
        ),
    )
    middle = nba.Agent(
        "middle",
        tools=[low.as_tool("ask_low", "Ask.")],
        model=in_turn([asked_for("ask-low", "ask_low", input="Wipe l.")], text="middle"),
    )
    late = nba.Agent(
        "late",
        tools=[tools["wipe"]],
        model=in_turn([asked_for("late-wipe", "wipe", path="z")], text="late"),
        on_await="suspend" if suspends else None,
    )
    together = [
        asked_for("look", "look"),
        asked_for("approved", "wipe", path="a"),
        asked_for("edited", "wipe", path="b"),
        asked_for("denied", "wipe", path="d"),
        asked_for("paint", "paint"),
        asked_for("knock", "knock"),
        asked_for("post", "post"),
        asked_for("weigh", "weigh", what="it"),
        asked_for("middle", "ask_middle", input="Go down."),
    ]
    later = [asked_for("late", "ask_late", input="Wipe z."), asked_for("look-2", "look")]
    return nba.Agent(
        "boss",
        tools=[
            *tools.values(),
            middle.as_tool("ask_middle", "Ask."),
            late.as_tool("ask_late", "Ask."),
        ],
        model=in_turn(together, later, text="That was it."),
        on_await=answers(notebook),
        on_missing="ask",
    )


def sessions_of(nth: int) -> tuple[str, str]:
    """The session of the process that is killed at its nth event, and of the one after it."""
    return f"killed-{nth:03}", f"after-{nth:03}"


def sessions_of_two(nth: int) -> tuple[str, str, str]:
    """Those of one that is killed, of the next that is killed at its nth event, and of the last."""
    return f"first-{nth:03}", f"second-{nth:03}", f"third-{nth:03}"


def run_in(folder: Path, name: str, *, before: str | None = None, at: int = 0) -> None:
    """Run, or go on with what another process has begun, and note how it ends.

    Args:
        folder: Where the log and the notes are.
        name: The session.
        before: The session to go on with.
        at: The event at which the process dies, if it does.
    """
    notebook = Notebook(folder / f"{name}.jsonl")
    log = DyingLog(folder / LOG, at=at) if at else SqliteLog(folder / LOG)
    session = Session(log, session_id=name)
    agent = boss(notebook, suspends=before is None)
    try:
        run, plan = begun(agent, session, before)
        door.run_blocking(run, plan)
        told = {one.call_id: one.content for one in run.messages if isinstance(one, ToolMessage)}
        notebook.note("told", told)
        notebook.note("status", run.status)
    except (nba.NbagentsError, ValueError) as error:
        notebook.note("status", f"{type(error).__name__}: {error}")
    log.close()


def begun(agent: nba.Agent, session: Session, before: str | None) -> tuple[Run, Plan]:
    """A run that begins, or that goes on with the one of another session."""
    if before is None:
        return agent.begin("Go.", session)
    (left,) = session.log.entries(limit=2, session_id=before)
    return agent.begin_resumed(left.run_id, log=session)


def main(folder: Path, every: int) -> None:
    """Kill one process after the other, until one has not so many events; and go on with each."""
    boss(Notebook(folder / "none"), suspends=True).begin("Never driven.", "memory")
    nth, dies = 1, True
    while dies:
        first, second = sessions_of(nth)
        dies = child_dies(partial(run_in, folder, first, at=nth))
        child_dies(partial(run_in, folder, second, before=first))
        nth += every
    nth, dies = 1, True
    while dies:
        first, second, third = sessions_of_two(nth)
        child_dies(partial(run_in, folder, first, at=TOLD_AT))
        dies = child_dies(partial(run_in, folder, second, before=first, at=nth))
        if dies:
            child_dies(partial(run_in, folder, third, before=second))
        nth += STEP * every


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
