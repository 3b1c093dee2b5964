"""Events of the Responses API put together, in the shapes that OpenAI publishes and in others'."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nbagents.errors import ModelError
from nbagents.messages import CallRequest
from nbagents.models.model import CallDelta, ModelPart, TextDelta, ThoughtDelta, ToolSpec
from nbagents.models.openai.errors import BrokenAnswerError
from nbagents.models.responses.stream import ResponsesStream
from nbagents.models.responses.tools import wired
from nbagents.results import Citation, Usage
from tests.unit.models.provider import sse
from tests.unit.models.responses_wire import (
    answer,
    call,
    checked,
    events,
    heard,
    message,
    reasoning,
    response,
    wire,
)

WHOLE = answer(
    reasoning("Ich überlege…", "Noch einmal."),
    message("Grüße aus 東京 🌍."),
    call("f", '{"ort": "Zürich"}', "call_1"),
    call("g", "{}", "call_2"),
)
REFUSAL = {"type": "refusal", "refusal": "I will not."}


def text_of(parts: list[ModelPart]) -> str:
    return "".join(part.text for part in parts if isinstance(part, TextDelta))


def thoughts_of(parts: list[ModelPart]) -> str:
    return "".join(part.text for part in parts if isinstance(part, ThoughtDelta))


def url_citation(start: int, end: int) -> dict[str, Any]:
    place = {"start_index": start, "end_index": end}
    return {"type": "url_citation", "url": "https://x.org/a", "title": "A", **place}


def text(said: str, *annotations: dict[str, Any]) -> dict[str, Any]:
    return {"type": "output_text", "text": said, "annotations": list(annotations)}


@pytest.mark.medium
def test_every_cut_gives_the_same_turn() -> None:
    """Also inside a character, inside JSON and between the deltas of arguments."""
    stream, _ = heard(WHOLE)
    turn = stream.turn()
    assert turn.text == "Grüße aus 東京 🌍."
    assert turn.calls == (
        CallRequest(id="call_1", name="f", arguments='{"ort": "Zürich"}'),
        CallRequest(id="call_2", name="g", arguments="{}"),
    )
    assert turn.usage == Usage(input_tokens=9, output_tokens=4, cached_tokens=2, requests=1)
    for at in range(0, len(WHOLE) + 1, 3):
        stream, parts = heard(WHOLE[:at], WHOLE[at:])
        assert stream.turn() == turn, at
        assert stream.is_done
        assert text_of(parts) == turn.text
        assert thoughts_of(parts) == "Ich überlege…\n\nNoch einmal."
        pieces = [part for part in parts if isinstance(part, CallDelta) and part.id == "call_1"]
        assert "".join(piece.text for piece in pieces) == '{"ort": "Zürich"}'
        assert {piece.name for piece in pieces} == {"f"}


def test_an_unfinished_stream_is_not_finished_wherever_it_is_cut() -> None:
    end = WHOLE.index(b'"type": "response.completed"')
    for at in range(0, end, 5):
        stream, _ = heard(WHOLE[:at])
        assert not stream.is_finished, at


def test_the_turn_keeps_the_items_as_they_were_given() -> None:
    items = (reasoning("so"), message("hi"), call())
    stream, _ = heard(answer(*items))
    assert stream.turn().native == items
    assert stream.turn().native_of == "openai_responses"


def test_items_and_events_of_unknown_types_are_passed_over_but_kept() -> None:
    item = {"type": "telepathy", "id": "x_1", "thought": "?"}
    script = events(message("hi"))
    added = {"type": "response.output_item.added", "item": item, "output_index": 7}
    done = {**added, "type": "response.output_item.done"}
    odd = {"type": "response.telepathy.delta", "delta": "?", "item_id": "x_1"}
    stream, parts = heard(sse(*script[:-1], added, odd, done, script[-1]))
    assert parts[-1] == TextDelta("hi")
    assert stream.turn().native == (message("hi"), item)


def test_a_refusal_is_text_that_says_so() -> None:
    stream, parts = heard(answer(message(REFUSAL)))
    assert text_of(parts) == stream.turn().text == "I will not."
    assert stream.turn().refused
    assert not heard(answer(message("yes")))[0].turn().refused


def test_two_messages_are_two_paragraphs() -> None:
    first = message("I look.", phase="commentary")
    second = message("It rains.", item_id="msg_2", phase="final_answer")
    stream, parts = heard(answer(first, second))
    assert text_of(parts) == stream.turn().text == "I look.\n\nIt rains."


def test_a_comment_is_no_part_of_an_answer_with_a_form() -> None:
    first = message("I look.", phase="commentary")
    stream, parts = heard(answer(first, message("{}", item_id="msg_2")), is_formed=True)
    assert stream.turn().text == "{}"
    assert thoughts_of(parts) == "I look."


def test_citations_are_told_once_and_where_they_stand_in_the_answer() -> None:
    second = message(
        text(
            "It rains (A).", url_citation(9, 12), {"type": "file_path", "file_id": "f", "index": 0}
        ),
        item_id="msg_2",
    )
    stream, _ = heard(answer(message("So:"), second))
    turn = stream.turn()
    cited, path = turn.citations
    assert cited == Citation(url="https://x.org/a", title="A", start=14, end=17)
    assert turn.text[14:17] == "(A)"
    assert path == Citation(file_id="f")


def test_files_are_cited_by_id_and_name() -> None:
    of_file = {"type": "file_citation", "file_id": "f_1", "filename": "a.pdf", "index": 2}
    of_container = {
        "type": "container_file_citation",
        "container_id": "c",
        "file_id": "f_2",
        "filename": "b.png",
        "start_index": 0,
        "end_index": 2,
    }
    stream, _ = heard(answer(message(text("so.", of_file, of_container))))
    assert stream.turn().citations == (
        Citation(file_id="f_1", title="a.pdf", start=2, end=2),
        Citation(file_id="f_2", title="b.png", start=0, end=2),
    )
    unknown = {"type": "dream_citation"}
    done = {"type": "response.output_item.done", "item": message(text("so", unknown))}
    assert heard(sse(done))[0].turn().citations == ()


def test_a_call_id_of_the_conversation_is_given_another_and_the_item_too() -> None:
    stream, parts = heard(answer(call(), call(call_id="call_2")), taken={"call_1"})
    turn = stream.turn()
    assert [one.id for one in turn.calls] == ["call_1-2", "call_2"]
    assert [item["call_id"] for item in turn.native if isinstance(item, dict)] == [
        "call_1-2",
        "call_2",
    ]
    assert parts[0] == CallDelta("call_1-2", "f", "{}")


def test_a_call_in_a_namespace_is_the_toolsets_tool() -> None:
    tools = (
        ToolSpec(name="crm--find", description="", parameters={}, defer=True, toolset="crm"),
        ToolSpec(name="late", description="", parameters={}, defer=True),
        ToolSpec(name="tool_search", description="", parameters={}, hosted={"type": "tool_search"}),
    )
    asked = answer(
        call("find", namespace="crm"),
        call("late", call_id="call_2", namespace="late"),
        call("gone", call_id="call_3", namespace="crm"),
    )
    stream, _ = heard(asked, wired=wired(tools))
    assert [one.name for one in stream.turn().calls] == ["crm--find", "late", "crm--gone"]


def test_a_limit_of_tokens_is_told_and_what_was_said_counts() -> None:
    details = {"reason": "max_output_tokens"}
    stream, parts = heard(answer(message("so "), status="incomplete", incomplete_details=details))
    assert stream.turn().text == "so "
    assert thoughts_of(parts) == "The provider's limit of tokens cut this answer off.\n"


def test_a_call_that_was_cut_off_is_in_no_native_items() -> None:
    """The next request must not send back a call that is not answered, or answer one it lacks."""
    script = events(call("f", '{"ort": "Zürich"}'))
    cut = [event for event in script if "done" not in event["type"]][:-2]
    details = {"reason": "max_output_tokens"}
    end = response(status="incomplete", incomplete_details=details)
    stream, _ = heard(wire(*cut, {"type": "response.incomplete", "response": end}))
    turn = stream.turn()
    assert turn.calls[0].arguments == '{"ort": "Züric'
    assert (turn.native, turn.native_of) == ((), "")


def test_a_withheld_answer_is_an_error_and_a_cut_one_is_told() -> None:
    fields: dict[str, Any] = {
        "status": "incomplete",
        "incomplete_details": {"reason": "content_filter"},
    }
    stream, _ = heard(answer(**fields))
    with pytest.raises(ModelError, match="content filter withheld"):
        stream.turn()
    stream, parts = heard(answer(message("so "), **fields))
    assert stream.turn().text == "so "
    assert "content filter cut" in thoughts_of(parts)


def test_another_reason_is_said_as_it_is() -> None:
    fields: dict[str, Any] = {"status": "incomplete", "incomplete_details": None}
    _, parts = heard(answer(message("so "), **fields))
    assert thoughts_of(parts) == "The answer is incomplete: unknown.\n"


@pytest.mark.parametrize("code", ["server_error", "rate_limit_exceeded", "vector_store_timeout"])
def test_a_failure_that_may_pass_is_worth_another_try(code: str) -> None:
    error = {"code": code, "message": "boom"}
    failed = {"type": "response.failed", "response": response(status="failed", error=error)}
    with pytest.raises(BrokenAnswerError, match="failed while it answered: boom"):
        heard(wire(failed))


@pytest.mark.parametrize("code", ["invalid_prompt", "image_too_large", "bio_policy"])
def test_a_failure_that_the_request_causes_is_not(code: str) -> None:
    error = {"code": code, "message": "no"}
    failed = {"type": "response.failed", "response": response(status="failed", error=error)}
    with pytest.raises(ModelError, match="failed while it answered: no") as caught:
        heard(wire(failed))
    assert not isinstance(caught.value, BrokenAnswerError)


@pytest.mark.parametrize(
    "event",
    [
        {"type": "error", "code": None, "message": "boom", "param": None},
        {"type": "error", "error": {"type": "server_error", "message": "boom"}},
        {"type": "error", "error": "boom"},
        {"error": {"message": "boom", "code": "server_error"}},
        {"status": "failed", "error": {"message": "boom", "code": "503"}, "output": []},
    ],
)
def test_an_error_is_understood_however_it_is_wrapped(event: dict[str, Any]) -> None:
    with pytest.raises(BrokenAnswerError, match="failed while it answered: boom"):
        heard(sse(event))


def test_a_failure_without_a_word_says_that() -> None:
    failed = {"type": "response.failed", "response": {"status": "failed", "error": None}}
    with pytest.raises(ModelError, match="it does not say why"):
        heard(sse(failed))


@pytest.mark.parametrize(
    "data",
    [
        "{oops",
        "[1]",
        "3",
        '{"type": "response.output_text.delta", "content_index": 0}',
        '{"type": "response.output_text.delta", "content_index": 0, "delta": 3}',
        '{"type": "response.output_item.added"}',
        '{"type": "response.output_item.added", "item": {"id": "x"}}',
        '{"type": "response.function_call_arguments.delta", "item_id": "?", "delta": "x"}',
        '{"type": "response.output_item.done", "item": {"type": "function_call"}}',
        '{"type": "response.output_item.done", "output_index": 0, "item": {"type": "x_call"}}',
        '{"type": "response.completed"}',
        '{"type": "response.completed", "response": {"output": 3}}',
        '{"type": "response.completed", "response": {"usage": 3}}',
    ],
)
def test_what_is_no_event_is_a_broken_answer(data: str) -> None:
    with pytest.raises(BrokenAnswerError, match="no event of a response"):
        heard(sse(f"data: {data}"))


def test_a_call_without_a_name_is_a_broken_answer() -> None:
    stream, _ = heard(answer(call("")))
    with pytest.raises(BrokenAnswerError, match="call without the tool's name"):
        stream.turn()


def test_servers_that_send_no_deltas_are_understood() -> None:
    items = (reasoning("so"), message("hi", REFUSAL), call("f", '{"a": 1}'))
    script = [
        event
        for event in checked(*events(*items))
        if event["type"] in ("response.output_item.done", "response.completed")
    ]
    for kept in (script, script[-1:]):
        stream, parts = heard(sse(*kept))
        turn = stream.turn()
        assert text_of(parts) == turn.text == "hiI will not."
        assert thoughts_of(parts) == "so"
        assert parts[-1] == CallDelta("call_1", "f", '{"a": 1}')
        assert turn.native == items
        assert turn.refused


def test_an_item_whose_end_was_left_out_is_taken_from_the_whole() -> None:
    script = events(message("hi"), call("f", '{"a": 1}'))
    kept = [one for one in script if one.get("output_index") != 1 or "done" not in one["type"]]
    stream, parts = heard(wire(*kept))
    assert text_of(parts) == "hi"
    assert stream.turn().native == (message("hi"), call("f", '{"a": 1}'))


def test_a_server_that_does_not_stream_is_understood() -> None:
    stream, parts = heard()
    stream.read(json.dumps(response(message("hi"))).encode())
    parts = stream.drain()
    assert parts == [TextDelta("hi")]
    assert stream.is_finished
    assert stream.turn().text == "hi"


def test_a_server_that_changes_ids_on_the_way_is_understood() -> None:
    script = events(message("hallo"), call("f", '{"ort": "Zürich"}'))
    for at, event in enumerate(script):
        if "item_id" in event:
            event["item_id"] = f"other_{at}"
        if event["type"] == "response.output_item.done":
            event["item"] = {**event["item"], "id": f"other_{at}"}
    stream, parts = heard(wire(*script[:-1], {**script[-1], "response": response()}))
    assert text_of(parts) == stream.turn().text == "hallo"
    assert [one.arguments for one in stream.turn().calls] == ['{"ort": "Zürich"}']


def test_a_server_whose_indices_are_all_0_is_understood() -> None:
    script = events(message("hallo"), call("f", "{}"), call("g", "{}", "call_2"))
    at_zero = [{**one, "output_index": 0} if "output_index" in one else one for one in script]
    stream, _ = heard(wire(*at_zero))
    assert stream.turn().text == "hallo"
    assert [one.name for one in stream.turn().calls] == ["f", "g"]


def test_text_of_a_message_that_was_not_announced_counts() -> None:
    script = [one for one in events(message("hallo")) if "item" not in one]
    stream, parts = heard(wire(*script[:-1], {**script[-1], "response": response()}))
    assert text_of(parts) == stream.turn().text == "hallo"


def test_a_call_without_an_id_is_given_one() -> None:
    item = call()
    del item["call_id"], item["id"]
    done = {"type": "response.output_item.done", "item": item, "output_index": 0}
    stream, _ = heard(sse(done, {"type": "response.completed", "response": response()}))
    (made,) = stream.turn().calls
    assert made.id
    assert stream.turn().native == ({**item, "call_id": made.id},)


def test_a_character_that_is_cut_in_two_halves_is_mended() -> None:
    halves = json.dumps("\ud83c"), json.dumps("\udf0d")
    at = '"item_id": "msg_1", "output_index": 0, "content_index": 0'
    deltas = [
        f'data: {{"type": "response.output_text.delta", {at}, "delta": {half}}}' for half in halves
    ]
    stream, _ = heard(sse(*deltas, {"type": "response.completed", "response": response()}))
    assert stream.turn().text == "🌍"


def test_done_and_what_follows_without_its_blank_line_are_no_trouble() -> None:
    stream, _ = heard(WHOLE + b"data: [DONE]\n\n")
    assert stream.turn().text
    assert heard(WHOLE.rstrip())[0].is_finished
    assert not heard(WHOLE.rstrip()[:-2])[0].is_finished


DEEP = 100_000
BRACKETS = {
    "not closed": b"[" * DEEP,
    "closed": b"[" * DEEP + b"]" * DEEP,
    "in an unknown field": b'{"type": "x", "x": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "in an item": b'{"type": "x", "item": ' + b"[" * 300 + b"]" * 300 + b"}",
}


@pytest.mark.parametrize("data", BRACKETS.values(), ids=BRACKETS)
def test_an_event_that_nests_without_end_is_no_event(data: bytes) -> None:
    with pytest.raises(ModelError, match="no event of a response") as caught:
        ResponsesStream().read(data)
    assert len(str(caught.value)) < 300
    answer_of = ResponsesStream()
    answer_of.read_last(data)
    assert not answer_of.is_finished
