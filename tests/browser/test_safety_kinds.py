"""Kinds that are drawn by modules of their own, HTML in its frame, and saved runs of any shape.

`make test` shows every fourth of what there is of maps, charts and shapes, `make test-all` all.
"""

from __future__ import annotations

import base64
import copy
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.bare import bare_page, watched
from tests.browser.hostile_notebook import saved_tree
from tests.browser.test_safety import PARTS, TEXTS, crowded, looked_at, part, parts
from tests.browser.watch import ORIGIN, Watch
from tests.hostile import hostile_tree
from tests.hostile_payloads import charts, maps
from tests.xss import CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

Json = dict[str, Any]  # trees and payloads as JSON

EACH = """async ([module, path]) => {
  const values = await view.fetched(path);
  const rendering = await view.payload(module, values[0]);
  const faults = new Set();
  let popups = 0;
  const press = (map) => {
    const { left, top, width, height } = map.getBoundingClientRect();
    const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, button: 0 };
    for (const type of ["mousedown", "mouseup", "click"])
      map.querySelector("canvas").dispatchEvent(new MouseEvent(type, at));
  };
  for (const value of values) {
    rendering.update(value);
    await new Promise((done) => setTimeout(done, 0));
    press(document.querySelector(".nba-map"));
    await new Promise((done) => setTimeout(done, 0));
    if (document.querySelector(".nba-map-popup:not([hidden]) dt")) popups += 1;
    judge.touch(document.body);
    for (const fault of judge.faults(document.body)) faults.add(fault);
  }
  return { faults: [...faults], popups };
}"""
"""Show one map after the other in one view, click in its middle, and look at each."""
BESIDE = """async ([module, path]) => {
  for (const value of await view.fetched(path)) {
    const rendering = await view.payload(module, value);
    await rendering.drawn;
  }
}"""
"""Show values beside one another, each in a view of its own."""
FRAMES = """async () => {
  const find = (what) => [...document.querySelectorAll(what)];
  const turn = () => new Promise((done) => requestAnimationFrame(done));
  const until = async (is) => { for (let turns = 0; turns < 600 && !is(); turns++) await turn(); };
  const runs = await view.fetched("/trees.json");
  for (const tree of runs) view.saved(tree);
  await until(() => find(".nba-card").every((card) => card.querySelector(".nba-frame")));
  const count = find(".nba-frame").length;
  const faults = new Set(), seen = new Set(), blank = [];
  let most = 0;
  for (let at = 0; at < count; at += 3) {
    const places = () => find(".nba-frame").slice(at, at + 3); // they may be made anew
    places()[0].scrollIntoView({ block: "start" });
    await until(() => places().every((place) => place.querySelector("iframe")));
    for (const place of places()) {
      const frame = place.querySelector("iframe");
      if (frame) seen.add(frame.srcdoc);
      else blank.push(place.outerHTML.slice(0, 200));
      for (const fault of judge.faults(place)) faults.add(fault);
    }
    most = Math.max(most, find("iframe").length);
  }
  document.body.hidden = true;
  await until(() => !document.querySelector("iframe"));
  const left = document.querySelectorAll("iframe").length;
  return { places: count, seen: [...seen], blank, most, left, faults: [...faults] };
}"""
"""Bring each frame of runs in sight, one after the other, and then none."""
MOST_FRAMES = 12
"""As `js/src/renderers/frames.ts` says."""
SPIN = "@keyframes spin{to{transform:rotate(1turn)}}"
ALWAYS = "{content:'x';animation:spin 1s infinite!important}"
MOVING = (
    f"<style>{SPIN}p,div#d{ALWAYS}</style><p>a</p><div id=d>b</div>",
    f"<style>@layer a{{{SPIN}p::after{ALWAYS}}}</style><p>a",
    f'<p style="animation: spin 1s infinite !important">a</p><style>{SPIN}</style>',
    "<svg><circle r=9><animate attributeName=r to=1 dur=1s repeatCount=indefinite></circle></svg>",
)
"""Pages that move by themselves."""
ODD = """async () => {
  let drawn = 0;
  for (const tree of await view.fetched("/trees.json")) {
    try {
      const end = view.saved(tree);
      for (const el of document.querySelectorAll("[aria-expanded=false]")) el.click();
      await new Promise((done) => setTimeout(done, 0));
      const faults = judge.faults(document.body);
      if (faults.length) return faults;
      end();
      drawn += 1;
    } catch {
      // a saved run of no shape may fail to be drawn
    }
    document.body.replaceChildren();
  }
  return drawn;
}"""


