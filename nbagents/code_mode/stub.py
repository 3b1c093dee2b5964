"""An API as an async function with types: what a person sees by Tab and Shift-Tab."""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import reduce
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal

from nbagents.errors import ToolArgumentsError
from nbagents.narrowing import dict_of, is_list, is_mapping

if TYPE_CHECKING:
    from nbagents.catalogue import Api

OTHER: Final = re.compile(r"\W")
PLAIN: Final[Mapping[str, Any]] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": NoneType,
    "array": list[Any],
    "object": dict[str, Any],
}
Call = Callable[[str, Mapping[str, Any]], Awaitable[Any]]


class _LeftOut:
    """Stands where nothing is given and the API's own default holds."""

    def __repr__(self) -> str:
        return "…"


LEFT_OUT: Final = _LeftOut()


def stub_of(api: Api, call: Call) -> Callable[..., Awaitable[Any]]:
    """A function that calls an API, with its signature, its types and what is known of it.

    What is left out is not sent: the API's own defaults hold. A parameter whose name is none in
    Python is written with `_`, or given as it is, by `**`.

    Args:
        api: The API.
        call: Makes a call of a name with arguments.
    """
    properties: Mapping[str, Any] = api.parameters.get("properties") or {}
    required = [one for one in api.parameters.get("required") or () if one in properties]
    found = python_names(properties).items()
    names = dict(sorted(found, key=lambda one: one[1] not in required))  # what is needed first
    is_open = not properties or bool(api.parameters.get("additionalProperties"))
    signature = _signature(properties, names, required, is_open=is_open)

    async def stub(*args: Any, **kwargs: Any) -> Any:
        return await call(api.name, _given(api.name, signature, names, args, kwargs))

    function: Any = stub  # Any: what a function says of itself is no part of its type
    function.__name__ = function.__qualname__ = python_name(api.name)
    function.__module__ = "apis"
    function.__doc__ = _told(api, properties, names)
    function.__signature__ = signature
    function.__annotations__ = {
        one.name: one.annotation for one in signature.parameters.values()
    } | {"return": Any}
    return stub


def python_name(name: str) -> str:
    """A name as Python takes it.

    Example:
        >>> python_name("x-api-key"), python_name("from"), python_name("2d")
        ('x_api_key', 'from_', '_2d')
    """
    made = OTHER.sub("_", name)
    if not made or made[0].isdigit():
        made = f"_{made}"
    return f"{made}_" if keyword.iskeyword(made) else made


def python_names(names: Mapping[str, object]) -> dict[str, str]:
    """What parameters are called in Python, by what they are called there; each once."""
    found: dict[str, str] = {}
    for name in names:
        made = python_name(name)
        while made in found:
            made += "_"
        found[made] = name
    return found


def _signature(
    properties: Mapping[str, Any], names: Mapping[str, str], required: list[str], *, is_open: bool
) -> inspect.Signature:
    parameters = [
        inspect.Parameter(
            own,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if name in required else _default(properties[name]),
            annotation=type_of(properties[name]),
        )
        for own, name in names.items()
    ]
    if is_open:
        more = inspect.Parameter("more", inspect.Parameter.VAR_KEYWORD, annotation=Any)
        parameters.append(more)
    return inspect.Signature(parameters, return_annotation=Any)


def _default(schema: object) -> object:
    """What stands where nothing is given: the API's own default, where it is known."""
    default: object = dict_of(schema).get("default", LEFT_OUT)
    return default if isinstance(default, (str, int, float, bool, NoneType)) else LEFT_OUT


def _given(
    name: str,
    signature: inspect.Signature,
    names: Mapping[str, str],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> dict[str, Any]:
    """The arguments by the API's own names.

    Raises:
        ToolArgumentsError: They do not fit the signature.
    """
    own = {there: here for here, there in names.items()}
    try:
        bound = signature.bind(*args, **{own.get(key, key): one for key, one in kwargs.items()})
    except TypeError as error:
        takes = ", ".join(map(str, signature.parameters.values())) or "nothing"
        raise ToolArgumentsError(f"{name}: {error}. It takes {takes}.") from None
    given = bound.arguments
    more: dict[str, Any] = {} if "more" in names else given.pop("more", {})
    return {names[key]: one for key, one in given.items() if one is not LEFT_OUT} | more


def type_of(schema: Any, depth: int = 0) -> Any:  # Any: a type form
    """What a JSON Schema lets through, as Python writes it; `Any` where that says too much.

    Example:
        >>> type_of({"type": "array", "items": {"enum": ["a", "b"]}})
        list[typing.Literal['a', 'b']]
    """
    if not is_mapping(schema) or depth > DEEPEST:
        return Any
    if is_list(options := schema.get("enum")) and _are_plain(options):
        return Literal[tuple(options)]
    several = schema.get("anyOf") or schema.get("oneOf")
    if is_list(several):
        return _union([type_of(one, depth + 1) for one in several])
    kind = schema.get("type")
    if is_list(kind):
        return _union([type_of({**schema, "type": one}, depth + 1) for one in kind])
    if kind == "array" and "items" in schema:
        return list[type_of(schema["items"], depth + 1)]
    return PLAIN.get(kind, Any) if isinstance(kind, str) else Any


DEEPEST: Final = 6


def _are_plain(options: list[Any]) -> bool:
    return bool(options) and all(type(one) in (str, int, bool) for one in options)


def _union(types: list[Any]) -> Any:
    if not types or Any in types:
        return Any
    return reduce(lambda one, other: one | other, dict.fromkeys(types))


def _told(api: Api, properties: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """The docstring: what it does, what it takes, and where it stands."""
    lines = [api.description.strip() or f"{api.api} of {api.tool}."]
    if names:
        lines += ["", "Args:"]
    for own, name in names.items():
        said = dict_of(properties[name]).get("description") or ""
        alias = "" if own == name else f" ({name!r} there)"
        lines.append(f"    {own}:{alias} {said}".rstrip())
    lines += ["", f"{api.category} > {api.tool} > {api.api}"]
    return "\n".join(lines)
