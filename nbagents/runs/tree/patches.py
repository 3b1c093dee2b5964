"""What a batch of events changed in a tree, as patches of its nodes: what a page is sent.

A listener marks what each event touches; once a batch only those nodes are compared with what was
sent of them. So the reducer knows nothing of patches, and a flood costs a comparison a batch.
"""

from __future__ import annotations

import operator
import threading
from typing import TYPE_CHECKING, Any, Final, NotRequired, TypeAlias, TypedDict, cast

from pydantic import JsonValue

from nbagents.events import (
    UNDER_WAY,
    AssistantTurn,
    AwaitExternalTools,
    AwaitResolved,
    KeptEnd,
    Workflow,
)
from nbagents.runs.tree.nodes import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from nbagents.events import AnyEvent
    from nbagents.runs.tree.nodes import RunNode, Tree

Fields: TypeAlias = dict[str, Any]  # of a node, as JSON
Project: TypeAlias = "Mapping[str, Callable[[Fields, Any], Fields]]"

ABSENT: Final[Any] = object()
OPAQUE: Final = frozenset({"arguments", "proposed"})
"""Values that somebody else wrote: a list among them has no elements of ours."""
CHANGING: Final = frozenset({"items", "output", "awaits", "usage"})
"""What changes in place, or has elements that do; whatever else is new is another object."""
ATOMS: Final = frozenset({str, int, float, bool, type(None)})
ANY_OPEN: Final = ""
"""Stands for all calls that have not ended: no call has this id."""
LAST: Final = 8
"""So far from its end a list that only grows is looked at one by one."""


class Splice(TypedDict):
    """Elements of a list, in the place of so many others."""

    field: str
    at: int
    drop: int
    add: list[JsonValue]


class Growth(TypedDict):
    """A text that goes on after so many UTF-16 units of it were dropped from its end."""

    field: str
    index: int | None
    """In a list, of which element; `None`: the field itself."""
    drop: int
    add: str


class NodePatch(TypedDict):
    """What became of one node: of a run or, where one is named, of a call of it."""

    run: str
    call: NotRequired[str]
    at: float
    """When the newest was that is known of."""
    set: NotRequired[dict[str, JsonValue]]
    unset: NotRequired[list[str]]
    splices: NotRequired[list[Splice]]
    texts: NotRequired[list[Growth]]


class TreePatches:
    """Makes the patches of one tree, and holds it as whoever is sent them has it.

    Args:
        project: By a field's name what is called with a node and the field's value, or an element
            of it, where a page has not the same: gives what it has, under the name, and what stands
            beside it; `ABSENT`: not any more.
    """

    def __init__(self, project: Project) -> None:
        self.tree: Tree = {"version": 1, "root_ids": [], "runs": {}}
        self._project = project
        self._lock = threading.Lock()
        self._count = 0
        self._at = 0.0
        self._touched: dict[str, dict[str, None]] = {}
        self._known: dict[tuple[str, str | None], Fields] = {}

    def mark(self, event: AnyEvent) -> None:
        """Note what an event touches; in any thread."""
        with self._lock:
            self._at = max(self._at, event.at)
            calls = self._touched.setdefault(event.run_id, {})
            calls.update(dict.fromkeys(_calls_of(event)))

    def take(self, tree: Tree) -> list[NodePatch]:
        """The patches of what was marked; nobody changes the tree meanwhile."""
        with self._lock:
            touched, self._touched = self._touched, {}
            made = [
                patch
                for run_id, calls in touched.items()
                if (run := tree["runs"].get(run_id)) is not None
                for patch in self._of_run(run, calls)
            ]
            for patch in made:
                apply_patch(self.tree, patch)
            self._count += len(made)
            return made

    def snapshot(self) -> tuple[int, list[NodePatch]]:
        """How many patches were made so far, and those that come to the same from nothing."""
        with self._lock:
            return self._count, [*self._from_nothing()]

    def _from_nothing(self) -> Iterator[NodePatch]:
        for run_id, run in self.tree["runs"].items():
            yield {"run": run_id, "at": self._at, "set": {**_copied(run), "calls": {}}}
            for call_id, call in run["calls"].items():
                yield {"run": run_id, "call": call_id, "at": self._at, "set": _copied(call)}

    def _of_run(self, run: RunNode, touched: dict[str, None]) -> Iterator[NodePatch]:
        run_id, calls = run["id"], run["calls"]
        patch: NodePatch = {"run": run_id, "at": self._at}
        yield from self._of_node(patch, run)
        if ANY_OPEN in touched:
            sent = known["calls"] if (known := self.tree["runs"].get(run_id)) else {}
            touched.update(
                (call_id, None) for call_id, one in sent.items() if one["status"] in UNDER_WAY
            )
        for call_id in touched:
            if (call := calls.get(call_id)) is not None:
                patch = {"run": run_id, "call": call_id, "at": self._at}
                yield from self._of_node(patch, call)

    def _of_node(self, patch: NodePatch, node: Mapping[str, Any]) -> Iterator[NodePatch]:
        key = patch["run"], patch.get("call")
        change = _Change(patch, cast("Fields", node), self._project)
        if (known := self._known.get(key)) is None:
            self._known[key] = change.begin()
            yield patch
            return
        bare = len(patch)
        change.compare(known)
        if len(patch) > bare:
            yield patch


