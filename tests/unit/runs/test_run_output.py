"""What calls print, warn of, yield and show, while they run and beside each other."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator

import pytest

from nbagents.runs.drive.calls.call_output import TAIL, Tail
from nbagents.runs.logs.ledger import tree_of
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.runs.tree.folding import CallNode
from nbagents.tools.context.capture import current_sink
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import ShowingHost, agent, request, turn


def node(run: Run, call_id: str) -> CallNode:
    return run.tree()["runs"][run.id]["calls"][call_id]


def printed(run: Run, call_id: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for part in node(run, call_id)["output"]:
        texts[part["stream"]] = texts.get(part["stream"], "") + part["text"]
    return texts


def test_what_a_tool_prints_goes_to_its_call(capsys: pytest.CaptureFixture[str]) -> None:

    def talk() -> str:
        print("a word")
        sys.stderr.write("oh\n")
        return "done"

    run = agent([turn(request("a", "talk")), "ok"], [talk]).run(
        "Go", log="memory", host=ShowingHost()
    )
    assert printed(run, "a") == {"stdout": "a word\n", "stderr": "oh\n"}
    assert capsys.readouterr() == ("", "")


@pytest.mark.medium
def test_a_warning_goes_to_the_call_that_raised_it() -> None:
    script = """
import warnings
import nbagents as nba

def talk():
    warnings.warn("careful")

