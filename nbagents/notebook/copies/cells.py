"""The calls of a run as cells of plain Python, which make them again in order."""

from __future__ import annotations

import ast
import builtins
import json
import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from IPython.core.getipython import get_ipython

from nbagents.notebook.copies.run_source import HANDOFF
from nbagents.runs.tree import explanation_of
from nbagents.runs.wording import (
    CALL_STATUS,
    call_in_python,
    child_runs,
    clipped,
    preview,
    visible,
    was_given,
)
from nbagents.tools.tool import source_of_version, toolbox
from nbagents.tools.values import is_numbered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nbagents.runs.tree import CallNode, RunNode, Tree

PROMPT_WIDTH: Final = 80
RESULT_WIDTH: Final = 90
SOURCE_LINES: Final = 30
"""Of a longer definition only the beginning is told."""


class Cells(list[str]):
    """Cells, each its source; they show themselves as code."""

    def put_below(self) -> None:
        """Put them below the cell that runs, as one cell that is not run yet.

        Raises:
            RuntimeError: No notebook or terminal of IPython is here.
        """
        shell: Any = get_ipython()
        if shell is None:
            raise RuntimeError("There is no notebook here: print(cells) and copy what you need.")
        shell.set_next_input("\n\n".join(self), replace=False)

    def __str__(self) -> str:
        return "\n\n".join(f"# %%\n{one}" for one in self)

    def _repr_markdown_(self) -> str:
        longest = max((len(one) for cell in self for one in re.findall("`+", cell)), default=0)
        fence = "`" * max(3, longest + 1)
        return "\n\n".join(f"{fence}python\n{one}\n{fence}" for one in self)


def run_cells(tree: Tree, run_id: str) -> Cells:
    """The calls of a run, and of those inside it, a cell each.

    Args:
        tree: Runs by id.
        run_id: The run.
    """
    run = tree["runs"][run_id]
    writer = _Writer(tree)
    cells = [*writer.cells(run, "", frozenset({run_id}))]
    asked = clipped(visible(run["prompt"]), PROMPT_WIDTH)
    said = "in order" if cells else "there are none"
    head = [f"# The calls of {run_id} ({asked}), {said}.", *writer.missing(), *writer.imports]
    return Cells(["\n".join(head), *cells])


@dataclass(slots=True)
class _Writer:
    """Writes calls, and knows what they need."""

    tree: Tree
    imports: dict[str, None] = field(default_factory=dict[str, None])
    needed: dict[str, CallNode] = field(default_factory=dict[str, "CallNode"])
    """The names that calls use, each with the first of these."""
    made: set[str] = field(default_factory=set[str])
    """The names that cells have given to results."""

    def cells(self, run: RunNode, above: str, seen: frozenset[str]) -> Iterator[str]:
        """A cell for each call of a run."""
        for number, call in enumerate(run["calls"].values(), 1):
            label = f"{above}{number}"
            children = [one for one in child_runs(self.tree, call) if one["id"] not in seen]
            if not children:
                yield self._cell(run, call, label)
                continue
            names = ", ".join(dict.fromkeys(one["agent_name"] for one in children))
            gave = clipped(preview(call, RESULT_WIDTH), RESULT_WIDTH)
            calls = "its calls follow" if any(one["calls"] for one in children) else "it made none"
            yield f"# Call {label} asked the agent {visible(names)}, {calls}. It gave: {gave}"
            for child in children:
                yield from self.cells(child, f"{label}.", seen | {child["id"]})

    def missing(self) -> list[str]:
        """What is not here of what the calls use, a comment each."""
        here = vars(sys.modules["__main__"])
        lines: list[str] = []
        for name, call in self.needed.items():
            if name in here or hasattr(builtins, name) or name in _imported(self.imports):
                continue
            lines.append(f"# {name} is not defined here: run the cell that defines it first.")
            source = source_of_version(call["source_hash"] or "") or ""
            if re.search(rf"\b(def|class) {re.escape(name)}\b", source):
                lines += [f"#     {line}".rstrip() for line in _beginning(source)]
        return lines

    def _cell(self, run: RunNode, call: CallNode, label: str) -> str:
        gave = clipped(preview(call, RESULT_WIDTH), RESULT_WIDTH)
        if _is_handoff(run, call):
            return f"# Call {label} handed over to another agent: {gave}"
        if call["status"] != "done":
            why = (explanation_of(call) or {"what": ""})["what"]
            said = f"{CALL_STATUS[call['status']].lower()}: {why or gave}".rstrip(": ")
            return f"# Call {label} is not made again, {said}\n{_commented(self._call(call))}"
        if was_given(run, call["id"]):
            said = f"# Call {label} was not made, its result was given: {gave}"
            return f"{said}\n{_commented(self._call(call))}"
        source = self._call(call)
        if source.startswith("#"):
            return f"# Call {label} gave: {gave}\n{_as_magic(call) or source}"
        lines = source.split("\n")
        self.imports |= dict.fromkeys(lines[:-1])
        self._need(lines[-1], call)
        if (name := call["handle"]) and name.isidentifier():
            self.made.add(name)
            return f"# Call {label} gave: {gave}\n{name} = {lines[-1]}\n{name}"
        return f"# Call {label} gave: {gave}\n{lines[-1]}"

    def _call(self, call: CallNode) -> str:
        about = (call.get("defaults", ()), call.get("objects", {}), call.get("taken"))
        return call_in_python(call["name"], call["arguments"], *about, held=self._held)

    def _held(self, name: str) -> str:
        """A result that a cell before has given a name is had by that."""
        is_here = name in self.made or (name.isidentifier() and not is_numbered(name))
        return name if is_here else f"run.values[{json.dumps(name)}]"

    def _need(self, source: str, call: CallNode) -> None:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Name) and node.id not in self.made:
                self.needed.setdefault(node.id, call)


def _as_magic(call: CallNode) -> str:
    """The line that makes a call as a model would, where that can be: of a tool that is here."""
    given = call["arguments"]
    if call["name"] not in toolbox or call.get("objects") or not isinstance(given, dict):
        return ""
    arguments = {name: one for name, one in given.items() if name not in call.get("defaults", ())}
    written = json.dumps(arguments, ensure_ascii=False)
    return "" if "[redacted]" in written else f"%tool {call['name']} {written}"


def _is_handoff(run: RunNode, call: CallNode) -> bool:
    steps = {item["step"] for item in run["items"] if item["type"] == "handoff"}
    return call["step"] in steps and call["name"].startswith(HANDOFF)


def _imported(lines: Iterable[str]) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(one.asname or one.name).partition(".")[0] for one in node.names}
    return names


def _beginning(source: str) -> list[str]:
    lines = source.strip("\n").split("\n")
    return [*lines[:SOURCE_LINES], *(["…"] if len(lines) > SOURCE_LINES else [])]


def _commented(source: str) -> str:
    return "\n".join(one if one.startswith("#") else f"# {one}" for one in source.split("\n"))
