"""What a saved notebook keeps of payloads that only a renderer of somebody's own can draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic import JsonValue

from nbagents.narrowing import is_mapping
from nbagents.notebook.kinds.static_form import in_words
from nbagents.results import Payload
from nbagents.tools.values import (
    BUILT_IN_KINDS,
    PAYLOAD_MIME,
    clean_text,
    json_bytes,
    payload_of,
    payload_of_bundle,
    rich_payload,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.runs.tree import PayloadNode, RunNode, Tree

Static: TypeAlias = "Callable[[Any], object]"  # Any: a payload's value

ROOM_BYTES: Final = 40_000
"""What all static forms of a saved run may take; the largest are left out first."""
NO_STATIC: Final = frozenset({"map"})
"""Kinds that are drawn otherwise than by their value alone."""


def static_form(kind: str, static: Static, value: JsonValue) -> dict[str, JsonValue]:
    """What a renderer shows without its module, by MIME type; whatever it raises is said there.

    Args:
        kind: The payload's kind.
        static: What the renderer's author gave.
        value: The payload's value.
    """
    try:
        shown = _shown(static(value))
    except Exception as error:  # noqa: BLE001  it is anyone's code; the run still has to be shown
        return _words(
            f"The static form of {kind!r} raised {type(error).__name__}: {clean_text(str(error))}"
        )
    said = in_words(shown.kind, shown.value)
    form: dict[str, JsonValue] = {"kind": shown.kind, "value": shown.value}
    return {PAYLOAD_MIME: form, "text/plain": said or shown.kind}


def add_statics(tree: Tree, known: Mapping[str, tuple[Static, bool]]) -> None:
    """Put static forms beside the payloads of these kinds, in place, as far as there is room.

    Args:
        tree: Runs by id.
        known: Kind to what draws it, and whether it is stateful: then a run shows one, of all its
            payloads laid over one another, at the last of them.
    """
    if not known:
        return
    made = [node for run in tree["runs"].values() for node in _add_to_run(run, known)]
    sizes = {id(node): len(json_bytes(node.get("static"))) for node in made}
    taken_bytes = sum(sizes.values())
    for node in sorted(made, key=lambda one: -sizes[id(one)]):
        if taken_bytes <= ROOM_BYTES:
            return
        kind = node["payload"]["kind"]
        node["static"] = _words(f"The picture of {kind!r} is left out: the notebook stays small.")
        taken_bytes -= sizes[id(node)]


def _add_to_run(run: RunNode, known: Mapping[str, tuple[Static, bool]]) -> list[PayloadNode]:
    nodes = [
        node
        for call in run["calls"].values()
        for node in call["payloads"]
        if node["payload"]["kind"] in known and node["payload"].get("audience") != "internal"
    ]
    states: dict[tuple[str, str], JsonValue] = {}
    last: dict[tuple[str, str], PayloadNode] = {}
    made: list[PayloadNode] = []
    for node in nodes:
        kind, value = node["payload"]["kind"], node["payload"]["value"]
        static, is_stateful = known[kind]
        if is_stateful:
            stage = (kind, _target(value))
            states[stage], last[stage] = _laid_over(states.get(stage), value), node
        else:
            node["static"] = static_form(kind, static, value)
            made.append(node)
    for stage, node in last.items():
        node["static"] = static_form(stage[0], known[stage[0]][0], states[stage])
        made.append(node)
    return made


def _target(value: JsonValue) -> str:
    """Which of several stages of a kind a payload is for."""
    target = value.get("target") if isinstance(value, dict) else None
    return target if isinstance(target, str) else ""


def _laid_over(before: JsonValue, value: JsonValue) -> JsonValue:
    if isinstance(before, dict) and isinstance(value, dict):
        return {**before, **value}
    return value


def _shown(given: object) -> Payload:
    """What an author's function returned, as a payload of a kind that is drawn everywhere.

    Raises:
        ValueError: It is of a kind that is not.
    """
    if given is None:
        raise ValueError("it returned nothing")
    if isinstance(given, str):
        return _text(given)
    if is_mapping(given) and "kind" not in given and any("/" in key for key in given):
        kept = {key: one for key, one in given.items() if key != "text/html"}
        return payload_of_bundle(kept, {})
    shown = payload_of(given, "json") if is_mapping(given) else rich_payload(given)
    if shown.kind not in BUILT_IN_KINDS - NO_STATIC:
        raise ValueError(f"it returned a payload of kind {shown.kind!r}, which needs a renderer")
    return shown


def _text(text: str) -> Payload:
    return Payload(kind="mime", value={"data": {"text/plain": clean_text(text)}, "metadata": {}})


def _words(text: str) -> dict[str, JsonValue]:
    shown = _text(text)
    return {PAYLOAD_MIME: {"kind": shown.kind, "value": shown.value}, "text/plain": text}
