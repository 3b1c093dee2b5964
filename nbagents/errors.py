"""Every error of nbagents, as one family named by who reads it.

```
NbagentsError
├─ ToolError                  the model is told; the run goes on
│  ├─ ToolNotFoundError       no tool of that name
│  ├─ ToolArgumentsError      the arguments do not fit the schema
│  ├─ ToolFailedError         the tool raised; `__cause__` holds what
│  └─ ToolTimeoutError        the tool took longer than it may
├─ ToolDefinitionError        a function cannot become a tool: for the one who wrote it
│  └─ ToolConflictError       another cell already defines a tool of that name
├─ ModelError                 the provider failed, or a model is not usable; the run stops
│  └─ RecordingError          a recording cannot be read or written
│     └─ RecordingMiss        it has no answer to what was asked
├─ OutputError                an answer has not the form that was asked for
├─ LogWriteError              what happens cannot be written down
├─ LogReadError               a log is damaged, is none, or of a newer version
└─ RunError                   a run was asked for where it cannot be had
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from nbagents.redaction import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

FailureKind: TypeAlias = Literal[
    "invalid_call",
    "domain_rejection",
    "unavailable",
    "rate_limited",
    "timeout",
    "malformed_result",
    "internal",
]
"""Why a call failed. Source: goadesign/goa-ai, tool failure kinds."""

Recovery: TypeAlias = Literal["correct_call", "replan", "finish"]
"""What the model should do about it: call again corrected, do something else, or stop."""

__all__ = [
    "FailureKind",
    "LogReadError",
    "LogWriteError",
    "ModelError",
    "NbagentsError",
    "OutputError",
    "RecordingError",
    "RecordingMiss",
    "Recovery",
    "RunError",
    "ToolArgumentsError",
    "ToolConflictError",
    "ToolDefinitionError",
    "ToolError",
    "ToolFailedError",
    "ToolNotFoundError",
    "ToolTimeoutError",
    "brief",
    "did_you_mean",
]


E = TypeVar("E", bound=BaseException)


class NbagentsError(Exception):
    """The base of every error that nbagents raises on purpose; it quotes no secret."""

    def __init__(self, *said: object) -> None:
        super().__init__(*(clean(one) if isinstance(one, str) else one for one in said))


class _Brief:
    """An error whose message says all: in a notebook it shows as one line, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class ToolError(NbagentsError):
    """Raise this in a tool to tell the model, in your words, that the call failed.

    Args:
        message: What the model is told.
        kind: Why it failed; see `FailureKind`.
        recovery: What the model should do: `"correct_call"`, `"replan"`, or `"finish"` with what
            it has; by default as the kind says.
    """

    def __init__(
        self,
        message: str = "",
        *,
        kind: FailureKind | None = None,
        recovery: Recovery | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: FailureKind | None = kind
        self.recovery: Recovery | None = recovery


class ToolNotFoundError(ToolError):
    """No tool of this name is offered.

    Args:
        name: The name that was asked for.
        offered: The names that there are.
    """

    def __init__(self, name: str, offered: Sequence[str]) -> None:
        self.name = name
        self.offered = tuple(offered)
        super().__init__(f"There is no tool {name!r}.{did_you_mean(name, offered)}")


class ToolArgumentsError(ToolError):
    """The arguments of a call are no JSON object, or do not fit the tool's schema."""


class ToolFailedError(ToolError):
    """A tool raised; `__cause__` is what it raised."""


class ToolTimeoutError(ToolError):
    """A tool took longer than it may.

    Args:
        what: The limit in seconds, or a sentence of your own.
        is_still_running: Whether it could not be stopped.
    """

    def __init__(self, what: float | str, *, is_still_running: bool = False) -> None:
        self.is_still_running = is_still_running
        rest = " It may still be running." if is_still_running else ""
        text = what if isinstance(what, str) else f"The tool took longer than {what:g} s."
        super().__init__(text + rest)


class ToolDefinitionError(_Brief, NbagentsError):
    """A function cannot become a tool as it stands; the message says what to change."""


class ToolConflictError(ToolDefinitionError):
    """Another cell already defines a tool of this name."""


class ModelError(_Brief, NbagentsError):
    """A model cannot be used, or its provider failed."""


class RecordingError(ModelError):
    """A recording cannot be read or written; the message says what to do, and nothing is lost."""


class RecordingMiss(RecordingError):  # noqa: N818  it is what it is called
    """A recording has no answer to what was asked; the message says what differs.

    Args:
        message: What is said of it.
        recording: The name of the recording.
        line: The line of the nearest entry in it, from 1; `None`: it has none.
        difference: How what was asked differs from that entry, a line each.
    """

    def __init__(
        self, message: str, *, recording: str = "", line: int | None = None, difference: str = ""
    ) -> None:
        super().__init__(message)
        self.recording = recording
        self.line = line
        self.difference = clean(difference)


class OutputError(_Brief, NbagentsError):
    """An answer has not the form that was asked for, also after a correction."""


class LogWriteError(_Brief, NbagentsError):
    """The log could not be written, e.g. because the disk is full."""


class LogReadError(_Brief, NbagentsError):
    """A log cannot be read: it is damaged, is none, or was written by a newer nbagents."""


class RunError(_Brief, NbagentsError):
    """A run was asked for where it cannot be had."""


def brief(error: E) -> E:
    """The same error, shown as one line in a notebook: none of its frames is the person's."""
    lines = [f"{type(error).__name__}: {error}"]
    setattr(error, "_render_traceback_", lambda: lines)  # noqa: B010  IPython's protocol
    return error


def did_you_mean(name: str, known: Sequence[str], *, limit: int = 3) -> str:
    """A sentence with the names closest to `name`, or with what there is, or nothing."""
    import difflib  # only a mistake pays for it

    close = difflib.get_close_matches(name, known, n=limit, cutoff=0.5)
    if close:
        return " Did you mean " + " or ".join(repr(match) for match in close) + "?"
    if known:
        shown = ", ".join(repr(one) for one in list(known)[:12])
        return f" There are: {shown}{', …' if len(known) > 12 else ''}."
    return ""
