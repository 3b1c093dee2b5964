"""Which kernel runs a notebook: the one that is asked for, else its own, else `python3`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from nbagents.errors import did_you_mean
from nbagents.execution.document import NotebookFileError
from nbagents.narrowing import is_dict

USUAL: Final = "python3"


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelChoice:
    """A kernel that is installed."""

    name: str
    is_python: bool
    note: str = ""
    """What the person is told of it; nothing where the notebook named it."""


def choose_kernel(notebook: Any, wanted: str | None = None) -> KernelChoice:
    """Choose a kernel for a notebook.

    Args:
        notebook: nbformat's notebook (Any: it has no types).
        wanted: The name of a kernel; `None`: what the notebook says.

    Raises:
        NotebookFileError: There is no such kernel, or nothing says which it takes.
    """
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel  # slow to import

    named = wanted or _field(notebook, "kernelspec", "name")
    language = _field(notebook, "kernelspec", "language") or _field(
        notebook, "language_info", "name"
    )
    if not named and language not in ("", "python"):
        raise NotebookFileError(
            f"It names no kernel, and its language is {language!r}: choose one with --kernel."
        )
    manager = KernelSpecManager()
    try:
        spec: Any = manager.get_kernel_spec(named or USUAL)
    except NoSuchKernel as error:
        there = sorted(manager.find_kernel_specs())
        raise NotebookFileError(
            f"There is no kernel {named or USUAL!r} here.{did_you_mean(named, there)}"
            + (" Choose one with --kernel." if there else " Install ipykernel.")
        ) from error
    note = "" if named else f"It names no kernel, so {USUAL} runs it."
    return KernelChoice(
        name=named or USUAL, is_python=str(spec.language).lower() == "python", note=note
    )


def _field(notebook: Any, part: str, name: str) -> str:
    """A text of the notebook's metadata; anything may stand there."""
    inner = notebook.metadata.get(part)
    value = inner.get(name) if is_dict(inner) else None
    return value if isinstance(value, str) else ""
