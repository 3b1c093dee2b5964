"""Files are put in place whole, and are nobody's who could not read what they take the place of."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nbagents.disk import put_in_place


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o666])
def test_nobody_may_read_it_meanwhile_who_may_not_read_what_was_there(
    tmp_path: Path, mode: int
) -> None:
    path = tmp_path / "private.jsonl"
    path.write_bytes(b"before")
    path.chmod(mode)
    seen: list[int] = []

    def pieces() -> Iterator[bytes]:
        seen.extend(one.stat().st_mode & 0o777 for one in tmp_path.iterdir() if one != path)
        yield b"after"

    put_in_place(path, pieces())
    assert [one & ~mode for one in seen] == [0]
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"after", mode)


def test_where_it_cannot_be_made_what_was_there_stays_alone(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_bytes(b"before")

    def pieces() -> Iterator[bytes]:
        yield b"half of it"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        put_in_place(path, pieces())
    assert [(one, one.read_bytes()) for one in tmp_path.iterdir()] == [(path, b"before")]


def test_a_link_stays_one_and_a_new_file_is_made(tmp_path: Path) -> None:
    whole, link = tmp_path / "whole.txt", tmp_path / "link.txt"
    put_in_place(whole, [b"a", b"b"])
    link.symlink_to(whole)
    put_in_place(link, [b"c"])
    assert link.is_symlink()
    assert whole.read_bytes() == b"c"
