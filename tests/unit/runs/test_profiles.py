"""Profiles: each says what its audience gets, and they differ."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from nbagents.events import EVENTS, AnyEvent, ToolData, ToolEnd, UserMessageReceived, Workflow
from nbagents.results import Failure, Payload
from nbagents.runs.logs.profiles import AUDIT, DEBUG, METRICS, USER, Profile, profile_of
from tests.unit.runs.desk import event

DOCS = Path(__file__).parents[3] / "docs" / "sessions.md"
ALL = {one.model_fields["type"].default for one in get_args(get_args(AnyEvent)[0])}
DELTAS = {"assistant_delta", "thought", "tool_args_delta", "tool_update", "tool_output_delta"}
BROKEN = Failure(
    kind="internal", recovery="finish", message="Mr Secret failed", debug_message="Traceback …"
)


def types(profile: Profile) -> set[str]:
    return {kind for kind in ALL if profile.has(kind)}


def made(kind: str, **fields: object) -> AnyEvent:
    stamp = event(0).model_dump(exclude={"type", "text", "shared"})
    return EVENTS.validate_python({**stamp, "type": kind, **fields})


def tool_end() -> AnyEvent:
    call = {"tool_call_id": "c", "tool_name": "t", "call_run_id": "run-1", "duration_ms": 1.0}
    return made("tool_end", **call, status="failed", content="no", failure=BROKEN)


def payload(audience: str) -> AnyEvent:
    value = Payload.model_validate({"kind": "note", "audience": audience})
    return made("tool_data", tool_call_id="c", tool_name="t", payload_id="p", payload=value)


def test_debug_has_everything_as_it_is() -> None:
    assert types(DEBUG) == ALL
    assert DEBUG.told(tool_end()) == tool_end()


def test_the_user_sees_no_tokens_no_prompts_no_thoughts_and_no_half_arguments() -> None:
    hidden = {"usage", "kept_usage", "prompt_rendered", "thought", "tool_args_delta"}
    assert types(USER) == ALL - hidden


def test_the_user_sees_no_traceback_and_nothing_internal() -> None:
    told = USER.told(tool_end())
    assert isinstance(told, ToolEnd)
    assert told.failure is not None
    assert (told.failure.message, told.failure.debug_message) == ("Mr Secret failed", None)
    ended = USER.told(made("workflow", phase="failed", failure=BROKEN))
    assert isinstance(ended, Workflow)
    assert ended.failure is not None
    assert ended.failure.debug_message is None
    assert USER.told(payload("internal")) is None
    assert isinstance(USER.told(payload("timeline")), ToolData)
    assert isinstance(DEBUG.told(payload("internal")), ToolData)


def test_metrics_are_counts_and_links_without_a_word_of_anybody() -> None:
    assert types(METRICS) == {"usage", "workflow"}
    told = METRICS.told(made("workflow", phase="failed", failure=BROKEN))
    assert told is not None
    assert "Secret" not in told.model_dump_json()
    assert '"internal"' in told.model_dump_json()


def test_an_audit_has_all_that_is_settled_with_who_allowed_it_and_no_deltas() -> None:
    assert types(AUDIT) == ALL - DELTAS
    assert AUDIT.has("tool_authorization")
    assert AUDIT.has("await_resolved")
    assert AUDIT.told(tool_end()) == tool_end()


def test_no_two_are_the_same_and_all_hear_of_an_end() -> None:
    profiles = (USER, DEBUG, METRICS, AUDIT)
    assert len({frozenset(types(one)) for one in profiles}) == 4
    assert all(one.has("workflow") for one in profiles)  # its last phase is how a run ended


def test_the_table_in_the_docs_is_what_they_do() -> None:
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    cells = [[one.strip() for one in line.strip("|").split("|")] for line in lines]
    (names,) = [row[1:] for row in cells if row[0] == "event"]
    table = {row[0].strip("`"): row[1:] for row in cells if row[0].strip("`") in ALL}
    assert set(table) == ALL
    for at, name in enumerate(names):
        assert types(profile_of(name)) == {kind for kind, said in table.items() if said[at]}


def test_they_are_found_by_name() -> None:
    assert [profile_of(name) for name in ("user", "debug", "metrics", "audit")] == [
        *(USER, DEBUG, METRICS, AUDIT)
    ]
    assert profile_of(METRICS) is METRICS
    with pytest.raises(ValueError, match=r"no profile 'usr'\. Did you mean 'user'"):
        profile_of("usr")


def test_one_of_one_s_own_has_types_and_may_change_what_it_tells() -> None:
    def shout(one: AnyEvent) -> AnyEvent | None:
        assert isinstance(one, UserMessageReceived)
        return one.model_copy(update={"text": one.text.upper()}) if one.text else None

    loud = Profile("loud", {"user_message"}, redact=shout)
    told = loud.told(event(1))
    assert isinstance(told, UserMessageReceived)
    assert told.text == "TEXT 1 É"
    assert loud.told(event(1).model_copy(update={"text": ""})) is None
    assert loud.told(tool_end()) is None


def test_one_of_one_s_own_is_made_of_names_or_of_another() -> None:
    assert types(Profile.only("tool_start", "tool_end")) == {"tool_start", "tool_end"}
    less = USER.without("workflow", "usage")
    assert types(less) == types(USER) - {"workflow"}
    told = less.told(tool_end())
    assert isinstance(told, ToolEnd)
    assert told.failure is not None
    assert told.failure.debug_message is None


@pytest.mark.parametrize(
    "make", [lambda: Profile.only("tool_strat"), lambda: USER.without("tool_strat")]
)
def test_an_event_that_there_is_not_is_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=r"'tool_strat'\. Did you mean 'tool_start'"):
        make()
