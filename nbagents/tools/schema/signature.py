"""What a function says of its parameters: names, places, resolved hints, defaults."""

from __future__ import annotations

import builtins
import contextlib
import inspect
import re
import types
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Optional,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic.fields import FieldInfo

from nbagents.errors import ToolDefinitionError
from nbagents.tools.context import (
    Context,
    as_called,
    bound_keywords,
    called_by,
    is_unbound_method,
    written_function,
)
from nbagents.tools.schema.hints import is_union, readable
from nbagents.tools.schema.live_hints import UNHINTED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NO_DEFAULT = inspect.Parameter.empty
PLAIN = frozenset((str, int, float, bool))


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a function."""

    name: str
    kind: inspect._ParameterKind  # pyright: ignore[reportPrivateUsage]  the only name that typeshed has for it
    hint: Any
    """The resolved annotation with its `Annotated` extras; `UNHINTED` where there is none."""
    default: Any
    """`inspect.Parameter.empty` where there is none."""
    hidden: bool
    """Whether it takes the `Context`, so that no model sees it."""

    @property
    def is_required(self) -> bool:
        """Whether a call must give it."""
        return self.default is NO_DEFAULT and self.kind not in {
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        }


def read_signature(
    function: Callable[..., object], name: str, local_names: Mapping[str, object]
) -> tuple[Parameter, ...]:
    """The parameters that a caller may give, in order.

    What a `functools.partial` has bound is left out: it was bound so that no caller gives it.

    Args:
        function: Any callable that has a signature.
        name: The tool's name, for the messages.
        local_names: Names of the place where the function was defined.

    Raises:
        ToolDefinitionError: There is no signature, a hint does not resolve, or `self` is unbound.
    """
    try:
        signature = inspect.signature(as_called(function))
    except (ValueError, TypeError, NameError) as error:
        raise ToolDefinitionError(
            f"The signature of tool {name!r} cannot be read: {error}. "
            "Wrap it in a function of your own with type hints."
        ) from error
    bound = bound_keywords(function)
    found = [one for one in signature.parameters.values() if one.name not in bound]
    if is_unbound_method(function):
        raise ToolDefinitionError(
            f"Tool {name!r} is a method without its object: make the tool from an instance, "
            f"e.g. tool(thing.{name}), or all of its methods with toolset_of('name', thing)."
        )
    names = _globals_of(function), {**_inner_names(function), **local_names}
    hints = _all_resolved(found, *names)
    if hints is None:  # one at a time, so that the message can say which
        hints = {one.name: _resolved(one, name, *names) for one in found if _has_hint(one)}
    return tuple(_parameter(one, name, hints.get(one.name, UNHINTED)) for one in found)


def context_name(function: Callable[..., object]) -> str | None:
    """The parameter that takes the `Context`, if there is one; other hints need not resolve."""
    try:
        parameters = inspect.signature(as_called(function)).parameters.values()
    except (TypeError, ValueError):
        return None
    names = _globals_of(function), _inner_names(function)
    for one in parameters:
        with contextlib.suppress(ToolDefinitionError):
            if _has_hint(one) and is_context(_resolved(one, "", *names)):
                return one.name
    return None


def is_context(hint: object) -> bool:
    """Whether a hint is `Context`, also with `| None` or inside `Annotated`."""
    if get_origin(hint) is Annotated:
        return is_context(get_args(hint)[0])
    if is_union(hint):
        rest = [one for one in get_args(hint) if one is not types.NoneType]
        return bool(rest) and all(is_context(one) for one in rest)
    return hint is Context


def enclosing_names(function: Callable[..., object]) -> dict[str, object]:
    """The local names that the annotations of an inner function use, while they still exist.

    With `from __future__ import annotations` hints are text, and a type that is defined inside of
    the same function as the tool can only be found while that function runs.
    """
    plain = written_function(function)
    outer, separator, _ = getattr(plain, "__qualname__", "").rpartition(".<locals>.")
    if not separator:
        return {}
    wanted = set(re.findall(r"[^\W\d]\w*", " ".join(_written_hints(plain))))
    frame = inspect.currentframe() if wanted else None
    while frame is not None:
        if frame.f_code.co_name == outer.rpartition(".")[2]:
            return {name: value for name, value in frame.f_locals.items() if name in wanted}
        frame = frame.f_back
    return {}


def _written_hints(function: Callable[..., object]) -> list[str]:
    hints = cast("dict[str, object]", getattr(function, "__annotations__", {}))
    return [hint for hint in hints.values() if isinstance(hint, str)]


def _has_hint(one: inspect.Parameter) -> bool:
    return one.annotation is not NO_DEFAULT


def _parameter(one: inspect.Parameter, tool: str, hint: Any) -> Parameter:
    if _is_plain(hint) and not (one.default is None or isinstance(one.default, FieldInfo)):
        return Parameter(name=one.name, kind=one.kind, hint=hint, default=one.default, hidden=False)
    hidden = is_context(hint)
    if hidden and one.kind in {one.VAR_POSITIONAL, one.VAR_KEYWORD}:
        raise ToolDefinitionError(
            f"Parameter {one.name!r} of tool {tool!r} cannot take the context with stars: "
            "write `ctx: Context`."
        )
    if not hidden:
        hint = readable(hint)
        if one.default is None or _default_of_field(one.default) is None:
            hint = _or_none(hint)
    return Parameter(name=one.name, kind=one.kind, hint=hint, default=one.default, hidden=hidden)


def _is_plain(hint: object) -> bool:
    """Whether a hint stands as it is, as most do."""
    return type(hint) is type and hint in PLAIN


def _default_of_field(default: object) -> object:
    return default.default if isinstance(default, FieldInfo) else NO_DEFAULT


def _or_none(hint: Any) -> Any:  # Any: a type form, of which Python has no type
    """`x: int = None` means `int | None`; what `Annotated` adds stays outside."""
    if get_origin(hint) is Annotated:
        plain, *extras = get_args(hint)
        return Annotated[(Optional[plain], *extras)]  # noqa: UP045  see below
    return Optional[hint]  # noqa: UP045  not every type form knows `|`


def _all_resolved(
    found: Sequence[inspect.Parameter],
    global_names: dict[str, object],
    local_names: dict[str, object],
) -> dict[str, Any] | None:
    # Not those of the function itself: its return hint need not resolve.
    holder = types.SimpleNamespace(
        __annotations__={one.name: one.annotation for one in found if _has_hint(one)}
    )
    try:
        return get_type_hints(holder, global_names, local_names, include_extras=True)
    except Exception:  # noqa: BLE001  a hint is code, which may raise anything
        return None


def _resolved(
    one: inspect.Parameter,
    tool: str,
    global_names: dict[str, object],
    local_names: dict[str, object],
) -> object:
    holder = types.SimpleNamespace(__annotations__={one.name: one.annotation})
    try:
        return get_type_hints(holder, global_names, local_names, include_extras=True)[one.name]
    except Exception as error:  # a hint is code, which may raise anything
        raise ToolDefinitionError(
            f"The type {one.annotation!r} of parameter {one.name!r} of tool {tool!r} cannot be "
            f"resolved: {error}. Define or import what it names before the tool is used "
            "(not only under TYPE_CHECKING)."
        ) from error


def _globals_of(function: Callable[..., object]) -> dict[str, object]:
    return getattr(written_function(function), "__globals__", {})


def _inner_names(function: Callable[..., object]) -> dict[str, object]:
    """What hints may name beside globals: of the class that a method was written in, and around."""
    known, around = _globals_of(function), _closure_of(function)
    own = {
        name: value
        for name, value in _class_names(function).items()
        if name not in known and not hasattr(builtins, name)  # `list` is the type, not the method
    }
    return {**own, **around}


def _class_names(function: Callable[..., object]) -> Mapping[str, object]:
    plain = written_function(function)
    path: list[str] = getattr(plain, "__qualname__", "").split(".")
    owner = getattr(called_by(function), "__self__", None)
    if owner is not None and not isinstance(owner, types.ModuleType):
        classes = (owner if isinstance(owner, type) else type(cast("object", owner))).__mro__
        homes = (vars(one) for one in classes if path[-1] in vars(one))
        return next(homes, dict[str, object]())
    home: object = _globals_of(function).get(path[0])  # a static method knows its class by name
    for part in path[1:-1]:
        home = getattr(home, part, None)
    return vars(home) if len(path) > 1 and isinstance(home, type) else {}


def _closure_of(function: Callable[..., object]) -> Mapping[str, object]:
    plain = written_function(function)
    if not inspect.isfunction(plain):
        return {}
    found: dict[str, object] = {}
    for name, cell in zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # an empty cell: not defined yet
            found[name] = cell.cell_contents
    return found