class _Change:
    """Says in a patch what became of the fields of one node."""

    def __init__(self, patch: NodePatch, node: Fields, project: Project) -> None:
        self._patch = patch
        self._node = node
        self._project = project
        self._hidden = HIDDEN["CallNode" if "call" in patch else "RunNode"]

    def begin(self) -> Fields:
        """A node that nobody knows yet; gives what is known of it then."""
        known: Fields = {}
        told = self._patch.setdefault("set", {})
        for name, value in self._node.items():
            if name in self._hidden:
                continue
            if type(value) in ATOMS and name not in self._project:
                known[name] = told[name] = value
                continue
            known[name] = _kept(name, value)
            if name == "calls":  # each has patches of its own
                told[name] = {}
            elif isinstance(value, list) and name not in OPAQUE:
                told[name] = [self._element(name, one) for one in cast("list[Any]", value)]
            else:
                self.of_value(name, "")
        return known

    def compare(self, known: Fields) -> None:
        """What became of a node since; what is known of it is brought up to date."""
        node = self._node
        for name, value in node.items():
            before = known.get(name, ABSENT)
            if before is value or name in self._hidden:
                continue
            is_list = isinstance(value, list) and name not in OPAQUE
            if is_list and isinstance(before, list):
                self.of_list(name, cast("list[Any]", before))
            elif is_list and before is ABSENT:  # one that most nodes never have
                known[name] = _kept(name, value)
                elements = [self._element(name, one) for one in cast("list[Any]", value)]
                self._patch.setdefault("set", {})[name] = elements
            elif not _is_same(name, before, value):
                known[name] = _kept(name, value)
                self.of_value(name, before)
        for name in [name for name in known if name not in node]:
            self._patch.setdefault("unset", []).append(name)
            del known[name]

    def of_value(self, name: str, before: Any) -> None:
        """A field whose value is another one."""
        value: Any = self._node[name]
        if name == "text" and before:
            self._grow(name, None, before, value)
            return
        told = self._patch.setdefault("set", {})
        for field, one in self._told(name, value).items():
            if one is not ABSENT:
                told[field] = {**one} if field in CHANGING else one
            elif before:
                self._patch.setdefault("unset", []).append(field)

    def of_list(self, name: str, before: list[Any]) -> None:
        """A list in which elements were put, replaced, left out, or have texts that go on.

        Args:
            name: Which.
            before: What is known of it; it is brought up to date.
        """
        now: list[Any] = self._node[name]
        least = min(len(before), len(now))
        begin = max(0, least - LAST)
        same = operator.eq if name in CHANGING else _is_one
        if not _is_same_to(begin, name, before, now):
            begin = 0
        for at in range(begin, least):
            if same(before[at], now[at]):
                continue
            if name in CHANGING and _is_text(before[at], now[at]):
                self._grow(name, at, before[at]["text"], now[at]["text"])
            elif len(before) == len(now):
                self._splice(name, at, 1, [now[at]])
            else:
                self._splice(name, at, len(before) - at, now[at:])
                break
        else:
            if len(before) != len(now):
                self._splice(name, least, len(before) - least, now[least:])
        before[begin:] = _kept(name, now[begin:])

    def _told(self, name: str, value: Any) -> Fields:  # Any: JSON
        told = self._project.get(name)
        return {name: value} if told is None else told(self._node, value)

    def _element(self, name: str, value: Any) -> Any:  # Any: JSON
        told = self._told(name, value)[name]
        return {**told} if name in CHANGING else told

    def _splice(self, name: str, at: int, drop: int, add: list[Any]) -> None:
        told = [self._element(name, one) for one in add]
        said: Splice = {"field": name, "at": at, "drop": drop, "add": told}
        self._patch.setdefault("splices", []).append(said)

    def _grow(self, name: str, index: int | None, before: str, now: str) -> None:
        kept = len(before)
        if not now.startswith(before):  # a line was gone back on, or all of it is another
            kept = before.rfind("\n") + 1
            if not now.startswith(before[:kept]):
                kept = 0
        drop = _units(before[kept:])
        said: Growth = {"field": name, "index": index, "drop": drop, "add": now[kept:]}
        self._patch.setdefault("texts", []).append(said)


