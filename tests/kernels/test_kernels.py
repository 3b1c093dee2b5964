"""What a run promises in a busy cell, on a real kernel: clicks, order, and a stop that is felt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kernels.front_end import FrontEnd
from tests.kernels.releases import RELEASES, folder_of

if TYPE_CHECKING:
    from pathlib import Path

RUN_VIEW = "nbagents_widgets.run_view.RunView"
TIMES = 3

PRELUDE = """
%load_ext nbagents
import asyncio, socket, threading, time, ipywidgets
import nbagents as nba
order = ["first"]

def asking(tool):
    call = nba.CallRequest(id="call-1", name=tool.__name__, arguments="{}")
    model = nba.ScriptedModel([nba.ModelTurn(calls=(call,)), nba.ModelTurn(text="well done")])
    return nba.Agent(tools=[tool], model=model)
"""

CLICK = """
clicks = []
button = ipywidgets.Button(description="Go")
button.on_click(lambda _button: clicks.append("click"))
display(button)

async def wait_for_click() -> str:
    '''Wait until the person clicks.'''
    while not clicks:
        await asyncio.sleep(0.01)
    return f"{len(clicks)} click"

run = asking(wait_for_click).run("Wait for me.")
print(run.status, run.calls[0].content, order)
"""

WAYS_TO_WAIT = {
    "python code": "while True: pass",
    "time.sleep": "time.sleep(3600)",
    "a socket": "ours, theirs = socket.socketpair(); ours.recv(1)",
    "an await": "await asyncio.sleep(3600)",
}


def waiting_cell(code: str) -> str:
    """A cell whose run waits for ever in a tool."""
    head = "async def" if "await" in code else "def"
    return f"""
{head} wait() -> str:
    "Wait."
    {code}

agent = asking(wait)
agent.run("Wait for ever.")
"""


def test_a_click_is_heard_while_the_cell_runs_and_queued_cells_keep_their_order(
    front_end: FrontEnd,
) -> None:
    front_end.run(PRELUDE)
    busy = front_end.execute(CLICK)
    second = front_end.execute("order.append('second')")
    third = front_end.execute("order.append('third'); print(order)")
    front_end.wait_to_see("start")
    front_end.message_comm(front_end.comm_of("ButtonModel"), {"event": "click"})
    front_end.wait_until_idle(third)
    assert front_end.errors(busy) == front_end.errors(second) == []
    assert front_end.printed(busy) == "completed 1 click ['first']\n"
    assert front_end.printed(third) == "['first', 'second', 'third']\n"


def test_the_stop_button_of_a_run_stops_it(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    busy = front_end.execute(waiting_cell("await asyncio.sleep(3600)"))
    front_end.wait_to_see("start")
    front_end.message_comm(front_end.comm_of(RUN_VIEW), {"type": "stop"})
    front_end.wait_until_idle(busy)
    assert front_end.errors(busy) == ["KeyboardInterrupt"]
    assert front_end.printed(front_end.run("print('still here')")) == "still here\n"


@pytest.mark.parametrize("with_subshell", [True], ids=["subshell"])
@pytest.mark.parametrize("code", WAYS_TO_WAIT.values(), ids=WAYS_TO_WAIT)
def test_an_interrupt_stops_a_run_while_it_waits(front_end: FrontEnd, code: str) -> None:
    front_end.run(PRELUDE)
    for nth in range(1, TIMES + 1):
        stop_once(front_end, code, nth)


def stop_once(front_end: FrontEnd, code: str, nth: int) -> None:
    """Start a run that waits, stop it, and check what is left."""
    busy = front_end.execute(waiting_cell(code))
    queued = front_end.execute("print('must not run')")
    front_end.wait_to_see("start", count=nth)
    front_end.interrupt()
    front_end.wait_until_idle(busy)
    assert front_end.errors(busy) == ["KeyboardInterrupt"]
    front_end.wait_until_idle(queued)
    assert front_end.printed(queued) == ""
    assert front_end.printed(front_end.run(LAST_RUN)) == LAST_RUN_STOPPED


AWAITED = {
    "one call": "await agent.arun('Wait.')",
    "two calls": "await asking_twice(wait).arun('Wait.')",
    "a stream": "[event async for event in agent.stream('Wait.')]",
}
ASKING_TWICE = """
def asking_twice(tool):
    ids = ("call-1", "call-2")
    calls = [nba.CallRequest(id=one, name=tool.__name__, arguments="{}") for one in ids]
    model = nba.ScriptedModel([nba.ModelTurn(calls=tuple(calls)), nba.ModelTurn(text="well done")])
    return nba.Agent(tools=[tool], model=model)
"""


@pytest.mark.parametrize("with_subshell", [True], ids=["subshell"])
@pytest.mark.parametrize("awaiting", AWAITED.values(), ids=AWAITED)
def test_an_interrupt_of_an_awaited_run_leaves_the_kernel_alive(
    front_end: FrontEnd, awaiting: str
) -> None:
    front_end.run(PRELUDE + ASKING_TWICE)
    # Printed by a thread: what the tool itself prints is its call's, and the loop is blocked.
    say = "threading.Thread(target=print, args=('started',)).start()"
    cell = waiting_cell(f"{say}; time.sleep(3600)")
    front_end.run(cell.replace('agent.run("Wait for ever.")', ""))
    busy = front_end.execute(awaiting)
    front_end.wait_for_print(busy, "started")
    front_end.interrupt()
    front_end.wait_until_idle(busy)
    assert len(front_end.errors(busy)) == 1
    assert front_end.printed(front_end.run("print('still here')")) == "still here\n"


LAST_RUN = """
from nbagents.runs.state.session import current_session
from nbagents.runs.tree.folding import fold
session = current_session()
events = session.log.read(session.session_id, limit=100_000)
newest = [event for event in events if event.run_id == events[-1].run_id]
(run,) = fold(newest)["runs"].values()
(call,) = run["calls"].values()
ends = sum(event.type == "tool_end" for event in newest)
print(run["status"], call["status"], ends, newest[-1].type)
"""
LAST_RUN_STOPPED = "cancelled cancelled 1 run_stream_end\n"


@pytest.mark.slow
@pytest.mark.parametrize("release", [one for one in RELEASES if one != "latest"])
def test_a_kernel_is_the_release_that_it_is_said_to_be(release: str, tmp_path: Path) -> None:
    with FrontEnd(folder_of(release), state=tmp_path) as front_end:
        asked = front_end.run("import ipykernel; print(ipykernel.__version__)")
    assert front_end.printed(asked).strip() == release
