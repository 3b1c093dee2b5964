"""The releases of ipykernel that the tests know, and where `make test-all` installed them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "requirements" / "kernels.txt"
RELEASES = [
    line for line in LIST.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"
]


def folder_of(release: str) -> Path:
    """Where a release is installed.

    Raises:
        FileNotFoundError: It is not.
    """
    folder = ROOT / "build" / "kernels" / release
    if not (folder / "ipykernel").is_dir():
        raise FileNotFoundError(f"ipykernel {release} is not installed: run `make test-all`.")
    return folder
