"""What one streamed response says, put together from its events."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_core import to_json

from nbagents.errors import ModelError
from nbagents.identity import new_id
from nbagents.models.model import ModelTurn, ThoughtDelta
from nbagents.models.openai import (
    CUT_OFF,
    FAILED,
    FILTERED,
    NAMELESS,
    WITHHELD,
    BrokenAnswerError,
    Reading,
)
from nbagents.models.responses.body import NATIVE_OF
from nbagents.models.responses.items import Item, Slots, citation_of, is_hosted, result_of
from nbagents.models.responses.tools import WiredTools
from nbagents.narrowing import dict_of, is_dict
from nbagents.results import CallResult, Citation, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from nbagents.models.responses.items import Slot

MAY_PASS = re.compile(
    r"server|internal|overload|unavailable|rate_limit|slow_down|timeout|429|5\d\d"
)
"""The codes of failures that asking again may mend; any other code is about the request."""

WRITTEN = ("code_interpreter_call", "mcp_call")
"""Hosted calls whose arguments the model writes piece by piece: they begin when those are there."""

CUTS = {"max_output_tokens": CUT_OFF, "content_filter": FILTERED}
UNENDED = CallResult(content="The provider did not say how it ended.", status="cancelled")


class ResponsesStream(Reading):
    """Reads the events of one answer; gives the parts as they come, and the turn at the end.

    Events and items of unknown types are passed over; items are kept for the next request.

    Args:
        taken: The ids of the conversation's calls so far: a call's id is made unique among them.
        wired: The tools of the request.
        is_formed: Whether the answer has a form, so that a model's comments are no part of it.
    """

    noun = "event of a response"

    def __init__(
        self,
        taken: Collection[str] = (),
        wired: WiredTools | None = None,
        *,
        is_formed: bool = False,
    ) -> None:
        super().__init__(taken)
        self._wired = wired or WiredTools()
        self._is_formed = is_formed
        self._slots = Slots()
        self._status = self._cut_off = ""
        self._length = 0
        self._citations: dict[Citation, None] = {}
        self._usage = Usage(requests=1)
        self._handlers: dict[str, Callable[[Item], None]] = {
            "response.output_item.added": self._add,
            "response.output_item.done": self._finish,
            "response.output_text.delta": self._speak,
            "response.output_text.annotation.added": self._annotate,
            "response.refusal.delta": self._refuse,
            "response.reasoning_summary_part.added": self._part_thoughts,
            "response.reasoning_summary_text.delta": self._reason_on,
            "response.reasoning_text.delta": self._reason_on,
            "response.function_call_arguments.delta": self._argue,
            "response.code_interpreter_call_code.done": self._begin_written,
            "response.mcp_call_arguments.done": self._begin_written,
            "response.completed": self._end,
            "response.incomplete": self._end,
            "response.failed": _fail,
            "error": _fail,
        }

    @property
    def is_finished(self) -> bool:
        """Whether the provider said that it was all."""
        return bool(self._status)

    @property
    def is_done(self) -> bool:
        """Whether nothing may follow."""
        return bool(self._status)

    def turn(self) -> ModelTurn:
        """All that was said.

        Raises:
            ModelError: The provider withheld the answer.
            BrokenAnswerError: It sent a call without a name.
        """
        calls = [slot for slot in self._slots if slot.call_id]
        if self._cut_off == "content_filter" and not self._text and not calls:
            raise ModelError(WITHHELD)
        if any(not slot.name for slot in calls):
            raise BrokenAnswerError(NAMELESS)
        is_whole = all(slot.is_done for slot in calls)
        is_cut = self._cut_off == "max_output_tokens"
        return ModelTurn(
            text="".join(self._text),
            calls=tuple(slot.request(is_cut=is_cut) for slot in calls),
            usage=self._usage,
            refused=self._refused,
            is_cut=is_cut,
            citations=tuple(self._citations),
            native=tuple(slot.item for slot in self._slots if slot.is_done) if is_whole else (),
            native_of=NATIVE_OF if is_whole else "",
        )

    def _take(self, event: Item) -> None:
        kind: str | None = event.get("type")
        if kind is None:  # a server that does not stream sends the whole response at once
            status = event.get("status")
            kind = f"response.{status}" if status in ("completed", "incomplete") else "error"
            event = {"type": kind, "response": event, "error": event.get("error")}
        if handler := self._handlers.get(kind):
            handler(event)

    # Items

    def _add(self, event: Item) -> None:
        slot = self._slots.open(event["item"], event.get("output_index"))
        if slot.kind == "function_call":
            self._open_call(slot)
            self._heard.hear(slot.delta, "")
        elif is_hosted(slot.item) and slot.kind not in WRITTEN:
            self._begin(slot)

    def _finish(self, event: Item) -> None:
        """An item is whole: it says again, with authority, what its events said."""
        slot = self._slots.of_whole(event["item"], event.get("output_index"))
        if slot.kind == "message":
            self._finish_message(slot)
        elif slot.kind == "reasoning":
            self._finish_reasoning(slot)
        elif slot.kind in ("function_call", "computer_call"):
            self._finish_call(slot)
        elif slot.kind == "tool_search_output":
            self._finish_search(slot)
        elif is_hosted(slot.item):
            self._begin(slot)
            if slot.kind != "tool_search_call":  # what it found is an item of its own
                self._finish_hosted(slot, result_of(slot.item))

    def _end(self, event: Item) -> None:
        response: Item = event["response"]
        output: list[Item] = response.get("output") or []
        if sum(slot.is_done for slot in self._slots) < len(output):
            for index, item in enumerate(output):
                known = self._slots.find(item.get("id"), index)
                if known is None or not known.is_done:
                    self._finish({"item": item, "output_index": index})
        for slot in self._slots:
            if slot.has_begun and not slot.has_ended:
                self._finish_hosted(slot, UNENDED)
        self._usage = _counted(response.get("usage") or {})
        self._status = event["type"]
        if self._status == "response.incomplete":
            details: Item = response.get("incomplete_details") or {}
            self._cut_off = str(details.get("reason") or "unknown")
            said = CUTS.get(self._cut_off, f"The answer is incomplete: {self._cut_off}.\n")
            self._heard.hear(ThoughtDelta, said)

    # Text

    def _speak(self, event: Item) -> None:
        self._say(self._slot(event, "message"), event["content_index"], event["delta"])

    def _refuse(self, event: Item) -> None:
        self._refused = True
        self._speak(event)

    def _say(self, slot: Slot, index: int, text: str) -> None:
        text = self._heard.joined("text", text)
        if self._is_formed and slot.item.get("phase") == "commentary":
            slot.parts[index] = self._length
            self._heard.hear(ThoughtDelta, text)
            return
        if index not in slot.parts:
            if self._length and not slot.parts:
                self._utter("\n\n")
            slot.parts[index] = self._length
        self._utter(text)

    def _utter(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)
        self._heard.say(text)

    def _annotate(self, event: Item) -> None:
        slot = self._slot(event, "message")
        self._cite(slot, event["content_index"], event.get("annotation") or {})

    def _cite(self, slot: Slot, index: int, annotation: Item) -> None:
        citation = citation_of(annotation, slot.parts.get(index, self._length))
        if citation is not None:
            self._citations[citation] = None

    def _finish_message(self, slot: Slot) -> None:
        content: list[Item] = slot.item.get("content") or []
        for index, part in enumerate(content):
            text = part.get("text") or part.get("refusal") or ""
            if text and index not in slot.parts:
                self._say(slot, index, text)
            self._refused = self._refused or part["type"] == "refusal"
            for annotation in part.get("annotations") or ():
                self._cite(slot, index, annotation)

    # Thoughts

    def _part_thoughts(self, event: Item) -> None:
        if event["summary_index"]:
            self._heard.hear(ThoughtDelta, "\n\n")

    def _reason_on(self, event: Item) -> None:
        self._think(self._slot(event, "reasoning"), event["delta"])

    def _think(self, slot: Slot, text: str) -> None:
        slot.parts[0] = 0
        self._heard.hear(ThoughtDelta, self._heard.joined("thought", text))

    def _finish_reasoning(self, slot: Slot) -> None:
        said: list[Item] = slot.item.get("summary") or slot.item.get("content") or []
        if said and not slot.parts:
            self._think(slot, "\n\n".join(piece["text"] for piece in said))

    # Our calls

    def _open_call(self, slot: Slot) -> None:
        item, given_id = slot.item, str(slot.item.get("call_id") or "")
        slot.call_id = self._ids.give(given_id or new_id("call"))
        if slot.kind == "computer_call":
            slot.name = self._wired.computer
        else:
            slot.name = self._wired.received(item.get("name") or "", item.get("namespace"))

    def _argue(self, event: Item) -> None:
        slot = self._slot(event)
        text = self._heard.joined("call " + slot.call_id, event["delta"])
        slot.pieces.append(text)
        self._heard.hear(slot.delta, text)

    def _finish_call(self, slot: Slot) -> None:
        if not slot.call_id:
            self._open_call(slot)
        item = slot.item
        whole = _actions(item) if slot.kind == "computer_call" else item["arguments"]
        if not slot.pieces:
            self._heard.hear(slot.delta, whole)
        slot.pieces = [whole]
        if item.get("call_id") != slot.call_id:
            slot.item = {**item, "call_id": slot.call_id}

    # The provider's calls

    def _begin_written(self, event: Item) -> None:
        slot = self._slot(event)
        written = {key: event[key] for key in ("code", "arguments") if key in event}
        slot.item = {**slot.item, **written}
        self._begin(slot)

    def _begin(self, slot: Slot) -> None:
        if not slot.has_begun:
            slot.has_begun = True
            self._heard.add(slot.hosted())

    def _finish_hosted(self, slot: Slot, result: CallResult) -> None:
        slot.has_ended = True
        self._heard.add(slot.hosted(result))

    def _finish_search(self, found: Slot) -> None:
        for slot in self._slots:
            if slot.kind == "tool_search_call" and not slot.has_ended:
                self._finish_hosted(slot, result_of(found.item))
                return

    def _slot(self, event: Item, kind: str = "") -> Slot:
        """The slot of an event's item; text may come of an item that was not announced."""
        item_id, index = event.get("item_id"), event.get("output_index")
        found = self._slots.find(item_id, index)
        if found is None and kind:
            return self._slots.open({"type": kind, "id": item_id}, index)
        if found is None:
            raise KeyError(item_id)
        return found


def _fail(event: Item) -> None:
    error: object = (event.get("response") or event).get("error") or event.get("error") or event
    said = (error.get("message") if is_dict(error) else error) or "it does not say why"
    code = str(dict_of(error).get("code") or "")
    text = FAILED.format(said=said)
    raise BrokenAnswerError(text) if not code or MAY_PASS.search(code) else ModelError(text)


def _actions(item: Item) -> str:
    """The arguments of a computer call."""
    arguments = {"actions": item.get("actions") or [item["action"]]}
    if checks := item.get("pending_safety_checks"):
        arguments["pending_safety_checks"] = checks
    return to_json(arguments).decode()


def _counted(usage: Item) -> Usage:
    details: Item = usage.get("input_tokens_details") or {}
    return Usage(
        input_tokens=usage.get("input_tokens") or 0,
        output_tokens=usage.get("output_tokens") or 0,
        cached_tokens=details.get("cached_tokens") or 0,
        requests=1,
    )
