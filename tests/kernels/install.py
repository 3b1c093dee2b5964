"""Installs one release of ipykernel into a folder of its own.

`python -m tests.kernels.install 7.3.0 FOLDER`: the folder goes before everything else on
a kernel's path; all other packages are those of .venv.
"""

from __future__ import annotations

import subprocess
import sys

LATEST = "latest"
WITH = ("nest-asyncio",)
"""What releases of ipykernel need that the one in .venv does not."""


def main(version: str, folder: str) -> int:
    """Install a version, or the latest one."""
    wanted = "ipykernel" if version == LATEST else f"ipykernel=={version}"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*pip, "--no-deps", "--target", folder, wanted, *WITH], check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
