"""The command `nbagents`: `nbagents demo` runs the tour, shows its runs and opens it."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbagents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbclient import NotebookClient
    from nbformat import NotebookNode

__all__ = ["main"]

PACKAGE = Path(__file__).parent
CHECKOUT = PACKAGE.parent
TOUR = "tour.ipynb"
CELL_LIMIT_S = 300


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: What stands after `nbagents`; `None`: what the process was given.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(prog="nbagents", description=nbagents.__doc__)
    parser.add_argument("--version", action="version", version=f"nbagents {nbagents.__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")
    add_demo(commands)
    options = parser.parse_args(arguments)
    return options.act(options)


def add_demo(commands: Any) -> None:  # Any: argparse keeps the type of its subparsers private
    """Declare `nbagents demo`."""
    text = "run the tour with the offline model, show its runs, and open it in JupyterLab"
    demo = commands.add_parser("demo", help=text, description=text)
    demo.add_argument("--no-lab", action="store_true", help="stop after the runs are shown")
    demo.add_argument(
        "--no-browser", action="store_true", help="start JupyterLab without opening a browser"
    )
    demo.set_defaults(act=run_demo)


def run_demo(options: argparse.Namespace) -> int:
    """Run a copy of the tour, then open it where somebody is there to see it."""
    missing = [name for name in ("nbclient", "nbformat", "ipykernel", "jupyterlab") if lacks(name)]
    if missing:
        say(f"nbagents demo needs {', '.join(missing)}: pip install 'nbagents[lab]'")
        return 1
    notebook = copy_of_tour()
    say(f"Running {shown(notebook)} with the offline model ...")
    if not execute(notebook):
        return 1
    if options.no_lab or not (sys.stdin.isatty() and sys.stdout.isatty()):
        say(f"\nOpen it:  {shown(Path(sys.executable))} -m jupyterlab {shown(notebook)}")
        return 0
    return open_lab(notebook, with_browser=not options.no_browser)


def lacks(name: str) -> bool:
    """Whether a package is not installed."""
    return importlib.util.find_spec(name) is None


def copy_of_tour() -> Path:
    """A fresh copy of the tour: under `build/` in a checkout, else in a folder where we are."""
    source, folder = CHECKOUT / "notebooks" / TOUR, CHECKOUT / "build" / "demo"
    if not (source.is_file() and (CHECKOUT / "pyproject.toml").is_file()):
        source, folder = PACKAGE / "demo" / TOUR, Path.cwd() / "nbagents-demo"
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copyfile(source, folder / TOUR))


def execute(path: Path) -> bool:
    """Run a notebook in place and show each run as a tree; whether all cells ended well."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    nbformat = untyped("nbformat")
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    client = NotebookClient(
        notebook,
        timeout=CELL_LIMIT_S,
        record_timing=False,
        on_cell_executed=show_cell,
        extra_arguments=["--log-level=ERROR"],
    )
    client.resources["metadata"] = {"path": str(path.parent)}
    try:
        run_cells(client)
    except CellExecutionError as error:
        say(f"\nA cell failed:\n{error}")
        return False
    finally:
        nbformat.write(notebook, path)
    untyped("nbformat.sign").NotebookNotary().sign(notebook)  # JupyterLab may show its outputs
    return True


def untyped(name: str) -> Any:  # Any: nbformat has no types
    """Import a module of the extra `lab` that has no types."""
    return importlib.import_module(name)


def run_cells(client: NotebookClient) -> None:
    """Run all cells in a kernel that uses the offline model, whatever keys there are."""
    with client.setup_kernel(env={**os.environ, "NBAGENTS_MODEL": "offline"}):
        for index, cell in enumerate(client.nb.cells):
            client.execute_cell(cell, index)


def show_cell(*, cell: NotebookNode, **_rest: object) -> None:
    """Print a cell's runs, under its first line."""
    from nbagents.notebook.frozen import RUN_MIME, text_tree  # noqa: PLC0415  only the demo

    bundles = [output["data"] for output in cell.outputs if "data" in output]
    runs = [bundle[RUN_MIME] for bundle in bundles if RUN_MIME in bundle]
    if runs:
        say(f"\nIn [{cell.execution_count}]: {cell.source.splitlines()[0]}")
    for run in runs:
        say(text_tree(run["tree"], run["root_id"]))


def open_lab(notebook: Path, *, with_browser: bool) -> int:
    """Open a notebook in JupyterLab and stay until it ends."""
    command = [sys.executable, "-m", "jupyterlab", str(notebook)]
    if not with_browser:
        command.append("--no-browser")
    if os.name != "nt" and os.geteuid() == 0:
        command.append("--allow-root")
    say(f"\nOpening {shown(notebook)} in JupyterLab; Ctrl-C twice ends it.")
    with subprocess.Popen(command) as lab:  # noqa: S603  our own JupyterLab
        while True:
            try:
                return lab.wait()
            except KeyboardInterrupt:
                continue  # JupyterLab heard it as well, and asks whether it should end


def shown(path: Path) -> str:
    """A path as a person would type it here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def say(text: str) -> None:
    """Print, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