def test_html_of_tools_stands_in_frames_that_run_and_fetch_nothing(browser: Browser) -> None:
    """Nor are there ever more than a few of them: each is gone when it is out of sight."""
    trees = [displayed(TEXTS[first : first + 40]) for first in range(0, len(TEXTS), 40)]
    watch = crowded(browser, trees=trees)
    page = bare_page(watch)
    page.set_viewport_size({"width": 900, "height": 1300})  # three of the tallest
    shown = page.evaluate(FRAMES)
    assert shown["faults"] == []
    assert shown["blank"] == []
    assert shown["places"] >= len(TEXTS)
    assert len(shown["seen"]) > len(TEXTS) / 2  # many texts are the same when they are tamed
    assert shown["most"] <= MOST_FRAMES
    assert shown["left"] == 0
    assert looked_at(page, watch) == []
    watch.close()


def test_in_the_html_of_tools_nothing_moves_by_itself(browser: Browser) -> None:
    watch = crowded(browser, trees=[displayed(list(MOVING))])
    page = bare_page(watch)
    framed: list[str] = page.evaluate(FRAMES)["seen"]
    assert len(framed) == len(MOVING)
    for source, bare in zip(framed, MOVING, strict=True):
        assert animations(watch, bare) > 0, f"the control does not move: {bare}"
        assert animations(watch, source) == 0, source
    watch.close()


def test_of_a_picture_that_moves_the_first_frame_is_shown(browser: Browser) -> None:
    head = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff"
    frame = b"!\xf9\x04\x00\x05\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00"
    moving = base64.b64encode(head + 2 * frame + b";").decode()
    html = f'<img alt="a" src="data:image/gif;base64,{moving}">'
    watch = crowded(browser, trees=[displayed([html])])
    page = bare_page(watch)
    page.evaluate("view.fetched('/trees.json').then(([tree]) => view.saved(tree))")
    page.locator(".nba-frame").scroll_into_view_if_needed()
    picture = page.frame_locator(".nba-frame iframe").locator("img")
    expect(picture).to_have_attribute("src", re.compile("^data:image/png;base64,"))
    expect(picture).to_have_attribute("alt", "a")
    watch.close()


def animations(watch: Watch, source: str) -> int:
    """How many animations a document has when it is drawn on a page that runs scripts."""
    page = watch.context.pages[0]
    page.set_content(source)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => done()))")
    return page.evaluate(
        "document.getAnimations().length + document.querySelectorAll('animate').length"
    )


def displayed(texts: list[str]) -> Json:
    """A run whose one call displayed each text as HTML."""
    tree = hostile_tree("x")
    (root,) = tree["root_ids"]
    run = tree["runs"][root]
    call = next(one for one in run["calls"].values() if one["payloads"])
    common = {"version": 1, "audience": "timeline", "kind": "mime"}
    call["payloads"] = [
        {"id": f"{at}", "payload": {**common, "value": {"data": {"text/html": text}}}}
        for at, text in enumerate(texts)
    ]
    call["child_run_ids"] = []
    run["calls"] = {call["id"]: call}
    run["items"] = [{"type": "call", "call_id": call["id"]}]
    return tree | {"runs": {root: run}}


@pytest.mark.parametrize("first", parts(0))
def test_a_map_says_what_it_is_told_and_does_nothing(browser: Browser, first: int) -> None:
    values = [value for text in part(first) for value in maps(text)]
    watch = watched(browser, values=values)
    page = bare_page(watch)
    seen = page.evaluate(EACH, ["map", "/values.json"])
    assert seen["faults"] == []
    assert seen["popups"] >= len(part(first))
    assert looked_at(page, watch) == []
    watch.close()


