"""The extension of JupyterLab: what it says of itself, and where a wheel puts it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "widgets" / "nbagents_widgets"
PLACE = "share/jupyter/labextensions/nbagents"
DESCRIBED = json.loads((PACKAGE / "labextension" / "package.json").read_text(encoding="utf-8"))


def test_its_version_is_ours() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = json.loads((PACKAGE / "labextension" / "install.json").read_text(encoding="utf-8"))
    assert installed["packageName"] == project["name"]
    assert (DESCRIBED["name"], DESCRIBED["version"]) == ("nbagents", project["version"])


def test_it_is_loaded_by_the_hash_of_its_script_so_that_no_browser_keeps_an_old_one() -> None:
    path, _, said = DESCRIBED["jupyterlab"]["_build"]["load"].partition("?v=")
    code = (PACKAGE / path).read_bytes()
    assert said == hashlib.sha256(code).hexdigest()[: len(said)]
    assert len(said) == 12


def test_its_script_names_the_modules_beside_it_by_their_hashes() -> None:
    script = (PACKAGE / "static" / "remoteEntry.js").read_text(encoding="utf-8")
    for name in ("run-view", "map"):
        code = (PACKAGE / "static" / f"{name}.js").read_bytes()
        assert hashlib.sha256(code).hexdigest()[:12] in script


@pytest.mark.medium
def test_a_wheel_holds_it_with_every_bundle_where_jupyterlab_looks(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    placed = {name.partition(PLACE)[2].lstrip("/") for name in names if PLACE in name}
    bundles = {f"static/{path.name}" for path in (PACKAGE / "static").glob("*.js")}
    assert placed >= bundles | {"package.json", "install.json", "static/LICENSES.txt"}
