"""The HTML of a frozen run: what is seen first, what opens, and what it says without styles."""

from __future__ import annotations

import re
from typing import Any

import pytest
from trees import (
    ANSWER,
    USAGE,
    Page,
    call,
    failed_call,
    failure,
    html_of,
    payload,
    run,
    tree,
)

from nbagents.notebook.kinds.static_form import static_picture
from nbagents.notebook.saved.bundle import frozen_bundle


def html(*runs: Any) -> str:
    return html_of(frozen_bundle(tree(*runs), "run-1"))


def said(*runs: Any) -> str:
    """All words of a run, in reading order, as they stand where no style is left."""
    return " ".join(Page(html(*runs)).text.split())


def rows(markup: str) -> list[tuple[bool, str]]:
    """Each row that opens, as `folds`: those that begin with a sign."""
    return [one for one in folds(markup) if one[1][:2] in ("✓ ", "✗ ", "! ", "○ ", "… ")]


def folds(markup: str) -> list[tuple[bool, str]]:
    """Each fold, but for details and explanations: whether it is open, and its summary in words."""
    found = re.findall(r"<details([^>]*)><summary[^>]*>(.*?)</summary>", markup)
    shown = [("open" in flags.split(), Page(summary).text) for flags, summary in found]
    return [one for one in shown if not one[1].startswith(("Details", "Why: "))]


def test_the_header_says_who_ran_how_it_went_and_what_it_cost() -> None:
    words = said(run(call()))
    assert words.startswith("✓ How warm is it in Oslo?Agent offline · done · 4.2 s · 1 call · 1.9k")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("completed", "done"),
        ("failed", "failed"),
        ("limit", "stopped at a limit"),
        ("cancelled", "cancelled"),
        ("denied", "denied"),
        ("suspended", "suspended"),
        ("running", "running"),
        ("unknown", "outcome unknown"),
    ],
)
def test_the_status_of_a_run_is_said_in_words(status: str, words: str) -> None:
    assert words == said(run(status=status)).split(" · ")[1]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("done", "done"),
        ("failed", "failed"),
        ("denied", "denied"),
        ("cancelled", "cancelled"),
        ("timed_out", "timed out"),
        ("skipped", "skipped"),
        ("unknown", "outcome unknown"),
        ("waiting", "waiting for you"),
        ("preparing", "preparing"),
        ("running", "running"),
    ],
)
def test_the_status_of_a_call_is_said_in_words(status: str, words: str) -> None:
    assert f"— {words} · 812 ms" in said(run(call(status=status)))


def test_a_row_reads_as_a_sentence_without_styles() -> None:
    (row,) = rows(html(run(call())))
    assert row == (False, '✓ weather city="Oslo" — 9 °C — done · 812 ms')


def test_what_went_well_is_folded_and_what_failed_is_open() -> None:
    states = rows(html(run(call(), failed_call("call-2", name="book"))))
    assert [is_open for is_open, _ in states] == [False, True]


def test_an_error_says_what_what_kind_and_what_now() -> None:
    issue = {"field": "days", "constraint": "int_parsing", "message": "Input should be a number"}
    bad = failure(
        "The arguments do not fit.", kind="invalid_call", recovery="correct_call", issues=[issue]
    )
    words = said(run(failed_call(failure=bad)))
    assert "Error: The arguments do not fit." in words
    assert "The call was not valid; the model may correct the call." in words
    assert "daysInput should be a numberint_parsing" in words


@pytest.mark.parametrize("status", ["failed", "timed_out"])
def test_every_call_that_went_wrong_is_open(status: str) -> None:
    assert [one for one, _ in rows(html(run(call(), call("call-2", "b", status=status))))] == [
        False,
        True,
    ]


def test_a_traceback_is_for_the_one_who_opens_it() -> None:
    bad = failure("no", debug_message="Traceback (most recent call last)")
    assert (False, "Traceback") in folds(html(run(failed_call(failure=bad))))


def test_the_result_is_not_said_twice_when_it_is_the_error() -> None:
    assert "as the model read it" not in said(run(failed_call()))
    assert "as the model read it" in said(run(failed_call(content="Something else.")))


def test_arguments_come_before_the_result_and_the_result_before_data() -> None:
    shown = said(run(call(payloads=[payload("rows", [1, 2])])))
    places = [shown.index(word) for word in ("Arguments", "Result, as the model", "Data: rows")]
    assert places == sorted(places)


def test_flat_arguments_are_a_table_and_nested_ones_json() -> None:
    flat = Page(html(run(call(arguments={"city": "Oslo", "days": 3}))))
    nested = Page(html(run(call(arguments={"query": {"text": "x" * 200}}))))
    assert {"scope": "row"}.items() <= flat.named("th")[-1].items()
    assert '"query": {\n' in nested.text


def test_arguments_that_are_no_json_are_shown_as_the_model_wrote_them() -> None:
    assert 'as the model wrote them{"city": Oslo' in said(run(call(arguments='{"city": Oslo')))


