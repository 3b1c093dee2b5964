"""Where names stand so that none covers another, nor a pin: the same as on the page."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from nbagents_widgets.map_picture.boxes import Boxes, MiddleBox, touch
from nbagents_widgets.map_picture.width import width_px
from nbagents_widgets.world import Name, NameKind, world_names, world_px

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from nbagents_widgets.map_picture.grid import View

PIN_FONT_PX: Final = 12
FONT_PX: Final = 11
LINE_PX: Final = 13
PAD_PX: Final = 2

Side: TypeAlias = Literal["middle", "right", "left", "above", "below"]
SIDES: Final[tuple[Side, ...]] = ("right", "left", "above", "below")

DOT: Final = MiddleBox(0, 0, 3, 3)
HEAD: Final = MiddleBox(0, -10.5, 8, 11.5)


@dataclass(frozen=True, slots=True)
class Reach:
    """Where the text begins or ends beside a place, and where its middle stands."""

    beside: float
    level: float
    above: float
    below: float


TOWN: Final = Reach(5, 0, -10, 10)
PIN: Final = Reach(11, -14, -31, 9)
"""Beside the pin's head; its foot is the place."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A name that has its place, in pixels of the world, or of the view."""

    name: Name
    side: Side
    x: float
    y: float
    """The place that is named."""
    box: MiddleBox
    """The text."""


@dataclass(frozen=True, slots=True)
class Placement:
    """All names of a zoom level."""

    world: float
    placed: tuple[Placed, ...]
    boxes: Boxes
    pin_boxes: Boxes
    """Of the pins and their labels only."""


def placement(pins: Sequence[Name], zoom: float) -> Placement:
    """Give places: to the pins' heads, to their labels, and then to the names, in their order."""
    world = world_px(zoom)
    boxes, pin_boxes = Boxes(world), Boxes(world)
    for pin in pins:
        head = HEAD.moved(pin.x * world, pin.y * world)
        boxes.add(head)
        pin_boxes.add(head)
    labels = list(_places(pins, world, boxes))
    for label in labels:
        pin_boxes.add(label.box)
    shown = (name for name in world_names() if name.is_shown(zoom))
    return Placement(world, (*labels, *_places(shown, world, boxes)), boxes, pin_boxes)


def in_view(whole: Placement, view: View, furniture: Sequence[MiddleBox]) -> list[Placed]:
    """What of it a view shows, in pixels of the view, once for each copy of the world.

    Names are left out where the edge or the furniture of the map would cut them; pins keep their
    labels.
    """
    turned = Boxes(whole.world)

    def is_clear(box: MiddleBox) -> bool:
        return _is_inside(box, view) and not any(touch(one, box) for one in furniture)

    seen: list[Placed] = []
    for one in whole.placed:
        is_pin = one.name.kind == "pin"
        others = whole.pin_boxes if is_pin else whole.boxes
        for shift in _shifts(one, view):
            right, down = shift * whole.world - view.left, -view.top

            def is_whole(box: MiddleBox, right: float = right, down: float = down) -> bool:
                return is_clear(box.moved(right, down))

            best = _inside_out(one, is_whole, others, turned)
            is_covered = best is one and not turned.is_free(one.box)  # by a label that was turned
            if is_pin or (is_whole(best.box) and not is_covered):
                box = best.box.moved(right, down)
                seen.append(replace(best, x=one.x + right, y=one.y + down, box=box))
    return seen


def _places(wanted: Iterable[Name], world: float, boxes: Boxes) -> Iterator[Placed]:
    found = (_place(name, world, boxes) for name in wanted)
    return (one for one in found if one is not None)


def _place(name: Name, world: float, boxes: Boxes) -> Placed | None:
    x, y = name.x * world, name.y * world
    is_town = name.kind in {"town", "capital"}
    dot = DOT.moved(x, y)
    if not name.lines or (is_town and not boxes.is_free(dot)):
        return None
    sides: tuple[Side, ...] = SIDES if is_town or name.kind == "pin" else ("middle",)
    for side in sides:
        box = _text_box(name, side, x, y)
        if not boxes.is_free(box):
            continue
        boxes.add(box)
        if is_town:
            boxes.add(dot)
        return Placed(name, side, x, y, box)
    return None


def _text_box(name: Name, side: Side, x: float, y: float) -> MiddleBox:
    across = max(_line_px(line, name.kind) for line in name.lines) / 2
    reach = PIN if name.kind == "pin" else TOWN
    right, down = {
        "middle": (0.0, 0.0),
        "right": (reach.beside + across, reach.level),
        "left": (-reach.beside - across, reach.level),
        "above": (0.0, reach.above),
        "below": (0.0, reach.below),
    }[side]
    return MiddleBox(x + right, y + down, across + PAD_PX, len(name.lines) * LINE_PX / 2)


def _line_px(line: str, kind: NameKind) -> float:
    is_pin = kind == "pin"
    return width_px(line, PIN_FONT_PX if is_pin else FONT_PX, is_bold=is_pin or kind == "country")


def _shifts(one: Placed, view: View) -> Iterable[int]:
    """In which copies of the world a name may be seen, on either side of its place."""
    box, is_pin = one.box, one.name.kind == "pin"
    if not -box.down <= box.y - view.top <= view.height + box.down:
        return ()
    reach = PIN.beside + 2 * box.across if is_pin else box.across
    middle = one.x if is_pin else box.x
    first = math.ceil((view.left - middle - reach) / view.world)
    last = math.floor((view.left + view.width - middle + reach) / view.world)
    return range(first, last + 1)


def _inside_out(
    one: Placed, is_whole: Callable[[MiddleBox], bool], boxes: Boxes, turned: Boxes
) -> Placed:
    """What would be cut stands on its other side, where there is room."""
    if one.side not in {"right", "left"} or is_whole(one.box):
        return one
    other: Side = "left" if one.side == "right" else "right"
    box = _text_box(one.name, other, one.x, one.y)
    if not is_whole(box) or not boxes.is_free(box) or not turned.is_free(box):
        return one
    turned.add(box)
    return replace(one, side=other, box=box)


def _is_inside(box: MiddleBox, view: View) -> bool:
    return (
        box.across <= box.x <= view.width - box.across
        and box.down <= box.y <= view.height - box.down
    )
