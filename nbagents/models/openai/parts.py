"""Images and files in the messages of a chat completion, in the form that its API takes."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from nbagents.errors import ModelError
from nbagents.results import FilePart, ImagePart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.messages import ToolMessage
    from nbagents.results import ContentPart

Piece: TypeAlias = dict[str, object]
"""One item of a message's content."""

TEXT_TYPES = ("application/json", "application/x-yaml", "application/xml", "application/toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the messages to a model may hold."""

    images: bool = True
    files: bool = True
    instruction: str = ""
    """Said to the model at the end of its system message."""
    system_first: bool = False
    """Whether a system message may only stand first; one further below is the user's then."""
    alternates: bool = False
    """Whether a user may only speak after the assistant has."""

    def takes(self, kind: str) -> bool:
        """Whether the model takes what `kinds` names."""
        return self.images if kind == "image" else self.files


def kinds(parts: Sequence[ContentPart]) -> set[str]:
    """Which kinds of content the parts are beside text: `image`, `file`."""
    return {_kind(part) for part in parts if not _text(part)}


def user_content(text: str, parts: Sequence[ContentPart], shape: Shape) -> str | list[Piece]:
    """The content of a user message: pieces, or one text where nothing else is left."""
    pieces = [_text_piece(text)] if text else []
    pieces += _pieces(parts, shape)
    return _joined(pieces) if _are_texts(pieces) else pieces


def told_in_text(message: ToolMessage, shape: Shape) -> tuple[ToolMessage, list[Piece]]:
    """The message as text, and the pieces that must follow in a user message.

    A tool message of a chat completion holds only text.

    Source: openai 3.52, `ChatCompletionToolMessageParam.content`.
    """
    pieces = _pieces(message.parts, shape)
    if _are_texts(pieces):
        told = _joined([_text_piece(message.content), *pieces] if message.content else pieces)
        return replace(message, content=told, parts=()), []
    lead = _text_piece(f"This belongs to the result of {message.name}, call {message.call_id}:")
    return replace(message, parts=()), [lead, *pieces]


def _pieces(parts: Sequence[ContentPart], shape: Shape) -> list[Piece]:
    """The parts, each after its name: of several images nobody else could say which is which."""
    pieces: list[Piece] = []
    for part in parts:
        piece = _piece(part, shape)
        if part.name and piece["type"] != "text":
            pieces.append(_text_piece(label(part)))
        pieces.append(piece)
    return pieces


def label(part: ContentPart) -> str:
    """What stands before an image or a file."""
    return f"{part.name}:"


def _piece(part: ContentPart, shape: Shape) -> Piece:
    if text := _text(part):
        return _text_piece(f"{part.name}:\n\n{text}")
    if not shape.takes(_kind(part)):
        named = f" {part.name}" if part.name else ""
        return _text_piece(
            f"[{_kind(part)}{named} ({part.media_type}) left out: this model cannot take it]"
        )
    return _image(part) if isinstance(part, ImagePart) else _file(part)


def _image(part: ImagePart) -> Piece:
    url = part.url if part.data is None else data_url(part.media_type, part.data)
    if url is None:
        raise ModelError(f"The image {part.name!r} has neither data nor a URL: give it one.")
    detail = {} if part.detail == "auto" else {"detail": part.detail}
    return {"type": "image_url", "image_url": {"url": url, **detail}}


def _file(part: FilePart) -> Piece:
    if part.data is None and part.file_id is None:
        raise ModelError(f"The file {part.name!r} has neither data nor an id: give it one.")
    if part.data is None:
        return {"type": "file", "file": {"file_id": part.file_id}}
    data = data_url(part.media_type, part.data)
    return {"type": "file", "file": {"filename": part.name, "file_data": data}}


def _text(part: ContentPart) -> str:
    """A text file's text, which every model can read where few take files."""
    if isinstance(part, ImagePart) or part.data is None:
        return ""
    if not part.media_type.startswith("text/") and part.media_type not in TEXT_TYPES:
        return ""
    try:
        return part.data.decode()
    except UnicodeDecodeError:
        return ""


def _kind(part: ContentPart) -> str:
    return "image" if isinstance(part, ImagePart) else "file"


def data_url(media_type: str, data: bytes) -> str:
    """Bytes as an address that holds them."""
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def _text_piece(text: str) -> Piece:
    return {"type": "text", "text": text}


def _are_texts(pieces: Sequence[Piece]) -> bool:
    return all(piece["type"] == "text" for piece in pieces)


def _joined(pieces: Sequence[Piece]) -> str:
    return "\n\n".join(str(piece["text"]) for piece in pieces)
