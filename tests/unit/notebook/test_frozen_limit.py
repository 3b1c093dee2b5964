"""Whatever is very long in a run, and wherever: a notebook keeps no more of it than is said."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from html import unescape
from typing import Any, cast

import pytest
from trees import (
    asked,
    call,
    citation,
    decided,
    failed_call,
    failure,
    guardrail,
    html_of,
    message,
    payload,
    plain_of,
    request,
    run,
    schema,
    tree,
)

from nbagents.notebook.saved.bundle import RUN_MIME, frozen_bundle
from nbagents.notebook.saved.cuts import MOST_BYTES
from nbagents.runs.wording.words import answer_item
from tests.thinning import thinned

LONG = "word " * 250_000


def full_run() -> Any:
    """A run that has a text in each place where one can be."""
    question = {
        "id": "q1",
        "text": "Which?",
        "options": [{"label": "One", "description": "The first"}],
        "multiple": False,
        "free_text": False,
    }
    one = run(
        call(
            progress={"message": "Reading", "fraction": 0.5},
            output=[{"stream": "stdout", "text": "printed"}],
            payloads=[payload("text", {"text": "shown"}), payload("json", {"a": ["b"]})],
            handle="r1",
            hint="Look up",
            proposed={"city": "Rome"},
            authorization=decided(note="a note"),
            guardrails=[guardrail("replace", "tool_output", "why")],
            run_links=[{"run_id": "run-9", "agent_name": "planner"}],
        ),
        failed_call("call-2"),
        shared=["df (DataFrame)"],
        citations=[citation("https://example.org/a", "Source")],
        requests=[request(1, message("user", "hi", parts=["a.png"]), schemas=[schema()])],
        awaits=[
            asked(text="Sure?", reason="It deletes.", arguments={"a": "b"}),
            asked("questions", None, questions=[question], answer="One", outcome="answered"),
        ],
        guardrails=[guardrail("refuse", "output", "why")],
        failure=failure("It failed.", debug_message="Traceback"),
        chat="trip",
        unmet=["GBP"],
    )
    one["items"].insert(0, {"type": "thought", "step": 1, "text": "Hm."})
    hand = {"type": "handoff", "step": 1, "from_agent": "a", "to_agent": "b", "model": "m"}
    one["items"].insert(0, hand)
    return one


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the texts of a run are."""
    if isinstance(value, str):
        yield at
        return
    fields = cast("dict[Any, Any]", value).items() if isinstance(value, dict) else ()
    listed = enumerate(cast("list[Any]", value)) if isinstance(value, list) else ()
    for key, inner in (*fields, *listed):
        yield from places(inner, (*at, key))


CLOSED = {"status", "phase", "type", "kind", "approval", "stream", "stage", "outcome", "role"}
"""Words of which there are but a few, and `recovery`, `audience` of a failure and a payload."""


def is_free(place: tuple[Any, ...]) -> bool:
    return not (place[-1] in CLOSED | {"recovery", "audience"} or str(place[-1]).endswith("id"))


PLACES = [place for place in places(full_run()) if is_free(place)]


@pytest.mark.medium
@pytest.mark.parametrize(
    "place", thinned(PLACES, one_in=5), ids=lambda place: ".".join(map(str, place))
)
def test_no_text_makes_a_large_notebook(place: tuple[Any, ...]) -> None:
    one = full_run()
    holder: Any = one
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = LONG
    bundle = frozen_bundle(tree(one), "run-1")
    kept = cast("Any", bundle[RUN_MIME])
    assert len(json.dumps(kept, ensure_ascii=False)) <= MOST_BYTES * 1.1
    assert len(html_of(bundle)) + len(plain_of(bundle)) <= 2.5 * MOST_BYTES
    assert any(cut["size_bytes"] >= len(LONG) for cut in kept["cuts"])


def test_an_answer_up_to_the_limit_is_kept_whole() -> None:
    text = "word " * 90_000
    bundle = frozen_bundle(tree(run(text=text)), "run-1")
    kept = cast("Any", bundle[RUN_MIME])
    assert kept["tree"]["runs"]["run-1"]["text"] == text
    assert kept["cuts"] == []
    assert plain_of(bundle).endswith(text.strip())


@pytest.mark.medium
def test_of_a_longer_answer_the_beginning_is_kept_and_how_much_is_gone_is_said() -> None:
    one = run(call(), text="word " * 4_000_000)
    before = copy.deepcopy(one["text"])
    bundle = frozen_bundle(tree(one), "run-1")
    kept = cast("Any", bundle[RUN_MIME])
    said = kept["tree"]["runs"]["run-1"]
    note = "… [19.5 MB of 20.0 MB left out]"
    assert [cut["text"] for cut in kept["cuts"]] == ["text of Agent: 19.5 MB of 20.0 MB left out"]
    assert said["text"].startswith("word word")
    assert said["text"].endswith(note)
    assert note in plain_of(bundle)
    assert note in unescape(html_of(bundle))
    assert "shortened in 1 place" in html_of(bundle)
    assert answer_item(said) is not None, "the answer is still known as such"
    assert one["text"] == before, "the run itself keeps all of it"
    sizes = [len(json.dumps(value)) for value in bundle.values()]
    assert sum(sizes) < 2_500_000
