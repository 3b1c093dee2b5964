"""How Python makes a call: what the names of a tool and of its arguments alone do not tell."""

from __future__ import annotations

import inspect
import json
import sys
from dataclasses import dataclass, field, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from functools import partial
from pathlib import PurePath
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID
from weakref import WeakKeyDictionary

from pydantic import BaseModel, TypeAdapter

from nbagents.narrowing import is_dict, is_sequence
from nbagents.results import Taken, pointer
from nbagents.tools.call.plain_form import is_atom
from nbagents.tools.schema import FunctionSchema
from nbagents.tools.tool import is_tool, toolbox

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from pydantic import JsonValue

    from nbagents.tools.tool import Tool

    Candidate = tuple[str, Callable[[Any], object], list[str]]

MOST: Final = 100
"""More values of a call are not written each in a form of its own."""
TEXTS: Final[Mapping[type, tuple[str, Callable[[Any], object]]]] = {
    date: ("datetime.date.fromisoformat($)", date.fromisoformat),
    datetime: ("datetime.datetime.fromisoformat($)", datetime.fromisoformat),
    time: ("datetime.time.fromisoformat($)", time.fromisoformat),
    Decimal: ("decimal.Decimal($)", Decimal),
    UUID: ("uuid.UUID($)", UUID),
    float: ("float($)", float),
    bytes: ("$.encode()", str.encode),
}
"""Of values that are texts, or numbers, in JSON: how they are made of those."""
MODULES: Final = {date: "datetime", datetime: "datetime", time: "datetime", UUID: "uuid"} | {
    Decimal: "decimal"
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How Python calls the function of a tool, whatever it is given."""

    called: str = ""
    imports: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    positional: tuple[str, ...] = ()
    rest: str = ""
    more: str = ""
    always: tuple[str, ...] = ()
    problem: str = ""


USUAL: Final = Manner()
_known: WeakKeyDictionary[Tool, Manner] = WeakKeyDictionary()


def taken_of(
    tool: Tool,
    values: Mapping[str, object],
    written: Mapping[str, JsonValue],
    objects: Collection[str],
    defaults: Collection[str],
) -> Taken | None:
    """How Python makes a call; `None`: by the tool's name, and the arguments by theirs.

    Args:
        tool: The tool.
        values: What it gets, by the names that a model knows.
        written: The same as JSON.
        objects: Where live objects are, by JSON pointer: they stand there by their names.
        defaults: The names of the arguments that are not given.
    """
    manner = manner_of(tool)
    writer, problem = _Forms(objects), manner.problem
    positional = _needed(manner, defaults, written)
    try:
        for name, value in values.items():
            is_given = name not in defaults or name in (*positional, *manner.always)
            if is_given and name in written and not problem:
                writer.look(value, written[name], pointer("", name), is_own=name in defaults)
    except _NoFormError as error:
        problem = str(error)
    if manner is USUAL and not writer.forms and not problem:
        return None
    return Taken(
        called=manner.called,
        names=dict(manner.names),
        positional=positional,
        rest=manner.rest,
        more=manner.more,
        always=manner.always,
        forms={} if problem else writer.forms,
        imports=tuple(dict.fromkeys((*manner.imports, *writer.imports))),
        problem=problem,
    )


def _needed(
    manner: Manner, defaults: Collection[str], written: Mapping[str, JsonValue]
) -> tuple[str, ...]:
    """The arguments that must be given by position: those after the last that is given need not."""
    if written.get(manner.rest):
        return manner.positional
    given = [at for at, name in enumerate(manner.positional) if name not in defaults]
    return manner.positional[: max(given, default=-1) + 1]


def manner_of(tool: Tool) -> Manner:
    """How Python calls the function of a tool; looked at once."""
    known = _known.get(tool)
    if known is None:
        made = _looked_at(tool)
        known = _known[tool] = USUAL if made == USUAL else made
    return known


def _looked_at(tool: Tool) -> Manner:
    if tool.options.external:
        return Manner(problem=f"The result of {tool.name} came from outside: no function gave it.")
    schema = tool.schema
    if not isinstance(schema, FunctionSchema):
        about = "is no function of Python's, but takes its arguments as JSON"
        return Manner(problem=f"{tool.name} {about}: %tool {tool.name} calls it.")
    called, imports = _called(tool)
    slots, names = schema.binder.slots, iter(schema.binder.names)
    own = [(slot, next(names) if slot.field else "") for slot in slots]
    if any(not name for _, name in own):
        about = "takes the context of a run, which there is in a run alone"
        return Manner(problem=f"{tool.name} {about}: %tool {tool.name} calls it.")
    kinds = inspect.Parameter
    return Manner(
        called=f"await {called or python_name(tool.name)}" if tool.is_async else called,
        imports=imports,
        names={name: slot.name for slot, name in own if name != slot.name},
        positional=tuple(
            name
            for slot, name in own
            if slot.kind is kinds.POSITIONAL_ONLY
            or (schema.binder.is_positional and slot.kind is kinds.POSITIONAL_OR_KEYWORD)
        ),
        rest=next((name for slot, name in own if slot.kind is kinds.VAR_POSITIONAL), ""),
        more=next((name for slot, name in own if slot.kind is kinds.VAR_KEYWORD), ""),
        always=tuple(_told_by_schema(tool, own)),
    )


def _told_by_schema(tool: Tool, own: Collection[tuple[Any, str]]) -> Iterator[str]:
    """The arguments whose default only the schema knows: Python would take something else."""
    parameters = inspect.signature(tool.function).parameters
    for slot, name in own:
        one = parameters.get(slot.name)
        if one is not None and slot.default is kind_empty and one.default is not kind_empty:
            yield name


kind_empty: Final = inspect.Parameter.empty


def python_name(tool_name: str) -> str:
    """How a tool of this name is called in Python, where nothing else is known."""
    return tool_name.replace("--", ".").replace("-", "_")


def _called(tool: Tool) -> tuple[str, tuple[str, ...]]:
    """By which name Python has the function, and what it must import to have it.

    Of one that no name leads to, the name that it has itself: whoever runs that must define it.
    """
    function = tool.function
    usual = python_name(tool.name)
    if isinstance(function, MethodType):
        owner = _name_here(function.__self__)
        if owner:
            return f"{owner}.{function.__name__}", ()
    own = getattr(function, "__name__", "")
    module = function.__module__ if isinstance(function, FunctionType) else ""
    if module and "<" not in function.__qualname__ and _is_at(module, own, tool):
        imports = () if module == "__main__" else (f"from {module} import {own}",)
        return ("" if own == usual else own), imports
    if found := _name_here(tool) or _name_here(function):
        return ("" if found == usual else found), ()
    if toolbox.get(tool.name) is tool:
        return f"nbagents.toolbox[{json.dumps(tool.name)}]", ("import nbagents",)
    return ("" if own == usual else own), ()


def _is_at(module: str, name: str, tool: Tool) -> bool:
    found = getattr(sys.modules.get(module), name, None)
    return found is tool.function or (is_tool(found) and found.function is tool.function)


def _name_here(one: object) -> str:
    """The name that the person's own cells have for an object."""
    here = vars(sys.modules["__main__"])
    names = (name for name, held in tuple(here.items()) if held is one and name[:1] != "_")
    return next(names, "")


class _NoFormError(Exception):
    """A value that cannot be written; says why."""


@dataclass(slots=True)
class _Forms:
    """Finds how values are made of their JSON, and tries each form that it finds."""

    objects: Collection[str]
    forms: dict[str, str] = field(default_factory=dict[str, str])
    imports: dict[str, None] = field(default_factory=dict[str, None])

    def look(self, value: object, written: JsonValue, path: str, *, is_own: bool = False) -> None:
        """Look at a value, and at what is in it.

        Args:
            value: What the function gets.
            written: What it is as JSON.
            path: Where it stands, as a JSON pointer.
            is_own: Whether it is the function's own default: an object is told in words then.

        Raises:
            _NoFormError: It cannot be written.
        """
        kind = type(value)
        if is_own and path in self.objects:
            raise _NoFormError(f"{_shown(path)} is the default {written}, which has no name.")
        if path in self.objects or (is_atom(value) and kind is type(written) and value == written):
            return None
        if is_sequence(value) and isinstance(written, list):
            return self._several(value, written, path)
        if kind is dict and is_dict(value) and is_dict(written) and value.keys() == written.keys():
            for name, one in value.items():
                self.look(one, written[name], pointer(path, name))
            return None
        if kind is float and type(written) is float:
            return None
        return self._made(value, written, path)

    def _several(
        self, items: list[object] | tuple[object, ...], written: list[JsonValue], path: str
    ) -> None:
        if len(items) != len(written):
            raise _NoFormError(f"{_shown(path)} was changed on its way into the function.")
        for at, one in enumerate(items):
            self.look(one, written[at], pointer(path, at))
        if type(items) is tuple:
            self._keep(path, "tuple($)")
        elif type(items) is not list:
            name, imports = _type_name(type(items))
            self.imports |= dict.fromkeys(imports)
            self._keep(path, f"{name}(*$)" if hasattr(items, "_fields") else f"{name}($)")

    def _made(self, value: object, written: JsonValue, path: str) -> None:
        for form, make, imports in self._candidates(type(value)):
            try:
                made = make(written)
            except Exception:  # noqa: BLE001, S112  a person's type may raise: it is not so made
                continue
            if type(made) is type(value) and made == value:
                self.imports |= dict.fromkeys(imports)
                return self._keep(path, form)
        raise _NoFormError(
            f"{_shown(path)} is a {type(value).__name__}, which cannot be made of what the log has."
        )

    def _candidates(self, kind: type) -> Iterator[Candidate]:
        of_any: Any = kind  # Any: a person's own type
        if kind in TEXTS:
            form, make = TEXTS[kind]
            yield form, make, [f"import {MODULES[kind]}"] if kind in MODULES else []
        name, imports = _type_name(kind)
        if issubclass(kind, Enum | PurePath | set | frozenset | str | int):
            yield f"{name}($)", kind, imports
        if issubclass(kind, BaseModel):
            yield f"{name}.model_validate($)", kind.model_validate, imports
        elif is_dataclass(cast("object", kind)):
            yield f"{name}(**$)", partial(_by_fields, of_any), imports
        adapter: TypeAdapter[object] = TypeAdapter(of_any)
        form = f"pydantic.TypeAdapter({name}).validate_python($)"
        yield form, adapter.validate_python, ["import pydantic", *imports]

    def _keep(self, path: str, form: str) -> None:
        if len(self.forms) >= MOST:
            raise _NoFormError(f"More than {MOST} of its values are no JSON.")
        self.forms[path] = form


def _type_name(kind: type) -> tuple[str, list[str]]:
    """How Python names a type, and what it must import to have it.

    Raises:
        _NoFormError: No name leads to it.
    """
    module, name = kind.__module__, kind.__qualname__
    found: object = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not kind:
        raise _NoFormError(f"No name leads to the type {kind.__name__}: define it where you are.")
    if module in ("builtins", "__main__"):
        return name, []
    return f"{module}.{name}", [f"import {module}"]


def _by_fields(kind: Callable[..., object], given: dict[str, Any]) -> object:
    return kind(**given)


def _shown(path: str) -> str:
    return f"The argument {path.removeprefix('/')}"
