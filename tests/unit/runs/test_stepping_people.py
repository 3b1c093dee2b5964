"""Step mode with a person: on the desk, by typing, by `on_await`, and where nobody is."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from nbagents import Agent, Answer, Await, Edit, Session
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.drive import run_async
from nbagents.runs.people import typed_answer
from nbagents.runs.people.host import NoHost
from nbagents.runs.state import Run, open_log
from tests.unit.runs.desk import request, turn

TITLES = ["Step 1: ask scripted", "Step 1: make 1 call", "Step 2: ask scripted"]
CALL = turn(request("a", "double", number=2))


async def double(number: int) -> int:
    "Double a number."
    return 2 * number


def agent_of(*steps: Any, **options: Any) -> Agent:
    return Agent("tester", tools=[double], model=ScriptedModel(list(steps)), **options)


def next_of(run: Run, *before: Await) -> Await:
    """What the run waits for, once it does."""
    known = {one.id for one in before}
    while not run.is_closed:
        for one in run.awaiting:
            if one.id not in known:
                return one
        threading.Event().wait(0.005)
    raise AssertionError("nothing was asked")


def background(*steps: Any, **options: Any) -> Run:
    return agent_of(*steps, on_await="wait").start("Double 2.", log="memory", step=True, **options)


def resolved(run: Run) -> list[tuple[str, Any, str]]:
    ends = [one for one in run.events if one.type == "await_resolved"]
    return [(one.outcome, one.answer, one.answered_by) for one in ends]


def edits(run: Run) -> list[tuple[Any, ...]]:
    made = [one for one in run.events if one.type == "step_edit"]
    return [(one.step, one.what, one.by, one.before, one.after) for one in made]


def test_a_run_waits_at_each_step_until_python_says_to_go_on() -> None:
    run = background(CALL, "4")
    asked: list[Await] = []
    for _ in range(3):
        asked.append(next_of(run, *asked))
        asked[-1].approve()
    assert run.wait().text == "4"
    assert {one.kind for one in asked} == {"step"}
    assert [one.title for one in asked] == [
        "Step 1: ask scripted",
        "Step 1: make 1 call",
        "Step 2: ask scripted",
    ]
    assert resolved(run) == [("answered", "continue", "the person")] * 3


def test_what_waits_is_shown_and_what_was_is_not_kept() -> None:
    run = background("4")
    asked = next_of(run)
    (shown,) = run.tree()["runs"][run.id]["awaits"]
    assert shown["kind"] == "step"
    pause: Any = shown.get("pause")
    assert [one["text"] for one in pause["messages"]] == ["Double 2."]
    assert [one["name"] for one in pause["tools"]] == ["double"]
    assert (pause["of"], pause["new_from"], pause["can_skip"]) == ("request", 0, False)
    asked.answer("continue")
    run.wait()
    assert "pause" not in run.tree()["runs"][run.id]["awaits"][0]


def test_edits_from_python_and_from_a_page_are_the_persons() -> None:
    run = background(CALL, "42")
    first = next_of(run)
    first.answer(Edit(messages=[{"keep": 0, "text": "Double 21."}]))
    call = next_of(run, first)
    page = {"action": "answer", "value": {"edited": {"a": {"changes": {"number": 21}}}}}
    run.resolve(call.id, page).result()
    said = {"action": "answer", "value": {"text": "Forty-two."}}
    run.resolve(next_of(run, first, call).id, said).result()
    assert run.wait().text == "Forty-two."
    assert edits(run) == [
        (1, "message", "the person", "Double 2.", "Double 21."),
        (1, "arguments", "the person", {"number": 2}, {"number": 21}),
        (2, "answer", "the person", None, "Forty-two."),
    ]
    assert [one["by"] for one in run.node.get("edits", [])] == ["you"] * 3
    assert [one.said_by for one in run.events if one.type == "assistant_turn"] == ["", "the person"]


def test_what_does_not_fit_is_said_and_the_run_still_waits() -> None:
    run = background(CALL, "4")
    asked = next_of(run)
    nothing: Any = {"calls": [{"name": "nothing"}]}
    wrongs: tuple[Any, ...] = (nothing, {"messages": []}, {"texts": "x"}, "onwards")
    for wrong in wrongs:
        with pytest.raises(ValueError, match=r"\w"):
            asked.answer(wrong)
    asked.answer("to_end")
    assert run.wait().text == "4"
    assert len(resolved(run)) == 1


def test_stop_is_a_stop_by_the_person() -> None:
    run = background(CALL, "4")
    next_of(run).answer("stop")
    run.wait()
    assert run.status == "cancelled"
    run = background(CALL, "4")
    next_of(run).deny()
    run.wait()
    assert run.status == "cancelled"
    assert resolved(run)[0][0] == "denied"


def test_a_run_without_a_person_goes_on_by_itself_and_says_so() -> None:
    run = agent_of(CALL, "4").run("Double 2.", step=True, log="memory")
    assert run.text == "4"
    assert resolved(run) == [("answered", "to_end", "the policy for runs without a person")]
    assert "Nobody can step through the run here" in str(run.tree())


def says_nothing(asked: Await) -> None:
    """Give no answer."""


@pytest.mark.parametrize("policy", ["deny", says_nothing])
def test_on_await_that_denies_lets_it_go_on(policy: Any) -> None:
    run = agent_of(CALL, "4", on_await=policy).run("Double 2.", step=True, log="memory")
    assert run.text == "4"
    assert len(resolved(run)) == 1


def test_on_await_may_step_through_it() -> None:
    def step(asked: Await) -> object:
        assert asked.pause is not None
        return True if asked.pause.is_request else Edit(result=5)

    run = agent_of(CALL, "5", on_await=step).run("Double 2.", step=True, log="memory")
    assert edits(run) == [(1, "result", "on_await (step)", None, "5")]
    assert run.text == "5"


def test_an_awaited_run_waits_too() -> None:
    async def main() -> Run:
        agent = agent_of("4", on_await="wait")
        run, plan = agent.begin("Double 2.", log="memory", step=True)
        asked = asyncio.Event()
        run.listen(lambda event: asked.set() if event.type == "await_step" else None)
        task = asyncio.ensure_future(run_async(run, plan))
        await asked.wait()
        run.awaiting[0].answer("continue")
        await task
        return run

    assert asyncio.run(main()).text == "4"


def test_outer_steps_through_the_run_and_not_through_those_inside() -> None:
    seen: list[str] = []

    def look(asked: Await) -> bool:
        seen.append(asked.agent_name)
        return True

    inner = Agent("inner", "You help.", model=ScriptedModel(["Inside."], repeat=True))
    calls = turn(request("a", "inner", input="Help."))
    cases: Any = (("outer", ["outer"] * 3), (True, ["outer", "outer", "inner", "outer"]))
    for step, expected in cases:
        model = ScriptedModel([calls, "Done."])
        outer = Agent("outer", tools=[inner.as_tool()], model=model, on_await=look)
        outer.run("Go.", step=step, log="memory")
        assert seen == expected
        seen.clear()


def test_the_clock_stands_still_while_it_waits() -> None:
    run = background("4")
    asked = next_of(run)
    caps: Any = run.caps
    before = caps.clock.now_s()
    threading.Event().wait(0.05)
    assert caps.clock.now_s() == pytest.approx(before, abs=0.01)
    asked.answer("continue")
    run.wait()


# By typing


class Typing(NoHost):
    """A host at which somebody types these lines."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.shown: list[str] = []

    def read(self, prompt: str) -> str:
        self.shown.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def ask(self, run: Run, question: Await) -> Answer | None:
        return typed_answer(question, self.read)


