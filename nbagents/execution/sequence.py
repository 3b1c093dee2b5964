"""Which calls the runs of a cell made, in what order and with what: as saved, and as lines."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import RunError
from nbagents.narrowing import dict_of, is_dict, is_list, list_of
from nbagents.runs.files import RUN_MIME, whole_tree
from nbagents.runs.wording import CALL_STATUS, RUN_STATUS, argument_words, tree_text, visible_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Any in this file: what a notebook holds, which anybody may have written.

INDENT: Final = "  "
CONTEXT: Final = 3
WELL: Final = frozenset({"done", "completed"})
WIDEST: Final = 240
HEAD: Final = 60
"""So much of a long line stands before the place where it differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLine:
    """A call, or the head of a run."""

    name: str
    arguments: str = ""
    ending: str = ""
    """How it ended, in words, where that was not well."""
    depth: int

    def text(self, *, names_only: bool = False) -> str:
        """The line, as it is compared and shown."""
        between = "(…)" if names_only and self.arguments else self.arguments
        ending = f"  {self.ending}" if self.ending else ""
        return f"{INDENT * self.depth}{self.name}{between}{ending}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRun:
    """A run as an output of a cell holds it."""

    id: str
    nodes: Mapping[str, Any]
    """Its own node and those of the runs inside it, by id."""

    saved: Mapping[str, Any]
    """All that the output holds."""

    @property
    def words(self) -> str:
        """In a line: who ran, how it ended, its calls and tokens."""
        try:
            _, tree, _ = whole_tree(self.saved)
        except RunError as error:
            return f"A run: {error}"
        return tree_text(tree, self.id).partition("\n")[0]

    @property
    def node(self) -> Mapping[str, Any]:
        """The run itself."""
        return dict_of(self.nodes.get(self.id))

    @property
    def status(self) -> str:
        """How it ended."""
        return str(self.node.get("status", "unknown"))

    @property
    def failure(self) -> str:
        """Why it failed, as far as that is said."""
        return str(dict_of(self.node.get("failure")).get("message") or "")

    @property
    def call_count(self) -> int:
        """How many calls it made, with those of the runs inside it."""
        return sum(len(dict_of(dict_of(one).get("calls"))) for one in self.nodes.values())


def saved_runs(cell: Any) -> list[SavedRun]:
    """The runs that the outputs of a cell hold."""
    found: list[SavedRun] = []
    for output in cell.get("outputs", ()):
        saved = dict_of(dict_of(output.get("data")).get(RUN_MIME))
        nodes = dict_of(dict_of(saved.get("tree")).get("runs"))
        if saved:
            found.append(SavedRun(id=str(saved.get("root_id")), nodes=nodes, saved=saved))
    return found


def lines_of(runs: Sequence[SavedRun]) -> list[CallLine]:
    """The runs of a cell, each with its calls and what these started below it."""
    return [line for run in runs for line in _run_lines(run.nodes, run.id, 0, frozenset())]


def difference(
    before: Sequence[CallLine], now: Sequence[CallLine], *, names_only: bool = False
) -> str:
    """What has changed, as a diff; nothing where they are the same."""
    was = [line.text(names_only=names_only) for line in before]
    is_now = [line.text(names_only=names_only) for line in now]
    return changes(was, is_now)


def changes(was: Sequence[str], is_now: Sequence[str]) -> str:
    """Lines that differ, with those around them."""
    found = difflib.unified_diff(was, is_now, "saved", "this time", n=CONTEXT, lineterm="")
    lines = [line for line in found if not line.startswith("@@")]
    return "\n".join(_cut(line, _other(lines, at)) for at, line in enumerate(lines))


def _other(lines: Sequence[str], at: int) -> str:
    """The line with which a line of a diff is best compared; itself where there is none."""
    sign = lines[at][:1]
    step = {"-": 1, "+": -1}.get(sign, 0)
    block = at
    while 0 <= block < len(lines) and lines[block][:1] == sign:
        block += step or 1
    is_pair = step and 0 <= block < len(lines) and lines[block][:1] in {"-", "+"}
    return lines[block] if is_pair else lines[at]


def _cut(line: str, other: str) -> str:
    """A long line, around the place where it begins to differ from another."""
    if len(line) <= WIDEST:
        return line
    pairs = zip(line[1:], other[1:], strict=False)
    same = 1 + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if same <= WIDEST // 2 or same == len(line):
        return f"{line[: WIDEST - 1]}…"
    return f"{line[:HEAD]}…{line[same - HEAD : same + WIDEST - 2 * HEAD]}…"


def _run_lines(
    nodes: Mapping[str, Any], run_id: str, depth: int, above: frozenset[str]
) -> Iterator[CallLine]:
    run = dict_of(nodes.get(run_id))
    if not run or run_id in above:
        return
    status = str(run.get("status", "unknown"))
    yield CallLine(
        name=f"run of {visible_name(str(run.get('agent_name') or 'agent'))}",
        ending=_ending(status, RUN_STATUS),
        depth=depth,
    )
    calls = dict_of(run.get("calls"))
    for call_id in _in_order(run, calls):
        call = dict_of(calls.get(call_id))
        yield _call_line(call, depth + 1)
        for child in list_of(call.get("child_run_ids")):
            yield from _run_lines(nodes, str(child), depth + 2, above | {run_id})


def _in_order(run: Mapping[str, Any], calls: Mapping[str, Any]) -> list[str]:
    """The ids of a run's calls as they were asked for: a notebook sorts them by name."""
    named = (str(dict_of(one).get("call_id")) for one in list_of(run.get("items")))
    ordered = dict.fromkeys(one for one in named if one in calls)
    return [*ordered, *(one for one in calls if one not in ordered)]


def _call_line(call: Mapping[str, Any], depth: int) -> CallLine:
    arguments = call.get("arguments")
    if is_dict(arguments):
        named = [one for one in list_of(call.get("argument_names")) if one in arguments]
        order = dict.fromkeys(named + sorted(arguments))
        arguments = {name: _sorted(arguments[name]) for name in order}
    objects = {str(path): str(one) for path, one in dict_of(call.get("objects")).items()}
    return CallLine(
        name=visible_name(str(call.get("name"))),
        arguments=f"({argument_words(arguments, (), objects)})",
        ending=_ending(str(call.get("status", "unknown")), CALL_STATUS),
        depth=depth,
    )


def _sorted(value: Any) -> Any:
    """A value as a notebook keeps it: by name."""
    if is_dict(value):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(one) for one in value] if is_list(value) else value


def _ending(status: str, words: Mapping[Any, str]) -> str:
    return "" if status in WELL else words.get(status, status)
