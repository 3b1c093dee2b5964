"""Notebooks that somebody saved whose runs are full of tricks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from nbagents.notebook.saved.bundle import RUN_MIME, frozen_bundle
from nbagents.tools.values.payload import PAYLOAD_MIME
from tests.browser.conftest import code_cell
from tests.hostile import crowded_tree, hostile_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["CALLS", "saved_html", "saved_run", "saved_tree", "write_outputs"]

Json = dict[str, Any]  # outputs and trees as JSON

CALLS = 30
"""Of one run; of runs of more than 40 the HTML shows some in a line each."""
UNLIMITED = 10**9
"""Nothing is cut here: what is left out cannot be looked at."""


def saved_run(texts: Sequence[str]) -> Json:
    """What a notebook keeps of a run with a call for each text."""
    return _kept(crowded_tree(list(texts)))


def saved_html(text: str) -> str:
    """The HTML of a run with a text everywhere."""
    return cast("str", _kept(hostile_tree(text))["text/html"])


def saved_tree(text: str) -> Json:
    """The JSON of a run with a text everywhere."""
    tree: Json = cast("Json", _kept(hostile_tree(text))[RUN_MIME])["tree"]
    page = {"kind": "mime", "value": {"data": {"text/html": text, "text/plain": text}}}
    forms: list[Json] = [{PAYLOAD_MIME: page, "text/plain": text}, {"text/html": text, text: text}]
    unknown = (node for node in _payloads(tree) if node["payload"]["kind"] == text)
    for node, form in zip(unknown, forms, strict=False):
        node["static"] = form  # as a renderer of somebody's own may have left it
    return tree


def _payloads(tree: Json) -> Iterator[Json]:
    for run in tree["runs"].values():
        for call in run["calls"].values():
            yield from call["payloads"]


def _kept(tree: Json) -> Json:
    return frozen_bundle(tree, tree["root_ids"][0], limit_bytes=UNLIMITED)


def write_outputs(path: Path, outputs: Sequence[Json]) -> None:
    """A notebook whose cells have an output each."""
    cells = [
        {
            **code_cell(index, "run"),
            "execution_count": 1,
            "outputs": [{"output_type": "display_data", "metadata": {}, "data": one}],
        }
        for index, one in enumerate(outputs)
    ]
    notebook: Json = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    path.write_text(json.dumps(notebook), encoding="utf-8")
