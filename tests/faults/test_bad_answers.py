"""Answers that are whole but wrong: nonsense from the provider, and mistakes of the model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.agents import Agent
from nbagents.errors import ModelError
from tests.faults.bad_server import Answer, BadServer
from tests.faults.leaving import Ended, call_of, logged, run_to_the_end
from tests.faults.wire_words import APIS, TEXT, Api, Asked, answer, stream
from tests.unit.models import responses_wire as responses
from tests.unit.models.provider import chunk, delta, sse

if TYPE_CHECKING:
    from pathlib import Path

    from nbagents.agents import ToolLike
    from nbagents.runs.state.session import Session

NONSENSE = {
    "malformed-json": b'data: {"choices": [{"del\n\n',
    "no-object": b"data: [1, 2]\n\n",
    "no-utf8": b'data: {"type": "\xff\xfe"}\n\n',
    "brackets-without-end": b"data: " + b"[" * 50_000 + b"\n\n",
}

CHAT = {
    "content-is-a-number": sse(delta(content=7)),
    "content-is-an-object": sse(delta(content={"text": "so"})),
    "calls-are-no-list": sse(delta(tool_calls=7)),
    "choices-are-no-list": sse({"choices": {"index": 0}}),
    "a-choice-is-null": sse({"choices": [None]}),
    "usage-is-a-text": sse(chunk(usage="many")),
}
EMPTY_CHAT = {
    "empty-choices": sse(chunk(), "data: [DONE]"),
    "no-choices-key": sse({"id": "c", "object": "chat.completion.chunk"}, "data: [DONE]"),
    "choices-are-null": sse({"id": "c", "choices": None}, "data: [DONE]"),
    "only-done": sse("data: [DONE]"),
}


def square(number: int) -> int:
    """Square a number."""
    return number * number


def ended_after(
    api: Api,
    session: Session,
    *script: Answer,
    tools: tuple[ToolLike, ...] = (square,),
    otherwise: Answer | None = None,
    **options: Any,
) -> tuple[Ended, BadServer]:
    """How a run ends at a server that plays this script; the next run must work."""
    with BadServer(*script, otherwise=otherwise or answer(api.text())) as server:
        agent = Agent(model=api.model(server.url), tools=tools, **options)
        ended = run_to_the_end(agent, session)
        asked = len(server.asked)
        server.otherwise = answer(api.text())
        assert run_to_the_end(Agent(model=api.model(server.url)), session).run.text == TEXT
        del server.asked[asked:]
    return ended, server


# The provider's nonsense


@pytest.mark.parametrize("what", NONSENSE)
def test_nonsense_before_anything_is_asked_for_again(api: Api, session: Session, what: str) -> None:
    ended, server = ended_after(api, session, stream(api.text()[0], NONSENSE[what]))
    assert (ended.run.status, ended.run.text, len(server.asked)) == ("completed", TEXT, 2)


@pytest.mark.parametrize("what", NONSENSE)
def test_nonsense_that_stays_is_one_error_that_says_what_to_do(
    api: Api, session: Session, what: str
) -> None:
    ended, server = ended_after(api, session, otherwise=stream(NONSENSE[what]))
    assert (ended.run.status, len(server.asked)) == ("failed", 3)
    assert isinstance(ended.error, ModelError)
    assert "The provider sent something" in ended.said
    assert ended.said.endswith("Try again.")


@pytest.mark.parametrize("what", CHAT)
def test_a_chunk_of_another_shape_is_asked_for_again(session: Session, what: str) -> None:
    ended, server = ended_after(APIS["chat"], session, stream(CHAT[what]))
    assert (ended.run.status, len(server.asked)) == ("completed", 2)


@pytest.mark.parametrize("what", EMPTY_CHAT)
def test_an_answer_without_anything_in_it_is_asked_for_again(session: Session, what: str) -> None:
    ended, server = ended_after(APIS["chat"], session, stream(EMPTY_CHAT[what]))
    assert (ended.run.status, ended.run.text, len(server.asked)) == ("completed", TEXT, 2)


@pytest.mark.parametrize("what", EMPTY_CHAT)
def test_answers_without_anything_in_them_end_in_one_error(session: Session, what: str) -> None:
    ended, server = ended_after(APIS["chat"], session, otherwise=stream(EMPTY_CHAT[what]))
    assert (ended.run.status, len(server.asked)) == ("failed", 3)
    assert "without having said anything. Try again." in ended.said


def test_a_failure_in_mid_stream_is_asked_again_before_anything_was_shown(
    api: Api, session: Session
) -> None:
    ended, server = ended_after(api, session, stream(api.text()[0], api.failure()))
    assert (ended.run.status, len(server.asked)) == ("completed", 2)


def test_a_failure_in_mid_stream_is_told_in_the_providers_words(api: Api, session: Session) -> None:
    ended, _ = ended_after(api, session, otherwise=stream(*api.text()[:-3], api.failure()))
    assert ended.run.status == "failed"
    assert ended.said == (
        "The provider failed while it answered: The engine is overloaded. Try again."
    )


def test_null_content_is_told_as_no_answer(session: Session) -> None:
    nothing = sse(delta(content=None), delta("stop"), "data: [DONE]")
    ended, _ = ended_after(APIS["chat"], session, stream(nothing))
    assert (ended.run.status, ended.run.text) == ("completed", "No answer: the model said nothing.")


def test_a_response_without_items_is_told_as_no_answer(session: Session) -> None:
    ended, _ = ended_after(APIS["responses"], session, stream(responses.answer()))
    assert (ended.run.status, ended.run.text) == ("completed", "No answer: the model said nothing.")


def test_a_call_without_a_name_is_one_error_and_no_call(api: Api, session: Session) -> None:
    nameless = [event.replace(b'"square"', b'""') for event in api.calls(Asked("square"))]
    ended, _ = ended_after(api, session, otherwise=stream(*nameless))
    assert ended.run.status == "failed"
    assert ended.said == "The provider sent a call without the tool's name. Try again."
    assert "tool_start" not in [event.type for event in logged(ended.run)]


def test_a_refusal_is_an_answer_that_is_known_for_one(api: Api, session: Session) -> None:
    refused = {
        "chat": sse(delta("stop", refusal="I will not."), "data: [DONE]"),
        "responses": responses.answer(
            responses.message({"type": "refusal", "refusal": "I will not."})
        ),
    }
    name = next(name for name, one in APIS.items() if one is api)
    ended, _ = ended_after(api, session, stream(refused[name]))
    assert (ended.run.status, ended.run.text) == ("completed", "I will not.")
    assert ended.run.tree()["runs"][ended.run.id]["refused"]


# The model's mistakes


MISTAKES = {
    "unknown-tool": (Asked("cube", '{"number": 2}'), "There is no tool 'cube'"),
    "wrong-type": (Asked("square", '{"number": "two"}'), "- number: "),
    "missing-argument": (Asked("square", "{}"), "- number: "),
    "unknown-argument": (Asked("square", '{"number": 2, "base": 7}'), "- base: "),
    "no-json": (Asked("square", "two, please"), "Call it again with one JSON object."),
    "json-that-is-cut-off": (Asked("square", '{"number": '), "Call it again with one JSON object."),
    "no-object": (Asked("square", "[2]"), "Call it again with one JSON object."),
    "two-objects": (Asked("square", '{"number": 2}{"number": 3}'), "Call it again with one"),
    "name-with-odd-characters": (Asked("square me", '{"number": 2}'), "There is no tool"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_of_the_model_is_told_to_it_once(api: Api, session: Session, what: str) -> None:
    asked, told = MISTAKES[what]
    ended, server = ended_after(api, session, answer(api.calls(asked)))
    call = call_of(ended.run)
    assert (ended.run.status, ended.run.text) == ("completed", TEXT)
    assert call.status == "failed"
    assert (call.failure.kind, call.failure.recovery) == ("invalid_call", "correct_call")
    assert told in call.content
    assert json.dumps(server.asked[1].body, ensure_ascii=False).count(told) == 1


def test_one_bad_call_among_good_ones_leaves_them_alone(api: Api, session: Session) -> None:
    calls = [
        Asked("square", '{"number": 3}', "a"),
        Asked("cube", "{}", "b"),
        Asked("square", '{"number": 5}', "c"),
    ]
    ended, _ = ended_after(api, session, answer(api.calls(*calls)))
    assert [(call.id, call.status, call.content) for call in ended.run.calls if call.id != "b"] == [
        ("a", "done", "9"),
        ("c", "done", "25"),
    ]
    assert call_of(ended.run, "b").status == "failed"


def test_the_same_call_id_twice_is_two_calls(api: Api, session: Session) -> None:
    calls = [Asked("square", f'{{"number": {number}}}', "same") for number in (3, 5)]
    script = [answer(api.calls(*calls)), answer(api.calls(*calls))]
    ended, server = ended_after(api, session, *script)
    assert ended.run.status == "completed"
    told = [(call.status, call.content) for call in ended.run.calls]
    assert told == [("done", "9"), ("done", "25")] * 2
    assert len({call.id for call in ended.run.calls}) == 4
    assert len(server.asked) == 3


def test_a_loop_without_end_is_ended_with_an_answer(api: Api, session: Session) -> None:
    class Looping(BadServer):
        def after_the_script(self) -> Answer:
            is_last = self.asked[-1].body.get("tool_choice") == "none"
            return answer(api.text()) if is_last else self.otherwise

    again = answer(api.calls(Asked("square", '{"number": 3}')))
    with Looping(otherwise=again) as server:
        agent = Agent(model=api.model(server.url), tools=[square], max_steps=4)
        ended = run_to_the_end(agent, session)
    assert (ended.run.status, ended.run.text, ended.error) == ("limit", TEXT, None)
    assert [(call.status, call.content) for call in ended.run.calls] == [("done", "9")] * 4
    assert len(server.asked) == 5


def test_a_model_that_only_ever_calls_is_ended_too(api: Api, session: Session) -> None:
    """Also where it asks for calls with its last word: they are answered, and not made."""
    again = answer(api.calls(Asked("square", '{"number": 3}')))
    ended, server = ended_after(api, session, otherwise=again, max_steps=3)
    assert ended.run.status == "limit"
    assert [call.status for call in ended.run.calls] == [*["done"] * 3, "skipped"]
    assert "asked for one more call (square)" in ended.run.text
    assert len(server.asked) == 4


# aiohttp's advice on long bodies, which Python hides by default
@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")
def test_ten_megabytes_of_arguments_are_one_call(
    api: Api, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def length(text: str) -> int:
        """Count."""
        return len(text)

    monkeypatch.setattr(responses, "PIECE", 1_000_000)
    long = json.dumps({"text": "x" * 10_000_000})
    ended, _ = ended_after(api, session, answer(api.calls(Asked("length", long))), tools=(length,))
    assert (ended.run.status, ended.error) == ("completed", None)
    assert (call_of(ended.run).status, call_of(ended.run).content) == ("done", "10000000")
    in_all = sum(file.stat().st_size for file in tmp_path.glob("faults.sqlite3*"))
    assert in_all < 100_000_000  # as they came, as they were asked for, and as they were used
