"""Any object as the person should see it."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from libraries import cities, figure, image, images, noise, np, opened, pd, pl, written

from nbagents.results import FilePart, ImagePart, Payload
from nbagents.tools.values import picture as pictures
from nbagents.tools.values.object_payload import payload_of_bundle, rich_payload
from nbagents.tools.values.picture import picture_of

PNG = written(image())
TEXT_PNG = base64.b64encode(PNG).decode()


class Drawn:
    """Displays itself by whatever methods it is given."""


def drawn(**methods: Any) -> Any:
    """An object whose methods give these values; an exception is raised."""

    def method(value: Any) -> Any:
        def give(_self: object, **_hints: object) -> Any:
            if isinstance(value, Exception):
                raise value
            return value

        return give

    named = {f"_repr_{name}_": method(value) for name, value in methods.items()}
    return type("Drawn", (Drawn,), {**named, "__repr__": method("<Drawn>")})()


def shown(value: Any) -> dict[str, Any]:
    payload = rich_payload(value)
    assert payload.kind == "mime"
    found: Any = payload.value
    return found["data"]


def test_text_numbers_and_json() -> None:
    assert shown("text") == {"text/plain": "text"}
    assert shown(1.5) == {"text/plain": "1.5"}
    assert shown(None) == {"text/plain": "None"}
    assert shown({"a": [1]}) == {"application/json": {"a": [1]}, "text/plain": '{"a":[1]}'}
    assert shown(object()) == {"text/plain": "<object object>"}
    assert shown(b"\xff") == {"text/plain": "bytes, 1 byte"}
    assert shown(ImagePart(url="https://example.org")) == {"text/plain": "https://example.org"}


def test_what_is_too_long_is_cut() -> None:
    assert shown("x" * 60_000)["text/plain"].endswith("x… [10,000 more characters]")
    long = shown(["x" * 300_000])
    assert list(long) == ["text/plain"]
    assert len(long["text/plain"]) < 60_000


def test_a_payload_stays() -> None:
    payload = Payload(kind="map", value={"zoom": 1})
    assert rich_payload(payload) == payload
    assert rich_payload(Payload(kind="map", value="x" * 300_000)).kind == "cut"


def test_a_figure_an_image_and_its_bytes_are_images() -> None:
    for value in (image(), PNG, ImagePart(data=PNG)):
        payload = rich_payload(value)
        found: Any = payload.value
        assert (payload.kind, found["media_type"], found["data"]) == (
            "image",
            "image/png",
            TEXT_PNG,
        )
        assert (found["width"], found["height"]) == (3, 2)
    assert rich_payload(figure()).kind == "image"


def test_a_file_comes_with_its_bytes_unless_they_are_many() -> None:
    small: Any = rich_payload(FilePart(name="a.bin", data=b"abc")).value
    large: Any = rich_payload(FilePart(name="a.bin", data=b"a" * 1_000_001)).value
    assert (small["size"], small["data"]) == (3, "YWJj")
    assert (large["size"], "data" in large) == (1_000_001, False)


def test_an_object_is_shown_by_all_of_its_methods() -> None:
    value = drawn(
        mimebundle=({"text/html": "<i>bundle</i>"}, {"text/html": {"isolated": True}}),
        html="<b>method</b>",
        markdown="**m**",
        svg="<svg/>",
        latex=None,
        json=ValueError("broken"),
    )
    payload = rich_payload(value)
    assert payload.value == {
        "data": {
            "text/html": "<i>bundle</i>",
            "text/markdown": "**m**",
            "image/svg+xml": "<svg/>",
            "text/plain": "<Drawn>",
        },
        "metadata": {"text/html": {"isolated": True}},
    }


def test_an_object_with_a_picture_is_that_picture() -> None:
    for picture in (PNG, (PNG, {"width": 30})):
        found: Any = rich_payload(drawn(png=picture, html="<b>")).value
        assert (found["data"], found["alt"]) == (TEXT_PNG, "<Drawn>")
    assert found["width"] == 30


def test_a_method_may_give_a_tuple_that_is_no_pair() -> None:
    assert shown(drawn(json=(1, 2, 3)))["application/json"] == [1, 2, 3]


def test_an_object_whose_methods_all_fail_is_printed() -> None:
    broken = drawn(mimebundle=ValueError(), html=ValueError())
    assert shown(broken) == {"text/plain": "<Drawn>"}


def test_an_object_that_cannot_be_printed_is_described() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise ValueError("secret")

    assert shown(Broken()) == {"text/plain": f"Broken ({__name__})"}


def test_a_captured_picture_takes_its_words_and_its_size_from_the_bundle() -> None:
    payload = payload_of_bundle(
        {"image/png": TEXT_PNG + "\n", "text/plain": "<Figure at 0x7f00>"},
        {"image/png": {"width": 640, "height": 480}},
    )
    assert payload.value == {
        "media_type": "image/png",
        "data": TEXT_PNG,
        "alt": "<Figure>",
        "width": 640,
        "height": 480,
    }


def test_a_picture_that_is_none_leaves_the_rest() -> None:
    payload = payload_of_bundle({"image/png": "####", "text/plain": "words"}, {})
    assert payload.kind == "mime"


def test_of_a_bundle_only_what_a_page_may_show_is_kept() -> None:
    data: dict[str, Any] = {
        "text/plain": "words",
        "application/json": {"a": float("nan")},
        "application/vnd.plotly.v1+json": {"data": []},
        "application/javascript": "alert(1)",
        "text/javascript": "alert(1)",
        "application/pdf": "…",
        "image/bmp": b"BM",
        "text/html": "x" * 300_000,
    }
    payload = payload_of_bundle(data, {"text/plain": {}, "text/html": {"isolated": True}})
    assert payload.value == {
        "data": {
            "text/plain": "words",
            "application/json": {"a": None},
            "application/vnd.plotly.v1+json": {"data": []},
        },
        "metadata": {},
        "left_out": {"text/html": 300_000},
    }


def test_what_is_too_large_to_be_shown_is_named_with_its_size_in_bytes() -> None:
    big = {"text/html": "°" * 2_500_000, "image/svg+xml": "<svg/>" * 50_000, "text/plain": "words"}
    payload = payload_of_bundle(big, {})
    assert payload.value == {
        "data": {"text/plain": "words"},
        "metadata": {},
        "left_out": {"text/html": 5_000_000, "image/svg+xml": 300_000},
    }
    assert shown(drawn(html="x" * 5_000_000)) == {"text/plain": "<Drawn>"}
    whole: Any = rich_payload(drawn(html="x" * 5_000_000)).value
    assert whole["left_out"] == {"text/html": 5_000_000}


def test_a_bundle_of_which_nothing_is_kept_says_what_there_was() -> None:
    payload = payload_of_bundle({"text/html": "x" * 300_000, "application/pdf": "ab"}, {})
    value: Any = payload.value
    assert value["data"] == {
        "text/plain": "(text/html, 300.0 kB: left out)\n(application/pdf, 2 bytes: left out)"
    }
    assert payload_of_bundle({}, {}).value == {"data": {"text/plain": "(nothing)"}, "metadata": {}}


def table(value: Any) -> dict[str, Any]:
    payload = rich_payload(value)
    assert payload.kind == "table"
    found: Any = payload.value
    return found


def test_a_table_has_columns_types_rows_and_a_total() -> None:
    assert table(cities()) == {
        "columns": ["index", "city", "year"],
        "dtypes": ["index", "str", "int64"],
        "rows": [[0, "secret 0", 0], [1, "secret 1", 1], [2, "secret 2", 2]],
        "total": 3,
    }
    assert table(pl.DataFrame({"a": [1, None]})) == {
        "columns": ["a"],
        "dtypes": ["Int64"],
        "rows": [[1], [None]],
        "total": 2,
    }


def test_an_index_is_a_column() -> None:
    named = cities().set_index("city")
    assert table(named)["columns"] == ["city", "year"]
    assert table(named)["dtypes"] == ["index", "int64"]
    assert table(named)["rows"][0] == ["secret 0", 0]
    both = pd.DataFrame({"a": [1], "b": [2], "c": [3]}).set_index(["a", "b"])
    assert table(both)["columns"] == ["a", "b", "c"]
    assert table(both)["rows"] == [[1, 2, 3]]
    assert table(cities()["year"].rename(index=str))["columns"] == ["index", "year"]


def test_every_cell_is_json() -> None:
    when = pd.Timestamp("2026-01-02")
    frame = pd.DataFrame(
        {
            "float": [1.5, float("nan"), float("inf")],
            "time": [when, pd.NaT, when],
            "missing": pd.array([1, None, 3], dtype="Int64"),
            "object": [{"a": 1}, "x" * 400, object()],
            "large": [2**60, 0, 0],
            "flag": [True, False, True],
        }
    )
    rows = [row[1:] for row in table(frame)["rows"]]
    assert rows[0] == [1.5, "2026-01-02T00:00:00", 1, "{'a': 1}", str(2**60), True]
    assert rows[1][:3] == [None, None, None]
    assert len(rows[1][3]) == 300
    assert rows[2][0] == "∞"


def test_a_wide_or_heavy_table_is_cut() -> None:
    wide = table(pd.DataFrame(np.zeros((3, 500))))
    assert (len(wide["columns"]), len(wide["rows"][0]), wide["total_columns"]) == (101, 101, 500)
    assert len(table(pl.DataFrame(np.zeros((3, 500))))["rows"][0]) == 100
    heavy = table(pd.DataFrame({str(n): ["x" * 290] * 60 for n in range(90)}))
    assert (len(heavy["rows"]), heavy["total"]) == (6, 60)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16", "F"])
def test_an_image_of_any_mode_is_drawn(mode: str) -> None:
    picture = picture_of(image(4, 3, mode))
    assert picture is not None
    assert opened(picture.data).size == (4, 3)


@pytest.mark.medium
def test_a_large_image_with_transparency_is_put_on_white() -> None:
    clear = images.merge("RGBA", [*noise(1500, 1500).split(), image(1500, 1500, "L")])
    picture = picture_of(clear)
    assert picture is not None
    assert picture.media_type == "image/jpeg"
    assert opened(picture.data).getpixel((9, 9)) == (255, 255, 255)


@pytest.mark.medium
def test_an_image_that_no_format_makes_small_loses_pixels() -> None:
    picture = picture_of(noise(1560, 1560))
    assert picture is not None
    assert len(picture.data) <= 1_000_000
    assert picture.width == 1170


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_an_image_that_is_small_enough_is_sent_as_it_is(form: str) -> None:
    data = written(image(8, 5), form)
    picture = picture_of(data)
    assert picture is not None
    assert (picture.data, picture.media_type) == (data, f"image/{form.lower()}")
    if form != "WEBP":
        assert (picture.width, picture.height) == (8, 5)


def test_without_pillow_a_large_image_stays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> None:
        raise ImportError

    data = written(noise(800, 800))
    monkeypatch.setattr(pictures.importlib, "import_module", missing)
    assert picture_of(data) is None
    assert shown(data) == {"text/plain": "Image, 800 × 800 px, 1.9 MB"}


def test_a_figure_is_drawn_without_pyplot_and_not_larger_than_needed() -> None:
    picture = picture_of(figure(figsize=(40, 5), dpi=200))
    assert picture is not None
    assert picture.width is not None
    assert picture.width <= 1568
