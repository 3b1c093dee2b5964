"""Documents and request cases of real APIs, and the comparison that judges them, as they lie there.

The folder is `openapi` in that of `NBAGENTS_DATA`.
"""

from __future__ import annotations

import functools
import importlib.util
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import pytest

from tests.conformance import shared_data
from tests.unit.openapi.recording_server import Asked, Reply, serving

__all__ = ["DOCUMENTS", "FOLDER", "Row", "broken", "cases", "needs_data", "wrong_cases"]

Row: TypeAlias = dict[str, Any]  # Any: JSON as it lies there

FOLDER = shared_data.FOLDER / "openapi"
DOCUMENTS = FOLDER / "documents"

needs_data = pytest.mark.skipif(
    not (FOLDER / "judge.py").is_file(),
    reason=f"the OpenAPI data is not there: set {shared_data.VARIABLE} to its folder "
    f"(looked in {FOLDER})",
)


@functools.cache
def cases() -> tuple[Row, ...]:
    """The cases, by document; none where the data is not there."""
    path = FOLDER / "cases.public.jsonl"
    if not path.is_file():
        return ()
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    return tuple(sorted(found, key=lambda one: one["document"]))


def broken() -> list[Row]:
    """The broken documents, and what is expected of each."""
    path = FOLDER / "broken" / "expect.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else []


def wrong_cases(chosen: Sequence[Row], execute: Callable[[Row, str, str], object]) -> list[str]:
    """What is wrong of the requests for these cases, by the comparison that the judge uses."""
    judged = _comparison().judge
    found: list[str] = []
    with serving(Reply(200, b"")) as server:
        for case in chosen:
            server.asked.clear()
            bad = _failure(case, server.url, execute) or judged(
                case, list(map(_seen, server.asked))
            )
            found.extend(f"{case['id']}: {one}" for one in bad if not one.startswith("note"))
    return found


def _failure(case: Row, url: str, execute: Callable[[Row, str, str], object]) -> list[str]:
    given = {name: one for name, one in case.items() if name not in ("request", "response")}
    try:
        execute(given, str(DOCUMENTS / case["document"]), url)
    except AssertionError as error:
        return [str(error)]
    return []


def _seen(one: Asked) -> tuple[Any, ...]:
    """A request as the comparison takes it: with an answer that says nothing."""
    return one.method, one.target, one.headers, one.body, 200, {}, b""


@functools.cache
def _comparison() -> Any:  # Any: a module that lies with the data
    spec = importlib.util.spec_from_file_location("openapi_compare", FOLDER / "compare.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
