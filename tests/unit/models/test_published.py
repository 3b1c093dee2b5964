"""The check that every request of the models' tests passes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.unit.models.provider import Provider, Reply, ask, delta, request, sse
from tests.unit.models.published import faults

BODY = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}]}


def with_image(**image: Any) -> dict[str, Any]:
    content = [{"type": "image_url", "image_url": {"url": "https://x/y.png", **image}}]
    return {**BODY, "messages": [{"role": "user", "content": content}]}


@pytest.mark.parametrize("body", [BODY, with_image(detail="low"), {**BODY, "temperature": 1}])
def test_what_the_schema_knows_has_no_fault(body: object) -> None:
    assert faults("/v1/chat/completions", body) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({**BODY, "timeout_s": 5}, "unknown: .timeout_s"),
        ({**BODY, "temperature": "hot"}, "valid number"),
        ({**BODY, "temperature": "1"}, "'1' is read as 1.0"),
        ({**BODY, "messages": [{"role": "user", "content": "x", "y": 2}]}, ".messages[0].y"),
        (with_image(detial="low"), ".messages[0].content[0].image_url.detial"),
        (with_image(detail="huge"), "Input should be 'auto', 'low', 'high'"),
        ({"model": "m", "stream": True}, "Field required"),
    ],
)
def test_what_the_schema_does_not_know_is_a_fault(body: object, fault: str) -> None:
    assert any(fault in one for one in faults("/v1/chat/completions", body))


def test_a_path_without_a_schema_is_not_checked() -> None:
    assert faults("/v1/other", {}) == []


@pytest.mark.parametrize("is_openai", [True, False])
def test_a_server_fails_the_test_that_asks_it_wrongly(is_openai: bool) -> None:  # noqa: FBT001  a parameter
    reply = Reply(sse(delta("stop", content="so")))

    async def scenario() -> None:
        async with Provider(reply, is_openai=is_openai) as provider:
            await ask(provider, request(settings={"num_ctx": 8}))

    if not is_openai:
        asyncio.run(scenario())
        return
    with pytest.raises(AssertionError, match="num_ctx"):
        asyncio.run(scenario())