def apply_patch(tree: Tree, patch: NodePatch) -> None:
    """Change a tree as a page does, in place; `js/src/tree/patching.ts` does the same."""
    runs = cast("dict[str, Fields]", tree["runs"])
    given = patch.get("set", {})
    if patch["run"] not in runs:
        runs[patch["run"]] = {}
        if given.get("parent_run_id") is None:
            tree["root_ids"].append(patch["run"])
    node = runs[patch["run"]]
    if "call" in patch:
        node = cast("dict[str, Fields]", node["calls"]).setdefault(patch["call"], {})
    node.update(_copied(given))
    for name in patch.get("unset", ()):
        node.pop(name, None)
    for one in patch.get("splices", ()):
        end = one["at"] + one["drop"]
        node[one["field"]][one["at"] : end] = one["add"]
    for grown in patch.get("texts", ()):
        field, index = grown["field"], grown["index"]
        if index is None:
            node[field] = _longer(node[field], grown)
        else:
            element = node[field][index]
            node[field][index] = {**element, "text": _longer(element["text"], grown)}


def _calls_of(event: AnyEvent) -> Iterable[str]:
    if isinstance(event, Workflow | AwaitResolved):
        return (ANY_OPEN,)
    if isinstance(event, KeptEnd):
        return event.calls
    if isinstance(event, AssistantTurn | AwaitExternalTools):
        return (one.id for one in event.calls)
    call_id = getattr(event, "tool_call_id", None)
    return (call_id,) if isinstance(call_id, str) else ()


def _copied(node: Mapping[str, Any]) -> Fields:
    """A node that does not change with the other; what is in its lists is never changed."""
    made = {**node}
    for name, one in made.items():
        if isinstance(one, list):
            made[name] = [*cast("list[Any]", one)]
        elif name == "calls":
            made[name] = {**one}
    return made


def _kept(name: str, value: Any) -> Any:  # Any: JSON
    """A value as it stands now, to be compared with what becomes of it."""
    if name == "calls":
        return {}
    if name in OPAQUE or not isinstance(value, list):
        return {**value} if name in CHANGING else value
    elements = cast("list[Any]", value)
    if name not in CHANGING:
        return [*elements]
    return [one if one.get("type") == "call" else {**one} for one in elements]


def _is_same(name: str, before: Any, now: Any) -> bool:
    if type(before) is not type(now) or name in OPAQUE:
        return False
    return name == "calls" or (before == now and (name in CHANGING or not isinstance(now, dict)))


def _is_same_to(end: int, name: str, before: list[Any], now: list[Any]) -> bool:
    """Whether two lists begin the same, without a look into elements that are the same object."""
    if name in CHANGING:
        return before[:end] == now[:end]
    return all(map(operator.is_, before[:end], now[:end]))


def _is_one(before: object, now: object) -> bool:
    return before is now or (isinstance(now, str) and before == now)


def _is_text(before: Fields, now: Fields) -> bool:
    """Whether two elements differ in nothing but a text."""
    return "text" in before and "text" in now and {**before, "text": now["text"]} == now


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _longer(text: str, grown: Growth) -> str:
    if not grown["drop"]:
        return text + grown["add"]
    kept = text.encode("utf-16-le", "surrogatepass")[: -2 * grown["drop"]]
    return kept.decode("utf-16-le", "surrogatepass") + grown["add"]
