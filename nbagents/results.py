"""What a call gives: content for the model, payloads for the person, or a failure.

Long: values without behaviour, each of a few lines, that are made of one another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from annotated_types import Ge, Gt
from pydantic import AllowInfNan, BaseModel, ConfigDict, Field, JsonValue, ValidationError

from nbagents.errors import FailureKind, Recovery
from nbagents.narrowing import is_sequence
from nbagents.redaction import clean, in_clean_words

__all__ = [
    "Bounds",
    "CallResult",
    "Citation",
    "ContentPart",
    "Earlier",
    "Failure",
    "FailureKind",
    "FieldIssue",
    "FilePart",
    "HandleInfo",
    "ImagePart",
    "Limits",
    "Option",
    "Payload",
    "Question",
    "Recovery",
    "Result",
    "RunLink",
    "ShownCall",
    "ShownMessage",
    "ShownTool",
    "Taken",
    "Usage",
    "Value",
    "pointer",
]


class Value(BaseModel):
    """A frozen value that crosses to the page and into the log.

    What stands under a field is its description on the page: `js/generate_nodes.py` reads it from
    the source, because reading it at import would take longer than all else that loads.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        defer_build=True,
        json_schema_serialization_defaults_required=True,
    )

    def __repr__(self) -> str:
        return clean(super().__repr__())

    def __str__(self) -> str:
        return clean(super().__str__())


class Payload(Value):
    """One typed piece of a result's `data`, for the person and for other tools."""

    kind: str
    """Which renderer draws it, e.g. `map`."""
    version: int = 1
    audience: Literal["timeline", "internal", "evidence"] = "timeline"
    """`timeline` is shown, `internal` is for other tools only, `evidence` tells the source."""
    value: JsonValue = None


class FieldIssue(Value):
    """One argument that does not fit."""

    field: str
    """Path of the argument, joined by dots."""
    constraint: str
    """pydantic's name of the rule, e.g. `missing` or `int_parsing`."""
    message: str


class Failure(Value):
    """Why a call gave no result, and what the model should do about it."""

    kind: FailureKind
    recovery: Recovery
    message: str
    """What the model is told: no traceback, no path."""
    issues: tuple[FieldIssue, ...] = ()
    debug_message: str | None = None
    """For the person only: the traceback."""


class Bounds(Value):
    """How much of a large result the model was given."""

    returned: int
    total: int | None = None
    truncated: bool = False
    next_cursor: str | None = None


Amount: TypeAlias = Annotated[float, Gt(0), AllowInfNan(False)]


class Limits(Value):
    """How much a run may do, with all runs below it; `None`: as much as it likes.

    Declared here once: an agent has a field of each name, of which this says what it may be, and
    the log, the card and the reader of saved runs take what is here.
    """

    max_steps: Annotated[int, Ge(1)] | None = None
    """How often the run's own model may be asked with tools."""
    max_calls: Annotated[int, Ge(0)] | None = None
    max_tokens: Annotated[int, Ge(1)] | None = None
    """In and out, as the provider counts them."""
    timeout_s: Amount | None = None
    """Seconds of the whole run, without those in which it waits for a person."""
    max_cost: Amount | None = None
    """Money, by the prices that the person has set, in their currency."""
    max_failed_batches: Annotated[int, Ge(1)] | None = None
    """How many steps may fail one after the other: those of which no call gave a result."""
    max_depth: Annotated[int, Ge(0)] | None = None
    """How many runs may stand one inside the other below this one."""


class RunLink(Value):
    """A run that a call has started. Source: goadesign/goa-ai, run handles."""

    run_id: str
    agent_name: str
    parent_run_id: str
    parent_tool_call_id: str


ASK: Final = (
    'write e.g. Question("day", "Which day?", options=["Monday", "Tuesday"]); the answer is found '
    "by the id."
)


