"""The detector detects: a careless page does what the views must not do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.watch import Watch
from tests.xss import CLASSES, VECTORS, numbered

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).parent
SERVED = {
    "/": ("text/html", (HERE / "control.html").read_bytes()),
    "/marked.esm.js": (
        "text/javascript",
        (HERE.parents[1] / "js/node_modules/marked/lib/marked.esm.js").read_bytes(),
    ),
}
CAUGHT, RAN, FETCHED = 0.8, 0.3, 10
"""Shares and a number that are reached with room to spare. Not all that is suspected runs: some is
for older browsers, some leads away from the page, some only fetches."""


def test_there_are_enough_tries_and_each_is_another() -> None:
    assert len(set(VECTORS)) == len(VECTORS) >= 100
    assert all(len(vectors) >= 10 for vectors in CLASSES.values())


def test_a_careless_page_is_caught_with_most_of_the_vectors(browser: Browser) -> None:
    context = browser.new_context()
    watch = Watch(context=context, served=SERVED)
    page = watch.open()
    texts = [numbered(one, number) for number, one in enumerate(VECTORS)]
    suspected = set(page.evaluate("suspected", texts))
    page.evaluate("believe", texts)
    assert len(watch.ran) >= RAN * len(VECTORS)
    assert len(suspected | watch.ran) >= CAUGHT * len(VECTORS)
    assert sum("evil.example" in url for url in set(watch.asked)) >= FETCHED
    assert watch.did()
    watch.close()
