"""Installs our wheel on each Python, with old and new dependencies, and lets it prove itself.

`make test-matrix` builds the wheel and runs this. uv brings the interpreters and the packages; an
interpreter that cannot be had is named. An index of one's own is said by uv's variables.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "matrix"
SMOKE = Path(__file__).with_name("smoke.py")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
NOT_THEIRS = ("OPENAI_", "NBAGENTS_", "JUPYTER_", "PYTHON", "IPYTHON", "XDG_", "VIRTUAL_ENV")
"""What an environment to be tested is not told."""


def main() -> int:
    """Test all; 0 if each Python that is there passed with each resolution, and one is there."""
    built = (ROOT / "dist").glob("jupyter_nbagents-*.whl")
    wheel = max(built, key=lambda path: path.stat().st_mtime)
    uv = installed_uv()
    lines: list[str] = []
    failed = False
    for version in PYTHONS:
        python = interpreter(uv, version)
        if python is None:
            lines.append(f"{version}: cannot be had here, so it was not tested")
            continue
        for named in RESOLUTIONS:
            problem = tested(uv, python, wheel, named)
            failed = failed or bool(problem)
            lines.append(f"{version}, {named} dependencies: {problem or 'ok'}")
            print(lines[-1], flush=True)
    print("\nmake test-matrix:", *lines, sep="\n  ")
    return int(failed or not any("dependencies" in line for line in lines))


def installed_uv() -> str:
    """The command uv; installed into build/ where it is not there."""
    found = shutil.which("uv")
    if found is None:
        found = str(FOLDER / "uv" / "bin" / "uv")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if not Path(found).is_file():
            subprocess.run([*pip, "--target", str(FOLDER / "uv"), "uv"], check=True)
    return found


def interpreter(uv: str, version: str) -> Path | None:
    """A Python of this version: uv's, else one of this machine."""
    subprocess.run([uv, "python", "install", "--quiet", version], capture_output=True, check=False)
    found = subprocess.run(
        [uv, "python", "find", "--no-python-downloads", version],
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode == 0:
        return Path(found.stdout.strip())
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    return next(iter(sorted(pyenv.glob(f"{version}.*/bin/python"))), None)


def tested(uv: str, python: Path, wheel: Path, named: str) -> str:
    """Install the wheel and let it prove itself; what went wrong, or nothing."""
    place = FOLDER / f"{python_version(python)}-{named}"
    shutil.rmtree(place, ignore_errors=True)
    install = [uv, "pip", "install", "--quiet", "--python", str(place / "bin" / "python")]
    wanted = ["--requirement", str(ROOT / "pyproject.toml"), "--extra", "lab", "--extra", "places"]
    steps = [
        [uv, "venv", "--quiet", "--python", str(python), str(place)],
        [*install, "--resolution", RESOLUTIONS[named], *wanted],  # first: then each is direct
        [*install, f"{wheel}[lab,places]"],
    ]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"was not installed\n{done.stderr}"
    with tempfile.TemporaryDirectory() as away:
        done = subprocess.run(
            [str(place / "bin" / "python"), "-P", str(SMOKE)],
            cwd=away,
            env=environment(Path(away)),
            capture_output=True,
            text=True,
            check=False,
        )
    print(done.stdout, end="")
    return f"failed\n{done.stderr}" if done.returncode else ""


def python_version(python: Path) -> str:
    """What a Python says that it is."""
    code = "import platform; print(platform.python_version())"
    asked = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return asked.stdout.strip()


def environment(away: Path) -> dict[str, str]:
    """The variables for a test: no key, no settings, the empty home of who has just come."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_THEIRS)}
    return {**kept, "HOME": str(away / "home")}


if __name__ == "__main__":
    sys.exit(main())
