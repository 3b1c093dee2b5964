"""Who is on the other side: whether a page is watching, and by which way its messages come."""

from __future__ import annotations

import os
from typing import Any, Final

from nbagents_widgets.messages import is_mapping

__all__ = ["is_watched", "keep_own_subshell", "kernel_here"]

FRONTEND: Final = "NBAGENTS_FRONTEND"
"""`live` or `static` decides; unset or `auto` asks the kernel."""


def is_watched() -> bool:
    """Whether a page shows widgets for what is running now.

    A front end says with each request whether it can ask a person for input. JupyterLab, Notebook
    and VS Code can; nbclient, and with it nbconvert, papermill and nbval, cannot. A host that shows
    widgets without being able to ask, like Voilà, needs `NBAGENTS_FRONTEND=live`.

    Raises:
        ValueError: `NBAGENTS_FRONTEND` is neither of its values.
    """
    wanted = os.environ.get(FRONTEND, "auto")
    if wanted in ("live", "static"):
        return wanted == "live"
    if wanted not in ("", "auto"):
        raise ValueError(
            f"{FRONTEND}={wanted!r} means nothing. Set it to 'live', 'static' or 'auto'."
        )
    return _asks_for_input(kernel_here())


def keep_own_subshell(comm: Any) -> None:  # a comm has no common type across kernels
    """Let a page's messages on this comm come by the subshell that the page chose.

    Since ipykernel 7.4 they go to the shell that last sent on the comm instead: to the main one,
    which is busy for as long as a run is. Elsewhere this does nothing.

    Source: ipykernel 7.4, `ipykernel/comm/comm.py`, `BaseComm._reply_subshell_for`.
    """
    if hasattr(comm, "_reply_subshell_for"):
        comm._reply_subshell_for = _chosen_by_page  # noqa: SLF001  there is no public way


def _chosen_by_page(data: object, default: str | None) -> str | None:
    del data
    return default


def kernel_here() -> Any:  # IPython types neither the shell nor its kernel
    """The kernel that this process is; `None` in a terminal, and where IPython is not."""
    from IPython.core.getipython import get_ipython  # also asked where IPython is not

    return getattr(get_ipython(), "kernel", None)


def _asks_for_input(kernel: Any) -> bool:
    if kernel is None:
        return False  # a terminal, or plain Python
    try:
        request = kernel.get_parent("shell")
    except (AttributeError, LookupError):  # an older kernel; a thread without a cell's context
        request = getattr(kernel, "_parent_header", {})
    content = request.get("content") if is_mapping(request) else None
    return is_mapping(content) and content.get("allow_stdin") is True