model = nba.ScriptedModel([nba.CallRequest(id="a", name="talk", arguments="{}"), "ok"])
run = nba.Agent(tools=[talk], model=model).run("Go", log="memory")
print(run.tree()["runs"][run.id]["calls"]["a"]["output"])
"""  # pytest keeps warnings to itself
    command = [sys.executable, "-c", script]
    said = subprocess.run(command, capture_output=True, check=True, text=True)
    assert "'stream': 'stderr'" in said.stdout
    assert "UserWarning: careful" in said.stdout


def test_where_nobody_shows_the_run_prints_are_heard_as_well(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def talk() -> None:
        print("a word")

    run = agent([turn(request("a", "talk")), "ok"], [talk]).run("Go", log="memory")
    assert printed(run, "a") == {"stdout": "a word\n"}
    assert capsys.readouterr().out == "a word\n"


def test_parallel_calls_do_not_mix_what_they_print() -> None:
    meeting = threading.Barrier(2)

    def on_thread(word: str) -> None:
        for _ in range(20):
            meeting.wait(5)
            print(word)

    async def on_loop(word: str) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
            print(word)

    threaded = Tool(on_thread, ToolOptions(thread=True))
    names = {"a": "on_thread", "b": "on_thread", "c": "on_loop", "d": "on_loop"}
    calls = [request(key, tool, word=key) for key, tool in names.items()]
    run = agent([turn(*calls), "ok"], [threaded, on_loop]).run(
        "Go", log="memory", host=ShowingHost()
    )
    assert {key: printed(run, key)["stdout"] for key in names} == {
        key: f"{key}\n" * 20 for key in names
    }


def test_the_streams_are_given_back_after_a_run() -> None:
    before = sys.stdout, sys.stderr
    agent(["ok"]).run("Go", log="memory")
    assert (sys.stdout, sys.stderr) == before


def test_of_a_flood_of_prints_beginning_and_end_are_kept_and_what_lies_between_is_counted() -> None:
    def flood() -> None:
        for number in range(3_000):
            print(f"{number:04}" + "x" * 995)

    run = agent([turn(request("a", "flood")), "ok"], [flood]).run(
        "Go", log="memory", host=ShowingHost()
    )
    text = printed(run, "a")
    lines = text["stdout"].splitlines()
    assert (lines[0][:4], lines[-1]) == ("0000", "2999" + "x" * 995)
    assert 1_990_000 < len(text["stdout"]) <= 2_000_000
    left_out = 3_000_000 - len(text["stdout"])
    said = f"{left_out:,} characters are left out here: the log keeps the beginning and the end"
    assert text["log"] == f"\n[Cut: {said}.]\n"


def test_the_end_of_a_flood_begins_with_a_line_so_that_no_half_secret_stands_there() -> None:
    tail = Tail()
    tail.add("stdout", "x" * TAIL + "half of a key\nwhole\n")
    tail.add("stderr", "line\n")
    left_out, kept = tail.end()
    assert kept == [("stdout", "whole\n"), ("stderr", "line\n")]
    assert left_out == TAIL + len("half of a key\n")
    assert sum(len(text) for _, text in kept) == len("whole\nline\n")
    one_line = Tail()
    one_line.add("stdout", "x" * (TAIL + 1))
    assert one_line.end() == (TAIL + 1, [])


def test_ten_thousand_lines_are_all_in_the_log() -> None:
    def count() -> None:
        for number in range(10_000):
            print(f"line {number} " + "x" * 60)

    session = Session(MemoryLog())
    agent([turn(request("a", "count")), "ok"], [count]).run("Go", log=session, host=ShowingHost())
    (run,) = tree_of(session.log, session.session_id)["runs"].values()
    (output,) = run["calls"]["a"]["output"]
    lines = output["text"].splitlines()
    assert (len(lines), lines[-1][:10]) == (10_000, "line 9999 ")


def test_a_print_is_heard_while_the_call_goes_on() -> None:
    heard: list[str] = []
    goes_on = threading.Event()

    def talk() -> None:
        print("one")
        print("two")
        assert goes_on.wait(5), "the second print came only at the end"

    async def main() -> None:
        doing = agent(
            [turn(request("a", "talk")), "ok"], [Tool(talk, ToolOptions(thread=True))]
        ).stream("Go", log="memory")
        async for event in doing:
            if event.type == "tool_output_delta":
                heard.append(event.text)
            if "".join(heard) == "one\ntwo\n":
                goes_on.set()

    asyncio.run(main())


def test_what_a_generator_yields_is_progress_and_what_it_returns_the_result() -> None:
    def steps() -> Iterator[str]:
        yield "first"
        yield "second"
        return "all"

    async def later() -> AsyncIterator[int]:
        yield 1
        yield 2

    run = agent([turn(request("a", "steps"), request("b", "later")), "ok"], [steps, later]).run(
        "Go", log="memory"
    )
    updates = [event.message for event in run.events if event.type == "tool_update"]
    assert sorted(updates) == ["1", "2", "first", "second"]
    assert [call.content for call in run.calls] == ["all", "[1,2]"]


def test_a_payload_is_updated_while_the_call_goes_on() -> None:
    def work(ctx: Context) -> str:
        shown = ctx.show({"kind": "bar", "done": 1})
        ctx.update_data(shown, {"kind": "bar", "done": 2})
        return "ok"

    run = agent([turn(request("a", "work")), "ok"], [work]).run("Go", log="memory")
    (payload,) = node(run, "a")["payloads"]
    assert payload["payload"]["value"] == {"done": 2}


def test_what_a_tool_logs_goes_to_its_call_also_through_handlers_made_before() -> None:
    written = io.StringIO()
    with contextlib.redirect_stderr(written):
        handler = logging.StreamHandler()
        logger = logging.getLogger("tests.talk")
        logger.addHandler(handler)

        def talk() -> None:
            logger.warning("careful")

        try:
            run = agent([turn(request("a", "talk")), "ok"], [talk]).run(
                "Go", log="memory", host=ShowingHost()
            )
            logger.warning("outside")
        finally:
            logger.removeHandler(handler)
    assert printed(run, "a") == {"stderr": "careful\n"}
    assert written.getvalue() == "outside\n"


def test_displays_are_named_by_their_order_and_not_by_a_random_id() -> None:
    def show() -> None:
        sink = current_sink()
        assert sink is not None
        for text in ("one", "two"):
            sink.bundle({"text/plain": text}, {}, display_id="77d3")
        sink.bundle({"text/plain": "other"}, {})

    run = agent([turn(request("a", "show")), "ok"], [show]).run("Go", log="memory")
    payloads = node(run, "a")["payloads"]
    assert [one["id"] for one in payloads] == ["a/display-1", "a/display-2"]
    assert payloads[0]["payload"]["value"]["data"] == {"text/plain": "two"}


def test_a_flood_of_progress_is_thinned_and_its_last_word_kept() -> None:
    def steps() -> Iterator[int]:
        yield from range(5_000)

    run = agent([turn(request("a", "steps")), "ok"], [steps]).run("Go", log="memory")
    updates = [event.message for event in run.events if event.type == "tool_update"]
    assert len(updates) < 1_000
    assert updates[-1] == "4999"
