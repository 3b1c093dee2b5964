"""OpenAI's Responses API: the provider's own tools beside ours, and a conversation we keep."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nbagents.models.openai import (
    Asking,
    Head,
    OpenAIModel,
    Sending,
    call_name,
    kept_in,
    loosened,
    mark_of,
    refused_function,
    schema_note,
)
from nbagents.models.responses.body import InputItems, instructions_of, responses_head
from nbagents.models.responses.stream import ResponsesStream
from nbagents.models.responses.tools import WiredTools, wired

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.models.model import OutputSpec, ToolSpec

REFUSED = (400, 422)

REASONING = "reasoning.encrypted_content"
"""Asked for with each answer: nothing is stored there, so the reasoning must come back with us."""

NO_REASONING = re.compile(
    r"encrypted[ _]content\W{0,2} (is|are) not (supported|available|allowed)"
    r"|['\"`](include(\[\d+\])?|reasoning\.encrypted_content)['\"`]",
    re.IGNORECASE,
)
"""Said where a model keeps no reasoning, or a server knows nothing of it."""

OTHERS_REASONING = re.compile(
    r"invalid_encrypted_content|encrypted content.{0,200}could not be (verified|decrypted)",
    re.IGNORECASE | re.DOTALL,
)
"""Said of reasoning that another model or account wrote earlier in the conversation."""

PARALLEL = "parallel_tool_calls"
CHOICE = "tool_choice"

_learned: dict[tuple[str, str], frozenset[str]] = {}
"""What a model at a base URL does not take, learned from its refusals: words, marks of schemas."""


class OpenAIResponses(OpenAIModel):
    """A model behind a Responses endpoint, which also has tools of its own.

    The conversation stays here: the endpoint is asked to store nothing, and is sent back what it
    wrote, its reasoning encrypted.

    Its arguments are those of `OpenAIModel`.
    """

    def _question(self, sending: Sending) -> _Question:
        return _Question(sending)


@dataclass(slots=True)
class _Memo:
    """What a run keeps, so that its next request costs only what is new."""

    head: Head[WiredTools] = field(default_factory=responses_head)
    items: InputItems = field(default_factory=InputItems)
    tools: tuple[ToolSpec, ...] = ()
    wired: WiredTools = field(default_factory=WiredTools)

    def wire(self, tools: tuple[ToolSpec, ...]) -> WiredTools:
        """The tools in the API's words; made again only if they changed."""
        if tools != self.tools:
            self.tools, self.wired = tools, wired(tools)
        return self.wired


class _Question(Asking):
    path = "/responses"

    def __init__(self, sending: Sending) -> None:
        super().__init__(sending)
        self._memo = kept_in(sending.request.memo, _Memo)

    def body(self) -> bytes:
        """The whole body, by appending what is new."""
        memo = self._memo
        tools = memo.wire(loosened(self._request.tools, self._unwanted))
        head = memo.head.follow(self._options(tools), tools)
        return b"".join((head, memo.items.follow(self._request.messages, tools), b"]}"))

    def reader(self) -> ResponsesStream:
        """A reader that gives no call an id that the conversation has."""
        memo, is_formed = self._memo, self._request.output is not None
        return ResponsesStream(memo.items.call_ids, memo.wired, is_formed=is_formed)

    def learn(self, refusal: Exception) -> bool:
        """Whether the refusal taught something about this model."""
        if getattr(refusal, "status_code", None) not in REFUSED:
            return False
        known, said = self._unwanted, str(refusal)
        if OTHERS_REASONING.search(said) and self._memo.items.with_reasoning:
            self._memo.items = InputItems(with_reasoning=False)
            return True
        if (unwanted := self._not_taken(said)) not in known | {""}:
            _learned[self._place] = known | {unwanted}
            return True
        if spec := self._refused(said):
            _learned[self._place] = known | {mark_of(spec)}
            self._notes.append(schema_note(self.model, spec.name))
            return True
        if PARALLEL in said and self._is_serial:
            _learned[self._place] = known | {PARALLEL}
            self._notes.append(f"{self.model} cannot be told to ask for one call at a time.")
            return True
        return False

    def _not_taken(self, said: str) -> str:
        """What of a request a refusal is about, of which nobody need be told."""
        if NO_REASONING.search(said):
            return REASONING
        return CHOICE if CHOICE in said and self._request.tool_choice == "none" else ""

    def _refused(self, said: str) -> ToolSpec | None:
        """The tool whose strict schema is refused, if that was not known."""
        name, known = refused_function(said), self._unwanted
        for spec in self._request.tools if name else ():
            is_meant = name in (spec.name, self._memo.wired.sent(spec.name).name)
            if is_meant and spec.strict and mark_of(spec) not in known:
                return spec
        return None

    @property
    def _unwanted(self) -> frozenset[str]:
        return _learned.get(self._place, frozenset())

    @property
    def _is_serial(self) -> bool:
        asked = self._request
        return PARALLEL not in self._unwanted and bool(asked.tools) and not asked.parallel

    def _options(self, tools: WiredTools) -> dict[str, JsonValue]:
        """What stands in the body beside the input and the tools."""
        request, settings = self._request, self._settings
        options: dict[str, JsonValue] = {"store": False}
        if instructions := instructions_of(request.messages):
            options["instructions"] = instructions
        if self._is_serial:
            options[PARALLEL] = False
        options = self._with_settings(options, can_forbid=CHOICE not in self._unwanted)
        if include := self._include(tools, settings.get("include")):
            options["include"] = include
        if request.output:
            text = settings.get("text")
            kept = text if isinstance(text, dict) else {}
            options["text"] = {**kept, "format": _format(request.output)}
        return {name: value for name, value in options.items() if value is not None}

    def _named(self, tool: str) -> JsonValue:
        hosted = next((one.hosted for one in self._request.tools if one.name == tool), None)
        if hosted is not None:
            return {"type": hosted.get("type")}
        return {"type": "function", "name": call_name(self._memo.wired.sent(tool).name)}

    def _include(self, tools: WiredTools, more: JsonValue) -> list[JsonValue]:
        """What the response shall hold beside its text."""
        wanted: list[JsonValue] = [] if REASONING in self._unwanted else [REASONING]
        wanted += tools.include
        wanted += [one for one in more if one not in wanted] if isinstance(more, list) else []
        return wanted


def _format(output: OutputSpec) -> JsonValue:
    return {
        "type": "json_schema",
        "name": call_name(output.name),
        "schema": dict(output.schema),
        "strict": output.strict,
    }
