"""How a page comes by the built modules."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from nbagents_widgets.library import (
    STATIC,
    answer_library_request,
    fingerprint,
    library_hash,
    library_text,
    loader_for,
    offer_module,
    withdraw_module,
)


class Page:
    """A widget that keeps what it sends."""

    def __init__(self) -> None:
        self.sent: list[tuple[dict[str, Any], Sequence[bytes]]] = []

    def send(self, content: Any, buffers: Sequence[bytes] | None = None) -> None:
        self.sent.append((content, buffers or []))


def answered(request: object) -> tuple[dict[str, Any], Sequence[bytes]]:
    """What a page is sent for a request."""
    page = Page()
    assert answer_library_request(page, request)
    return page.sent[0]


def test_a_loader_names_its_modules_by_their_content() -> None:
    first, rest = loader_for("run-view", "map").split("\n", 1)
    named = json.loads(first.removeprefix("const NBA_LIBRARIES=").removesuffix(";"))
    assert named == {"run-view": library_hash("run-view"), "map": library_hash("map")}
    assert list(named) == ["run-view", "map"]
    assert rest == (STATIC / "loader.js").read_text(encoding="utf-8")
    assert "NBA_LIBRARIES" in rest


def test_a_loader_is_no_path_to_anywidget() -> None:
    """A single line that ends like a file name would be read as one."""
    assert "\n" in loader_for("map")


def test_the_text_and_its_hash_are_those_of_the_file() -> None:
    assert library_text("map") == (STATIC / "map.js").read_bytes()
    assert library_hash("map") != library_hash("run-view")
    assert len(library_hash("map")) == 12


def test_a_request_is_answered_with_the_text() -> None:
    page = Page()
    assert answer_library_request(page, {"type": "library", "name": "map"})
    answer = {"type": "library", "name": "map", "hash": library_hash("map")}
    assert page.sent == [(answer, [library_text("map")])]


@pytest.mark.parametrize("name", ["../library", "../../../etc/passwd", "nothing", "", None, 3])
def test_a_module_that_does_not_exist_is_answered_with_what_to_do(name: object) -> None:
    page = Page()
    assert answer_library_request(page, {"type": "library", "name": name})
    [(answer, buffers)] = page.sent
    assert "node js/build.mjs" in answer["error"]
    assert not buffers


@pytest.mark.parametrize("content", [None, "library", [], {}, {"type": "stop"}])
def test_another_message_is_left_to_others(content: object) -> None:
    page = Page()
    assert not answer_library_request(page, content)
    assert page.sent == []


OFFERED = b"export const render = () => {};"


@pytest.fixture
def offered() -> Iterator[None]:
    offer_module("renderer:dice", lambda: OFFERED)
    yield
    withdraw_module("renderer:dice")


def test_a_module_that_is_offered_is_answered_like_the_package_s_own(offered: None) -> None:
    del offered
    request = {"type": "library", "name": "renderer:dice", "known": ["old"]}
    answer, buffers = answered(request)
    assert answer == {
        "type": "library",
        "name": "renderer:dice",
        "hash": fingerprint(OFFERED),
    }
    assert buffers == [OFFERED]


def test_the_text_of_an_offered_module_is_not_sent_to_a_page_that_has_it(offered: None) -> None:
    del offered
    known = [fingerprint(OFFERED)]
    answer, buffers = answered({"type": "library", "name": "renderer:dice", "known": known})
    assert answer["hash"] == known[0]
    assert buffers == []


def test_an_offered_module_cannot_take_the_place_of_the_package_s_own() -> None:
    with pytest.raises(ValueError, match="has no colon"):
        offer_module("run-view", lambda: OFFERED)


def test_an_offered_module_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    offer_module("renderer:gone", (tmp_path / "gone.js").read_bytes)
    answer, buffers = answered({"type": "library", "name": "renderer:gone"})
    withdraw_module("renderer:gone")
    assert "gone.js" in answer["error"]
    assert buffers == []
