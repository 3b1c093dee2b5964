"""A saved run in a Markdown or reStructuredText file stays markup that does nothing."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from nbconvert import MarkdownExporter, RSTExporter  # pyright: ignore[reportMissingTypeStubs]
from trees import html_of

from nbagents.notebook.markup.markup import pre, tag
from nbagents.notebook.saved.bundle import frozen_bundle
from tests.hostile import hostile_tree
from tests.thinning import thinned
from tests.xss import VECTORS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

FETCH = "![x](https://evil.example/x.png)"
TEXTS = [
    f"a\n\n{FETCH}\n\n<img src=https://evil.example/x.png>\n",
    f"a\n\n    {FETCH}\n\n# head\n\n```\n\n{FETCH}\n```",
    f"\r\n\r\n{FETCH}\x0b\n\x0c\n{FETCH}\u2028\u2028{FETCH}\x85\x85{FETCH}",
    "![x][y]\n\n[y]: https://evil.example/x.png\n\n![y]",
    ".. image:: https://evil.example/x.png\n\n.. raw:: html\n\n   <img src=https://evil.example/x>",
]
"""What would be a picture from elsewhere if it came alive."""
INLINE = st.text(alphabet=st.sampled_from("![]()`*_~\\<>&#;:\n x/.\"'"), max_size=60)


def parser() -> MarkdownIt:
    return MarkdownIt("gfm-like", {"html": True, "linkify": False})


def tokens(text: str) -> Iterator[Token]:
    """All tokens of a Markdown file, those inside of others too."""
    for token in parser().parse(text):
        yield token
        yield from token.children or ()


def notebook(texts: list[str]) -> Any:  # Any: nbformat has no types
    """A notebook whose runs hold these texts wherever a model or a tool could have put them."""
    trees = [hostile_tree(text) for text in texts]
    bundles = [frozen_bundle(one, one["root_ids"][0]) for one in trees]
    return nbformat.from_dict(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {},
            "cells": [
                {
                    "cell_type": "code",
                    "id": f"c{at}",
                    "source": "run",
                    "metadata": {},
                    "execution_count": 1,
                    "outputs": [{"output_type": "display_data", "metadata": {}, "data": bundle}],
                }
                for at, bundle in enumerate(bundles)
            ],
        }
    )


MANY = thinned([*TEXTS, *VECTORS[::10]], one_in=4, others=pytest.mark.medium)


@pytest.mark.parametrize("text", MANY, ids=json.dumps)
def test_the_saved_html_of_any_text_is_one_line(text: str) -> None:
    tree = hostile_tree(text)
    written = html_of(frozen_bundle(tree, tree["root_ids"][0]))
    assert written.splitlines() == [written]


@pytest.mark.medium
def test_in_a_markdown_file_all_of_a_run_is_one_block_of_html() -> None:
    written: str = MarkdownExporter().from_notebook_node(notebook(TEXTS))[0]  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  as above
    found = list(tokens(written))
    blocks = [one.content for one in found if one.type == "html_block"]
    assert len(blocks) == len(TEXTS)
    assert all(one.startswith("<div") and one.rstrip().endswith("</div>") for one in blocks)
    assert not [one for one in found if one.type in ("image", "link_open", "html_inline")]
    assert not re.findall(r'\s(?:src|srcset|background|poster)="(?!data:)', "".join(blocks))


@pytest.mark.medium
def test_in_a_restructured_text_file_every_line_of_it_stays_in_its_block() -> None:
    written: str = RSTExporter().from_notebook_node(notebook(TEXTS))[0]  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  as above
    outside = [line for line in written.splitlines() if line and not line.startswith("    ")]
    assert sum(line.startswith(".. raw:: html") for line in outside) == len(TEXTS)
    assert not [line for line in outside if "evil" in line]


@given(INLINE)
def test_also_where_markdown_is_read_inside_of_html_a_text_stays_text(text: str) -> None:
    """Some programs do so; none of ours is alive for them, and what a reader sees is the text."""
    for element in (tag("span", text), pre(text)):
        inner = re.sub(r"<[^<>]*>", "", element)
        kinds = {token.type for token in parser().parseInline(inner)[0].children or ()}
        assert kinds <= {"text", "text_special"}
        assert html.unescape(inner) == text
