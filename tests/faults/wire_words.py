"""What a provider says, in the words of each of its two APIs, event by event."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbagents.models.chat.model import OpenAIChat
from nbagents.models.responses.model import OpenAIResponses
from tests.faults.bad_server import Answer, chunks, head
from tests.unit.models import responses_wire as responses
from tests.unit.models.provider import KEY, chunk, delta, sse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.models.openai.model import OpenAIModel

__all__ = ["APIS", "Api", "Asked", "answer", "stream"]

Json = dict[str, Any]  # what goes over the wire: any JSON
TEXT = "Grüße aus 東京"


@dataclass(frozen=True)
class Asked:
    """A call, as a provider writes it."""

    name: str
    arguments: str = "{}"
    id: str = "call-1"


class Api(ABC):
    """One of the two APIs: its events are bytes, each whole with its blank line."""

    @abstractmethod
    def model(self, url: str, **options: Any) -> OpenAIModel:
        """A model that asks the server at `url`."""

    @abstractmethod
    def text(self, said: str = TEXT) -> list[bytes]:
        """The events of an answer of two pieces of text."""

    @abstractmethod
    def calls(self, *asked: Asked) -> list[bytes]:
        """The events of an answer that asks for calls."""

    @abstractmethod
    def failure(self) -> bytes:
        """The event of a failure in the middle of an answer."""


class _Chat(Api):
    def model(self, url: str, **options: Any) -> OpenAIModel:
        return OpenAIChat("m", base_url=url, api_key=KEY, **options)

    def text(self, said: str = TEXT) -> list[bytes]:
        half = len(said) // 2
        return _events(
            delta(role="assistant", content=""),
            delta(content=said[:half]),
            delta(content=said[half:]),
            delta("stop"),
            chunk(usage={"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}),
            "data: [DONE]",
        )

    def calls(self, *asked: Asked) -> list[bytes]:
        return _events(
            delta(role="assistant", content=None),
            *(piece for nth, one in enumerate(asked) for piece in _call_pieces(nth, one)),
            delta("tool_calls"),
            "data: [DONE]",
        )

    def failure(self) -> bytes:
        return sse({"error": {"message": "The engine is overloaded", "code": 503}})


def _call_pieces(index: int, asked: Asked) -> list[Json]:
    half = len(asked.arguments) // 2
    function = {"name": asked.name, "arguments": asked.arguments[:half]}
    return [
        delta(tool_calls=[{"index": index, "id": asked.id, "function": function}]),
        delta(
            tool_calls=[{"index": index, "function": {"arguments": asked.arguments[half:]}}],
        ),
    ]


class _Responses(Api):
    def model(self, url: str, **options: Any) -> OpenAIModel:
        return OpenAIResponses("m", base_url=url, api_key=KEY, **options)

    def text(self, said: str = TEXT) -> list[bytes]:
        return _events(*responses.checked(*responses.events(responses.message(said))))

    def calls(self, *asked: Asked) -> list[bytes]:
        items = [
            responses.call(one.name, one.arguments, one.id, id=f"fc_{nth}")
            for nth, one in enumerate(asked)
        ]
        return _events(*responses.checked(*responses.events(*items)))

    def failure(self) -> bytes:
        error = {"code": "server_error", "message": "The engine is overloaded"}
        failed = responses.response(status="failed", error=error)
        return sse({"type": "response.failed", "response": failed, "sequence_number": 9})


APIS: dict[str, Api] = {"chat": _Chat(), "responses": _Responses()}


def _events(*events: Json | str) -> list[bytes]:
    return [sse(one) for one in events]


def stream(*pieces: bytes, end: bool = True) -> Answer:
    """Pieces of a stream, as an answer; without its end the connection is still to be ended."""
    return [head(), *chunks(*pieces, end=end)]


def answer(events: Sequence[bytes]) -> Answer:
    """A whole stream."""
    return stream(*events)
