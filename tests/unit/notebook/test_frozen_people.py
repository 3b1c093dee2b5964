"""What a saved run says of people, guardrails, hand-offs and child runs: in HTML and in text."""

from __future__ import annotations

from typing import Any, cast

import pytest
from trees import (
    USAGE,
    Page,
    asked,
    call,
    decided,
    guardrail,
    html_of,
    plain_of,
    run,
    tree,
)

from nbagents.notebook.saved.bundle import RUN_MIME, frozen_bundle
from nbagents.runs.wording.text_tree import tree_text

HOSTILE = "<img src=x onerror=alert(1)>\x1b[2J"
QUESTION: dict[str, Any] = {
    "id": "q1",
    "text": "Where to?",
    "options": [{"label": "Oslo", "description": ""}, {"label": "Rome", "description": ""}],
    "multiple": False,
    "free_text": False,
}


def said(*runs: Any) -> str:
    """The words of the HTML."""
    return " ".join(Page(html_of(frozen_bundle(tree(*runs), "run-1"))).text.split())


def lines(*runs: Any) -> list[str]:
    return plain_of(frozen_bundle(tree(*runs), "run-1")).split("\n")


def suspended(*awaits: Any, **fields: Any) -> Any:
    waiting = call(status="waiting", content=None, preview=None, duration_ms=None)
    usual: Any = {"status": "suspended", "text": "", "awaits": list(awaits)}
    return run(waiting, **{**usual, **fields})


def test_a_suspended_run_says_what_it_waits_for_and_how_to_go_on() -> None:
    question = asked(text='Run weather(city="Oslo")?', reason="It may destroy something.")
    words = said(suspended(question))
    assert "Agent offline · suspended" in words
    assert 'Agent asks: Run weather(city="Oslo")? It may destroy something.' in words
    assert "To answer and go on: %agent --resume run-1" in words
    shown = lines(suspended(question))
    assert shown[1:3] == [
        '  waits for you: Agent asks: Run weather(city="Oslo")? It may destroy something.',
        "  to go on: %agent --resume run-1",
    ]


def test_what_runs_inside_wait_for_is_said_at_the_top_with_the_line_of_the_root() -> None:
    child = suspended(
        asked(text="Sure?"), run_id="run-2", agent_name="helper", parent_run_id="run-1"
    )
    parent = suspended()
    parent["calls"]["call-1"]["child_run_ids"] = ["run-2"]
    words = said(parent, child)
    assert words.count("helper asks: Sure?") == 1
    assert words.count("--resume") == 1
    assert "%agent --resume run-1" in words
    assert [line for line in lines(parent, child) if "resume" in line] == [
        "  to go on: %agent --resume run-1"
    ]


@pytest.mark.parametrize(("status", "is_left"), [("unknown", True), ("running", False)])
def test_a_run_whose_end_was_not_seen_says_what_it_waited_for(
    status: str, *, is_left: bool
) -> None:
    unended = suspended(asked(text="Sure?"), status=status)
    assert "Agent asks: Sure?" in said(unended)
    assert "  waits for you: Agent asks: Sure?" in lines(unended)
    assert ("%agent --resume run-1" in said(unended)) is is_left
    assert "--resume" not in said(run(call(), status=status))


def test_a_run_that_has_ended_waits_for_nothing() -> None:
    assert "Waiting for you" not in said(suspended(asked(text="Sure?"), status="cancelled"))


