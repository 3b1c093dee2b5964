"""Another project has the name `nbagents` on the package index: who is over whom is said."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nbagents import installation

ROOT = Path(__file__).resolve().parents[2]
OURS = ("jupyter_nbagents", "0.1.0")
OTHER = ("nbagents", "2.0")
THEIRS = "def ask(): ...\n"
TELLS_TO_INSTALL = r"(pip3? install|uv add)[^\n`]*?[\s'\"]nbagents\b"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as pip leaves it that has installed us."""
    folder = tmp_path_factory.mktemp("wheel")
    for package in ("nbagents", "widgets/nbagents_widgets"):
        shutil.copytree(
            ROOT / package,
            folder / Path(package).name,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    record(folder, OURS, [one for one in folder.rglob("*") if one.is_file()])
    return folder


@pytest.fixture
def site(wheel: Path, tmp_path: Path) -> Path:
    return shutil.copytree(wheel, tmp_path / "site")


def record(site: Path, named: tuple[str, str], files: list[Path]) -> Path:
    """Write what pip writes of a distribution; the folder that it is in."""
    name, version = named
    info = site / f"{name}-{version}.dist-info"
    info.mkdir()
    text = f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n"
    (info / "METADATA").write_text(text)
    lines = [f"{one.relative_to(site).as_posix()},sha256={digest(one)},1" for one in files]
    (info / "RECORD").write_text("\n".join(lines))
    return info


def digest(file: Path) -> str:
    found = hashlib.sha256(file.read_bytes()).digest()
    return base64.urlsafe_b64encode(found).decode().rstrip("=")


def install_the_other(site: Path) -> Path:
    """Install the other project's package over what is there."""
    face = site / "nbagents" / "__init__.py"
    face.write_text(THEIRS)
    return record(site, OTHER, [face])


def python(site: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run code with this folder before all others, even before the checkout."""
    head = "import sys; sys.meta_path = [f for f in sys.meta_path if 'Redirect' not in str(f)]\n"
    return subprocess.run(
        [sys.executable, "-P", "-c", f"{head}sys.path.insert(0, {str(site)!r})\n{code}"],
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
    )


def command(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return python(site, f"from nbagents.cli import main\nsys.exit(main({list(words)!r}))")


@pytest.mark.medium
def test_we_alone_say_nothing(site: Path) -> None:
    done = python(site, "import nbagents; print(nbagents.Agent.__name__)")
    assert (done.stdout, done.stderr) == ("Agent\n", "")


@pytest.mark.medium
def test_with_the_other_over_ours_our_command_says_so(site: Path) -> None:
    install_the_other(site)
    done = command(site, "demo")
    assert done.returncode == 1
    assert done.stdout == (
        "Another project, nbagents 2.0, is installed over jupyter-nbagents: nbagents/__init__.py is"
        " not ours. pip uninstall nbagents;"
        " pip install --force-reinstall --no-deps jupyter-nbagents\n"
    )


@pytest.mark.medium
def test_with_the_other_under_ours_our_import_says_so_and_works(site: Path) -> None:
    kept = (site / "nbagents" / "__init__.py").read_text()
    install_the_other(site)
    (site / "nbagents" / "__init__.py").write_text(kept)
    done = python(site, "import nbagents; print(nbagents.Agent.__name__)")
    assert done.stdout == "Agent\n"
    assert "Another project, nbagents 2.0, is installed in the same folder" in done.stderr


@pytest.mark.medium
def test_when_the_other_has_gone_and_taken_files_of_ours_our_command_says_so(site: Path) -> None:
    shutil.rmtree(install_the_other(site))
    (site / "nbagents" / "__init__.py").unlink()
    done = command(site, "doctor")
    assert done.returncode == 1
    assert "is broken: nbagents/__init__.py is missing or not ours. pip uninstall" in done.stdout


@pytest.mark.medium
def test_the_doctor_says_so_of_modules_too(site: Path) -> None:
    other = site / "nbagents" / "tool.py"
    other.write_text(THEIRS)
    (site / "nbagents" / "ui.py").write_text(THEIRS)
    record(site, OTHER, [other])
    done = command(site, "doctor")
    assert done.returncode == 1
    assert "installed over jupyter-nbagents: nbagents/ui.py is not ours." in done.stdout
    assert "Versions   problem" in done.stdout


def test_nobody_is_told_to_install_the_other_project() -> None:
    names = subprocess.run(
        ["git", "ls-files", "*.md", "*.py", "*.ipynb", "*.ts", "*.json", "*.mjs", "*.toml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    told = [
        (name, found.group())
        for name in names
        if (ROOT / name).is_file() and not name.startswith("tests/")
        for found in re.finditer(TELLS_TO_INSTALL, (ROOT / name).read_text(encoding="utf-8"))
    ]
    assert told == []


def test_what_a_feature_lacks_is_named_with_how_one_gets_it() -> None:
    said = installation.lacking("nbagents test", "no_such_package")
    wanted = "nbagents test needs no_such_package: pip install 'jupyter-nbagents[lab]'"
    assert said == wanted
    assert installation.lacking("nbagents test") == ""
