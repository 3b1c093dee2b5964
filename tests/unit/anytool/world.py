"""A small catalogue, and models that play AnyTool's agents on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from nbagents.catalogue import Catalogue
from nbagents.messages import CallRequest, Message
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import call
from nbagents.results import Usage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nbagents.models.model import ModelPart, ModelRequest

Answer: TypeAlias = "str | CallRequest | Sequence[CallRequest] | BaseException"
Part: TypeAlias = "Callable[[ModelRequest], Answer] | Answer"

ROLES = {
    "create_agent_category_level": "meta",
    "create_agent_tool_level": "category",
    "add_apis_into_api_pool": "tool",
    "Finish": "solver",
}
"""By which function a role is known; the first that fits."""


def catalogue(**tools: int) -> Catalogue:
    """Categories with so many tools, each with three APIs that nothing executes."""
    given = tools or {"Weather": 8, "Music": 3}
    return Catalogue(
        [
            {
                "category": category,
                "tool": f"{category}{number}",
                "api": verb,
                "description": f"{verb} something of {category} {number}",
                "parameters": {
                    "type": "object",
                    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
                    "required": ["city"],
                },
            }
            for category, count in given.items()
            for number in range(count)
            for verb in ("get", "list", "count")
        ]
    )


def role_of(request: ModelRequest) -> str:
    """Whom a request is for."""
    names = {one.name for one in request.tools}
    return next((role for name, role in ROLES.items() if name in names), "check")


class Cast:
    """A model that plays each role by a part of its own: a function, or what it says each time.

    Args:
        usage: What each request used.
        parts: By role.
    """

    name = "cast"

    def __init__(self, usage: Usage | None = None, **parts: Part) -> None:
        self.parts = parts
        self.requests: list[tuple[str, ModelRequest]] = []
        self._usage = usage or Usage(requests=1)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Say what the role says."""
        role = role_of(request)
        then = replace(request, messages=tuple(request.messages))  # it grows
        self.requests.append((role, then))
        said: Any = self.parts.get(role, FINISH)
        if callable(said):
            said = said(request)
        if isinstance(said, BaseException):
            raise said
        if isinstance(said, str):
            yield ModelTurn(text=said, usage=self._usage)
            return
        calls = (said,) if isinstance(said, CallRequest) else tuple(said)
        again = tuple(call(one.name) for one in calls)  # ids of their own
        made = tuple(
            CallRequest(id=new.id, name=one.name, arguments=one.arguments)
            for new, one in zip(again, calls, strict=True)
        )
        yield ModelTurn(calls=made, usage=self._usage)

    def asked(self, role: str) -> list[ModelRequest]:
        """What a role was asked, in order."""
        return [request for one, request in self.requests if one == role]


FINISH = call("Finish")
GIVE_UP = call("Finish", return_type="give_up_and_restart", reason="More is needed.")
ANSWER = call("Finish", return_type="give_answer", final_answer="It is done.")


def told(message: Message) -> str:
    """The words of a message."""
    return message.content if message.role == "tool" else message.text


def key(category: str, tool: str, api: str) -> dict[str, str]:
    """An API as an agent writes it."""
    return {"category": category, "tool": tool, "api": api}


def once(*answers: Answer, then: Answer = FINISH) -> Callable[[ModelRequest], Answer]:
    """Says these in order, and then always the last."""
    left = list(answers)
    return lambda _: left.pop(0) if left else then
