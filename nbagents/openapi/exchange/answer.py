"""What a server's answer is: a result of the right kind, or a failure that says what to do."""

from __future__ import annotations

import json
from email.message import Message
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

from nbagents.errors import FailureKind, Recovery, ToolError
from nbagents.openapi.exchange.pages import bounds_of
from nbagents.openapi.exchange.secrets import without_secrets
from nbagents.openapi.exchange.sending import Answer, retry_after_s
from nbagents.openapi.request import HttpRequest, Operation, is_json
from nbagents.results import Bounds, FilePart, ImagePart, Result

KINDS: Final[dict[int, tuple[FailureKind, Recovery]]] = {
    400: ("invalid_call", "correct_call"),
    401: ("unavailable", "replan"),
    402: ("unavailable", "replan"),
    403: ("unavailable", "replan"),
    404: ("domain_rejection", "correct_call"),
    405: ("unavailable", "replan"),
    406: ("unavailable", "replan"),
    407: ("unavailable", "replan"),
    408: ("timeout", "replan"),
    409: ("domain_rejection", "replan"),
    410: ("domain_rejection", "replan"),
    412: ("domain_rejection", "replan"),
    413: ("invalid_call", "correct_call"),
    414: ("invalid_call", "correct_call"),
    415: ("invalid_call", "correct_call"),
    416: ("invalid_call", "correct_call"),
    422: ("invalid_call", "correct_call"),
    423: ("domain_rejection", "replan"),
    429: ("rate_limited", "replan"),
    504: ("timeout", "replan"),
}
"""Why a server refuses, and what a model should do; the rest by the first digit."""
OK: Final = range(200, 300)
REDIRECT: Final = range(300, 400)
REFUSAL: Final = range(400, 500)
MAX_WORDS: Final = 2_000
OCTETS: Final = "application/octet-stream"
TEXT_BYTES: Final = bytes({*b"\t\n\x0c\r\x1b", *range(0x20, 0x100)})
TEXTS: Final = frozenset(
    {
        *("application/xml", "application/javascript", "application/x-javascript"),
        *("application/yaml", "application/x-yaml", "application/sql", "application/graphql"),
        *("application/x-ndjson", "application/ndjson", "application/jsonl", "application/rtf"),
        *("application/x-www-form-urlencoded", "application/toml", "image/svg+xml"),
    }
)
SIGNATURES: Final = (
    ("image/png", b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", b"\xff\xd8\xff"),
    ("image/gif", b"GIF8"),
    ("image/webp", b"RIFF"),
)
"""Images that models are shown, by how they begin: what a server says of one need not be so."""
TOO_MUCH: Final = "[Cut: the answer is larger than {limit:,} bytes. Ask for less at once.]"


def result_of(operation: Operation, request: HttpRequest, answer: Answer) -> Result:
    """The result of a call.

    Raises:
        ToolError: The server refused, or cannot do it.
    """
    if answer.status not in OK:
        raise _refusal(operation, request, answer)
    media_type, charset = _media_type(answer)
    status = _status(answer.status)
    preview = f"{status}{f' · {media_type}' if media_type else ''} · {len(answer.data):,} bytes"
    if request.method == "HEAD":
        return Result(_heads(answer), preview=status)
    if not answer.data:
        return Result(f"{status}, without a body.", preview=status)
    if not media_type and _is_binary(answer.data):
        return _binary(request, answer, OCTETS, preview)
    if is_json(media_type) or not media_type:
        return _json(operation, request, answer, charset, preview)
    if media_type.startswith("text/") or media_type in TEXTS or media_type.endswith("+xml"):
        return _text(request, answer, charset, preview)
    return _binary(request, answer, media_type, preview)


def _refusal(operation: Operation, request: HttpRequest, answer: Answer) -> ToolError:
    start = f"{operation.method} {operation.path} answered {_status(answer.status)}"
    if answer.status in REDIRECT and (location := answer.header("location")):
        location = without_secrets(location, request.sent.secrets)
        why = answer.why_not_followed or "that is no redirect"
        said = f"{start}, to {location}, which was not followed: {why}."
        return ToolError(said, kind="unavailable")
    fallback: tuple[FailureKind, Recovery] = ("unavailable", "replan")
    if answer.status in REFUSAL:
        fallback = ("domain_rejection", "correct_call")
    kind, recovery = KINDS.get(answer.status, fallback)
    said = _words(request, answer)
    wait_s = retry_after_s(answer)
    later = f" It may be asked again in {wait_s:.0f} s." if wait_s is not None else ""
    return ToolError(f"{start}{f': {said}' if said else '.'}{later}", kind=kind, recovery=recovery)


def _words(request: HttpRequest, answer: Answer) -> str:
    """What the server says of its refusal, if that is text."""
    media_type, charset = _media_type(answer)
    is_text = is_json(media_type) or media_type.startswith("text/") or media_type in TEXTS
    if not (is_text or not media_type) or b"\x00" in answer.data[:MAX_WORDS]:
        return ""
    text = without_secrets(_decoded(answer.data, charset), request.sent.secrets)
    line = " ".join(text.split())
    return line if len(line) <= MAX_WORDS else line[: MAX_WORDS - 1] + "…"


def _json(
    operation: Operation, request: HttpRequest, answer: Answer, charset: str, preview: str
) -> Result:
    text = without_secrets(_decoded(answer.data, charset), request.sent.secrets)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _text(request, answer, charset, preview)
    bounds, note = bounds_of(operation, request, answer, value)
    return Result(value, preview=preview, bounds=bounds, note=note)


def _text(request: HttpRequest, answer: Answer, charset: str, preview: str) -> Result:
    text = without_secrets(_decoded(answer.data, charset), request.sent.secrets)
    if not answer.is_cut:
        return Result(text, preview=preview)
    bounds = Bounds(returned=len(text), truncated=True)
    note = TOO_MUCH.format(limit=len(answer.data))
    return Result(text, preview=preview, bounds=bounds, note=note)


def _binary(request: HttpRequest, answer: Answer, media_type: str, preview: str) -> Result:
    if answer.is_cut:
        raise ToolError(
            f"The answer is larger than {len(answer.data):,} bytes, and was not taken: ask for "
            "less.",
            kind="malformed_result",
        )
    name = _name(request, answer)
    shown = next((one for one, begins in SIGNATURES if answer.data.startswith(begins)), None)
    if shown is not None and media_type.startswith(("image/", OCTETS)):
        return Result(ImagePart(media_type=shown, data=answer.data, name=name), preview=preview)
    file = FilePart(name=name, media_type=media_type, data=answer.data)
    if media_type == "application/pdf":  # what models read, too
        return Result(file, preview=preview)
    return Result(answer.data, data=file, note=f"A file {name}, {media_type}:", preview=preview)


def _heads(answer: Answer) -> dict[str, str]:
    return {name: one for name, one in answer.headers if name != "set-cookie"}


def _status(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _media_type(answer: Answer) -> tuple[str, str]:
    """The media type and the character set of an answer."""
    said = answer.header("content-type")
    if not said:
        return "", ""
    message = Message()
    message["Content-Type"] = said
    charset = message.get_param("charset")
    return said.partition(";")[0].strip().lower(), charset if isinstance(charset, str) else ""


def _is_binary(data: bytes) -> bool:
    """Whether these bytes hold what stands in no text. Source: WHATWG, MIME Sniffing, 3."""
    return bool(data.translate(None, delete=TEXT_BYTES))


def _decoded(data: bytes, charset: str) -> str:
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", "replace")
    try:
        return data.decode(charset or "utf-8", "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def _name(request: HttpRequest, answer: Answer) -> str:
    """What a file is called: as the server says, else by the end of its path."""
    message = Message()
    message["Content-Disposition"] = answer.header("content-disposition") or "inline"
    named = message.get_filename() or unquote(urlsplit(request.path).path.rpartition("/")[2])
    return PurePosixPath(named.replace("\\", "/")).name or "file"
