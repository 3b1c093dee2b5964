"""What cannot be played by a server on this machine: other machines, certificates."""

from __future__ import annotations

import socket
import ssl

import httpx2
import pytest
from openai import APIConnectionError, InternalServerError

from nbagents.models.openai_client import Account
from nbagents.models.openai_errors import explained

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


def test_a_cause_that_quotes_the_key_is_not_kept() -> None:
    account = Account(
        base_url="https://models.example/v1", api_key="sk-5ecret", timeout_s=5, max_retries=0
    )
    told = explained(APIConnectionError(message="bad sk-5ecret", request=REQUEST), account, "m")
    assert told.__cause__ is None
    assert "sk-5ecret" not in str(told)


@pytest.mark.parametrize(("key", "is_told"), [("any", True), ("k", True), ("s3cret-y", False)])
def test_only_what_is_long_enough_to_be_a_secret_is_taken_out(key: str, *, is_told: bool) -> None:
    account = Account(base_url="http://localhost/v1", api_key=key, timeout_s=5, max_retries=0)
    error = InternalServerError(
        "no", response=httpx2.Response(500, request=REQUEST), body={"message": f"Ask {key}: many."}
    )
    told = str(explained(error, account, "m"))
    assert told.startswith("localhost failed (500). It says: Ask ")
    assert (f"Ask {key}: many." in told) is is_told
    assert ("…" in told) is not is_told


def test_a_short_key_is_no_reason_to_hide_the_cause() -> None:
    account = Account(base_url="http://localhost/v1", api_key="k", timeout_s=5, max_retries=0)
    error = APIConnectionError(message="broken", request=REQUEST)
    assert explained(error, account, "m").__cause__ is error
