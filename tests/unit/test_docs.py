"""What the docs show is what happens: every Python block runs, and prints what stands below it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.states.pictures import IMAGES, MOST_BYTES, named_by_docs, names

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```(?:\s*```text\n(?P<said>.*?)```)?", re.DOTALL)
MAGIC = re.compile(r"^(\w+ = )?%", re.MULTILINE)
"""A block of a notebook: `tests/unit/notebook` runs those of docs/magics.md."""
PAGES = sorted(page.name for page in DOCS.glob("*.md") if BLOCK.search(page.read_text("utf-8")))
MARK = "\n-- end of a block --\n"


@pytest.mark.medium
@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run_one_after_the_other(page: str, tmp_path: Path) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = [one for one in BLOCK.finditer(text) if not MAGIC.search(one["code"])]
    script = "".join(f"{block['code']}\nprint({MARK!r}, end='')\n" for block in blocks)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    said = done.stdout.split(MARK)
    for block, printed in zip(blocks, said, strict=False):
        if block["said"] is not None:
            assert printed == block["said"]


def test_there_are_pages_with_examples() -> None:
    assert PAGES


def test_what_the_docs_link_to_is_there() -> None:
    missing = [
        f"{page.name}: {link}"
        for page in DOCS.glob("*.md")
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
        if not (DOCS / link).is_file()
    ]
    assert missing == []


def test_every_picture_is_one_that_make_screenshots_writes_and_small() -> None:
    shown = named_by_docs()
    assert shown
    assert shown - names() == set()
    kept = {path.name: path.stat().st_size for path in IMAGES.iterdir()}
    assert set(kept) == shown, "make screenshots"
    assert [name for name, size in kept.items() if size > MOST_BYTES] == []