def test_each_kind_of_question_is_put_in_words() -> None:
    calls = [{"id": "c1", "name": "look", "arguments": '{"at": "sky"}'}]
    shown = lines(
        suspended(
            asked("clarification", text="What is missing?", missing_fields=["city", "days"]),
            asked("questions", title="Travel.", questions=[QUESTION]),
            asked("external_tools", None, calls=calls),
        )
    )
    assert [line.partition(" asks: ")[2] for line in shown[1:4]] == [
        "What is missing? Missing: city, days.",
        "Travel. Where to? (Oslo, Rome)",
        'Results of look({"at": "sky"})',
    ]


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (decided(), "approved by you"),
        (
            decided(remembered=True),
            "approved by you, not asked again for this tool in this session",
        ),
        (
            decided(by="you, earlier", under_grant=True),
            "not asked: you allowed all calls of this tool in this session",
        ),
        (decided(approved=False, note="not mine"), "denied by you: not mine"),
        (decided(by="the policy `auto`"), "approved by the policy `auto`"),
        (
            decided(approved=False, by="nobody: the policy for runs without a person"),
            "denied by the policy for runs without a person, for nobody could be asked",
        ),
    ],
)
def test_who_decided_is_said_and_when(verdict: Any, words: str) -> None:
    one = run(call(authorization=verdict))
    assert f"    {words}" in "\n".join(lines(one))
    capital = words[0].upper() + words[1:]
    assert capital in said(one)
    assert "1970-01-01 00:16:40 UTC" in said(one)


def test_a_time_that_is_none_is_left_out() -> None:
    assert "UTC" not in said(run(call(authorization=decided(at=1e300))))


def test_edited_arguments_are_both_there() -> None:
    verdict = decided(edited=True)
    one = run(call(proposed={"city": "Roma"}, authorization=verdict))
    words = said(one)
    told = words.partition("Arguments, changed by you")[2]
    assert told.startswith(
        'The model wantedUsedcity"Roma""Oslo"Approved by you, with other arguments'
    )
    assert lines(one)[6:8] == [
        '    the model wanted: {"city": "Roma"}',
        "    approved by you, with other arguments",
    ]


def test_what_a_guardrail_changed_is_its_own() -> None:
    checked = [guardrail("allow", "tool_output"), guardrail("replace", "tool_input", "a name")]
    one = run(call(proposed={"city": "Roma"}, guardrails=checked))
    assert "Arguments, changed by a guardrail" in said(one)
    assert "Guardrail pii replaced the arguments: a name" in said(one)
    assert [line for line in lines(one) if "guardrail" in line] == [
        "    guardrail pii replaced the arguments: a name"
    ]


def test_guardrails_of_the_prompt_and_the_answer_are_the_runs() -> None:
    one = run(guardrails=[guardrail("refuse", "input", "rude"), guardrail("allow", "output")])
    assert "  guardrail pii refused the prompt: rude" in lines(one)
    assert "guardrail pii refused the prompt: rude" in said(one)


def test_what_a_person_answered_is_kept() -> None:
    answer: Any = {"outcome": "answered", "answered_by": "you", "resolved_at": 1001.0}
    of_call = asked("clarification", text="Where?", answer={"city": "Oslo"}, note="soon", **answer)
    of_run = asked("external_tools", None, text="Look.", **{**answer, "outcome": "denied"})
    reason = asked(reason="It may destroy something.", **answer)
    one = run(call(), awaits=[of_call, of_run, reason])
    assert 'You were asked: Where? {"city": "Oslo"}: soon' in said(one)
    assert '    you were asked: Where? {"city": "Oslo"}: soon' in lines(one)
    assert "  you were asked: Look. Results of not answered" in lines(one)
    assert "Asked, because: It may destroy something." in said(one)
    assert "Waiting" not in said(one)


def test_a_handoff_stands_where_it_was() -> None:
    item = {"type": "handoff", "step": 1, "from_agent": "a", "to_agent": "b", "model": "offline"}
    one = run(call())
    one["items"].insert(1, item)
    assert lines(one)[6] == "  handed over: a → b (offline)"
    assert "Handed over: a → b (offline)" in said(one)


def test_how_many_runs_a_call_has_started_and_which_stand_elsewhere() -> None:
    link = {"run_id": "run-7", "agent_name": "planner"}
    one = run(call(child_run_ids=["run-7"], expected_children=5, run_links=[link]))
    assert "1 of 5 child runs" in said(one)
    assert "Started a run of planner" in said(one)
    assert lines(one)[6:8] == ["    1 of 5 child runs", "    started a run of planner"]
    none = run(call(expected_children=2))
    assert "    0 of 2 child runs" in lines(none)


