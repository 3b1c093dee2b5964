"""Formulas in a saved answer: they keep their dollars, and no other dollar can be taken for one."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from nbagents.notebook.markup.maths import is_tame
from nbagents.notebook.markup.safe_markdown import markdown

FIXTURE = json.loads((Path(__file__).parents[2] / "fixtures" / "maths.json").read_text("utf-8"))
FORMULA = re.compile(r"<(span|div)>\$\$?(?P<tex>[^$<][^<]*?)\$\$?</\1>")
SKIPPED = re.compile(r"<(pre|code)[ >].*?</\1>", re.DOTALL)


def typeset(markup: str) -> list[str]:
    """What a page that draws everything between dollars, or after a backslash, would draw."""
    runs = [html.unescape(one) for one in re.split(r"<[^>]*>", SKIPPED.sub("<>", markup))]
    found = re.compile(r"\$\$?(.+?)\$\$?|\\[(\[](.+?)\\[)\]]|\\begin\{.*", re.DOTALL)
    return [one[0] for run in runs for one in found.finditer(run)]


@pytest.mark.parametrize("one", FIXTURE["found"], ids=lambda one: repr(one["text"]))
def test_formulas_keep_their_dollars_and_nothing_else_looks_like_one(
    one: dict[str, list[str]],
) -> None:
    markup = markdown(str(one["text"]))
    assert [html.unescape(found["tex"]) for found in FORMULA.finditer(markup)] == one["tex"]
    if not any("$" in tex for tex in one["tex"]):
        assert [found.strip("$") for found in typeset(markup)] == one["tex"]


@pytest.mark.parametrize("tex", FIXTURE["active"])
def test_what_acts_on_a_page_is_shown_as_it_was_written(tex: str) -> None:
    assert not is_tame(tex)
    for written in (f"${tex}$", f"$${tex}$$", f"\\({tex}\\)", f"\\[{tex}\\]"):
        markup = markdown(written)
        assert typeset(markup) == []
        assert html.unescape(re.sub("<[^>]*>", "", markup)) == tex


@pytest.mark.parametrize("tex", FIXTURE["tame"])
def test_a_formula_is_left_to_the_page(tex: str) -> None:
    assert is_tame(tex)
    assert len(typeset(markdown(f"${tex}$"))) == 1


def test_what_a_typesetter_would_find_without_dollars_is_text() -> None:
    for text in ("\\begin{align}x\\end{align}", "\\\\(x\\\\)", "[$](https://a.example) x $"):
        assert typeset(markdown(text)) == []
