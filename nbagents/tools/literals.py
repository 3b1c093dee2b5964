"""Literals whose values JSON has no form of its own for: a model writes what the schema says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, cast, get_args

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, to_jsonable_python
from pydantic_core.core_schema import no_info_before_validator_function

__all__ = ["literal_hint"]

PLAIN = (str, int, bool, type(None))


def literal_hint(hint: Any) -> Any:  # Any: a type form, of which Python has no type
    """A `Literal` that takes `"red"` for `Color.RED`, and `"x"` for `b"x"`, as its schema says."""
    odd = tuple(one for one in get_args(hint) if type(one) not in PLAIN)
    return Annotated[hint, _Written(odd)] if odd else hint


@dataclass(frozen=True, slots=True)
class _Written:
    """Puts the values themselves in place of how they are written."""

    values: tuple[object, ...]

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        forms = [(to_jsonable_python(one), one) for one in self.values]
        plain = [one for one in get_args(source) if type(one) in PLAIN]

        def meant(value: object) -> object:
            if any(_same(value, one) for one in plain):
                return value
            return next((one for form, one in forms if _same(value, form)), value)

        return no_info_before_validator_function(meant, handler(source))


def _same(left: object, right: object) -> bool:
    """Whether they are the same JSON, where `true` is not 1."""
    if isinstance(left, bool) is not isinstance(right, bool):
        return False
    if isinstance(left, list) and isinstance(right, list):
        ours, theirs = cast("list[object]", left), cast("list[object]", right)
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return left == right
