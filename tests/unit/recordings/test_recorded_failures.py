"""What a model failed with is recorded, and what only its provider can read is given back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

import nbagents as nba
from nbagents.errors import ModelError, RecordingMiss
from nbagents.messages import AssistantMessage
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import call
from nbagents.recordings import FileLines
from nbagents.recordings.index import Recording

if TYPE_CHECKING:
    from pathlib import Path

LIMITED = "api.example.org limits the rate of requests, still after 3 tries (429): wait."


def failing(answers: int = 0) -> nba.ScriptedModel:
    steps: list[Any] = [call("add", a=at, b=1) for at in range(answers)]
    return nba.ScriptedModel([*steps, ModelError(LIMITED), "Done."])


@nba.tool(replace=True)
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def run(model: nba.Model | None) -> str:
    return nba.Agent(model=model, tools=[add]).run("Go", log="memory").text


@pytest.mark.parametrize("answers", [0, 1, 3])
def test_a_failure_is_replayed_with_its_words(tmp_path: Path, answers: int) -> None:
    path = tmp_path / "a.recording.jsonl"
    for mode, model in (("extend", failing(answers)), ("replay", None)):
        with (
            nba.recording(path, cast("Any", mode)),
            pytest.raises(ModelError, match="limits the rate") as raised,
        ):
            run(model)
        assert (type(raised.value), str(raised.value)) == (ModelError, LIMITED)


@pytest.mark.parametrize("answers", [0, 1, 3])
def test_extend_asks_again_where_a_model_had_failed_and_the_failure_goes(
    tmp_path: Path, answers: int
) -> None:
    path, model = tmp_path / "a.recording.jsonl", failing(answers)
    with nba.recording(path, "extend"):
        with pytest.raises(ModelError, match="429"):
            run(model)
        assert run(model) == "Done."
    assert "429" not in path.read_text()
    with nba.recording(path):
        assert run(None) == "Done."


def test_a_refresh_that_fails_leaves_the_answers_that_there_were(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    with nba.recording(path, "extend"):
        run(nba.ScriptedModel(["Before."]))
    before = path.read_bytes()
    with nba.recording(path, "refresh"), pytest.raises(ModelError):
        run(failing())
    assert path.read_bytes() == before


def test_what_a_recording_cannot_answer_is_no_failure_of_the_model(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    model = nba.ScriptedModel([RecordingMiss("It has no answer.", recording="another")])
    with nba.recording(path, "extend"), pytest.raises(RecordingMiss):
        run(model)
    assert not path.exists()


@pytest.mark.parametrize("error", [7, ["x"], {"message": "x"}])
def test_a_failure_that_was_edited_to_nonsense_is_told_with_its_number(
    tmp_path: Path, error: object
) -> None:
    path = tmp_path / "a.recording.jsonl"
    with nba.recording(path, "extend"), pytest.raises(ModelError):
        run(failing())
    lines = path.read_text().splitlines()
    told = {**json.loads(lines[1]), "error": error}
    path.write_text("\n".join([lines[0], json.dumps(told), json.dumps(told)]) + "\n")
    recording = Recording(FileLines(path))
    with pytest.warns(UserWarning, match="line 2: it is not as a recording has it"):
        recording.sync()


def native(text: str) -> nba.ScriptedModel:
    turn = ModelTurn(calls=(call("add", a=1, b=2),))
    items: Any = (
        {"type": "reasoning", "encrypted_content": text},
        {"type": "function_call", "call_id": turn.calls[0].id},
    )
    return nba.ScriptedModel([replace(turn, native=items, native_of="openai_responses"), "Done."])


def said_natively(model: nba.ScriptedModel) -> AssistantMessage:
    return next(one for one in model.requests[-1].messages if isinstance(one, AssistantMessage))


def test_who_goes_on_from_a_recording_is_sent_what_its_provider_wrote(tmp_path: Path) -> None:
    path, model = tmp_path / "a.recording.jsonl", native("gAAA")
    last = model.steps.pop()
    with nba.recording(path, "extend"), pytest.raises(ModelError):
        run(model)
    model.steps.append(last)
    with nba.recording(path, "extend"):
        assert run(model) == "Done."
    message = said_natively(model)
    ids = [cast("dict[str, Any]", one).get("call_id") for one in message.native]
    assert (message.native_of, ids) == ("openai_responses", [None, message.calls[0].id])


def test_an_answer_that_was_edited_is_not_what_its_provider_wrote(tmp_path: Path) -> None:
    path, model = tmp_path / "a.recording.jsonl", native("gAAA")
    with nba.recording(path, "extend"):
        run(model)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[1].replace('"a": 1', '"a": 5')]) + "\n")
    with nba.recording(path, "extend"):
        run(later := nba.ScriptedModel(["Done."]))
    message = said_natively(later)
    assert (message.calls[0].arguments, message.native) == ('{"a": 5, "b": 2}', ())
