"""Step mode: what would be done is shown, and what is made of it is done, sent and logged."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from nbagents import Agent, Edit, Pause
from nbagents.errors import RunError
from nbagents.messages import AssistantMessage, ToolMessage, UserMessage
from nbagents.models.model import ModelRequest
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.state import Run
from nbagents.runs.tree import fold
from tests.unit.runs.desk import double, request, run_of, turn

SECOND = """\
Step 2: ask scripted
  0. user: Double 2.
+ 1. assistant: calls double({"number": 2})
+ 2. tool: 4
  tools: double"""


class Model(ScriptedModel):
    """Keeps what it was told as it stood then."""

    def __init__(self, steps: list[Any]) -> None:
        super().__init__(steps)
        self.told: list[tuple[str, ...]] = []

    def stream(self, request: ModelRequest) -> Any:
        self.told.append(tuple(words(one) for one in request.messages))
        return super().stream(request)


def words(message: Any) -> str:
    return message.content if isinstance(message, ToolMessage) else message.text


def stepped(step: Callable[[Pause], Any], *steps: Any, **options: Any) -> tuple[Run, Model]:
    model = Model(list(steps))
    made = Agent("tester", tools=[double], model=model, **options)
    return made.run("Double 2.", step=step, log="memory"), model


def edits(run: Run) -> list[tuple[Any, ...]]:
    made = [one for one in run.events if one.type == "step_edit"]
    return [(one.step, one.what, one.by, one.before, one.after) for one in made]


def test_each_request_and_each_batch_is_shown_before_it_is_made() -> None:
    seen: list[Pause] = []

    def look(pause: Pause) -> None:
        seen.append(pause)

    run, model = stepped(
        look, turn(request("a", "double", number=2)), "4", settings={"temperature": 0}
    )
    assert [one.title for one in seen] == [
        "Step 1: ask scripted",
        "Step 1: make 1 call",
        "Step 2: ask scripted",
    ]
    first, calls, second = seen
    assert [tuple(map(words, one.messages)) for one in (first, second)] == model.told
    assert (first.new_from, second.new_from) == (0, 1)
    assert [one.name for one in first.tools] == ["double"]
    assert first.settings == {"temperature": 0}
    assert [(one.name, one.arguments) for one in calls.calls] == [("double", {"number": 2})]
    assert run.text == "4"
    assert edits(run) == []


def test_a_pause_is_printed_as_text() -> None:
    said: list[str] = []
    stepped(lambda pause: said.append(str(pause)), turn(request("a", "double", number=2)), "4")
    assert said == [
        "Step 1: ask scripted\n+ 0. user: Double 2.\n  tools: double",
        "Step 1: make 1 call\n  double(number=2)",
        SECOND,
    ]


def test_edited_arguments_are_what_the_tool_gets_and_the_model_is_told() -> None:
    def other(pause: Pause) -> Edit | None:
        return None if pause.is_request else Edit(arguments={"number": 21})

    run, model = stepped(other, turn(request("a", "double", number=2)), "42")
    (call,) = run.calls
    assert call.arguments == {"number": 21}
    assert model.told[-1][-1] == 'The person changed the arguments to {"number": 21}.\n42'
    assert edits(run) == [(1, "arguments", "step (other)", {"number": 2}, {"number": 21})]
    assert run.node["calls"]["a"]["proposed"] == {"number": 2}


def test_arguments_that_could_not_be_read_can_be_mended() -> None:
    seen: list[str] = []

    def mend(pause: Pause) -> Edit | None:
        if pause.is_request:
            return None
        seen.append(pause.calls[0].problem)
        return Edit(arguments={"number": 3})

    run, _ = stepped(mend, turn(request("a", "double", number="two")), "6")
    assert "number" in seen[0]
    assert (run.calls[0].content or "").endswith("6")
    assert run.calls[0].status == "done"


def test_a_given_result_stands_in_for_the_call() -> None:
    def give(pause: Pause) -> Edit | None:
        return None if pause.is_request else Edit(result={"value": 5})

    run, model = stepped(give, turn(request("a", "double", number=2)), "5")
    assert model.told[-1][-1] == '{"value":5}'
    assert [one.type for one in run.events if one.type == "tool_start"] == []
    assert run.calls[0].status == "done"
    assert edits(run) == [(1, "result", "step (give)", None, '{"value":5}')]


def test_a_skipped_call_is_not_made_and_the_others_are() -> None:
    def skip(pause: Pause) -> Edit | None:
        return None if pause.is_request else Edit(skip=["a"], arguments={"b": {"number": 4}})

    run, model = stepped(
        skip, turn(request("a", "double", number=2), request("b", "double", number=3)), "8"
    )
    assert [one.status for one in run.calls] == ["skipped", "done"]
    assert model.told[-1][-2:] == (
        "Not called: the person skipped this call.",
        'The person changed the arguments to {"number": 4}.\n8',
    )
    assert [one[1] for one in edits(run)] == ["skip", "arguments"]


def test_who_is_the_model_is_named_and_no_model_is_asked() -> None:
    def be(pause: Pause) -> Edit | None:
        if not pause.is_request:
            return None
        called = pause.step == 1
        return Edit(calls=[("double", {"number": 4})]) if called else Edit(text="Eight.")

    run, model = stepped(be)
    assert model.told == []
    assert run.text == "Eight."
    assert run.usage.requests == run.usage.total_tokens == 0
    assert [one.said_by for one in run.events if one.type == "assistant_turn"] == ["step (be)"] * 2
    assert [one.arguments for one in run.calls] == [{"number": 4}]
    assert edits(run) == [
        (1, "answer", "step (be)", None, ""),
        (2, "answer", "step (be)", None, "Eight."),
    ]


def test_edited_messages_are_what_is_sent_and_the_log_tells_them_anew() -> None:
    def other(pause: Pause) -> Edit | None:
        if not pause.is_request or pause.step == 1:
            return None
        *before, result = pause.messages
        assert isinstance(result, ToolMessage)
        told = replace(result, content="5")
        return Edit(messages=[*before, told, {"role": "user", "text": "In words."}])

    run, model = stepped(other, turn(request("a", "double", number=2)), "Five.")
    assert model.told[-1] == ("Double 2.", "", "5", "In words.")
    assert edits(run) == [
        (2, "message", "step (other)", "4", "5"),
        (2, "message", "step (other)", None, "In words."),
    ]
    last = run.node["requests"][-1]
    assert [one["text"] for one in last["messages"]] == ["Double 2.", "", "5", "In words."]
    assert [words(one) for one in run.messages] == ["Double 2.", "", "5", "In words.", "Five."]


def test_a_message_is_dropped_and_a_chat_remembers_what_was_told() -> None:
    model = Model(["One.", "Two."])
    agent = Agent("tester", "Be brief.", model=model)
    first = agent.run("First?", chat="talk", log="memory")

    def forget(pause: Pause) -> Edit:
        kept = [one for one in pause.messages if words(one) not in ("First?", "One.")]
        return Edit(messages=[*kept[:-1], UserMessage(text="Third?")])

    agent.run("Second?", chat="talk", log=first.session, step=forget)
    assert model.told[-1] == ("Be brief.", "Third?")
    chat = first.session.chats.get("talk")
    assert [words(one) for one in chat.messages] == ["First?", "One.", "Third?", "Two."]


def test_run_to_the_end_asks_no_more_and_stop_stops() -> None:
    asked: list[str] = []

    def on(pause: Pause) -> str:
        asked.append(pause.title)
        return "to_end"

    run, _ = stepped(on, turn(request("a", "double", number=2)), "4")
    assert asked == ["Step 1: ask scripted"]
    assert run.text == "4"
    with pytest.raises(KeyboardInterrupt):
        stepped(lambda _pause: "stop", "4")


def test_a_skipped_request_lets_the_results_be_the_answer() -> None:
    def skip(pause: Pause) -> str | None:
        return "skip" if pause.is_request and pause.step == 2 else None

    run, model = stepped(skip, turn(request("a", "double", number=2)))
    assert run.text == "4"
    assert len(model.told) == 1
    assert edits(run) == [(2, "skip", "step (skip)", None, "4")]


def test_runs_inside_are_stepped_through_too() -> None:
    inner = Agent("inner", "You help.", model=ScriptedModel(["Inside."], repeat=True))
    seen: list[str] = []

    def look(pause: Pause) -> None:
        seen.append(pause.agent_name)

    outer = Agent(
        "outer",
        tools=[inner.as_tool()],
        model=ScriptedModel([turn(request("a", "inner", input="Help.")), "Done."]),
    )
    outer.run("Go.", step=look, log="memory")
    assert seen == ["outer", "outer", "inner", "outer"]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (Edit(arguments={"number": 1}), "The run waits before a request"),
        (Edit(messages=[]), "Nothing would be asked"),
        (Edit(messages=[{"keep": 7}]), "There is no message 7 here; they are 0 to 0."),
        (Edit(messages=[{"role": "robot", "text": "x"}]), "A new message has a role"),
        (Edit(calls=[("doubel", {})]), "The model is offered no tool 'doubel'. Did you mean"),
        (Edit(calls=[("double", [1])]), "The arguments of 'double' are [1]"),
        (Edit(text=" "), "has text, or calls"),
        (Edit("skip"), "No call has given a result yet"),
        ({"argument": {}}, "An edit has no 'argument'. Did you mean 'arguments'?"),
        (7, "give None to go on"),
    ],
)
def test_what_cannot_be_done_before_a_request_is_said(edit: object, said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("(", r"\(").replace("[", r"\[")) as caught:
        stepped(lambda _pause: edit, "4")
    assert run_of(caught.value).status == "failed"


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (Edit(text="x"), "The run waits before calls"),
        (Edit(arguments={"numbr": 1}), "Several calls wait|There is no call"),
        (Edit(skip=["c"]), "There is no call 'c' here"),
        (Edit(skip=["double"]), "say which by id"),
        (Edit(skip=["a"], result={"a": 1}), "two things are said"),
        (Edit(arguments={"a": {"number": "x"}}), "number"),
        (Edit(arguments={"a": 1}), "a dictionary"),
    ],
)
def test_what_cannot_be_done_before_calls_is_said(edit: Edit, said: str) -> None:
    calls = turn(request("a", "double", number=2), request("b", "double", number=3))
    with pytest.raises(ValueError, match=said):
        stepped(lambda pause: None if pause.is_request else edit, calls, "4")


def test_a_call_without_its_result_is_not_sent() -> None:
    def drop(pause: Pause) -> Edit | None:
        if not pause.is_request or pause.step == 1:
            return None
        return Edit(messages=pause.messages[:-1])

    with pytest.raises(ValueError, match="Message 1 asks for calls, and not all of their results"):
        stepped(drop, turn(request("a", "double", number=2)), "4")


def test_a_result_without_its_call_is_not_sent() -> None:
    def drop(pause: Pause) -> Edit | None:
        kept = [one for one in pause.messages if not isinstance(one, AssistantMessage)]
        return Edit(messages=kept) if pause.step == 2 else None

    with pytest.raises(ValueError, match="Message 1 is the result of a call that no message"):
        stepped(drop, turn(request("a", "double", number=2)), "4")


def test_step_wants_a_function_of_a_pause() -> None:
    agent = Agent(model=ScriptedModel(["x"]))
    for wrong in (7, "often", lambda: None):
        with pytest.raises(ValueError, match="step"):
            agent.run("Hi", step=wrong, log="memory")  # pyright: ignore[reportArgumentType]


def test_an_error_of_the_function_ends_the_run_and_is_the_persons() -> None:
    def broken(pause: Pause) -> None:
        raise LookupError(pause.title)

    with pytest.raises(LookupError, match="Step 1: ask scripted"):
        stepped(broken, "4")


def test_an_edited_argument_is_asked_consent_for_as_it_is_then() -> None:
    asked: list[Any] = []

    def allow(question: Any) -> bool:
        asked.append(question.arguments)
        return True

    run, _ = stepped(
        lambda pause: None if pause.is_request else Edit(arguments={"number": 5}),
        turn(request("a", "double", number=2)),
        "10",
        approval="ask",
        on_await=allow,
    )
    assert asked == [{"number": 5}]
    assert run.calls[0].arguments == {"number": 5}


def test_the_tree_is_the_same_folded_again_and_as_json() -> None:
    run, _ = stepped(
        lambda pause: None if pause.is_request else Edit(arguments={"number": 5}),
        turn(request("a", "double", number=2)),
        "10",
    )
    again = fold(run.events)
    assert json.loads(json.dumps(again)) == again
    assert again["runs"][run.id].get("edits") == run.node.get("edits")
    shown = run.tree()["runs"][run.id].get("edits") or []
    assert [("written" in one, one["by"]) for one in shown] == [(False, "step (<lambda>)")]


def test_a_branch_keeps_the_edits_that_it_goes_on_from() -> None:
    def edit(pause: Pause) -> Edit | None:
        if pause.is_request and pause.step == 1:
            return Edit(messages=[{"keep": 0, "text": "Double 21."}])
        return Edit(text="Mine.") if pause.is_request else Edit(arguments={"number": 21})

    run, _ = stepped(edit, turn(request("a", "double", number=2)))
    model = Model(["Theirs."])
    branch = run.fork(step=2, model=model)
    told = 'The person changed the arguments to {"number": 21}.\n42'
    assert model.told == [("Double 21.", "", told)]
    assert branch.text == "Theirs."
    assert [one["what"] for one in branch.node.get("edits", [])] == ["message", "arguments"]


def test_a_run_whose_calls_were_edited_is_no_test_and_says_so() -> None:
    run, _ = stepped(
        lambda pause: None if pause.is_request else Edit(arguments={"number": 5}),
        turn(request("a", "double", number=2)),
        "10",
    )
    with pytest.raises(RunError, match="In step mode somebody else than the model decided about"):
        run.to_test()
    run, _ = stepped(lambda pause: Edit(text="Mine.") if pause.is_request else None)
    assert "Mine." in run.to_test()
