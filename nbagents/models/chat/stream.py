"""What one streamed chat completion says, put together from its chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from nbagents.errors import ModelError
from nbagents.identity import new_id
from nbagents.messages import CallRequest
from nbagents.models.model import CallDelta, ModelTurn, ThoughtDelta
from nbagents.models.openai import (
    CUT_OFF,
    FAILED,
    FILTERED,
    NAMELESS,
    WITHHELD,
    BrokenAnswerError,
    Nesting,
    Reading,
)
from nbagents.narrowing import dict_of
from nbagents.results import Usage

if TYPE_CHECKING:
    from collections.abc import Collection

Chunk = dict[str, Any]  # the provider wrote it: every look into it stands in a try
CUTS = {"length": CUT_OFF, "content_filter": FILTERED}
"""What is said of an answer that ends for such a reason."""

LEGACY = -1
"""Stands for the index of a `function_call`, of which an answer has one: some servers still send
what `tool_calls` replaced."""


class _OpenCall:
    """A call that is still being written."""

    __slots__ = ("_nesting", "_seen", "given_id", "id", "name", "pieces")

    def __init__(self, call_id: str, given_id: str) -> None:
        self.id = call_id
        self.given_id = given_id
        self.name = ""
        self.pieces: list[str] = []
        self._nesting = Nesting()
        self._seen = 0

    def delta(self, text: str) -> CallDelta:
        """A piece of the arguments as it is given on."""
        return CallDelta(self.id, self.name, text)

    def is_whole(self) -> bool:
        """Whether the arguments so far are JSON, so that more of them would be another call's."""
        for piece in self.pieces[self._seen :]:
            self._nesting.read(piece)
        self._seen = len(self.pieces)
        return self._nesting.is_closed


