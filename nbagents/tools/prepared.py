"""A call before it is made: its tool, its arguments as they were written, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from nbagents.tools.effective import effective_call

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.messages import CallRequest
    from nbagents.results import Failure
    from nbagents.tools.binding import Bound, Issues
    from nbagents.tools.context import Context
    from nbagents.tools.effective import Effective
    from nbagents.tools.tool import Tool

__all__ = ["PreparedCall"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCall:
    """A call whose tool and arguments are known, or why they are not."""

    request: CallRequest
    tool: Tool | None
    arguments: JsonValue
    """The parsed arguments; the raw text where it is no JSON."""
    failure: Failure | None = None
    said: str = ""
    """What the model is told before the result, e.g. that a person has changed the arguments."""
    effective: Effective | None = None
    """What the tool would get of these arguments; `None`: that was not looked at, or nothing."""

    @property
    def shown(self) -> JsonValue:
        """The arguments as people are shown them: what the tool would get, where that is known."""
        return self.arguments if self.effective is None else self.effective.arguments

    @property
    def told(self) -> dict[str, Any]:  # Any: as the fields of events have it
        """The arguments as an event tells of them."""
        shown = self.effective
        if shown is None:
            return {"arguments": self.arguments}
        return {
            "arguments": shown.arguments,
            "defaults": shown.defaults,
            "objects": shown.objects,
        }

    @property
    def written(self) -> JsonValue:
        """What is kept beside the shown arguments, to make the call again; `None`: they do."""
        return None if self.arguments == self.shown else self.arguments

    def with_arguments(self, arguments: JsonValue, said: str | None = None) -> PreparedCall:
        """The same call with other arguments."""
        told = self.said if said is None else said
        return replace(self, arguments=arguments, said=told, effective=None)

    def seen(self, context: Context) -> PreparedCall:
        """The same call with what its tool would get, if it can be made."""
        if self.effective is not None or self.tool is None or self.failure is not None:
            return self
        # Not by `replace`, which takes longer than all the rest: every call comes by here.
        return PreparedCall(
            request=self.request,
            tool=self.tool,
            arguments=self.arguments,
            said=self.said,
            effective=effective_call(self.tool, self.arguments, context),
        )

    def bound(self, context: Context) -> Bound | Issues:
        """The call as it was shown; made again, it is bound again and has values of its own."""
        tool, shown = cast("Tool", self.tool), self.effective
        if shown is None or not shown.uses:
            return tool.bind(self.arguments, context)
        bound, was = shown.uses.pop()
        return bound.for_context(was, context)
