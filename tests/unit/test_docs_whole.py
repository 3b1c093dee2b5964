"""The docs have all that there is: pages, commands, variables, names; each leads to others."""

from __future__ import annotations

import argparse
import inspect
import re
import shlex
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

import nbagents
from nbagents.cli.command import declared
from nbagents.notebook.options.config import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
INDEX = DOCS / "README.md"
ORDER = re.findall(r"^- \[[^\]]+\]\(([\w-]+\.md)\)", INDEX.read_text("utf-8"), re.MULTILINE)
PAGES = sorted(page for page in DOCS.glob("*.md") if page != INDEX)
LED_BY = [*PAGES, INDEX, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
VARIABLE = re.compile(r"\bNBAGENTS_[A-Z][A-Z_]*[A-Z]\b")
NO_VARIABLES = re.compile(r"NBAGENTS_(GUARD_\w+|HELP|OPTIONS)")
"""What `nbagents test` says to itself, and names of constants."""
ELSEWHERE = {"NBAGENTS_BFCL", "NBAGENTS_DATA"}
"""Heeded by tests and benchmarks alone."""


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def title(page: Path) -> str:
    """What the index calls a page."""
    found = re.search(rf"^- \[([^\]]+)\]\({page.name}\)", INDEX.read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def ends(parser: argparse.ArgumentParser, words: str = "") -> Iterator[tuple[str, str]]:
    """Each command without commands of its own, with each of its options."""
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]  argparse has no other way
        if isinstance(action, argparse._SubParsersAction):  # pyright: ignore[reportPrivateUsage]
            choices: Any = cast("Any", action).choices  # argparse leaves them untyped
            named: dict[str, argparse.ArgumentParser] = choices
            for name, one in named.items():
                yield f"{words} {name}".strip(), ""
                yield from ends(one, f"{words} {name}".strip())
        else:
            yield from ((words, name) for name in action.option_strings if name not in HELP)


HELP = {"-h", "--help"}
GROUPS = {"", "recording"}
"""What has commands of its own."""


def test_the_index_names_every_page_once() -> None:
    assert sorted(ORDER) == [page.name for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_leads_to_its_neighbours(page: Path) -> None:
    at = ORDER.index(page.name)
    before = [DOCS / one for one in ORDER[max(at - 1, 0) : at]]
    after = [DOCS / one for one in ORDER[at + 1 : at + 2]]
    links = [f"[← {title(one)}]({one.name})" for one in before]
    links += ["[All pages](README.md)"]
    links += [f"[{title(one)} →]({one.name})" for one in after]
    last = page.read_text(encoding="utf-8").rstrip().splitlines()[-1]
    assert last == " · ".join(links)


@pytest.mark.parametrize("page", LED_BY, ids=lambda page: page.name)
def test_headings_are_in_order_below_one_title(page: Path) -> None:
    levels = [len(signs) for signs, _ in HEADING.findall(prose(page))]
    assert levels[0] == 1
    assert 1 not in levels[1:]
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_begins_with_what_it_is_for(page: Path) -> None:
    begins = prose(page).splitlines()[2]
    assert re.match(r"[A-Z`%]", begins), begins


@pytest.mark.parametrize("page", LED_BY, ids=lambda page: page.name)
def test_where_a_link_leads_there_is_such_a_heading(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s:]*#[^)\s]+)\)", prose(page)):
        path, _, anchor = link.partition("#")
        there = (page.parent / path) if path else page
        names = {re.sub(r"[^\w\- ]", "", one.lower()) for _, one in HEADING.findall(prose(there))}
        assert anchor in {one.replace(" ", "-") for one in names}, link


def test_every_command_and_option_is_on_the_page_of_the_command() -> None:
    lines = (DOCS / "command.md").read_text(encoding="utf-8").splitlines()
    rows = {
        command: next((one for one in lines if re.match(rf"\| `nbagents {command}[ `]", one)), "")
        for command, _ in ends(declared())
        if command not in GROUPS
    }
    rows[""] = next(one for one in lines if one.startswith("| `nbagents` "))
    assert [command for command, row in rows.items() if not row] == []
    missing = [
        f"{command} {option}"
        for command, option in ends(declared())
        if option and not re.search(rf"[`/]{option}(?![\w-])", rows[command])
    ]
    assert missing == []


@pytest.mark.parametrize("page", LED_BY, ids=lambda page: page.name)
def test_every_line_for_a_terminal_is_one_that_the_command_takes(page: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    for line in "".join(blocks).splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["nbagents"]:
            assert hasattr(declared().parse_args(words[1:]), "act"), line


def test_every_variable_of_the_environment_is_in_a_doc_and_no_other() -> None:
    heeded = {rule.variable for rule in RULES.values() if rule.variable}
    for file in (ROOT / "nbagents").rglob("*.py"):
        heeded |= set(VARIABLE.findall(file.read_text(encoding="utf-8")))
    heeded = {one for one in heeded if not NO_VARIABLES.fullmatch(one)}
    named = {one for page in LED_BY for one in VARIABLE.findall(page.read_text("utf-8"))}
    assert named - ELSEWHERE == heeded


@pytest.mark.parametrize("name", nbagents.__all__)
def test_every_public_name_is_said_in_its_docstring_and_in_a_doc(name: str) -> None:
    assert inspect.getdoc(getattr(nbagents, name))
    assert any(re.search(rf"\b{name}\b", page.read_text("utf-8")) for page in LED_BY)


@pytest.mark.parametrize("name", nbagents.__all__)
def test_what_can_be_done_with_a_public_class_is_said_where_it_is_defined(name: str) -> None:
    made = getattr(nbagents, name)
    members = vars(made).items() if inspect.isclass(made) else ()
    silent = [
        member
        for member, value in members
        if not member.startswith("_")
        and isinstance(value, (property, classmethod, staticmethod, type(title)))
        and not inspect.getdoc(getattr(made, member) if inspect.isfunction(value) else value)
    ]
    assert silent == []
