"""One request over the openai client: send it, read the answer, ask again where that may help."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Protocol, cast

from nbagents.errors import ModelError
from nbagents.models.model import ModelTurn, ThoughtDelta
from nbagents.models.openai.client import client_for, time_limits
from nbagents.models.openai.errors import BrokenAnswerError, again, explained, provider_errors
from nbagents.models.openai.sse import EventCutter

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from httpx2 import Request, Response

    from nbagents.models.model import ModelPart
    from nbagents.models.openai.client import Account

DRAIN_TIMEOUT_S = 0.1
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 8.0
"""Between an answer that broke off and the next try; doubled each time, as the client does it."""


class AnswerReader(Protocol):
    """Reads one answer, in the words of one API."""

    @property
    def is_finished(self) -> bool:
        """Whether the provider said that it was all."""
        ...

    @property
    def is_done(self) -> bool:
        """Whether nothing may follow, so that the rest of the stream need not be read."""
        ...

    def read(self, data: bytes) -> None:
        """Take one event's data, or the whole body of a server that does not stream.

        Raises:
            BrokenAnswerError: The data is none of the API's, or reports a failure.
        """
        ...

    def read_last(self, data: bytes) -> None:
        """Take what stood without its blank line at the end of the stream, if it is whole."""
        ...

    def drain(self) -> list[ModelPart]:
        """The parts since the last time."""
        ...

    def turn(self) -> ModelTurn:
        """All that was said.

        Raises:
            ModelError: The provider withheld the answer.
            BrokenAnswerError: What came makes no turn.
        """
        ...


class Question(Protocol):
    """A request to a model, in the words of one API."""

    @property
    def model(self) -> str:
        """The provider's name of the model."""
        ...

    def account(self) -> Account:
        """Whose endpoint is asked.

        Raises:
            ModelError: There is no key where one is needed, or the base URL is no URL.
        """
        ...

    @property
    def path(self) -> str:
        """Where it goes, below the base URL."""
        ...

    def body(self) -> bytes:
        """What is sent, as it must be after all that was learned."""
        ...

    def reader(self) -> AnswerReader:
        """A new reader for the answer."""
        ...

    def learn(self, refusal: Exception) -> bool:
        """Whether the refusal teaches how to ask otherwise; then the next body is another one."""
        ...

    def notes(self) -> list[str]:
        """What the model is not given as it was asked for; said once, among the thoughts."""
        ...


async def answered(question: Question) -> AsyncGenerator[ModelPart, None]:
    """Ask, and give the parts of the answer as they come, the turn last.

    An answer that breaks off or makes no sense before any part of it was given is asked for again,
    after a wait. The client's repeats of a request and these count together.

    Raises:
        ModelError: No key, no connection, a refusal, or an answer that breaks off.
    """
    account, tried = question.account(), 0
    while True:
        response = await _asked(account, question, tried)
        answer, is_heard, cause = question.reader(), False, None
        try:
            async with contextlib.aclosing(answer_parts(response, answer, account)) as parts:
                async for part in parts:
                    for note in () if is_heard else question.notes():
                        yield ThoughtDelta(note)
                    is_heard = True
                    yield part
        except (BrokenAnswerError, *provider_errors()) as error:
            cause = error
        outcome = _outcome(answer, cause)
        if isinstance(outcome, ModelTurn):
            for note in () if is_heard else question.notes():
                yield ThoughtDelta(note)
            yield outcome
            return
        tried += _repeats(response.request)
        if is_heard or tried >= account.max_retries:
            raise _broken_off(outcome, account, question.model)
        await asyncio.sleep(min(FIRST_WAIT_S * 2**tried, LONGEST_WAIT_S))
        tried += 1


async def _asked(account: Account, question: Question, tried: int) -> Response:
    """Send the request; where the model wants to be asked otherwise, ask as it wants."""
    while True:
        try:
            return await send(account, question.path, question.body(), tried=tried)
        except provider_errors() as error:
            if not question.learn(error):
                failure = explained(error, account, question.model, tried=tried)
                raise failure from failure.__cause__


