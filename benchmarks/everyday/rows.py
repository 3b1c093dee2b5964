"""The everyday prompts, played in real runs and judged against their gold calls."""

from __future__ import annotations

import importlib
import inspect
import itertools
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from nbagents import Agent

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ["HALVES", "Played", "Prompt", "domain", "half", "play", "prompts_of"]

HALVES = ("own", "blind", "later")

_HERE = Path(__file__).parent
_ORDERS_MAX = 5
Call: TypeAlias = "tuple[str, dict[str, JsonValue]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a person asks, and the calls that are right."""

    id: str
    domain: str
    text: str
    gold: tuple[tuple[str, dict[str, list[JsonValue]]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """The functions of a module and those of them that change something."""

    functions: dict[str, Callable[..., object]]
    effects: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What the offline model made of a prompt."""

    prompt: Prompt
    calls: tuple[Call, ...]
    answer: str
    thoughts: str
    tool: bool
    exact: bool
    uncalled_for: tuple[str, ...]
    """The tools with effects that were called more often than the gold calls have them."""


def prompts_of(path: Path) -> list[Prompt]:
    """The prompts of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_prompt(json.loads(line)) for line in lines if line.strip()]


def half(name: str) -> Path:
    """Where a half of the prompts stands; any other name is a path itself."""
    return _HERE / f"{name}.jsonl" if name in HALVES else Path(name)


def domain(name: str) -> Domain:
    """A domain with its data as at the beginning."""
    whole = f"benchmarks.everyday.domains.{name}"
    sys.modules.pop(whole, None)
    module = importlib.import_module(whole)
    functions = {
        key: one
        for key, one in vars(module).items()
        if inspect.isfunction(one) and one.__module__ == whole and not key.startswith("_")
    }
    return Domain(functions=functions, effects=frozenset(module.EFFECTS))


def play(prompt: Prompt) -> Played:
    """Ask the offline model in a run of its own, with everything approved."""
    known = domain(prompt.domain)
    agent = Agent(prompt.domain, tools=known.functions.values(), model="offline", approval="auto")
    run = agent.run(prompt.text, log="memory")
    calls = tuple((one.name, dict(cast("Any", one.arguments or {}))) for one in run.calls)
    names, gold = [name for name, _ in calls], [name for name, _ in prompt.gold]
    extra = [one for one in sorted({*names}) if one in known.effects]
    return Played(
        prompt=prompt,
        calls=calls,
        answer=run.text,
        thoughts="".join(one.text for one in run.events if one.type == "thought"),
        tool=sorted(names) == sorted(gold),
        exact=_are_exact(calls, prompt, known),
        uncalled_for=tuple(one for one in extra if names.count(one) > gold.count(one)),
    )


def _prompt(line: dict[str, Any]) -> Prompt:
    gold = tuple((one["name"], one["arguments"]) for one in line["calls"])
    return Prompt(id=line["id"], domain=line["domain"], text=line["prompt"], gold=gold)


def _are_exact(calls: Sequence[Call], prompt: Prompt, known: Domain) -> bool:
    """Whether the calls are the gold ones.

    Any order will do: a call that takes another's result cannot have it before that is there.
    """
    if len(calls) != len(prompt.gold):
        return False
    if len(calls) > _ORDERS_MAX:
        return all(_is_right(*pair, known) for pair in zip(calls, prompt.gold, strict=True))
    return any(
        all(_is_right(call, gold, known) for call, gold in zip(calls, order, strict=True))
        for order in itertools.permutations(prompt.gold)
    )


def _is_right(call: Call, gold: tuple[str, dict[str, list[JsonValue]]], known: Domain) -> bool:
    (name, given), (wanted, arguments) = call, gold
    if name != wanted:
        return False
    parameters = inspect.signature(known.functions[name]).parameters
    return (
        all(
            _is_one_of(given.get(key, default), arguments.get(key, [default]))
            for key, default in ((key, _plain(one.default)) for key, one in parameters.items())
        )
        and given.keys() <= parameters.keys()
    )


def _plain(default: Any) -> Any:
    return getattr(default, "value", default)


def _is_one_of(value: object, right: Sequence[object]) -> bool:
    """`3` is `3.0`, and nothing else is another."""
    return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in right)