class Option(Value):
    """One answer to choose."""

    label: str
    """What is shown, and given as the answer."""
    description: str = ""

    def __init__(self, label: str, description: str = "") -> None:
        """An answer to choose.

        Raises:
            ValueError: One of the two is no text.
        """
        said: dict[str, Any] = {"label": label, "description": description}
        try:
            super().__init__(**said)
        except ValidationError:
            raise ValueError(
                f'An option is {label!r}: write e.g. Option("now", "At once."), in texts.'
            ) from None

    # What comes from a log or a model is checked by the fields alone. Source: pydantic, RootModel.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]


class Question(Value):
    """One question to a person."""

    id: str
    """The key of its answer."""
    text: str
    options: tuple[Option, ...] = ()
    """What there is to choose; without any, the answer is free text."""
    multiple: bool = False
    """Whether several may be chosen: then the answer is a list."""
    free_text: bool = False
    """Whether an answer of the person's own will do, too."""

    def __init__(
        self,
        id: str = "",  # noqa: A002  the field's name
        text: str = "",
        options: Sequence[Option | str] = (),
        *,
        multiple: bool = False,
        free_text: bool = False,
    ) -> None:
        """A question to a person.

        Raises:
            ValueError: It has no id or no text, or cannot be asked so; says what to write.
        """
        if not (id and text):
            raise ValueError(f"A question has an id and a text: {ASK}")
        said: dict[str, Any] = {
            "id": id,
            "text": text,
            "options": _options(options),
            "multiple": multiple,
            "free_text": free_text,
        }
        try:
            super().__init__(**said)
        except ValidationError as error:
            name = str(error.errors(include_url=False)[0]["loc"][0])
            raise ValueError(f"{name} of a question is {said[name]!r}: {ASK}") from None

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  see `Option`


class ShownCall(Value):
    """A call in what a model is told."""

    id: str
    name: str
    arguments: str
    """As a model wrote them: JSON, if all is well."""


class ShownMessage(Value):
    """A message to a model, as people may read it: of images and files only what they are."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    parts: tuple[str, ...] = ()
    """Images and files that went along, a line each."""
    calls: tuple[ShownCall, ...] = ()
    """What a model asked for in it."""
    call_id: str | None = None
    """The call whose result it tells."""
    failed: bool = False
    """Whether that says what went wrong."""
    shared: str = ""
    """Of the text, what is said of the objects that are shared with it."""
    is_notice: bool = False
    """Whether it only says what the person did meanwhile."""


class Earlier(Value):
    """What a run is told of its chat that the chat's earlier runs have logged: its newest turns."""

    since: str
    """The run that began the first of these turns."""
    count: int
    """How many messages they are."""
    place: int
    """Before which of the messages of the request they stand, from 0."""


class ShownTool(Value):
    """A tool as a model is told of it."""

    name: str
    description: str
    parameters: JsonValue
    """A JSON Schema of type object; of a tool that the provider runs, what it is sent instead."""


class Taken(Value):
    """How Python makes a call, where the tool's name and the names of its arguments do not tell."""

    called: str = ""
    """What stands before the brackets; empty: the tool's name."""
    names: dict[str, str] = Field(default_factory=dict[str, str])
    """Of arguments that a model knows by other names, those that Python knows."""
    positional: tuple[str, ...] = ()
    """The arguments that are given by position, in their order."""
    rest: str = ""
    """The argument whose elements follow those."""
    more: str = ""
    """The argument whose fields are keywords."""
    always: tuple[str, ...] = ()
    """Defaults that Python would not take by itself."""
    forms: dict[str, str] = Field(default_factory=dict[str, str])
    """How a value is made of its JSON, by JSON pointer; `$` stands for that."""
    imports: tuple[str, ...] = ()
    """The lines that these need before them."""
    problem: str = ""
    """Why it cannot be made in Python as it was, if it cannot."""


