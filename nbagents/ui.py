"""What a person can be shown: payloads for the kinds that nbagents draws itself.

A tool shows them with `ctx.show(...)`, as the `data` of a `Result`, or by returning them; at the
end of a cell they show themselves. Nothing in them is ever taken for markup or run.

Example:
    >>> import nbagents as nba
    >>> from nbagents import ui
    >>> @nba.tool
    ... def count(words: list[str]) -> nba.Result:
    ...     return nba.Result(f"{len(words)} words", data=ui.json({"count": len(words)}))
    >>> count(["a", "b"]).data.kind
    'json'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from nbagents.narrowing import dict_of, is_mapping
from nbagents.results import FilePart, ImagePart, Payload
from nbagents.tools.values import PAYLOAD_MIME, bounded, clean_text, json_of

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = [
    "View",
    "audio",
    "chart",
    "code",
    "diff",
    "file",
    "html",
    "image",
    "json",
    "log",
    "markdown",
    "progress",
    "table",
    "video",
]

LogLine: TypeAlias = "str | tuple[str, str] | Mapping[str, str]"


class View(Payload):
    """A payload that shows itself where a notebook displays it."""

    def _repr_mimebundle_(self, **_options: object) -> dict[str, object]:
        """The static form, as a saved notebook shows it; inside of a call, the payload itself."""
        from nbagents.notebook.kinds import payload_in_words, payload_picture  # in a notebook

        words = payload_in_words(self.kind, self.value)
        if self.kind == "image":
            value = dict_of(self.value)
            return {str(value["media_type"]): value["data"], "text/plain": words}
        return {
            "text/html": str(payload_picture(self.kind, self.value)),
            "text/plain": words,
            PAYLOAD_MIME: {"kind": self.kind, "value": self.value},
        }


def markdown(text: str) -> View:
    """Prose in Markdown; HTML in it stays text, and only links to web pages are links."""
    return _view("markdown", {"text": clean_text(text)})


def code(text: str, language: str = "", *, filename: str = "") -> View:
    """Source text, with line numbers and a button that copies it.

    Args:
        text: The source.
        language: What it is written in, for people.
        filename: The name of its file, if it has one.
    """
    return _view("code", {"text": clean_text(text)} | _said(language=language, filename=filename))


def json(value: object) -> View:
    """Any value as a tree of JSON that opens where one looks."""
    return _view("json", {"value": json_of(value)})


def log(lines: str | Iterable[LogLine], *, level: str = "") -> View:
    """Lines of a log, which can be filtered; its end is in sight.

    Args:
        lines: A text, or lines; a line is a text, a pair of level and text, or a mapping of both.
        level: The level of all lines that have none of their own, e.g. `info` or `error`.

    Example:
        >>> log(["reading", ("error", "no such file")]).value["lines"][1]["level"]
        'error'
    """
    if isinstance(lines, str):
        return _view("log", {"text": clean_text(lines)} | _said(level=level))
    return _view("log", {"lines": [_line(one) for one in lines]} | _said(level=level))


def progress(
    value: float | None = None,
    max: float | None = None,  # noqa: A002  HTML's word
    *,
    label: str = "",
    done: bool = False,
) -> View:
    """How far something is; show it again under the same id as it goes on.

    Args:
        value: How much is done: of `max`, or between 0 and 1. `None`: nobody knows.
        max: How much there is to do.
        label: What is being done.
        done: Whether it has ended.

    Example:
        >>> progress(3, 10, label="Reading").value
        {'value': 3, 'max': 10, 'label': 'Reading'}
    """
    about: dict[str, JsonValue] = {"value": value} if value is not None else {}
    about |= {"max": max} if max is not None else {}
    ended: dict[str, JsonValue] = {"done": True} if done else {}
    if not about and not ended and not label:
        raise ValueError("Say how much is done, or give a label.")
    return _view("progress", about | _said(label=label) | ended)


def diff(before: str, after: str, *, name: str = "") -> View:
    """What changed between two texts, line by line.

    Args:
        before: The old text.
        after: The new text.
        name: Of what, e.g. a file's name.
    """
    return _view(
        "diff", {"before": clean_text(before), "after": clean_text(after)} | _said(name=name)
    )


def html(text: str, *, plain: str = "") -> View:
    """HTML in a frame of its own, where no script runs and nothing is fetched.

    Args:
        text: The HTML. A saved notebook shows its source, which can be read.
        plain: What it says, for where it cannot be shown.
    """
    data: dict[str, JsonValue] = {"text/html": clean_text(text)}
    data |= {"text/plain": clean_text(plain)} if plain else {}
    return _view("mime", {"data": data, "metadata": {}})


def image(source: object, *, alt: str = "") -> View:
    """A picture.

    Args:
        source: A figure of matplotlib, an image of Pillow, the bytes of a PNG, JPEG, GIF or WebP,
            an SVG as text, or the path of a file with one of these.
        alt: What it shows, in words.

    Raises:
        ValueError: It is no picture.
    """
    from nbagents.tools.values import rich_payload  # few tools need it

    if isinstance(source, Path) and source.suffix.lower() == ".svg":
        source = source.read_text(encoding="utf-8")
    if isinstance(source, str):
        return _drawing(source, alt)
    given = source.data if isinstance(source, ImagePart) else source
    shown = rich_payload(given)
    if shown.kind != "image":
        raise ValueError(f"A {type(source).__name__} is no picture that can be shown.")
    return _view("image", {**dict_of(shown.value), **_said(alt=alt)})


def chart(chart: object, data: object = None) -> View:
    """A chart in Vega-Lite, drawn without a network.

    Args:
        chart: A chart of Altair, or a specification of Vega-Lite.
        data: Its rows, where the specification holds none: a list of mappings.

    Raises:
        ValueError: It is no chart.
    """
    from nbagents.tools.values import rich_payload  # few tools need it

    if is_mapping(chart):
        rows: dict[str, JsonValue] = {} if data is None else {"data": json_of(data)}
        return _view("chart", {"spec": json_of(chart)} | rows)
    shown = rich_payload(chart)
    if shown.kind != "chart":
        raise ValueError(
            f"A {type(chart).__name__} is no chart. Of a figure: nba.ui.image(figure)."
        )
    return _view("chart", shown.value)


def table(frame: object) -> View:
    """The first rows of a frame or a series of pandas, polars or what is like them.

    Raises:
        ValueError: It is no table.
    """
    from nbagents.tools.values import rich_payload  # few tools need it

    shown = rich_payload(frame)
    if shown.kind != "table":
        raise ValueError(
            f"A {type(frame).__name__} is no table. For any value: nba.ui.json(value)."
        )
    return _view("table", shown.value)


def file(source: Path | bytes, name: str = "", *, media_type: str = "") -> View:
    """A file to download, as far as it is no larger than 1 MB; else only its name and size.

    Args:
        source: Its path, or its bytes.
        name: Its name; by default that of the path.
        media_type: What is in it, e.g. `text/csv`.
    """
    from mimetypes import guess_type  # few tools need it

    from nbagents.tools.values import rich_payload

    data = source.read_bytes() if isinstance(source, Path) else source
    called = name or (source.name if isinstance(source, Path) else "file")
    media = media_type or guess_type(called)[0] or "application/octet-stream"
    return _view("file", rich_payload(FilePart(name=called, media_type=media, data=data)).value)


def audio(source: Path | bytes, name: str = "", *, media_type: str = "") -> View:
    """Sound, to be played and downloaded, as far as it is no larger than 1 MB.

    Args:
        source: Its path, or its bytes.
        name: Its name, from which its type is known unless that is given, e.g. `answer.mp3`.
        media_type: What it is, e.g. `audio/wav`.

    Raises:
        ValueError: It is none.

    Example:
        >>> audio(b"RIFF", "beep.wav").value["media_type"]
        'audio/wav'
    """
    return _played("audio", file(source, name, media_type=media_type))


def video(source: Path | bytes, name: str = "", *, media_type: str = "") -> View:
    """Moving pictures, to be played and downloaded, as far as they are no larger than 1 MB.

    Args:
        source: Their path, or their bytes.
        name: Their name, from which their type is known unless that is given, e.g. `run.mp4`.
        media_type: What they are, e.g. `video/webm`.

    Raises:
        ValueError: They are none.
    """
    return _played("video", file(source, name, media_type=media_type))


def _played(sort: str, shown: View) -> View:
    value = dict_of(shown.value)
    media = str(value["media_type"])
    if not media.startswith(f"{sort}/"):
        raise ValueError(f"{value['name']!r} is {media}, no {sort}: name it, or give a media_type.")
    # a browser knows it by that name alone
    return _view("file", {**value, "media_type": media.replace("/x-wav", "/wav")})


def _drawing(svg: str, alt: str) -> View:
    if "<svg" not in svg:
        raise ValueError("A text is taken for an SVG, and this is none. For a file: Path(...).")
    data: dict[str, JsonValue] = {"image/svg+xml": clean_text(svg)}
    data |= {"text/plain": clean_text(alt)} if alt else {}
    return _view("mime", {"data": data, "metadata": {}})


def _line(given: LogLine) -> JsonValue:
    if isinstance(given, str):
        return clean_text(given)
    level, text = (given["level"], given["text"]) if isinstance(given, Mapping) else given
    return {"level": clean_text(level), "text": clean_text(text)}


def _said(**texts: str) -> dict[str, JsonValue]:
    """Those that were given."""
    return {name: clean_text(text) for name, text in texts.items() if text}


def _view(kind: str, value: Any) -> View:  # Any: JSON, of the kind's own shape
    shown = bounded(Payload(kind=kind, value=value))
    return View(kind=shown.kind, value=shown.value)
