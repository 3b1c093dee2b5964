"""How large the HTML of a saved run may be: about as large as its JSON, and no call is lost."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from lab_sanitizer import refused
from trees import (
    Json,
    Page,
    call,
    failed_call,
    html_of,
    message,
    payload,
    request,
    run,
    schema,
    tree,
)

from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel
from nbagents.models.scripted import call as scripted
from nbagents.notebook.saved.bundle import RUN_MIME, frozen_bundle
from nbagents.notebook.saved.cuts import LIMIT_BYTES
from nbagents.runs.state.session import Session, open_log

MOST_BYTES = LIMIT_BYTES * 5 // 4


def family() -> list[Json]:
    """Twelve calls, each with a run of its own."""
    calls = [call(f"c{n}", child_run_ids=[f"run-{n + 2}"]) for n in range(12)]
    inner = [[call(f"k{n}-{m}", "dig") for m in range(4)] for n in range(12)]
    return [run(*calls), *(run(*one, run_id=f"run-{n + 2}") for n, one in enumerate(inner))]


@pytest.mark.medium
@pytest.mark.parametrize(
    "runs",
    [
        [run(call(content='<"&>' * 12_000))],
        [run(call(payloads=[payload("rows", [{"n": n} for n in range(4000)])]))],
        [run(call(arguments={"rows": list(range(9000))}))],
        [run(*(call(f"c{n}") for n in range(60)))],
        family(),
        [run(call(), requests=[request(1, message("user", "x" * 50_000), schemas=[schema()])])],
    ],
    ids=["escapes", "data", "arguments", "calls", "runs inside", "requests"],
)
def test_the_html_is_about_as_large_as_the_json_may_be(runs: list[Json]) -> None:
    bundle = frozen_bundle(tree(*runs), "run-1")
    html = html_of(bundle)
    assert len(html.encode()) <= MOST_BYTES
    page = Page(html)
    assert page.open_tags == []
    assert refused(page.elements) == []


def test_what_only_the_html_leaves_out_stays_in_the_json_and_is_said() -> None:
    content = "<&>" * 12_000
    bundle = frozen_bundle(tree(run(call(content=content))), "run-1")
    kept = cast("Json", bundle[RUN_MIME])
    assert kept["cuts"] == []
    assert kept["tree"]["runs"]["run-1"]["calls"]["call-1"]["content"] == content
    words = Page(html_of(bundle)).text
    assert "shortened in 1 place" in words
    assert "This page leaves out more, in 1 place, which the notebook's JSON has." in words
    assert "kB of 36.0 kB left out" in words


def test_a_shortened_run_says_what_has_more_of_it_and_promises_no_more_than_that() -> None:
    bundle = frozen_bundle(tree(run(call(content="x" * 200_000))), "run-1")
    words = Page(html_of(bundle)).text
    assert 'has more of it, which session.events(run_id="run-1") reads' in words
    assert "%nbagents show run-1 shows the run again, shortened likewise" in words
    assert "all of it" not in words


def test_what_a_saved_run_leaves_out_the_log_has_as_it_says() -> None:
    """The events have it; the command that shows a run again shortens it as the notebook does."""
    session = Session(open_log("memory"))

    def say() -> str:
        """Say."""
        return "x" * 90_000

    steps = [[scripted("say")], "Said."]
    made = Agent(model=ScriptedModel(steps), tools=[say]).run("Go", log=session)
    kept = cast("Json", frozen_bundle(made.tree(), made.id)[RUN_MIME])
    (saved,) = kept["tree"]["runs"][made.id]["calls"].values()
    assert len(saved["content"]) < 90_000
    (end,) = [one for one in session.events(run_id=made.id) if one.type == "tool_end"]
    assert end.content == "x" * 90_000


def test_in_one_line_each_every_call_is_there_with_its_pictures_and_its_runs() -> None:
    picture = payload("image", {"media_type": "image/png", "data": "QUJD", "alt": "A plot"})
    calls = [call(f"c{n}", f"tool_{n}", payloads=[picture]) for n in range(90)]
    calls[70] = call("c70", "tool_70", child_run_ids=["run-2"])
    child = run(call("k1", "dig"), run_id="run-2", agent_name="researcher")
    page = Page(html_of(frozen_bundle(tree(run(*calls), child), "run-1")))
    assert "in one line each" in page.text
    assert all(f"tool_{n} " in page.text for n in range(90))
    assert len(page.named("img")) == 89
    assert "researcher" in page.text
    assert "dig " in page.text


def test_a_failed_call_opens_however_large_the_run_is() -> None:
    bad = failed_call("c50")
    calls: list[Any] = [call(f"c{n}") for n in range(50)]
    page = Page(html_of(frozen_bundle(tree(run(*calls, bad)), "run-1")))
    assert "in one line each" in page.text
    assert "The tool refused; the model should do something else." in page.text


def test_schemas_of_tools_go_before_any_text() -> None:
    tools = [schema(f"tool_{n}", parameters={"about": "p" * 900}) for n in range(40)]
    told = request(1, message("system", "Be brief."), schemas=tools)
    bundle = frozen_bundle(tree(run(call(content="x" * 30_000), requests=[told])), "run-1")
    kept = cast("Json", bundle[RUN_MIME])
    root = kept["tree"]["runs"]["run-1"]
    assert [cut["text"] for cut in kept["cuts"]] == [
        "schemas of the tools in step 1: 36.5 kB left out"
    ]
    assert root["calls"]["call-1"]["content"] == "x" * 30_000
    (step,) = root["requests"]
    assert [tool["parameters"] for tool in step["schemas"]] == [None] * 40
    assert step["schemas"][7]["name"] == "tool_7"


def test_what_the_model_was_told_is_cut_like_any_text() -> None:
    told = request(1, message("system", "s" * 90_000, parts=["p" * 90_000]))
    bundle = frozen_bundle(tree(run(call(), requests=[told])), "run-1")
    kept = cast("Json", bundle[RUN_MIME])
    assert len(json.dumps(kept).encode()) <= LIMIT_BYTES * 1.02
    assert [cut["part"] for cut in kept["cuts"]] == [
        "system message to step 1",
        "attachment to step 1",
    ]


def test_static_forms_go_the_largest_first_like_pictures() -> None:
    def dice(name: str, size_bytes: int) -> Json:
        form = {"text/plain": "x" * size_bytes}
        return {**payload("dice", {"eyes": 3}), "id": name, "static": form}

    calls = [call(payloads=[dice("a", 70_000), dice("b", 9_000)])]
    kept = cast("Json", frozen_bundle(tree(run(*calls)), "run-1")[RUN_MIME])
    large, small = kept["tree"]["runs"]["run-1"]["calls"]["call-1"]["payloads"]
    assert "static" not in large
    assert small["static"]["text/plain"] == "x" * 9_000
    assert [cut["text"] for cut in kept["cuts"]] == ["picture of weather: 70.0 kB left out"]
