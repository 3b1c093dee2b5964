"""A recording may come from an address or a package that the person names."""

from __future__ import annotations

import http.server
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import nbagents as nba
from nbagents.errors import RecordingError
from nbagents.recordings import setting_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A recording of one exchange."""
    path = tmp_path / "made" / "hello.recording.jsonl"
    path.parent.mkdir()
    with nba.recording(path, mode="extend"):
        nba.Agent(model=nba.ScriptedModel(["Hello."])).run("Hi", log="memory")
    return path


class Served(http.server.BaseHTTPRequestHandler):
    content = b""
    asked: list[str]

    def do_GET(self) -> None:
        Served.asked.append(self.path)
        self.send_response(200 if self.path.endswith(".jsonl") else 404)
        self.end_headers()
        self.wfile.write(Served.content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  theirs
        """Say nothing."""


@pytest.fixture
def address(recorded: Path) -> Iterator[str]:
    Served.content, Served.asked = recorded.read_bytes(), []
    with http.server.HTTPServer(("127.0.0.1", 0), Served) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def says_hello(place: str) -> bool:
    with nba.recording(place):
        return nba.Agent().run("Hi", log="memory").text == "Hello."


def test_an_address_is_fetched_once(address: str) -> None:
    place = f"{address}/lessons/hello.recording.jsonl"
    assert says_hello(place)
    assert says_hello(place)
    assert Served.asked == ["/lessons/hello.recording.jsonl"]


def test_an_address_that_gives_nothing_is_said(address: str) -> None:
    with pytest.raises(RecordingError, match="cannot be had: Not Found"):
        setting_of(f"{address}/nothing", "replay")
    with pytest.raises(RecordingError, match="cannot be had"):
        setting_of("http://127.0.0.1:1/nothing.jsonl", "replay")


def test_an_address_that_gives_no_text_is_said(address: str) -> None:
    Served.content = b"\xff\xfe"
    with pytest.raises(RecordingError, match="is no recording: it is not text"):
        setting_of(f"{address}/a.jsonl", "replay")


def test_what_was_fetched_is_only_read(address: str) -> None:
    place = f"{address}/hello.recording.jsonl"
    with (
        nba.recording(place, mode="extend"),
        pytest.raises(RecordingError, match="only for reading"),
    ):
        nba.Agent(model=nba.ScriptedModel(["New."])).run("Something new", log="memory")


@pytest.fixture
def package(recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with a recording."""
    folder = tmp_path / "packages" / "geo_course"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "hello.recording.jsonl").write_bytes(recorded.read_bytes())
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages"), *sys.path])
    yield folder
    sys.modules.pop("geo_course", None)


def test_a_package_has_one_or_several(package: Path) -> None:
    assert says_hello("package:geo_course")
    (package / "maps").mkdir()
    (package / "maps" / "two.recording.jsonl").write_text('{"nbagents_recording": 1}\n')
    assert says_hello("package:geo_course/hello")
    with pytest.raises(RecordingError, match="which are package:geo_course/hello, "):
        setting_of("package:geo_course", "replay")
    with pytest.raises(RecordingError, match="names none of the recordings there"):
        setting_of("package:geo_course/three", "replay")


def test_a_package_that_is_not_there_or_has_none_is_said(package: Path) -> None:
    with pytest.raises(RecordingError, match="There is no package 'no_such_course' here"):
        setting_of("package:no_such_course", "replay")
    (package / "hello.recording.jsonl").unlink()
    with pytest.raises(RecordingError, match="There is no recording in the package"):
        setting_of("package:geo_course", "replay")
