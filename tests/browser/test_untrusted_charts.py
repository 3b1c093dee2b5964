"""Charts of a notebook that nobody vouches for: drawn apart from the page, and given up in time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.bare import bare_page, watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ENDLESS = "test(/^(a+)+$/, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')"
BARS: dict[str, Any] = {
    "title": "Rain",
    "data": {"values": [{"city": "Oslo", "mm": 52}, {"city": "Rome", "mm": 80}]},
    "mark": "bar",
    "encoding": {"x": {"field": "city"}, "y": {"field": "mm", "type": "quantitative"}},
}
AT_ONCE = {**BARS, "transform": [{"calculate": ENDLESS, "as": "x"}]}
TOUCHED = {"events": "mousemove", "update": ENDLESS}
WHEN_TOUCHED = {**BARS, "params": [{"name": "p", "value": 1, "on": [TOUCHED]}]}
SHOW = "([value]) => view.payload('chart', value, true).then(() => {})"


@pytest.mark.parametrize("spec", [BARS, WHEN_TOUCHED], ids=["plain", "endless when touched"])
def test_it_is_a_picture_that_answers_no_pointer(browser: Browser, spec: dict[str, Any]) -> None:
    watch = watched(browser)
    page = bare_page(watch)
    page.evaluate(SHOW, [{"spec": spec}])
    picture = page.locator(".nba-chart img")
    expect(picture).to_have_attribute("alt", "Chart: Rain")
    assert picture.evaluate("(one) => one.decode().then(() => one.naturalWidth)") > 100
    picture.hover()
    page.mouse.move(5, 5)
    assert page.evaluate("1 + 1") == 2
    expect(page.locator(".nba-chart svg")).to_have_count(0)
    assert watch.did() == []
    watch.close()


def test_one_without_end_leaves_the_page_alone_and_says_so(browser: Browser) -> None:
    watch = watched(browser)
    page = bare_page(watch)
    page.evaluate(SHOW, [{"spec": AT_ONCE}])
    page.evaluate(SHOW, [{"spec": BARS}])
    expect(page.get_by_text("Drawing…")).to_have_count(2)
    assert page.evaluate("new Promise((done) => requestAnimationFrame(() => done(1)))") == 1
    expect(page.get_by_text("it was not drawn within")).to_be_visible()
    expect(page.locator(".nba-chart img")).to_have_attribute("alt", "Chart: Rain")
    assert watch.did() == []
    watch.close()