@pytest.mark.parametrize("first", parts(0))
def test_charts_are_drawn_from_any_text_and_do_nothing(browser: Browser, first: int) -> None:
    """All texts as data on each page, and some of what else says or asks for something."""
    values = [all_as_data(), *[*titled(), *hostile_charts()][first::PARTS]]
    watch = watched(browser, values=values)
    page = bare_page(watch)
    page.evaluate(BESIDE, ["chart", "/values.json"])
    assert page.evaluate("document.querySelectorAll('.nba-chart svg').length") > 10
    page.evaluate(
        "for (const el of document.querySelectorAll('.nba-chart svg *'))"
        "  el.dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    assert looked_at(page, watch) == []
    watch.close()


def all_as_data() -> Json:
    """A chart with a bar for each text: its name, its link, its tooltip."""
    rows = [{"a": text, "b": number, "u": text} for number, text in enumerate(TEXTS)]
    encoding = {
        "x": {"field": "b", "type": "quantitative"},
        "y": {"field": "a", "type": "nominal"},
        "color": {"field": "a", "type": "nominal"},
        "href": {"field": "u"},
        "url": {"field": "u"},
        "tooltip": {"field": "a"},
        "description": {"field": "a"},
    }
    return {"spec": {"mark": "bar", "data": {"values": rows}, "encoding": encoding}}


def titled() -> Iterator[Json]:
    """Charts, many in one, each named by a text."""
    for first in range(0, len(TEXTS), 30):
        parts = [
            {
                "title": {"text": text, "subtitle": text},
                "description": text,
                "data": {"values": [{"a": 1}]},
                "mark": {"type": "point", "tooltip": text, "href": text},
                "encoding": {"x": {"field": "a", "type": "quantitative", "title": text}},
            }
            for text in TEXTS[first : first + 30]
        ]
        yield {"spec": {"vconcat": parts}}


def hostile_charts() -> Iterator[Json]:
    """Every specification that asks for more, with some of the texts that could be code."""
    chosen = [*CLASSES["formulas and code"][-6:], *CLASSES["addresses"][17:20], TEXTS[0]]
    for text in chosen:
        yield from charts(text)


def test_the_controls_of_a_chart_are_sent_nowhere(browser: Browser) -> None:
    bound = {"name": "p", "value": "x", "bind": {"input": "text"}}
    spec = {"params": [bound], "data": {"values": [{"a": 1}]}, "mark": "point"}
    watch = watched(browser, values=[{"spec": spec}])
    page = bare_page(watch)
    page.evaluate(BESIDE, ["chart", "/values.json"])
    page.locator(".nba-chart input").press("Enter")
    page.wait_for_timeout(300)
    assert page.url == f"{ORIGIN}/"
    assert page.locator(".nba-chart input").count() == 1
    watch.close()


@pytest.mark.parametrize("first", parts(0))
def test_a_saved_run_of_any_shape_does_nothing(browser: Browser, first: int) -> None:
    text = "\"'><img src=x onerror=xss()><script>xss()</script>[x](javascript:xss())"
    saved = small(saved_tree("plain"))
    trees = [changed(saved, path, text) for path in [*leaves(saved)][first::PARTS]]
    watch = crowded(browser, trees=trees)
    page = bare_page(watch)
    drawn = page.evaluate(ODD)
    assert isinstance(drawn, int), drawn
    assert drawn > len(trees) / 2
    watch.said = [one for one in watch.said if "an error" not in one]  # it may fail, and do nothing
    assert watch.did() == []
    watch.close()


def small(saved: Json) -> Json:
    """The same without payloads: of these any JSON is tried elsewhere."""
    for run in saved["runs"].values():
        for call in run["calls"].values():
            del call["payloads"][3:]
    return saved


def leaves(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where texts, numbers and nothings stand."""
    parts: Any = node.items() if hasattr(node, "items") else enumerate(node)
    for key, one in parts:
        if isinstance(one, (dict, list)):
            yield from leaves(one, (*path, key))
        else:
            yield (*path, key)


def changed(tree: Json, path: tuple[str | int, ...], value: object) -> Json:
    """A copy with something else at one place."""
    whole: Any = copy.deepcopy(tree)  # walked down by keys and places
    node = whole
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return whole