def test_the_prompt_comes_first_the_answer_right_below_it_and_then_the_calls() -> None:
    words = said(run(call()))
    places = [words.index(one) for one in ("How warm", "It is 9 °C", "✓ weather")]
    assert places == sorted(places)


def test_a_prompt_stands_as_it_was_written_and_of_a_long_one_the_beginning() -> None:
    lines = "Look:\n  - here\n  - there"
    assert "</span> Look:&#10;  - here&#10;  - there</div>" in html(run(prompt=lines))
    words = said(run(prompt="word " * 200))
    assert words.index("…") < words.index("Agent")
    assert words.count("word") == 80 + 200


def test_a_refusal_is_said_quietly_below_the_answer() -> None:
    assert "I can't.The model refused." in said(run(text="I can't.", refused=True))
    silent = run(text="", refused=True)
    assert "The model refused." in said(silent)
    assert "refused" not in said(run(text="I can't."))


def test_what_was_said_before_the_answer_stands_where_it_was_said() -> None:
    talkative = run(call("call-1"), call("call-2", "book"))
    talkative["items"].insert(1, {"type": "text", "step": 1, "text": "Now I book."})
    words = said(talkative)
    places = [words.index(one) for one in ("✓ weather ", "Now I book.", "✓ book ")]
    assert places == sorted(places)


def test_the_answer_is_said_once() -> None:
    assert html(run(call())).count("<strong>9 °C</strong>") == 1


def test_the_same_words_said_before_a_call_are_not_taken_for_the_answer() -> None:
    silent = run(call(), text="")
    silent["items"].insert(0, {"type": "text", "step": 1, "text": "Moving the map."})
    words = said(silent)
    assert words.count("Moving the map.") == 1
    assert words.index("Moving the map.") < words.index("✓ weather")


def test_a_thought_is_one_line_until_opened() -> None:
    pensive = run(call())
    pensive["items"].insert(0, {"type": "thought", "step": 1, "text": "weather 0.8\nbook 0.1"})
    assert (False, "Thought: weather 0.8 book 0.1") in folds(html(pensive))


def test_a_child_run_stands_inside_its_call_with_its_own_answer() -> None:
    child = run(call("c9", "search"), run_id="run-2", agent_name="researcher", text="Six *hits*.")
    words = said(run(call(child_run_ids=["run-2"])), child)
    order = ["It is 9 °C", "✓ researcher weather How warm", "researcher offline · done", "✓ search"]
    places = [words.index(word) for word in [*order, "Six hits."]]
    assert places == sorted(places)


def test_tokens_of_child_runs_count_for_the_root() -> None:
    child = run(
        run_id="run-2",
        usage={
            "input_tokens": 900,
            "output_tokens": 100,
            "cached_tokens": 0,
            "requests": 1,
            "cost": None,
        },
    )
    words = said(run(call(child_run_ids=["run-2"])), child)
    assert "1 call · 1 run inside · 2.9k tokens" in words
    assert "1,540 in, 360 out; 2.9k tokens with 1 run inside" in words


def test_a_call_that_is_all_there_is_stands_open() -> None:
    assert rows(html(run(call(), text="")))[0][0]
    assert not rows(html(run(call(), call("call-2"), text="")))[0][0]
    with_map = call(payloads=[payload("map", {"zoom": 3})])
    assert not rows(html(run(with_map, text="")))[0][0]


def test_a_call_whose_child_failed_is_open() -> None:
    child = run(run_id="run-2", status="failed", failure=failure("no"))
    others = [call(f"c{n}", f"tool{n}") for n in range(20)]
    states = rows(html(run(call(child_run_ids=["run-2"]), *others), child))
    assert states[0][0]
    assert not states[1][0]


def test_a_child_that_was_never_logged_is_left_out() -> None:
    assert "1 child run" in said(run(call(child_run_ids=["run-lost"])))


def test_a_failed_run_says_why_above_its_calls() -> None:
    words = said(run(call(), status="failed", failure=failure("The provider is away."), text=""))
    assert words.index("Error: The provider is away.") < words.index("✓ weather")


def test_one_map_a_run_shows_where_it_was_left() -> None:
    words = Page(
        html(
            run(
                call("c1", payloads=[payload("map", {"center": {"lon": 2, "lat": 48}, "zoom": 4})]),
                call(
                    "c2",
                    payloads=[payload("map", {"pins": [{"lon": 2, "lat": 48, "label": "Paris"}]})],
                ),
                call("c3", payloads=[payload("map", {"zoom": 9})]),
            )
        )
    )
    assert len(words.named("img")) == 1
    assert words.text.count("Map at 2° E, 48° N, zoom 9, 1 pin: Paris") == 1


def test_a_map_that_is_none_is_shown_as_data() -> None:
    page = Page(html(run(call(payloads=[payload("map", {"center": "the north pole"})]))))
    assert page.named("img") == []
    assert "Data: map" in page.text
    assert "the north pole" in page.text


