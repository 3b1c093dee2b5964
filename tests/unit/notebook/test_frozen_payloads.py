"""Pictures, tables, files and captured displays in a saved run."""

from __future__ import annotations

import base64
from html import unescape
from typing import Any

import pytest
from lab_sanitizer import refused
from trees import Json, Page, call, html_of, payload, plain_of, run, tree

from nbagents.notebook.saved.bundle import frozen_bundle

PNG = base64.b64encode(b"\x89PNG not really").decode()
PLOT = {"media_type": "image/png", "data": PNG, "width": 640, "height": 480, "alt": "Warm days"}
TABLE = {
    "columns": ["row", "city", "celsius", "rainy"],
    "dtypes": ["index", "object", "float64", "bool"],
    "rows": [[1, "Oslo", 9.0, True], [2, None, 9.5, False]],
    "total": 1000,
}


def frozen(kind: str, value: Any) -> dict[str, object]:
    return frozen_bundle(tree(run(call(payloads=[payload(kind, value)]))), "run-1")


def page(kind: str, value: Any) -> Page:
    shown = Page(html_of(frozen(kind, value)))
    assert refused(shown.elements) == []
    assert shown.open_tags == []
    return shown


def display(data: Json, metadata: Json | None = None) -> Json:
    return {"data": data, "metadata": metadata or {}}


def lines(kind: str, value: Any) -> list[str]:
    """What the text says of the payload."""
    return [one for one in plain_of(frozen(kind, value)).split("\n") if one.startswith("    [")]


def folded(shown: Page) -> int:
    return len(shown.named("details"))


@pytest.mark.parametrize("media_type", ["image/png", "image/jpeg", "image/gif", "image/webp"])
def test_an_image_is_one_with_words_and_is_not_data_again(media_type: str) -> None:
    shown = page("image", {**PLOT, "media_type": media_type})
    (image,) = shown.named("img")
    assert image["src"] == f"data:{media_type};base64,{PNG}"
    assert image["alt"] == "Warm days"
    assert "Data: image" not in shown.text


def test_an_image_stands_below_its_call_so_that_it_shows_though_that_is_folded() -> None:
    markup = html_of(frozen("image", PLOT))
    assert markup.index("</details><div") < markup.index("<img")


def test_an_image_in_lines_is_one() -> None:
    shown = page("image", {**PLOT, "data": f"{PNG[:8]}\n{PNG[8:]}\n"})
    assert shown.named("img")[0]["src"].endswith(PNG)


@pytest.mark.parametrize(
    "value",
    [
        {**PLOT, "media_type": "text/html"},
        {**PLOT, "media_type": "image/svg+xml,<svg onload=alert(1)>"},
        {**PLOT, "data": "<script>"},
        {**PLOT, "data": ""},
        {**PLOT, "data": 7},
        {"media_type": "image/png"},
        "AAAA",
        None,
    ],
)
def test_what_is_no_image_is_shown_as_data(value: Any) -> None:
    shown = page("image", value)
    assert shown.named("img") == []
    assert "Data: image" in shown.text


def test_an_image_in_text_is_named() -> None:
    assert lines("image", PLOT) == ["    [picture, image/png, 640 \u00d7 480: Warm days]"]


def test_a_table_is_one_with_types_in_its_heads() -> None:
    shown = page("table", TABLE)
    heads = [one for one in shown.named("th") if one.get("scope") == "col"]
    assert [head["title"] for head in heads] == ["index", "object", "float64", "bool"]
    assert [head.get("align", head.get("style")) for head in heads] == [
        *("text-align:left", "text-align:left", "right", "text-align:left")
    ]
    assert "rowcitycelsiusrainy1Oslo9.0True2–9.5False" in shown.text
    assert "2 of 1,000 rows \u00d7 3 columns" in shown.text


def test_the_index_of_a_table_names_its_rows() -> None:
    bare = {**TABLE, "dtypes": ["int64", "object", "float64", "bool"]}

    def row_heads(value: Json) -> int:
        named = [one for one in page("table", value).named("th") if one.get("scope") == "row"]
        return len(named)

    assert row_heads(TABLE) - row_heads(bare) == 2


def test_a_table_of_many_columns_shows_the_first_and_counts_the_rest() -> None:
    columns = [f"c{number}" for number in range(100)]
    wide = {"columns": columns, "rows": [columns], "total": 1, "total_columns": 500}
    shown = page("table", wide)
    assert len([one for one in shown.named("th") if one.get("scope") == "col"]) == 20
    assert "1 row \u00d7 20 of 500 columns" in shown.text


def test_a_table_in_text_says_its_size_and_its_columns() -> None:
    (said,) = lines("table", TABLE)
    assert said == "    [table, 2 of 1,000 rows \u00d7 3 columns: city, celsius, rainy]"


