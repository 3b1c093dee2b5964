"""The cache on disk: the same as a fresh build, never trusted, and nobody's when it is damaged."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbagents.catalogue import Catalogue
from nbagents.catalogue.index import cache
from tests.thinning import examples
from tests.unit.catalogue.records import RECORDS, Record, catalogues, contents, queries, written

if TYPE_CHECKING:
    from pathlib import Path

ANY_FOLDER = settings(
    max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def kept(folder: Path) -> list[Path]:
    """The files of a cache."""
    return sorted(folder.glob("*")) if folder.is_dir() else []


@ANY_FOLDER
@given(catalogues(), queries)
def test_what_comes_from_the_cache_equals_a_fresh_build(
    tmp_path: Path, records: list[Record], query: str
) -> None:
    path = written(tmp_path / "apis.jsonl", records)
    first, again = (Catalogue(path, cache=tmp_path / "cache") for _ in range(2))
    fresh = Catalogue(path, cache=False)
    assert contents(first) == contents(again) == contents(fresh)
    assert first.names == again.names == fresh.names
    assert first.search(query, 30) == again.search(query, 30) == fresh.search(query, 30)


def test_it_is_read_the_second_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "apis.jsonl", RECORDS)
    Catalogue(path, cache=tmp_path / "cache")
    monkeypatch.setattr("nbagents.catalogue.index.index.Segment.add", None)
    assert Catalogue(path, cache=tmp_path / "cache").search("songs")


@ANY_FOLDER
@given(st.data())
def test_a_damaged_cache_is_built_again(tmp_path: Path, data: st.DataObject) -> None:
    path, folder = written(tmp_path / "apis.jsonl", RECORDS), tmp_path / "cache"
    fresh = Catalogue(path, cache=folder)
    (file,) = kept(folder)
    good = file.read_bytes()
    at = data.draw(st.integers(0, len(good) - 1))
    damaged = data.draw(
        st.sampled_from(
            [good[:at], good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :], b"", good + b"x"]
        )
    )
    file.write_bytes(damaged)
    again = Catalogue(path, cache=folder)
    assert again.search("weather in a city") == fresh.search("weather in a city")
    assert file.read_bytes() == good


def test_a_foreign_file_under_the_right_name_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    path = written(tmp_path / "apis.jsonl", RECORDS)
    other = written(tmp_path / "other.jsonl", RECORDS[:2])
    Catalogue(path, cache=folder)
    (file,) = kept(folder)
    Catalogue(other, cache=folder)
    (foreign,) = set(kept(folder)) - {file}
    file.write_bytes(foreign.read_bytes())
    assert len(Catalogue(path, cache=folder)) == len(RECORDS)


def test_another_version_and_other_content_have_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache"
    path = written(tmp_path / "apis.jsonl", RECORDS)
    Catalogue(path, cache=folder)
    written(path, RECORDS[1:])
    assert len(Catalogue(path, cache=folder)) == len(RECORDS) - 1
    monkeypatch.setattr(cache, "VERSION", cache.VERSION + 1)
    Catalogue(path, cache=folder)
    assert len(kept(folder)) == 3


def test_nothing_is_written_where_no_cache_is_wanted_or_possible(tmp_path: Path) -> None:
    path = written(tmp_path / "apis.jsonl", RECORDS)
    Catalogue(path, cache=False)
    assert kept(tmp_path) == [path]
    assert Catalogue(path, cache=path / "no folder").search("songs")


def test_by_default_it_lies_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_CACHE", str(tmp_path / "mine"))
    Catalogue(written(tmp_path / "apis.jsonl", RECORDS))
    assert len(kept(tmp_path / "mine")) == 1


def test_faults_are_told_again_from_the_cache(tmp_path: Path) -> None:
    path = written(tmp_path / "apis.jsonl", RECORDS)
    path.write_text(path.read_text("utf-8") + "\n{broken\n", encoding="utf-8")
    for _ in range(2):
        with pytest.warns(UserWarning, match=f"Line {len(RECORDS) + 1} of apis.jsonl"):
            catalogue = Catalogue(path, cache=tmp_path / "cache")
        assert len(catalogue.faults) == 1


@pytest.mark.medium
def test_several_processes_may_write_at_once(tmp_path: Path) -> None:
    path, folder = written(tmp_path / "apis.jsonl", RECORDS), tmp_path / "cache"
    code = (
        "import sys; from nbagents.catalogue import Catalogue\n"
        "print(*Catalogue(sys.argv[1], cache=sys.argv[2]).search('weather').names)"
    )
    command = (sys.executable, "-c", code, str(path), str(folder))
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    told = {one.communicate()[0].strip() for one in started}
    assert told == {" ".join(Catalogue(path, cache=False).search("weather").names)}
    assert len(kept(folder)) == 1
