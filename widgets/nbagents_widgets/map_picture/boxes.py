"""Boxes on a world that goes round, kept by cells, so that a thousand of them are asked quickly."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

CELL_PX: Final = 64


@dataclass(frozen=True, slots=True)
class MiddleBox:
    """A box by its middle and half of its size."""

    x: float
    y: float
    across: float
    down: float

    def moved(self, right: float, lower: float) -> MiddleBox:
        """The box elsewhere."""
        return MiddleBox(self.x + right, self.y + lower, self.across, self.down)


class Boxes:
    """The boxes that are taken on a world of some width in pixels."""

    def __init__(self, world: float) -> None:
        self._world = world
        self._columns = max(1, math.floor(world / CELL_PX + 0.5))
        self._cell = world / self._columns
        self._cells: defaultdict[int, list[MiddleBox]] = defaultdict(list)

    def add(self, box: MiddleBox) -> None:
        """Take it."""
        for key in self._keys(box):
            self._cells[key].append(box)

    def is_free(self, box: MiddleBox) -> bool:
        """Whether it covers none of the others, in any copy of the world."""
        others = (other for key in self._keys(box) for other in self._cells.get(key, ()))
        is_clear = not any(overlap(box, other, self._world) for other in others)
        return is_clear and 2 * box.across <= self._world

    def _keys(self, box: MiddleBox) -> Iterator[int]:
        last = math.floor((box.x + box.across) / self._cell)
        floor = math.floor((box.y + box.down) / CELL_PX)
        for row in range(math.floor((box.y - box.down) / CELL_PX), floor + 1):
            for column in range(math.floor((box.x - box.across) / self._cell), last + 1):
                yield row * self._columns + column % self._columns


def touch(one: MiddleBox, other: MiddleBox) -> bool:
    """Whether two boxes of one view overlap."""
    return (
        abs(one.x - other.x) < one.across + other.across
        and abs(one.y - other.y) < one.down + other.down
    )


def box_of(left: float, top: float, width: float, height: float) -> MiddleBox:
    """A box by its left top corner and its size."""
    return MiddleBox(left + width / 2, top + height / 2, width / 2, height / 2)


def overlap(one: MiddleBox, other: MiddleBox, world: float) -> bool:
    """Whether two boxes overlap on a world of this width."""
    off = one.x - other.x
    apart = abs(off - world * math.floor(off / world + 0.5))
    return apart < one.across + other.across and abs(one.y - other.y) < one.down + other.down
