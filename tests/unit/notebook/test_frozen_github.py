"""What is left of a saved run where all styles are lost, as on GitHub: it still reads as it should.

What GitHub itself runs is not public. html-pipeline's list is the one that it once published.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nh3
import pytest
from trees import Json, call, citation, failed_call, html_of, message, payload, request, run, tree

from nbagents.notebook.saved.bundle import frozen_bundle

ROOT = Path(__file__).parents[2]
LIST: Mapping[str, Any] = json.loads((ROOT / "fixtures" / "html-pipeline.json").read_text("utf-8"))
FIXTURES = sorted((ROOT / "fixtures" / "events").glob("*.tree.json"))
INLINE = frozenset({"a", "code", "em", "img", "s", "span", "strong"})
CELLS = frozenset({"td", "th"})


class Lines(HTMLParser):
    """The lines that a browser shows with no style at all."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.sources: list[str] = []
        self.attributes: set[str] = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.attributes |= given.keys()
        self._break(tag)
        if tag == "img":
            self.sources.append(given.get("src") or "")
            self.text += f"[{given.get('alt')}]"

    def handle_endtag(self, tag: str) -> None:
        self._break(tag)

    def handle_data(self, data: str) -> None:
        self.text += data

    def _break(self, tag: str) -> None:
        if tag in CELLS:
            self.text += " "
        elif tag not in INLINE:
            self.text += "\n"

    @property
    def lines(self) -> list[str]:
        """The lines that hold something."""
        return [" ".join(line.split()) for line in self.text.split("\n") if line.strip()]


def cleaned(html: str) -> str:
    """The HTML as html-pipeline's list lets it through; no address but of the web."""
    return nh3.clean(
        html,
        tags=set(LIST["elements"]),
        attributes={tag: set(names) - {"rel"} for tag, names in LIST["attributes"].items()},
        url_schemes={"http", "https", "mailto"},
    )


def shown(*runs: Json) -> Lines:
    return Lines(cleaned(html_of(frozen_bundle(tree(*runs), "run-1"))))


def test_the_status_each_call_and_the_answer_are_lines_of_their_own() -> None:
    page = shown(run(call("c1"), failed_call("c2")))
    assert page.lines[:3] == [
        "! How warm is it in Oslo?",
        "Agent offline · done, 1 of 2 calls failed · 4.2 s · 1.9k tokens",
        "Asked How warm is it in Oslo?",
    ]
    answer = page.lines.index("It is 9 °C in Oslo.")
    assert page.lines[answer + 1 : answer + 3] == [
        "! weather ×2 Oslo — 1 failed · 812 ms",
        '✓ weather city="Oslo" — 9 °C — done · 812 ms',
    ]
    assert '✗ weather city="Oslo" — failed · 812 ms' in page.lines
    assert "Error: The service answered 409." in page.lines


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("failed", "✗ failed"),
        ("limit", "○ stopped at a limit"),
        ("denied", "✗ denied"),
        ("cancelled", "○ cancelled"),
        ("unknown", "○ outcome unknown"),
    ],
)
def test_how_a_run_ended_is_said_in_words(status: str, words: str) -> None:
    sign, said = words.split(" ", 1)
    asked, who = shown(run(status=status)).lines[:2]
    assert asked.startswith(f"{sign} ")
    assert who.startswith(f"Agent offline · {said} · ")


def test_what_needs_styles_or_scripts_is_gone_and_nothing_is_missed() -> None:
    table = {"columns": ["city"], "dtypes": ["str"], "rows": [["Oslo"]], "total": 1}
    place = {"center": {"lon": 10.75, "lat": 59.91}, "zoom": 9}
    told = request(1, message("system", "Be brief."))
    rich = call(payloads=[payload("table", table), payload("map", place)])
    page = shown(run(rich, requests=[told], citations=[citation("https://met.no", "Met")]))
    assert page.attributes <= {"open", "scope", "align", "alt", "href", "title", "start", "rel"}
    assert page.sources == [""], "a picture inside the page is taken away, so words stand by it"
    assert "Map at 10.75° E, 59.91° N, zoom 9" in page.text
    assert "Oslo" in page.lines
    assert "Met met.no" in page.lines
    assert "What the model saw" in page.lines


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_every_call_of_every_fixture_is_named(path: Path) -> None:
    folded: Json = json.loads(path.read_text(encoding="utf-8"))
    for root_id in folded["root_ids"]:
        page = Lines(cleaned(html_of(frozen_bundle(folded, root_id))))
        root = folded["runs"][root_id]
        assert root["agent_name"] in "".join(page.lines[:2])
        for one in root["calls"].values():
            assert one["name"] in page.text
