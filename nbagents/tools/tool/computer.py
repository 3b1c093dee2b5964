"""A computer that a model drives: it says what to click, and is shown the screen.

Source: OpenAI, guides, computer use, as of November 2026.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, cast

from nbagents.errors import ToolArgumentsError, ToolDefinitionError, ToolError
from nbagents.results import ImagePart
from nbagents.tools.tool.definition import Tool, ToolOptions

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from pydantic import JsonValue

T = TypeVar("T")
Maybe: TypeAlias = "T | Awaitable[T]"
"""What a plain or an async method gives."""

Action: TypeAlias = Mapping[str, Any]  # as the model wrote it: checked before anything is done
Step: TypeAlias = Callable[[], object]

FIELDS: Mapping[str, tuple[str, ...]] = {
    "click": ("x", "y", "button"),
    "double_click": ("x", "y"),
    "drag": ("path",),
    "keypress": ("keys",),
    "move": ("x", "y"),
    "screenshot": (),
    "scroll": ("x", "y", "scroll_x", "scroll_y"),
    "type": ("text",),
    "wait": (),
}
"""What the actions say. Source: openai 3.52, `openai.types.responses.ComputerAction`."""

WHOLE: Mapping[str, object] = {"type": "integer"}
TYPES: Mapping[str, object] = {
    **dict.fromkeys(("x", "y", "scroll_x", "scroll_y"), WHOLE),
    "button": {"enum": ["left", "right", "wheel", "back", "forward"]},
    "text": {"type": "string"},
    "keys": {"type": ["array", "null"], "items": {"type": "string"}},
    "path": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"x": WHOLE, "y": WHOLE},
            "required": ["x", "y"],
        },
    },
}
"""What stands in these fields, in whichever action. Source: the same."""

PARAMETERS: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "actions": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {"type": {"enum": list(FIELDS)}, **TYPES},
                "required": ["type"],
            },
        },
        "pending_safety_checks": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["actions"],
}

ENVIRONMENTS = ("windows", "mac", "linux", "ubuntu", "browser")
PNG, JPEG = b"\x89PNG", b"\xff\xd8\xff"


class ComputerProvider(Protocol):
    """A screen with a mouse and a keyboard, e.g. a browser's page. Methods may be async.

    A provider may also have `check_safety(checks) -> bool`: whether the person takes responsibility
    for what the API warns of. Without it such calls are refused. Where the model holds keys down
    meanwhile, the mouse's methods are given `keys=`; those that do not take it refuse the action.
    """

    @property
    def environment(self) -> str:
        """What kind of computer it is: `windows`, `mac`, `linux`, `ubuntu` or `browser`."""
        ...

    def size(self) -> tuple[int, int]:
        """Width and height of the screen in pixels."""
        ...

    def screenshot(self) -> Maybe[bytes]:
        """The screen, as PNG."""
        ...

    def click(self, x: int, y: int, button: str) -> Maybe[None]:
        """Click with `left`, `right`, `wheel`, `back` or `forward`."""
        ...

    def double_click(self, x: int, y: int) -> Maybe[None]:
        """Click twice."""
        ...

    def scroll(self, x: int, y: int, scroll_x: int, scroll_y: int) -> Maybe[None]:
        """Scroll at a place, by pixels."""
        ...

    def type(self, text: str) -> Maybe[None]:
        """Type a text."""
        ...

    def wait(self) -> Maybe[None]:
        """Wait a moment."""
        ...

    def move(self, x: int, y: int) -> Maybe[None]:
        """Move the mouse."""
        ...

    def keypress(self, keys: Sequence[str]) -> Maybe[None]:
        """Press keys together, e.g. `["CTRL", "A"]`."""
        ...

    def drag(self, path: Sequence[tuple[int, int]]) -> Maybe[None]:
        """Drag along a path."""
        ...


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer for the model. Use one that can do no harm: a page can tell a model what to do.

    Args:
        provider: What is driven.
        preview: Whether it is offered in the older way, for `computer-use-preview`.

    Raises:
        ToolDefinitionError: The provider lacks a method, or is no known kind of computer.
    """

    provider: ComputerProvider
    preview: bool = False

    def __post_init__(self) -> None:
        lacking = [name for name in FIELDS if not callable(getattr(self.provider, name, None))]
        if lacking:
            raise ToolDefinitionError(
                f"{type(self.provider).__name__} is no computer: it has no "
                f"{', '.join(lacking)}. See nbagents.ComputerProvider."
            )
        if self.preview and self.provider.environment not in ENVIRONMENTS:
            raise ToolDefinitionError(
                f"A computer's environment is one of {', '.join(ENVIRONMENTS)}, "
                f"not {self.provider.environment!r}."
            )

    @property
    def name(self) -> str:
        """What its calls are called."""
        return "computer"

    def tools(self) -> Sequence[Tool]:
        """The one tool."""
        sent: dict[str, JsonValue] = {"type": "computer"}
        if self.preview:
            width, height = self.provider.size()
            sent = {
                "type": "computer_use_preview",
                "display_width": width,
                "display_height": height,
                "environment": self.provider.environment,
            }
        options = ToolOptions(hosted=sent, strict=False, read_only=False, open_world=True)
        handler = _handler(self.provider)
        return (Tool.from_schema(self.name, "Drives a computer.", PARAMETERS, handler, options),)


