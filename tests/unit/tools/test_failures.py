"""Classifying what tools raise, without telling a model anything of the machine."""

from __future__ import annotations

import errno
import json
import socket
import time
import urllib.error
from email.message import Message
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests

from nbagents.errors import ToolError, ToolTimeoutError
from nbagents.tools.call.failure import MAX_MESSAGE, failure_of, without_paths

REQUEST = httpx.Request("GET", "https://example.org/")


def answered(status: int) -> httpx.HTTPStatusError:
    return httpx.HTTPStatusError("no", request=REQUEST, response=httpx.Response(status))


def url_error(status: int) -> urllib.error.HTTPError:
    return urllib.error.HTTPError("https://example.org", status, "no", Message(), None)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ToolTimeoutError("slow"), "timeout"),
        (TimeoutError(), "timeout"),
        (httpx.ReadTimeout("slow"), "timeout"),
        (requests.Timeout("slow"), "timeout"),
        (httpx.ConnectError("no"), "unavailable"),
        (requests.ConnectionError("no"), "unavailable"),
        (urllib.error.URLError("no"), "unavailable"),
        (ConnectionResetError("no"), "unavailable"),
        (socket.gaierror(-2, "Name or service not known"), "unavailable"),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "unavailable"),
        (answered(503), "unavailable"),
        (answered(429), "rate_limited"),
        (answered(504), "timeout"),
        (answered(404), "internal"),
        (url_error(429), "rate_limited"),
        (url_error(500), "unavailable"),
        (PermissionError("no"), "internal"),
        (OSError(errno.ENOSPC, "No space left"), "internal"),
        (SystemExit(404), "internal"),
        (ValueError("no"), "internal"),
    ],
    ids=repr,
)
def test_the_kind_of_an_error(error: BaseException, kind: str) -> None:
    assert failure_of(error).kind == kind


def test_only_a_corrected_call_mends_a_rejection() -> None:
    assert failure_of(ToolError("not so")).recovery == "correct_call"
    assert failure_of(ValueError("not so")).recovery == "replan"


def test_the_cause_of_a_tool_error_is_for_the_person() -> None:
    def fail() -> None:
        try:
            int("x")
        except ValueError as error:
            raise ToolError("Not a number.") from error

    with pytest.raises(ToolError) as caught:
        fail()
    failure = failure_of(caught.value)
    assert failure.message == "Not a number."
    assert "invalid literal" in str(failure.debug_message)


def test_an_error_without_text_is_its_type() -> None:
    assert failure_of(ValueError()).message == "ValueError"
    assert failure_of(ToolError()).message == "ToolError"


def test_an_error_that_breaks_when_it_is_printed_is_its_type() -> None:
    class OddError(Exception):
        def __str__(self) -> str:
            raise RuntimeError("odd")

    failure = failure_of(OddError())
    assert failure.message == "OddError"
    assert "OddError" in str(failure.debug_message)


def test_an_error_that_breaks_wherever_it_is_looked_at_is_its_type() -> None:
    class OddError(Exception):
        @property
        def response(self) -> None:
            raise RuntimeError("odd")

    assert failure_of(OddError("x")).message == "OddError"


def test_a_very_long_message_is_scrubbed_in_no_time() -> None:
    began = time.perf_counter()
    for piece in ("a.", "/a", "'/", "a:/", "x" * 9):
        failure_of(ValueError(piece * 200_000))
    assert time.perf_counter() - began < 2


def test_a_long_message_is_cut_and_half_characters_are_mended() -> None:
    message = failure_of(ValueError("x" * 100_000)).message
    assert message[MAX_MESSAGE:] == "… [Cut: these are its first 4,000 characters.]"
    failure_of(ValueError("a\ud800")).model_dump_json()


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("no '/home/anna/data/x.csv'", "no '…/x.csv'"),
        ("no '/home/anna/My Files/x.csv' here", "no '…/x.csv' here"),
        ("no /home/anna/x.csv: gone", "no …/x.csv: gone"),
        ("at /usr/lib/python3.11/json/decoder.py, line 3", "at …/decoder.py, line 3"),
        ("in (/mnt/data/a.txt)", "in (…/a.txt)"),
        ("~/secret/key.txt", "…/key.txt"),
        (r"no 'C:\\Users\\Anna\\x.csv'", "no '…/x.csv'"),
        (r"no C:\Users\Anna\x.csv", "no …/x.csv"),
        (r"no \\server\share\x.csv", "no …/x.csv"),
        ("file:///home/anna/x.csv", "…/x.csv"),
        ("a=/srv/x/y.db", "a=…/y.db"),
        ("https://example.org/a/b.json is down", "https://example.org/a/b.json is down"),
        ("'https://example.org/a/b.json'", "'https://example.org/a/b.json'"),
        ("km/h and/or 1/2/3", "km/h and/or 1/2/3"),
        ("a relative/path/x.csv stays", "a relative/path/x.csv stays"),
        ("nothing at all", "nothing at all"),
        ("a / b", "a / b"),
    ],
)
def test_paths_of_the_machine_are_cut_to_their_last_part(text: str, scrubbed: str) -> None:
    assert without_paths(text) == scrubbed


def test_no_path_of_a_real_error_reaches_the_model(tmp_path: Path) -> None:
    errors: list[BaseException] = []
    for action in (
        (tmp_path / "none.txt").read_text,
        lambda: exec("import json; json.loads('{')"),
        lambda: json.loads(Path(__file__).read_text()),
    ):
        try:
            action()
        except Exception as error:  # noqa: BLE001
            errors.append(error)
    told = [failure_of(one).message for one in errors]
    assert len(told) == 3
    assert not any(str(tmp_path) in one or str(Path(__file__).parent) in one for one in told)
    assert told[0].endswith("'…/none.txt'")


def test_addresses_of_objects_are_left_out() -> None:
    thing: Any = object()
    assert failure_of(TypeError(f"no {thing!r}")).message == "TypeError: no <object object>"
