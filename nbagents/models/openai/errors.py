"""What went wrong at a provider, each in one sentence for the person, without a secret."""

from __future__ import annotations

import functools
import math
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from nbagents.errors import ModelError
from nbagents.models.openai.transport import CUT
from nbagents.redaction import clean
from nbagents.tracebacks import clean_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from openai import APIStatusError

    from nbagents.models.openai.client import Account

MESSAGE_LENGTH = 400
UNAUTHORIZED, FORBIDDEN, NOT_FOUND, TOO_MANY_REQUESTS, SERVER_ERROR = 401, 403, 404, 429, 500

PUZZLING = {
    "TooManyRedirects": "{} redirects requests without end: check OPENAI_BASE_URL.",
    "BadStatusLine": "What answers at {} speaks no HTTP: check OPENAI_BASE_URL.",
    "DecodingError": "What {} sends cannot be unpacked: try again, or check the proxy in between.",
}
"""By the names of errors that say nothing to a person."""


class BrokenAnswerError(ModelError):
    """What came is no answer, or none that is whole; asked again, the provider may do better."""


def again(error: BrokenAnswerError) -> BrokenAnswerError:
    """The same for the person, who may ask again."""
    told = BrokenAnswerError(f"{str(error).removesuffix('.')}. Try again.")
    told.__cause__ = error.__cause__
    return told


@functools.cache
def provider_errors() -> tuple[type[Exception], ...]:
    """What the client and its transports raise when a provider fails."""
    import contextlib

    import httpx2
    from openai import OpenAIError

    errors: list[type[Exception]] = [OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, OSError]
    errors.append(httpx2.StreamError)
    with contextlib.suppress(ImportError):
        import aiohttp

        errors.append(aiohttp.ClientError)
    return tuple(errors)


def explained(error: Exception, account: Account, model: str, *, tried: int = 0) -> ModelError:
    """The error in one sentence; its `__cause__` is the error, unless that may quote the key.

    Args:
        error: What the client or its transport raised.
        account: Whose endpoint was asked.
        model: The provider's name of the model.
        tried: How often the question was asked before this request.
    """
    from openai import APIStatusError

    if isinstance(error, APIStatusError):
        text = _refused(error, account, model, tried)
    else:
        text = _unreachable(error, account)
    told = ModelError(text)
    refused = getattr(error, "status_code", None) == UNAUTHORIZED
    told.__cause__ = None if refused else clean_error(error)
    return told


def _refused(error: APIStatusError, account: Account, model: str, tried: int) -> str:
    host, status = account.host, error.status_code
    if status == UNAUTHORIZED:  # what the server says here may quote the key
        return f"{host} refuses the key (401): check OPENAI_API_KEY."
    times = tried + 1 + int(error.request.headers.get("x-stainless-retry-count", 0))
    tries = f" after {times} tries" if times > 1 else ""
    said = _said(error)
    if status == NOT_FOUND:
        reason = (
            f"{account.base_url} knows no model {model!r}, or is no base URL (404): "
            "name another with -m or NBAGENTS_MODEL, or check OPENAI_BASE_URL."
        )
    elif "insufficient_quota" in (error.code, error.type):
        reason = (
            f"The account at {host} has no quota left ({status}): "
            "see to its billing, or use another model with -m."
        )
    elif status == TOO_MANY_REQUESTS:
        still = f", still{tries}" if tries else ""
        reason = f"{host} limits the rate of requests{still} (429): {_pause(error)}."
    elif "reasoning_effort" in said:
        reason = (
            f"{model!r} takes no tools over Chat Completions as it was asked ({status}): "
            "choose another model."
        )
    elif status >= SERVER_ERROR:
        reason = f"{host} failed{tries} ({status}): try again later."
    else:
        check = ": check what the account may use" if status == FORBIDDEN else ""
        reason = f"{host} refuses the request to {model!r} ({status}){check}."
    return reason + said


def _pause(error: APIStatusError) -> str:
    """How long to wait: what the server says, where that is more than the client waits for."""
    seconds = _seconds(error.response.headers.get("retry-after", ""))
    return f"wait {math.ceil(seconds)} s" if 0 < seconds < math.inf else "wait a while"


def _seconds(retry_after: str) -> float:
    """A number of seconds, or those until a date; 0 where it says neither."""
    try:
        return float(retry_after)
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(retry_after).timestamp() - time.time()
    except (ValueError, OverflowError):
        return 0.0


def _said(error: APIStatusError) -> str:
    if (read := error.response.extensions.get(CUT)) is not None:
        return f" It says more than {read:,} bytes, and was not heard out."
    body: Any = error.body
    message = body.get("message") if isinstance(body, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  the server wrote it
    if not isinstance(message, str) or not message.strip():
        return ""
    line = clean(" ".join(message.split()))  # before it is cut: half a key is one, too
    return f" It says: {line[:MESSAGE_LENGTH]}{'…' if len(line) > MESSAGE_LENGTH else ''}"


def _unreachable(error: Exception, account: Account) -> str:
    import socket
    import ssl

    host, causes = account.host, tuple(_causes(error))
    if any(isinstance(cause, (ssl.SSLError, ssl.CertificateError)) for cause in causes):
        return (
            f"No secure connection to {host}: its certificate is not accepted. "
            "Check OPENAI_BASE_URL, and the clock and the certificates of this machine."
        )
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return (
            f"No server answers at {account.base_url} (connection refused): "
            "start it, or check OPENAI_BASE_URL."
        )
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return f"There is no host {host}: check OPENAI_BASE_URL and the network."
    if any(_is_timeout(cause) for cause in causes):
        return (
            f"{host} did not answer within {account.timeout_s:g} s: "
            "try again, or wait longer with -k timeout_s=…"
        )
    names = {type(cause).__name__ for cause in causes}
    for name, said in PUZZLING.items():
        if name in names:
            return said.format(host)
    return (
        f"The connection to {host} failed: {type(causes[-1]).__name__}. "
        "Try again; if it stays so, check the network and OPENAI_BASE_URL."
    )


def _is_timeout(error: BaseException) -> bool:
    import httpx2

    # The aiohttp transport calls a lost connection ConnectTimeout too; its cause tells.
    return isinstance(error, (TimeoutError, httpx2.ReadTimeout, httpx2.PoolTimeout))


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        os_error = getattr(seen, "os_error", None)  # aiohttp keeps the reason there
        if isinstance(os_error, OSError):
            yield os_error
        seen = seen.__cause__ or seen.__context__
