"""The built JavaScript modules, by name, and how a page comes by them.

What a widget carries itself (`_esm`) is a loader of some hundred bytes, because `_esm` travels and
is stored once for each instance. The loader asks for the module it names over the widget's own
comm, and a page asks once for each content: no server, no content network, the same offline.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, cast

__all__ = ["BLANK", "answer_library_request", "library_hash", "library_text", "loader_for"]

STATIC: Final = Path(__file__).parent / "static"

BLANK: Final = "export default {}\n"
"""An `_esm` that does nothing. The page evaluates whatever it is given, so it may not be empty."""


class Sender(Protocol):
    """What any widget can do, and ipywidgets does not type."""

    def send(self, content: Any, buffers: Sequence[bytes] | None = None) -> None:
        """Send a custom message to the page."""


def loader_for(name: str, *others: str) -> str:
    """The `_esm` of a widget that shows the module `name` and may ask for `others`.

    Each module is named with its content's hash, so that a page which still holds an older build
    under the same name asks again.
    """
    hashes = {one: library_hash(one) for one in (name, *others)}
    return f"const NBA_LIBRARIES={json.dumps(hashes, separators=(',', ':'))};\n{_text('loader')}"


@functools.cache
def library_text(name: str) -> bytes:
    """The module `name` as it is built.

    Raises:
        FileNotFoundError: There is no such module, or it has not been built.
    """
    return _text(name).encode()


@functools.cache
def library_hash(name: str) -> str:
    """Twelve hex digits that change with the module's content."""
    return hashlib.sha256(library_text(name)).hexdigest()[:12]


def answer_library_request(widget: Sender, content: object) -> bool:
    """Send the module that the page asks for; whether `content` was such a request.

    A request is `{"type": "library", "name": …}`. The answer repeats both and adds `hash`, with the
    module's text as its one buffer; a module that does not exist is answered with `error`. Safe in
    any thread.
    """
    if not isinstance(content, Mapping):
        return False
    request = cast("Mapping[str, object]", content)
    if request.get("type") != "library":
        return False
    name = str(request.get("name"))
    try:
        text, fingerprint = library_text(name), library_hash(name)
    except FileNotFoundError as error:
        widget.send({"type": "library", "name": name, "error": str(error)})
    else:
        widget.send({"type": "library", "name": name, "hash": fingerprint}, buffers=[text])
    return True


def _text(name: str) -> str:
    built = {path.stem: path for path in STATIC.glob("*.js")}
    if name not in built:  # a name from the page never becomes a path
        msg = f"The page's module {name!r} is not built. Run: node js/build.mjs"
        raise FileNotFoundError(msg)
    return built[name].read_text(encoding="utf-8")
