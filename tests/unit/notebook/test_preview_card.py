"""The card of a request that was not sent."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest
from lab_sanitizer import refused
from trees import Page, html_of, plain_of

from nbagents.messages import SystemMessage, ToolMessage, UserMessage
from nbagents.models.model import OutputSpec, ToolSpec
from nbagents.notebook.cards.preview import preview_card
from nbagents.results import FilePart, ImagePart
from nbagents.runs.plan.preview import Preview

PREVIEW = Preview(
    model="gpt-x",
    messages=(
        SystemMessage(text="Be <b>brief</b>."),
        UserMessage(
            text="Weather?\nIn $Oslo$?",
            parts=(
                ImagePart(data=b"x" * 1500, name="photo"),
                ImagePart(url="https://a.example/b.png"),
                FilePart(name="notes.pdf", media_type="application/pdf", file_id="file-1"),
            ),
        ),
        ToolMessage(call_id="1", name="weather", content="9 °C"),
    ),
    tools=(
        ToolSpec(
            name="weather",
            description="Look up the weather.\n\nOf any city.",
            parameters={"type": "object", "properties": {"frame": {"type": "string"}}},
            strict=True,
            handles={"frame": "DataFrame"},
            defer=True,
        ),
        ToolSpec(name="web", description="", parameters={}, hosted={"type": "web_search"}),
        ToolSpec(name="odd", description="", parameters={}, strict_note="Too odd to be strict."),
    ),
    form=OutputSpec(name="City", schema={"type": "object", "title": "A city"}, strict=True),
    settings={"temperature": 0},
    shared=(),
    body={"image_url": "data:image/png;base64," + "A" * 2000, "model": "gpt-x"},
    tokens=1234,
)


@pytest.mark.parametrize("of", [html_of, plain_of])
def test_a_card_says_that_nothing_was_sent_and_what_would_have_been(of: object) -> None:
    bundle = preview_card(PREVIEW)
    words = Page(html_of(bundle)).text if of is html_of else plain_of(bundle)
    for said in (
        "Not sent. gpt-x would be asked; about 1,234 tokens in.",
        "Be <b>brief</b>.",
        "In $Oslo$?",
        "photo: image/png, 1.5 kB",
        "image: image/png, https://a.example/b.png",
        "notes.pdf: application/pdf, file-1",
        "9 °C",
        "Look up the weather.",
        "frame takes the name of an object: DataFrame.",
        "It runs at the provider.",
        "web_search",
        "Too odd to be strict.",
        "City",
        "A city",
        "Its schema is strict.",
        "temperature",
    ):
        assert said in words


def test_the_page_is_folded_and_keeps_to_what_lab_lets_through() -> None:
    page = Page(html_of(preview_card(PREVIEW)))
    assert refused(page.elements) == []
    assert "3 messages" in page.text
    assert "3 tools" in page.text
    assert "<b>brief</b>" not in html_of(preview_card(PREVIEW))


def test_the_letters_of_images_are_left_out_of_the_whole_request() -> None:
    words = Page(html_of(preview_card(PREVIEW))).text
    assert "AAAA… (2,022 characters)" in words
    assert "A" * 100 not in words


def test_a_long_prompt_is_cut_with_a_note() -> None:
    long = replace(PREVIEW, messages=(UserMessage(text="x" * 70_000),), body=None)
    for words in (html_of(preview_card(long)), plain_of(preview_card(long))):
        assert "[10,000 more characters are not shown.]" in unescape(words)
        assert len(words) < 80_000


def test_a_bare_request_has_no_empty_sections() -> None:
    bare = replace(PREVIEW, messages=(UserMessage(text="Hi"),), tools=(), form=None, settings={})
    words = Page(html_of(preview_card(bare))).text
    assert "1 message" in words
    for absent in ("tool", "Settings", "Form"):
        assert absent not in words
