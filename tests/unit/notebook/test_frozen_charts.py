"""Charts in a saved notebook: as a page drew them, as a library draws them, or as their data."""

from __future__ import annotations

import base64
import sys
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lab_sanitizer import refused
from trees import Page, call, payload, run, tree

from nbagents.notebook.kinds import chart_pictures
from nbagents.notebook.kinds.chart_form import chart_html, chart_words
from nbagents.notebook.kinds.chart_pictures import (
    chart_picture,
    checked_picture,
    take_picture,
)

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><g clip-path="url(#c)"><path d="M0,0"/></g></svg>'
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
WEBP = base64.b64encode(b"RIFF\x00\x00\x00\x00WEBP").decode()
ROWS = [{"city": f"<b>{n}</b>", "mm": n / 3} for n in range(30)]
CHART: Any = {"spec": {"mark": "bar", "encoding": {"x": {"field": "city"}}}, "data": ROWS}


@pytest.fixture(autouse=True)
def nothing_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    chart_pictures._kept.clear()  # pyright: ignore[reportPrivateUsage]
    converter(monkeypatch, None)


def converter(monkeypatch: pytest.MonkeyPatch, draw: Any) -> None:
    """Have `vl_convert` installed, or not."""
    found = None if draw is None else object()

    def find(_name: str) -> object | None:
        return found

    monkeypatch.setattr(chart_pictures, "find_spec", find)
    monkeypatch.setitem(sys.modules, "vl_convert", SimpleNamespace(vegalite_to_svg=draw))


def a_run(value: Any = CHART) -> Any:
    shown = tree(run(call(payloads=[payload("chart", value)])))
    return SimpleNamespace(tree=lambda: shown)


def payload_id() -> str:
    shown: Any = a_run().tree()
    return shown["runs"]["run-1"]["calls"]["call-1"]["payloads"][0]["id"]


def page(value: Any = CHART) -> Page:
    shown = Page(chart_html(value))
    assert refused(shown.elements) == []
    assert shown.open_tags == []
    return shown


def test_a_chart_that_nobody_drew_is_its_words_and_its_first_rows() -> None:
    shown = page()
    assert "Bar chart: x city, 30 rows" in shown.text
    assert "20 of 30 rows" in shown.text
    assert "<b>0</b>" in shown.text
    assert shown.named("b") == []
    assert "0.3333" in shown.text
    assert chart_words(CHART) == "bar chart: x city, 30 rows"


def test_a_chart_without_rows_says_so() -> None:
    assert "Point chart. It holds no rows." in page({"spec": {"mark": "tick"}}).text.replace(
        "Tick", "Point"
    )


@pytest.mark.parametrize(
    ("sent", "source"),
    [
        ({"svg": SVG}, f"data:image/svg+xml;base64,{base64.b64encode(SVG.encode()).decode()}"),
        ({"media_type": "image/png", "data": PNG}, f"data:image/png;base64,{PNG}"),
        ({"media_type": "image/webp", "data": WEBP}, f"data:image/webp;base64,{WEBP}"),
    ],
)
def test_what_a_page_drew_is_an_image_with_the_words_as_its_text(sent: Any, source: str) -> None:
    take_picture(a_run(), {"payload_id": payload_id(), **sent})
    (image,) = page().named("img")
    assert (image["src"], image["alt"]) == (source, "Bar chart: x city, 30 rows")


def test_a_picture_is_of_the_chart_as_it_was_drawn() -> None:
    take_picture(a_run(), {"payload_id": payload_id(), "svg": SVG})
    assert page({**CHART, "data": ROWS[:3]}).named("img") == []


@pytest.mark.parametrize(
    "sent",
    [
        {"svg": "<p>"},
        {"svg": SVG.replace("<g", "<script>alert(1)</script><g")},
        {"svg": SVG.replace("<g", "<foreignObject/><g")},
        {"svg": SVG.replace("<g", "<g onload='x'")},
        {"svg": SVG.replace("<g", "<a href='https://e.example'/><g")},
        {"svg": SVG.replace("url(#c)", "url(https://e.example/x#c)")},
        {"svg": "<svg><!ENTITY x 'y'></svg>"},
        {"svg": f"<svg>{'x' * 200_000}</svg>"},
        {"svg": 7},
        {"media_type": "text/html", "data": PNG},
        {"media_type": "image/png", "data": WEBP},
        {"media_type": "image/png", "data": "####"},
        {"media_type": "image/png", "data": base64.b64encode(b"\x89PNG\r\n" * 40_000).decode()},
    ],
)
def test_what_is_no_inert_picture_is_not_kept(sent: Any) -> None:
    assert checked_picture(sent) is None
    take_picture(a_run(), {"payload_id": payload_id(), **sent})
    assert page().named("img") == []


@pytest.mark.parametrize("said", [None, {"payload_id": "another", "svg": SVG}, {"svg": SVG}])
def test_a_picture_of_no_payload_is_nobodys(said: Any) -> None:
    take_picture(a_run(), said)
    assert chart_picture(CHART) is None


def test_pictures_are_kept_up_to_a_number() -> None:
    for number in range(150):
        chart_pictures.keep_picture({"spec": {"n": number}}, None)
    assert len(chart_pictures._kept) == 100  # pyright: ignore[reportPrivateUsage]


def test_where_no_page_is_a_converter_draws_each_chart_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[Any] = []

    def draw(spec: Any, allowed_base_urls: list[str]) -> str:
        assert allowed_base_urls == []
        drawn.append(spec)
        return SVG

    converter(monkeypatch, draw)
    assert page().named("img")
    assert page().named("img")
    assert drawn == [{**CHART["spec"], "data": {"values": ROWS}}]
    assert page({"spec": {"mark": "bar"}}).named("img")


@pytest.mark.parametrize(
    "value",
    [
        {"spec": {"data": {"url": "https://e.example/x.csv"}, "mark": "bar"}},
        {"spec": {"mark": "this one fails"}},
        {"spec": "none"},
    ],
)
def test_a_converter_fetches_nothing_and_may_fail(
    monkeypatch: pytest.MonkeyPatch, value: Any
) -> None:
    def draw(spec: Any, **_options: Any) -> str:
        assert "url" not in str(spec)
        raise ValueError(cast("object", spec))

    converter(monkeypatch, draw)
    assert chart_picture(value) is None