class ChatStream(Reading):
    """Reads the chunks of one answer; gives the parts as they come, and the turn at the end.

    Providers differ: parallel calls come by index, without one, or all with index 0; ids come once,
    with every piece, twice, or never. A call's id is made unique among `taken`.

    Args:
        taken: The ids of the conversation's calls so far.
    """

    noun = "chunk of a chat completion"

    def __init__(self, taken: Collection[str] = ()) -> None:
        super().__init__(taken)
        self.finish_reason: str | None = None
        self._calls: list[_OpenCall] = []
        self._by_given: dict[str, _OpenCall] = {}
        """The newest call of each id that the provider gave."""
        self._by_index: dict[int, _OpenCall] = {}
        self._usage: Usage | None = None

    @property
    def is_finished(self) -> bool:
        """Whether the provider said that it was all."""
        return self._done or self.finish_reason is not None

    @property
    def is_done(self) -> bool:
        """Whether nothing may follow, not even the usage."""
        return self._done

    def turn(self) -> ModelTurn:
        """All that was said.

        Raises:
            ModelError: The provider withheld the answer.
            BrokenAnswerError: There is nothing in the answer, or a call without a name.
        """
        if self.finish_reason == "content_filter" and not self._text and not self._calls:
            raise ModelError(WITHHELD)
        if self.finish_reason is None and not self._text and not self._calls:
            raise BrokenAnswerError("The provider ended its answer without having said anything.")
        if any(not call.name for call in self._calls):
            raise BrokenAnswerError(NAMELESS)
        is_cut = self.finish_reason == "length"
        calls = tuple(
            CallRequest(
                id=call.id,
                name=call.name,
                arguments="".join(call.pieces),
                is_cut=is_cut and not call.is_whole(),
            )
            for call in self._calls
        )
        return ModelTurn(
            text="".join(self._text),
            calls=calls,
            usage=self._usage or Usage(requests=1),
            refused=self._refused,
            is_cut=is_cut,
        )

    def _take(self, event: Chunk) -> None:
        if error := event.get("error"):
            raise BrokenAnswerError(FAILED.format(said=_message(error)))
        if usage := event.get("usage"):
            self._usage = _counted(usage)
        for choice in event.get("choices") or ():
            if not choice.get("index"):  # of several answers (`n` in the settings) the first counts
                self._take_choice(choice)
                break

    def _take_choice(self, choice: Chunk) -> None:
        if reason := choice.get("finish_reason"):
            self._end(reason, choice)
        # A server that does not stream sends the whole message at once.
        delta: Chunk | None = choice.get("delta") or choice.get("message")
        if delta:
            self._take_delta(delta)

    def _end(self, reason: str, choice: Chunk) -> None:
        self.finish_reason = reason
        if said := CUTS.get(reason):
            self._heard.hear(ThoughtDelta, said)
        if usage := choice.get("usage"):  # Moonshot's place for it
            self._usage = _counted(usage)

    def _take_delta(self, delta: Chunk) -> None:
        if thought := delta.get("reasoning_content") or delta.get("reasoning"):
            self._think(thought)
        if content := delta.get("content"):
            self._say(content)
        if refusal := delta.get("refusal"):
            self._refused = True
            self._say(refusal)
        for piece in delta.get("tool_calls") or ():
            self._call(piece)
        function = delta.get("function_call")
        if function and not delta.get("tool_calls"):
            self._call({"index": LEGACY, "function": function})

    def _say(self, content: str | list[Chunk]) -> None:
        if isinstance(content, list):
            self._say_pieces(content)
            return
        content = self._heard.joined("text", content)
        self._text.append(content)
        self._heard.say(content)

    def _say_pieces(self, pieces: list[Chunk]) -> None:
        """Content as a list of typed pieces, as Mistral's models send it."""
        for piece in pieces:
            if text := piece.get("text"):
                self._say(text)
            for thought in piece.get("thinking") or ():
                self._think(thought["text"])

    def _think(self, thought: str) -> None:
        self._heard.hear(ThoughtDelta, self._heard.joined("thought", thought))

    def _call(self, piece: Chunk) -> None:
        function: Chunk = piece.get("function") or {}
        arguments = function.get("arguments") or ""
        if not isinstance(arguments, str):  # an object, from servers that parse too early
            arguments = to_json(arguments).decode()
        name: str = function.get("name") or ""
        call = self._slot(piece.get("index"), str(piece.get("id") or ""), name, arguments)
        if name and name != call.name:
            call.name += name
        arguments = self._heard.joined("call " + call.id, arguments)
        call.pieces.append(arguments)
        self._heard.hear(call.delta, arguments)

    def _slot(self, index: int | None, given_id: str, name: str, arguments: str) -> _OpenCall:
        """The call that a piece belongs to."""
        if index is not None:
            call = self._by_index.get(index)
            if call is None or (name and given_id and given_id != call.given_id):
                call = self._by_index[index] = self._opened(given_id)
            return call
        call = self._calls[-1] if self._calls else None
        if given_id:
            call = self._by_given.get(given_id)
        if call is None or (name and (arguments or name != call.name) and call.is_whole()):
            return self._opened(given_id)
        return call

    def _opened(self, given_id: str) -> _OpenCall:
        call = _OpenCall(self._ids.give(given_id or new_id("call")), given_id)
        self._calls.append(call)
        self._by_given[given_id] = call
        return call


def _counted(usage: Chunk) -> Usage:
    details: Chunk = usage.get("prompt_tokens_details") or {}
    cached = details.get("cached_tokens") or usage.get("prompt_cache_hit_tokens")
    given, said = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
    return Usage(
        input_tokens=given,
        output_tokens=said + _uncounted_thought(usage, given + said),
        cached_tokens=cached or 0,
        requests=1,
    )


def _uncounted_thought(usage: Chunk, counted: int) -> int:
    """Tokens of reasoning that stand in the total only: OpenAI counts them as output, xAI apart."""
    details: Chunk = usage.get("completion_tokens_details") or {}
    thought: int = details.get("reasoning_tokens") or 0
    return thought if usage.get("total_tokens") == counted + thought else 0


def _message(error: object) -> str:
    return str(dict_of(error).get("message") or error)
