"""Names that a model may have meant: those that end so, and those that are written alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

BORDER: Final = "_-"
"""What stands between the part of a name that a model may leave out, and the rest."""
LIKE: Final = 0.25
"""How much of two names must be the same for one to be told where the other was asked for."""
FEW: Final = 500
"""Up to so many names are compared letter by letter, which takes its time."""
PIECE: Final = 3
"""Characters that are compared at once."""


def ending_in(asked: str, names: Iterable[str]) -> list[str]:
    """The names whose last part is this one; the letters' case is of no account.

    Example:
        >>> ending_in("GetPet", ["store__getpet", "getpet", "forgetpet"])
        ['store__getpet']
    """
    end = asked.lower()
    return [name for name in names if _is_end(end, name.lower())] if end else []


def _is_end(end: str, name: str) -> bool:
    return name.endswith(end) and len(name) > len(end) and name[-len(end) - 1] in BORDER


def written_like(asked: str, names: Iterable[str], k: int) -> list[str]:
    """The names that have most pieces in common with this one, the nearest first.

    Example:
        >>> written_like("wether_now", ["stock_price", "weather_now", "weather_then"], 1)
        ['weather_now']
    """
    listed = list(names)
    if len(listed) <= FEW:
        import difflib  # only a mistake pays for it

        return difflib.get_close_matches(asked, listed, n=k)
    word = asked.lower()
    pieces = {word[at : at + PIECE] for at in range(max(1, len(word) - PIECE + 1))}
    found: list[tuple[float, str]] = []
    for name in listed:
        low = name.lower()
        both = sum(piece in low for piece in pieces)
        share = both / (len(pieces) + max(0, len(low) - PIECE + 1) - both) if both else 0.0
        if share >= LIKE:
            found.append((-share, name))
    return [name for _, name in sorted(found)[:k]]
