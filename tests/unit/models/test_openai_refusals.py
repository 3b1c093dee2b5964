"""What goes wrong at a provider: each one sentence, in no trace of which the key is."""

from __future__ import annotations

import asyncio
import traceback
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.errors import ModelError
from nbagents.models.chat.model import OpenAIChat
from tests.unit.models.provider import KEY, TOOLS, Provider, Reply, ask, refusal, request

if TYPE_CHECKING:
    from nbagents.models.model import ModelRequest

pytestmark = pytest.mark.usefixtures("quick_retries")


def failing(*replies: Reply, asked: ModelRequest | None = None, **options: Any) -> str:
    """The sentence of the `ModelError` that asking ends in; the key is in none of its traces."""

    async def scenario() -> str:
        async with Provider(*replies) as provider:
            with pytest.raises(ModelError) as caught:
                await ask(provider, asked, **options)
        assert KEY not in "".join(traceback.format_exception(caught.value))
        return str(caught.value).replace(provider.url, "URL").replace(provider.url[7:-3], "HOST")

    return asyncio.run(scenario())


def test_a_refused_key_is_one_sentence() -> None:
    said = failing(refusal(401, f"Incorrect API key provided: {KEY}."))
    assert said == "HOST refuses the key (401): check OPENAI_API_KEY."


def test_an_unknown_model_is_named_with_the_base_url() -> None:
    said = failing(refusal(404, "The model `m` does not exist"))
    assert said.startswith("URL knows no model 'm', or is no base URL (404): name another with -m")
    assert said.endswith("It says: The model `m` does not exist")


def test_a_rate_limit_that_stays_is_one_sentence() -> None:
    said = failing(*(refusal(429, "slow down") for _ in range(3)))
    assert said == (
        "HOST limits the rate of requests, still after 3 tries (429): wait a while. "
        "It says: slow down"
    )


def test_a_spent_quota_is_called_so() -> None:
    assert "no quota left (429)" in failing(
        refusal(429, "x", code="insufficient_quota"), max_retries=0
    )


def test_a_failing_server_is_one_sentence() -> None:
    said = failing(*(refusal(503, "down") for _ in range(3)))
    assert said == "HOST failed after 3 tries (503): try again later. It says: down"


def test_what_a_server_says_is_shortened_and_never_holds_the_key() -> None:
    said = failing(refusal(400, f"bad {KEY}\n" + "x" * 999))
    assert "refuses the request to 'm' (400). It says: bad [redacted] xxx" in said
    assert len(said) < 500


def test_an_error_that_is_no_json_is_still_one_sentence() -> None:
    html = {"content-type": "text/html"}
    said = failing(Reply(b"<h1>no</h1>", 403, html))
    assert said == "HOST refuses the request to 'm' (403): check what the account may use."


def test_a_web_page_is_no_answer() -> None:
    said = failing(Reply(b"<h1>Hi</h1>", headers={"content-type": "text/html"}))
    assert said == "URL answers with a web page: check OPENAI_BASE_URL, which usually ends in /v1."


def test_a_server_that_speaks_no_http_is_an_error() -> None:
    reply = Reply(raw=b"SSH-2.0-OpenSSH\r\n")
    assert "HOST" in failing(reply, max_retries=0)


def test_a_server_that_hangs_up_is_an_error() -> None:
    said = failing(Reply(raw=b""), max_retries=0)
    assert said.startswith("The connection to HOST failed")


def test_a_server_that_says_nothing_is_an_error() -> None:
    said = failing(Reply(b"", stay_open=True), max_retries=0, timeout_s=0.05)
    assert "did not answer within 0.05 s" in said


def test_a_refused_connection_names_the_address() -> None:
    async def scenario() -> str:
        async with Provider() as provider:
            url = provider.url
        with pytest.raises(ModelError) as caught:
            await ask(url, max_retries=0)
        return str(caught.value).replace(url, "URL")

    assert asyncio.run(scenario()) == (
        "No server answers at URL (connection refused): start it, or check OPENAI_BASE_URL."
    )


def test_a_stream_that_always_breaks_off_is_an_error_in_the_end() -> None:
    assert "broke off" in failing(Reply(b"", cut=True), Reply(b""), max_retries=1)


def test_a_model_that_cannot_do_without_reasoning_is_named() -> None:
    said = failing(
        refusal(400, "Function tools with reasoning_effort are not supported for m."),
        refusal(400, "'reasoning_effort' does not support 'none' with this model."),
        asked=request(tools=TOOLS),
    )
    assert "'m' takes no tools over Chat Completions as it was asked (400)" in said


def test_no_key_is_one_sentence_that_says_what_to_do() -> None:
    with pytest.raises(ModelError) as caught:
        OpenAIChat("m").check()
    assert str(caught.value) == (
        "There is no key for api.openai.com: set OPENAI_API_KEY, "
        "or use the offline model (-m offline)."
    )


@pytest.mark.parametrize("key", ["sk-\nx", "sk-ключ"])
def test_a_key_that_cannot_be_one_is_said_without_showing_it(key: str) -> None:
    with pytest.raises(ModelError, match="characters that no key has") as caught:
        OpenAIChat("m", api_key=key).check()
    assert key not in str(caught.value)


@pytest.mark.parametrize("url", ["localhost:8000/v1", "ftp://x/v1", "http://", "http://[::1"])
def test_a_base_url_that_is_none_is_said(url: str) -> None:
    with pytest.raises(ModelError, match="no base URL"):
        OpenAIChat("m", base_url=url, api_key=KEY).check()


def test_a_password_in_the_base_url_is_refused_without_showing_it() -> None:
    with pytest.raises(ModelError, match="no user or password") as caught:
        OpenAIChat("m", base_url="https://me:hush@x/v1", api_key=KEY).check()
    assert "hush" not in str(caught.value)
