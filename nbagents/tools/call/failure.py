"""What went wrong in a call, classified, in words that a model may read."""

from __future__ import annotations

import contextlib
import errno
import re
import socket
import traceback
from typing import TYPE_CHECKING, Final, cast

from nbagents.errors import (
    FailureKind,
    ModelError,
    Recovery,
    ToolArgumentsError,
    ToolError,
    ToolTimeoutError,
)
from nbagents.redaction import cut
from nbagents.results import Failure, FieldIssue
from nbagents.tools.schema import Bound
from nbagents.tools.values import clean_text, without_addresses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.tools.context import Context
    from nbagents.tools.tool import Tool

LEAD: Final = "_nbagents_lead"

MAX_MESSAGE = 4_000
MAX_DEBUG = 20_000

RECOVERIES: Final[dict[FailureKind, Recovery]] = {
    "invalid_call": "correct_call",
    "domain_rejection": "correct_call",
}
"""All others: replan. Source: goadesign/goa-ai, which kinds a corrected call can mend."""

UNREACHABLE = {
    errno.EADDRNOTAVAIL,
    errno.EHOSTDOWN,
    errno.EHOSTUNREACH,
    errno.ENETDOWN,
    errno.ENETRESET,
    errno.ENETUNREACH,
}

FOREIGN: Final[dict[tuple[str, str], FailureKind]] = {
    ("httpx", "TimeoutException"): "timeout",
    ("httpx", "TransportError"): "unavailable",
    ("requests", "Timeout"): "timeout",
    ("requests", "ConnectionError"): "unavailable",
    ("aiohttp", "ClientConnectionError"): "unavailable",
    ("urllib3", "TimeoutError"): "timeout",
    ("urllib3", "HTTPError"): "unavailable",
    ("urllib", "URLError"): "unavailable",
    ("ssl", "SSLError"): "unavailable",
    ("openai", "APITimeoutError"): "timeout",
    ("openai", "APIConnectionError"): "unavailable",
}
"""Errors of the libraries that tools use most, by package and class, so that none is imported."""

HTTP_ERRORS = range(400, 600)
HTTP_SERVER_ERROR = 500
HTTP_KINDS: Final[dict[int, FailureKind]] = {408: "timeout", 429: "rate_limited", 504: "timeout"}

QUOTED_PATH = re.compile(
    r"""(?P<quote>['"`])(?:file://)?(?:~?/|[A-Za-z]:[\\/]|\\\\)[^'"`\n]*(?P=quote)"""
)
BARE_PATH = re.compile(
    r"""(?P<url>\b(?!file:)[A-Za-z][A-Za-z0-9+.-]+://\S*)"""
    r"""|(?:file://|(?<![\w.~/\\-]))(?:~?/[^\s'"`<>|:,;()\[\]{}/]+(?:/[^\s'"`<>|:,;()\[\]{}/]*)+"""
    r"""|[A-Za-z]:\\[^\s'"`<>|:,;()\[\]{}]+|\\\\[^\s'"`<>|:,;()\[\]{}]+)"""
)


def failure_of(error: BaseException) -> Failure:
    """Classify what a tool raised.

    A `ToolError` is the tool's own word to the model; everything else is told as
    `TypeName: text`, without paths of this machine. The traceback is for the person.
    """
    error = _first_of_group(error)
    try:
        return _classified(error)
    except Exception:  # noqa: BLE001  a user's error may break wherever it is looked at
        name = type(error).__name__
        return Failure(kind="internal", recovery="replan", message=name, debug_message=name)


def _classified(error: BaseException) -> Failure:
    kind = _kind(error)
    told = isinstance(error, ToolError)
    text = str(error) if told else f"{type(error).__name__}: {_text(error)}".removesuffix(": ")
    text = ": ".join(filter(None, (getattr(error, LEAD, ""), text)))
    wanted = error.recovery if isinstance(error, ToolError) else None
    return Failure(
        kind=kind,
        recovery=wanted or RECOVERIES.get(kind, "replan"),
        message=_cut(clean_text(text)) or type(error).__name__,
        debug_message=None if told and error.__cause__ is None else _trace(error),
    )


