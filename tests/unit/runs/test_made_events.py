"""Events that are made quickly are those that pydantic would make, or are made by it."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from nbagents.events import EVENTS, AnyEvent, RequestedCall, ToolStart, Workflow
from nbagents.events.event import Phase
from nbagents.events.made import made
from nbagents.results import Citation, Failure, Usage

KINDS: tuple[type[BaseModel], ...] = get_args(get_args(AnyEvent)[0])
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
VALUES = st.one_of(
    TEXT,
    st.sampled_from(["planning", "done", "risky", "stdout", "tool_start"]),
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.lists(TEXT, max_size=2),
    st.tuples(TEXT),
    st.tuples(st.integers()),
    st.just(()),
    st.dictionaries(TEXT, TEXT | st.integers(), max_size=2),
    st.dictionaries(TEXT, st.lists(st.integers(), max_size=2), max_size=2),
    st.dictionaries(st.integers(), TEXT, max_size=1),
    st.just(Failure(kind="internal", recovery="replan", message="m")),
    st.just(Usage(requests=1)),
    st.tuples(st.just(RequestedCall(id="a", name="b", arguments="{}"))),
    st.tuples(st.just(Citation(url="https://example.org", title="t"))),
)
STAMP: dict[str, Any] = {
    "seq": 1,
    "at": 2.5,
    "event_key": "3",
    "session_id": "s",
    "turn_id": "t",
    "run_id": "r",
    "parent_run_id": None,
    "parent_tool_call_id": None,
    "labels": {"a": "b"},
}


def made_by(make: Any, kind: type[BaseModel], values: dict[str, Any]) -> object:
    """The event, or how it was refused."""
    try:
        event: BaseModel = make(kind, **values)
    except ValidationError as error:
        return [(one["loc"], one["type"]) for one in error.errors(include_url=False)]
    shown = [(name, one.__class__.__name__, repr(one)) for name, one in event.__dict__.items()]
    return type(event), shown, event.model_dump_json()


def by_pydantic(kind: type[BaseModel], **values: Any) -> BaseModel:
    return kind(**values)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(KINDS), st.data())
def test_whatever_is_given_the_event_is_the_one_that_pydantic_makes(
    kind: type[BaseModel], data: st.DataObject
) -> None:
    values = {
        name: data.draw(VALUES, name)
        for name, field in kind.model_fields.items()
        if name not in STAMP and (field.is_required() or data.draw(st.booleans()))
    }
    whole = {**STAMP, **values}
    for one in data.draw(st.sets(st.sampled_from([*whole, "other"]), max_size=1)):
        if whole.pop(one, None) is None:
            whole[one] = 1
    made_by(made, kind, whole)  # the first of its kind is made by pydantic anyway
    assert made_by(made, kind, whole) == made_by(by_pydantic, kind, whole)


def test_what_is_written_is_read_as_the_same_event() -> None:
    phases: tuple[Phase, ...] = ("planning", "completed")
    for phase in phases:
        event = made(Workflow, **STAMP, phase=phase, step=3)
        assert EVENTS.validate_json(event.model_dump_json()) == event
        assert event.model_copy(update={"step": 4}) == Workflow(**STAMP, phase=phase, step=4)
        with pytest.raises(ValidationError):
            event.step = 5  # pyright: ignore[reportAttributeAccessIssue]  frozen, as all are


def test_an_event_has_dictionaries_of_its_own() -> None:
    labels = {"a": "b"}
    arguments: dict[str, Any] = {"x": 1}
    whole: dict[str, Any] = {**STAMP, "labels": labels, "arguments": arguments, "objects": {}}
    for _ in range(2):
        event = made(ToolStart, **whole, tool_call_id="c", tool_name="f")
        labels["a"] += "c"
        arguments["x"] += 1
        assert (event.labels, event.arguments) != (labels, arguments)
