"""A provider that fails before it answers: refusals, proxies, redirects, silence, no connection."""

from __future__ import annotations

import email.utils
import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.agents import Agent
from nbagents.errors import ModelError
from tests.faults.bad_server import (
    Answer,
    BadServer,
    End,
    Pause,
    chunks,
    head,
    page,
    refusal,
    unused_port,
)
from tests.faults.leaving import Ended, run_to_the_end
from tests.faults.wire_words import TEXT, Api, answer
from tests.unit.models.provider import KEY

if TYPE_CHECKING:
    from nbagents.runs.state.session import Session

TIMEOUT_S = 20.0
SILENCE_S = 0.5
"""How long is waited for a server that says nothing more; for the others as long as it takes."""
HTML = b"<html><body><h1>502 Bad Gateway</h1>nginx</body></html>"
MINUTES_S = 900


def until(seconds: float) -> str:
    """A time from now, as HTTP writes it."""
    return email.utils.formatdate(time.time() + seconds, usegmt=True)


PASSING: dict[str, Answer] = {
    "429-retry-after-seconds": refusal(429, "slow down", retry_after="0.05"),
    "429-retry-after-date": refusal(429, "slow down", retry_after=until(-1)),
    "500": refusal(500, "oops"),
    "502-page-of-a-proxy": page(502, HTML),
    "503": refusal(503, "overloaded"),
    "closed-before-the-head": [End.CLOSE],
    "reset-before-the-head": [End.RESET],
    "half-a-head": [b"HTTP/1.1 200 OK\r\ncontent-ty", End.CLOSE],
    "silent-before-the-head": [End.SILENCE],
    "silent-after-the-head": [head(), End.SILENCE],
}
"""What may be better the next time, and is asked again before anything was shown."""

LASTING: dict[str, tuple[Answer, str]] = {
    "401": (
        refusal(401, "Incorrect API key: sk-…"),
        r"refuses the key \(401\): check OPENAI_API_KEY",
    ),
    "403": (refusal(403, "Not for your country"), r"\(403\).* It says: Not for your country"),
    "404": (
        refusal(404, "No such model"),
        r"knows no model 'm'.*name another.*says: No such model",
    ),
    "400": (refusal(400, "Too many tokens"), r"refuses the request.*\(400\).* It says: Too many"),
    "429-for-minutes": (
        refusal(429, "slow down", retry_after=str(MINUTES_S)),
        r"limits the rate of requests \(429\): wait 900 s\. It says: slow down",
    ),
    "429-until-a-date": (  # made when tests are collected, some minutes before
        refusal(429, "slow down", retry_after=until(10 * MINUTES_S)),
        r"limits the rate of requests \(429\): wait [5-9]\d\d\d s\. It says: slow down",
    ),
    "no-http": ([b"220 mail.example ESMTP\r\n", End.CLOSE], r"speaks no HTTP: check OPENAI_BASE"),
    "web-page": (page(200, HTML), r"answers with a web page: check OPENAI_BASE_URL"),
    "redirect-to-a-web-page": (
        [b"HTTP/1.1 302 Found\r\nlocation: /login\r\ncontent-length: 0\r\n\r\n"],
        r"answers with a web page: check OPENAI_BASE_URL",
    ),
}
"""What stays as it is, so that the person is told at once what to do."""


def ended_after(
    api: Api, session: Session, *script: Answer, otherwise: Answer | None = None, **options: Any
) -> tuple[Ended, BadServer]:
    """How a run ends at a server that plays this script, and the server."""
    silent = any(End.SILENCE in one for one in (*script, otherwise or ()))
    timeout_s = SILENCE_S if silent else TIMEOUT_S
    with BadServer(*script, otherwise=otherwise or answer(api.text())) as server:
        agent = Agent(model=api.model(server.url, timeout_s=timeout_s, **options))
        return run_to_the_end(agent, session), server


def assert_next_run_works(api: Api, session: Session) -> None:
    """The process has taken no harm."""
    ended, _ = ended_after(api, session)
    assert (ended.run.status, ended.run.text) == ("completed", TEXT)


@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_that_may_pass_is_asked_again(api: Api, session: Session, fault: str) -> None:
    ended, server = ended_after(api, session, PASSING[fault])
    assert (ended.run.status, ended.run.text, ended.error) == ("completed", TEXT, None)
    assert len(server.asked) == 2
    assert server.asked[0].body == server.asked[1].body


