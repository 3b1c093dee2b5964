"""What a request has in both APIs: a head that is kept, settings, a choice of tools, and notes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

from nbagents.models.model import TOOL_CHOICES
from nbagents.models.openai.json_body import body_json
from nbagents.models.openai.settings import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping, Sequence

    from pydantic import JsonValue

    from nbagents.models.openai.model import Sending

T = TypeVar("T")


class Head(Generic[T]):
    """What comes before the conversation: model, settings and tools.

    Args:
        conversation: By which word that follows.
        written: The tools in the words of the API.
    """

    __slots__ = ("_conversation", "_of", "_written", "encoded")

    def __init__(self, conversation: str, written: Callable[[T], Sequence[object]]) -> None:
        self._conversation = conversation
        self._written = written
        self._of: tuple[object, ...] = ()
        self.encoded = b""

    def follow(self, options: Mapping[str, JsonValue], tools: T) -> bytes:
        """The head as JSON up to the first message; encoded again only if something changed.

        Raises:
            ModelError: There is a tool that this API does not have.
        """
        if self._of != (options, tools):
            body: dict[str, object] = dict(options)
            if written := self._written(tools):
                body["tools"] = written
            self.encoded = body_json(body)[:-1] + f',"{self._conversation}":['.encode()
            self._of = (options, tools)
        return self.encoded


class Asking(ABC):
    """One request to a model, asked as it wants to be asked."""

    def __init__(self, sending: Sending) -> None:
        self.model, self.account = sending.model, sending.account
        self._settings, self._request = sending.settings, sending.request
        self._place = sending.place
        self._notes: list[str] = []

    def notes(self) -> list[str]:
        """What the model is not given as it was asked for."""
        notes, self._notes = self._notes, []
        return [f"{note}\n" for note in notes]

    def _with_settings(
        self, options: dict[str, JsonValue], *, can_forbid: bool
    ) -> dict[str, JsonValue]:
        """The options, with the person's settings and the choice of tools.

        Args:
            options: What the API is asked for besides.
            can_forbid: Whether the model can be told to call nothing, while there are tools.
        """
        request = self._request
        made = {**options, **self._settings, TIMEOUT: None, "model": self.model, "stream": True}
        if not request.tools:
            made.pop("tool_choice", None)
        elif request.tool_choice is not None:
            is_said = can_forbid or request.tool_choice != "none"
            made["tool_choice"] = self._choice(request.tool_choice) if is_said else None
        return made

    def _choice(self, said: str | Mapping[str, JsonValue]) -> JsonValue:
        """Whether the model must use a tool, in the words of the API; `None`: as it likes."""
        if not isinstance(said, str):
            return dict(said)
        if said in TOOL_CHOICES:
            return None if said == "auto" else said
        return self._named(said)

    @abstractmethod
    def _named(self, tool: str) -> JsonValue:
        """A tool that must be used, in the words of the API."""


def kept_in(memo: MutableMapping[str, object], kind: type[T]) -> T:
    """What of a kind a run keeps, made when it is first asked for."""
    kept = memo.get(kind.__module__)
    if not isinstance(kept, kind):
        kept = memo[kind.__module__] = kind()
    return kept
