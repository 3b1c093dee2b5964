"""How a tool runs and what is said of it, in sentences for its card."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

    from nbagents.tools.tool import Tool, ToolOptions

DRIVEN_FROM_HERE = frozenset({"computer", "computer_use_preview"})
"""What a provider knows by itself, but asks for as for any tool."""

HINTS: Mapping[str, tuple[str, str]] = {
    "ask": ("You must confirm each call.", "You need not confirm a call."),
    "read_only": ("It changes nothing.", "It changes something."),
    "destructive": ("It may destroy something.", "It destroys nothing."),
    "idempotent": (
        "Calling it twice is the same as calling it once.",
        "Calling it twice is not the same as calling it once.",
    ),
    "open_world": ("It reaches out of this notebook.", "It does not reach out of this notebook."),
}
"""What is said where an option is true, and where it is false."""


def notes(tool: Tool) -> list[str]:
    """What there is to know of a tool beside its parameters, a sentence each."""
    options = tool.options
    return [
        *([f"People see it as “{tool.title}”."] if tool.title else []),
        _place(tool),
        *(["It is a command: the model need not read its result."] if tool.command else []),
        *([f"It may take {tool.timeout_s:g} s."] if tool.timeout_s is not None else []),
        *([] if options.retries is None else [_again(options.retries)]),
        *_hints(options),
        *_use(options),
        *_errors(options),
        *(
            f"{name} takes an object of type {kind} by handle: one of --vars, "
            "or a result such as r1."
            for name, kind in tool.schema.handles.items()
        ),
        *([tool.strict_note] if tool.strict_note else []),
        f"Version {tool.source_hash[:8]}.",
    ]


def runs_at_provider(hosted: Mapping[str, JsonValue] | None) -> bool:
    """Whether a tool runs at the provider.

    Args:
        hosted: What is sent instead of a function, if anything is.
    """
    return hosted is not None and hosted.get("type") not in DRIVEN_FROM_HERE


def _place(tool: Tool) -> str:
    if runs_at_provider(tool.options.hosted):
        return "It runs at the provider."
    if tool.is_async:
        return "It runs on the event loop (async)."
    if tool.thread:
        return "It runs on a worker thread."
    return "It runs on the main thread, where your variables live."


def _again(retries: int) -> str:
    if not retries:
        return "A call that failed is not tried again."
    times = "once" if retries == 1 else f"{retries} times"
    return f"A call that failed may be tried again {times} in a run."


def _hints(options: ToolOptions) -> list[str]:
    said = {name: getattr(options, name) for name in HINTS}
    return [HINTS[name][0 if is_so else 1] for name, is_so in said.items() if is_so is not None]


def _use(options: ToolOptions) -> list[str]:
    asked = callable(options.enabled)
    return [
        *(["It is private: `all` leaves it out, so name it to use it."] if options.private else []),
        *(["Its own function says whether it is offered."] if asked else []),
        *([] if asked or options.enabled else ["It is switched off."]),
        *(["A provider that searches tools loads it when it finds it."] if options.defer else []),
        *(["A call that had begun may begin anew on resuming."] if options.resumable else []),
    ]


def _errors(options: ToolOptions) -> list[str]:
    if options.on_error is None:
        return ["An error in it fails the run."]
    if callable(options.on_error):
        return ["Of an error the model is told what its own function says."]
    return []
