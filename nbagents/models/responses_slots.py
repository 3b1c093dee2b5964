"""The items of one streamed response while they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.messages import CallRequest
from nbagents.models.body_json import is_json
from nbagents.models.model import CallDelta, HostedCall
from nbagents.models.responses_items import arguments_of, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.models.responses_items import Item
    from nbagents.results import CallResult

__all__ = ["Slot", "Slots"]


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
