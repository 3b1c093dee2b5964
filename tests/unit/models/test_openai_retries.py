"""When a request is sent again, and after how long: the client's rules, and those for streams."""

from __future__ import annotations

import asyncio
import email.utils
import time
from typing import Any

import pytest

from nbagents.errors import ModelError
from nbagents.models.chat.model import OpenAIChat
from nbagents.models.model import TextDelta
from tests.unit.models.provider import (
    KEY,
    Provider,
    Reply,
    ask,
    delta,
    refusal,
    request,
    sse,
    turn_of,
)

HELLO = Reply(sse(delta("stop", content="hallo"), "data: [DONE]"))
NOTHING = Reply(b"", cut=True)


def told(*replies: Reply, **options: Any) -> str:
    """The text of the answer, or of the error, after replies."""

    async def scenario() -> str:
        async with Provider(*replies) as provider:
            try:
                return turn_of(await ask(provider, **options)).text
            except ModelError as error:
                return str(error)

    return asyncio.run(scenario())


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_a_failure_that_may_pass_is_tried_again_with_growing_waits(
    waits: list[float], status: int
) -> None:
    assert told(refusal(status, "no"), refusal(status, "no"), HELLO) == "hallo"
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_failure_that_stays_is_not_tried_again(waits: list[float], status: int) -> None:
    assert told(refusal(status, "no"), HELLO) != "hallo"
    assert waits == []


@pytest.mark.parametrize(
    ("header", "value", "wait_s"),
    [("retry-after", "7", 7.0), ("retry-after", "0.25", 0.25), ("retry-after-ms", "1500", 1.5)],
)
def test_the_server_says_how_long_to_wait(
    waits: list[float], header: str, value: str, wait_s: float
) -> None:
    assert told(refusal(429, "slow down", headers={header: value}), HELLO) == "hallo"
    assert waits == [wait_s]


def test_the_server_says_until_when_to_wait(
    waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)
    until = email.utils.formatdate(1_800_000_030, usegmt=True)
    assert told(refusal(503, "busy", headers={"retry-after": until}), HELLO) == "hallo"
    assert waits == [30.0]


def test_a_wait_of_minutes_is_left_to_the_person(waits: list[float]) -> None:
    said = told(refusal(429, "slow down", headers={"retry-after": "900"}), HELLO)
    assert "limits the rate of requests (429): wait 900 s. It says: slow down" in said
    assert waits == []


def test_a_server_that_asks_not_to_be_asked_again_is_not(waits: list[float]) -> None:
    said = told(refusal(500, "no", headers={"x-should-retry": "false"}), HELLO)
    assert "failed (500)" in said
    assert waits == []


def test_a_lost_connection_is_tried_again(waits: list[float]) -> None:
    assert told(Reply(raw=b""), HELLO) == "hallo"
    assert waits == [0.5]


def test_a_broken_stream_is_tried_again_after_a_wait_that_grows(waits: list[float]) -> None:
    assert told(NOTHING, NOTHING, NOTHING, HELLO, max_retries=3) == "hallo"
    assert waits == [0.5, 1.0, 2.0]


def test_waits_have_a_limit(waits: list[float]) -> None:
    assert told(*(NOTHING for _ in range(7)), HELLO, max_retries=7) == "hallo"
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]


def test_repeated_requests_and_broken_streams_count_together(waits: list[float]) -> None:
    said = told(refusal(503, "busy"), NOTHING, refusal(503, "busy"), HELLO)
    assert "failed after 3 tries (503)" in said
    assert waits == [0.5, 1.0]


def test_without_retries_nothing_is_tried_again(waits: list[float]) -> None:
    assert "broke off" in told(NOTHING, HELLO, max_retries=0)
    assert "failed (503)" in told(refusal(503, "busy"), HELLO, max_retries=0)
    assert waits == []


@pytest.mark.usefixtures("quick_retries")
def test_a_request_may_have_a_time_limit_of_its_own() -> None:
    async def scenario() -> None:
        async with Provider(Reply(b"", stay_open=True)) as provider:
            with pytest.raises(ModelError, match=r"did not answer within 0\.05 s"):
                await ask(provider, request(settings={"timeout_s": 0.05}), max_retries=0)
        assert provider.asked[0].headers["x-stainless-read-timeout"] == "0.05"
        async with Provider(HELLO) as provider:
            await ask(provider, settings={"timeout_s": 90})
        assert provider.asked[0].headers["x-stainless-read-timeout"] == "90.0"

    asyncio.run(scenario())


@pytest.mark.usefixtures("quick_retries")
def test_a_silence_within_the_answer_is_limited_too() -> None:
    async def scenario() -> None:
        heard: list[object] = []
        reply = Reply(sse(delta(content="so ")), stay_open=True)
        async with Provider(reply) as provider:
            model = OpenAIChat("m", base_url=provider.url, api_key=KEY, timeout_s=0.05)
            with pytest.raises(ModelError, match=r"broke off.* did not answer within 0\.05 s"):
                heard += [part async for part in model.stream(request())]
            await asyncio.wait_for(provider.hung_up.wait(), 5)

    asyncio.run(scenario())


@pytest.mark.parametrize("limit", ["soon", 0, -1, True, [5]])
def test_a_time_limit_that_is_none_is_said(limit: object) -> None:
    said = told(settings={"timeout_s": limit})
    assert said == f"timeout_s is a number of seconds, and more than none: not {limit!r}."


def test_requests_with_other_limits_share_a_connection() -> None:
    async def scenario() -> None:
        async with Provider(HELLO, HELLO) as provider:
            model = OpenAIChat("m", base_url=provider.url, api_key=KEY)
            for limit in (30, 60):
                asked = request(settings={"timeout_s": limit})
                parts = [part async for part in model.stream(asked)]
                assert parts[0] == TextDelta("hallo")
        assert provider.connections == 1

    asyncio.run(scenario())