def lead_with(error: BaseException, words: str) -> None:
    """Let what is told of an error begin with some words, e.g. whose it is."""
    with contextlib.suppress(AttributeError):  # an error whose class takes no attributes
        setattr(error, LEAD, words)


def invalid_arguments(tool_name: str, issues: Sequence[FieldIssue]) -> Failure:
    """The arguments do not fit: each place, and why."""
    lines = [f"- {one.field or 'arguments'}: {one.message}" for one in issues]
    return Failure(
        kind="invalid_call",
        recovery="correct_call",
        message=_cut("\n".join((f"The arguments do not fit the tool {tool_name!r}:", *lines))),
        issues=tuple(issues),
    )


def misfit(tool: Tool, arguments: JsonValue, context: Context) -> str:
    """What of arguments a tool does not take, in words; nothing where it takes them.

    Raises:
        Exception: What a type of the tool's own raised.
    """
    bound = tool.bind(arguments, context)
    return "" if isinstance(bound, Bound) else invalid_arguments(tool.name, bound).message


def without_paths(text: str) -> str:
    """The text with each absolute path cut to its last part; addresses of the web stay."""
    quoted = QUOTED_PATH.sub(
        lambda one: f"{one['quote']}{_last_part(one[0][1:-1])}{one['quote']}", text
    )
    return BARE_PATH.sub(lambda one: one["url"] or _last_part(one[0]), quoted)


def _last_part(path: str) -> str:
    parts = [part for part in re.split(r"[\\/]+", path) if part]
    return f"…/{parts[-1]}" if parts else path


def _text(error: BaseException) -> str:
    return without_paths(without_addresses(cut(str(error), 2 * MAX_MESSAGE)))


def _first_of_group(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def _kind(error: BaseException) -> FailureKind:
    if isinstance(error, ToolError) and error.kind is not None:
        return error.kind
    if isinstance(error, ToolArgumentsError):
        return "invalid_call"
    if isinstance(error, (TimeoutError, ToolTimeoutError)):
        return "timeout"
    if isinstance(error, ToolError):
        return "domain_rejection"
    if isinstance(error, ModelError):  # of a run inside the call
        return "unavailable"
    return _kind_of_answer(error) or _kind_of_library(error) or _kind_of_network(error)


def _kind_of_answer(error: BaseException) -> FailureKind | None:
    """By the HTTP status that an error of a client library carries."""
    answer = getattr(error, "response", error)
    for word in ("status_code", "status", "code"):
        status = getattr(answer, word, None)
        if isinstance(status, int) and status in HTTP_ERRORS:
            server = "unavailable" if status >= HTTP_SERVER_ERROR else "internal"
            return HTTP_KINDS.get(status, server)
    return None


def _kind_of_library(error: BaseException) -> FailureKind | None:
    for cls in type(error).__mro__:
        kind = FOREIGN.get((cls.__module__.partition(".")[0], cls.__name__))
        if kind:
            return kind
    return None


def _kind_of_network(error: BaseException) -> FailureKind:
    if isinstance(error, (ConnectionError, socket.gaierror, socket.herror)):
        return "unavailable"
    if isinstance(error, OSError) and error.errno in UNREACHABLE:
        return "unavailable"
    return "internal"


def _trace(error: BaseException) -> str:
    """The traceback from the tool's first line on."""
    frames = error.__traceback__
    while frames is not None and _is_ours(frames.tb_frame.f_globals.get("__name__")):
        frames = frames.tb_next
    lines = traceback.format_exception(type(error), error, frames or error.__traceback__)
    text = clean_text("".join(lines))
    left_out = len(text) - MAX_DEBUG
    return text if left_out <= 0 else f"[{left_out:,} characters before]…{text[-MAX_DEBUG:]}"


def _cut(text: str) -> str:
    """A message that is not too long, and says so."""
    if len(text) <= MAX_MESSAGE:
        return text
    return f"{cut(text, MAX_MESSAGE)}… [Cut: these are its first {MAX_MESSAGE:,} characters.]"


def _is_ours(module: object) -> bool:
    return isinstance(module, str) and module.startswith("nbagents.tools.")
