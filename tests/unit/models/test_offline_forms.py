"""The offline model and what a request may ask besides: a form, objects by name, single calls."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from nbagents.messages import AssistantMessage, CallRequest, ToolMessage, UserMessage
from nbagents.models.model import HandleInfo, ModelRequest, ModelTurn, OutputSpec, ToolSpec
from tests.unit.models.offline_desk import WEATHER, parts_of, spec, typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.messages import Message


def turn_of(request: ModelRequest) -> ModelTurn:
    turn = parts_of(request)[-1]
    assert isinstance(turn, ModelTurn)
    return turn


def done(prompt: str, content: JsonValue, name: str = "read_air") -> list[Message]:
    """A prompt with one call that was made for it."""
    call = CallRequest(id="call-1", name=name, arguments="{}")
    return [
        UserMessage(text=prompt),
        AssistantMessage(text="", calls=(call,)),
        ToolMessage(call_id="call-1", name=name, content=json.dumps(content)),
    ]


def form(*optional: str, **properties: dict[str, JsonValue]) -> OutputSpec:
    return OutputSpec(name="Report", schema=spec("Report", "", *optional, **properties).parameters)


AIR = form(
    "note",
    town=typed("string"),
    celsius=typed("number"),
    windy=typed("boolean"),
    note=typed("string"),
)


def formed(messages: Sequence[Message], output: OutputSpec) -> JsonValue:
    return json.loads(turn_of(ModelRequest(messages=messages, output=output)).text)


def test_a_form_is_filled_from_the_results() -> None:
    messages = done("How is the air?", {"town": "Ulm", "celsius": 4.5, "windy": False})
    assert formed(messages, AIR) == {"town": "Ulm", "celsius": 4.5, "windy": False, "note": None}


def test_a_form_is_filled_from_the_prompt_where_no_tool_was_called() -> None:
    person = form(name=typed("string"), age=typed("integer"))
    assert formed([UserMessage(text="Ann Lee is 30 years old")], person) == {
        "name": "Ann Lee",
        "age": 30,
    }


def test_rows_of_a_result_become_a_list_of_the_form() -> None:
    row: JsonValue = {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
        "required": ["id"],
    }
    rows: JsonValue = [{"id": 1, "name": "a", "x": 0}, {"id": 2}]
    people = form(value={"type": "array", "items": row})
    assert formed(done("List them", rows), people) == {"value": [{"id": 1, "name": "a"}, {"id": 2}]}


def test_plain_rows_and_named_lists_become_lists_too() -> None:
    names = form(names=typed("array", items={"type": "string"}))
    assert formed(done("List them", ["a", "b"]), names) == {"names": ["a", "b"]}
    assert formed(done("List them", {"names": ["c"], "more": 1}), names) == {"names": ["c"]}


def test_rows_that_do_not_fit_the_form_are_left_out() -> None:
    item: JsonValue = {
        "type": "object",
        "properties": {"id": {"type": "integer"}},
        "required": ["id"],
    }
    output = form(value={"type": "array", "items": item})
    assert formed(done("List them", [{"id": 1}, {"x": 2}, None]), output) == {"value": [{"id": 1}]}


def test_an_object_inside_a_form_takes_its_fields_by_name() -> None:
    size: JsonValue = {
        "type": "object",
        "properties": {"width": {"type": "number"}, "depth": {"type": "number"}},
        "required": ["width"],
    }
    output = form(size=dict(size))  # pyright: ignore[reportArgumentType, reportCallIssue]  it is an object
    assert formed(done("How big?", {"width": 3, "depth": 4}), output) == {
        "size": {"width": 3, "depth": 4}
    }


def test_a_field_for_text_takes_what_the_answer_would_say() -> None:
    output = form(message=typed("string"))
    assert formed(done("Look", "All is well.", "look"), output) == {"message": "All is well."}


def test_a_form_that_cannot_be_filled_is_answered_by_what_it_lacks() -> None:
    text = turn_of(ModelRequest(messages=done("Look", {"town": "Ulm"}), output=AIR)).text
    assert "`celsius` and `windy`" in text
    assert "town Ulm" in text


def test_what_is_not_said_of_a_truth_is_not_false() -> None:
    text = turn_of(
        ModelRequest(messages=[UserMessage(text="In Ulm it has 3 celsius")], output=AIR)
    ).text
    assert "`windy`" in text


def test_a_complaint_about_the_form_is_no_new_wish() -> None:
    person = form(name=typed("string"), age=typed("integer"))
    memo: dict[str, object] = {}
    messages: list[Message] = [UserMessage(text="Somebody is old")]
    first = turn_of(ModelRequest(messages=messages, output=person, memo=memo)).text
    messages += [
        AssistantMessage(text=first),
        UserMessage(text="Your answer is no JSON (line 1). Answer again."),
    ]
    assert turn_of(ModelRequest(messages=messages, output=person, memo=memo)).text == first


def test_with_tools_a_form_is_filled_after_the_calls() -> None:
    output = form(text=typed("string"))
    messages: list[Message] = [UserMessage(text="What is the weather in Oslo?")]
    memo: dict[str, object] = {}
    request = ModelRequest(messages=messages, tools=(WEATHER[0],), output=output, memo=memo)
    call = turn_of(request).calls[0]
    messages += [
        AssistantMessage(text="", calls=(call,)),
        ToolMessage(call_id=call.id, name=call.name, content="It is cold."),
    ]
    assert json.loads(turn_of(request).text) == {"text": "It is cold."}


def test_a_tool_that_runs_at_the_provider_is_never_called() -> None:
    hosted = ToolSpec(name="weather", description="", parameters={}, hosted={"type": "web_search"})
    turn = turn_of(ModelRequest(messages=[UserMessage(text="Weather in Oslo?")], tools=(hosted,)))
    assert turn.calls == ()


def count_rows(**more: dict[str, JsonValue]) -> ToolSpec:
    plain = spec("count_rows", "Count the rows of a frame.", frame=typed("string"), **more)
    handles = {"frame": "Frame", **({"other": "Frame or list"} if more else {})}
    return ToolSpec(
        name=plain.name,
        description=plain.description,
        parameters=plain.parameters,
        handles=handles,
    )


def held(*objects: tuple[str, str]) -> tuple[HandleInfo, ...]:
    return tuple(HandleInfo(name=name, type_name=kind, summary="") for name, kind in objects)


def handed(prompt: str, tool: ToolSpec, *objects: tuple[str, str]) -> JsonValue:
    request = ModelRequest(
        messages=[UserMessage(text=prompt)], tools=(tool,), handles=held(*objects)
    )
    calls = turn_of(request).calls
    return json.loads(calls[0].arguments) if calls else None


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("Count the rows of old", "old"),
        ("Count the rows of the frame", "new"),
        ("Count the rows", "new"),
    ],
)
def test_an_object_is_taken_by_its_name_else_the_newest_of_its_type(prompt: str, name: str) -> None:
    objects = (("old", "Frame"), ("new", "Frame"), ("other", "dict"))
    assert handed(prompt, count_rows(), *objects) == {"frame": name}


def test_two_parameters_take_two_objects() -> None:
    tool = count_rows(other=typed("string"))
    objects = (("a", "Frame"), ("b", "list of int"))
    assert handed("Count the rows of a", tool, *objects) == {"frame": "a", "other": "b"}


def test_a_parameter_for_several_objects_takes_all_that_are_named() -> None:
    plain = spec("join", "Join frames.", frames=typed("array", items={"type": "string"}))
    tool = ToolSpec(
        name="join",
        description="Join frames.",
        parameters=plain.parameters,
        handles={"frames": "Frame"},
    )
    objects = (("a", "Frame"), ("b", "Frame"), ("c", "Frame"))
    assert handed("Join the frames a and c", tool, *objects) == {"frames": ["a", "c"]}


def test_an_optional_object_is_taken_only_where_it_is_named() -> None:
    plain = spec("print_page", "Print the page.", "frame", frame=typed("string"))
    tool = ToolSpec(
        name="print_page",
        description="Print the page.",
        parameters=plain.parameters,
        handles={"frame": "Frame"},
    )
    assert handed("Print the page", tool, ("a", "Frame")) == {}
    assert handed("Print the page of a", tool, ("a", "Frame")) == {"frame": "a"}


def test_without_a_fitting_object_it_is_asked_for() -> None:
    request = ModelRequest(
        messages=[UserMessage(text="Count the rows")],
        tools=(count_rows(),),
        handles=held(("text", "str")),
    )
    assert "`frame`" in turn_of(request).text


def test_an_object_may_come_with_the_result_of_an_earlier_call() -> None:
    load = spec("load_frame", "Load a frame.", path=typed("string"))
    messages: list[Message] = [
        UserMessage(text="Load the frame from data.csv. Count the rows of the frame.")
    ]
    memo: dict[str, object] = {}
    tools = (load, count_rows())
    first = turn_of(ModelRequest(messages=messages, tools=tools, memo=memo))
    assert [one.name for one in first.calls] == ["load_frame"]
    messages += [
        AssistantMessage(text="", calls=first.calls),
        ToolMessage(call_id=first.calls[0].id, name="load_frame", content="Kept as r1."),
    ]
    second = turn_of(
        ModelRequest(messages=messages, tools=tools, memo=memo, handles=held(("r1", "Frame")))
    )
    assert [(one.name, one.arguments) for one in second.calls] == [
        ("count_rows", '{"frame": "r1"}')
    ]


def test_one_call_a_turn_where_no_more_are_wanted() -> None:
    messages: list[Message] = [UserMessage(text="Compare the weather in Oslo and Paris")]
    memo: dict[str, object] = {}
    made: list[str] = []
    while calls := turn_of(
        ModelRequest(messages=messages, tools=(WEATHER[0],), memo=memo, parallel=False)
    ).calls:
        made += [one.arguments for one in calls]
        messages += [
            AssistantMessage(text="", calls=calls),
            ToolMessage(call_id=calls[0].id, name="weather", content="It is cold."),
        ]
        assert len(calls) == 1
    assert made == ['{"city": "Oslo"}', '{"city": "Paris"}']
