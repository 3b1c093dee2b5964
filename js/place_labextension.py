"""Puts the bundles as they are now where this environment's JupyterLab finds its extensions.

An editable installation has copied them there once; links would not do, since the server refuses to
follow them out of that folder. Run by `make install`, `make demo` and `make bundles`.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "widgets" / "nbagents_widgets"
PLACE = Path(sys.prefix) / "share" / "jupyter" / "labextensions" / "nbagents"


def place(target: Path) -> None:
    """Copy the extension's description and its bundles into a folder, and nothing else."""
    for source, folder in (
        (PACKAGE / "labextension", target),
        (PACKAGE / "static", target / "static"),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        for path in source.iterdir():
            if path.is_file():
                shutil.copy2(path, folder)


if __name__ == "__main__":
    place(PLACE)
