"""What cannot be played by a server on this machine: other machines, certificates."""

from __future__ import annotations

import socket
import ssl

import httpx2
import pytest
from openai import APIConnectionError

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
