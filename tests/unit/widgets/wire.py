"""A comm without a page: keeps what widgets send."""

from __future__ import annotations

from typing import Any

from comm.base_comm import BaseComm


class Wire(BaseComm):
    """A comm that keeps what is sent, and can break."""

    def __init__(self, **options: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        self.broken = False
        super().__init__(**options)

    def publish_msg(
        self,
        msg_type: str,
        data: Any = None,
        metadata: Any = None,
        buffers: Any = None,
        **keys: Any,
    ) -> None:
        del metadata, keys
        if self.broken:
            raise OSError("broken")
        self.sent.append({"msg_type": msg_type, "data": data or {}, "buffers": buffers or []})

    def _reply_subshell_for(self, data: object, default: str | None) -> str | None:
        """As ipykernel 7.4 has it."""
        del data, default
        return "the shell that sent last"

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The custom messages that were sent."""
        custom = [one["data"] for one in self.sent if one["data"].get("method") == "custom"]
        return [data["content"] for data in custom]

    @property
    def batches(self) -> list[tuple[int, list[int]]]:
        """Of each batch of events, its position and what is in it."""
        return [
            (one["from"], [event["seq"] for event in one["patches"]])
            for one in self.messages
            if one["type"] == "patches"
        ]
