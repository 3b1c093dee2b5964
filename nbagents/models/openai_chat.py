"""OpenAI's Chat Completions, and every server that speaks them, over the openai client."""

from __future__ import annotations

import asyncio
import contextlib
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nbagents.errors import ModelError
from nbagents.models.chat_body import ChatHead, Conversation
from nbagents.models.chat_stream import ChatStream
from nbagents.models.openai_client import DEFAULT_BASE_URL, account_of
from nbagents.models.openai_errors import explained, provider_errors
from nbagents.models.openai_exchange import answer_parts, send

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, MutableMapping

    from httpx2 import Response
    from pydantic import JsonValue

    from nbagents.models.model import ModelPart, ModelRequest
    from nbagents.models.openai_client import Account

__all__ = ["DEFAULT_MODEL", "OpenAIChat"]

DEFAULT_MODEL = "gpt-6-luna"
"""Cheap, and takes tools over Chat Completions (with `reasoning_effort` none).

Source: OpenAI, models, GPT-6 Luna, and deprecations, as of November 2026.
"""

MEMO_KEY = "openai_chat"
REFUSED = (400, 422)
FIRST_WAIT_S = 0.5

_learned: dict[tuple[str, str], dict[str, JsonValue]] = {}
"""What a model at a base URL wants to be told, learned from its refusals."""


@dataclass(slots=True)
class _Memo:
    """What a run keeps, so that its next request costs only what is new."""

    head: ChatHead = field(default_factory=ChatHead)
    conversation: Conversation = field(default_factory=Conversation)

    def body(self, options: Mapping[str, JsonValue], request: ModelRequest) -> bytes:
        """The whole body of a request, by appending what is new."""
        head = self.head.follow(options, request.tools)
        return b"".join((head, self.conversation.follow(request.messages), b"]}"))


class OpenAIChat:
    """A model behind a Chat Completions endpoint.

    Args:
        model: The provider's name of the model.
        base_url: Where it is; `None`: `OPENAI_BASE_URL`, else OpenAI.
        api_key: `None`: `OPENAI_API_KEY`. A server on this machine may do without.
        timeout_s: The longest silence that is waited for.
        max_retries: How often a request is repeated after a failure that may pass.
        settings: Sent with each request, e.g. `{"temperature": 0}`; a request's own go first.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 600.0,
        max_retries: int = 2,
        settings: Mapping[str, JsonValue] | None = None,
    ) -> None:
        self._model = model
        self._base_url = base_url
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._max_retries = max_retries
        self._settings = dict(settings or {})

    def __repr__(self) -> str:
        return f"OpenAIChat({self._model!r})"

    @property
    def name(self) -> str:
        """Which model answers."""
        return self._model

    def check(self) -> None:
        """Say now what would be wrong with the first request.

        Raises:
            ModelError: There is no key where one is needed, or the base URL is no URL.
        """
        self._account()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPart, None]:
        """Answer a request: deltas as they come, then one `ModelTurn`.

        Raises:
            ModelError: No key, no connection, a refusal, or an answer that breaks off.
        """
        account = self._account()
        memo = _memo_of(request.memo)
        tried = 0
        while True:
            answer = ChatStream(memo.conversation.call_ids)
            response = await self._ask(account, request, memo, answer)
            is_heard, cause = False, None
            try:
                async with contextlib.aclosing(answer_parts(response, answer, account)) as parts:
                    async for part in parts:
                        is_heard = True
                        yield part
            except provider_errors() as error:
                cause = error
            if answer.is_finished:
                yield answer.turn()
                return
            if is_heard or tried == account.max_retries:
                raise _broken_off(cause, account, self._model)
            await asyncio.sleep(FIRST_WAIT_S * 2**tried)
            tried += 1

    def _account(self) -> Account:
        key = os.environ.get("OPENAI_API_KEY", "") if self._api_key is None else self._api_key
        base_url = self._base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL
        return account_of(base_url.strip(), key.strip(), self._timeout_s, self._max_retries)

    async def _ask(
        self, account: Account, request: ModelRequest, memo: _Memo, answer: ChatStream
    ) -> Response:
        """Send the request; where the model wants to be asked otherwise, ask as it wants."""
        try:
            while True:
                options = self._options(account, request)
                try:
                    return await send(account, memo.body(options, request))
                except provider_errors() as error:
                    lesson = _lesson(error, options, has_tools=bool(request.tools))
                    if not lesson:
                        raise
                self._learn(account, lesson, answer)
        except provider_errors() as error:
            failure = explained(error, account, self._model)
            raise failure from failure.__cause__

    def _options(self, account: Account, request: ModelRequest) -> dict[str, JsonValue]:
        """What stands in the body beside messages and tools."""
        options: dict[str, JsonValue] = {"stream_options": {"include_usage": True}}
        if learned := _learned.get((account.base_url, self._model)):
            options.update(learned)
            if not request.tools:
                options.pop("reasoning_effort", None)
        options |= {**self._settings, **request.settings, "model": self._model, "stream": True}
        return {name: value for name, value in options.items() if value is not None}

    def _learn(self, account: Account, lesson: dict[str, JsonValue], answer: ChatStream) -> None:
        _learned.setdefault((account.base_url, self._model), {}).update(lesson)
        if "reasoning_effort" in lesson:
            answer.note(
                f"{self._model} takes tools over Chat Completions only without reasoning: "
                "reasoning_effort is 'none'."
            )


def _memo_of(memo: MutableMapping[str, object]) -> _Memo:
    kept = memo.get(MEMO_KEY)
    if not isinstance(kept, _Memo):
        kept = memo[MEMO_KEY] = _Memo()
    return kept


def _lesson(
    error: Exception, options: Mapping[str, JsonValue], *, has_tools: bool
) -> dict[str, JsonValue]:
    """What a refusal teaches about this model; nothing, if it is about something else."""
    if getattr(error, "status_code", None) not in REFUSED:
        return {}
    said = str(error)
    if "stream_options" in said and "stream_options" in options:
        return {"stream_options": None}
    if has_tools and "reasoning_effort" in said and "reasoning_effort" not in options:
        return {"reasoning_effort": "none"}
    return {}


def _broken_off(cause: Exception | None, account: Account, model: str) -> ModelError:
    if cause is None:
        return ModelError(f"The answer of {account.host} broke off before its end: try again.")
    why = explained(cause, account, model)
    failure = ModelError(f"The answer broke off before its end. {why}")
    failure.__cause__ = why.__cause__
    return failure
