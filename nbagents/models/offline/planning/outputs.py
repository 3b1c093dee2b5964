"""Answers of a given form: its fields filled from the results and from what the person wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from nbagents.models.model import ToolSpec
from nbagents.models.offline.language import read
from nbagents.models.offline.matching import UNSET, Index, fill, missing_of, pointing, truth
from nbagents.models.offline.planning.evidence import look_up, rows_of
from nbagents.models.offline.planning.leftovers import content

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.models.model import OutputSpec
    from nbagents.models.offline.matching import Entry, Filling, MaybeValue, Parameter
    from nbagents.models.offline.planning.conversation import Conversation, Made

_CLEAR = 0.45
"""How clearly the prompt must point at a field, where results are at hand."""


def formed(form: OutputSpec, conversation: Conversation, told: str) -> str:
    """The answer as JSON of a form, or which of its fields nobody has said.

    Args:
        form: What the answer must be.
        conversation: The wish and what was done for it.
        told: What the answer would say without a form, for fields that take text.
    """
    spec = ToolSpec(name=form.name, description="", parameters=form.schema)
    entry = Index([spec]).entries[0]
    said = _said(entry, conversation)
    ready = [one for one in conversation.made if not one.failed]
    for parameter in entry.parameters:
        found = _found(parameter, ready)
        if found is UNSET and parameter.required and parameter.name not in said.values:
            found = _worded(parameter, told if ready else content(conversation.prompt))
        if found is not UNSET:
            said.values[parameter.name] = found
        elif parameter.nullable or not parameter.required:
            said.values.setdefault(parameter.name, _empty(parameter))
    lacking = missing_of(entry, said)
    if lacking:
        return _lacks(form, lacking, told if conversation.made else "")
    ordered = {one.name: said.values[one.name] for one in entry.parameters}
    return json.dumps(ordered, ensure_ascii=False)


def _said(entry: Entry, conversation: Conversation) -> Filling:
    """What the person wrote, where it is a field's; beside results it must be clearly so."""
    reading = read(conversation.prompt)
    said = fill(entry, reading.clauses, reading)[0]
    for parameter in entry.parameters:
        mention = said.sources.get(parameter.name)
        vague = mention is None or pointing(parameter, mention, reading) < _CLEAR
        # That something is not said does not make it false.
        unsaid = parameter.only("boolean") and truth(parameter, reading.text, reading.words) is None
        if unsaid or (conversation.made and vague and not parameter.only("boolean")):
            said.values.pop(parameter.name, None)
    return said


def _found(parameter: Parameter, ready: Sequence[Made]) -> MaybeValue:
    """The field's value in the results: by its name, else the only one that has its type."""
    if parameter.items is not None and parameter.only("array"):
        return _rows(parameter, parameter.items, ready)
    if parameter.properties:
        values = {one.name: _found(one, ready) for one in parameter.properties}
        given = {name: value for name, value in values.items() if value is not UNSET}
        whole = all(one.name in given or not one.required for one in parameter.properties)
        return given if given and whole else UNSET
    found = look_up(parameter, ready, loosely="text" not in parameter.roles)
    return UNSET if found is None else found.value


def _rows(parameter: Parameter, items: Parameter, ready: Sequence[Made]) -> MaybeValue:
    found = look_up(parameter, ready)
    if found is not None:
        return found.value
    rows = [row for made in reversed(ready) for row in rows_of(made)]
    values = [_row(items, row) for row in rows]
    kept: list[JsonValue] = [one for one in values if one is not UNSET]
    return kept or UNSET


def _row(items: Parameter, row: JsonValue) -> MaybeValue:
    """One row as the items want it: an object with their fields, or the row itself."""
    if items.properties and isinstance(row, Mapping):
        given = {one.name: row[one.name] for one in items.properties if one.name in row}
        return (
            given if all(one.name in given for one in items.properties if one.required) else UNSET
        )
    if isinstance(row, (Mapping, list)) or row is None:
        return UNSET
    return row


def _worded(parameter: Parameter, told: str) -> MaybeValue:
    return told if told and "text" in parameter.roles and parameter.takes("string") else UNSET


def _empty(parameter: Parameter) -> JsonValue:
    return None if parameter.default is UNSET else parameter.default


def _lacks(form: OutputSpec, lacking: Sequence[Parameter], told: str) -> str:
    names = " and ".join(f"`{one.name}`" for one in lacking)
    found = f" The tools say: {told}" if told else ""
    return (
        f"I am the offline planner, and cannot answer in the form `{form.name}`: neither your "
        f"words nor the results say {names}.{found}"
    )
