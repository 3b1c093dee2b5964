"""Handles: which of the objects at hand a parameter takes, by name, by type, the newest last."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nbagents.models.offline.matching.parameters import UNSET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.models.offline.matching.parameters import Parameter
    from nbagents.models.offline.matching.values import MaybeValue
    from nbagents.results import HandleInfo

_ANY = frozenset({"any", "object"})


def handle_of(
    parameter: Parameter, handles: Sequence[HandleInfo], said: str, taken: Sequence[JsonValue]
) -> MaybeValue:
    """The name of the object that a parameter takes, or a list of names where it takes several.

    Args:
        parameter: What takes a handle.
        handles: The objects at hand, the newest last.
        said: The wish.
        taken: The handles that went to other parameters.
    """
    fitting = [one for one in handles if _fits(parameter.handle, one) and one.name not in taken]
    if not fitting:
        return UNSET
    named = [one for one in fitting if _is_said(one.name, said)]
    typed = [one for one in fitting if _is_said(one.type_name, said)]
    if parameter.only("array"):
        return [one.name for one in named or typed or fitting[-1:]]
    return (named[:1] or typed[-1:] or fitting[-1:])[0].name


def _fits(wanted: str, handle: HandleInfo) -> bool:
    """Whether an object has a wanted type: `list` takes a `list of dict`."""
    kinds = {one.rpartition(".")[2].lower() for one in wanted.split(" or ")}
    own = handle.type_name.rpartition(".")[2].lower()
    return bool(kinds & _ANY) or own in kinds or own.split()[0] in kinds


def _is_said(word: str, said: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said, re.IGNORECASE) is not None
