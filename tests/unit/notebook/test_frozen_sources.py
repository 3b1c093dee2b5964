"""Citations in a saved run."""

from __future__ import annotations

import pytest
from lab_sanitizer import refused
from trees import Json, Page, citation, html_of, plain_of, run, tree

from nbagents.notebook.saved.bundle import frozen_bundle
from nbagents.runs.wording.sources import sources_of


def frozen(*citations: Json, text: str = "So.") -> dict[str, object]:
    return frozen_bundle(tree(run(text=text, citations=list(citations))), "run-1")


def test_each_source_is_named_once_by_the_first_title_it_was_given() -> None:
    found = sources_of(
        [
            citation("https://a.example/x"),
            citation("https://b.example/"),
            citation("https://a.example/x", "A page", start=9),
            citation(title="notes.pdf", file_id="file-1"),
            citation(file_id="file-2"),
            citation(),
        ]
    )
    assert found == [
        ("A page", "https://a.example/x", "a.example"),
        ("https://b.example/", "https://b.example/", "b.example"),
        ("notes.pdf", "", ""),
        ("file-2", "", ""),
    ]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,<b>",
        "file:///etc/passwd",
        "/here",
        "no address",
        "https://",
        "https://[",
        "https://a.example/ onclick",
        "https://a.example/\u202e",
    ],
)
def test_what_is_no_web_page_is_not_linked(url: str) -> None:
    assert sources_of([citation(url, "T")]) == [("T", "", "")]
    page = Page(html_of(frozen(citation(url, "T"))))
    assert page.named("a") == []
    assert "SourcesT" in page.text


def test_a_name_before_the_host_is_not_taken_for_it() -> None:
    (source,) = sources_of([citation("https://bank.example@evil.example/", "Bank")])
    assert source.host == "evil.example"


def test_they_stand_numbered_below_the_answer() -> None:
    markup = html_of(frozen(citation("https://a.example/x", "<b>A page</b>"), citation(title="B")))
    page = Page(markup)
    assert refused(page.elements) == []
    (link,) = page.named("a")
    assert link == {
        "href": "https://a.example/x",
        "title": "https://a.example/x",
        "target": "_blank",
        "rel": "noopener noreferrer nofollow",
    }
    assert page.text.endswith("So.Sources<b>A page</b> a.exampleB")
    assert len(page.named("ol")) == 1


def test_they_stand_below_the_answer_in_text() -> None:
    said = plain_of(
        frozen(citation("https://a.example/x", "A page"), citation("https://b.example"))
    )
    assert said.endswith(
        "\n\nSo.\n\nSources:\n[1] A page: https://a.example/x\n[2] https://b.example"
    )


def test_without_an_answer_there_are_none() -> None:
    bundle = frozen(citation("https://a.example/x", "A page"), text="")
    assert "A page" not in html_of(bundle)
    assert "A page" not in plain_of(bundle)
