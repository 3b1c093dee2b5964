"""What reading an answer has in both APIs: pieces of data, and the parts that they make."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final

from nbagents.identity import FreshIds
from nbagents.models.openai.errors import BrokenAnswerError
from nbagents.models.openai.sse import event_json
from nbagents.models.openai.unsent_parts import Heard
from nbagents.redaction import clean

if TYPE_CHECKING:
    from collections.abc import Collection

    from nbagents.models.model import ModelPart

EXCERPT_LENGTH: Final = 120
DONE: Final = b"[DONE]"
CUT_OFF: Final = "The provider's limit of tokens cut this answer off.\n"
FILTERED: Final = "The provider's content filter cut this answer off.\n"
WITHHELD: Final = "The provider's content filter withheld the answer."
NAMELESS: Final = "The provider sent a call without the tool's name."
FAILED: Final = "The provider failed while it answered: {said}"


class Reading(ABC):
    """Reads the data of one answer; gives the parts as they come.

    Args:
        taken: The ids of the conversation's calls so far: a call's id is made unique among them.
    """

    noun: ClassVar[str]
    """What each piece of data is to be."""

    def __init__(self, taken: Collection[str] = ()) -> None:
        self._ids = FreshIds(taken)
        self._heard = Heard()
        self._text: list[str] = []
        self._refused = False
        self._done = False
        """Whether the stream said that nothing follows."""

    def read(self, data: bytes) -> None:
        """Take one event's data.

        Raises:
            BrokenAnswerError: The data is none of the API's, or reports a failure that may pass.
            ModelError: It reports a failure that asking again does not mend.
        """
        if data.startswith(DONE):
            self._done = True
            return
        try:
            self._take(event_json(data))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            shown = clean(data.decode(errors="replace"))[:EXCERPT_LENGTH]
            raise BrokenAnswerError(
                f"The provider sent something that is no {self.noun}: {shown}"
            ) from error

    def read_last(self, data: bytes) -> None:
        """Take what stood without its blank line at the end of the stream, if it is whole."""
        if not data.startswith(DONE):
            try:
                event_json(data)
            except ValueError:
                return
        self.read(data)

    def drain(self) -> list[ModelPart]:
        """The parts since the last time; what came together of one text is one part."""
        return self._heard.drain()

    @abstractmethod
    def _take(self, event: dict[str, Any]) -> None:  # Any: the provider wrote it
        """Take what the data says; what makes no sense raises whatever it raises."""
