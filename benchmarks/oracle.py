"""A model that plays AnyTool's agents, and picks what is right wherever it sees it.

It is told the gold APIs of a query and reads nothing but its requests: the functions that it is
offered, and the names in what it is told. Tokens are characters / 4 of the whole request.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from nbagents.identity import new_id
from nbagents.messages import AssistantMessage, CallRequest
from nbagents.models.model import ModelTurn
from nbagents.results import Usage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from nbagents.catalogue import Api
    from nbagents.models.model import ModelPart, ModelRequest

__all__ = ["Oracle", "tokens_of"]

CHARACTERS = 4
DESCRIBE = "get_tools_descriptions"
CHECK = "check_if_request_solvable"
Made: TypeAlias = "tuple[str, dict[str, Any]]"


def tokens_of(request: ModelRequest) -> int:
    """About how many tokens a request has."""
    tools = [[one.name, one.description, dict(one.parameters)] for one in request.tools]
    said = [_told(one) for one in request.messages]
    return (sum(map(len, said)) + len(json.dumps(tools, ensure_ascii=False))) // CHARACTERS


def _told(message: Any) -> str:
    calls = getattr(message, "calls", ())
    text = getattr(message, "told", None) or getattr(message, "text", None)
    return "".join(
        [text or getattr(message, "content", ""), *(one.name + one.arguments for one in calls)]
    )


@dataclass
class Oracle:
    """Picks gold where it is visible.

    Args:
        gold: The APIs that the query needs.
        careful: Whether it takes one step at a time, asks what tools are for before it chooses,
            has the pool judged, and calls each API before it answers.
    """

    gold: Sequence[Api]
    careful: bool = False
    pages: bool = True
    """Whether it asks for further pages of a list."""
    name: str = "oracle"
    requests: int = 0
    tokens: int = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Answer a request."""
        self.requests += 1
        count = tokens_of(request)
        self.tokens += count
        calls, text = self._decided(request)
        if self.careful:
            calls = self._carefully(request, calls)
        used = Usage(input_tokens=count, requests=1)
        made = tuple(
            CallRequest(id=new_id("call"), name=name, arguments=json.dumps(given))
            for name, given in calls
        )
        yield ModelTurn(text=text, calls=made, usage=used)

    def _decided(self, request: ModelRequest) -> tuple[list[Made], str]:
        names = {one.name for one in request.tools}
        if not names or request.tool_choice == "none":
            return [], self._judged(request)
        if "create_agent_category_level" in names:
            return self._meta(request), ""
        if "create_agent_tool_level" in names:
            return self._category(request), ""
        if "add_apis_into_api_pool" in names:
            return self._tool(request), ""
        return self._solver(names), ""

    def _carefully(self, request: ModelRequest, calls: list[Made]) -> list[Made]:
        """One call at a time, and a look before each choice."""
        for name, given in calls[:1]:
            if name == "create_agent_tool_level" and given not in _asked(request, DESCRIBE):
                return [(DESCRIBE, given)]
            is_done = name == "Finish" and _asked(request, "add_apis_into_api_pool")
            if is_done and not _asked(request, CHECK):
                return [(CHECK, {})]
            if given.get("return_type") == "give_answer":
                called = {one.name for message in _answers(request) for one in message.calls}
                left = [one.name for one in self.gold if one.name not in called]
                return [(left[0], {})] if left else calls
        return calls[:1]

    def _judged(self, request: ModelRequest) -> str:
        lines = _text(request).splitlines()
        has_all = all(any(line.startswith(f"{one.name}:") for line in lines) for one in self.gold)
        return "Solvable." if has_all else "Unsolvable: APIs are missing."

    def _meta(self, request: ModelRequest) -> list[Made]:
        made = _asked(request, "create_agent_category_level")
        wanted = dict.fromkeys(one.category for one in self.gold)
        there = _listed(request, "categories")
        calls = [
            ("create_agent_category_level", {"category": one})
            for one in wanted
            if one in there and {"category": one} not in made
        ]
        return calls or [("Finish", {})]

    def _category(self, request: ModelRequest) -> list[Made]:
        there = _listed(request, "tools")
        sheet = [one for one in _sheets(request) if "tools" in one][-1]
        wanted = [one.tool for one in self.gold if one.category == sheet["category"]]
        done = {tool for one in _asked(request, "create_agent_tool_level") for tool in one["tools"]}
        visible = [one for one in dict.fromkeys(wanted) if one in there and one not in done]
        if visible:
            given = {"category": sheet["category"], "tools": visible[:5]}
            return [("create_agent_tool_level", given)]
        is_more = self.pages and sheet.get("page", 1) < sheet.get("pages", 1)
        if is_more and any(one not in there for one in wanted):
            given = {"category": sheet["category"], "page": sheet["page"] + 1}
            return [("get_tools_in_category", given)]
        return [("Finish", {})]

    def _tool(self, request: ModelRequest) -> list[Made]:
        there = _text(request)
        done = [key for one in _asked(request, "add_apis_into_api_pool") for key in one["apis"]]
        category = _sheets(request)[0]["category"]
        keys = [
            {"category": one.category, "tool": one.tool, "api": one.api}
            for one in self.gold
            if one.category == category
            and json.dumps(one.tool, ensure_ascii=False) in there
            and json.dumps(one.api, ensure_ascii=False) in there
        ]
        new = [one for one in keys if one not in done]
        return [("add_apis_into_api_pool", {"apis": new})] if new else [("Finish", {})]

    def _solver(self, names: set[str]) -> list[Made]:
        missing = [one for one in self.gold if one.name not in names]
        if missing:
            return [("Finish", {"return_type": "give_up_and_restart", "reason": "More is needed."})]
        return [("Finish", {"return_type": "give_answer", "final_answer": "Done."})]


def _asked(request: ModelRequest, name: str) -> list[dict[str, Any]]:
    """The arguments of the calls of a function so far."""
    return [
        json.loads(call.arguments)
        for one in _answers(request)
        for call in one.calls
        if call.name == name
    ]


def _answers(request: ModelRequest) -> Iterator[AssistantMessage]:
    return (one for one in request.messages if isinstance(one, AssistantMessage))


def _text(request: ModelRequest) -> str:
    return "\n".join(_told(one) for one in request.messages if one.role in ("user", "tool"))


def _sheets(request: ModelRequest) -> list[dict[str, Any]]:
    """The JSON that it was told, in order."""
    found: list[dict[str, Any]] = []
    for one in request.messages:
        if one.role in ("user", "tool"):
            start = _told(one).find("{")
            try:
                found.append(json.loads(_told(one)[start:]))
            except ValueError:
                continue
    return [one for one in found if "category" in one or "categories" in one]


def _listed(request: ModelRequest, what: str) -> set[str]:
    return {name for sheet in _sheets(request) for name in sheet.get(what, ())}
