"""A tree as a notebook keeps it, made whole again: `js/src/run-view/state` reads the same there."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NoReturn,
    NotRequired,
    Union,
    get_args,
    get_origin,
    is_typeddict,
)

from pydantic import BaseModel

from nbagents.errors import RunError
from nbagents.narrowing import dict_of, is_mapping
from nbagents.runs.tree import OLDER, Tree, blank, hints_of
from nbagents.tools.values import from_page

if TYPE_CHECKING:
    from nbagents.runs.tree import AnswerNode, CallNode, RunNode

RUN_MIME: Final = "application/vnd.nbagents.run.v1+json"
"""What a notebook's output of a run is."""
VERSION: Final = 1
ATOMS: Final[Mapping[Any, Any]] = {str: str, int: int, float: (int, float), bool: bool}


def whole_tree(saved: object) -> tuple[str, Tree, tuple[str, ...]]:
    """What a notebook's output holds of a run: its id, its tree, and what was left out of that.

    Raises:
        RunError: It is of a newer version, or has not the form of one.
    """
    if not is_mapping(saved):
        raise RunError("it has not the form of a run: was the notebook edited?")
    if isinstance(version := saved.get("version"), int) and version > VERSION:
        raise RunError(
            "it was saved by a newer nbagents: update this one (pip install --upgrade "
            "jupyter-nbagents) to read it."
        )
    try:
        root_id = str(saved["root_id"])
        tree: Tree = _filled(_exact(saved["tree"]), Tree)
        _complete(tree)
        cuts = tuple(str(one["text"]) for one in saved.get("cuts", ()))
        tree["runs"][root_id]
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise RunError("it has not the form of a run: was the notebook edited?") from error
    return root_id, tree, cuts


def _exact(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The tree with its numbers as they were, and in its order: a notebook sorts by name."""
    made = copy.deepcopy(dict(tree))
    for run in made["runs"].values():
        asked = (one["call_id"] for one in run["items"] if one["type"] == "call")
        order = dict.fromkeys([*asked, *run["calls"]])
        run["calls"] = {call_id: run["calls"][call_id] for call_id in order}
        for one in (*run["calls"].values(), *run.get("awaits", ())):
            for name in {"arguments", "proposed", "payloads", "answer", "form"} & one.keys():
                one[name] = from_page(one[name])
            if names := one.pop("argument_names", None):
                one["arguments"] = {name: one["arguments"][name] for name in names}
    return made


def _filled(value: Any, hint: Any) -> Any:  # Any: JSON, and what it should be
    """JSON with what it lacks: what no saved run has, and what older ones have not.

    Raises:
        TypeError: It is something else.
    """
    kind, args = get_origin(hint), get_args(hint)
    shape = _shape(hint)
    if shape is not None or is_typeddict(hint):
        return _record(value, shape or hint)
    if kind in (Annotated, NotRequired):
        return _filled(value, args[0])
    if kind in (Union, UnionType):
        return _one_of(value, args)
    return _held(value, kind, args) if args else _atom(value, hint)


def _held(value: Any, kind: object, args: tuple[Any, ...]) -> Any:
    """A list, a record by id, or one of some words."""
    if kind is Literal:
        return value if value in args else _refuse(value, args)
    if kind is dict:
        _check(value, dict)
        return {name: _filled(one, args[1]) for name, one in value.items()}
    _check(value, list)
    return [_filled(one, args[0]) for one in value]


def _atom(value: Any, hint: Any) -> Any:
    if hint in ATOMS:
        _check(value, ATOMS[hint])
    return value


def _check(value: object, kind: type | tuple[type, ...]) -> None:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        _refuse(value, kind)


def _refuse(value: object, hint: object) -> NoReturn:
    raise TypeError(f"{value!r} is not {hint}")


def _shape(hint: Any) -> type[BaseModel] | None:
    """The value of pydantic's that JSON stands for."""
    beside = (hint, *getattr(hint, "__metadata__", ()))
    return next(
        (one for one in beside if isinstance(one, type) and issubclass(one, BaseModel)), None
    )


def _one_of(value: Any, choices: tuple[Any, ...]) -> Any:
    """A value of one of several shapes: records are told apart by their `type`."""
    if value is None and NoneType in choices:
        return None
    real = [one for one in choices if one is not NoneType]
    if len(real) == 1:
        return _filled(value, real[0])
    _check(value, dict)
    said = dict_of(value).get("type")
    for one in real:
        if is_typeddict(one) and said in get_args(hints_of(one)["type"]):
            return _filled(value, one)
    return _refuse(value, choices)


def _record(value: Any, record: Any) -> Any:
    _check(value, dict)
    given = dict_of(value)
    older, made = OLDER.get(record.__name__, {}), dict(given)
    for name, hint in hints_of(record).items():
        if name in given:
            made[name] = _filled(given[name], hint)
        elif name in older:
            made[name] = copy.deepcopy(older[name])
        elif get_origin(hint) is not NotRequired:
            made[name] = _blank(record, name, hint)
    return made


def _blank(record: Any, name: str, hint: Any) -> Any:
    """What stands for something that is not there."""
    fields = getattr(record, "model_fields", {})
    if name in fields and not fields[name].is_required():
        usual = fields[name].get_default(call_default_factory=True)
        return [] if usual == () else usual
    return blank(hint)


def _complete(tree: Tree) -> None:
    """Put in what can be told of what no saved run has: what the model answered in each step."""
    for run in tree["runs"].values():
        run["heard_at"] = run["ended_at"] or run["started_at"]
        run["answers"] = run["answers"] or _answers(run)


def _answers(run: RunNode) -> list[AnswerNode]:
    texts: dict[int, str] = {}
    calls: dict[int, list[dict[str, Any]]] = {}
    for item in run["items"]:
        if item["type"] == "text":
            texts[item["step"]] = item["text"]
        elif item["type"] == "call":
            call = run["calls"][item["call_id"]]
            calls.setdefault(call["step"], []).append(_asked(call))
    asked = [one["step"] for one in run["requests"]]
    return [
        {
            "step": step,
            "text": texts.get(step, ""),
            "calls": calls.get(step, []),
            "requests": sum(one <= step for one in asked),
        }
        for step in sorted({*texts, *calls})
    ]


def _asked(call: CallNode) -> dict[str, Any]:
    """A call as the model asked for it, as far as that is known."""
    given = call["arguments"] if call["proposed"] is None else call["proposed"]
    if isinstance(given, dict) and call["proposed"] is None:
        defaults = call.get("defaults", [])
        given = {name: one for name, one in given.items() if name not in defaults}
    written = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return {"id": call["id"], "name": call["name"], "arguments": written}
