"""Values for a notebook, as papermill has them: a cell tagged `parameters`, one put below it."""

from __future__ import annotations

import ast
import importlib
import json
from dataclasses import dataclass
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import NbagentsError, did_you_mean
from nbagents.execution.marks import tags_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Any in this file: nbformat's cells, and the values that a person gives.

DECLARED: Final = "parameters"
INJECTED: Final = "injected-parameters"
WORDS: Final[Mapping[str, object]] = {"True": True, "False": False, "None": None}


class ParameterError(NbagentsError):
    """A parameter cannot be read, or does not fit; says what to type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What a notebook declares: the last value or type that its cell gives each name."""

    place: int
    """Of the cell; -1: there is none."""
    defaults: Mapping[str, object]
    """By name; one whose value is no literal has `...`."""
    types: Mapping[str, str]
    """The annotations, by name."""


def read_assignment(text: str) -> tuple[str, str]:
    """A name and what is written after its `=`.

    Raises:
        ParameterError: It is no assignment to a name of Python's.
    """
    name, equals, value = text.partition("=")
    name = name.strip()
    if not equals or not name.isidentifier() or iskeyword(name):
        raise ParameterError(f"{text!r} gives no parameter: write it as name=value.")
    return name, value


def declared(notebook: Any) -> Parameters:
    """What the first cell that is tagged `parameters` gives."""
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and DECLARED in tags_of(cell):
            defaults, types = _assigned(cell.source)
            return Parameters(place=place, defaults=defaults, types=types)
    return Parameters(place=-1, defaults={}, types={})


def with_parameters(notebook: Any, given: Sequence[tuple[str, str]]) -> list[str]:
    """Put a cell with the given values below the one that declares them.

    A notebook that declares none gets it before its first cell of code. One that an earlier run
    has put there is replaced.

    Args:
        notebook: nbformat's notebook; it is changed.
        given: Names, and values as a person writes them; of a name given twice the last holds.

    Returns:
        What the person should know, in sentences.

    Raises:
        ParameterError: A value does not fit what is declared.
    """
    if not given:
        return []
    notebook.cells = [one for one in notebook.cells if INJECTED not in tags_of(one)]
    known = declared(notebook)
    values = {name: _value(name, text, known) for name, text in given}
    lines = [f"{name} = {value!r}" for name, value in values.items()]
    cell = _cell("\n".join(["# Parameters", *lines]), notebook)
    codes = (at for at, one in enumerate(notebook.cells) if one.cell_type == "code")
    place = known.place + 1 if known.place >= 0 else next(codes, 0)
    notebook.cells.insert(place, cell)
    return [*_notes(known, values)]


def _notes(known: Parameters, values: Mapping[str, object]) -> list[str]:
    if known.place < 0:
        return ["It has no cell tagged `parameters`: what is given stands before its first cell."]
    names = [*dict.fromkeys([*known.types, *known.defaults])]
    return [
        f"It declares no parameter {name!r}.{did_you_mean(name, names)}"
        for name in values
        if name not in names
    ]


def _cell(source: str, notebook: Any) -> Any:
    """A cell as this notebook's format has them: with an id since 4.5."""
    nbformat: Any = importlib.import_module("nbformat")
    cell = nbformat.v4.new_code_cell(source, metadata={"tags": [INJECTED]})
    cell.id = INJECTED
    if notebook.nbformat_minor < 5:  # the version of the format
        cell.pop("id")
    return cell


def _assigned(source: str) -> tuple[dict[str, object], dict[str, str]]:
    """What a cell assigns to names, and their annotations; what is no Python declares nothing."""
    defaults: dict[str, object] = {}
    types: dict[str, str] = {}
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return defaults, types
    for one in body:
        match one:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                defaults[name] = _literal(value)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                types[name] = ast.unparse(annotation)
                if value is not None:
                    defaults[name] = _literal(value)
            case _:
                pass
    return defaults, types


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ...


def _value(name: str, text: str, known: Parameters) -> object:
    """A value as a person writes it, in the type that the notebook declares.

    Raises:
        ParameterError: It does not fit.
    """
    kind = known.types.get(name) or _kind_of(known.defaults.get(name, ...))
    value = read_value(text)
    if kind == "str":
        return value if isinstance(value, str) else text
    if kind == "float" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind in ("int", "float", "bool", "list", "dict") and type(value).__name__ != kind:
        if value is None:
            return None
        raise ParameterError(f"{name} is of type {kind} in the notebook, and {text!r} is none.")
    return value


def _kind_of(value: object) -> str:
    return "" if value is None or value is ... else type(value).__name__


def read_value(text: str) -> object:
    """A value as a person writes it: as JSON, else as Python, else it is a text."""
    stripped = text.strip()
    if stripped in WORDS:
        return WORDS[stripped]
    try:
        return json.loads(stripped, parse_constant=_refuse)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(stripped)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text


def _refuse(word: str) -> object:
    """`NaN` and `Infinity` are texts here: no cell can be written with them."""
    raise ValueError(word)