@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_that_does_not_pass_is_one_error_that_says_what_to_do(
    api: Api, session: Session, fault: str
) -> None:
    ended, server = ended_after(api, session, otherwise=PASSING[fault])
    assert ended.run.status == "failed"
    assert isinstance(ended.error, ModelError)
    assert "try again" in ended.said.lower() or "wait" in ended.said
    assert KEY not in ended.said
    assert len(server.asked) == 3
    assert_next_run_works(api, session)


@pytest.mark.parametrize("fault", LASTING)
def test_a_fault_that_stays_is_told_at_once(api: Api, session: Session, fault: str) -> None:
    script, said = LASTING[fault]
    ended, server = ended_after(api, session, script, otherwise=page(200, HTML))
    assert ended.run.status == "failed"
    assert isinstance(ended.error, ModelError)
    assert_matches(said, ended.said)
    assert KEY not in ended.said
    assert len(server.asked) == (2 if fault.startswith("redirect") else 1)
    assert_next_run_works(api, session)


def assert_matches(pattern: str, said: str) -> None:
    with pytest.raises(ModelError, match=pattern):
        raise ModelError(said)


def test_the_wait_that_a_server_asks_for_is_kept(api: Api, session: Session) -> None:
    _, server = ended_after(api, session, PASSING["429-retry-after-seconds"])
    first, second = server.asked
    assert second.at_s - first.at_s >= 0.05


def test_the_log_says_why_a_run_failed(api: Api, session: Session) -> None:
    ended, _ = ended_after(api, session, LASTING["401"][0])
    failure = ended.run.tree()["runs"][ended.run.id]["failure"]
    assert failure is not None
    assert (failure["kind"], failure["recovery"]) == ("unavailable", "finish")
    assert failure["message"] == ended.said


@pytest.mark.parametrize("pauses", ["before", "within"])
def test_a_slow_answer_is_waited_for(api: Api, session: Session, pauses: str) -> None:
    first, *rest = answer(api.text())
    pause = Pause(SILENCE_S / 5)
    slow = [pause, first, *rest] if pauses == "before" else [first, rest[0], pause, *rest[1:]]
    ended, server = ended_after(api, session, slow)
    assert (ended.run.status, ended.run.text) == ("completed", TEXT)
    assert len(server.asked) == 1


def test_no_server_is_one_error_that_says_what_to_do(api: Api, session: Session) -> None:
    model = api.model(f"http://127.0.0.1:{unused_port()}/v1")
    ended = run_to_the_end(Agent(model=model), session)
    assert ended.run.status == "failed"
    assert "No server answers at" in ended.said
    assert "start it, or check OPENAI_BASE_URL" in ended.said
    assert_next_run_works(api, session)


def test_a_redirect_to_another_server_does_not_give_it_the_key(api: Api, session: Session) -> None:
    with BadServer(otherwise=answer(api.text())) as other:
        away = f"HTTP/1.1 307 Moved\r\nlocation: {other.url}/x\r\ncontent-length: 0\r\n\r\n"
        ended, _ = ended_after(api, session, [away.encode()])
    assert ended.run.status == "completed"
    assert KEY not in json.dumps(other.asked[0].headers)


def test_a_redirect_without_end_is_one_error(api: Api, session: Session) -> None:
    again = [b"HTTP/1.1 307 Moved\r\nlocation: /v1/again\r\ncontent-length: 0\r\n\r\n"]
    ended, _ = ended_after(api, session, otherwise=again, max_retries=0)
    assert ended.run.status == "failed"
    assert "check OPENAI_BASE_URL" in ended.said
    assert_next_run_works(api, session)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_body_that_cannot_be_unpacked_is_one_error(
    api: Api, session: Session, coding: str
) -> None:
    garbage = [head(content_encoding=coding), *chunks(b"\x1f\x8b no archive at all")]
    ended, server = ended_after(api, session, otherwise=garbage)
    assert ended.run.status == "failed"
    assert isinstance(ended.error, ModelError)
    assert "try again" in ended.said.lower()
    assert len(server.asked) == 3
    assert_next_run_works(api, session)


def test_an_error_in_place_of_a_stream_is_told_in_the_providers_words(
    api: Api, session: Session
) -> None:
    body = json.dumps({"error": {"message": "The model is being loaded"}}).encode()
    ended, server = ended_after(api, session, otherwise=page(200, body, "application/json"))
    assert ended.run.status == "failed"
    assert "The model is being loaded" in ended.said
    assert len(server.asked) == 3


@pytest.mark.parametrize("kind", ["text/event-stream", "application/json", "text/plain"])
def test_nothing_at_all_is_asked_again(api: Api, session: Session, kind: str) -> None:
    ended, server = ended_after(api, session, page(200, b"", kind))
    assert (ended.run.status, len(server.asked)) == ("completed", 2)