def _handler(provider: ComputerProvider) -> Callable[[dict[str, Any]], object]:
    async def drive(arguments: dict[str, Any]) -> ImagePart:
        steps = [_step(provider, action) for action in arguments["actions"]]
        await _check_safety(provider, arguments.get("pending_safety_checks") or [])
        for step in steps:
            await _done(step())
        return _picture(await _done(provider.screenshot()))

    def drive_plainly(arguments: dict[str, Any]) -> ImagePart:
        return _at_once(drive(arguments))

    names = (*FIELDS, "check_safety")
    is_async = any(inspect.iscoroutinefunction(getattr(provider, name, None)) for name in names)
    return drive if is_async else drive_plainly


def _step(provider: ComputerProvider, action: Action) -> Step:
    """What an action does, checked but not yet done."""
    name = action["type"]
    fields = FIELDS[name]
    given = {"button": "left", **action} if name == "click" else action
    missing = [field for field in fields if field not in given]
    if missing:
        raise ToolArgumentsError(f"The action {name!r} lacks {', '.join(missing)}.")
    if name == "screenshot":  # one is taken at the end in any case
        return lambda: None
    method: Callable[..., object] = getattr(provider, name)
    values = [_value(field, given[field]) for field in fields]
    held = {} if "keys" in fields else _held(method, action)
    return lambda: method(*values, **held)


def _value(field: str, given: object) -> object:
    if field != "path":
        return given
    try:
        return [(point["x"], point["y"]) for point in cast("Sequence[Action]", given)]
    except (KeyError, TypeError) as error:
        raise ToolArgumentsError("The path of a drag is a list of points with x and y.") from error


def _held(method: Callable[..., object], action: Action) -> dict[str, object]:
    """The keys that are held down meanwhile."""
    keys = action.get("keys")
    if not keys:
        return {}
    if "keys" not in inspect.signature(method).parameters:
        raise ToolError(f"This computer cannot hold {'+'.join(keys)} during a {action['type']}.")
    return {"keys": keys}


async def _check_safety(provider: ComputerProvider, checks: Sequence[Action]) -> None:
    if not checks:
        return
    ask: Callable[[Sequence[Action]], object] | None = getattr(provider, "check_safety", None)
    if ask is None or (await _done(ask(checks))) is not True:
        named = "; ".join(str(one.get("message") or one.get("code") or one) for one in checks)
        raise ToolError(
            f"Denied, and nothing was done: the call has safety checks that nobody "
            f"acknowledged ({named})."
        )


async def _done(result: object) -> object:
    return await result if inspect.isawaitable(result) else result


def _at_once(coroutine: Coroutine[object, None, ImagePart]) -> ImagePart:
    """Run what waits for nothing, on this thread and without a loop."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise ToolError("A plain method of the computer gave something to wait for: make it async.")


def _picture(data: object) -> ImagePart:
    if isinstance(data, bytes) and data.startswith((PNG, JPEG)):
        media_type = "image/png" if data.startswith(PNG) else "image/jpeg"
        return ImagePart(media_type=media_type, data=data, name="screenshot")
    raise ToolError("The computer's screenshot is no PNG: screenshot() must give its bytes.")
