"""Events without secrets: what is free text in them is cleaned, whatever holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import BaseModel

from nbagents.events import CallEvent
from nbagents.redaction import clean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.events import AnyEvent

__all__ = ["clean_event", "clean_value"]

KNOWN: Final = frozenset({*CallEvent.model_fields, "type", "phase", "status", "call_run_id"})
"""What every event carries is made by us, or cleaned where it comes in: ids, names of tools."""
ATOMS: Final = frozenset({type(None), bool, int, float, bytes})

_free: dict[type[BaseModel], tuple[str, ...]] = {}
_whole: dict[type, tuple[str, ...]] = {}


def clean_event(event: AnyEvent) -> AnyEvent:
    """The event, or one without what must not be written."""
    fields = _free.get(type(event))
    if fields is None:
        fields = _free[type(event)] = tuple(
            name for name in type(event).model_fields if name not in KNOWN
        )
    return _cleaned(event, fields)


def _cleaned(event: Any, fields: Sequence[str]) -> Any:  # Any: a model, of any type
    values = event.__dict__
    changed: dict[str, object] | None = None
    for name in fields:
        value: object = values[name]
        kind: object = type(value)
        if kind in ATOMS:
            continue
        made = clean(cast("str", value)) if kind is str else clean_value(value)
        if made is not value:
            changed = changed or {}
            changed[name] = made
    return event if changed is None else event.model_copy(update=changed)


def clean_value(value: object) -> object:
    """The same value where there is nothing to take out; else one of the same form without it."""
    kind = type(value)
    if kind in ATOMS:
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return _clean_dict(cast("dict[object, object]", value))
    if isinstance(value, (list, tuple)):
        return _clean_items(cast("list[object] | tuple[object, ...]", value))
    fields = _whole.get(kind)
    if fields is None and isinstance(value, BaseModel):  # to ask it that takes long
        fields = _whole[kind] = tuple(type(value).model_fields)
    return value if fields is None else _cleaned(value, fields)


def _clean_items(items: list[object] | tuple[object, ...]) -> object:
    if not items:
        return items
    made = [clean_value(one) for one in items]
    if all(one is before for one, before in zip(made, items, strict=True)):
        return items
    return made if isinstance(items, list) else tuple(made)


def _clean_dict(values: Mapping[object, object]) -> object:
    made: dict[object, object] = {}
    is_same = True
    for name, value in values.items():
        said, given = clean_value(name), clean_value(value)
        is_same = is_same and said is name and given is value
        key, again = said, 2
        while key in made:  # names that differed in what was taken out
            key, again = f"{said} ({again})", again + 1
        made[key] = given
    return values if is_same else made
