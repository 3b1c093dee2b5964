"""Chunks of chat completions put together, from providers that each have their own ways."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nbagents.errors import ModelError
from nbagents.models.chat.stream import ChatStream
from nbagents.models.model import CallDelta, ModelPart, ModelTurn, TextDelta, ThoughtDelta
from nbagents.models.openai.sse import EventCutter
from nbagents.results import Usage
from tests.unit.models.provider import chunk, delta, sse

ANSWER = sse(
    delta(role="assistant", content=""),
    ": keep-alive",
    delta(reasoning_content="Ich überlege… "),
    delta(content="Grüße aus "),
    delta(content="東京 🌍."),
    delta(tool_calls=[{"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}]),
    delta(tool_calls=[{"index": 1, "id": "b", "function": {"name": "g", "arguments": "{}"}}]),
    delta(tool_calls=[{"index": 0, "function": {"arguments": '{"ort": "Zü'}}]),
    delta(tool_calls=[{"index": 0, "function": {"arguments": 'rich"}'}}]),
    delta("tool_calls"),
    chunk(usage={"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}),
    "data: [DONE]",
)


def heard(*pieces: bytes) -> tuple[ChatStream, list[ModelPart]]:
    cutter, answer, parts = EventCutter(), ChatStream(), list[ModelPart]()
    for piece in pieces:
        for data in cutter.feed(piece):
            answer.read(data)
        parts += answer.drain()
    for data in cutter.finish():
        answer.read_last(data)
    return answer, parts + answer.drain()


def calls_of(*chunks: dict[str, Any] | str) -> list[tuple[str, str, str]]:
    answer, _ = heard(sse(*chunks))
    return [(call.id, call.name, call.arguments) for call in answer.turn().calls]


def piece(**fields: Any) -> dict[str, Any]:
    """A piece of one call; `name` and `arguments` stand under `function`."""
    function = {key: fields.pop(key) for key in ("name", "arguments") if key in fields}
    return {**fields, "function": function}


def test_every_cut_gives_the_same_turn() -> None:
    whole, _ = heard(ANSWER)
    turn = whole.turn()
    assert turn.text == "Grüße aus 東京 🌍."
    assert [(call.id, call.name, call.arguments) for call in turn.calls] == [
        ("a", "f", '{"ort": "Zürich"}'),
        ("b", "g", "{}"),
    ]
    assert turn.usage == Usage(input_tokens=9, output_tokens=4, requests=1)
    for at in range(len(ANSWER) + 1):
        answer, parts = heard(ANSWER[:at], ANSWER[at:])
        assert answer.turn() == turn, at
        assert answer.is_done
        assert "".join(one.text for one in parts if isinstance(one, TextDelta)) == turn.text
        thoughts = "".join(one.text for one in parts if isinstance(one, ThoughtDelta))
        assert thoughts == "Ich überlege… "
        arguments = [one.text for one in parts if isinstance(one, CallDelta) and one.id == "a"]
        assert "".join(arguments) == turn.calls[0].arguments


def test_an_unfinished_stream_is_not_finished_wherever_it_is_cut() -> None:
    end = ANSWER.index(b'"finish_reason": "tool_calls"')
    for at in range(end):
        answer, _ = heard(ANSWER[:at])
        assert not answer.is_finished, at


def test_each_piece_of_text_is_a_part_and_neighbours_of_a_thought_or_call_are_one() -> None:
    _, parts = heard(ANSWER)
    assert parts == [
        ThoughtDelta("Ich überlege… "),
        TextDelta("Grüße aus "),
        TextDelta("東京 🌍."),
        CallDelta("a", "f", ""),
        CallDelta("b", "g", "{}"),
        CallDelta("a", "f", '{"ort": "Zürich"}'),
    ]


def test_parallel_calls_without_index_are_told_apart_by_their_ids() -> None:
    assert calls_of(
        delta(tool_calls=[piece(id="a", name="f", arguments="{}")]),
        delta(tool_calls=[piece(id="b", name="f", arguments='{"x"')]),
        delta("tool_calls", tool_calls=[piece(arguments=": 1}")]),
    ) == [("a", "f", "{}"), ("b", "f", '{"x": 1}')]


def test_ids_and_names_that_come_with_every_piece_are_one_call() -> None:
    assert calls_of(
        delta(tool_calls=[piece(id="a", name="f", arguments='{"x"')]),
        delta(tool_calls=[piece(id="a", name="f", arguments=": 1")]),
        delta(tool_calls=[piece(id="a", name="f", arguments="}")]),
        delta("tool_calls", tool_calls=[piece(id="a", name="f", arguments="")]),
    ) == [("a", "f", '{"x": 1}')]


def test_calls_that_all_have_index_0_are_told_apart_by_their_ids() -> None:
    assert calls_of(
        delta(tool_calls=[piece(index=0, id="a", name="f", arguments="{}")]),
        delta("stop", tool_calls=[piece(index=0, id="b", name="g", arguments="{}")]),
    ) == [("a", "f", "{}"), ("b", "g", "{}")]


def test_a_new_id_without_a_name_is_no_new_call() -> None:
    """Some servers make up an id for every piece."""
    assert calls_of(
        delta(tool_calls=[piece(index=0, id="a", name="f", arguments='{"x"')]),
        delta("stop", tool_calls=[piece(index=0, id="z", arguments=": 1}")]),
    ) == [("a", "f", '{"x": 1}')]


def test_calls_with_one_id_get_ids_of_their_own() -> None:
    both = [piece(id="f", name="f", arguments='{"x": 1}'), piece(id="f", name="f", arguments="{}")]
    assert calls_of(delta("stop", tool_calls=both)) == [
        ("f", "f", '{"x": 1}'),
        ("f-2", "f", "{}"),
    ]


def test_an_id_of_an_earlier_step_is_not_used_again() -> None:
    answer = ChatStream(taken={"call_0", "call_0-2"})
    answer.read(json.dumps(delta(tool_calls=[piece(index=0, id="call_0", name="f")])).encode())
    assert [call.id for call in answer.turn().calls] == ["call_0-3"]


def test_calls_without_ids_get_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_DETERMINISTIC", "0")
    calls = calls_of(
        delta(tool_calls=[piece(name="f", arguments="{}"), piece(name="f", arguments='{"x": 2}')]),
        delta("stop", tool_calls=[piece(name="g", arguments="")]),
    )
    assert [call[1:] for call in calls] == [("f", "{}"), ("f", '{"x": 2}'), ("g", "")]
    assert len({call[0] for call in calls}) == 3


def test_a_name_in_pieces_is_joined() -> None:
    assert calls_of(
        delta(tool_calls=[piece(index=0, id="a", name="get_")]),
        delta("stop", tool_calls=[piece(index=0, name="city", arguments="{}")]),
    ) == [("a", "get_city", "{}")]


def test_arguments_that_come_as_an_object_are_made_text() -> None:
    call = piece(id="a", name="f", arguments={"city": "Zürich"})
    assert calls_of(delta("stop", tool_calls=[call])) == [("a", "f", '{"city":"Zürich"}')]


def test_a_refusal_is_text_that_is_marked() -> None:
    answer, parts = heard(sse(delta(refusal="I "), delta(refusal="can't."), delta("stop")))
    assert parts == [TextDelta("I "), TextDelta("can't.")]
    assert answer.turn() == ModelTurn(text="I can't.", refused=True, usage=Usage(requests=1))


def test_an_answer_is_no_refusal() -> None:
    answer, _ = heard(sse(delta(content="Yes.", refusal=None), delta("stop")))
    assert not answer.turn().refused


def test_content_in_typed_pieces_is_text_and_thought() -> None:
    pieces = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "yes"},
    ]
    _, parts = heard(sse(delta("stop", content=pieces)))
    assert parts == [ThoughtDelta("hm"), TextDelta("yes")]


def test_reasoning_is_thought_by_either_name() -> None:
    _, parts = heard(sse(delta(reasoning="a"), delta("stop", reasoning_content="b")))
    assert parts == [ThoughtDelta("ab")]


def test_a_message_that_is_not_streamed_is_a_turn() -> None:
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        ],
    }
    answer, _ = heard(sse(chunk({"message": message, "finish_reason": "tool_calls"})))
    assert [call.name for call in answer.turn().calls] == ["f"]


def test_a_character_cut_in_two_halves_is_whole_again() -> None:
    halves = [
        'data: {"choices":[{"index":0,"delta":{"content":"a\\ud83c"}}]}',
        'data: {"choices":[{"index":0,"delta":{"content":"\\udf0db"},"finish_reason":"stop"}]}',
    ]
    answer, parts = heard(sse(halves[0]), sse(halves[1]))
    assert parts == [TextDelta("a"), TextDelta("🌍b")]
    assert answer.turn().text == "a🌍b"


@pytest.mark.parametrize(
    ("usage", "cached"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 5}}, 5),
        ({"prompt_cache_hit_tokens": 6}, 6),
        ({"prompt_tokens_details": None}, 0),
    ],
)
def test_cached_tokens_are_counted(usage: dict[str, Any], cached: int) -> None:
    numbers = {"prompt_tokens": 9, "completion_tokens": 4, **usage}
    answer, _ = heard(sse(delta("stop"), chunk(usage=numbers)))
    assert answer.turn().usage == Usage(
        input_tokens=9, output_tokens=4, cached_tokens=cached, requests=1
    )


@pytest.mark.parametrize(
    ("numbers", "output_tokens"),
    [
        ((9, 14, 23), 14),  # OpenAI: reasoning is output
        ((9, 4, 23), 14),  # xAI: reasoning stands in the total only
        ((9, 4, 13), 4),
        ((9, 4, None), 4),
    ],
)
def test_reasoning_counts_as_output_once(
    numbers: tuple[int, int, int | None], output_tokens: int
) -> None:
    given, said, total = numbers
    usage = {
        "prompt_tokens": given,
        "completion_tokens": said,
        "total_tokens": total,
        "completion_tokens_details": {"reasoning_tokens": 10},
    }
    answer, _ = heard(sse(delta("stop"), chunk(usage=usage)))
    assert answer.turn().usage.output_tokens == output_tokens


def test_usage_within_the_last_choice_counts() -> None:
    last = {"delta": {}, "finish_reason": "stop", "usage": {"prompt_tokens": 5}}
    answer, _ = heard(sse(delta(content="x"), chunk(last)))
    assert answer.turn().usage == Usage(input_tokens=5, requests=1)


def test_a_request_is_counted_where_no_usage_comes() -> None:
    answer, _ = heard(sse(delta("stop", content="x")))
    assert answer.turn().usage == Usage(requests=1)


@pytest.mark.parametrize(
    "data",
    [
        b"{oops",
        b"[1, 2]",
        b'"text"',
        b'{"choices": [1]}',
        b'{"choices": {"a": 1}}',
        b'{"choices": [{"delta": "text"}]}',
        b'{"choices": [{"delta": {"content": 5}}]}',
        b'{"choices": [{"delta": {"tool_calls": [7]}}]}',
        b'{"choices": [], "usage": {"prompt_tokens": "many"}}',
        b'{"choices": [{"delta": {"content": "\xff"}}]}',
    ],
)
def test_what_is_no_chunk_is_a_model_error(data: bytes) -> None:
    with pytest.raises(ModelError, match="no chunk of a chat completion"):
        ChatStream().read(data)


@pytest.mark.parametrize("error", [{"message": "overloaded", "code": 503}, "overloaded"])
def test_an_error_in_the_stream_is_a_model_error(error: object) -> None:
    with pytest.raises(ModelError, match="failed while it answered: overloaded"):
        ChatStream().read(json.dumps({"error": error}).encode())


def test_a_withheld_answer_is_a_model_error() -> None:
    answer, _ = heard(sse(delta("content_filter")))
    with pytest.raises(ModelError, match="content filter withheld"):
        answer.turn()


def test_an_answer_that_the_filter_cut_says_so() -> None:
    answer, parts = heard(sse(delta(content="It is"), delta("content_filter")))
    assert answer.turn().text == "It is"
    assert parts[-1] == ThoughtDelta("The provider's content filter cut this answer off.\n")


def test_a_call_without_a_name_is_a_model_error() -> None:
    answer, _ = heard(sse(delta("stop", tool_calls=[piece(index=0, id="a", arguments="{}")])))
    with pytest.raises(ModelError, match="without the tool's name"):
        answer.turn()


def test_half_an_event_at_the_end_is_passed_over() -> None:
    answer, parts = heard(sse(delta(content="so")) + b'data: {"choices": [{"del')
    assert parts == [TextDelta("so")]
    assert not answer.is_finished


def test_a_done_without_its_blank_line_counts() -> None:
    answer, _ = heard(sse(delta(content="so"), "data: [DONE]").rstrip(b"\n"))
    assert answer.is_done


def test_a_last_event_without_its_blank_line_counts() -> None:
    answer, _ = heard(sse(delta("stop", content="so")).rstrip(b"\n"))
    assert answer.is_finished
    assert answer.turn().text == "so"


def test_an_answer_that_the_token_limit_cut_says_so() -> None:
    answer, parts = heard(
        sse(delta(content="It is")), sse(chunk({"delta": {}, "finish_reason": "length"}))
    )
    assert answer.turn().text == "It is"
    assert any(isinstance(part, ThoughtDelta) and "limit of tokens" in part.text for part in parts)


def test_an_answer_without_anything_in_it_is_an_error() -> None:
    answer, _ = heard(b"data: [DONE]\n\n")
    with pytest.raises(ModelError, match="without having said anything"):
        answer.turn()


def test_of_several_answers_the_first_is_read() -> None:
    other = {"index": 1, "delta": {"content": "B", "tool_calls": [{"id": "b"}]}}
    both = chunk({"delta": {"content": "A"}})
    both["choices"].insert(0, other)
    answer, parts = heard(
        sse(
            chunk({**other, "finish_reason": None}),
            both,
            chunk({"index": 1, "delta": {}, "finish_reason": "length"}),
            delta("stop", content="a"),
            chunk({"index": 1, "delta": {"content": "b"}}),
        )
    )
    assert parts == [TextDelta("A"), TextDelta("a")]
    assert (answer.turn().text, answer.turn().calls, answer.finish_reason) == ("Aa", (), "stop")


def test_an_answer_without_an_index_is_the_first() -> None:
    answer, _ = heard(sse({"choices": [{"delta": {"content": "A"}, "finish_reason": "stop"}]}))
    assert answer.turn().text == "A"


def test_a_call_in_the_words_of_before_is_a_call() -> None:
    answer, parts = heard(
        sse(
            delta(content=None, function_call={"name": "f", "arguments": ""}),
            delta(function_call={"arguments": '{"ort": '}),
            delta(function_call={"arguments": '"Rom"}'}),
            delta("function_call", function_call=None),
        )
    )
    (call,) = answer.turn().calls
    assert (call.name, call.arguments) == ("f", '{"ort": "Rom"}')
    assert call.id
    assert [part.text for part in parts if isinstance(part, CallDelta)] == ['{"ort": "Rom"}']


def test_a_call_that_is_said_in_both_ways_is_one_call() -> None:
    said = {"name": "f", "arguments": "{}"}
    calls = [piece(index=0, id="a", **said)]
    assert calls_of(delta("tool_calls", tool_calls=calls, function_call=said)) == [("a", "f", "{}")]


DEEP = 100_000
BRACKETS = {
    "not closed": b"[" * DEEP,
    "closed": b"[" * DEEP + b"]" * DEEP,
    "in an unknown field": b'{"choices": [], "x": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "a little too deep": b'{"choices": [], "x": ' + b"[" * 300 + b"]" * 300 + b"}",
    "with half a character": b'{"a": "\\ud83d", "x": ' + b"[" * 300 + b"]" * 300 + b"}",
}


@pytest.mark.parametrize("data", BRACKETS.values(), ids=BRACKETS)
def test_a_chunk_that_nests_without_end_is_no_chunk(data: bytes) -> None:
    with pytest.raises(ModelError, match="no chunk of a chat completion") as caught:
        ChatStream().read(data)
    assert len(str(caught.value)) < 300
    answer = ChatStream()
    answer.read_last(data)
    assert not answer.is_finished
