"""Cutting rings and lines to a box, and leaving out points that no one would miss."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle, in pixels."""

    left: float
    top: float
    right: float
    bottom: float


def clipped_ring(ring: Sequence[Point], box: Box) -> list[Point]:
    """A closed ring cut to the box. Source: Sutherland and Hodgman, CACM 17 (1974)."""
    kept = list(ring)
    for inside, crossing in _edges(box):
        kept = _cut(kept, inside, crossing)
    return kept


def clipped_line(line: Sequence[Point], box: Box) -> list[list[Point]]:
    """An open line cut to the box: the pieces that are in it."""
    pieces: list[list[Point]] = []
    for start, end in itertools.pairwise(line):
        part = _clipped_segment(start, end, box)
        if part is None:
            continue
        if pieces and pieces[-1][-1] == part[0]:
            pieces[-1].append(part[1])
        else:
            pieces.append(list(part))
    return pieces


def simplified(line: Sequence[Point], tolerance: float) -> list[Point]:
    """The line with fewer points, nowhere farther off than the tolerance.

    Source: Douglas and Peucker, Cartographica 10 (1973), without recursion.
    """
    kept = {0, len(line) - 1}
    spans = [(0, len(line) - 1)]
    while spans:
        first, last = spans.pop()
        offsets = [_off(line[at], line[first], line[last]) for at in range(first + 1, last)]
        if offsets and (most := max(offsets)) > tolerance:
            middle = first + 1 + offsets.index(most)
            kept.add(middle)
            spans += [(first, middle), (middle, last)]
    return [line[at] for at in sorted(kept)]


def _edges(box: Box) -> list[tuple[Callable[[Point], bool], Callable[[Point, Point], Point]]]:
    def at_x(edge: float) -> Callable[[Point, Point], Point]:
        return lambda a, b: (edge, a[1] + (edge - a[0]) / (b[0] - a[0]) * (b[1] - a[1]))

    def at_y(edge: float) -> Callable[[Point, Point], Point]:
        return lambda a, b: (a[0] + (edge - a[1]) / (b[1] - a[1]) * (b[0] - a[0]), edge)

    return [
        (lambda point: point[0] >= box.left, at_x(box.left)),
        (lambda point: point[0] <= box.right, at_x(box.right)),
        (lambda point: point[1] >= box.top, at_y(box.top)),
        (lambda point: point[1] <= box.bottom, at_y(box.bottom)),
    ]


def _cut(
    ring: list[Point],
    inside: Callable[[Point], bool],
    crossing: Callable[[Point, Point], Point],
) -> list[Point]:
    kept: list[Point] = []
    for before, point in zip(ring[-1:] + ring[:-1], ring, strict=True):
        if inside(before) != inside(point):
            kept.append(crossing(before, point))
        if inside(point):
            kept.append(point)
    return kept


def _clipped_segment(start: Point, end: Point, box: Box) -> tuple[Point, Point] | None:
    """Source: Liang and Barsky, ACM Transactions on Graphics 3 (1984)."""
    (x, y), dx, dy = start, end[0] - start[0], end[1] - start[1]
    enter, leave = 0.0, 1.0
    for step, room in (
        (-dx, x - box.left),
        (dx, box.right - x),
        (-dy, y - box.top),
        (dy, box.bottom - y),
    ):
        if step == 0 and room < 0:
            return None
        if step < 0:
            enter = max(enter, room / step)
        elif step > 0:
            leave = min(leave, room / step)
    if enter > leave:
        return None
    first = start if enter == 0 else (x + enter * dx, y + enter * dy)
    return first, end if leave == 1 else (x + leave * dx, y + leave * dy)


def _off(point: Point, start: Point, end: Point) -> float:
    """How far the point is from the segment."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = 0.0
    if length:
        along = ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length
        along = max(0.0, min(1.0, along))
    off_x, off_y = point[0] - start[0] - along * dx, point[1] - start[1] - along * dy
    return float((off_x * off_x + off_y * off_y) ** 0.5)
