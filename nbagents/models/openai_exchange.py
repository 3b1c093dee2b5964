"""One chat completion over the openai client: send the request, read the answer, end well."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from nbagents.errors import ModelError
from nbagents.models.openai_client import client_for
from nbagents.models.sse import EventCutter

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from httpx2 import Response

    from nbagents.models.chat_stream import ChatStream
    from nbagents.models.model import ModelPart
    from nbagents.models.openai_client import Account

__all__ = ["answer_parts", "send"]


PATH = "/chat/completions"
DRAIN_TIMEOUT_S = 0.1


async def send(account: Account, body: bytes) -> Response:
    """Post a request that is JSON already; the answer is still to be read.

    `client.post` brings the client's key, headers, time limits, retries and errors, and leaves out
    what `create()` does to each message.

    Raises:
        OpenAIError: No answer, or a refusal, after the client's retries.
    """
    import httpx2  # noqa: PLC0415  comes with openai, loaded by the first request
    from openai import AsyncStream

    client = await client_for(account)
    answer: object = await client.post(
        PATH,
        cast_to=httpx2.Response,
        content=body,
        options={"security": {"bearer_auth": True}},
        stream=True,
        stream_cls=AsyncStream[object],
    )
    # Asked for as a plain response it comes as one, still unread, whatever the overload says.
    return cast("httpx2.Response", answer)


async def answer_parts(
    response: Response, answer: ChatStream, account: Account
) -> AsyncGenerator[ModelPart, None]:
    """The parts of an answer as they come; whatever happens, the response is closed."""
    try:
        if "application/json" in _kind(response, account):  # a server that does not stream
            answer.read(await response.aread())
        else:
            cutter = EventCutter()
            chunks = _chunks(response)
            async for chunk in chunks:
                for data in cutter.feed(chunk):
                    answer.read(data)
                for part in answer.drain():
                    yield part
                if answer.is_done:
                    await _drain(chunks)
                    break
            for data in cutter.finish():
                answer.read_last(data)
        for part in answer.drain():
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


def _chunks(response: Response) -> AsyncIterator[bytes]:
    return (
        response.aiter_bytes() if "content-encoding" in response.headers else response.aiter_raw()
    )


async def _drain(chunks: AsyncIterator[bytes]) -> None:
    """Read to the end, which has mostly come already, so that the connection can be used again.

    Raises:
        TimeoutError: It does not come; the answer is whole all the same.
    """
    async with asyncio.timeout(DRAIN_TIMEOUT_S):
        async for _ in chunks:
            pass
