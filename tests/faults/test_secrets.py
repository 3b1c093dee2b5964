"""No byte of a key leaves the runtime, on whatever path it comes in."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import nbagents as nba
from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel
from nbagents.redaction import MARK
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.session import Session
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.faults.bad_server import Answer as WireAnswer
from tests.faults.bad_server import chunks, head, page, refusal
from tests.faults.looking import Look, assert_nowhere
from tests.faults.wire_words import APIS, Api, Asked, answer, stream
from tests.unit.models import responses_wire as responses
from tests.unit.models.provider import KEY, chunk, delta, sse
from tests.unit.runs.desk import agent, request, turn

Json = dict[str, Any]


@pytest.fixture(name="look")
def _look(session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Look:
    return Look(session, tmp_path / "faults.sqlite3", capsys)


# What a provider says

SAID = f"You gave {KEY}, which is wrong."


def refused(status: int) -> WireAnswer:
    return refusal(status, SAID)


REFUSALS: dict[str, WireAnswer] = {
    **{str(one): refused(one) for one in (400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503)},
    "a-page": page(502, f"<html>{KEY}</html>".encode()),
    "plain-text": page(400, KEY.encode(), "text/plain"),
    "json-of-another-form": page(400, json.dumps([KEY, {KEY: KEY}]).encode(), "application/json"),
    "cut-in-the-key": refusal(400, "x" * 390 + KEY + "y" * 50),
    "retry-after": refusal(429, "slow", retry_after=KEY),
    "a-header": refusal(400, "no", x_request_id=KEY, www_authenticate=f"Bearer {KEY}"),
    "redirect": [
        f"HTTP/1.1 307 Found\r\nlocation: /v1/x?api_key={KEY}\r\ncontent-length: 0\r\n\r\n".encode()
    ],
    "redirect-to-nowhere": [
        f"HTTP/1.1 302 Found\r\nlocation: {KEY}://{KEY}\r\ncontent-length: 0\r\n\r\n".encode()
    ],
    "the-reason": [f"HTTP/1.1 400 {KEY}\r\ncontent-length: 0\r\n\r\n".encode()],
    "a-kind-of-content": page(200, KEY.encode(), f"text/{KEY}"),
    "no-http": [f"{KEY} is wrong\r\n\r\n".encode()],
    "a-coding": [head(content_encoding=KEY), *chunks(b"{}")],
}


@pytest.mark.parametrize("tries", [0, 1])
@pytest.mark.parametrize("what", REFUSALS)
def test_in_a_refusal(look: Look, api: Api, what: str, tries: int) -> None:
    script = [REFUSALS[what]] * (tries + 1)
    run = look.after(api, *script, max_retries=tries)
    assert run.status in ("failed", "completed")


BROKEN: dict[str, bytes] = {
    "malformed": f'data: {{"choices": [{{"{KEY}\n\n'.encode(),
    "cut-in-the-key": f'data: {{"{"x" * 107}{KEY}"\n\n'.encode(),
    "no-object": f'data: ["{KEY}"]\n\n'.encode(),
    "wrong-type": sse({"choices": [KEY], "type": "response.completed", "response": KEY}),
    "no-utf8": b'data: {"type": "\xff' + KEY.encode() + b'"}\n\n',
    "an-error": sse({"type": "error", "message": SAID, "error": {"message": SAID, "code": "x"}}),
    "an-error-that-is-text": sse({"error": SAID, "type": "error"}),
    "an-error-in-a-code": sse({"error": {"code": KEY}, "type": "error", "code": KEY}),
    "failed": sse(
        {"type": "response.failed", "response": {"error": {"code": KEY, "message": SAID}}}
    ),
}


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("what", BROKEN)
def test_in_a_stream_that_breaks(look: Look, api: Api, what: str, *, is_first: bool) -> None:
    before = [] if is_first else api.text()[:2]
    broken = stream(*before, BROKEN[what])
    look.after(api, *[broken] * 3)


@pytest.mark.parametrize("what", ["error", "message", "answer"])
def test_in_a_body_of_status_200(look: Look, api: Api, what: str) -> None:
    said: Json = {
        "error": {"error": {"message": SAID, "code": KEY}},
        "message": {"message": KEY},
        "answer": {"choices": [{"message": {"content": SAID}, "finish_reason": "stop"}]},
    }[what]
    look.after(api, *[page(200, json.dumps(said).encode(), "application/json")] * 3)


def test_in_an_answer(look: Look, api: Api) -> None:
    run = look.after(api, answer(api.text(SAID)))
    assert run.text == f"You gave {MARK}, which is wrong."


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 11])
def test_in_pieces_of_an_answer_and_a_thought(look: Look, size: int) -> None:
    events = [
        *(delta(reasoning_content=one) for one in pieces(f"I think {SAID}", size)),
        *(delta(content=one) for one in pieces(f"{SAID} And {KEY}", size)),
        delta("stop"),
    ]
    run = look.after(APIS["chat"], stream(*map(sse, events), sse("data: [DONE]")))
    said = "".join(event.text for event in run.events if event.type == "assistant_delta")
    whole = f"You gave {MARK}, which is wrong. And {MARK}"
    assert run.text == whole
    assert whole.startswith(said)


def test_in_a_refusal_of_the_model(look: Look) -> None:
    look.after(APIS["chat"], stream(sse(delta(refusal=SAID)), sse(delta("stop"))))


@pytest.mark.parametrize("where", ["name", "id", "arguments", "key", "no-json"])
def test_in_a_call(look: Look, api: Api, where: str) -> None:
    def echo(said: str = "") -> str:
        """Say it again."""
        return said

    asked = {
        "name": Asked(KEY.replace("-", "_")),
        "id": Asked("echo", id=KEY),
        "arguments": Asked("echo", json.dumps({"said": SAID})),
        "key": Asked("echo", json.dumps({KEY: 1})),
        "no-json": Asked("echo", SAID),
    }[where]
    look.after(api, answer(api.calls(asked)), tools=[echo])


def test_in_what_a_provider_found(look: Look) -> None:
    item = {
        "type": "web_search_call",
        "id": "ws_1",
        "status": "completed",
        "action": {"type": "search", "query": KEY, "sources": [{"url": f"https://a/?key={KEY}"}]},
    }
    events = responses.events(item, responses.message(SAID))
    look.after(APIS["responses"], stream(*map(sse, events)))


# What a tool does


class Wanted(BaseModel):
    number: int


def fail_with(error: BaseException) -> Callable[[], str]:
    def work() -> str:
        """Work."""
        raise error

    return work


def noted() -> BaseException:
    error = ValueError("no")
    error.add_note(SAID)
    return error


def caused() -> Exception:
    error = ValueError("no")
    error.__cause__ = KeyError(KEY)
    error.__cause__.__context__ = OSError(2, SAID, f"/home/{KEY}")
    return error


def invalid() -> BaseException:
    try:
        Wanted.model_validate({"number": KEY})
    except ValueError as error:
        return error
    raise AssertionError


ERRORS: dict[str, Callable[[], BaseException]] = {
    "words": lambda: ValueError(SAID),
    "parts": lambda: RuntimeError({"key": KEY}, [KEY], KEY.encode()),
    "key-error": lambda: KeyError(KEY),
    "os-error": lambda: FileNotFoundError(2, "No such file", f"/home/{KEY}"),
    "note": noted,
    "cause": caused,
    "invalid": invalid,
    "group": lambda: ExceptionGroup(SAID, [ValueError(KEY), caused()]),
    "json": lambda: json.JSONDecodeError("no", SAID, 3),
    "unicode": lambda: UnicodeDecodeError("utf-8", KEY.encode(), 0, 1, SAID),
    "long": lambda: ValueError("x" * 3_990 + KEY),
    "longer": lambda: ValueError("x" * 7_990 + KEY),
    "exit": lambda: SystemExit(SAID),
    "told": lambda: nba.ToolError(SAID),
}


@pytest.mark.parametrize("on_error", ["tell", None])
@pytest.mark.parametrize("what", ERRORS)
def test_in_what_a_tool_raises(look: Look, what: str, on_error: Any) -> None:
    know()
    tool = Tool(fail_with(ERRORS[what]()), ToolOptions(name="work", on_error=on_error))
    look.at(agent([turn(request("c", "work")), "Well."], [tool]))


def know() -> None:
    """The key is in use, though no provider was asked in this test."""
    from nbagents.models.openai.client import account_of  # as a model does it

    account_of("http://127.0.0.1/v1", KEY, 5.0, 0)


def printed() -> str:
    for one in pieces(SAID, 3):
        print(one, end="", flush=True)
    print(KEY)
    return "printed"


def displayed(ctx: nba.Context) -> str:
    ctx.display({"text/html": f"<b>{KEY}</b>", "text/plain": KEY})
    ctx.progress(f"{'x' * 190}{KEY}")
    ctx.log(SAID)
    return "displayed"


def returned() -> object:
    return {"key": KEY, KEY: [KEY, (KEY,)]}


def long() -> str:
    return "x" * 99_990 + KEY + "y" * 20_000


def warned() -> str:
    print(SAID, file=sys.stderr)
    return "warned"


def with_data() -> nba.Result:
    return nba.Result(SAID, data={"kind": "table", "rows": [{"key": KEY}]})


DOES: list[Callable[..., object]] = [printed, displayed, returned, long, warned, with_data]


@pytest.mark.parametrize("work", DOES, ids=lambda one: one.__name__)
def test_in_what_a_tool_prints_shows_or_gives(look: Look, work: Callable[..., object]) -> None:
    know()
    look.at(agent([turn(request("c", work.__name__)), f"It is {KEY}."], [work]), f"Use {KEY}.")


def test_in_a_question_and_its_answer(look: Look) -> None:
    know()

    def ask(ctx: nba.Context) -> object:
        """Ask."""
        return ctx.ask(f"Is it {KEY}?")

    def say(_: Await) -> Answer:
        return Answer(action="answer", value=KEY, note=KEY)

    made = agent(
        [turn(request("c", "ask")), "done"],
        [ask],
        on_await=say,
    )
    look.at(made)


def test_in_names_and_labels(look: Look) -> None:
    know()
    made = Agent(f"agent {KEY}", model=ScriptedModel(["done"] * 3))
    look.at(made)
    run = made.run("Go", log=look.session, labels={KEY: KEY}, chat=KEY)
    look.at(made)
    assert run.labels == {MARK: MARK}


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "MY_TOKEN", "DB_PASSWORD", "AWS_SECRET_KEY"])
def test_of_the_environment(look: Look, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    secret = "correct-horse-battery"
    monkeypatch.setenv(name, secret)
    run = look.at(agent([f"It is {secret}."]))
    assert run.text == f"It is {MARK}."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("https://ada:lovelace1@db.example/x", f"https://{MARK}@db.example/x"),
        ("https://a.example/?api_key=abc123&x=1", f"https://a.example/?api_key={MARK}&x=1"),
        ("GET /v1?q=1&access_token=abc", f"GET /v1?q=1&access_token={MARK}"),
        ("postgres://u:p%40ss@h/db?sslmode=off", f"postgres://{MARK}@h/db?sslmode=off"),
        ("Write to ada@example.com, x=1 & y=2", "Write to ada@example.com, x=1 & y=2"),
        ("if monkey=1 then tokens=3", "if monkey=1 then tokens=3"),
    ],
)
def test_in_an_address(look: Look, said: str, told: str) -> None:
    run = look.at(agent([said]), said)
    assert run.text == told
    assert run.tree()["runs"][run.id]["prompt"] == told
    for size in (1, 3, 8):
        events = [*(delta(content=one) for one in pieces(said, size)), delta("stop")]
        run = look.after(APIS["chat"], stream(*map(sse, events), sse(chunk())))
        heard = "".join(one.text for one in run.events if one.type == "assistant_delta")
        assert told.startswith(heard)


def test_a_call_whose_arguments_held_a_secret_is_not_made_from_the_log(session: Session) -> None:
    know()
    given: list[str] = []

    def wipe(key: str) -> str:
        """Wipe."""
        given.append(key)
        return "wiped"

    tool = Tool(wipe, ToolOptions(ask=True))
    made = agent([turn(request("c", "wipe", key=KEY)), "done"], [tool], on_await="suspend")
    run = made.run("Go", log=session)
    assert run.status == "suspended"
    again = made.resume(run)
    assert given == []
    assert any("held a secret" in getattr(one, "content", "") for one in again.messages)


def test_a_run_of_somebody_elses_loop_keeps_it_too(look: Look) -> None:
    know()
    tool = Tool(fail_with(ValueError(SAID)), ToolOptions(name="work", on_error=None))

    async def leave() -> None:
        with contextlib.suppress(ValueError):
            await agent([turn(request("c", "work"))], [tool]).arun("Go", log=look.session)

    asyncio.run(leave())
    for event in look.session.log.read(look.session.session_id):
        assert_nowhere(event.model_dump_json(), "events")
