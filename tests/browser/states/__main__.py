"""Commits what the states look like now, or writes pictures of them to look at.

`python -m tests.browser.states --write` renews boxes, colours and pictures; `--docs` the
pictures of the docs; `--look` writes a picture of each state in each width into build/states.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from tests.browser.chromium import FLAGS, chromium
from tests.browser.states.committed import BOXES, COLOURS, write
from tests.browser.states.page import Theme, states_page
from tests.browser.states.pictures import LAB
from tests.browser.states.pixels import write_docs, write_pixels
from tests.browser.states.state import STATES
from tests.browser.states.survey import survey_of

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from playwright.sync_api import Browser

LOOK = Path(__file__).resolve().parents[3] / "build" / "states"
LOOKED_AT: tuple[Theme, ...] = ("lab-light", "lab-dark", "forced")


@contextmanager
def opened() -> Generator[Browser]:
    """A Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield browser
        browser.close()


def commit(browser: Browser) -> None:
    """Write boxes and colours anew, and say what is wrong with the states."""
    survey = survey_of(browser, {})
    write(BOXES, survey.boxes)
    colours = {
        theme: {name: sorted(found) for name, found in sorted(names.items())}
        for theme, names in survey.colours.items()
    }
    write(COLOURS, colours)
    write_pixels(browser)
    sys.stdout.write("\n".join([*survey.faults, ""]))


def take_pictures_of_lab() -> None:
    """Run the tests that take pictures of JupyterLab."""
    tests = sorted({f"tests/browser/{taken.test}" for taken in LAB.values()})
    command = [sys.executable, "-m", "pytest", "--quiet", "-m", "not slow", *tests]
    subprocess.run(command, check=True)


def look(browser: Browser, names: Sequence[str]) -> None:
    """Write pictures of states, of all or of those named."""
    LOOK.mkdir(parents=True, exist_ok=True)
    with states_page(browser) as page:
        for state in STATES:
            for width_px in state.widths if not names or state.name in names else ():
                page.show(state, width_px)
                for theme in LOOKED_AT:
                    page.use(theme)
                    path = LOOK / f"{state.name}-{width_px}-{theme}.png"
                    path.write_bytes(page.picture())


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.states", description=__doc__)
    parser.add_argument("--write", action="store_true", help="commit what states look like now")
    parser.add_argument("--look", nargs="*", metavar="STATE", help="write pictures into build")
    parser.add_argument("--docs", action="store_true", help="write docs/images")
    given = parser.parse_args()
    with opened() as browser:
        if given.write:
            commit(browser)
        if given.docs:
            take_pictures_of_lab()
            write_docs(browser)
        if given.look is not None:
            look(browser, given.look)


if __name__ == "__main__":
    main()
