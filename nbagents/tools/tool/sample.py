"""Samples of calls: they show how a tool is used, and tell whether it still does that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from nbagents.tools.tool.tool_name import SEPARATOR, split_name

if TYPE_CHECKING:
    from nbagents.results import CallResult
    from nbagents.tools.tool.definition import Tool


class _Unsaid:
    def __repr__(self) -> str:
        return "…"


UNSAID: Final = _Unsaid()
"""What a sample does not say, so that anything will do."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A call and what it should give.

    Args:
        tool: The tool's name; the toolset's prefix may be left out.
        arg: The arguments.
        content: What the model should read; a function of it says whether it will do.
        data: What the person should see, before it becomes JSON.
        passthrough: What the caller hands to the tool past the model.
    """

    tool: str
    arg: Mapping[str, Any] = field(default_factory=dict[str, Any])
    content: str | Callable[[str], bool] | _Unsaid = UNSAID
    data: Any = UNSAID
    passthrough: Mapping[str, Any] = field(default_factory=dict[str, Any])


def full_name(name: str, offered: Mapping[str, Tool]) -> str:
    """The name with its prefix, where only one tool can be meant."""
    meant = [one for one in offered if name == split_name(one)[1]]
    return meant[0] if name not in offered and SEPARATOR not in name and len(meant) == 1 else name


def differences(sample: Sample, result: CallResult) -> Iterable[str]:
    """What a call gave beside what its sample says, in words for the person."""
    expected = sample.content
    if isinstance(expected, _Unsaid):
        if result.failure is not None:
            yield _line("content", expected, result.content)
    elif not (expected(result.content) if callable(expected) else expected == result.content):
        yield _line("content", expected, result.content)
    if sample.data is not UNSAID and not _same(sample.data, result.data):
        yield _line("data", sample.data, result.data)


def _same(expected: Any, given: Any) -> bool:
    if hasattr(expected, "equals"):  # a table
        return bool(expected.equals(given))
    equal: Any = expected == given
    return bool(equal.all()) if hasattr(equal, "all") else bool(equal)  # an array gives one more


def _line(name: str, expected: object, given: object) -> str:
    wanted = getattr(expected, "__name__", None) if callable(expected) else None
    return f"  {name}: expected {wanted or repr(expected)}\n{'':{len(name) + 4}}got      {given!r}"
