"""What the models behind OpenAI's two APIs share: where they are, and how one is asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pydantic_core import from_json

from nbagents.models.openai.client import Access, request_timeout
from nbagents.models.openai.exchange import answered
from nbagents.models.openai.settings import joined_settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from pydantic import JsonValue

    from nbagents.models.model import ModelPart, ModelRequest
    from nbagents.models.openai.client import Account
    from nbagents.models.openai.exchange import Question

DEFAULT_MODEL = "gpt-6-luna"
"""Cheap, and takes tools over Chat Completions (with `reasoning_effort` none).

Source: OpenAI, models, GPT-6 Luna, and deprecations, as of November 2026.
"""


@dataclass(frozen=True, slots=True)
class Sending:
    """One request on its way: who is asked what, and with which settings."""

    model: str
    access: Access
    settings: Mapping[str, JsonValue]
    """The model's and the request's, joined."""
    request: ModelRequest

    @property
    def place(self) -> tuple[str, str]:
        """What lessons are learned about: a model at a base URL."""
        return self.access.url, self.model

    def account(self) -> Account:
        """Whose endpoint is asked, within the request's own time limit."""
        return self.access.account(request_timeout(dict(self.settings)))


class OpenAIModel(ABC):
    """A model behind one of OpenAI's APIs, at any base URL.

    Args:
        model: The provider's name of the model.
        base_url: Where it is; `None`: `OPENAI_BASE_URL`, else OpenAI.
        api_key: `None`: `OPENAI_API_KEY`. A server on this machine may do without.
        timeout_s: The longest silence that is waited for.
        max_retries: How often a request is repeated after a failure that may pass.
        settings: Sent with each request, e.g. `{"temperature": 0}`; a request's own go first.
            `timeout_s` among them is not sent: it is the time limit of the requests.
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
        self._access = Access(
            base_url=base_url, api_key=api_key, timeout_s=timeout_s, max_retries=max_retries
        )
        self._settings = dict(settings or {})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r})"

    @property
    def name(self) -> str:
        """Which model answers."""
        return self._model

    def check(self) -> None:
        """Say now what would be wrong with the first request.

        Raises:
            ModelError: There is no key where one is needed, or the base URL is no URL.
        """
        self._access.account()

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPart, None]:
        """Answer a request: deltas as they come, then one `ModelTurn`.

        Raises:
            ModelError: No key, a setting that cannot be sent, no connection, a refusal, or an
                answer that breaks off.
        """
        return answered(self._sent(request))

    def preview(self, request: ModelRequest) -> JsonValue:
        """The body that would be sent. Nothing is sent, and no key is needed.

        Raises:
            ModelError: A tool or setting that cannot be sent.
        """
        return from_json(self._sent(replace(request, memo={})).body())

    def _sent(self, request: ModelRequest) -> Question:
        settings = joined_settings(self._settings, request.settings)
        return self._question(Sending(self._model, self._access, settings, request))

    @abstractmethod
    def _question(self, sending: Sending) -> Question:
        """A request in the words of the API."""
