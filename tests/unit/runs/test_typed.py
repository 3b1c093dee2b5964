"""Answering by typing: what is shown of a question, and what each line that is typed means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from nbagents.events import RequestedCall
from nbagents.results import Option, Question
from nbagents.runs.people.typing import call_in_question, typed_answer
from nbagents.runs.state.desk import Answer, Await

PATH = {"path": "a.txt"}


class Person:
    """Types these lines, and keeps what was shown before each; then nobody types any more."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.shown: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.shown.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def ask(kind: Any, *lines: str, **said: Any) -> tuple[Answer | None, Person]:
    person = Person(*lines)
    question = Await(id="await-1", kind=kind, run_id="run-1", agent_name="agent", **said)
    return typed_answer(question, person), person


def confirm(*lines: str, arguments: Any = PATH) -> tuple[Answer | None, Person]:
    return ask("confirmation", *lines, text='Run delete(path="a.txt")?', arguments=arguments)


def clarify(*lines: str, **said: Any) -> tuple[Any, Person]:
    answer, person = ask("clarification", *lines, text="What is missing?", **said)
    assert answer is None or answer.action == "answer"
    return answer and answer.value, person


def form(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def choose(*lines: str, **said: Any) -> tuple[Any, Person]:
    options = (Option(label="Oslo"), Option(label="Rome", description="warm"), Option(label="7"))
    fields: Any = {"options": options, **said}
    question = Question(id="q1", text="Where to?", **fields)
    answer, person = ask("questions", *lines, title="Travel", questions=(question,))
    return answer and answer.value, person


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("y", Answer(action="approve")),
        (" YES ", Answer(action="approve")),
        ("y but only once", Answer(action="approve", note="but only once")),
        ("a", Answer(action="approve", remember=True)),
        ("always", Answer(action="approve", remember=True)),
        ("n", Answer(action="deny")),
        ("No it is mine", Answer(action="deny", note="it is mine")),
        ('e {"path": "b.txt"}', Answer(action="approve", arguments={"path": "b.txt"})),
    ],
)
def test_a_call_is_allowed_denied_or_changed_by_one_line(line: str, answer: Answer) -> None:
    assert confirm(line)[0] == answer


def test_what_is_asked_and_how_to_answer_are_shown() -> None:
    _, person = confirm("y")
    question, how, always = person.shown[0].split("\n")
    assert question == 'agent asks: Run delete(path="a.txt")?'
    assert how.startswith("[y]es, [n]o, [e]dit the arguments")
    assert always.startswith("Or [a]lways: yes, and do not ask again for ")


def test_always_says_for_which_tool_and_how_long() -> None:
    _, person = ask("confirmation", "y", tool_name="wipe", text="Run wipe()?", arguments={})
    always = "Or [a]lways: yes, and do not ask again for wipe in this session. "
    assert person.shown[0].endswith(always)


@pytest.mark.parametrize("line", ["", "maybe", "yo", "\x1b[2J"])
def test_what_is_no_answer_is_said_and_asked_again(line: str) -> None:
    answer, person = confirm(line, "n")
    assert answer == Answer(action="deny")
    assert person.shown[1].startswith("Type y, n, e or a, not ")
    assert person.shown[1].endswith(person.shown[0])
    assert "\x1b" not in person.shown[1]


def test_arguments_are_edited_until_they_are_an_object() -> None:
    answer, person = confirm("e", "{path", "[1]", '{"path": "b.txt"}')
    assert answer == Answer(action="approve", arguments={"path": "b.txt"})
    assert '{"path": "a.txt"}' in person.shown[1]
    assert "no JSON" in person.shown[2]
    assert "JSON object" in person.shown[3]


def test_an_edit_that_is_given_up_asks_again() -> None:
    answer, person = confirm("e", "", "n")
    assert answer == Answer(action="deny")
    assert person.shown[2] == person.shown[0]


