"""The built modules on a blank page, without JupyterLab: what a kernel or a notebook would say is
said by the test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.watch import Watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.browser.watch import Answer

__all__ = ["STAND_IN", "bare_page", "files", "watched"]

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "widgets" / "nbagents_widgets" / "static"


STAND_IN = b"""export const render = ({ el, value }) => {
  const show = (one) => { el.textContent = JSON.stringify(one); };
  show(value);
  return { update: show };
};"""
"""Draws a payload as JSON: for pages of so many that the real module would take too long."""


def files() -> dict[str, Answer]:
    """What the page is served: itself, and every module that is built."""
    return {
        "/": ("text/html", (HERE / "blank.html").read_bytes()),
        **{f"/{path.name}": ("text/javascript", path.read_bytes()) for path in STATIC.glob("*.js")},
    }


def watched(browser: Browser, **given: object) -> Watch:
    """A new context that may fetch those files, and each thing given, as JSON under its name."""
    said = {f"/{name}.json": json.dumps(value).encode() for name, value in given.items()}
    context = browser.new_context(
        viewport={"width": 900, "height": 700}, locale="en-US", timezone_id="UTC"
    )
    served = files() | {path: ("application/json", body) for path, body in said.items()}
    return Watch(context=context, served=served)


def bare_page(watch: Watch) -> Page:
    """The page, when its module is there."""
    page = watch.open()
    page.wait_for_function("!!window.view")
    return page
