"""The kernel's main loop: what runs on it between two cells, and whether a cell runs.

It leans on private names of ipykernel, which `tests/kernels` holds against several releases.
"""

from __future__ import annotations

import builtins
import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Generator

# Any in this file: ipykernel is untyped.


def main_loop_of(kernel: Any) -> asyncio.AbstractEventLoop | None:
    """The loop that the kernel's main thread runs; `None` without a kernel."""
    return getattr(getattr(kernel, "io_loop", None), "asyncio_loop", None)


def is_in_cell(kernel: Any) -> bool:
    """Whether a cell runs, also one that awaits: then `input` is the kernel's."""
    return getattr(builtins.input, "__self__", None) is kernel


def asks_page() -> bool:
    """Whether `input()` asks the page; between cells it is Python's own."""
    return getattr(builtins.input, "__self__", None) is not builtins


def is_watched() -> bool:
    """Whether a page shows what the cell that runs says; one run headless takes no input."""
    kernel = getattr(builtins.input, "__self__", None)
    return bool(getattr(kernel, "_allow_stdin", False))


def say_busy(kernel: Any) -> None:
    """Have the kernel say that it is busy, where it can."""
    publish = getattr(kernel, "_publish_status", None)
    if publish is not None:
        publish("busy", "shell")


@contextlib.contextmanager
def between_cells(kernel: Any) -> Generator[None]:
    """Have the kernel say that it is busy, and then what it was before."""
    publish = getattr(kernel, "_publish_status", None)
    if publish is None:
        yield
        return
    publish("busy", "shell")
    try:
        yield
    finally:
        publish("busy" if is_in_cell(kernel) else "idle", "shell")
