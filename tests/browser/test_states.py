"""What each state of the run view looks like: boxes and colours as they are committed, words that
can be read in every theme, nothing over anything else, and nothing that axe-core finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.states.committed import (
    BOXES,
    COLOURS,
    box_differences,
    colour_differences,
    kept,
)
from tests.browser.states.page import THEMES, states_page
from tests.browser.states.pixels import CHROMIUM, differences, small_pictures
from tests.browser.states.survey import Survey, survey_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ANEW = "If that is meant: make states"


@pytest.fixture(scope="module")
def survey(browser: Browser) -> Survey:
    """All states, looked at once."""
    return survey_of(browser, kept(BOXES))


def test_nothing_is_faint_misplaced_or_out_of_reach(survey: Survey) -> None:
    assert not survey.faults, "\n".join(survey.faults)


def test_everything_stands_where_it_did(survey: Survey) -> None:
    was = kept(BOXES)
    changed = [
        f"{name}: {one}"
        for name in sorted({*was, *survey.boxes})
        for one in box_differences(was.get(name, {}), survey.boxes.get(name, {}))
    ]
    assert not changed, "\n".join([*changed, ANEW])


def test_everything_has_the_colours_that_it_had(survey: Survey) -> None:
    was = kept(COLOURS)
    changed = [
        f"{theme}: {one}"
        for theme in THEMES
        for one in colour_differences(was.get(theme, {}), survey.colours[theme], survey.seen_in)
    ]
    assert not changed, "\n".join([*changed, ANEW])


@pytest.mark.slow
def test_every_pixel_is_what_it_was(
    browser: Browser, survey: Survey, capsys: pytest.CaptureFixture[str]
) -> None:
    """Letters are drawn a little differently by each Chromium: with another one boxes must do."""
    made_with = CHROMIUM.read_text(encoding="utf-8").strip()
    if browser.version != made_with:
        test_everything_stands_where_it_did(survey)
        with capsys.disabled():
            print(
                f"\nPixels are compared with Chromium {made_with} only: this is {browser.version}."
            )
        return
    changed = [
        one for name, picture in small_pictures(browser) for one in differences(name, picture)
    ]
    assert not changed, "\n".join([*changed, ANEW])


BAD = """
<div class="nba-card" style="position: relative; width: 300px; background: #fff; color: #999">
  <p class="nba-faint">faint words</p>
  <p class="nba-cut" style="width: 40px; overflow: hidden">words-that-are-cut</p>
  <p class="nba-one" style="position: absolute; top: 90px; left: 0">one over</p>
  <p class="nba-other" style="position: absolute; top: 92px; left: 4px">another</p>
  <p class="nba-far" style="position: absolute; top: 120px; left: 900px">far away</p>
</div>"""


def test_the_measures_see_what_is_wrong(browser: Browser) -> None:
    with states_page(browser) as page:
        page.use("bare-light")
        told: dict[str, object] = {"how": "html", "value": BAD, "opens": [], "waits": "", "zoom": 1}
        page.page.evaluate("told => states.show(told, 700)", told)
        faint = page.asked("faint")
        assert "faint “faint words” has contrast 2.85" in faint
        misplaced = page.asked("misplaced")
        assert misplaced == [
            "cut “words-that-are-cut” is cut",
            "far “far away” stands outside: 900 to 937 px",
            "“one over” and “another” overlap",
        ]
        boxes, colours = page.asked("boxes"), page.asked("colours")
        assert colours["card"] == ["on #ffffff"]
        assert colours["one"] == ["#999999"]
        page.page.evaluate("states.root().querySelector('.nba-one').style.left = '9px'")
        moved = page.asked("boxes")
    said = "one “one over”: was at 0, 126: 62 × 16, is at 9, 126: 62 × 16"
    assert box_differences(boxes, moved) == [said]
    seen = {"card on #ffffff": "bad 700"}
    now = {"card": ["on #ffffff"]}
    assert colour_differences({"card": ["on #000000"]}, now, seen) == [
        "card: no longer on #000000",
        "card: now also on #ffffff, in bad 700",
    ]
