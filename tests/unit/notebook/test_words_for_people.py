"""What a person is shown speaks to them, and keeps ids where details are."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import pytest
from trees import call, decided, failed_call, failure, run, tree

from nbagents.events import EVENTS, CallStatus, RunStatus
from nbagents.notebook.saved.bundle import RUN_MIME
from nbagents.notebook.saved.html import run_html
from nbagents.notebook.saved.text import text_tree
from nbagents.runs.lanes import BY_PERSON, CALL_STOPPED
from nbagents.runs.people.consent import AGAIN, DENIED, UNASKED
from nbagents.runs.people.person import NOBODY
from nbagents.runs.tree import fold, shown_tree
from nbagents.runs.tree.explanation import explain

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURES = Path(__file__).parents[2] / "fixtures"
EVENT_FILES = sorted((FIXTURES / "events").glob("*.jsonl"))
SAVED = sorted((FIXTURES / "saved").glob("*.json"))
PERSON = re.compile(r"\bthe person\b", re.IGNORECASE)
ID = re.compile(r"\b(?:run|call|await)-[\w-]+")
LINES_TO_TYPE = re.compile(r"(?:%agent --resume|%nbagents show) \S+|run_id=\"[^\"]*\"")


def tree_of_events(path: Path) -> Any:
    lines = path.read_text(encoding="utf-8").splitlines()
    return shown_tree(fold(EVENTS.validate_json(line) for line in lines))


def every_state() -> Any:
    """A run with a call of each ending that a person may have a part in, and all other states."""
    said = {
        "denied": (DENIED, decided(approved=False, note="not now")),
        "denied again": (AGAIN, decided(approved=False, by="the earlier denial")),
        "denied unasked": (UNASKED, decided(approved=False, by=NOBODY)),
        "cancelled": (CALL_STOPPED[BY_PERSON], None),
        "cancelled run": (f"Cancelled before it had started: {BY_PERSON}.", None),
    }
    calls = [
        call(f"c{at}", status=name.split()[0], content=told, preview=None, authorization=verdict)
        for at, (name, (told, verdict)) in enumerate(said.items())
    ]
    others = set(get_args(CallStatus)) - {"denied", "cancelled", "failed"}
    calls += [call(f"s-{status}", status=status) for status in sorted(others)]
    calls += [failed_call("f1"), failed_call("f2", failure=failure("Down.", kind="internal"))]
    for one in calls:
        explain(cast("Any", one))
    return tree(run(*calls))


def of_status(status: str) -> Any:
    one = run(call(), status=status, failure=failure("Stopped at a limit: max_steps=3."))
    explain(cast("Any", one))
    return tree(one)


TREES = [
    *(pytest.param(tree_of_events(path), id=path.stem) for path in EVENT_FILES),
    *(
        pytest.param(json.loads(path.read_text("utf-8"))[RUN_MIME]["tree"], id=f"saved {path.stem}")
        for path in SAVED
    ),
    *(pytest.param(of_status(one), id=f"run {one}") for one in get_args(RunStatus)),
    pytest.param(every_state(), id="every state"),
]


class Shown(HTMLParser):
    """The words of a page, without those of folds that are called Details."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.words = ""
        self._folds: list[str | None] = []
        self._in_summary = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag == "details":
            self._folds.append(None)
        self._in_summary = self._in_summary or tag == "summary"
        if tag == "summary":
            self._folds[-1] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "details":
            self._folds.pop()
        if tag == "summary":
            self._in_summary = False

    def handle_data(self, data: str) -> None:
        if self._in_summary:
            self._folds[-1] = f"{self._folds[-1]}{data}"
        if "Details" not in self._folds[:]:
            self.words += data


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from (value, " ".join(value.split()))
    elif isinstance(value, dict):
        yield from texts_in([*cast("dict[str, Any]", value).values()])
    elif isinstance(value, list):
        for one in cast("list[Any]", value):
            yield from texts_in(one)


def of_others(shown: Any) -> list[str]:
    """All that a model said or was told, and what tools and people wrote: not our words."""
    found: set[str] = set()
    for one in shown["runs"].values():
        found.update(texts_in([one["prompt"], one["text"], one.get("requests", []), one["items"]]))
        for made in one["calls"].values():
            written = ("content", "arguments", "output", "payloads", "failure")
            found.update(texts_in([made[name] for name in written]))
    return sorted((text for text in found if len(text) > 3), key=len, reverse=True)


def ours(text: str, shown: Any) -> str:
    """A text without what others wrote, and without lines that are there to be typed."""
    text = LINES_TO_TYPE.sub("", text)
    for one in of_others(shown):
        text = text.replace(one, "")
    return text


@pytest.mark.parametrize("shown", TREES)
def test_nobody_is_called_the_person_and_ids_are_details(shown: Any) -> None:
    """In the text of a run and in its saved HTML, whatever its state."""
    for root in shown["root_ids"]:
        forms = text_tree(shown, root), Shown(run_html(shown, root)).words
        for form in forms:
            assert PERSON.findall(ours(form, shown)) == []
            assert ID.findall(ours(form, shown)) == []


def test_a_row_says_to_whom_it_belongs_what_they_did() -> None:
    """Also where the model was told of it in the third person."""
    shown = every_state()
    text = text_tree(shown, "run-1")
    assert "You did not allow it: “not now”." in text
    assert "You stopped it." in text
    assert PERSON.search(text) is None


def test_each_state_of_a_run_and_of_a_call_is_among_these() -> None:
    """So that the property above cannot lose one."""
    shown = [cast("Any", one.values[0]) for one in TREES]
    runs = [one for tree_ in shown for one in tree_["runs"].values()]
    assert {one["status"] for one in runs} == set(get_args(RunStatus))
    calls = [made for one in runs for made in one["calls"].values()]
    assert {one["status"] for one in calls} == set(get_args(CallStatus))
