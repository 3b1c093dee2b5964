"""Runs every test tool of a suite, to the end, and says in one last line how it went.

`python -m tests.suite test` is what `make test` runs. A step that fails does not hide the next one.
Three lanes run beside each other, so that two cores are never idle: what reads the code and runs
the notebooks, what needs a browser, and the other tests. What a step of the first two says stands
together, at its end.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.absent import absent

ROOT = Path(__file__).resolve().parents[1]
REPORTS = ROOT / "build" / "reports"
PYTHON = sys.executable
NPM = (PYTHON, "js/npm.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One tool: how it is run, and the JUnit report that it leaves, if it counts anything."""

    name: str
    command: tuple[str, ...]
    report: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What a tool counted."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0


def npm_script(*words: str) -> tuple[str, ...]:
    """A script of `js/package.json`."""
    return (*NPM, "run", "--silent", *words)


def pytest_step(name: str, *options: str) -> Step:
    """pytest, told to leave its report."""
    report = f"{name.replace(' ', '-')}.xml"
    command = (PYTHON, "-m", "pytest", "--quiet", f"--junitxml=build/reports/{report}", *options)
    return Step(name=name, command=command, report=report)


GENERATE = f"{shlex.quote(PYTHON)} generate_nodes.py --check"
STYLE = [
    Step(name="ruff check", command=(PYTHON, "-m", "ruff", "check", "--quiet", ".")),
    Step(name="ruff format", command=(PYTHON, "-m", "ruff", "format", "--check", "--quiet", ".")),
    Step(name="import-linter", command=(str(Path(PYTHON).with_name("lint-imports")),)),
    Step(name="biome", command=npm_script("lint")),
]
GENERATED = [
    Step(name="nodes.ts", command=(*NPM, "exec", "-c", GENERATE)),
    Step(name="bundles", command=npm_script("build", "--", "--check")),
]
TSC = Step(name="tsc", command=npm_script("types"))
PYRIGHT = Step(name="pyright", command=(PYTHON, "-m", "pyright"))
VITEST = Step(
    name="vitest",
    command=npm_script(
        *("test", "--", "--reporter=default", "--reporter=junit"),
        "--outputFile.junit=../build/reports/vitest.xml",
    ),
    report="vitest.xml",
)
NOTEBOOKS = Step(
    name="nbagents test",
    command=(
        *(PYTHON, "-m", "nbagents.cli", "test", "notebooks", "--outputs", "-j", "1"),
        *("--junit", "build/reports/notebooks.xml"),
    ),
    report="notebooks.xml",
)
"""One after the other: the other lanes keep the cores busy."""
CODE = [*STYLE, *GENERATED, TSC, VITEST, NOTEBOOKS]
WORKERS = ("-n", str(max(2, os.cpu_count() or 2)), "--dist=worksteal")
"""Tests run in as many processes as there are cores; one that has none left takes some over."""

THINNED = "--hypothesis-profile=third"
QUICK = ("-m", "not slow", THINNED)
EDITING = ("-m", "not slow and not medium", THINNED)
COVERED = ("--cov", "--cov-report=")


def lanes(
    *options: str,
    code: list[Step] = CODE,
    browser: tuple[str, ...] = (),
    more: tuple[str, ...] = (),
) -> list[list[Step]]:
    """What reads the code and the notebooks, what needs a browser, and beside them all others."""
    return [
        code,
        [pytest_step("pytest browser", *options, *browser, "tests/browser")],
        [pytest_step("pytest", *WORKERS, *options, *more, "--ignore=tests/browser", "tests")],
    ]


SUITES = {
    "test-fast": [[pytest_step("pytest", *WORKERS, *EDITING, "tests/unit")]],
    "test": lanes(*QUICK),
    "check": lanes(*QUICK, code=[PYRIGHT, *CODE], more=COVERED),
    "test-all": lanes(code=[PYRIGHT, *CODE], browser=("--themes",), more=COVERED),
}
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
"""What is compiled is kept, whatever is set here: a hundred processes import nbagents."""
SPEAKS = threading.Lock()


def main(name: str) -> int:
    """Run the suite of that name; 0 only if every step ended well."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    lacks = absent() if name == "test-all" else []
    began = time.monotonic()
    for one in lacks:
        say(f"Not here: {one}")
    *apart, beside = SUITES[name]
    with ThreadPoolExecutor() as pool:
        ended = [pool.submit(failures, lane, at_once=False) for lane in apart]
        ended.append(pool.submit(failures, beside, at_once=True))
        failed = [name for lane in ended for name in lane.result()]
    steps = [step for lane in SUITES[name] for step in lane]
    counts = {step.name: count(step.report) for step in steps if step.report}
    line = summary(name, counts, failed, time.monotonic() - began)
    line += "".join(f"\n  not here: {one}" for one in lacks)
    (REPORTS / "summary.txt").write_text(line + "\n", encoding="utf-8")
    say(line)
    return 1 if failed else 0


def failures(lane: list[Step], *, at_once: bool) -> list[str]:
    """Run the steps of a lane, one after the other; gives the names of those that failed."""
    return [step.name for step in lane if not run(step, at_once=at_once)]


def run(step: Step, *, at_once: bool) -> bool:
    """Run one tool; what it says goes where ours goes, at once or when it has ended."""
    if step.report:
        (REPORTS / step.report).unlink(missing_ok=True)
    if at_once:
        say(f"--- {step.name}")
    into = None if at_once else subprocess.PIPE
    done = subprocess.run(
        step.command,
        cwd=ROOT,
        env={**os.environ, **COMPILED},
        check=False,
        stdout=into,
        stderr=None if at_once else subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    ok = done.returncode == 0
    ending = [] if ok else [f"--- {step.name} failed"]
    head = [] if at_once else [f"--- {step.name}", (done.stdout or "").rstrip()]
    if lines := [one for one in [*head, *ending] if one]:
        say("\n".join(lines))
    return ok


def count(report: str) -> Count:
    """Read a JUnit report; a tool that left none has passed nothing."""
    path = REPORTS / report
    if not path.is_file():
        return Count()
    cases = list(ET.parse(path).iter("testcase"))
    skipped = [case for case in cases if case.find("skipped") is not None]
    failed = [case for case in cases if case.find("failure") is not None or has_error(case)]
    return Count(
        passed=len(cases) - len(failed) - len(skipped), failed=len(failed), skipped=len(skipped)
    )


def has_error(case: ET.Element) -> bool:
    """Whether a case could not be set up or torn down."""
    return case.find("error") is not None


def summary(name: str, counts: dict[str, Count], failed: list[str], seconds: float) -> str:
    """The last line: what passed in all, and which tools did not."""
    total = Count(
        passed=sum(one.passed for one in counts.values()),
        failed=sum(one.failed for one in counts.values()),
        skipped=sum(one.skipped for one in counts.values()),
    )
    parts = ", ".join(f"{tool} {one.passed}" for tool, one in counts.items())
    ended = f"FAILED: {', '.join(failed)}" if failed else "every step ok"
    return (
        f"make {name}: {total.passed} passed, {total.failed} failed, {total.skipped} skipped"
        f" ({parts}; {ended}) in {seconds:.0f} s"
    )


def say(line: str) -> None:
    """Write a line at once, so that it stands before the output of the next tool."""
    with SPEAKS:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
