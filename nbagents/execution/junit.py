"""Verdicts as a JUnit report, for whatever shows the results of tests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nbagents.execution.verdict import Verdict

NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 does not hold, also not written out."""
SUITE: Final = "nbagents test"


def junit_report(verdicts: Sequence[Verdict]) -> ET.Element:
    """A report with one case for each notebook."""
    counts = {
        "tests": str(len(verdicts)),
        "failures": str(sum(1 for one in verdicts if one.failures)),
        "errors": str(sum(1 for one in verdicts if one.was_interrupted)),
        "skipped": "0",
        "time": f"{sum(one.seconds for one in verdicts):.3f}",
    }
    report = ET.Element("testsuites", counts)
    suite = ET.SubElement(report, "testsuite", {"name": SUITE, **counts})
    for one in verdicts:
        _add(suite, one)
    return report


def write_junit(verdicts: Sequence[Verdict], path: Path) -> None:
    """Write the report into a file, whose folder is made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ET.ElementTree(junit_report(verdicts)).write(path, encoding="utf-8", xml_declaration=True)


def _add(suite: ET.Element, verdict: Verdict) -> None:
    path = _clean(verdict.path.as_posix())
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": _clean(verdict.path.parent.as_posix().replace("/", ".")),
            "name": _clean(verdict.path.name),
            "file": path,
            "time": f"{verdict.seconds:.3f}",
        },
    )
    if verdict.failures:
        failure = ET.SubElement(case, "failure", {"message": _clean(verdict.reason)})
        failure.text = _clean(verdict.details)
    elif verdict.was_interrupted:
        ET.SubElement(case, "error", {"message": verdict.reason})
    if verdict.notes:
        ET.SubElement(case, "system-out").text = _clean("\n".join(verdict.notes))


def _clean(text: str) -> str:
    return NOT_XML.sub("\ufffd", text)