def typed(*lines: str, steps: Any = (CALL, "4")) -> tuple[Run, Typing]:
    host = Typing(*lines)
    return agent_of(*steps).run("Double 2.", step=True, log="memory", host=host), host


def test_enter_goes_on_and_what_is_sent_is_shown() -> None:
    run, host = typed("", "", "")
    assert run.text == "4"
    assert host.shown[0].startswith(
        "tester waits. Step 1: ask scripted\n+ 0. user: Double 2.\n  tools: double\nEnter: go on."
    )
    assert "0. double(number=2)" in host.shown[1]


def test_everything_can_be_edited_by_typing() -> None:
    run, host = typed("e 0 Double 21.", "u Be brief.", "d 1", "", 'e 0 {"number": 21}', "", "a 42!")
    assert run.text == "42!"
    assert "* 0. user: Double 21." in host.shown[1]
    assert "* 1. user: Be brief." in host.shown[2]
    assert [one[1:] for one in edits(run)] == [
        ("message", "the person", "Double 2.", "Double 21."),
        ("arguments", "the person", {"number": 2}, {"number": 21}),
        ("answer", "the person", None, "42!"),
    ]


def test_the_model_can_be_played_by_typing() -> None:
    run, _ = typed('c double {"number": 4}', "", "g 0 nine", "", "a Nine.", steps=())
    assert run.text == "Nine."
    assert [one.content for one in run.calls] == ["nine"]