def test_what_is_special_about_a_run_stands_in_its_first_line() -> None:
    usage = {**USAGE, "cost": 0.25}
    limits = {"max_cost": 1.5, "max_failed_batches": 2, "max_depth": 1, "max_steps": 3}
    child = run(run_id="run-2", text="", usage={**usage, "cost": None})
    one = run(
        call(child_run_ids=["run-2"]),
        usage=usage,
        limits=limits,
        approval="ask",
        resumed_from="run-0",
    )
    child["parent_run_id"] = "run-1"
    child["approval"] = "ask"
    (head, *_) = lines(one, child)
    assert str(lines(one, child)).count("approval") == 1
    assert head == (
        "Agent (offline): done, 4.2 s, 1 call, 1 run inside, 3.8k tokens, cost 0.25,"
        " approval ask, goes on with another run"
    )
    words = said(one, child)
    assert "1 run inside · 3.8k tokens · cost 0.25" in words
    assert "Agent offline · approval ask · goes on with another run · done" in words
    assert "Approvalask: each call is asked for" in words
    assert "Goes on withrun-0" in words
    assert "Limits3 steps, 2 failed steps, 1 nested run, cost 1.5" in words


def test_nothing_new_is_said_of_a_run_that_has_none_of_it() -> None:
    assert lines(run(call()))[0] == "Agent (offline): done, 4.2 s, 1 call, 1.9k tokens"
    words = said(run(call()))
    assert not [one for one in ("cost", "pproval", "asked:", "uardrail", "inside") if one in words]


def test_what_models_and_people_wrote_is_never_markup() -> None:
    question = {
        **QUESTION,
        "text": HOSTILE,
        "options": [{"label": HOSTILE, "description": HOSTILE}],
    }
    said_so = {"outcome": "answered", "answered_by": HOSTILE, "note": HOSTILE, "answer": HOSTILE}
    awaits = [
        asked("questions", title=HOSTILE, text=HOSTILE, reason=HOSTILE, questions=[question]),
        asked(text=HOSTILE, reason=HOSTILE, **said_so),
        asked("clarification", text=HOSTILE, missing_fields=[HOSTILE], **said_so),
        asked("external_tools", None, calls=[{"id": "c", "name": HOSTILE, "arguments": HOSTILE}]),
    ]
    one = suspended(
        *awaits,
        run_id="run-1",
        approval=HOSTILE,
        resumed_from=HOSTILE,
        guardrails=[guardrail("refuse", "input", HOSTILE, HOSTILE)],
    )
    one["calls"]["call-1"].update(
        proposed={HOSTILE: HOSTILE},
        authorization=decided(by=HOSTILE, note=HOSTILE),
        guardrails=[guardrail("replace", "tool_output", HOSTILE, HOSTILE)],
        run_links=[{"run_id": HOSTILE, "agent_name": HOSTILE}],
    )
    hand = {"type": "handoff", "step": 1, "from_agent": HOSTILE, "to_agent": HOSTILE}
    one["items"].append({**hand, "model": HOSTILE})
    bundle = frozen_bundle(tree(one), "run-1", opened="all")
    assert Page(html_of(bundle)).named("img") == []
    assert "\x1b" not in html_of(bundle)
    assert "\x1b" not in plain_of(bundle)
    assert "\x1b" not in tree_text(cast("Any", tree(one)), "run-1")


