"""An approval in a browser: what is cut or scrolled out of sight is said, and cannot be allowed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import nbagents as nba
from nbagents.models.scripted import call
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session
from tests.browser.bare import bare_page, watched
from tests.told import patches_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from nbagents.runs.state.desk import Await

NOTE = "The usual monthly payment, as agreed with the landlord. " * 36
"""About 2,000 characters, behind which something else stands."""


def asking(**arguments: Any) -> list[Any]:
    """What a page is told of a run that waits for consent to a payment."""
    session = Session(MemoryLog())
    told: list[Any] = []

    def pay(given: Any) -> str:
        return "paid"

    def hear(question: Await) -> None:
        told.extend(patches_of(session.events("debug")))
        question.deny()

    schema: dict[str, Any] = {"type": "object", "properties": {name: {} for name in arguments}}
    options = nba.ToolOptions(name="pay_rent", ask=True)
    tool = nba.Tool.from_schema("pay_rent", "Pay.", schema, pay, options)
    model = nba.ScriptedModel([call("pay_rent", **arguments), "Done."])
    nba.Agent("bank", tools=[tool], model=model, on_await=hear).run("Pay the rent.", log=session)
    return told


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    watch = watched(browser)
    yield bare_page(watch)
    watch.close()


def ask(page: Page, **arguments: Any) -> Locator:
    page.evaluate("patches => void window.view.live(patches)", asking(**arguments))
    (asked := page.locator(".nba-await")).wait_for()
    return asked


def answers(page: Page) -> list[Any]:
    return page.evaluate("window.view.said.filter(one => one.type === 'resolve')")


def is_in_sight(pane: Locator, words: str) -> bool:
    """Whether words of the pane stand inside of what it shows now."""
    return pane.evaluate(
        """(pane, words) => {
          const texts = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
          while (texts.nextNode()) {
            const at = texts.currentNode.data.indexOf(words);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(texts.currentNode, at);
            range.setEnd(texts.currentNode, at + words.length);
            const [one, all] = [range.getBoundingClientRect(), pane.getBoundingClientRect()];
            return one.top >= all.top && one.bottom <= all.bottom;
          }
          return false;
        }""",
        words,
    )


EVIL: dict[str, Any] = {"note": NOTE, "to": "EVIL", "euros": 999_999}


def test_what_is_behind_a_long_text_is_seen_before_it_can_be_allowed(page: Page) -> None:
    asked = ask(page, **EVIL)
    approve, pane = asked.locator("[data-act=approve]"), asked.locator(".nba-sight")
    expect(approve).to_have_attribute("aria-disabled", "true")
    expect(asked.locator(".nba-held")).to_contain_text("has not been in sight")
    assert not is_in_sight(pane, "EVIL")
    approve.click(force=True)
    asked.locator("[data-act=remember]").click(force=True)
    assert answers(page) == []
    pane.hover()
    page.mouse.wheel(0, 100)
    expect(approve).to_have_attribute("aria-disabled", "true")
    for _ in range(40):
        page.mouse.wheel(0, 120)
    expect(approve).not_to_have_attribute("aria-disabled", "true")
    assert is_in_sight(pane, "EVIL")
    approve.click()
    assert [one["answer"] for one in answers(page)] == [{"action": "approve"}]


def test_it_can_be_read_and_allowed_by_keys_alone(page: Page) -> None:
    asked = ask(page, **EVIL)
    approve, pane = asked.locator("[data-act=approve]"), asked.locator(".nba-sight")
    approve.focus()
    page.keyboard.press("Enter")
    expect(pane).to_be_focused()
    for _ in range(12):
        page.keyboard.press("PageDown")
    expect(approve).not_to_have_attribute("aria-disabled", "true")
    approve.focus()
    page.keyboard.press("Enter")
    assert len(answers(page)) == 1


def test_all_at_once_shows_all_and_keeps_the_focus(page: Page) -> None:
    asked = ask(page, **EVIL)
    show = asked.locator("[data-act=show-all]")
    show.focus()
    page.keyboard.press("Enter")
    pane = asked.locator(".nba-sight")
    expect(pane).to_be_focused()
    assert pane.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    expect(asked.locator("[data-act=approve]")).not_to_have_attribute("aria-disabled", "true")


def test_what_fits_can_be_allowed_at_once_and_blanks_hide_nothing(page: Page) -> None:
    asked = ask(page, to=f"Ada{' ' * 300}EVIL", note="a\u202eb\u3164c")
    pane = asked.locator(".nba-sight")
    assert is_in_sight(pane, "EVIL")
    expect(pane).to_contain_text("a\\u202eb\\u3164c")
    assert pane.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    asked.locator("[data-act=approve]").click()
    assert len(answers(page)) == 1


def test_whether_it_is_long_depends_on_nothing_that_was_before(page: Page) -> None:
    pane = ask(page, to="Ada").locator(".nba-sight")
    flipping = pane.evaluate(
        """async pane => {
          const [inside] = pane.children;
          const drawn = () => new Promise((done) => requestAnimationFrame(() =>
            requestAnimationFrame(() => setTimeout(done))));
          const isLong = async (before, px) => {
            for (const height of [before, px]) {
              inside.style.height = `${height}px`;
              await drawn();
            }
            return pane.dataset.long;
          };
          const all = [290, 300, 306, 312, 318, 320, 322, 330];
          const found = [];
          for (const px of all) if (await isLong(40, px) !== await isLong(900, px)) found.push(px);
          return found;
        }"""
    )
    assert flipping == []
