"""The static form of payloads: a picture by kind, so that frozen output is never empty.

```python
from nbagents.notebook.kinds.static_form import static_picture

static_picture["dice"] = lambda value: f"<p>{int(value['eyes'])} eyes</p>"
```

What an entry returns is put into the page as it stands: an entry escapes what it was given.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import JsonValue

from nbagents.narrowing import dict_of, is_dict
from nbagents.notebook.kinds.media_forms import KINDS, payload_in_words, payload_picture
from nbagents.notebook.markup import Html, muted, tag
from nbagents.runs.wording import clipped
from nbagents.tools.values import PAYLOAD_MIME

if TYPE_CHECKING:
    from nbagents.runs.tree import CallNode, RunNode

Picture: TypeAlias = Callable[[JsonValue], str]

ONE_PER_RUN = frozenset({"map"})
"""Kinds of which a run shows one picture: each payload changes what the one before it left."""
PINS_NAMED = 6


def stage_values(run: RunNode) -> dict[str, JsonValue]:
    """What the stage of a run shows at the end, by kind: its payloads laid over one another."""
    shown: dict[str, JsonValue] = {}
    for call in calls_in_order(run):
        for payload in shown_payloads(call):
            kind, value = payload["kind"], payload["value"]
            if kind in ONE_PER_RUN:
                shown[kind] = _laid_over(shown.get(kind), value)
    return shown


def calls_in_order(run: RunNode) -> list[CallNode]:
    """The calls of a run in the order in which the model made them."""
    return [run["calls"][item["call_id"]] for item in run["items"] if item["type"] == "call"]


def shown_payloads(call: CallNode) -> Iterable[Mapping[str, Any]]:
    """The payloads of a call that are for the person; with its static form, where one has it."""
    for node in call["payloads"]:
        if node["payload"].get("audience") == "internal":
            continue
        static = node.get("static")
        yield {**node["payload"], "static": static} if static else node["payload"]


def picture_of(payload: Mapping[str, Any]) -> Html | None:
    """What stands by the call of a payload; what was left out stands where it would have stood."""
    if (form := static_payload(payload.get("static"))) is not None:
        return draw(form["kind"], form["value"])
    kind, value = payload["kind"], payload["value"]
    known = _kind_before(value) if kind == "cut" else kind
    if known not in static_picture or known in ONE_PER_RUN:
        return None
    return draw(kind, value)


def static_payload(static: object) -> Mapping[str, Any] | None:
    """The payload in a static form that a renderer gave: its `kind` and `value`."""
    form = dict_of(static).get(PAYLOAD_MIME)
    if not is_dict(form) or not {"kind", "value"} <= form.keys():
        return None
    return form


def payload_line(payload: Mapping[str, Any]) -> str:
    """A payload in one line, or its static form; nothing where neither has one."""
    form = static_payload(payload.get("static")) or payload
    return in_words(form["kind"], form["value"])


def _kind_before(cut: JsonValue) -> str:
    """Of which kind a payload was that was cut."""
    return str(cut.get("of")) if isinstance(cut, dict) else ""


def draw(kind: str, value: JsonValue) -> Html | None:
    """The picture of a payload; none where there is no entry, or the value does not fit it."""
    try:
        return Html(static_picture[kind](value))
    except Exception:  # noqa: BLE001  an entry may be anyone's; the run still has to be shown
        return None


def in_words(kind: str, value: JsonValue) -> str:
    """A payload that stands by its call, in one line; nothing where it does not fit its kind."""
    try:
        return payload_in_words(kind, value) if kind in KINDS else ""
    except (KeyError, TypeError, ValueError):
        return ""


def map_in_words(value: JsonValue) -> str:
    """Where a map is, and its pins: `Map at 10.75° E, 59.91° N, zoom 9, 1 pin: Oslo`.

    Raises:
        ValueError: The value is no map.
    """
    from nbagents_widgets.map_state import describe, map_state_of

    state = map_state_of(value)
    labels = [clipped(pin.label, 40) for pin in state.pins if pin.label]
    more = f" and {len(labels) - PINS_NAMED} more" if len(labels) > PINS_NAMED else ""
    named = f": {', '.join(labels[:PINS_NAMED])}{more}" if labels else ""
    return describe(state) + named


def _map(value: JsonValue) -> str:
    from nbagents_widgets.map_picture import map_picture  # only a map pays for it

    coded = base64.b64encode(map_picture(value).encode()).decode()
    image = tag(
        "img",
        alt="Picture of the map",
        src=f"data:image/svg+xml;base64,{coded}",
        style="display:block;max-width:100%;height:auto",
    )
    return tag("div", image, muted(map_in_words(value)), style="margin:8px 0")


def _laid_over(before: JsonValue, value: JsonValue) -> JsonValue:
    """A map as a later payload of it leaves it: a new center ends old bounds."""
    if isinstance(before, dict) and isinstance(value, dict):
        from nbagents_widgets.map_state import laid_over  # only a map pays for it

        return laid_over(before, value)
    return value


static_picture: dict[str, Picture] = {
    "map": _map,
    **{kind: partial(payload_picture, kind) for kind in KINDS},
}
"""Kind of payload to a function that draws its value as HTML."""
