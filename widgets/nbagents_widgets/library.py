"""The built JavaScript modules, by name, and how a page comes by them.

What a widget carries itself (`_esm`) is a loader of some hundred bytes, because `_esm` travels and
is stored once for each instance. The loader asks for the module it names over the widget's own
comm, and a page asks once for each content: no server, no content network, the same offline.

Beside the package's own modules, others may be offered under names with a colon.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from nbagents_widgets.messages import is_mapping

__all__ = [
    "BLANK",
    "answer_library_request",
    "fingerprint",
    "library_hash",
    "library_text",
    "loader_for",
    "offer_module",
    "withdraw_module",
]

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
    return fingerprint(library_text(name))


def fingerprint(text: bytes) -> str:
    """Twelve hex digits that change with a module's text."""
    return hashlib.sha256(text).hexdigest()[:12]


_offered: dict[str, Callable[[], bytes]] = {}


def offer_module(name: str, text: Callable[[], bytes]) -> None:
    """Let pages ask for a module that is not of this package; the same name again replaces it.

    Args:
        name: What pages ask for. It has a colon, which no name of the package has.
        text: Gives the module as it stands now. Called in whichever thread the request comes by.
    """
    if ":" not in name:
        raise ValueError(f"{name!r} has no colon; an offered module is named like 'renderer:dice'.")
    _offered[name] = text


def withdraw_module(name: str) -> None:
    """Offer a module no longer; pages that have it keep it."""
    _offered.pop(name, None)


def answer_library_request(widget: Sender, content: object) -> bool:
    """Send the module that the page asks for; whether `content` was such a request.

    A request is `{"type": "library", "name": …}`, and of an offered module also `known`: the hashes
    of those that the page has under this name. The answer repeats type and name and adds `hash`,
    with the module's text as its one buffer where the page has it not; a module that does not
    exist, or cannot be read, is answered with `error`. Safe in any thread.
    """
    if not is_mapping(content) or content.get("type") != "library":
        return False
    name = str(content.get("name"))
    try:
        text = _offered[name]() if name in _offered else library_text(name)
    except (OSError, ValueError) as error:
        widget.send({"type": "library", "name": name, "error": str(error)})
        return True
    current = fingerprint(text)
    known: object = content.get("known")
    is_known = isinstance(known, list) and current in known
    answer = {"type": "library", "name": name, "hash": current}
    widget.send(answer, buffers=None if is_known else [text])
    return True


def _text(name: str) -> str:
    built = {path.stem: path for path in STATIC.glob("*.js")}
    if name not in built:  # a name from the page never becomes a path
        raise FileNotFoundError(f"The page's module {name!r} is not built. Run: node js/build.mjs")
    return built[name].read_text(encoding="utf-8")
