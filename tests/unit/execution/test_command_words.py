"""What `nbagents test` and `nbagents run` refuse before anything is run, and what they print."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from nbagents.cli import main
from nbagents.cli.test import ENDING, summary, verdict_lines
from nbagents.execution import MARKS, Failure, Verdict, junit_report, marks_of, write_junit
from tests.unit.execution.written import cell, node_of, written

PAGE = Path(__file__).resolve().parents[3] / "docs" / "testing.md"
PARAMETERS = "count = 1\nname = 'x'\nshare: float = 0.5"
FAILURES = (Failure(reason="In [1]: it is so", details="-  a\n+  b"), Failure(reason="In [2]: no"))
BROKEN = Verdict(path=Path("lessons/one.ipynb"), failures=FAILURES, notes=("by the way",), cells=3)


def said_by(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """The exit code of a command, and what it says of a wrong use."""
    try:
        code = main(words)
    except SystemExit as ended:
        code = int(ended.code or 0)
    return code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["none.ipynb"], "no file 'none.ipynb'"),
        (["."], "There is no notebook in '.'"),
        ([".", "-j", "0"], "-j"),
        ([".", "--timeout", "-1"], "--timeout"),
        ([], "NOTEBOOK"),
    ],
)
def test_tests_that_cannot_be_done_end_with_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = said_by(capsys, "test", *words)
    assert code == 2
    assert says in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["none.ipynb"], "no file 'none.ipynb'"),
        (["one.ipynb", "-o", "no/out.ipynb"], "no folder 'no'"),
        (["one.ipynb", "-o", "folder"], "is a folder"),
        (["one.ipynb", "-p", "1=2"], "write it as name=value"),
        (["one.ipynb", "-p", "count=many"], "count is of type int in the notebook"),
        (["one.ipynb", "--kernel", "none"], "There is no kernel 'none' here"),
        (["one.ipynb", "--live", "--replay"], "not allowed with"),
        (["cut.ipynb"], "cut off"),
    ],
)
def test_a_run_that_cannot_be_begun_ends_with_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    says: str,
) -> None:
    path = written(tmp_path / "one.ipynb", cell(PARAMETERS, "parameters"))
    (tmp_path / "cut.ipynb").write_bytes(path.read_bytes()[:100])
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    code, said = said_by(capsys, "run", *words)
    assert code == 2
    assert says in said


def test_a_verdict_is_a_line_and_below_it_what_does_not_hold() -> None:
    assert verdict_lines(BROKEN) == [
        "failed  lessons/one.ipynb  3 cells, 0 runs, 0 calls  0.0 s",
        "  In [1]: it is so",
        "    -  a",
        "    +  b",
        "  In [2]: no",
        "  note: by the way",
    ]
    assert BROKEN.reason == "In [1]: it is so (and 1 more)"


def test_the_last_line_counts_what_came_of_all() -> None:
    others = [
        Verdict(path=Path("a.ipynb"), was_updated=True),
        Verdict(path=Path("b.ipynb"), was_interrupted=True),
    ]
    said = summary([BROKEN, *others], 1.24)
    assert said == "3 notebooks: 1 passed, 1 failed, 1 interrupted, 1 updated, in 1.2 s"


def test_a_report_is_well_formed_whatever_a_notebook_says(tmp_path: Path) -> None:
    bad = "\x00\x1b[31m\ud800 <&> ]]> \ufffe"
    failure = Failure(reason=bad, details=bad)
    verdict = Verdict(path=Path("deep/<a>.ipynb"), failures=(failure,), notes=(bad,))
    stopped = Verdict(path=Path("b.ipynb"), was_interrupted=True)
    write_junit([verdict, stopped], tmp_path / "new" / "report.xml")
    root = ET.parse(tmp_path / "new" / "report.xml").getroot()
    assert [case.attrib["name"] for case in root.iter("testcase")] == ["<a>.ipynb", "b.ipynb"]
    assert (root.attrib["failures"], root.attrib["errors"]) == ("1", "1")
    (found,) = root.iter("failure")
    assert "<&> ]]>" in (found.text or "")


def test_a_report_of_nothing_is_one(tmp_path: Path) -> None:
    write_junit([], tmp_path / "report.xml")
    assert junit_report([]).attrib["tests"] == "0"


def test_the_help_names_every_mark() -> None:
    assert [name for name in MARKS if f"nbagents-{name}" not in ENDING] == []


@pytest.mark.parametrize("command", ["test", "run"])
def test_the_page_of_tests_has_every_option(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    options = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", capsys.readouterr().out))
    page = PAGE.read_text(encoding="utf-8")
    assert {one for one in options if one not in page} <= {"-h", "--help"}


@pytest.mark.parametrize("name", MARKS)
def test_the_page_of_tests_has_every_mark(name: str) -> None:
    assert f"| `nbagents-{name}` | `{name}` |" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MARKS)
def test_a_mark_is_a_tag_or_a_comment(name: str) -> None:
    assert marks_of(node_of(cell("x", f"nbagents-{name}", "other"))) == {name}
    assert marks_of(node_of(cell(f"x = 1\n  # nbagents: {name}"))) == {name}


def test_other_tags_and_comments_are_no_marks() -> None:
    assert marks_of(node_of(cell("# nbagents: no\n# nbagents loopback", "loopback"))) == set()
    assert marks_of(node_of(cell("x", "raises-exception"))) == {"may-fail"}
    assert marks_of(node_of(cell("# nbagents: loopback, may-fail"))) == {"loopback", "may-fail"}


def test_what_is_no_notebook_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook, other = tmp_path / "one.ipynb", tmp_path / "tools.py"
    written(notebook, cell("1"))
    other.write_text("keep = 1\n", encoding="utf-8")
    code, said = said_by(capsys, "run", str(notebook), "-o", str(other))
    assert code == 2
    assert "is there already and no notebook" in said
    assert other.read_text(encoding="utf-8") == "keep = 1\n"


def test_what_is_no_report_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--junit a.ipynb b.ipynb` forgets a word: the notebook stays."""
    notebook = written(tmp_path / "one.ipynb", cell("1"))
    was = notebook.read_bytes()
    code, said = said_by(capsys, "test", "--junit", str(notebook), str(notebook))
    assert code == 2
    assert "is there already and no report" in said
    assert notebook.read_bytes() == was
