"""Online tiles: where they come from, and whom to thank. Only the person's own code names them."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["PRESETS", "tiles_of"]

PRESETS: Final = {
    "osm": ("https://tile.openstreetmap.org/{z}/{x}/{y}.png", "© OpenStreetMap contributors"),
    "topo": (
        "https://tile.opentopomap.org/{z}/{x}/{y}.png",
        "© OpenStreetMap contributors, SRTM; map style © OpenTopoMap (CC-BY-SA)",
    ),
}
"""Name to template and attribution. Sources: the tile usage policies of openstreetmap.org and
opentopomap.org."""

TEMPLATE: Final = re.compile(r"https?://[^\s\"'<>\\]+")
PARTS: Final = ("{z}", "{x}", "{y}")


def tiles_of(tiles: str | None, attribution: str | None) -> dict[str, str]:
    """What the page is told of online tiles; nothing where there are to be none.

    Args:
        tiles: A preset's name, or a template like `https://…/{z}/{x}/{y}.png`.
        attribution: Whom to thank, as text; a preset knows that.

    Raises:
        ValueError: It is neither a preset nor a template, or nobody is thanked.
    """
    if tiles is None:
        return {}
    if tiles in PRESETS:
        url, thanks = PRESETS[tiles]
        return {"url": url, "attribution": attribution or thanks}
    if not TEMPLATE.fullmatch(tiles) or not all(part in tiles for part in PARTS):
        known = " or ".join(repr(name) for name in PRESETS)
        like = "a template like 'https://…/{z}/{x}/{y}.png'"
        raise ValueError(f"tiles is {known}, or {like}, not {tiles!r}.")
    if not attribution:
        raise ValueError("Say whose tiles these are: MapView(tiles=…, attribution='© …').")
    return {"url": tiles, "attribution": attribution}
