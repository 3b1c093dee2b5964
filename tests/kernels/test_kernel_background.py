"""A run in the background on a real kernel: turns between cells, stops, one display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kernels.test_kernels import LAST_RUN, PRELUDE, RUN_VIEW, waiting_cell

if TYPE_CHECKING:
    from tests.kernels.front_end import FrontEnd

RUN_JSON = "application/vnd.nbagents.run.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"

LOOKING = """
where = []

def look() -> str:
    '''Look.'''
    where.append(threading.current_thread() is threading.main_thread())
    print("printed by the tool")
    return "seen"

run = asking(look).start("Look.")
"""
HOLDING = """
go = []

async def hold() -> str:
    '''Wait for the next cell.'''
    while not go:
        await asyncio.sleep(0.01)
    return "held"

run = asking(hold).start("Hold.")
"""
BUSY = """
while not run.calls: time.sleep(0.01)
time.sleep(0.6)
print(run.calls[0].status, where)
"""

SAYS_NOTHING = pytest.mark.parametrize(
    "with_subshell",
    [pytest.param(True, id="subshell"), pytest.param(False, id="main", marks=pytest.mark.slow)],
)
"""Of tests whose page sends no message, or none that counts: it goes nowhere, whatever its way."""


def behind(cell: str) -> str:
    """The same cell, with a run in the background."""
    return cell.replace("agent.run(", "run = agent.start(")


def displays(front_end: FrontEnd) -> list[tuple[str, str, dict[str, Any]]]:
    """Each display and update: its type, its display's id, and its bundle."""
    return [
        (message["msg_type"], content["transient"].get("display_id", ""), content["data"])
        for message in front_end.messages("display_data", "update_display_data")
        if (content := message["content"])
    ]


@SAYS_NOTHING
def test_a_plain_tool_waits_for_the_cell_and_runs_on_the_main_thread_after_it(
    front_end: FrontEnd,
) -> None:
    front_end.run(PRELUDE)
    started = front_end.run(LOOKING + BUSY)
    assert front_end.printed(started) == "preparing []\n"
    front_end.wait_to_see("end")
    after = front_end.run("print(run.wait().status, where, run.calls[0].content)")
    assert front_end.printed(after) == "completed [True] seen\n"
    assert front_end.shown("progress") == ["Waiting for the kernel"]
    assert "".join(front_end.shown("print")) == "printed by the tool\n"


def test_its_one_display_is_frozen_in_its_own_place_while_another_cell_runs(
    front_end: FrontEnd,
) -> None:
    front_end.run(PRELUDE)
    front_end.run(HOLDING)
    busy = front_end.run("go.append(True)\nwhile not run.is_closed: pass\ntime.sleep(0.5)")
    front_end.wait_for_message("update_display_data")
    assert front_end.errors(busy) == []
    (first, shown_as, live), (last, frozen_as, frozen) = displays(front_end)
    assert (first, last, shown_as) == ("display_data", "update_display_data", frozen_as)
    assert WIDGET in live
    assert "outcome unknown" in live["text/plain"], "what is left if the end is never seen"
    assert set(frozen) == {RUN_JSON, "text/html", "text/plain"}
    assert "done" in frozen["text/plain"].splitlines()[0]


def test_the_stop_button_stops_it_between_cells(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    front_end.run(behind(waiting_cell("await asyncio.sleep(3600)")))
    front_end.wait_to_see("start")
    front_end.message_comm(front_end.comm_of(RUN_VIEW), {"type": "stop"})
    front_end.wait_to_see("end")
    assert front_end.printed(front_end.run("print(run.wait().status)")) == "cancelled\n"


@SAYS_NOTHING
@pytest.mark.parametrize("code", ["time.sleep(3600)", "while True: pass"])
def test_an_interrupt_between_cells_stops_the_run_and_the_kernel_lives(
    front_end: FrontEnd, code: str
) -> None:
    front_end.run(PRELUDE)
    front_end.run(behind(waiting_cell(code)))
    front_end.wait_to_see("start")
    queued = front_end.execute("print('ran afterwards')")
    front_end.interrupt()
    front_end.wait_until_idle(queued)
    assert front_end.printed(queued) == "ran afterwards\n"
    assert front_end.printed(front_end.run(LAST_RUN)) == "cancelled cancelled 1 run_stream_end\n"


def test_a_wait_in_a_cell_hears_the_stop_button_and_runs_the_tools(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    looked = front_end.run(LOOKING + "print(run.wait(100).status, where)")
    assert front_end.printed(looked) == "completed [True]\n"
    waiting = front_end.execute(
        behind(waiting_cell("await asyncio.sleep(3600)")) + "print(run.wait(100).status)"
    )
    front_end.wait_to_see("start", count=2)
    front_end.message_comm(front_end.comm_of(RUN_VIEW), {"type": "stop"})
    front_end.wait_until_idle(waiting)
    assert front_end.printed(waiting) == "cancelled\n"


@SAYS_NOTHING
def test_a_wait_that_is_interrupted_stops_the_run(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    waiting = front_end.execute(behind(waiting_cell("await asyncio.sleep(3600)")) + "run.wait()")
    front_end.wait_to_see("start")
    front_end.interrupt()
    front_end.wait_until_idle(waiting)
    assert front_end.errors(waiting) == ["KeyboardInterrupt"]
    assert front_end.printed(front_end.run("print(run.status)")) == "cancelled\n"


@SAYS_NOTHING
def test_many_runs_take_turns(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    front_end.run(LOOKING)
    front_end.run("runs = [asking(look).start('Look.') for _ in range(10)]")
    front_end.wait_to_see("end", count=11)
    after = front_end.run("print({one.wait().status for one in runs}, len(where))")
    assert front_end.printed(after) == "{'completed'} 11\n"


def test_the_stop_button_of_an_awaited_run_is_felt_while_it_waits(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    cell = waiting_cell("await asyncio.sleep(3600)")
    busy = front_end.execute(cell.replace("agent.run(", "await agent.arun("))
    front_end.wait_to_see("start")
    front_end.message_comm(front_end.comm_of(RUN_VIEW), {"type": "stop"})
    front_end.wait_until_idle(busy)
    assert front_end.errors(busy) == ["CancelledError"]
    assert front_end.printed(front_end.run("print('still here')")) == "still here\n"


@SAYS_NOTHING
def test_a_task_goes_on_after_its_cell_and_is_shown_where_it_began(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    task = 'run = asyncio.create_task(asking(look).arun("Look."))'
    front_end.run(LOOKING.replace('run = asking(look).start("Look.")', task))
    front_end.run("await asyncio.sleep(0.5); print('another cell')")
    front_end.wait_for_message("update_display_data")
    (_, shown_as, live), (_, frozen_as, frozen) = displays(front_end)
    assert (shown_as, WIDGET in live, WIDGET in frozen) == (frozen_as, True, False)
    assert "done" in frozen["text/plain"].splitlines()[0]
