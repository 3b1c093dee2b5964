"""The still picture: valid, small, safe, and of the right place."""

from __future__ import annotations

import re
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest
from nbagents_widgets.map_picture.picture import map_picture, picture_uri
from nbagents_widgets.map_state.state import MapState, Pin

SVG = "{http://www.w3.org/2000/svg}"


def parsed(value: object, width_px: int = 640, height_px: int = 320) -> ET.Element:
    return ET.fromstring(map_picture(value, width_px, height_px))


def texts(root: ET.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def at(lon: float, lat: float, zoom: float, *labels: str) -> dict[str, object]:
    pins = [{"lon": lon, "lat": lat, "label": label} for label in labels]
    return {"center": {"lon": lon, "lat": lat}, "zoom": zoom, "pins": pins}


def test_it_says_what_it_shows() -> None:
    root = parsed(at(10.75, 59.91, 9, "Oslo"))
    assert root.get("aria-label") == "Map at 10.75° E, 59.91° N, zoom 9, 1 pin"
    assert {"Oslo", "Natural Earth", "60° N", "10.5° E", "10 km"} <= set(texts(root))


def test_the_size_is_what_was_asked_for() -> None:
    root = parsed({}, 300, 200)
    assert (root.get("width"), root.get("height")) == ("300", "200")
    assert root.get("viewBox") == "0 0 300 200"


def test_a_pin_stands_in_the_middle_of_a_map_centred_on_it() -> None:
    (pin,) = (
        g
        for g in parsed(at(-70, -33, 5, "x")).iter(f"{SVG}g")
        if "translate" in g.get("transform", "")
    )
    assert pin.get("transform") == "translate(320.0,160.0)"


def test_a_pin_is_drawn_at_the_copy_of_the_world_that_is_in_view() -> None:
    value = {
        "center": {"lon": 179, "lat": 0},
        "zoom": 4,
        "pins": [{"lon": -179, "lat": 0, "label": ""}],
    }
    (pin,) = (g for g in parsed(value).iter(f"{SVG}g") if "translate" in g.get("transform", ""))
    assert pin.get("transform") == "translate(342.8,160.0)"


def test_pins_far_out_of_view_are_left_out() -> None:
    value = {
        "center": {"lon": 0, "lat": 0},
        "zoom": 8,
        "pins": [{"lon": 90, "lat": 0, "label": "far"}],
    }
    assert "far" not in texts(parsed(value))


def test_many_pins_are_cut_and_the_picture_says_so() -> None:
    state = MapState(pins=tuple(Pin(lon=number / 100, lat=0) for number in range(400)))
    assert "300 of 400 pins drawn · Natural Earth" in texts(parsed(state))


@pytest.mark.parametrize(
    "label",
    [
        "<script>alert(1)</script>",
        "a & b",
        "'\"><image href=x onerror=y>",
        "tab\x00\x0b\ud800",
        "]]>",
    ],
)
def test_a_label_is_text_whatever_it_holds(label: str) -> None:
    root = parsed(at(0, 0, 3, label))
    clean = re.sub("[\x00\x0b\ud800]", "\N{REPLACEMENT CHARACTER}", label)
    assert clean in texts(root)
    assert {element.tag for element in root.iter()} <= {
        SVG + name for name in ("svg", "style", "rect", "g", "path", "text", "circle", "use")
    }


def test_a_title_is_text_too() -> None:
    root = parsed({"title": "<b onload='x'> & \x01"})
    assert (root.get("aria-label") or "").startswith(
        "<b onload='x'> & \N{REPLACEMENT CHARACTER}: map"
    )


def test_a_long_label_is_cut_and_one_near_the_edge_turns_inwards() -> None:
    value = {
        "center": {"lon": 0, "lat": 0},
        "zoom": 2,
        "pins": [{"lon": 100, "lat": 0, "label": "x" * 50}],
    }
    (label,) = (text for text in parsed(value).iter(f"{SVG}text") if "x" in (text.text or ""))
    assert label.text == "x" * 39 + "…"
    assert label.get("text-anchor") == "end"


@pytest.mark.parametrize(
    ("lon", "lat", "zoom", "most"),
    [
        pytest.param(10, 30, 2, 14_500, id="the first view"),
        pytest.param(0, 0, 0, 12_000, id="the world, thrice"),
        pytest.param(10, 50, 4, 11_500, id="Europe"),
        pytest.param(10.75, 59.91, 9, 6_000, id="a city"),
        pytest.param(180, 0, 3, 6_000, id="the date line"),
        pytest.param(0, 90, 3, 4_000, id="the pole"),
        pytest.param(12.4924, 41.8902, 18, 6_000, id="a house"),
    ],
)
def test_it_is_small_enough_to_save(lon: float, lat: float, zoom: float, most: int) -> None:
    assert len(picture_uri(map_picture(at(lon, lat, zoom, "here")))) < most


def test_coordinates_stay_near_the_view_however_close_it_is() -> None:
    picture = map_picture(at(12.4924, 41.8902, 18))
    starts = [tuple(map(int, xy)) for xy in re.findall(r"M(-?\d+),(-?\d+)l", picture)]
    assert starts
    assert all(-40 < x < 1320 and -40 < y < 680 for x, y in starts)


def test_the_world_is_drawn_once_and_repeated_where_several_are_in_view() -> None:
    root = parsed(at(0, 0, 0))
    assert len(list(root.iter(f"{SVG}use"))) >= 2
    assert len([path for path in root.iter(f"{SVG}path") if "nbam-c" in path.get("class", "")]) == 2


def test_two_pictures_in_one_page_repeat_their_own_world() -> None:
    one, other = (next(parsed(at(lon, 0, 0)).iter(f"{SVG}use")).get("href") for lon in (0, 90))
    assert one != other


def test_the_same_map_is_the_same_picture() -> None:
    assert map_picture(at(1, 2, 3, "a")) == map_picture(at(1, 2, 3, "a"))


def test_colours_follow_a_dark_page_and_are_there_without_a_stylesheet() -> None:
    root = parsed(at(0, 20, 2))
    (style,) = root.iter(f"{SVG}style")
    assert (style.text or "").startswith("@media(prefers-color-scheme:dark)")
    dark = set(re.findall(r"\.(nbam-\w)\{", style.text or ""))
    used = {name for element in root.iter() for name in element.get("class", "").split()} - {"nbam"}
    assert used <= dark
    land = next(path for path in root.iter(f"{SVG}path") if "nbam-l" in path.get("class", ""))
    assert land.get("fill") == "#f6f4ec"


def test_the_address_holds_the_picture_and_no_sign_that_ends_an_attribute() -> None:
    svg = map_picture(at(0, 0, 3, 'a "quoted" & <marked> ä#%'))
    head, body = picture_uri(svg).split(",", 1)
    assert head == "data:image/svg+xml"
    assert unquote(body) == svg
    assert not set(body) & set('"<>#&\n')


def test_a_place_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="latitude"):
        map_picture(at(0, 91, 3))