@pytest.mark.parametrize("kind", ["confirmation", "clarification", "questions", "external_tools"])
def test_where_nobody_types_there_is_no_answer(kind: str) -> None:
    calls = (RequestedCall(id="c1", name="look", arguments="{}"),)
    asked = (Question(id="q1", text="Why?"),)
    assert ask(kind, text="?", calls=calls, questions=asked)[0] is None


def test_what_a_model_wrote_is_shown_without_control_marks_and_cut() -> None:
    shown = call_in_question("delete", {"path": "\x1b[2J\u202e" + "x" * 1000, "a) y": 1})
    assert shown.startswith('delete(path="\\u001b[2J\\u202exxx')
    assert shown.endswith('… (1,017 characters), "a) y"=1)')
    _, person = ask("clarification", "it", text="Which?\x1b[2J\nReally?\x07")
    assert person.shown[0].isprintable() is False, "it has two lines"
    assert all(line.isprintable() for line in person.shown[0].split("\n"))


FIELDS: Mapping[str, tuple[Any, str, Any]] = {
    "text": ({"type": "string"}, "Oslo, 3", "Oslo, 3"),
    "no text": ({"type": "string"}, '""', ""),
    "count": ({"type": "integer"}, " 3 ", 3),
    "number": ({"type": "number"}, "2.5", 2.5),
    "whole number": ({"type": "number"}, "-2", -2),
    "yes": ({"type": "boolean"}, "Y", True),
    "no": ({"type": "boolean"}, "no", False),
    "choice": ({"enum": ["red", "green", 5]}, "GREEN", "green"),
    "choice by number": ({"enum": ["red", "green"]}, "1", "red"),
    "choice that is a number": ({"enum": [10, 5, 1]}, "1", 1),
    "list": ({"type": "array", "items": {"type": "integer"}}, "1, 2,3", [1, 2, 3]),
    "list as JSON": ({"type": "array", "items": {"type": "string"}}, '["a, b"]', ["a, b"]),
    "object": ({"type": "object"}, '{"a": 1}', {"a": 1}),
    "one of": ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "7", 7),
    "else text": ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "x", "x"),
    "types": ({"type": ["integer", "null"]}, "null", None),
    "constant": ({"const": "v1"}, "1", "v1"),
    "anything": ({}, "[1]", [1]),
    "any text": ({}, "[1", "[1"),
    "reference": ({"$ref": "#/$defs/Colour"}, "2", "blue"),
    "wrapped reference": ({"allOf": [{"$ref": "#/$defs/Colour"}]}, "red", "red"),
}


@pytest.mark.parametrize(("schema", "line", "value"), FIELDS.values(), ids=FIELDS)
def test_a_field_of_a_form_is_read_by_its_schema(schema: Any, line: str, value: Any) -> None:
    asked = form(("it",), it=schema)
    asked["$defs"] = {"Colour": {"enum": ["red", "blue"]}}
    answer, _ = ask("clarification", line, text="?", form=asked)
    assert answer is not None
    got = answer.value
    assert isinstance(got, dict)
    assert got == {"it": value}
    assert type(got["it"]) is type(value)


@pytest.mark.parametrize(
    ("schema", "line", "wrong"),
    [
        ({"type": "integer"}, "2.5", 'a whole number, not "2.5"'),
        ({"type": "number"}, "nan", 'a number, not "nan"'),
        ({"type": "number"}, "many", 'a number, not "many"'),
        ({"type": "boolean"}, "perhaps", "Type y or n"),
        ({"enum": ["red", "green"]}, "3", '"3" is not among red, green.'),
        ({"type": "object"}, "[1]", "This should be a JSON object"),
        ({"type": "object"}, "{", "This is no JSON"),
        ({"type": ["integer", "null"]}, "x", "This should be a whole number"),
        ({"type": "array", "items": {"type": "integer"}}, "1,x", "a whole number"),
        ({"type": "string"}, "", "it is needed."),
    ],
)
def test_what_does_not_fit_a_field_is_said_and_asked_again(
    schema: Any, line: str, wrong: str
) -> None:
    answer, person = ask("clarification", line, "/no", text="?", form=form(("it",), it=schema))
    assert answer == Answer(action="deny")
    assert wrong in person.shown[1]


