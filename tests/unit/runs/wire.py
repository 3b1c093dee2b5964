"""A model that plays a script, and keeps what an API would have been sent, byte for byte."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator, Iterable
from typing import Any, TypeAlias

from nbagents.models.chat.model import OpenAIChat
from nbagents.models.model import ModelPart, ModelRequest
from nbagents.models.responses.model import OpenAIResponses
from nbagents.models.scripted import ScriptedModel, Step

__all__ = ["APIS", "Json", "Wired"]

Json: TypeAlias = dict[str, Any]

APIS = (OpenAIChat, OpenAIResponses)
OF_MESSAGES = {OpenAIChat: b',"messages":[', OpenAIResponses: b',"input":['}


class Wired:
    """Says what a script says; each request is written as its API has it.

    Args:
        steps: The script.
        api: Which API.
    """

    def __init__(
        self, steps: Iterable[Step], api: type[OpenAIChat | OpenAIResponses] = OpenAIChat
    ) -> None:
        self.name = "scripted"
        self.bodies: list[bytes] = []
        self._api = api
        self._sent = api("m", api_key="k")
        self.script = ScriptedModel(steps)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        sent = self._sent._sent(request)  # pyright: ignore[reportPrivateUsage]  with what it keeps
        self.bodies.append(sent.body())
        async for part in self.script.stream(request):
            yield part

    @property
    def requests(self) -> list[Json]:
        """The bodies as JSON."""
        return [json.loads(one) for one in self.bodies]

    def messages(self, at: int = -1) -> list[Json]:
        """The messages of a request, as its API has them."""
        return self.requests[at]["messages" if self._api is OpenAIChat else "input"]

    @property
    def said(self) -> list[bytes]:
        """The messages of each request as bytes, without the bracket at their end."""
        return [one.partition(OF_MESSAGES[self._api])[2].removesuffix(b"]}") for one in self.bodies]

    def breaks(self) -> list[int]:
        """The requests that do not begin with the messages of the one before, byte for byte."""
        said = self.said
        return [
            at
            for at, (before, now) in enumerate(itertools.pairwise(said), 1)
            if not now.startswith(before)
        ]
