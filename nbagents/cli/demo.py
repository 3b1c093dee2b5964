"""`nbagents demo`: runs the tour without a key, shows its runs and opens it."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from nbagents.cli.terminal import missing_packages, say, shown

PACKAGE = Path(__file__).parent.parent
CHECKOUT = PACKAGE.parent
TOUR = "tour.ipynb"
CELL_LIMIT_S = 300


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
    if missing := missing_packages("demo", "jupyterlab"):
        say(missing)
        return 1
    notebook = copy_of_tour()
    say(f"Running {shown(notebook)} with the offline model ...")
    if not execute(notebook):
        return 1
    if options.no_lab or not (sys.stdin.isatty() and sys.stdout.isatty()):
        say(f"\nOpen it:  {shown(Path(sys.executable))} -m jupyterlab {shown(notebook)}")
        return 0
    return open_lab(notebook, with_browser=not options.no_browser)


def copy_of_tour() -> Path:
    """A fresh copy of the tour: under `build/` in a checkout, else in a folder where we are."""
    source, folder = CHECKOUT / "notebooks" / TOUR, CHECKOUT / "build" / "demo"
    if not (source.is_file() and (CHECKOUT / "pyproject.toml").is_file()):
        source, folder = PACKAGE / "demo" / TOUR, Path.cwd() / "nbagents-demo"
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copyfile(source, folder / TOUR))


def execute(path: Path) -> bool:
    """Run a notebook in place and show each run as a tree; whether all cells ended well."""
    from nbagents import execution

    document = execution.read(path)
    with tempfile.TemporaryDirectory(prefix="nbagents-", ignore_cleanup_errors=True) as folder:
        setting = execution.Setting(
            kernel=execution.choose_kernel(document.notebook).name,
            folder=path.parent,
            environment={**os.environ, "NBAGENTS_MODEL": "offline"},  # whatever keys there are
            said=Path(folder) / "kernel.log",
            timeout_s=CELL_LIMIT_S,
        )
        stopped = asyncio.run(execution.execute(document.notebook, setting, ShownRuns()))
    execution.write(path, document.notebook)
    if stopped is not None:
        say(f"\n{stopped.label} failed: {stopped.words}\n{stopped.traceback}".rstrip())
        return False
    execution.sign(document.notebook)  # JupyterLab may show its outputs
    return True


class ShownRuns:
    """Prints the runs of each cell, under its first line."""

    def began(self, label: str, cell: Any) -> None:
        """A cell has begun (Any: nbformat's)."""

    def ended(self, label: str, cell: Any, seconds: float) -> None:
        """A cell has ended, and has its outputs."""
        from nbagents.notebook.saved import RUN_MIME, text_tree

        del seconds
        bundles = [output["data"] for output in cell.outputs if "data" in output]
        runs = [bundle[RUN_MIME] for bundle in bundles if RUN_MIME in bundle]
        if runs:
            say(f"\n{label}: {cell.source.splitlines()[0]}")
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