def _repeats(request: Request) -> int:
    """How often the client repeated a request, as it tells the server too."""
    return int(request.headers.get("x-stainless-retry-count", 0))


def _outcome(answer: AnswerReader, cause: Exception | None) -> ModelTurn | Exception | None:
    """The turn, or why there is none; `None`: the answer just ends."""
    if isinstance(cause, BrokenAnswerError) or not answer.is_finished:
        return cause
    try:
        return answer.turn()
    except BrokenAnswerError as error:
        return error


def _broken_off(cause: Exception | None, account: Account, model: str) -> ModelError:
    if cause is None:
        return ModelError(f"The answer of {account.host} broke off before its end: try again.")
    if isinstance(cause, BrokenAnswerError):
        return again(cause)
    why = explained(cause, account, model)
    failure = ModelError(f"The answer broke off before its end. {why}")
    failure.__cause__ = why.__cause__
    return failure


async def send(account: Account, path: str, body: bytes, *, tried: int = 0) -> Response:
    """Post a request that is JSON already; the answer is still to be read.

    `client.post` brings the client's key, headers, retries and errors, and leaves out what its
    `create()` does to each message.

    Args:
        account: Whose endpoint, with the limits of time and of repeats.
        path: Where it goes, below the base URL.
        body: The request as JSON.
        tried: How many of the repeats are used up.

    Raises:
        OpenAIError: No answer, or a refusal, after the client's retries.
    """
    import httpx2  # comes with openai, loaded by the first request
    from openai import AsyncStream

    client = await client_for(account)
    answer: object = await client.post(
        path,
        cast_to=httpx2.Response,
        content=body,
        options={
            "security": {"bearer_auth": True},
            "max_retries": account.max_retries - tried,
            "timeout": time_limits(account.timeout_s),
        },
        stream=True,
        stream_cls=AsyncStream[object],
    )
    # Asked for as a plain response it comes as one, still unread, whatever the overload says.
    return cast("httpx2.Response", answer)


async def answer_parts(
    response: Response, answer: AnswerReader, account: Account
) -> AsyncGenerator[ModelPart, None]:
    """The parts of an answer as they come; whatever happens, the response is closed."""
    chunks, silence = response.aiter_raw(), _Silence(response, account.timeout_s)
    try:
        if "application/json" in _kind(response, account):  # a server that does not stream
            whole = [silence.checked(chunk) async for chunk in chunks]
            answer.read(b"".join(whole))
        else:
            cutter = EventCutter(account.host)
            async for chunk in chunks:
                for data in cutter.feed(silence.checked(chunk)):
                    answer.read(data)
                for part in answer.drain():
                    yield part
                    silence.end()
                if answer.is_done:
                    await _drain(chunks)
                    break
            for data in cutter.finish():
                answer.read_last(data)
        for part in answer.drain() if answer.is_finished else ():
            yield part
    finally:
        await response.aclose()


def _kind(response: Response, account: Account) -> str:
    kind = response.headers.get("content-type", "")
    if "text/html" in kind:
        raise ModelError(
            f"{account.base_url} answers with a web page: check OPENAI_BASE_URL, "
            "which usually ends in /v1."
        )
    return kind


class _Silence:
    """How long nothing came that says anything: bytes alone, one by one, are no answer."""

    def __init__(self, response: Response, limit_s: float) -> None:
        self._response = response
        self._limit_s = limit_s
        self._since_s = time.monotonic()

    def end(self) -> None:
        """Something was said."""
        self._since_s = time.monotonic()

    def checked(self, chunk: bytes) -> bytes:
        """The same bytes.

        Raises:
            httpx2.ReadTimeout: Nothing was said for too long.
        """
        if time.monotonic() - self._since_s > self._limit_s:
            import httpx2

            raise httpx2.ReadTimeout("only single bytes", request=self._response.request)
        return chunk


async def _drain(chunks: AsyncIterator[bytes]) -> None:
    """Read to the end, which has mostly come already, so that the connection can be used again.

    Raises:
        TimeoutError: It does not come; the answer is whole all the same.
    """
    async with asyncio.timeout(DRAIN_TIMEOUT_S):
        async for _ in chunks:
            pass
