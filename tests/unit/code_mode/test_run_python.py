"""`run_python`: what code gives back, what it keeps, what it may not, and how it ends."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from typing import Any

import pytest

import nbagents as nba
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from tests.unit.code_mode.shop import Shop, coder, inside, told


@pytest.fixture(name="shop")
def _shop() -> Shop:
    return Shop()


def ran(shop: Shop, *codes: str, **options: Any) -> Run:
    """The run of an agent whose code needs no consent of its own."""
    tool = nba.run_python(shop.catalogue(), needs_approval=False)
    return coder(tool, *codes, **options).run("Go", log="memory")


def test_what_is_printed_and_the_last_value_come_back(shop: Shop) -> None:
    run = ran(shop, "print('two'); print(1 + 1)\n[n * n for n in range(3)]", "x = 1")
    assert told(run)[0] == "two\n2\n[0, 1, 4]"
    assert "nothing" in told(run)[1]
    (first, _) = run.tree()["runs"][run.id]["calls"].values()
    assert "two" in str(first["output"])


def test_what_apis_give_stays_in_variables(shop: Shop) -> None:
    run = ran(
        shop,
        "found = await asyncio.gather(*[apis.price(i) for i in ('tea', 'milk')])",
        "sum(one['price'] for one in found), await apis.stock('tea')",
    )
    assert told(run)[1] == "(7, 3)"
    assert inside(run) == [[("price", "done")] * 2, [("stock", "done")]]
    assert shop.most_at_once == 2
    assert "stock tea main" in shop.done


def test_all_that_one_piece_calls_stands_in_one_run_inside_of_its_call(shop: Shop) -> None:
    run = ran(shop, "for i in range(5):\n    await apis.price('x' * i)")
    (child,) = run.children
    assert [one.value for one in child.calls] == [
        {"item": "x" * at, "price": at, "currency": "EUR"} for at in range(5)
    ]
    assert child.parent_call_id == run.calls[0].id


def test_variables_are_of_one_turn(shop: Shop) -> None:
    tool = nba.run_python(shop.catalogue(), needs_approval=False)
    first = coder(tool, "kept = 7", "kept").run("Go", log="memory")
    second = coder(tool, "kept").run("Go", log="memory")
    assert told(first)[1] == "7"
    assert "NameError" in told(second)[0]


def test_a_namespace_of_ones_own_is_seen_and_changed() -> None:
    mine: dict[str, Any] = {"table": [1, 2, 3]}
    tool = nba.run_python(namespace=mine, needs_approval=False)
    run = coder(tool, "total = sum(table)").run("Go", log="memory")
    assert run.calls[0].status == "done"
    assert mine["total"] == 6
    assert "apis" not in mine


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("a = 1\nb = a / 0\n", ["ZeroDivisionError", "line 2", "b = a / 0"]),
        ("def f():\n    return g()\n\nf()", ["NameError", "line 2", "return g()"]),
        ("x = (", ["no Python", "line 1"]),
        ("await apis.nothing_such()", ["nothing_such", "line 1", "apis.search"]),
        ("await apis.price(thing='tea')", ["thing", "item: str"]),
        ("y = await apis.fail(why='so')", ["No, because so.", "line 1"]),
        ("print('before')\nraise ValueError('why')", ["before", "ValueError: why", "line 2"]),
        ("raise SystemExit(3)", ["SystemExit"]),
        ("import sys; sys.exit()", ["SystemExit"]),
        ("raise KeyboardInterrupt", ["KeyboardInterrupt"]),
        ("\0", ["no Python"]),
    ],
)
def test_errors_are_told_with_their_line(shop: Shop, code: str, words: list[str]) -> None:
    run = ran(shop, code)
    assert run.calls[0].status == "failed"
    assert all(word in told(run)[0] for word in words)
    assert run.text == "done"


def test_code_can_catch_what_fails(shop: Shop) -> None:
    code = (
        "try:\n    await apis.fail(why='so')\nexcept ToolError as error:\n    print('got', error)"
    )
    assert told(ran(shop, code)) == ["got No, because so."]


def test_code_needs_consent_unless_somebody_says_otherwise(shop: Shop) -> None:
    asked: list[Await] = []

    def answer(question: Await) -> Answer:
        asked.append(question)
        return Answer(action="deny")

    tool = nba.run_python(shop.catalogue())
    run = coder(tool, "await apis.stock('tea')", on_await=answer).run("Go", log="memory")
    assert [(one.tool_name, one.arguments) for one in asked] == [
        ("run_python", {"code": "await apis.stock('tea')"})
    ]
    assert (run.calls[0].status, shop.done) == ("denied", [])


@pytest.mark.parametrize("is_allowed", [True, False])
def test_what_code_calls_needs_its_own_consent(shop: Shop, *, is_allowed: bool) -> None:
    asked: list[Await] = []

    def answer(question: Await) -> Answer:
        asked.append(question)
        return Answer(action="approve" if is_allowed else "deny")

    run = ran(shop, "await apis.wipe('a', deep=True)", on_await=answer)
    assert [(one.tool_name, one.arguments) for one in asked] == [
        ("wipe", {"path": "a", "deep": True})
    ]
    assert shop.done == (["wipe a True"] if is_allowed else [])
    assert inside(run) == [[("wipe", "done" if is_allowed else "denied")]]
    assert run.calls[0].status == ("done" if is_allowed else "failed")


def test_a_run_that_waits_for_consent_inside_of_code_is_suspended(shop: Shop) -> None:
    code = "try:\n    await apis.wipe('a')\nexcept Exception:\n    await apis.stock('tea')"
    run = ran(shop, code, on_await="suspend")
    assert (run.status, shop.done) == ("suspended", [])
    assert run.calls[0].status == "waiting"


def test_limits_hold_for_what_code_calls(shop: Shop) -> None:
    run = ran(shop, "for i in range(9):\n    await apis.price(str(i))", max_calls=4)
    assert len(shop.done) == 3
    assert run.calls[0].status == "failed"
    assert run.status == "limit"


def test_code_that_never_ends_is_interrupted(shop: Shop) -> None:
    tool = nba.run_python(shop.catalogue(), needs_approval=False, timeout_s=0.3)
    codes = ("while True:\n    pass", "await asyncio.sleep(60)", "1 + 1")
    run = coder(tool, *codes).run("Go", log="memory")
    assert [one.status for one in run.calls] == ["timed_out", "timed_out", "done"]


def test_the_time_of_the_run_holds_in_an_await_cell(shop: Shop) -> None:
    tool = nba.run_python(shop.catalogue(), needs_approval=False)
    agent = coder(tool, "while True:\n    pass", timeout_s=0.3)
    run = asyncio.run(agent.arun("Go", log="memory"))
    assert run.calls[0].status == "timed_out"
    assert run.status == "limit"


@pytest.mark.parametrize(
    "code", ["while True:\n    pass", "await asyncio.sleep(60)", "import time\ntime.sleep(60)"]
)
def test_a_stop_ends_code_wherever_it_is(shop: Shop, code: str) -> None:
    tool = nba.run_python(shop.catalogue(), needs_approval=False)
    begun = threading.Event()
    mine: dict[str, Any] = {"begun": begun}
    tool = nba.run_python(shop.catalogue(), needs_approval=False, namespace=mine)
    agent = coder(tool, f"begun.set()\n{code}")
    started: list[Run] = []

    def stop() -> None:
        begun.wait(30)
        time.sleep(0.05)
        started[0].stop()

    thread = threading.Thread(target=stop)
    thread.start()
    run = agent.start("Go", log="memory")
    started.append(run)
    run.wait(60)
    thread.join()
    assert run.status == "cancelled"
    assert run.calls[0].status == "cancelled"


@pytest.mark.parametrize("code", ["while True:\n    pass", "import time\ntime.sleep(60)"])
def test_an_interrupt_in_an_await_cell_ends_the_run(shop: Shop, code: str) -> None:
    begun = threading.Event()
    mine: dict[str, Any] = {"begun": begun}
    tool = nba.run_python(shop.catalogue(), needs_approval=False, namespace=mine)
    agent = coder(tool, f"begun.set()\n{code}")

    over = threading.Event()

    def interrupt() -> None:
        begun.wait(30)
        # One that comes just before the sleep is heard after it: so somebody presses it again.
        while not over.wait(0.5):
            # To that very thread: else the system chooses one, and what sleeps would sleep on.
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises((asyncio.CancelledError, KeyboardInterrupt)):
            asyncio.run(agent.arun("Go", log="memory"))
    finally:
        over.set()
        thread.join()


def test_a_suspended_piece_of_code_is_not_begun_anew(shop: Shop) -> None:
    session = Session(MemoryLog())
    code = "await apis.stock('tea')\nawait apis.wipe('a')"
    tool = nba.run_python(shop.catalogue(), needs_approval=False)
    waiting = coder(tool, code, on_await="suspend").run("Go", log=session)
    assert waiting.status == "suspended"
    again = nba.Agent("coder", tools=[tool], model=ScriptedModel(["done"]))
    with pytest.raises(nba.RunError, match="No answer can be given here"):
        again.resume(waiting, answer=True, log=session)
    run = again.resume(waiting, log=session)
    assert run.text == "done"
    assert "not known how this call ended" in str(run.messages)
    assert [one.partition(" ")[0] for one in shop.done] == ["stock"]


def test_what_code_calls_is_stopped_with_it(shop: Shop) -> None:
    gone: list[str] = []

    async def slow() -> None:
        """Take a long time."""
        try:
            await asyncio.sleep(60)
        finally:
            gone.append("slow")

    tool = nba.run_python([slow], needs_approval=False, timeout_s=0.3)
    run = coder(tool, "await apis.slow()").run("Go", log="memory")
    assert (run.calls[0].status, gone) == ("timed_out", ["slow"])
    assert inside(run)[0][0][1] == "cancelled"
    assert not shop.done


def test_code_may_use_threads_sockets_and_tasks_of_its_own(shop: Shop) -> None:
    code = """