def test_what_is_long_is_cut_and_named() -> None:
    long = "word " * 20_000
    form = {"type": "object", "properties": {"it": {"description": "x" * 3_000}}}
    options = [{"label": long, "description": long}]
    questions = [{**QUESTION, "text": long, "options": options}]
    one = suspended(
        asked(text=long, reason=long, arguments={"it": long}, form=form),
        asked("questions", title=long, questions=questions, answer=long, note=long),
        asked("external_tools", None, calls=[{"id": "c", "name": "look", "arguments": long}]),
        guardrails=[guardrail("refuse", "output", long)],
    )
    one["calls"]["call-1"].update(
        proposed={"city": long},
        authorization=decided(note=long),
        guardrails=[guardrail("replace", "tool_output", long)],
    )
    kept = cast("Any", frozen_bundle(tree(one), "run-1"))[RUN_MIME]
    assert len(str(kept["tree"])) < 80_000
    named = {cut["part"] for cut in kept["cuts"]}
    assert {
        "arguments of a question",
        "arguments of look",
        "answer to choose",
        "form of a question",
        "message of a guardrail",
        "note to weather",
        "proposed arguments of weather",
        "text of a question",
        "title of a question",
    } <= named


def test_a_call_that_nobody_was_asked_about_says_so_in_its_row_and_its_run_has_a_chip() -> None:
    granted = run(call(authorization=decided(by="you, earlier", under_grant=True)))
    asked_for = run(call(authorization=decided()))
    assert " · not asked " in said(granted)
    assert "not asked about: " in said(granted)
    assert "not asked" not in said(asked_for)


def test_each_of_several_questions_stands_beside_its_answer() -> None:
    questions: list[dict[str, Any]] = [
        {"id": "q1", "text": "Which city?", "options": [{"label": "Oslo"}], "multiple": False},
        {"id": "q2", "text": "How many nights?", "options": [], "multiple": False},
    ]
    answer = {"q2": "three", "q1": "Oslo"}
    closed: Any = {"outcome": "answered", "answered_by": "you", "resolved_at": 1001.0}
    for call_id in ("call-1", None):
        asks = asked(
            "questions", call_id, title="Trip", questions=questions, answer=answer, **closed
        )
        one = run(call(), awaits=[asks])
        for told in (said(one), "\n".join(lines(one))):
            assert 'you were asked: Which city? (Oslo) "Oslo"' in told.replace("You", "you")
            assert 'How many nights? "three"' in told


@pytest.mark.parametrize("call_id", ["call-1", None])
def test_a_long_question_does_not_cut_its_answer(call_id: str | None) -> None:
    closed: Any = {"outcome": "answered", "answered_by": "you", "resolved_at": 1001.0}
    asks = asked("clarification", call_id, text="Which of them? " * 60, answer="the last", **closed)
    one = run(call(), awaits=[asks])
    for told in (said(one), " ".join(" ".join(lines(one)).split())):
        assert "Which of them? Which of them?" in told
        assert '"the last"' in told


def test_the_prompt_stands_on_the_card_of_each_run() -> None:
    child = run(run_id="run-2", prompt="Look it up")
    one = run(call(child_run_ids=["run-2"]), prompt="What is <b>it</b>?")
    assert said(one, child).startswith("✓ What is <b>it</b>?")
    assert "✓ Agent weather Look it up" in said(one, child)
    for told in ("\n".join(lines(one, child)),):
        assert "asked: What is <b>it</b>?" in told
        assert "asked: Look it up" in told


def test_of_changed_arguments_what_is_the_same_stands_once() -> None:
    one = run(
        call(
            proposed={"city": "Roma", "days": 2, "unit": "F"},
            arguments={"city": "Oslo", "days": 2, "style": "short"},
            defaults=["style"],
            authorization=decided(edited=True),
        )
    )
    told = said(one).partition("The model wantedUsed")[2]
    assert told.startswith(
        'city"Roma""Oslo"daysthe same2unit"F"not givenstylenot given"short"default'
    )


def test_long_changed_arguments_stand_one_below_the_other() -> None:
    long = {"city": "x" * 200}
    one = run(call(proposed=long, authorization=decided(edited=True)))
    words = said(one)
    assert words.index("Arguments that the model wanted") < words.index("xxx")
    assert "Arguments that were used, from you" in words
