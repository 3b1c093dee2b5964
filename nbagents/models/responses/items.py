"""The items of a response: as they come in a stream, and those that the provider made itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic_core import from_json, to_json

from nbagents.messages import CallRequest
from nbagents.models.model import CallDelta, HostedCall
from nbagents.models.openai import is_json
from nbagents.results import CallResult, Citation, Failure, Payload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pydantic import JsonValue


Item: TypeAlias = dict[str, Any]  # the provider wrote it: every look into it stands in a try

OURS = ("function_call", "computer_call")
RESULTS = ("result", "results", "output", "outputs", "error")
NO_ARGUMENTS = (*RESULTS, "id", "type", "status", "call_id", "created_by", "svg_usage")
SHOWN_ROWS = 50


def is_hosted(item: Item) -> bool:
    """Whether the item is a call that the provider makes, of whichever kind."""
    kind: str = item["type"]
    return kind.endswith("_call") and kind not in OURS


def name_of(item: Item) -> str:
    """What the call is called here, e.g. `web_search`."""
    if item["type"] == "mcp_call":
        return f"{item['server_label']}--{item['name']}"
    return str(item["type"]).removesuffix("_call")


def arguments_of(item: Item) -> JsonValue:
    """What the call was made with, as far as the item says it yet."""
    kind = item["type"]
    if kind == "web_search_call":
        action: Item = item.get("action") or {}
        return {key: value for key, value in action.items() if key != "sources"}
    if kind == "mcp_call":
        return _parsed(item.get("arguments") or "")
    if kind == "tool_search_call":
        return item.get("arguments")
    return {key: value for key, value in item.items() if key not in NO_ARGUMENTS}


def result_of(item: Item) -> CallResult:
    """What came of a call that is over."""
    error = item.get("error")
    if error or item.get("status") in ("failed", "incomplete"):
        return _failed(item, error)
    return RESULTS_OF.get(item["type"], _any)(item)


def citation_of(annotation: Item, start: int) -> Citation | None:
    """Where a piece of the answer comes from.

    Args:
        annotation: As the provider wrote it.
        start: Where the annotated text begins in the answer.
    """
    kind, at = annotation["type"], annotation.get("index")
    if kind == "url_citation":
        first, last = start + annotation["start_index"], start + annotation["end_index"]
        url, title = annotation["url"], annotation.get("title")
        return Citation(url=url, title=title, start=first, end=last)
    if kind == "file_citation":
        place = None if at is None else start + at
        name, file_id = annotation.get("filename"), annotation["file_id"]
        return Citation(title=name, file_id=file_id, start=place, end=place)
    if kind == "container_file_citation":
        first, last = start + annotation["start_index"], start + annotation["end_index"]
        name, file_id = annotation.get("filename"), annotation["file_id"]
        return Citation(title=name, file_id=file_id, start=first, end=last)
    return Citation(file_id=annotation["file_id"]) if kind == "file_path" else None


def _failed(item: Item, error: object) -> CallResult:
    said = error.get("message") if isinstance(error, dict) else error  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  any dict
    text = f"{name_of(item)} failed at the provider"
    text += f": {said or to_json(error).decode()}" if error else "."
    failure = Failure(kind="unavailable", recovery="replan", message=text)
    return CallResult(content=text, failure=failure, status="failed")


def _searched_web(item: Item) -> CallResult:
    action: Item = item.get("action") or {}
    urls = [source.get("url") or source.get("name") for source in action.get("sources") or ()]
    asked = action.get("query") or ", ".join(action.get("queries") or ())
    preview = asked or action.get("pattern") or action.get("url") or None
    payloads = (_table(("url",), [[url] for url in urls]),) if urls else ()
    content = "\n".join(str(url) for url in urls)
    return CallResult(content=content, payloads=payloads, preview=preview)


def _searched_files(item: Item) -> CallResult:
    found: list[Item] = item.get("results") or []
    rows = [[one.get(key) for key in ("filename", "score", "text")] for one in found]
    content = "\n\n".join(f"{one.get('filename')}: {one.get('text')}" for one in found)
    payloads = (_table(("file", "score", "text"), rows),) if rows else ()
    preview = ", ".join(item.get("queries") or ()) or None
    return CallResult(content=content, payloads=payloads, preview=preview)


def _ran_code(item: Item) -> CallResult:
    outputs: list[Item] = item.get("outputs") or []
    texts = [one["logs"] for one in outputs if one["type"] == "logs"]
    urls = [one["url"] for one in outputs if one["type"] == "image"]
    texts += [url for url in urls if not url.startswith("data:")]
    images = tuple(_image_of_url(url) for url in urls if url.startswith("data:"))
    return CallResult(content="\n".join(texts), payloads=images)


def _made_image(item: Item) -> CallResult:
    media_type = f"image/{item.get('output_format') or 'png'}".replace("/svg", "/svg+xml")
    prompt = item.get("revised_prompt")
    image = _image(media_type, item.get("result") or "", prompt)
    return CallResult(content=prompt or "An image.", payloads=(image,), preview=prompt)


def _called_mcp(item: Item) -> CallResult:
    return CallResult(content=item.get("output") or "")


def _found_tools(item: Item) -> CallResult:
    """Of the item `tool_search_output`."""
    names: list[str] = []
    for tool in item["tools"]:
        inner = tool.get("tools")
        space = tool.get("name") or tool["type"]
        names += [f"{space}--{one['name']}" for one in inner] if inner else [space]
    return CallResult(content="\n".join(names), preview=", ".join(names) or "no tools")


def _any(item: Item) -> CallResult:
    said = {key: item[key] for key in RESULTS if item.get(key) is not None}
    (value,) = said.values() if len(said) == 1 else (said,)
    if isinstance(value, str):
        return CallResult(content=value)
    return CallResult(content=to_json(value).decode() if value else "")


RESULTS_OF: Mapping[str, Callable[[Item], CallResult]] = {
    "web_search_call": _searched_web,
    "file_search_call": _searched_files,
    "code_interpreter_call": _ran_code,
    "image_generation_call": _made_image,
    "mcp_call": _called_mcp,
    "tool_search_output": _found_tools,
}


def _table(names: Sequence[str], found: Sequence[Sequence[JsonValue]]) -> Payload:
    columns: list[JsonValue] = [*names]
    dtypes: list[JsonValue] = ["object" for _ in names]
    rows: list[JsonValue] = [[*row] for row in found[:SHOWN_ROWS]]
    value: dict[str, JsonValue] = {"columns": columns, "dtypes": dtypes, "rows": rows}
    return Payload(kind="table", value={**value, "total": len(found)})


def _image_of_url(url: str) -> Payload:
    head, _, data = url.partition(",")
    return _image(head.removeprefix("data:").partition(";")[0] or "image/png", data)


def _image(media_type: str, data: str, alt: str | None = None) -> Payload:
    value: dict[str, JsonValue] = {"media_type": media_type, "data": data}
    return Payload(kind="image", value={**value, "alt": alt} if alt else value)


def _parsed(text: str) -> JsonValue:
    try:
        return from_json(text)
    except ValueError:
        return text or None


class Slot:
    """One item, from its first event to its last."""

    __slots__ = ("call_id", "has_begun", "has_ended", "is_done", "item", "name", "parts", "pieces")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.is_done = False
        self.parts: dict[int, int] = {}
        """Where each of its pieces of text begins in the answer."""
        self.call_id = self.name = ""
        """Set where it is a call that we make."""
        self.pieces: list[str] = []
        self.has_begun = self.has_ended = False
        """What was told of a call that the provider makes."""

    @property
    def kind(self) -> str:
        """The item's type."""
        return self.item["type"]

    def delta(self, text: str) -> CallDelta:
        """A piece of our call's arguments."""
        return CallDelta(self.call_id, self.name, text)

    def request(self, *, is_cut: bool = False) -> CallRequest:
        """Our call, as far as it came.

        Args:
            is_cut: Whether the answer was cut off, maybe in the middle of this call.
        """
        arguments = "".join(self.pieces)
        is_cut = is_cut and not is_json(arguments)
        return CallRequest(id=self.call_id, name=self.name, arguments=arguments, is_cut=is_cut)

    def hosted(self, result: CallResult | None = None) -> HostedCall:
        """The provider's call."""
        item = self.item
        return HostedCall(
            id=item["id"], name=name_of(item), arguments=arguments_of(item), result=result
        )


class Slots:
    """All items so far, in their order.

    An item's events are known by its id, or by its index where a server changes ids on the way.
    """

    def __init__(self) -> None:
        self._all: list[Slot] = []
        self._by_id: dict[str, Slot] = {}
        self._by_index: dict[int, Slot] = {}

    def __iter__(self) -> Iterator[Slot]:
        return iter(self._all)

    def open(self, item: Item, index: int | None) -> Slot:
        """A slot for an item that is new."""
        slot = Slot(item)
        self._all.append(slot)
        if item_id := item.get("id"):
            self._by_id[item_id] = slot
        if index is not None:
            self._by_index[index] = slot
        return slot

    def find(self, item_id: str | None, index: int | None) -> Slot | None:
        """The slot of an item, if it is known."""
        return self._by_id.get(item_id or "") or self._by_index.get(-1 if index is None else index)

    def of_whole(self, item: Item, index: int | None) -> Slot:
        """The slot of an item that is whole now, which may be its first event."""
        slot = self.find(item.get("id"), index)
        if slot is None or slot.is_done or slot.kind != item["type"]:
            slot = self.open(item, index)
        slot.item, slot.is_done = item, True
        return slot
