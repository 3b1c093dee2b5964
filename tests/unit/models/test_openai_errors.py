"""What cannot be played by a server on this machine: other machines, certificates."""

from __future__ import annotations

import socket
import ssl
import time

import httpx2
import pytest
from openai import APIConnectionError, InternalServerError, RateLimitError

from nbagents.models.openai.client import Account
from nbagents.models.openai.errors import explained

REQUEST = httpx2.Request("POST", "https://models.example/v1/chat/completions")


def connection_error(cause: Exception) -> APIConnectionError:
    error = APIConnectionError(request=REQUEST)
    error.__cause__ = httpx2.ConnectError("no")
    error.__cause__.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("cause", "sentence"),
    [
        (socket.gaierror(-2, "Name or service not known"), "There is no host models.example"),
        (ssl.SSLCertVerificationError("self-signed"), "its certificate is not accepted"),
        (ConnectionResetError("reset"), "failed: ConnectionResetError"),
        (TimeoutError(), "did not answer within 5 s"),
    ],
)
@pytest.mark.parametrize("key", ["", "sk-5ecret"])
def test_a_lost_connection_is_told_by_its_cause(cause: Exception, sentence: str, key: str) -> None:
    url = "https://models.example/v1" if key else "http://localhost/v1"
    account = Account(base_url=url, api_key=key, timeout_s=5, max_retries=0)
    error = connection_error(cause)
    told = explained(error, account, "m")
    assert sentence.replace("models.example", account.host) in str(told)
    assert told.__cause__ is error


def test_a_cause_that_quotes_the_key_quotes_it_no_more() -> None:
    account = Account(
        base_url="https://models.example/v1", api_key="sk-5ecret", timeout_s=5, max_retries=0
    )
    told = explained(APIConnectionError(message="bad sk-5ecret", request=REQUEST), account, "m")
    assert str(told.__cause__) == "bad [redacted]"
    assert "sk-5ecret" not in repr(told.__cause__)
    assert "sk-5ecret" not in str(told)


@pytest.mark.parametrize(("key", "is_told"), [("any", True), ("k", True), ("s3cret-y", False)])
def test_only_what_is_long_enough_to_be_a_secret_is_taken_out(key: str, *, is_told: bool) -> None:
    account = Account(base_url="http://localhost/v1", api_key=key, timeout_s=5, max_retries=0)
    error = InternalServerError(
        "no", response=httpx2.Response(500, request=REQUEST), body={"message": f"Ask {key}: many."}
    )
    told = str(explained(error, account, "m"))
    assert told.startswith("localhost failed (500): try again later. It says: Ask ")
    assert (f"Ask {key}: many." in told) is is_told
    assert ("[redacted]" in told) is not is_told


def test_a_short_key_is_no_reason_to_hide_the_cause() -> None:
    account = Account(base_url="http://localhost/v1", api_key="k", timeout_s=5, max_retries=0)
    error = APIConnectionError(message="broken", request=REQUEST)
    assert explained(error, account, "m").__cause__ is error


@pytest.mark.parametrize(
    ("retry_after", "advice"),
    [
        ("90", "wait 90 s"),
        ("90.4", "wait 91 s"),
        ("Sat, 21 Nov 2026 12:01:30 GMT", "wait 90 s"),
        ("Sat, 21 Nov 2026 11:00:00 GMT", "wait a while"),
        ("0", "wait a while"),
        ("-5", "wait a while"),
        ("inf", "wait a while"),
        ("nan", "wait a while"),
        ("Sat, 21 Nov 99999 12:00:00 GMT", "wait a while"),
        ("soon", "wait a while"),
        ("", "wait a while"),
    ],
)
def test_how_long_to_wait_is_told_in_seconds(
    retry_after: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1795262400.0)  # 12:00 that day
    account = Account(base_url="http://localhost/v1", api_key="", timeout_s=5, max_retries=0)
    response = httpx2.Response(429, request=REQUEST, headers={"retry-after": retry_after})
    told = str(explained(RateLimitError("no", response=response, body=None), account, "m"))
    assert told == f"localhost limits the rate of requests (429): {advice}."
