"""Where no page can answer, a person does by typing: on a real kernel, over its stdin channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.kernels.front_end import FrontEnd

pytestmark = pytest.mark.parametrize("with_subshell", [True], ids=["subshell"])

PRELUDE = """
%load_ext nbagents
%config NbAgents.display = "text"
import nbagents as nba
from types import SimpleNamespace
from nbagents.models.scripted import call

disk = SimpleNamespace(done=[])  # its state: a list that stood alone would be part of the tool

@nba.tool(ask=True)
def wipe(path: str) -> str:
    "Wipe."
    disk.done.append(path)
    return f"wiped {path}"

@nba.tool
def ask(ctx: nba.Context) -> str:
    "Ask for a city, and for words."
    city = ctx.ask("Which city?", options=["Oslo", "Rome"])
    return city + ": " + ctx.ask("What about it?")

@nba.tool(thread=True)
def ask_on_a_thread(ctx: nba.Context) -> str:
    "Ask on a thread."
    return ctx.ask("Which thread?")

def boss(*steps, tools=(wipe, ask, ask_on_a_thread)):
    return nba.Agent("boss", tools=tools, model=nba.ScriptedModel([*steps, "That was it."]))

def told(run):
    print(run.status, [(one.status, one.content) for one in run.calls], disk.done)