async def answer(reader, writer):
    writer.write(await reader.readline())
    await writer.drain()
    writer.close()

server = await asyncio.start_server(answer, "127.0.0.1", 0)
port = server.sockets[0].getsockname()[1]
reader, writer = await asyncio.open_connection("127.0.0.1", port)
writer.write(b"hello\\n")
line = await reader.readline()
writer.close()
await writer.wait_closed()
server.close()
task = asyncio.create_task(apis.stock("tea"))
await asyncio.sleep(0.01)
(line, await asyncio.to_thread(sum, [1, 2]), await task)
"""
    assert told(ran(shop, code)) == ["(b'hello\\n', 3, 3)"]


def test_what_code_leaves_undone_is_ended_with_it(shop: Shop) -> None:
    code = """
async def for_ever():
    try:
        await asyncio.sleep(60)
    finally:
        print("ended")

left = asyncio.create_task(for_ever())
await asyncio.sleep(0)
"""
    run = ran(shop, code, "left.cancelled()")
    assert told(run)[1] == "True"


@pytest.mark.parametrize("code", ["print('x' * 100_000)", "'x' * 100_000"])
def test_a_model_reads_no_more_than_fits(shop: Shop, code: str) -> None:
    (said,) = told(ran(shop, code))
    assert len(said) < 10_000
    assert "characters more" in said


def test_code_sees_no_apis_where_none_were_given() -> None:
    run = coder(nba.run_python(needs_approval=False), "apis").run("Go", log="memory")
    assert "NameError" in told(run)[0]


def test_it_runs_in_the_background_and_in_an_await_cell(shop: Shop) -> None:
    tool = nba.run_python(shop.catalogue(), needs_approval=False)
    code = "await apis.price('tea'), await apis.stock('tea')"
    behind = coder(tool, code).start("Go", log="memory").wait(60)
    awaited = asyncio.run(coder(tool, code).arun("Go", log="memory"))
    for run in (behind, awaited):
        assert told(run) == ["({'item': 'tea', 'price': 3, 'currency': 'EUR'}, 3)"]
