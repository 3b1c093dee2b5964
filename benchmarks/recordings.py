"""What recordings cost: a refresh beside a live run, a replay beside a script, a hit among many."""

from __future__ import annotations

import asyncio
import contextlib
import json
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.measure import Spread, interleaved
from benchmarks.report import Bar
from benchmarks.script import PROMPT, TURNS
from benchmarks.workloads import ARUN, add
from nbagents.agents import Agent
from nbagents.messages import UserMessage
from nbagents.models.model import ModelRequest
from nbagents.models.scripted import ScriptedModel, call
from nbagents.recordings import Recorded, recording_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator

    from benchmarks.report import Report
    from benchmarks.workloads import Place
    from nbagents.models.model import Model, ModelPart

REFRESHED = "arun, recorded by refresh"
CALLS = 100
THINKING = "arun, a model that thinks for 20 ms"
THINKING_REFRESHED = "the same, recorded by refresh"
THOUGHT_S = 0.02
SCRIPTED = "the scripted model"
REPLAYED = "replayed"
EXCHANGES = 10_000
HITS = 200
Work = dict[str, "Callable[[], object]"]


class Thinking:
    """A model that answers after a while, as one of a provider does."""

    name = "thinking"

    def __init__(self, model: Model) -> None:
        self._model = model

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Wait, and answer."""
        await asyncio.sleep(THOUGHT_S)
        async for part in self._model.stream(request):
            yield part


@contextlib.contextmanager
def refresh_work(place: Place, folder: Path) -> Generator[Work]:
    """One run of `TURNS` turns that each call one tool, live and recorded."""
    run = place.loop.run
    live = place.agent("turns", "arun", add)
    path = folder / "refresh.recording.jsonl"
    thinks = Thinking(place.model("turns", "thinks"))
    recorded_thoughts = Thinking(place.model("turns", "thoughts"))
    others = folder / "thinking.recording.jsonl"

    def agent(model: Model) -> Agent:
        return Agent(name="bench", tools=[add], model=model, max_steps=10_000)

    recorded = agent(Recorded(place.model("turns", "refresh"), path, "refresh"))
    thinking, thinking_recorded = (
        agent(thinks),
        agent(Recorded(recorded_thoughts, others, "refresh")),
    )
    yield {
        ARUN: lambda: run(live.arun(PROMPT, log="memory")),
        REFRESHED: lambda: run(recorded.arun(PROMPT, log="memory")),
        THINKING: lambda: run(thinking.arun(PROMPT, log="memory")),
        THINKING_REFRESHED: lambda: run(thinking_recorded.arun(PROMPT, log="memory")),
    }
    written = sum('"answer"' in one for one in path.read_text().splitlines())
    if written != TURNS + 1:
        raise AssertionError(f"{written} exchanges were written, of {TURNS + 1}.")


@contextlib.contextmanager
def replay_work(folder: Path) -> Generator[Work]:
    """A run of `CALLS` calls, by a script and by a recording of it."""
    path = folder / "replay.recording.jsonl"

    def scripted() -> ScriptedModel:
        steps = [call("add", total=at, number=1) for at in range(CALLS)]
        return ScriptedModel([*steps, "Done."])

    def ran(model: Any, loop: asyncio.Runner) -> None:
        agent = Agent(name="bench", tools=[add], model=model, max_steps=10_000)
        made = loop.run(agent.arun(PROMPT, log="memory"))
        if len(made.calls) != CALLS:
            raise AssertionError(f"{len(made.calls)} calls, of {CALLS}.")

    with asyncio.Runner() as loop:
        ran(Recorded(scripted(), path, "extend"), loop)
        yield {
            SCRIPTED: lambda: ran(scripted(), loop),
            REPLAYED: lambda: ran(Recorded("scripted", path), loop),
        }


def hit_ms(folder: Path) -> list[float]:
    """How long it takes to have the answer to a question among `EXCHANGES`, each time."""
    path = folder / "many.recording.jsonl"
    prompts = [f"What is known of place {at}?" for at in range(EXCHANGES)]
    with path.open("w") as out:
        out.write('{"nbagents_recording": 1}\n')
        for at, prompt in enumerate(prompts):
            told = {
                "id": f"id-{at}",
                "asked": [{"role": "user", "text": prompt}],
                "answer": {"text": f"Much is known of place {at}."},
                "model": "bench",
                "recorded": "2026-11-23T00:00:00Z",
                "take": f"run-{at}",
            }
            out.write(json.dumps(told) + "\n")
    recording = recording_at(path)
    if len(recording.exchanges()) != EXCHANGES:
        raise AssertionError("Not all exchanges were read.")
    model = Recorded(None, recording)

    async def asked(prompt: str) -> float:
        began_s = time.perf_counter()
        parts = [
            one async for one in model.stream(ModelRequest(messages=[UserMessage(text=prompt)]))
        ]
        took_ms = (time.perf_counter() - began_s) * 1000
        if not parts:
            raise AssertionError("Nothing was answered.")
        return took_ms

    async def several() -> list[float]:
        step = EXCHANGES // HITS
        return [await asked(prompt) for prompt in prompts[::step]]

    return asyncio.run(several())


def report_costs(report: Report, place: Place, rounds: int) -> None:
    """Measure all of it."""
    with tempfile.TemporaryDirectory(prefix="nbagents-benchmarks-") as made:
        folder = Path(made)
        with refresh_work(place, folder) as work:
            timings = interleaved(work, rounds=rounds)
        title = f"{TURNS} turns of one tool call each, recorded"
        bars = {REFRESHED: Bar(1.05, ARUN), THINKING_REFRESHED: Bar(1.05, THINKING)}
        report.compare(title, timings, {ARUN: "x live"}, bars, ("turn", TURNS))
        with replay_work(folder) as work:
            timings = interleaved(work, rounds=rounds)
        bars = {REPLAYED: Bar(1.5, SCRIPTED)}
        report.compare(f"A run of {CALLS} calls", timings, {SCRIPTED: "x scripted"}, bars)
        spread = Spread(tuple(hit_ms(folder)))
    what = f"an answer among {EXCHANGES:,} exchanges, ms"
    rows = [[what, spread.text(3), report.verdict(what, spread.median, 1.0)]]
    report.show("A hit in a recording", ["", "ms", "bar"], rows)
