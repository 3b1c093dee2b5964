"""A JupyterLab server for tests: on this machine only, a free port, no settings of anybody."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tests.kernels.releases import folder_of

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

WIDGETS = Path(__file__).resolve().parents[2] / "widgets" / "nbagents_widgets"
EXTENSION = "nbagents"

App = Literal["lab", "notebook"]
"""JupyterLab, or Notebook 7."""

SETTINGS: Mapping[str, Mapping[str, object]] = {
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}
"""No news from elsewhere, and saving only when the test says so."""

START_S = 300.0
"""So long it may take on a machine that is busy with something else."""


@contextmanager
def lab_server(
    notebooks: Path,
    private: Path,
    *,
    app: App = "lab",
    has_extension: bool = True,
    **environment: str,
) -> Generator[str]:
    """Serve a folder of notebooks; gives the address, and ends with all of its kernels.

    Args:
        notebooks: The folder that is served.
        private: An empty folder for configuration, settings and the log.
        app: Who serves it.
        has_extension: Whether our extension is there, as this checkout has it; else it is disabled.
        environment: Variables for the server and its kernels.
    """
    write_settings(private / "settings")
    if has_extension:
        place_extension(private / "extensions")
    else:
        disable_extension(private / "config")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    log = private / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            command(notebooks, port, private / "extensions", app),
            env={**os.environ, **private_folders(private), **environment},
            cwd=notebooks,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a Ctrl-C in the terminal ends pytest, and pytest ends this
        )
    try:
        wait_until_up(url, server, log)
        yield url
    finally:
        end(url, server)


def command(notebooks: Path, port: int, extensions: Path, app: App) -> list[str]:
    """How the server is started: open to this machine, and to nobody else."""
    module, name = ("jupyterlab", "LabApp") if app == "lab" else ("notebook", "JupyterNotebookApp")
    return [
        *(sys.executable, "-m", module, "--no-browser", "--expose-app-in-browser"),
        f"--{name}.extra_labextensions_path={extensions}",
        *("--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"),
        *("--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"),
        *("--ServerApp.allow_root=True", f"--ServerApp.root_dir={notebooks}"),
    ]


def private_folders(private: Path) -> dict[str, str]:
    """Everything that Jupyter and IPython would keep in the home folder."""
    names = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
        "NBAGENTS_STATE_DIR": "state",
    }
    return {variable: str(private / folder) for variable, folder in names.items()}


def place_extension(folder: Path) -> None:
    """Lay our extension out as an installation does, with the bundles of this checkout."""
    place = folder / EXTENSION
    shutil.copytree(WIDGETS / "labextension", place)
    shutil.copytree(WIDGETS / "static", place / "static")  # servers follow no links


def disable_extension(folder: Path) -> None:
    """Disable our extension, wherever it is installed, as its manager in JupyterLab does."""
    page = folder / "labconfig" / "page_config.json"
    page.parent.mkdir(parents=True)
    page.write_text(json.dumps({"disabledExtensions": {EXTENSION: True}}), encoding="utf-8")


def use_release(private: Path, release: str) -> None:
    """Have kernels started of another release of ipykernel, as `make test-all` installed it."""
    place = private / "data" / "kernels" / "python3"
    place.mkdir(parents=True)
    said = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Python 3",
        "language": "python",
        "env": {"PYTHONPATH": str(folder_of(release))},
    }
    (place / "kernel.json").write_text(json.dumps(said), encoding="utf-8")


def write_settings(folder: Path) -> None:
    """Write the user settings that JupyterLab starts with."""
    for plugin, values in SETTINGS.items():
        path = folder / f"{plugin}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(values), encoding="utf-8")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_up(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the server answers."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and server.poll() is None:
        with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            ask(url, "GET", "api/status")
            return
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')[-3000:]}")


def end_kernels(url: str) -> None:
    """End every kernel of a server."""
    for kernel in ask(url, "GET", "api/kernels") or []:
        ask(url, "DELETE", f"api/kernels/{kernel['id']}")


def end(url: str, server: subprocess.Popen[bytes]) -> None:
    """End the kernels, then the server."""
    with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
        end_kernels(url)
    server.terminate()
    try:
        server.wait(START_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def ask(url: str, method: str, path: str) -> list[dict[str, str]] | None:
    """One request to the server's own interface."""
    request = urllib.request.Request(f"{url}/{path}", method=method)
    with urllib.request.urlopen(request, timeout=START_S) as response:
        text = response.read()
    return json.loads(text) if text else None