@pytest.mark.parametrize("value", [{"columns": ["a"]}, {"columns": 1, "rows": []}, [], "a"])
def test_what_is_no_table_is_shown_as_data(value: Any) -> None:
    shown = page("table", value)
    assert "Data: table" in shown.text


def test_a_file_is_words_and_nothing_to_click() -> None:
    file = {"name": "a.html", "media_type": "text/html", "size": 45_230, "data": PNG}
    shown = page("file", file)
    assert "File a.html text/html, 45.2 kB" in shown.text
    assert shown.named("a") == []
    assert PNG not in html_of(frozen("file", file))
    assert lines("file", file) == ["    [file a.html, text/html, 45.2 kB]"]


def test_a_display_with_a_picture_is_that() -> None:
    data = {"text/html": "<b>", "text/plain": "<Figure size 500x300>", "image/png": PNG + "\n"}
    (image,) = page("mime", display(data)).named("img")
    assert image == image | {"alt": "<Figure size 500x300>", "src": f"data:image/png;base64,{PNG}"}
    assert lines("mime", display(data)) == ["    [picture: <Figure size 500x300>]"]


def test_a_drawing_is_the_source_of_an_image_and_never_part_of_the_page() -> None:
    svg = "<svg onload='alert(1)'><script>alert(2)</script></svg>"
    shown = page("mime", display({"image/svg+xml": [svg]}))
    (image,) = shown.named("img")
    coded = image["src"].removeprefix("data:image/svg+xml;base64,")
    assert base64.b64decode(coded).decode() == svg
    assert "alert" not in html_of(frozen("mime", display({"image/svg+xml": svg})))


def test_a_display_of_markdown_is_drawn_as_an_answer_is() -> None:
    data = {"text/markdown": "**a** <b onclick=x>", "text/plain": "<Markdown object>"}
    shown = page("mime", display(data))
    assert ("strong", {}) in shown.elements
    assert "<b onclick=x>" in shown.text
    assert lines("mime", display(data)) == ["    [display: **a** <b onclick=x>]"]


def test_a_display_of_json_is_json() -> None:
    assert '{\n  "a": 1\n}' in page("mime", display({"application/json": {"a": 1}})).text


def test_html_is_there_to_be_read() -> None:
    html = "<b onclick=alert(1)>hello</b>"
    silent = display({"text/html": html, "text/plain": "<IPython.core.display.HTML object>"})
    shown = page("mime", silent)
    assert "HTML that is not shown as a page · 29 bytes" in shown.text
    assert html in shown.text
    assert "HTML object" not in shown.text
    assert "[1, 2]" in page("mime", display({"text/html": html, "text/plain": "[1, 2]"})).text


def test_a_display_of_text_is_that() -> None:
    value = display({"text/plain": ["Counter(\n", "{})"]})
    assert "Counter(\n{})" in page("mime", value).text
    assert lines("mime", value) == ["    [display: Counter( {})]"]


def test_what_a_display_left_out_is_said_with_its_size() -> None:
    value = {**display({"text/plain": "Map"}), "left_out": {"text/html": 5_000_000}}
    assert "Map" in page("mime", value).text
    assert "Left out as too large: text/html (5.0 MB)" in page("mime", value).text
    (line,) = lines("mime", value)
    assert line == "    [display, left out as too large: text/html (5.0 MB): Map]"
    drawing = {**value, "data": {"text/markdown": "**a**"}}
    assert "Left out as too large: text/html (5.0 MB)" in page("mime", drawing).text
    for odd in (None, "all", {}, {"text/html": "x"}):
        assert lines("mime", {**value, "left_out": odd}) == ["    [display: Map]"]


def test_a_display_of_what_nobody_knows_is_shown_as_data() -> None:
    assert "Data: mime" in page("mime", display({"application/x-other": "1"})).text


def test_what_was_too_large_for_the_log_is_said_with_its_size() -> None:
    cut = {"of": "image", "head": '{"data": "AA', "note": "2.9 MB of 3.1 MB left out"}
    markup = html_of(frozen("cut", cut))
    assert "Data: image · 2.9 MB of 3.1 MB left out" in markup
    assert '"AA' not in markup
    assert markup.index("</details><div") < markup.index("Data: image")
    among = html_of(frozen("cut", {**cut, "of": "rows", "head": "[1, 2"}))
    assert "[1, 2" in unescape(among)
    assert "</details><div" not in among
    assert lines("cut", cut) == ["    [image · 2.9 MB of 3.1 MB left out]"]


def test_other_kinds_are_shown_as_data_and_not_named_in_the_text() -> None:
    assert "Data: rows" in page("rows", [1, 2]).text
    assert lines("rows", [1, 2]) == []
