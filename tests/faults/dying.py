"""A process that dies on purpose: it runs an agent again and again, and is killed at each event.

`python -m tests.faults.dying LOG` forks one child a kill: the nth is killed right after its nth
event was committed. The last child is left alive. All write the same log, each its own session.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import nbagents as nba
from nbagents.messages import CallRequest
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.drive import entrance as door
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.events import AnyEvent

__all__ = ["CALLS", "DyingLog", "child_dies", "dying_agent", "session_of"]

CALLS = ("on-main", "on-a-thread", "on-the-loop", "unknown", "broken", "child")


class DyingLog(SqliteLog):
    """A log whose process dies when so many events are committed."""

    def __init__(self, path: Path, *, at: int) -> None:
        super().__init__(path)
        self._left = at

    def append(self, event: AnyEvent) -> None:
        """Commit the event at once."""
        super().append(event)
        self.flush()
        self._left -= 1
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)


def on_main(number: int) -> int:
    """Double on the main thread."""
    return 2 * number


@nba.tool(thread=True)
def on_a_thread(number: int) -> int:
    """Treble on a thread."""
    return 3 * number


async def on_the_loop(number: int) -> nba.Result:
    """Square on the loop."""
    return nba.Result(number * number, data={"kind": "square", "value": number})


def broken() -> None:
    """Raise."""
    raise ValueError("no luck")


async def ask_another(ctx: nba.Context) -> str:
    """Ask another agent, which makes a call of its own."""
    call = CallRequest(id="inside", name="on_main", arguments='{"number": 4}')
    model = ScriptedModel([ModelTurn(calls=(call,)), ModelTurn(text="Eight.")])
    run = await ctx.run(nba.Agent("inner", tools=[on_main], model=model), "Double 4.")
    return run.text


def dying_agent() -> nba.Agent:
    """Two steps with calls that run together, one of them a run of its own, then an answer."""
    calls = [
        CallRequest(id="on-main", name="on_main", arguments='{"number": 2}'),
        CallRequest(id="on-a-thread", name="on_a_thread", arguments='{"number": 2}'),
        CallRequest(id="on-the-loop", name="on_the_loop", arguments='{"number": 2}'),
    ]
    more = [
        CallRequest(id="unknown", name="no_such_tool", arguments="{}"),
        CallRequest(id="broken", name="broken", arguments="{}"),
        CallRequest(id="child", name="ask_another", arguments="{}"),
    ]
    script = [
        ModelTurn(text="Let me see.", calls=tuple(calls)),
        ModelTurn(calls=tuple(more)),
        ModelTurn(text="That was it."),
    ]
    tools = [on_main, on_a_thread, on_the_loop, broken, ask_another]
    return nba.Agent("dying", tools=tools, model=ScriptedModel(script))


def session_of(nth: int) -> str:
    """The session of the child that is killed at its nth event, if it has so many."""
    return f"killed-{nth:03}"


def die_at(path: Path, nth: int) -> None:
    """Run the agent, and die at the nth event."""
    log = DyingLog(path, at=nth)
    run, plan = dying_agent().begin("Go.", Session(log, session_id=session_of(nth)))
    door.run_blocking(run, plan)
    log.close()


def main(path: Path) -> None:
    """Kill one child after the other, until one has not so many events."""
    dying_agent().begin("Never driven.", "memory")  # loads what each child needs
    nth = 1
    while child_dies(partial(die_at, path, nth)):
        nth += 1


def child_dies(work: Callable[[], None]) -> bool:
    """Do some work in a child; whether it was killed."""
    child = os.fork()
    if not child:
        try:
            work()
        except BaseException:  # noqa: BLE001  a copy of a process must not go on as that one
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
