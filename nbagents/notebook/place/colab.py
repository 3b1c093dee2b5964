"""The notebook of a kernel in Google Colab, which has no file there: Colab is asked for it.

Source: googlecolab, colabtools, `blocking_request` of `google.colab._message`.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any, Final, cast

COLAB: Final = "google.colab"
LONGEST_S: Final = 20


def notebook_in_colab() -> dict[str, Any] | None:  # Any: nbformat's JSON
    """What the notebook holds; `None`: this is not Colab, or it does not say."""
    if COLAB not in sys.modules:
        return None
    try:
        message: Any = importlib.import_module(f"{COLAB}._message")
        said: Any = message.blocking_request("get_ipynb", request="", timeout_sec=LONGEST_S)
    except Exception:  # noqa: BLE001  of another's private room: then no recording is known
        return None
    notebook = cast("dict[str, Any]", said).get("ipynb") if isinstance(said, dict) else None
    return cast("dict[str, Any]", notebook) if isinstance(notebook, dict) else None
