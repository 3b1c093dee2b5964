"""What names a file or a folder of ours names one that is there."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from nbagents.events import EVENTS
from tests.unit.test_house import ROOT, tracked_files

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = {".md", ".py", ".ts", ".tsx", ".mjs", ".toml", ".yaml", ""}
BASES = ("", "nbagents/", "js/", "js/src/", "widgets/nbagents_widgets/")
"""From where rooms are named: `runs/state/loop.py`, `map/atlas.ts`, and whole."""

TICKED = re.compile(r"`([\w.-]+(?:/[\w.-]+)*)/?`")
ROOTED = re.compile(
    r"(?<![\w./-])(?:nbagents|js|widgets|tests|benchmarks|docs|notebooks|requirements)"
    r"/[\w./-]+\.(?:py|tsx?|mjs|md|ipynb|css|html|json|txt)\b"
)
ELSEWHERE = {
    "ipython_config.py",  # the user's
    "js/node_modules",
    "nbagents/demo/tour.ipynb",  # where the wheel has the tour
    "ipykernel/comm/comm.py",
    "python/jupyterlab_widgets/src/plugin.ts",
    "packages/apputils/src/sanitizer.ts",  # JupyterLab's
    "packages/commands/src/index.ts",  # Lumino's
}
"""What is not in the tree, or another's."""

UNTRUE = {"CHANGELOG.md", "test_named_rooms.py"}
"""What tells of the past, and of what is not there."""

HOOK = re.compile(r"- id: (?P<id>\S+)\n(?:(?!\s+- id:).*\n)*?\s+files: (?P<files>.+)\n")


def test_every_file_and_folder_that_is_named_is_there() -> None:
    tracked = [path.relative_to(ROOT) for path in tracked_files()]
    files = {path.as_posix() for path in tracked}
    folders = {folder.as_posix() for path in tracked for folder in path.parents}
    here = files | folders | {path.name for path in tracked}
    ours = {name.split("/")[0] for name in [*folders, *_inside(folders, "nbagents/")]}
    texts = [path for path in tracked if path.suffix in TEXTS and path.name not in UNTRUE]
    found = [
        f"{path}: {name}"
        for path in texts
        for name in _named((ROOT / path).read_text(encoding="utf-8", errors="replace"), ours)
        if not any(base + name in here for base in BASES)
    ]
    assert texts
    assert found == []


def _inside(folders: set[str], base: str) -> set[str]:
    return {folder.removeprefix(base) for folder in folders if folder.startswith(base)}


def _named(text: str, ours: set[str]) -> Iterator[str]:
    """What is named in a text that looks like a file or a folder of ours."""
    ticked = [
        name
        for name in TICKED.findall(text)
        if re.search(r"\w\.(py|tsx?)$", name) or ("/" in name and name.split("/")[0] in ours)
    ]
    for name in {*ticked, *ROOTED.findall(text)}:
        if not any(name == one or name.startswith(f"{one}/") for one in ELSEWHERE):
            yield name


def test_a_room_that_is_not_there_is_found() -> None:
    text = "`runs/gone.py`, `gone.ts`, `tools/gone/`, tests/gone.md, `text/plain`, `gone`, `a.py`"
    expected = {"runs/gone.py", "gone.ts", "tools/gone", "tests/gone.md", "a.py"}
    assert set(_named(text, {"runs", "tools"})) == expected


def hooks() -> dict[str, re.Pattern[str]]:
    """Which files each hook of pre-commit is for."""
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    return {found["id"]: re.compile(found["files"]) for found in HOOK.finditer(text)}


def test_every_hook_is_for_files_that_are_there() -> None:
    tracked = [path.relative_to(ROOT).as_posix() for path in tracked_files()]
    assert "nodes" in hooks()
    idle = [name for name, files in hooks().items() if not any(map(files.search, tracked))]
    assert idle == []


def test_the_hook_of_generated_files_is_for_all_that_they_are_made_of() -> None:
    names = set(EVENTS.json_schema()["$defs"])
    rooms = [room for name, room in sys.modules.items() if name.startswith("nbagents.events")]
    made_of = {
        one.__module__
        for room in rooms
        for name, one in vars(room).items()
        if name in names and isinstance(one, type)
    }
    files = [f"{name.replace('.', '/')}.py" for name in sorted(made_of)]
    generator = ["js/generate_nodes.py", "js/src/tree/nodes.ts"]
    assert len(made_of) > 1
    assert [one for one in [*files, *generator] if not hooks()["nodes"].search(one)] == []
