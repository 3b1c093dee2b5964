"""What a saved notebook keeps of kinds that only a renderer of somebody's own can draw."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any, cast

import pytest
from lab_sanitizer import refused
from trees import Json, Page, call, html_of, payload, plain_of, run, tree

from nbagents import ui
from nbagents.notebook.kinds import renderer_forms as static_forms
from nbagents.notebook.kinds.renderer_forms import static_form
from nbagents.notebook.kinds.renderers import renderer, renderers
from nbagents.notebook.saved.bundle import RUN_MIME, frozen_bundle
from nbagents.results import Payload
from nbagents.tools.values.payload import PAYLOAD_MIME

SVG = "<svg xmlns='http://www.w3.org/2000/svg' onload='harm()'></svg>"


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    for one in list(renderers.values()):
        one.remove()


def saved(*values: Any) -> dict[str, object]:
    """A run of one call that gave these payloads of kind `dice`, as a notebook keeps it."""
    given = [{**payload("dice", value), "id": f"dice-{at}"} for at, value in enumerate(values)]
    return frozen_bundle(tree(run(call(payloads=given))), "run-1")


def nodes(bundle: dict[str, object]) -> list[Json]:
    kept = cast("Json", bundle[RUN_MIME])["tree"]
    return kept["runs"]["run-1"]["calls"]["call-1"]["payloads"]


def page(bundle: dict[str, object]) -> Page:
    shown = Page(html_of(bundle))
    assert refused(shown.elements) == []
    assert shown.open_tags == []
    return shown


def form(given: object) -> Json:
    made = static_form("dice", lambda _: given, None)
    return cast("Json", made[PAYLOAD_MIME])


def test_a_saved_run_shows_the_static_form_and_keeps_it_beside_the_value() -> None:
    renderer("dice", static=lambda value: ui.markdown(f"**{value['eyes']}** eyes"))
    bundle = saved({"eyes": 3})
    shown = page(bundle)
    assert ("strong", {}) in shown.elements
    assert "3 eyes" in shown.text
    assert "Data: dice" in shown.text
    assert "[text: **3** eyes]" in plain_of(bundle)
    (node,) = nodes(bundle)
    assert node["payload"]["value"] == {"eyes": 3}
    assert node["static"][PAYLOAD_MIME] == {"kind": "markdown", "value": {"text": "**3** eyes"}}


def test_without_a_renderer_a_payload_is_data_as_ever() -> None:
    assert "static" not in nodes(saved({"eyes": 3}))[0]


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("3 eyes", "mime"),
        (ui.code("x = 1"), "code"),
        (Payload(kind="json", value={"value": 1}), "json"),
        ({"kind": "progress", "value": 0.5}, "progress"),
        ({"image/svg+xml": SVG, "text/plain": "three"}, "mime"),
        ({"eyes": 3}, "json"),
        ([1, 2], "mime"),
    ],
)
def test_a_static_form_may_be_text_a_payload_a_bundle_or_a_value(given: object, kind: str) -> None:
    assert form(given)["kind"] == kind


def test_a_picture_is_one() -> None:
    png = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    assert form(png)["kind"] == "image"


def test_html_is_never_part_of_a_static_form() -> None:
    made = form({"text/html": "<b>3</b>", "text/plain": "3"})
    assert made["value"]["data"] == {"text/plain": "3"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "it returned nothing"),
        ({"kind": "dice", "eyes": 3}, "kind 'dice', which needs a renderer"),
        ({"kind": "map"}, "kind 'map'"),
    ],
)
def test_what_is_no_static_form_is_said(given: object, said: str) -> None:
    made = static_form("dice", lambda _: given, None)
    assert said in str(made["text/plain"])


def test_an_error_in_a_static_form_is_said_in_the_output_and_breaks_nothing() -> None:
    def static(value: Any) -> str:
        raise RuntimeError(f"<b>{value}</b>")

    renderer("dice", static=static)
    bundle = saved(3)
    words = "The static form of 'dice' raised RuntimeError: <b>3</b>"
    assert words in page(bundle).text
    assert words in plain_of(bundle)


def test_of_a_stateful_kind_a_run_shows_one_of_all_its_payloads() -> None:
    renderer("dice", static=lambda value: f"at {value}", stateful=True)
    bundle = saved({"a": 1, "b": 1}, {"b": 2}, {"target": "other", "a": 9})
    statics = [node.get("static") for node in nodes(bundle)]
    assert statics[0] is None
    assert "at {'a': 1, 'b': 2}" in page(bundle).text
    assert "at {'target': 'other', 'a': 9}" in page(bundle).text


def test_what_is_for_other_tools_only_is_not_drawn() -> None:
    renderer("dice", static=str)
    hidden = payload("dice", 3, audience="internal")
    bundle = frozen_bundle(tree(run(call(payloads=[hidden]))), "run-1")
    assert "static" not in nodes(bundle)[0]


def test_static_forms_that_are_too_large_together_are_left_out_the_largest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(static_forms, "ROOM_BYTES", 2_000)
    renderer("dice", static=lambda value: "x" * int(value))
    bundle = saved(100, 3_000)
    small, large = nodes(bundle)
    assert small["static"]["text/plain"] == f"display: {'x' * 100}"
    assert "is left out: the notebook stays small" in large["static"]["text/plain"]
