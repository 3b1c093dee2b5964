"""`%agent` lines are taken before IPython turns a question mark into help."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from nbagents.notebook.kernel.line_transform import take_magic_lines


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


@pytest.mark.parametrize(
    "before",
    [
        's = """Is it raining?\nno"""\n',
        "x = (1, # is this?\n2)\n",
        'p = """a\n%agent x?"""\n',
        "def f():\n    '''What?\n    %agent no?\n    '''\n",
        "import os?\n!echo 'open\n%time x = 'y\n",
    ],
)
def test_a_question_in_a_string_or_bracket_before_it_does_not_matter(before: str) -> None:
    lines = take_magic_lines((before + "%agent Is it?\n").splitlines(keepends=True))
    assert lines[:-1] == before.splitlines(keepends=True)
    assert lines[-1] == "get_ipython().run_line_magic('agent', 'Is it?')\n"


@pytest.mark.parametrize(
    "cell",
    [
        'print("usage: run=%agent hello")\n',
        '"""Use x = %agent hi."""\n',
        'def f():\n    """Call it: r = %agent hi"""\n',
        "f(a=%agent)\n",
        "x = {'a': '%agent'}\n",
    ],
)
def test_text_that_speaks_of_it_is_left_alone(cell: str) -> None:
    assert take_magic_lines(cell.splitlines(keepends=True)) == cell.splitlines(keepends=True)


@pytest.mark.parametrize(
    "head",
    [
        "a = b = ",
        'd["a=b"] = ',
        "a = 1; r = ",
        "a, b = ",
        "x: object = ",
        "if x: ",
        "for x in y: ",
        "def f():\n    return ",
    ],
)
def test_wherever_an_expression_may_stand_it_is_taken(head: str) -> None:
    assert ("agent", "really?") in calls(f"{head}%agent really?\n")


@pytest.mark.parametrize("head", ["%time ", "%time r = ", "%timeit "])
def test_it_stands_under_timing_too(head: str) -> None:
    (line,) = take_magic_lines([f"{head}%agent What is it?\n"])
    assert line == f"{head}get_ipython().run_line_magic('agent', 'What is it?')\n"


def test_a_prompt_may_speak_of_it() -> None:
    text = "what does y = %agent do?"
    assert calls(f"x = %agent {text}\n") == [("agent", text)]
