"""What can come of a run, case by case, for both languages: `tests/fixtures/outcomes.json`.

Written by `python -m tests.unit.runs.outcome_cases`, from what Python says; the page's twin must
say the same.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from nbagents.runs.tree.folding import Tree
from nbagents.runs.wording.outcomes import Outcome, outcome_of
from tests.unit.notebook import trees

FIXTURE = Path(__file__).parents[2] / "fixtures" / "outcomes.json"
KINDS = (
    *("done", "failed", "timed_out", "denied", "refused", "cancelled", "skipped", "unknown"),
    *("preparing", "waiting", "running"),
)
STATUSES = (
    *("completed", "failed", "limit", "denied", "cancelled", "suspended", "unknown", "running"),
)
Json = dict[str, Any]


def run_of(
    kinds: Sequence[str | tuple[str, list[str]]],
    status: str = "completed",
    run_id: str = "run-1",
    **beside: Any,
) -> Json:
    """A run whose calls ended like this; of one that started runs also their ids."""
    return {
        "id": run_id,
        "status": status,
        "refused": False,
        "unmet": [],
        "calls": [[one, []] if isinstance(one, str) else list(one) for one in kinds],
        **beside,
    }


def tree_of(runs: Sequence[Json]) -> Tree:
    """The runs of a case as a tree; the first is the root."""
    return cast("Tree", trees.tree(*(_node(one) for one in runs)))


def outcome_in(runs: Sequence[Json]) -> Outcome:
    """What Python says of a case."""
    tree = tree_of(runs)
    return outcome_of(tree, tree["runs"][runs[0]["id"]])


def _node(one: Json) -> Json:
    calls = [
        trees.call(
            f"{one['id']}-{place}",
            status="done" if kind == "refused" else kind,
            guardrails=[trees.guardrail("refuse", "tool_output")] if kind == "refused" else [],
            child_run_ids=children,
        )
        for place, (kind, children) in enumerate(one["calls"])
    ]
    beside = {key: one[key] for key in ("status", "refused", "unmet")}
    return trees.run(*calls, run_id=one["id"], **beside)


def families() -> Iterator[list[Json]]:
    """Runs inside of runs."""
    for kinds in ([], ["done"], ["failed"], ["failed"] * 3, ["done", "failed"], ["denied"]):
        child = run_of(kinds, run_id="run-2")
        yield [run_of([("done", ["run-2"])]), child]
        yield [run_of([("done", ["run-2"]), "done"]), child]
        yield [run_of([("failed", ["run-2"])]), child]
        middle = run_of([("done", ["run-2"])], run_id="run-3")
        yield [run_of([("done", ["run-3"])]), middle, child]
        yield [run_of([("done", ["run-2", "run-4"])]), child, run_of(["done"], run_id="run-4")]
        yield [run_of([("running", ["run-2"])], "running"), {**child, "status": "running"}]
        yield [run_of([("done", ["run-2"])]), {**child, "status": "failed"}]
    yield [run_of([("done", ["run-1"]), "failed"])]  # a run in itself
    yield [run_of([("done", ["gone"]), "failed"])]


def cases() -> Iterator[list[Json]]:
    """All of them."""
    yield from ([run_of([], status)] for status in STATUSES)
    yield from ([run_of([kind], status)] for kind in KINDS for status in STATUSES)
    for kinds in itertools.combinations_with_replacement(KINDS, 2):
        yield from ([run_of(kinds, status)] for status in ("completed", "suspended", "failed"))
    for kinds in itertools.combinations(KINDS, 3):
        yield [run_of(kinds)]
    yield [run_of(["done"] * 28 + ["failed"] * 2)]
    yield [run_of(["done"] * 1200 + ["failed"] * 1034)]
    for bad in ("failed", "denied", "cancelled"):
        yield [run_of([bad] * 3)]
    for unmet in (["GBP"], ["25", "zoom 6"], list("abcdefg"), ["x" * 60]):
        for kinds in ([], ["done"], ["failed"], ["done", "failed"]):
            yield [run_of(kinds, unmet=unmet)]
    for kinds in ([], ["done"], ["failed"], ["done", "denied"]):
        yield [run_of(kinds, refused=True)]
    yield from families()


def written() -> str:
    """The fixture's text: a case on a line."""
    lines: list[str] = []
    for runs in cases():
        said = outcome_in(runs)
        case = {"runs": runs, "sign": said.sign, "words": said.words, "calls": said.calls}
        lines.append(json.dumps(_short(case), ensure_ascii=False))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _short(case: Json) -> Json:
    """Equal calls once, with how many there are."""
    runs: list[Json] = []
    for one in case["runs"]:
        grouped = [[*call, len(list(same))] for call, same in itertools.groupby(one["calls"])]
        runs.append({**one, "calls": grouped})
    return {**case, "runs": runs}


if __name__ == "__main__":
    FIXTURE.write_text(written(), encoding="utf-8")
