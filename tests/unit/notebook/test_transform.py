"""`%agent` lines are taken before IPython turns a question mark into help."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from nbagents.notebook.transform import take_magic_lines


def transform(cell: str) -> str:
    manager: Any = TransformerManager()  # Any: IPython leaves it untyped
    manager.cleanup_transforms.append(take_magic_lines)
    return manager.transform_cell(cell)


def calls(cell: str) -> list[tuple[str, str]]:
    """The magics that a cell calls, with their text."""
    found: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(transform(cell))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name, *text = [one.value for one in node.args if isinstance(one, ast.Constant)]
            found.append((str(name), str(*text)))
    return found


@pytest.mark.parametrize(
    "text",
    [
        "What is the weather in Paris?",
        "really??",
        "it's \"quoted\" and 'so on'?",
        "a # no comment, 100 % {x} ${y}?",
        "'''",
        "(an open bracket?",
        "back\\slash?",
    ],
)
@pytest.mark.parametrize("head", ["%agent ", "x = %agent ", "    %agent ", "a.b['c'] = %agent "])
def test_a_prompt_comes_through_as_it_stands(head: str, text: str) -> None:
    lead = "if True:\n" if head.startswith(" ") else ""
    assert calls(f"{lead}{head}{text}\n") == [("agent", text)]


def test_a_line_after_a_prompt_with_an_open_quote_is_taken_too() -> None:
    assert calls("%agent what's up?\n%agent and 'now?\nx = 1\n") == [
        ("agent", "what's up?"),
        ("agent", "and 'now?"),
    ]


def test_a_loop_keeps_its_shape() -> None:
    cell = "for city in cities:\n    run = %agent Weather in {{city}}?\n    print(run)\n"
    (loop,) = ast.parse(transform(cell)).body
    assert isinstance(loop, ast.For)
    assert len(loop.body) == 2


def test_a_backslash_continues_the_prompt() -> None:
    assert calls("%agent one \\\n   two?\n") == [("agent", "one two?")]


@pytest.mark.parametrize("cell", ["%agent?", "%agent??", "%tool?"])
def test_help_on_the_magic_stays_help(cell: str) -> None:
    assert "pinfo" in transform(cell)


@pytest.mark.parametrize(
    "cell",
    [
        's = """\n%agent What?\n"""\n',
        "s = '''\nx = %agent a\n'''\n",
        "f(\n%agent\n)\n",
        "x = 7 %agent\n",
        "x = y \\\n%agent\n",
        "%agents hello\n",
        "%%agent\nWhat?\n",
        "text = 'a %agent b?'\n",
    ],
)
def test_what_is_no_agent_line_is_left_alone(cell: str) -> None:
    assert take_magic_lines(cell.splitlines(keepends=True)) == cell.splitlines(keepends=True)


def test_other_magics_before_it_do_not_matter() -> None:
    assert calls("!ls 'a\n%matplotlib \"inline\nlen?\n%agent hi?\n")[-1] == ("agent", "hi?")


def test_hand_calls_are_taken_too() -> None:
    assert calls('%tool ask question="really?"\n') == [("tool", 'ask question="really?"')]
