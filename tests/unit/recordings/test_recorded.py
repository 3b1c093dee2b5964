"""A recorded model: what it keeps, what it gives again, and what it says where it has nothing."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING

import pytest

import nbagents as nba
from nbagents.code_mode.errand import Code
from nbagents.errors import RecordingError, RecordingMiss
from nbagents.messages import UserMessage
from nbagents.models.model import TextDelta
from nbagents.models.scripted import call
from nbagents.notebook.magics.tool.manual_call import Hand
from nbagents.recordings import TextLines, recorded, recording_at, use_default
from nbagents.recordings.index import Recording
from nbagents.recordings.setting import setting_of

if TYPE_CHECKING:
    from pathlib import Path

    from nbagents.models.scripted import Step
    from nbagents.runs.state import Run


@nba.tool(replace=True)
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


ADDS: list[Step] = [call("add", a=1, b=2), "It is 3."]


def asks(*steps: Step, tools: tuple[nba.Tool, ...] = (add,), prompt: str = "What is 1 + 2?") -> Run:
    model = nba.ScriptedModel(steps) if steps else None
    return nba.Agent(model=model, tools=tools).run(prompt, log="memory")


def file(folder: Path) -> Path:
    return folder / "lesson.recording.jsonl"


def exchanges(path: Path) -> list[dict[str, object]]:
    told = [json.loads(line) for line in path.read_text().splitlines()]
    return [one for one in told if "result" not in one]


def test_what_code_calls_and_what_a_person_calls_by_hand_is_no_model_to_be_recorded(
    tmp_path: Path,
) -> None:
    setting = setting_of(file(tmp_path), "extend")
    for model in (Hand("add", {"a": 1, "b": 2}), Code("by code", lambda: None)):
        assert recorded(model, setting, is_named=True) is model


def test_what_was_asked_is_given_again_without_a_model_and_tools_really_run(tmp_path: Path) -> None:
    with nba.recording(file(tmp_path), "extend"):
        first = asks(*ADDS)
    with nba.recording(file(tmp_path)):
        again = asks()
    assert (again.text, again.model) == (first.text, "scripted")
    assert again.calls[0].value == 3


def test_a_line_is_an_exchange_that_says_only_what_is_new(tmp_path: Path) -> None:
    with nba.recording(file(tmp_path), "extend"):
        asks(*ADDS)
    header, first, second = exchanges(file(tmp_path))
    assert header == {"nbagents_recording": 1}
    assert first["asked"] == [{"role": "user", "text": "What is 1 + 2?"}]
    assert second["asked"] == [{"role": "tool", "text": "3", "call": "call 1"}]
    assert second["follows"] == first["id"]
    assert "offer" not in second
    assert list(second)[:4] == ["id", "follows", "asked", "answer"]


def test_what_a_call_gave_stands_below_the_answer_that_asked_for_it(tmp_path: Path) -> None:
    for said in ("It is 3.", "Three."):
        with nba.recording(file(tmp_path), "refresh"):
            asks(call("add", a=1, b=2), said)
            asks("Other.", prompt="Another?")
    told = [json.loads(line) for line in file(tmp_path).read_text().splitlines()]
    assert [next(iter(one)) for one in told] == ["nbagents_recording", "id", "call", "id", "id"]
    assert (told[2]["call"], told[2]["arguments"]) == ("add", {"a": 1, "b": 2})
    assert told[2]["result"] == {"content": "3", "value": 3}


def test_a_miss_says_which_message_and_which_schema_changed(tmp_path: Path) -> None:
    with nba.recording(file(tmp_path), "extend"):
        asks(*ADDS)

    @nba.tool(replace=True)
    def add(a: int, b: int) -> int:  # pyright: ignore[reportRedeclaration]
        """Add two whole numbers."""
        return a + b + 1

    with nba.recording(file(tmp_path)):
        with pytest.raises(RecordingMiss) as schema:
            asks(tools=(add,))
        with pytest.raises(RecordingMiss) as prompt:
            asks(prompt="What is 1 + 3?")
    assert "+ description: Add two whole numbers." in schema.value.difference
    assert schema.value.line == 2
    assert "message 1, of the user:\n  - What is 1 + 2?\n  + What is 1 + 3?" in str(prompt.value)
    assert 'mode="extend"' in str(prompt.value)


@pytest.mark.parametrize("instructions", [("", "Be brief."), ("Be brief.", "")])
def test_instructions_that_came_or_went_are_what_differs(
    tmp_path: Path, instructions: tuple[str, str]
) -> None:
    then, prompt = nba.Agent("one", instructions[1]), "What is two and two?"
    recorded = nba.Recorded(nba.ScriptedModel(["4"]), file(tmp_path), mode="extend")
    nba.Agent("one", instructions[0], model=recorded).run(prompt, log="memory")
    with nba.recording(file(tmp_path)), pytest.raises(RecordingMiss) as miss:
        then.run(prompt, log="memory")
    assert "of the system" in miss.value.difference
    assert "Be brief." in miss.value.difference
    assert "of the user" not in miss.value.difference


def test_a_miss_far_from_all_says_so(tmp_path: Path) -> None:
    with nba.recording(file(tmp_path), "extend"):
        asks("Yes.", prompt="abc")
    with nba.recording(file(tmp_path)), pytest.raises(RecordingMiss, match="anything like it"):
        asks(prompt="xyzw" * 20)


def test_extend_asks_only_for_what_is_missing(tmp_path: Path) -> None:
    with nba.recording(file(tmp_path), "extend"):
        asks(*ADDS)
        before = file(tmp_path).read_bytes()
        assert asks("Never asked.").text == "It is 3."
        assert file(tmp_path).read_bytes() == before
        assert asks("A new one.", prompt="Another?").text == "A new one."
    assert len(exchanges(file(tmp_path))) == 4


def test_refresh_puts_the_new_answer_where_the_old_one_stood(tmp_path: Path) -> None:
    with nba.recording(file(tmp_path), "extend"):
        asks(*ADDS)
        asks("Other.", prompt="Another?")
    with nba.recording(file(tmp_path), "refresh"):
        asks(call("add", a=1, b=2), "Three.")
    told = [one["answer"] for one in exchanges(file(tmp_path))[1:]]
    assert [one.get("text") for one in told] == [None, "Three.", "Other."]  # type: ignore[attr-defined]
    with nba.recording(file(tmp_path)):
        assert asks().text == "Three."


@pytest.mark.parametrize("mode", ["live", "off"])
def test_live_and_off_ask_and_write_nothing(tmp_path: Path, mode: str) -> None:
    with nba.recording(file(tmp_path), "extend"):
        asks(*ADDS)
    before = file(tmp_path).read_bytes()
    with nba.recording(file(tmp_path), mode):  # type: ignore[arg-type]
        assert asks("Live.").text == "Live."
    assert file(tmp_path).read_bytes() == before


def test_the_same_question_twice_in_a_run_gives_the_answers_in_order(tmp_path: Path) -> None:
    inner = [nba.ScriptedModel([text]) for text in ("One.", "Two.")]
    path = file(tmp_path)
    agents = [nba.Agent(name="inner", model=nba.Recorded(one, path, "extend")) for one in inner]

    def asking(several: list[nba.Agent]) -> nba.Tool:
        @nba.tool(replace=True)
        async def both(ctx: nba.Context) -> str:
            """Ask twice."""
            return " ".join([(await ctx.run(one, "Say")).text for one in several])

        return both

    outer = nba.Agent(model=nba.ScriptedModel([call("both"), "Done."]), tools=[asking(agents)])
    assert outer.run("Go", log="memory").calls[0].content == "One. Two."
    again = nba.Agent(name="inner", model=nba.Recorded("scripted", file(tmp_path)))
    for _ in range(2):  # a cell that is run again repeats its answers
        asked = nba.Agent(
            model=nba.ScriptedModel([call("both"), "Done."]), tools=[asking([again] * 3)]
        ).run("Go", log="memory")
        assert asked.calls[0].content == "One. Two. Two."


def test_it_holds_in_runs_inside_of_runs_and_after_a_hand_over(tmp_path: Path) -> None:
    def family() -> nba.Agent:
        child = nba.Agent(name="child", model=nba.ScriptedModel(["From below."]))
        other = nba.Agent(name="other", model=nba.ScriptedModel(["From the other."]))
        steps = [call("child", input="Hi"), call("transfer_to_other")]
        return nba.Agent(model=nba.ScriptedModel(steps), tools=[child.as_tool()], handoffs=[other])

    with nba.recording(file(tmp_path), "extend"):
        first = family().run("Go", log="memory")
    with nba.recording(file(tmp_path)) as known:
        agent = family()
        again = agent.run("Go", log="memory")
    assert known is not None
    assert len(known.exchanges()) == 4
    assert (again.text, again.calls[0].content) == (first.text, first.calls[0].content)
    assert again.text == "From the other."


def test_it_holds_on_threads_that_a_person_starts_and_in_the_background(tmp_path: Path) -> None:
    with nba.recording(file(tmp_path), "extend"):
        asks(*ADDS)
    said: list[str] = []
    with nba.recording(file(tmp_path)):
        thread = threading.Thread(target=lambda: said.append(asks().text))
        thread.start()
        thread.join()
        run = nba.Agent(tools=[add]).start("What is 1 + 2?", log="memory")
    run.wait()
    assert [*said, run.text] == ["It is 3.", "It is 3."]


def test_a_model_of_its_own_recording_goes_its_own_way(tmp_path: Path) -> None:
    other = tmp_path / "other.recording.jsonl"
    with nba.recording(file(tmp_path), "extend"):
        model = nba.Recorded(nba.ScriptedModel(["Mine."]), other, "extend")
        nba.Agent(model=model).run("Hi", log="memory")
    assert other.exists()
    assert not file(tmp_path).exists()


def test_a_default_is_asked_last_and_off_turns_it_off(tmp_path: Path) -> None:
    lesson = setting_of(file(tmp_path), "extend")
    use_default(lambda: lesson)
    try:
        asks(*ADDS)
        with nba.recording(mode="off"):
            asks("Off.", prompt="Hi")
    finally:
        use_default(None)
    assert len(recording_at(file(tmp_path)).exchanges()) == 2


def test_a_text_is_replayed_like_a_file_and_is_only_for_reading(tmp_path: Path) -> None:
    with nba.recording(file(tmp_path), "extend"):
        asks(*ADDS)
    handed = Recording(TextLines(file(tmp_path).read_text(), name="embedded"))
    with nba.recording(handed):
        assert asks().text == "It is 3."
    with nba.recording(handed, "extend"), pytest.raises(RecordingError, match="only for reading"):
        asks("New.", prompt="New?")


def test_another_model_than_the_one_that_is_named_is_no_answer(tmp_path: Path) -> None:
    with nba.recording(file(tmp_path), "extend"):
        asks(*ADDS)
    with nba.recording(file(tmp_path)):
        agent = nba.Agent(model="offline", tools=[add])
        with pytest.raises(RecordingMiss, match="It has one of scripted, and 'offline' is asked"):
            agent.run("What is 1 + 2?", log="memory")


def test_extend_asks_no_offline_model_for_another_one_that_nobody_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with nba.recording(file(tmp_path), "extend"):
        asks(*ADDS)
        with pytest.raises(RecordingMiss, match="OPENAI_API_KEY"):
            asks(prompt="Another?")


def test_what_cannot_be_used_is_said_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"There is no recording .*extend"):
        nba.recording(file(tmp_path)).__enter__()
    with pytest.raises(ValueError, match="Did you mean 'refresh'"):
        nba.recording(file(tmp_path), "refesh")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="pace is 0"):
        nba.recording(file(tmp_path), pace=0)
    with pytest.raises(ValueError, match="is a folder"):
        nba.recording(tmp_path)
    with pytest.raises(ValueError, match="name a file"):
        nba.recording()


@pytest.mark.parametrize(
    ("pace", "waits"), [(None, []), (1.0, [0.1, 0.3, 0.4]), (4.0, [0.025, 0.075, 0.1])]
)
def test_the_pace_is_that_of_the_recording_or_so_many_times_faster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pace: float | None, waits: list[float]
) -> None:
    told = {
        "id": "a",
        "asked": [{"role": "user", "text": "Hi"}],
        "answer": {"text": "Hello."},
        "model": "m",
        "recorded": "2026-11-23T00:00:00Z",
        "take": "run-1",
        "pieces": [[100, "text", 3], [300, "text", 3], [400, "end", 0]],
    }
    file(tmp_path).write_text(f'{{"nbagents_recording": 1}}\n{json.dumps(told)}\n')
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("nbagents.recordings.recorded_model.asyncio.sleep", wait)
    monkeypatch.setattr("nbagents.recordings.recorded_model.time.monotonic", lambda: 0.0)
    model = nba.Recorded(None, file(tmp_path), pace=pace)
    request = nba.ModelRequest(messages=[UserMessage(text="Hi")])

    async def ask() -> list[str]:
        return [one.text async for one in model.stream(request) if isinstance(one, TextDelta)]

    assert asyncio.run(ask()) == ["Hel", "lo."]
    assert waited == pytest.approx(waits)


@pytest.mark.parametrize("error", [ConnectionError("down"), KeyboardInterrupt()])
def test_a_refresh_that_breaks_off_leaves_the_recording_as_it_was(
    tmp_path: Path, error: BaseException
) -> None:
    """Half of a new run takes the place of no whole one; where there is none, it stays."""

    def look(city: str) -> str:
        "Look."
        return city

    def breaks(_: object) -> str:
        raise error

    def refresh(path: Path) -> None:
        model = nba.ScriptedModel([call("look", city="Rome"), breaks])
        with nba.recording(path, mode="refresh"), pytest.raises(type(error)):
            nba.Agent(tools=[look], model=model).run("Go", log="memory")

    path = tmp_path / "lesson.recording.jsonl"
    with nba.recording(path, mode="extend"):
        model = nba.ScriptedModel([call("look", city="Oslo"), "Oslo it is."])
        nba.Agent(tools=[look], model=model).run("Go", log="memory")
    was = path.read_text(encoding="utf-8")
    refresh(path)
    assert path.read_text(encoding="utf-8") == was
    with nba.recording(path):
        assert nba.Agent(tools=[look]).run("Go", log="memory").text == "Oslo it is."
    refresh(new := tmp_path / "new.recording.jsonl")
    assert "Rome" in new.read_text(encoding="utf-8")
