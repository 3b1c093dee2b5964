"""Counts and sizes in words, the same in what a model is told and in what people see."""

from __future__ import annotations

KILO = 1_000


def counted(count: int, noun: str) -> str:
    """A count with its noun: `1 call`, `3 calls`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def size(size_bytes: int) -> str:
    """A size: `312 bytes`, `45.2 kB`, `3.1 MB`, `2.0 GB`."""
    if size_bytes < KILO:
        return counted(size_bytes, "byte")
    if size_bytes < 999_950:
        return f"{size_bytes / KILO:.1f} kB"
    if size_bytes < 999_950_000:
        return f"{size_bytes / KILO**2:.1f} MB"
    return f"{size_bytes / KILO**3:.1f} GB"
