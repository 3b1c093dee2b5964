"""Pictures of states: those that are committed small and in grey, and those of the docs."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageChops

from tests.browser.states.page import Theme, states_page
from tests.browser.states.pictures import IMAGES, LAB, MOST_BYTES, OF_STATES, SHADES, named_by_docs
from tests.browser.states.state import STATES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

__all__ = ["CHROMIUM", "PIXELS", "differences", "small_pictures", "write_docs", "write_pixels"]

PIXELS = Path(__file__).parent / "pixels"
CHROMIUM = PIXELS / "chromium.txt"
"""With which Chromium the pictures were made; others draw letters a little differently."""
SHOTS = IMAGES.parents[1] / "build" / "screenshots"
GREYS = 16
DIFFERS = 48
"""How much brighter or darker a pixel must be to count, of 255."""
COUNTS = [255 if one > DIFFERS else 0 for one in range(256)]
SHARE = 0.002
"""So many of the pixels may differ."""
COLOURS = 128


def small(png: bytes) -> Image.Image:
    """A picture at half its size, in a few greys."""
    full = Image.open(io.BytesIO(png)).convert("L")
    half = full.resize((full.width // 2, full.height // 2), Image.Resampling.BOX)
    return half.quantize(GREYS)


def small_pictures(browser: Browser) -> Iterator[tuple[str, Image.Image]]:
    """Each state in its first width, by name."""
    with states_page(browser) as page:
        page.use("lab-light")
        for state in STATES:
            page.show(state, state.widths[0])
            yield state.name, small(page.picture())


def write_pixels(browser: Browser) -> None:
    """Commit pictures of all states, and which Chromium has drawn them."""
    PIXELS.mkdir(exist_ok=True)
    for old in PIXELS.glob("*.png"):
        old.unlink()
    for name, picture in small_pictures(browser):
        picture.save(PIXELS / f"{name}.png", optimize=True)
    CHROMIUM.write_text(browser.version + "\n", encoding="utf-8")


def differences(name: str, now: Image.Image) -> list[str]:
    """What is wrong with a picture, in words."""
    path = PIXELS / f"{name}.png"
    if not path.is_file():
        return [f"{name}: there is no picture of it yet"]
    was, seen = Image.open(path).convert("L"), now.convert("L")
    if was.size != seen.size:
        return [f"{name}: was {was.size}, is {seen.size} pixels"]
    changed = ImageChops.difference(was, seen).point(COUNTS)
    count = changed.histogram()[255]
    if count <= SHARE * was.width * was.height:
        return []
    return [f"{name}: {count} pixels differ, within {changed.getbbox()}"]


def write_docs(browser: Browser) -> None:
    """Write the pictures of the docs: of states, and what tests have taken of JupyterLab.

    Raises:
        ValueError: A picture is larger than pictures of the docs may be.
    """
    by_name = {state.name: state for state in STATES}
    themes: dict[str, Theme] = {"light": "lab-light", "dark": "lab-dark"}
    with states_page(browser) as page:
        for name, shown in OF_STATES.items():
            page.show(by_name[shown], 700)
            for shade, theme in themes.items():
                page.use(theme)
                keep(page.picture(), f"{name}-{shade}")
    for name, taken in LAB.items():
        for shade in SHADES:
            keep((SHOTS / f"{taken.shot}-{shade}.png").read_bytes(), f"{name}-{shade}")


def keep(png: bytes, name: str) -> None:
    """Write one picture, in few colours, if the docs show it."""
    path = IMAGES / f"{name}.png"
    if path.name not in named_by_docs():
        return
    Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS).save(path, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path} has more than {MOST_BYTES} bytes: show less of it.")
