"""Finds a Chromium, or installs one: the system's, Playwright's own, or the distribution's.

`python -m tests.browser.chromium build/chromium.txt` writes the path of one that really starts,
or says what is missing and fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
FOUND = Path(__file__).resolve().parents[2] / "build" / "chromium.txt"


class NoChromiumError(RuntimeError):
    """There is no Chromium that starts, and none could be installed."""


def chromium() -> str:
    """The path of the Chromium for the tests.

    Raises:
        NoChromiumError: `make install` has not found or installed one.
    """
    kept = FOUND.read_text(encoding="utf-8").strip() if FOUND.is_file() else ""
    for path in chain([kept], candidates()):
        if path and Path(path).is_file():
            return path
    raise NoChromiumError("There is no Chromium: `make install` finds or installs one.")


def candidates() -> Iterator[str]:
    """Where a Chromium may be: named by the environment, on the system, Playwright's own."""
    yield os.environ.get("CHROMIUM", "")
    for name in NAMES:
        yield shutil.which(name) or ""
    yield MAC
    from playwright.sync_api import sync_playwright  # starts a process; rarely needed

    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def starts(path: str) -> bool:
    """Whether this Chromium can show a page here: a library may be missing."""
    if not path or not Path(path).is_file():
        return False
    command = [path, "--headless", *FLAGS, "--dump-dom", "data:text/html,<p>it starts</p>"]
    try:
        shown = subprocess.run(command, capture_output=True, timeout=60, text=True, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "it starts" in shown.stdout


def by_playwright() -> None:
    """Playwright's own Chromium, from where Playwright keeps it."""
    install([sys.executable, "-m", "playwright", "install", "chromium"])


def by_playwright_with_libraries() -> None:
    """The system's libraries that Playwright's Chromium needs (root only)."""
    if os.geteuid() == 0:
        install([sys.executable, "-m", "playwright", "install-deps", "chromium"])


def by_apt() -> None:
    """The distribution's Chromium (root only)."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        install(["apt-get", "update", "-qq"])
        install(["apt-get", "install", "-y", "-qq", "chromium"])


def install(command: list[str]) -> None:
    """Run an installer; whether it helped is seen by what starts afterwards."""
    say(f"  trying: {' '.join(command)}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(command, env=quiet, timeout=600, check=False, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        say(f"  {error}")


def find_or_install() -> str:
    """The path of a Chromium that starts.

    Raises:
        NoChromiumError: None does, whatever was tried.
    """
    ways: tuple[Callable[[], None], ...] = (
        lambda: None,
        by_playwright,
        by_apt,
        by_playwright_with_libraries,
    )
    for way in ways:
        way()
        path = next((path for path in candidates() if starts(path)), None)
        if path is not None:
            return path
    raise NoChromiumError(
        "The browser tests need a Chromium, and none that starts was found or could be installed.\n"
        "Install one (`apt-get install chromium`, or Google Chrome), or name one in CHROMIUM."
    )


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(target: Path) -> int:
    """Write the path of a Chromium that starts into a file."""
    say("Looking for a Chromium ...")
    try:
        path = find_or_install()
    except NoChromiumError as error:
        say(str(error))
        return 1
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(path + "\n", encoding="utf-8")
    say(f"  {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
