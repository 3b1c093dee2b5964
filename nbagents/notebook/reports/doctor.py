"""`%nbagents doctor`: what works here and what does not, and what to do. Nothing is sent."""

from __future__ import annotations

import os
import platform
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from nbagents_widgets.frontend import is_watched

from nbagents.errors import ModelError
from nbagents.installation import DISTRIBUTION, MEND, conflict
from nbagents.models.openai import account_of
from nbagents.notebook.kernel import kernel_of
from nbagents.notebook.markup import Report, report_bundle
from nbagents.notebook.reports.access import access_of
from nbagents.runs.state import state_folder
from nbagents.runs.wording import size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.notebook.live import Workplace

EXTENSION = Path("labextensions") / "nbagents" / "package.json"
PACKAGES = (DISTRIBUTION, "ipython", "ipykernel", "anywidget", "ipywidgets", "openai", "pydantic")
LARGE_LOG = 1_000_000_000


class Found(NamedTuple):
    """What one look has found."""

    said: str
    advice: str = ""
    """What to do about it; empty where nothing need be done."""
    is_note: bool = False
    """Whether it may well be right as it is, and is worth knowing."""

    @property
    def state(self) -> Literal["ok", "note", "problem"]:
        """How it is."""
        return "problem" if self.advice else "note" if self.is_note else "ok"

    @property
    def words(self) -> str:
        """What was found, and what to do."""
        return f"{self.said} {self.advice}".strip()


def show_doctor(place: Workplace) -> None:
    """Show what was found."""
    found = examine(place)
    problems = sum(one.state == "problem" for one in found.values())
    title = "All is well" if not problems else f"{problems} of {len(found)} need attention"
    rows = [(name, one.state, one.words) for name, one in found.items()]
    head = ("What", "State", "Found")
    place.host.publish(report_bundle(Report(title=title, head=head, rows=rows)))


def examine(place: Workplace) -> Mapping[str, Found]:
    """Look at everything, by name; what breaks while it is looked at is a problem too."""
    return {name: _looked_at(look, place) for name, look in CHECKS.items()}


def _looked_at(look: Callable[[Workplace], Found], place: Workplace) -> Found:
    try:
        return look(place)
    except Exception as error:  # noqa: BLE001  a doctor tells what is broken, and does not break
        return Found(f"{type(error).__name__}: {error}.", "This could not be looked at.")


def _front_end(place: Workplace) -> Found:
    if kernel_of(place.shell) is None:
        return Found("A terminal: runs are printed as text.")
    mode = place.config.value("display")
    if is_watched():
        how = "as they happen" if mode in ("auto", "live") else f"by NbAgents.display = {mode!r}"
        return Found(f"A page is watching, and runs are shown {how}.")
    return Found(
        "Nobody is watching: runs are shown when they have ended. If somebody is, as with Voilà,"
        " set NBAGENTS_FRONTEND=live."
    )


def _kernel(place: Workplace) -> Found:
    kernel = kernel_of(place.shell)
    if kernel is None:
        return Found("None: IPython runs by itself.")
    version = _version("ipykernel")
    if _strands_requests(kernel):
        return Found(
            f"ipykernel {version}: clicks are heard while a cell runs, but now and then the kernel"
            " never reads what was sent while it replied, a cell or a click.",
            advice="pip install 'ipykernel>=7.4'",
        )
    if _has_main_stream(kernel):
        return Found(f"ipykernel {version}: clicks are heard while a cell runs.")
    return Found(
        f"ipykernel {version}: clicks are heard only when the cell is done, because this kernel"
        " is not built as those that nbagents knows.",
        advice="Use ipykernel 6.30 to 7.4, or the Stop button of the notebook.",
    )


def _widgets(place: Workplace) -> Found:
    if kernel_of(place.shell) is None:
        return Found("None are needed.")
    missing = [name for name in ("anywidget", "ipywidgets") if not _version(name)]
    if missing:
        return Found(
            f"{' and '.join(missing)} cannot be imported.", f"pip install {' '.join(missing)}"
        )
    if _data_path(Path("labextensions") / "@jupyter-widgets" / "jupyterlab-manager") is None:
        return Found(
            "The kernel's side is here; that of the page was not found in the kernel's own"
            " environment, which is right where the server has another one.",
            is_note=True,
        )
    return Found(f"anywidget {_version('anywidget')}, ipywidgets {_version('ipywidgets')}.")


