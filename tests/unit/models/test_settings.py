"""Settings that cannot be sent are said before anything is sent, over both of OpenAI's APIs."""

from __future__ import annotations

import asyncio
from types import MappingProxyType
from typing import Any

import pytest

from nbagents.errors import ModelError
from nbagents.models.chat.model import OpenAIChat
from nbagents.models.responses.model import OpenAIResponses
from tests.unit.models.provider import KEY, Provider, request

Kind = type[OpenAIChat] | type[OpenAIResponses]

pytestmark = pytest.mark.parametrize("kind", [OpenAIChat, OpenAIResponses])


def refused(kind: Kind, settings: dict[str, Any], *, own: bool = False) -> str:
    """What is said of settings, the model's own or a request's, where nothing is sent."""
    asked = request(settings={} if own else settings)

    async def scenario() -> str:
        async with Provider() as provider:
            model = kind("m", base_url=provider.url, api_key=KEY, settings=settings if own else {})
            with pytest.raises(ModelError) as caught:
                async for _ in model.stream(asked):
                    pass
        assert provider.asked == []
        return str(caught.value)

    return asyncio.run(scenario())


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), [{"a": -float("inf")}], object(), {"a": object()}, len],
    ids=["nan", "inf", "nested", "object", "object inside", "function"],
)
@pytest.mark.parametrize("own", [True, False])
def test_a_setting_that_is_no_json_is_named(kind: Kind, value: object, *, own: bool) -> None:
    said = refused(kind, {"seed": 1, "temperature": value}, own=own)
    assert said.startswith("The setting 'temperature' cannot be sent, because it is no JSON: ")


@pytest.mark.parametrize("name", ["stream", "messages", "tools", "input", "model"])
@pytest.mark.parametrize("value", [None, True, "x"])
def test_what_is_made_here_is_no_setting(kind: Kind, name: str, value: object) -> None:
    said = refused(kind, {name: value})
    assert said.startswith(f"{name!r} is set by nbagents: ")
    assert said.endswith(".")


def test_a_preview_says_it_too(kind: Kind) -> None:
    with pytest.raises(ModelError, match="'top_p' cannot be sent"):
        kind("m").preview(request(settings={"top_p": float("nan")}))


def test_a_time_limit_that_is_no_number_is_said_as_such(kind: Kind) -> None:
    assert refused(kind, {"timeout_s": float("nan")}).startswith("timeout_s is a number of seconds")


def test_what_can_be_written_as_json_is_sent(kind: Kind) -> None:
    given: dict[str, Any] = {
        "metadata": MappingProxyType({"a": "b"}),
        "user": "half \ud83d",
        "seed": None,
    }
    body: Any = kind("m").preview(request(settings=given))
    assert body["metadata"] == {"a": "b"}
    assert body["user"] == "half \ufffd"
    assert "seed" not in body
