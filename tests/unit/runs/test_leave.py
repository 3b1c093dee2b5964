"""Leave for all calls of a tool: listed, taken back, marked, ended by any change of the tool."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache, partial
from math import sqrt
from operator import itemgetter
from os import getcwd
from types import ModuleType
from typing import Any

import pytest

import nbagents as nba
from nbagents.events import AnyEvent, ToolAuthorization
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.runs.wording.text_tree import tree_text
from nbagents.tools.call.target import lasting_target_of
from tests.labels import label
from tests.unit.runs.desk import agent, request, turn

TOOL = """
def wipe(path: str = 'x') -> str:
    'Wipe.'
    return helper(path)
"""
HELPER = """
def helper(path):
    return f"{ROOT}/{path}: {DEEP}"
"""


def cell(source: str = TOOL, helper: str = HELPER, **names: Any) -> dict[str, Any]:
    """What a notebook holds once these cells were run."""
    held: dict[str, Any] = {"__name__": "__main__", "ROOT": "tmp", "DEEP": ["a", {"b": 1}]}
    held |= names
    exec(helper + source, held)
    return held


def tool(held: dict[str, Any], **options: Any) -> nba.Tool:
    return nba.Tool(held["wipe"], nba.ToolOptions(ask=True, **options))


def in_place(change: Callable[[dict[str, Any]], Any]) -> nba.Tool:
    """The tool after something was changed that its code names."""
    held = cell()
    change(held)
    return tool(held)


def made_with(path: str, *, default: int = 1) -> nba.Tool:
    def wipe(x: int = default, *, deep: int = default) -> str:
        return f"{path} {x} {deep}"

    return nba.Tool(wipe, nba.ToolOptions(ask=True))


class Disk:
    def __init__(self, name: str) -> None:
        self.name = name

    def wipe(self) -> str:
        return self.name


CHANGES: dict[str, Callable[[], tuple[nba.Tool, nba.Tool]]] = {
    "its source": lambda: (tool(cell()), tool(cell(TOOL.replace("helper(path)", "path")))),
    "a constant in it": lambda: (tool(cell()), tool(cell(TOOL.replace("(path)", "(path or '/')")))),
    "a global": lambda: (tool(cell()), tool(cell(ROOT="/"))),
    "a global, in place": lambda: (tool(cell()), in_place(lambda held: held.update(ROOT="/"))),
    "what a global list holds": lambda: (
        tool(cell()),
        in_place(lambda held: held["DEEP"][1].update(b=2)),
    ),
    "a function that it calls": lambda: (
        tool(cell()),
        tool(cell(helper=HELPER.replace("return", "return ROOT +"))),
    ),
    "a global that is gone": lambda: (tool(cell()), in_place(lambda held: held.pop("ROOT"))),
    "its closure": lambda: (made_with("a"), made_with("b")),
    "its defaults": lambda: (made_with("a"), made_with("a", default=2)),
    "its object": lambda: (
        nba.Tool(Disk("a").wipe, nba.ToolOptions(ask=True)),
        nba.Tool(Disk("a").wipe, nba.ToolOptions(ask=True)),
    ),
    "its description": lambda: (tool(cell()), tool(cell(), description="Nothing to fear.")),
    "its title": lambda: (tool(cell()), tool(cell(), title="Tidy up")),
    "an option": lambda: (tool(cell()), tool(cell(), timeout_s=5.0)),
    "its schema": lambda: (
        tool(cell()),
        tool(cell(TOOL.replace("str = 'x'", "int = 'x'"))),
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_leave_ends_when_something_of_the_tool_changes(what: str) -> None:
    before, after = CHANGES[what]()
    assert lasting_target_of(before) != lasting_target_of(after)


SAME: dict[str, Callable[[], tuple[nba.Tool, nba.Tool]]] = {
    "its cells run again": lambda: (tool(cell()), tool(cell())),
    "a global that it does not name": lambda: (tool(cell()), tool(cell(OTHER=1))),
    "another place in the notebook": lambda: (tool(cell()), tool(cell(f"\n\n{TOOL}"))),
    "the state that it keeps": lambda: (
        tool(cell(helper="def helper(path):\n global COUNT\n COUNT += 1\n", COUNT=1)),
        tool(cell(helper="def helper(path):\n global COUNT\n COUNT += 1\n", COUNT=2)),
    ),
    "the same values": lambda: (made_with("a"), made_with("a")),
}


@pytest.mark.parametrize("what", SAME)
def test_leave_holds_where_nothing_of_the_tool_changes(what: str) -> None:
    before, after = SAME[what]()
    assert lasting_target_of(before) == lasting_target_of(after)


class Person:
    """Allows each call, and all later ones of its tool."""

    def __init__(self, *, remember: bool = True) -> None:
        self.asked: list[Await] = []
        self.remember = remember

    def __call__(self, question: Await) -> Answer:
        self.asked.append(question)
        return Answer(action="approve", remember=self.remember)


WAYS = {
    "a function": "def helper(path): return deep(path)",
    "a lambda in a list": "L = [lambda path: deep(path)]\ndef helper(path): return L[0](path)",
    "a function in a dictionary": "D = {'x': lambda path: deep(path)}\n"
    "def helper(path): return D['x'](path)",
    "a cached function": "@cache\ndef helper(path): return deep(path)",
    "a partial": "def inner(path): return deep(path)\nhelper = partial(inner)",
    "a class": "class A:\n def go(self, path): return deep(path)\n"
    "def helper(path): return A().go(path)",
    "an object": "class A:\n def go(self, path): return deep(path)\na = A()\n"
    "def helper(path): return a.go(path)",
    "a property": "class A:\n @property\n def go(self): return deep\na = A()\n"
    "def helper(path): return a.go(path)",
    "a static method": "class A:\n @staticmethod\n def go(path): return deep(path)\n"
    "def helper(path): return A.go(path)",
    "a callable object": "class A:\n def __call__(self, path): return deep(path)\nhelper = A()",
    "a wrapper": "def wraps(f):\n def w(path): return f(path)\n return w\n"
    "@wraps\ndef helper(path): return deep(path)",
    "a tool": "@Tool\ndef helper(path: str) -> str:\n 'Help.'\n return deep(path)",
    "a module": "def helper(path): return own.deep(path)",
    "a function of another module": "from own import go as helper",
}
DEEP = "def deep(path): return {}"


@pytest.mark.parametrize("way", WAYS)
def test_leave_ends_when_what_the_tool_comes_to_changes_in_place(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = ModuleType("own")
    monkeypatch.setitem(sys.modules, "own", own)
    exec("def go(path): return deep(path)", own.__dict__)
    held: dict[str, Any] = {"cache": cache, "partial": partial, "Tool": nba.Tool, "own": own}
    for namespace in (held, own.__dict__):
        exec(DEEP.format(1), namespace)
    made = tool(cell(helper=WAYS[way], **held))
    before = lasting_target_of(made)
    assert before == lasting_target_of(made)
    for namespace in (made.function.__globals__, own.__dict__):
        exec(DEEP.format(2), namespace)
    assert before != lasting_target_of(made)


def test_leave_ends_when_a_method_that_the_tool_calls_is_another_one() -> None:
    held = cell(helper="class A:\n def go(self): return 1\ndef helper(path): return A().go()")
    made = tool(held)
    before = lasting_target_of(made)
    held["A"].go = held["helper"]
    assert before != lasting_target_of(made)


LIST: list[int] = []
BUILT_IN: list[Any] = [getcwd, sqrt, cache(sqrt), LIST.append, itemgetter(0), str.upper, str, len]


@pytest.mark.parametrize("value", BUILT_IN, ids=label)
def test_what_is_not_written_in_python_is_no_hindrance(value: object) -> None:
    """A name in the code of a tool may stand for anything; it may be the tool itself."""
    held = cell(helper="def helper(path): return X", X=value)
    assert lasting_target_of(tool(held)) == lasting_target_of(tool(held))


@pytest.mark.parametrize("function", [getcwd, cache(getcwd)], ids=label)
def test_a_tool_that_is_not_written_in_python_can_be_allowed(function: Any) -> None:
    session, person = Session(MemoryLog()), Person()
    one = nba.Tool(function, nba.ToolOptions(ask=True, description="Where."))
    assert [call_it(one, session, person).calls[0].status for _ in range(2)] == ["done"] * 2
    assert len(person.asked) == 1


def call_it(one: nba.Tool, session: Session, person: Person) -> Run:
    made = agent([turn(request("a", one.name)), "done"], [one], on_await=person)
    return made.run("Go", log=session)


def authorization(run: Run) -> ToolAuthorization:
    events: list[AnyEvent] = list(run.events)
    (said,) = [one for one in events if isinstance(one, ToolAuthorization)]
    return said


def test_leave_is_listed_with_who_gave_it_and_how_many_calls_it_allowed() -> None:
    session, person = Session(MemoryLog()), Person()
    assert session.approvals == ()
    runs = [call_it(tool(cell()), session, person) for _ in range(3)]
    assert len(person.asked) == 1
    (grant,) = session.approvals
    assert (grant.tool, grant.run_id, grant.calls) == ("wipe", runs[0].id, 2)
    assert grant.by.startswith("on_await")
    assert grant.at > 0


def test_leave_that_was_taken_back_is_none_and_can_be_given_again() -> None:
    session, person = Session(MemoryLog()), Person()
    for _ in range(2):
        call_it(tool(cell()), session, person)
    session.revoke("wipe")
    assert session.approvals == ()
    call_it(tool(cell()), session, person)
    assert len(person.asked) == 2


def test_what_was_not_given_cannot_be_taken_back() -> None:
    session = Session(MemoryLog())
    with pytest.raises(ValueError, match=r"'wipe' is not allowed without asking\. No tool is\."):
        session.revoke("wipe")
    call_it(tool(cell()), session, Person())
    with pytest.raises(ValueError, match="Did you mean 'wipe'"):
        session.revoke("wip")


def test_leave_ends_for_good_and_the_question_says_why() -> None:
    session, person = Session(MemoryLog()), Person(remember=False)
    always = Person()
    call_it(tool(cell()), session, always)
    call_it(tool(cell(ROOT="/")), session, person)
    call_it(tool(cell()), session, person)
    assert len(person.asked) == 2, "undoing the change brings no leave back"
    assert session.approvals == ()
    assert all("has changed since" in one.reason for one in person.asked)
    assert "has changed" not in always.asked[0].reason


def test_leave_for_one_tool_stands_beside_that_for_another_of_its_name() -> None:
    session, person = Session(MemoryLog()), Person()
    held = cell()
    exec("class A:\n def wipe(self): return 1\nclass B:\n def wipe(self): return 1\n", held)
    one, other = (nba.Tool(held[name]().wipe, nba.ToolOptions(ask=True)) for name in "AB")
    for _ in range(2):
        call_it(one, session, person)
        call_it(other, session, person)
    assert len(person.asked) == 2
    assert [grant.calls for grant in session.approvals] == [1, 1]


def test_each_later_call_is_marked_in_the_log_and_in_the_text() -> None:
    session, person = Session(MemoryLog()), Person()
    first, later = (call_it(tool(cell()), session, person) for _ in range(2))
    assert (authorization(first).remembered, authorization(first).under_grant) == (True, False)
    assert (authorization(later).remembered, authorization(later).under_grant) == (False, True)
    texts = [tree_text(run.tree(), run.id) for run in (first, later)]
    assert "not asked again for this tool in this session" in texts[0]
    line = "not asked: you allowed all calls of this tool in this session"
    assert line not in texts[0]
    assert line in texts[1]
    assert all("not asked about: wipe" in text.split("\n")[0] for text in texts)


def test_calls_that_wait_for_the_same_leave_are_marked_too() -> None:
    made = agent(
        [turn(request("a", "wipe"), request("b", "wipe", path="y")), "done"],
        [tool(cell())],
        on_await="wait",
    )
    session = Session(MemoryLog())
    run = made.start("Go", log=session)
    while len(run.awaiting) < 2:
        time.sleep(0.005)
    run.awaiting[0].approve(remember=True)
    run.wait(10)
    said = [one for one in run.events if isinstance(one, ToolAuthorization)]
    assert sorted((one.remembered, one.under_grant) for one in said) == [
        (False, True),
        (True, False),
    ]
    assert session.approvals[0].calls == 1
