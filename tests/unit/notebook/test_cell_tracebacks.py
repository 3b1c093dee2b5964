"""An error in a `%%tool` cell is shown exactly as in a plain cell."""

from __future__ import annotations

import re

import pytest

from tests.unit.notebook.conftest import Notebook

KINDS = {
    "syntax": "def f(:\n    pass\n",
    "syntax at the end": "def f(): ...\nx = (1,\n",
    "syntax in a function": "def f():\n    return return\n",
    "indentation": "def f():\n    a = 1\n  b = 2\n",
    "unexpected indentation": "def f(): ...\n  x = 1\n",
    "tabs": "def f():\n    if 1:\n\tpass\n        return 1\n",
    "return outside": "def f(): ...\nreturn 1\n",
    "unterminated text": "def f(): ...\nx = 'abc\n",
    "future import": "def f(): ...\nfrom __future__ import braces\n",
    "syntax found late": "def f():\n    global x\n    x = 1\n    nonlocal y\n",
    "name": "def f(): ...\nmissing\n",
    "name in an expression": "def f(): ...\n1 + missing + 2\n",
    "name in a statement": "def f(): ...\nx = missing\n",
    # Not of a `def`: of one, stack_data shows the lines before or not, as a set is ordered.
    "name in a default": "def f(): ...\ng = lambda x=missing: x\n",
    "name in a hint": "def f(): ...\ny: missing = 1\n",
    "name in a nested call": "def g():\n    return h()\ndef h():\n    return missing\ng()\n",
    "name in a statement of a call": "def g():\n    return missing\nx = g()\n",
    "chained": "def g():\n    try:\n        1 / 0\n    except ZeroDivisionError as e:\n"
    "        raise ValueError('so') from e\ng()\n",
    "while another": "def g():\n    try:\n        1 / 0\n    except ZeroDivisionError:\n"
    "        raise ValueError('so')\nx = g()\n",
    "from none": "def g():\n    try:\n        1 / 0\n    except ZeroDivisionError:\n"
    "        raise ValueError('so') from None\nx = g()\n",
    "group": "def g():\n    raise ExceptionGroup('all', [ValueError('a'), KeyError('b')])\ng()\n",
    "note": "def f(): ...\ne = ValueError('a')\ne.add_note('more')\nraise e\n",
    "library": "import json\ndef f(): ...\njson.loads('{')\n",
    # Its tool is made, as only the value cannot be shown: it says what it does, so nothing is said.
    "repr": "class R:\n    def __repr__(self):\n        return missing\ndef rest(): 'Do.'\nR()\n",
    "magic": "def f(): ...\n%nothing_like_it\n",
    "import": "import nothing_like_it\ndef f(): ...\n",
    "assertion": "def f(): ...\nassert 1 == 2, 'no'\n",
    "syntax of other text": "def f(): ...\nexec('def (')\n",
    "exit": "def f(): ...\nraise SystemExit(3)\n",
    "interrupt": "def f(): ...\nraise KeyboardInterrupt\n",
}


def shown(notebook: Notebook, cell: str) -> str:
    """What is shown of a cell, whose first line is only a comment or a magic."""
    ended = notebook.run(cell)
    text = ended.stdout + ended.stderr
    return re.sub(r"0x[0-9a-f]+|(In|Out)\s?\[\d+\]|input-\d+-\w+", "…", text)


OTHER_MODES = ["Context", "Verbose", "Minimal"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "mode",
    ["Plain", *(pytest.param(mode, marks=pytest.mark.medium) for mode in OTHER_MODES)],
)
def test_an_error_is_shown_as_in_a_plain_cell(notebook: Notebook, kind: str, mode: str) -> None:
    notebook.run(f"%xmode {mode}")
    plain = shown(notebook, f"#%tool\n{KINDS[kind]}")
    assert shown(notebook, f"%%tool\n{KINDS[kind]}") == plain