def test_what_was_typed_stays_where_it_does_not_fit() -> None:
    run, host = typed("", 'e 0 {"number": "x"}', "", "s 0", "", "", steps=(CALL, "4"))
    assert run.calls[0].status == "skipped"
    refused = host.shown[3]
    assert refused.startswith("The arguments do not fit the tool 'double'")
    assert '* double: with {"number": "x"}' in refused


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("z", '"z" is nothing that can be typed here.'),
        ("e 9 x", 'There is no "9" here: give a number, 0 to 0.'),
        ("e 0", "Something is missing: e N TEXT."),
        ("a", "Something is missing: a TEXT."),
        ("c double [1]", "a JSON object"),
    ],
)
def test_a_line_that_says_nothing_is_told(line: str, said: str) -> None:
    _, host = typed(line, "r")
    assert said in host.shown[1]


def test_a_typed_stop_stops_and_an_end_of_typing_goes_on() -> None:
    with pytest.raises(KeyboardInterrupt):
        typed("q")
    run, _ = typed()
    assert run.text == "4"


# Suspended, and gone on with


def test_a_suspended_step_waits_again_or_is_answered() -> None:
    session = Session(open_log("memory"))
    run = agent_of(CALL, "4", on_await="suspend").run("Double 2.", step=True, log=session)
    assert run.status == "suspended"
    again = agent_of(CALL, "4").resume(run, answer="to_end")
    assert again.text == "4"
    assert resolved(again) == [("answered", "to_end", "the person")]
    run = agent_of(CALL, "4", on_await="suspend").run("Double 2.", step=True, log=session)
    asked: list[str] = []

    def look(question: Await) -> bool:
        asked.append(question.title)
        return True

    agent_of(CALL, "4", on_await=look).resume(run)
    assert asked == TITLES


def test_what_was_edited_before_it_was_suspended_holds() -> None:
    session = Session(open_log("memory"))

    def step(pause: Any) -> Edit | None:
        if pause.is_request:
            return Edit(messages=[{"keep": 0, "text": "Double 21."}])
        return Edit(arguments={"number": 21})

    agent = agent_of(CALL, on_await="suspend", approval="ask")
    run = agent.run("Double 2.", step=step, log=session)
    assert run.status == "suspended"
    model = ScriptedModel(["42"])
    again = Agent("tester", tools=[double], model=model, approval="ask").resume(run, answer=True)
    told = [getattr(one, "content", "") or getattr(one, "text", "") for one in again.messages]
    said = 'The person changed the arguments to {"number": 21}.\n42'
    assert told == ["Double 21.", "", said, "42"]
    assert again.calls[0].arguments == {"number": 21}


def test_the_answer_to_a_suspended_step_may_be_an_edit() -> None:
    session = Session(open_log("memory"))
    run = agent_of(on_await="suspend").run("Double 2.", step=True, log=session)
    again = agent_of().resume(run, answer=Edit(text="Four."))
    assert again.text == "Four."
    run = agent_of(on_await="suspend").run("Double 2.", step=True, log=session)
    with pytest.raises(ValueError, match="action of Edit"):
        agent_of("4").resume(run, answer="onwards")
