"""What an expectation is about: a run, those inside of it, and their calls in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.errors import RunError
from nbagents.narrowing import is_mapping, is_sequence
from nbagents.runs.state import Run
from nbagents.runs.wording import RunTree, child_runs, family
from nbagents.tools.context import wrong

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nbagents.runs.tree import CallNode, RunNode, Tree

GOES_ON: Final = "The run goes on: wait for its end with run.wait(), then expect."
ADVICE: Final = "give a run, e.g. nba.expect(agent.run(...)), or the tree of one."


@dataclass(frozen=True, slots=True)
class Place:
    """A call, and where it stands: in which run, inside of which calls."""

    run: RunNode
    call: CallNode
    above: tuple[Place, ...] = ()
    """The calls that it was made inside of, the outermost first."""

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from all others."""
        return self.run["id"], self.call["id"]

    @property
    def path(self) -> tuple[Place, ...]:
        """The calls above it, and itself."""
        return (*self.above, self)

    @property
    def was_made(self) -> bool:
        """Whether the tool got the call: it was not denied or skipped, and was a valid one."""
        failure = self.call["failure"]
        is_valid = self.call["status"] != "failed" or (failure or {}).get("kind") != "invalid_call"
        return self.call["started_at"] is not None and is_valid


class Subject:
    """A run of which something is expected.

    Args:
        of: A run that has ended, `run.tree()`, or what a notebook has saved of one.

    Raises:
        ValueError: It is none of these.
        RunError: The run goes on.
    """

    def __init__(self, of: object) -> None:
        self.live = of if isinstance(of, Run) else None
        if isinstance(of, Run) and of.status == "running":
            raise RunError(GOES_ON)
        self.tree, run_id = tree_of(of)
        self.run = self.tree["runs"][run_id]
        if self.run["status"] == "running":
            raise RunError(GOES_ON)

    @cached_property
    def places(self) -> Sequence[Place]:
        """All calls, those of a run inside of a call after it."""
        return tuple(self._walk(self.run, (), frozenset({self.run["id"]})))

    @cached_property
    def offered(self) -> Sequence[str]:
        """The tools that the runs were given, by name."""
        names = (name for run in family(self.tree, self.run) for name in run["tools"])
        return tuple(dict.fromkeys(names))

    @cached_property
    def parameters(self) -> Mapping[str, frozenset[str]]:
        """The arguments that tools take, where that is at hand, and they take no others."""
        found: dict[str, set[str]] = {}
        driven = (run.schemas() for run in self._runs if run.schemas is not None)
        for schemas in driven:
            for name, schema in schemas.items():
                if schema.get("additionalProperties") is False:
                    found.setdefault(name, set()).update(schema.get("properties", ()))
        return {name: frozenset(one) for name, one in found.items()}

    @property
    def text(self) -> str:
        """The answer."""
        return self.run["text"]

    @property
    def output(self) -> Any:  # Any: the type that was asked for
        """The answer as the value that was asked for, where it is at hand."""
        return self.text if self.live is None else self.live.output

    def value(self, place: Place) -> Any:  # Any: of whatever type
        """The object that a call gave, where it is at hand."""
        known = next((one for one in self._runs if one.id == place.run["id"]), None)
        result = known and known.results.get(place.call["id"])
        return result.value if result else None

    @cached_property
    def _runs(self) -> Sequence[Run]:
        """The run and those inside of it, where they are at hand."""
        found: list[Run] = [self.live] if self.live is not None else []
        for one in found:
            found += one.children
        return found

    def objects(self, place: Place) -> Mapping[str, object]:
        """The live objects that a call took, by JSON pointer, where they are at hand."""
        taken = place.call.get("objects", {})
        if self.live is None or not taken:
            return {}
        given = ((pointer, _at(place.call["arguments"], pointer)) for pointer in taken)
        values = self.live.values
        return {
            pointer: values[name]
            for pointer, name in given
            if isinstance(name, str) and name in values
        }

    def follows(self, later: Place, earlier: Place) -> bool:
        """Whether a call was made with the other one known.

        So it is where a later step asked for it, which was told what the other gave, and where it
        was made inside of the other. Calls of one step were asked for at once: neither follows.
        """
        for one, other in zip(earlier.path, later.path, strict=False):
            if one.key == other.key:
                continue
            if one.run["id"] == other.run["id"]:
                return other.call["step"] > one.call["step"]
            return self._began_after(other.run, one.run)
        return len(later.path) > len(earlier.path)

    def _began_after(self, later: RunNode, earlier: RunNode) -> bool:
        """Whether a run that the same call has started began when the other had ended."""
        if later["resumed_from"] == earlier["id"]:
            return True
        if (begun := self._spans.get(later["id"])) and (ended := self._spans.get(earlier["id"])):
            return begun[0] > ended[1]
        return earlier["ended_at"] is not None and later["started_at"] > earlier["ended_at"]

    @cached_property
    def _spans(self) -> Mapping[str, tuple[int, int]]:
        """From which event to which each run goes, where the events are at hand."""
        spans: dict[str, tuple[int, int]] = {}
        for at, event in enumerate(() if self.live is None else self.live.events):
            first, _ = spans.get(event.run_id, (at, at))
            spans[event.run_id] = first, at
        return spans

    def _walk(
        self, run: RunNode, above: tuple[Place, ...], seen: frozenset[str]
    ) -> Iterator[Place]:
        for item in run["items"]:
            if item["type"] != "call" or (call := run["calls"].get(item["call_id"])) is None:
                continue
            place = Place(run, call, above)
            yield place
            for child in child_runs(self.tree, call):
                if child["id"] not in seen:
                    yield from self._walk(child, place.path, seen | {child["id"]})


def _at(value: object, pointer: str) -> object:
    """What stands at a JSON pointer; `None` where nothing does."""
    for written in pointer.split("/")[1:]:
        name = written.replace("~1", "/").replace("~0", "~")
        if is_mapping(value):
            value = value.get(name)
        elif is_sequence(value) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value


def tree_of(of: object) -> tuple[Tree, str]:
    """The tree, and the run of it that is meant.

    Raises:
        ValueError: It holds no tree of one run.
    """
    if isinstance(of, Run):
        return of.tree(), of.id
    if not is_mapping(of):
        raise wrong("The run", of, ADVICE)
    tree = of.get("tree", of)
    runs = tree.get("runs") if is_mapping(tree) else None
    roots: Sequence[str] = of.get("root_ids", ())
    only = roots[0] if len(roots) == 1 else None
    run_id = of.run_id if isinstance(of, RunTree) else of.get("root_id", only)
    if not is_mapping(runs) or run_id not in runs:
        raise wrong("The run", of, ADVICE)
    return cast("Tree", tree), run_id