def test_a_form_is_asked_field_by_field_and_optional_ones_may_be_empty() -> None:
    asked = form(
        ("city",), city={"type": "string", "description": "Where"}, days={"type": "integer"}
    )
    values, person = clarify("Oslo", "", form=asked, missing_fields=("city",))
    assert values == {"city": "Oslo"}
    assert person.shown[0].startswith("agent asks: What is missing?\n(/no if you")
    assert person.shown[0].endswith("\ncity (Where): ")
    assert person.shown[1] == "days (a whole number, may be empty): "


def test_a_default_is_said_where_a_field_may_stay_empty() -> None:
    asked = form((), by={"type": "string", "default": "train"})
    values, person = clarify("", form=asked)
    assert values == {}
    assert person.shown[0].endswith('by (empty: "train"): ')


def test_what_is_there_already_may_stay() -> None:
    asked = form(("city", "days"), city={"type": "string"}, days={"type": "integer"})
    given = {"city": "Oslo", "days": None}
    values, person = clarify("", "3", form=asked, arguments=given, missing_fields=("days",))
    assert values == {"city": "Oslo", "days": 3}
    assert person.shown[0].endswith('city (empty: "Oslo"): ')


def test_without_a_form_the_answer_is_text() -> None:
    values, person = clarify("", "the red one")
    assert values == "the red one"
    assert person.shown[1].startswith("An answer is needed.\n")


@pytest.mark.parametrize(
    ("line", "said", "value"),
    [
        ("2", {}, "Rome"),
        ("oslo", {}, "Oslo"),
        ("7", {}, "7"),
        ("1, rome, 1", {"multiple": True}, ["Oslo", "Rome"]),
        ("7", {"multiple": True}, ["7"]),
        ("Bergen", {"free_text": True}, "Bergen"),
        ("Bergen, 1", {"free_text": True, "multiple": True}, ["Bergen", "Oslo"]),
        ("by sea", {"options": ()}, "by sea"),
        ("by sea", {"options": (), "multiple": True}, ["by sea"]),
    ],
)
def test_a_question_is_answered_by_number_by_label_or_in_words(
    line: str, said: Any, value: Any
) -> None:
    assert choose(line, **said)[0] == {"q1": value}


def test_the_answers_are_numbered_and_one_that_there_is_not_is_refused() -> None:
    values, person = choose("4", "", "Rome")
    assert values == {"q1": "Rome"}
    assert (
        "Where to?\n  1. Oslo\n  2. Rome: warm\n  3. 7\nType a number or its text."
        in (person.shown[0])
    )
    assert person.shown[1].startswith('"4" is not among the answers: Oslo, Rome: warm, 7.\n')
    assert person.shown[2].startswith("An answer is needed.\n")


def test_each_call_from_outside_gets_its_result() -> None:
    calls = (
        RequestedCall(id="c1", name="look", arguments='{"at": "sky"}'),
        RequestedCall(id="c2", name="listen", arguments="{}"),
    )
    answer, person = ask("external_tools", "blue", '{"db": 3}', calls=calls)
    assert answer == Answer(action="answer", value={"c1": "blue", "c2": '{"db": 3}'})
    assert person.shown[0].endswith('Result of look({"at": "sky"}): ')
    assert person.shown[1] == "Result of listen({}): "


@pytest.mark.parametrize("kind", ["clarification", "questions", "external_tools"])
def test_a_question_can_be_declined_with_a_note(kind: str) -> None:
    calls = (RequestedCall(id="c1", name="look", arguments="{}"),)
    asked = (Question(id="q1", text="Why?"),)
    answer, _ = ask(kind, "/no ask Ann", text="?", calls=calls, questions=asked)
    assert answer == Answer(action="deny", note="ask Ann")
    fields = form(("it",), it={"type": "string"})
    assert ask("clarification", "/no", text="?", form=fields)[0] == Answer(action="deny")
