"""Jupyter's signatures: a notebook that has one is shown with its HTML and its views."""

from __future__ import annotations

import importlib
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

UNSIGNED: Final = (ImportError, OSError, ValueError, KeyError)
"""What comes of a notary that is not there, or cannot work: then a person trusts it by hand."""

# Any in this file: nbformat and jupyter_core have no types.


def is_trusted(notebook: Any) -> bool:
    """Whether the outputs of a notebook were signed as they are."""
    with suppress(*UNSIGNED):
        return bool(_notary().check_signature(notebook))
    return False


def sign(notebook: Any) -> None:
    """Sign the outputs of a notebook; where that cannot be, it stays as it is."""
    with suppress(*UNSIGNED):
        _notary().sign(notebook)


def _notary() -> Any:
    """Jupyter's; nbformat before 5.11 needs its folder, which Jupyter makes when it first runs."""
    data = Path(importlib.import_module("jupyter_core.paths").jupyter_data_dir())
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    return importlib.import_module("nbformat.sign").NotebookNotary()