def _extension(place: Workplace) -> Found:
    if kernel_of(place.shell) is None:
        return Found("None is needed.")
    found = _data_path(EXTENSION)
    if found is not None:
        return Found("The JupyterLab extension is installed: saved runs open as they were.")
    return Found(
        "The JupyterLab extension was not found in the kernel's own environment: without it a saved"
        " run is shown as plain HTML. Where the server has another environment, install"
        f" {DISTRIBUTION} there too.",
        is_note=True,
    )


def _model(place: Workplace) -> Found:
    access = access_of(place.config)
    said = f"{access.model}, because {access.why}."
    if access.is_offline or access.has_key or access.is_local:
        return Found(said)
    return Found(said, "It needs a key: set OPENAI_API_KEY, or choose another with -m offline.")


def _key(place: Workplace) -> Found:
    access = access_of(place.config)
    if not access.has_key:
        why = "the offline model needs none" if access.is_offline else "see the model"
        return Found(f"{access.key_in_words[0].upper()}{access.key_in_words[1:]}; {why}.")
    try:
        account_of("https://localhost", os.environ["OPENAI_API_KEY"].strip(), 1.0, 0)
    except ModelError as error:
        return Found(str(error), "Nothing can be sent with it.")
    return Found(f"{access.key_in_words[0].upper()}{access.key_in_words[1:]}.")


def _base_url(place: Workplace) -> Found:
    access = access_of(place.config)
    if access.host is None:
        return Found(
            f"{access.url_source} is no base URL, or holds a user or a password.",
            advice="It must look like https://api.openai.com/v1.",
        )
    where = "the default" if access.url_source == "default" else access.url_source
    return Found(f"Requests go to {access.host} ({where}); that was not tried.")


def _log(_place: Workplace) -> Found:
    folder = state_folder()
    nearest = next(one for one in (folder, *folder.parents) if one.exists())
    if not (nearest.is_dir() and os.access(nearest, os.W_OK)):
        return Found(
            f"{folder} cannot be written: runs are kept in a temporary folder.",
            advice="Set NBAGENTS_STATE_DIR to a folder that can be written.",
        )
    files = [folder / f"log.sqlite3{end}" for end in ("", "-wal")]
    written = sum(file.stat().st_size for file in files if file.is_file())
    said = f"{folder / 'log.sqlite3'}, {size(written)}."
    if written > LARGE_LOG:
        return Found(
            said, "It is large: delete the file while no kernel runs, and runs begin a new one."
        )
    return Found(said)


def _versions(_place: Workplace) -> Found:
    found = [f"{name} {version}" for name in PACKAGES if (version := _version(name))]
    said = f"{', '.join(found)}, Python {platform.python_version()} on {sys.platform}."
    if mixed := conflict():
        return Found(f"{said} {mixed}", MEND)
    return Found(said)


CHECKS: dict[str, Callable[[Workplace], Found]] = {
    "Front end": _front_end,
    "Kernel": _kernel,
    "Widgets": _widgets,
    "Extension": _extension,
    "Model": _model,
    "Key": _key,
    "Base URL": _base_url,
    "Log": _log,
    "Versions": _versions,
}


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _data_path(inside: Path) -> Path | None:
    """A file or folder of Jupyter's, wherever it looks for such."""
    try:
        from jupyter_core.paths import jupyter_path  # only a kernel has it
    except ImportError:
        return None
    return next((one for folder in jupyter_path() if (one := Path(folder) / inside).exists()), None)


def _strands_requests(kernel: object) -> bool:
    """Whether replies are sent past the stream that reads; see `tests/kernels/stranded.py`."""
    manager = getattr(getattr(kernel, "shell_channel_thread", None), "manager", None)
    return hasattr(manager, "_shell_socket")


def _has_main_stream(kernel: object) -> bool:
    """Whether the kernel has what `notebook/kernel/click_pump.py` listens on."""
    channel = getattr(kernel, "shell_channel_thread", None)
    if channel is None:
        return hasattr(kernel, "shell_stream")
    inner = getattr(channel.manager, "_shell_channel_to_main", None)
    return hasattr(inner, "to_stream")