class Citation(Value):
    """Where a piece of an answer comes from."""

    url: str | None = None
    title: str | None = None
    file_id: str | None = None
    start: int | None = None
    """The first character of the answer that it stands for, from 0."""
    end: int | None = None
    """The character after the last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagePart:
    """An image that a model is shown: its bytes, or where it is."""

    media_type: str = "image/png"
    data: bytes | None = field(default=None, repr=False)
    url: str | None = None
    detail: Literal["auto", "low", "high"] = "auto"
    name: str = ""


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class FilePart:
    """A file that a model is given: its bytes, or the provider's id of it."""

    name: str
    media_type: str = "application/octet-stream"
    data: bytes | None = field(default=None, repr=False)
    file_id: str | None = None


ContentPart: TypeAlias = ImagePart | FilePart
"""What a message may hold beside its text."""


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class HandleInfo:
    """An object that a call can be given by name."""

    name: str
    type_name: str
    summary: str
    """What is told of it: type, shape and size, never its contents."""


class Usage(Value):
    """Tokens, as the provider counted them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    requests: int = 0
    cost: float | None = None
    """Money, where the person has set prices."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            requests=self.requests + other.requests,
            cost=_sum(self.cost, other.cost),
        )

    @property
    def total_tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens


@in_clean_words
@dataclass(frozen=True, slots=True)
class Result:
    """What a tool may return when the model and the person should see different things.

    Args:
        content: What the model reads; anything that is no text is sent as JSON.
        data: What the person sees, and other tools may use; it never costs a token. A mapping with
            a `kind` is one payload of that kind, any other value one of the tool's name.
        has_next: Whether the model must read this; `None`: the tool's default.
        preview: One line for people.
        extra: Further keys, kept as they stand in `run.data.by_name`.
        note: What the model reads before it, e.g. that it is not all.
        bounds: How much of it there is, and by what the rest is asked for; where `content` is cut
            because it is too long, that is said instead.

    Example:
        >>> Result("It is 9 °C.", data={"kind": "weather", "celsius": 9}).content
        'It is 9 °C.'
    """

    content: Any
    data: Mapping[str, Any] | Payload | Sequence[Payload] | Any = None
    has_next: bool | None = None
    preview: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    note: str = ""
    bounds: Bounds | None = None


CallEnd: TypeAlias = Literal["done", "failed", "denied", "cancelled", "timed_out", "skipped"]
CALL_ENDS: Final[tuple[CallEnd, ...]] = get_args(CallEnd)
"""How a call can end."""


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """What the runtime keeps of one ended call: the tool's result, normalised and classified."""

    content: str
    """What the model is told."""
    parts: tuple[ContentPart, ...] = ()
    """Images and files that the model is given beside it."""
    value: object = None
    """What the tool returned, as the object it is."""
    handle: str | None = None
    """The name under which later calls may take `value`, e.g. `r1`."""
    data: object = None
    """What the tool gave as `data`, as it stands."""
    payloads: tuple[Payload, ...] = ()
    has_next: bool | None = None
    preview: str | None = None
    failure: Failure | None = None
    bounds: Bounds | None = None
    run_links: tuple[RunLink, ...] = ()
    """The runs that it has started, in order."""
    extra: Mapping[str, object] = field(default_factory=dict[str, object])
    status: CallEnd = "done"

    @property
    def told(self) -> dict[str, Any]:  # Any: as the fields of an event have it
        """It as the event tells of it that ends the call; of payloads others do."""
        return {
            "status": self.status,
            "content": self.content,
            "preview": self.preview,
            "handle": self.handle,
            "has_next": self.has_next,
            "failure": self.failure,
            "bounds": self.bounds,
            "run_links": self.run_links,
        }


def _options(given: object) -> object:
    """What there is to choose, where a text stands for an option of that label."""
    if not is_sequence(given):
        return given
    return tuple(Option(one) if isinstance(one, str) else one for one in given)


def _sum(one: float | None, other: float | None) -> float | None:
    return other if one is None else one + (other or 0.0)


def pointer(above: str, name: str | int) -> str:
    """The JSON pointer of something inside of something."""
    written = str(name)
    if "~" in written or "/" in written:
        written = written.replace("~", "~0").replace("/", "~1")
    return f"{above}/{written}"