"""
WIPE = 'run = boss(call("wipe", path="a")).run("Go.", log="memory")\ntold(run)'


def answered(front_end: FrontEnd, cell: str, *lines: str) -> tuple[str, list[str]]:
    """What a cell printed at its end, where these lines were typed, and what was asked."""
    busy = front_end.execute(cell)
    asked: list[str] = []
    for line in lines:
        asked.append(front_end.asked())
        front_end.type(line)
    front_end.wait_until_idle(busy)
    assert front_end.errors(busy) == []
    assert not front_end.is_asked()
    return front_end.printed(busy).splitlines()[-1], asked


def test_a_call_is_allowed_or_denied_with_a_note(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    printed, (asked,) = answered(front_end, WIPE, "y")
    assert printed == "completed [('done', 'wiped a')] ['a']"
    assert asked.startswith('boss asks: Run wipe(path="a")?\nIts tool asks before each call.\n')
    assert "[y]es, [n]o, [e]dit the arguments; after y or n: a note." in asked
    assert "[a]lways: yes, and do not ask again for wipe in this session." in asked
    printed, _ = answered(front_end, WIPE, "n too much")
    assert "[('denied', 'The person did not allow this call, and says: too much')]" in printed
    assert printed.endswith("['a']")


def test_what_is_typed_wrong_is_said_and_the_arguments_can_be_changed(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    lines = ["what?", "e", "no JSON", '{"path": 7}', 'e {"path": "b"}']
    printed, asked = answered(front_end, WIPE, *lines)
    assert asked[1].startswith('Type y, n, e or a, not "what?".\n')
    assert asked[2].startswith('They are {"path": "a"}\nAll arguments, as JSON')
    assert asked[3].endswith(asked[2])
    assert "JSON" in asked[3].removesuffix(asked[2])
    assert "path" in asked[4].partition("Run wipe")[0]
    assert printed.startswith("completed [('done', 'The person changed the arguments to ")
    assert printed.endswith("['b']")


def test_always_holds_for_the_session(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    steps = 'boss(call("wipe", path="a"), call("wipe", path="b"))'
    printed, _ = answered(front_end, f'told({steps}.run("Go."))', "a")
    assert printed.endswith("['a', 'b']")


def test_a_tool_asks_for_a_choice_and_for_words(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    cell = 'told(boss(call("ask")).run("Go.", log="memory"))'
    printed, asked = answered(front_end, cell, "3", "2", "", "Warm and old.")
    assert printed == "completed [('done', 'Rome: Warm and old.')] []"
    assert "Which city?\n  1. Oslo\n  2. Rome\n" in asked[0]
    assert asked[1].startswith('"3" is not among the answers: Oslo, Rome.\n')
    assert "What about it?" in asked[2]
    assert asked[3].startswith("An answer is needed.\n")


def test_a_choice_that_is_declined_fails_its_call(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    cell = 'told(boss(call("ask")).run("Go.", log="memory"))'
    printed, _ = answered(front_end, cell, "/no ask Ann")
    assert printed.startswith("completed [('failed', ")
    assert "They say: ask Ann" in printed


@pytest.mark.parametrize("begins", ["{}.run('Go.')", "await {}.arun('Go.')"], ids=["run", "arun"])
def test_runs_inside_of_runs_and_threads_ask_one_after_the_other(
    front_end: FrontEnd, begins: str
) -> None:
    front_end.run(PRELUDE)
    front_end.run(
        'low = nba.Agent("low", tools=[wipe], '
        'model=nba.ScriptedModel([call("wipe", path="l"), "low"]))\n'
        'middle = nba.Agent("middle", tools=[low.as_tool("ask_low", "Ask.")], '
        'model=nba.ScriptedModel([call("ask_low", input="Wipe."), "middle"]))\n'
        'calls = [call("ask_middle", input="Go."), call("ask_on_a_thread")]\n'
        'tools = [ask_on_a_thread, middle.as_tool("ask_middle", "Ask.")]'
    )
    busy = front_end.execute(f"told({begins.format('boss(calls, tools=tools)')})")
    said = {"boss asks: Which thread?": "this one", "low asks: Run wipe": "y"}
    for _ in range(2):
        asked = front_end.asked()
        front_end.type(said.pop(next(words for words in said if asked.startswith(words))))
    front_end.wait_until_idle(busy)
    assert front_end.errors(busy) == []
    printed = front_end.printed(busy).splitlines()[-1]
    assert printed == "completed [('done', 'middle'), ('done', 'this one')] ['l']"


@pytest.mark.parametrize("call", ["wipe', path='a", "ask"], ids=["consent", "question"])
def test_an_interrupt_while_it_waits_for_a_line_stops_the_run(
    front_end: FrontEnd, call: str
) -> None:
    front_end.run(PRELUDE)
    busy = front_end.execute(f"agent = boss(call('{call}'))\nagent.run('Go.')")
    front_end.asked()
    front_end.interrupt()
    front_end.wait_until_idle(busy)
    assert front_end.errors(busy) == ["KeyboardInterrupt"]
    ended = front_end.run(
        "from nbagents.runs.state.session import current_session\n"
        "(run,) = current_session().runs\n"
        "told(run)\n"
        "(asked,) = run.tree()['runs'][run.id]['awaits']\n"
        "print(asked['outcome'], run.awaiting)"
    )
    first, second = front_end.printed(ended).splitlines()
    assert first.startswith("cancelled [('cancelled', ")
    assert first.endswith("[]")
    assert second == "cancelled ()"
    printed, _ = answered(front_end, WIPE, "y")  # and the next one can ask
    assert printed.endswith("['a']")


def test_a_front_end_that_takes_no_typing_is_not_asked_and_the_answer_is_no(
    front_end: FrontEnd,
) -> None:
    front_end.run(PRELUDE)
    busy = front_end.execute(WIPE, allow_stdin=False)
    front_end.wait_until_idle(busy)
    assert front_end.errors(busy) == []
    printed = front_end.printed(busy).splitlines()[-1]
    assert printed.startswith(
        "completed [('denied', \"This call needs a person's consent, and nobo"
    )
    assert printed.endswith("[]")
    assert not front_end.is_asked()


def test_where_a_page_could_come_and_does_not_it_is_asked_by_typing(front_end: FrontEnd) -> None:
    front_end.run(PRELUDE)
    front_end.run('%config NbAgents.display = "live"')
    printed, (asked,) = answered(front_end, WIPE, "y")
    assert asked.startswith("boss asks: Run wipe")
    assert printed == "completed [('done', 'wiped a')] ['a']"