def test_a_registered_kind_stands_by_its_call_as_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    def dice(value: Any) -> str:
        return f"<p>{int(value['eyes'])} eyes</p>"

    monkeypatch.setitem(static_picture, "dice", dice)
    markup = html(run(call(payloads=[payload("dice", {"eyes": 4})]), call("call-2", "later")))
    assert markup.index("</details><div") < markup.index("<p>4 eyes</p>") < markup.index("later")


def test_a_picture_that_cannot_be_drawn_leaves_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(value: Any) -> str:
        raise RuntimeError(value)

    monkeypatch.setitem(static_picture, "dice", broken)
    assert "Data: dice" in said(run(call(payloads=[payload("dice", 4)])))


def test_internal_data_is_not_shown_and_evidence_is_called_so() -> None:
    data = [
        payload("rows", "unseen", audience="internal"),
        payload("page", "seen", audience="evidence"),
    ]
    words = said(run(call(payloads=data)))
    assert "unseen" not in words
    assert "Data: page · 6 bytes · evidence" in words


def test_what_was_printed_is_shown_with_its_stream() -> None:
    output = [{"stream": "stdout", "text": "hello"}, {"stream": "stderr", "text": "careful"}]
    words = said(run(call(output=output)))
    assert "Printedhello" in words
    assert "Printed to stderrcareful" in words


def test_a_result_that_was_cut_for_the_model_says_so() -> None:
    bounds = {"returned": 24, "total": 300, "truncated": True, "next_cursor": None}
    assert "24 of 300 given, the rest left out" in said(run(call(bounds=bounds)))


def test_a_call_that_never_ended_says_how_far_it_was() -> None:
    open_call = call(status="unknown", content=None, progress={"message": "half", "fraction": 0.5})
    assert "Last progress: half (50%)" in said(run(open_call))


def test_streams_that_take_turns_very_often_are_one_text_each() -> None:
    streams = ("stdout", "stderr")
    output = [{"stream": streams[turn % 2], "text": f"{turn} "} for turn in range(40)]
    words = said(run(call(output=output)))
    assert "Printed0 2 4 " in words
    assert "Printed to stderr1 3 5 " in words


def test_of_a_line_that_was_gone_back_on_what_stands_there_is_shown() -> None:
    output = [{"stream": "stdout", "text": "[x] load\r[x"}]
    assert "Printed[x] load" in said(run(call(output=output)))
    assert "x0d" not in said(run(call(output=output)))
    turns = [
        {"stream": ("stdout", "stderr")[turn % 2], "text": f"{turn} %\r"} for turn in range(40)
    ]
    words = said(run(call(output=turns)))
    assert "Printed38 %" in words
    assert "Printed to stderr39 %" in words


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        ({"message": "half", "fraction": None}, "Last progress: half"),
        ({"message": "", "fraction": 0.5}, "Last progress: 50%"),
    ],
)
def test_progress_is_a_word_a_part_or_both(progress: Any, words: str) -> None:
    shown = said(run(call(status="unknown", progress=progress)))
    assert words in shown
    assert f"{words} (" not in shown


def test_what_was_shared_stands_below_the_header_a_line_each() -> None:
    shared = ["df (DataFrame, 1,000 rows)", "plot.png (image/png)"]
    markup = html(run(call(), shared=shared))
    assert "<li>df (DataFrame, 1,000 rows)</li><li>plot.png (image/png)</li>" in markup
    assert markup.index("Shared:") < markup.index("<strong>9 °C")
    assert "Shared" not in html(run(call()))


def test_the_name_under_which_a_result_is_kept_is_on_the_row_and_in_the_details() -> None:
    ((_, row),) = rows(html(run(call(handle="r1"))))
    assert row == '✓ weather city="Oslo" — 9 °C · kept as r1 — done · 812 ms'
    assert "version 3f2a9c1d · kept as r1 · call-1" in said(run(call(handle="r1")))


def test_without_times_there_is_neither_duration_nor_bar() -> None:
    still = run(call(started_at=1000.0, duration_ms=0.0), ended_at=1000.0)
    words = said(still)
    assert "0.0" not in words
    assert "Agent offline · done · 1 call · 1.9k tokens" in words
    assert "nf-fall" not in Page(html(still)).classes


def test_without_tokens_none_are_said() -> None:
    free = {**USAGE, "input_tokens": 0, "output_tokens": 0}
    assert "token" not in said(run(call(), usage=free)).lower()


def test_a_run_that_said_and_did_nothing_still_has_a_header() -> None:
    words = said(run(text="", prompt="", tools=[], status="cancelled"))
    assert words.startswith("○ Agent offline · cancelled")
    assert ANSWER not in words


def test_words_of_a_row_stand_apart_where_only_inline_styles_hold() -> None:
    """As in a notebook that is not trusted: what parts words without styles is unseen there."""
    markup = re.sub(r'<span style="display:none">[^<]*</span>', "", html(run(call())))
    row = re.findall(r'<span class="nf-title">.*?<span class="nf-gave">.', markup)
    assert row
    assert all(re.search(r'\s<span class="nf-gave">.$', one) for one in row)
