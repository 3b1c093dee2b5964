"""Events at full speed while another widget floods the channel, clicks in a busy cell, commands."""

from __future__ import annotations

import json
import statistics
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.browser.place import Lab

__all__ = ["measure_clicks", "measure_commands", "measure_events"]

CLICKS = 40
COMMANDS = 40

EVENTS = [
    """
import json, threading, time
import anywidget
from nbagents_widgets.run_view import RunView
from nbagents.events import RunStart, ToolStart, ToolUpdate
from nbagents.notebook.markup.long_arguments import FOR_PAGE
from nbagents.runs.tree.folding import TreeFold
from nbagents.runs.tree.patches import TreePatches

N, BATCH_S = 10_000, 0.04
STAMP = {"at": 1.7e9, "event_key": "k", "session_id": "s", "turn_id": "t", "run_id": "r",
         "parent_run_id": None, "parent_tool_call_id": None, "labels": {}}
CALL = {"tool_call_id": "c", "tool_name": "count"}
START = RunStart(**STAMP, seq=0, agent_name="a", model="m", tools=())
BEGIN = ToolStart(**STAMP, **CALL, seq=1, arguments={})

def update(number):
    return ToolUpdate(**STAMP, **CALL, seq=number + 2, message=f"event {number} of {N}")

events = [update(number) for number in range(N)]
told = [event.model_dump(mode="json") for event in events]

class Shown:
    "A run as a screen shows it: each event is folded and marked, each beat tells what changed."
    def __init__(self):
        self.view, self.fold, self.patches = RunView(), TreeFold(), TreePatches(FOR_PAGE)
        display(self.view)
        self.feed(START, BEGIN)
        self.flush()
    def feed(self, *events):
        for event in events:
            self.fold.apply(event)
            self.patches.mark(event)
    def flush(self):
        self.view.feed(self.patches.take(self.fold.tree))
        self.view.flush()

class Bare(anywidget.AnyWidget):
    _esm = "export default {}"

def flood(end, rate):
    "Send this many messages a second from another widget."
    noise, began, sent = Bare(), time.monotonic(), 0
    display(noise)
    while not end.is_set():
        while sent < (time.monotonic() - began) * rate:
            noise.send({"noise": "x" * 100})
            sent += 1
        time.sleep(0.002)

def batched(feed, flush):
    "Feed as fast as it goes, flush every 40 ms; CPU seconds of this thread."
    began, last = time.thread_time(), time.monotonic()
    for number in range(0, N, 10):
        feed(number, number + 10)
        time.sleep(0.0005)
        if time.monotonic() - last >= BATCH_S:
            flush()
            last = time.monotonic()
    flush()
    return time.thread_time() - began
""",
    "shown = Shown()",
    """
end = threading.Event()
flooding = threading.Thread(target=flood, args=(end, RATE)); flooding.start()
ours = batched(lambda at, to: shown.feed(*events[at:to]), shown.flush)
last_at = time.time()
for beat in range(100):  # a run's beat goes on: it tells how far the list goes
    shown.flush(); time.sleep(BATCH_S)
    if beat == FLOODED: end.set(); flooding.join()
""",
    """
bare = Bare(); waiting = []
def send():
    bare.send({"type": "events", "from": 0, "events": waiting[:], "idle_ms": 0}); waiting.clear()
def keep(at, to):
    waiting.extend(told[at:to])
ratios = [ours / batched(keep, send)]
for _ in range(4):
    other = Shown()
    cost = batched(lambda at, to: other.feed(*events[at:to]), other.flush)
    ratios.append(cost / batched(keep, send))
print(json.dumps({"ratio": sorted(ratios)[2], "last_at": last_at}))
""",
]

WATCH = """last => {
  const look = () => {
    const said = document.querySelector(".nba-activity")?.textContent ?? "";
    if (said.includes(last) && !window.drawnAt) {
      requestAnimationFrame(() => { window.drawnAt = Date.now(); });
    }
  };
  const all = {subtree: true, childList: true, characterData: true};
  new MutationObserver(look).observe(document.body, all);
}"""


FLOODS = {"below": (800, 99), "above": (5_000, 0)}
"""Messages a second of the other widget, and after how many beats it stops: below what Jupyter's
server lets pass (1,000 a second), and above, where the server drops everybody's messages for a
while: then the last event counts from when the flood has ended."""


def measure_events(lab: Lab) -> dict[str, float]:
    """How late the last event is drawn, and what sending costs against bare batches."""
    found: dict[str, float] = {}
    for name, (rate, beats) in FLOODS.items():
        late_ms, cpu = _flooded(lab, name, f"RATE, FLOODED = {rate}, {beats}")
        found[f"last drawn after ms, flood {name} the limit"] = late_ms
        found[f"kernel CPU, flood {name} the limit"] = cpu
    return found


def _flooded(lab: Lab, name: str, setting: str) -> tuple[float, float]:
    """None is lost: else this would wait for ever."""
    tab = lab.opened(f"events-{name}.ipynb", [f"{setting}\n{EVENTS[0]}", *EVENTS[1:]])
    tab.run_to_end(0)
    tab.run_to_end(1)
    tab.page.wait_for_selector(".nba-call")
    tab.page.evaluate(WATCH, "event 9999 of")
    tab.run_to_end(2)
    tab.page.wait_for_function("window.drawnAt")
    tab.run_to_end(3)
    said = json.loads(tab.printed(3))
    late_ms: float = tab.page.evaluate("window.drawnAt") - said["last_at"] * 1000
    tab.page.context.close()
    return late_ms, said["ratio"]


CLICKING = [
    """
import time
import anywidget
import nbagents as nba
from nbagents.models.scripted import ScriptedModel
from nbagents.messages import CallRequest
from nbagents.models.model import ModelTurn

heard = []

class Button(anywidget.AnyWidget):
    _esm = '''export default { render({ model, el }) {
      const button = document.createElement("button");
      button.textContent = "Measure"; button.className = "measured";
      button.onclick = () => model.send({ at: performance.timeOrigin + performance.now() });
      el.append(button);
    } }'''

button = Button()
button.on_msg(lambda _, content, buffers: heard.append(time.time() * 1000 - content["at"]))
from nbagents_widgets.frontend import keep_own_subshell
keep_own_subshell(button.comm)
done = []

async def wait() -> str:
    "Wait."
    import asyncio
    while not done:
        await asyncio.sleep(0.01)
    return "waited"

steps = [ModelTurn(calls=(CallRequest(id="c", name="wait", arguments="{}"),)), ModelTurn(text="ok")]
agent = nba.Agent(tools=[wait], model=ScriptedModel(steps))
""",
    "%load_ext nbagents",
    "button",
    """
button.on_msg(lambda _, content, buffers: done.append(1) if len(heard) >= 40 else None)
run = agent.run("wait")
""",
    "import json; print(json.dumps(heard))",
]


def measure_clicks(lab: Lab) -> dict[str, float]:
    """From a click in the page to Python, while a run keeps the cell busy."""
    tab = lab.opened("clicks.ipynb", CLICKING)
    for index in range(3):
        tab.run_to_end(index)
    tab.run_cell(3)
    tab.page.wait_for_selector(".nba-call[data-status=running]")
    for _ in range(CLICKS):
        tab.page.locator(".measured").click()
        tab.page.wait_for_timeout(37)  # no multiple of how often clicks are looked for
    tab.wait_for_end(3)
    tab.run_to_end(4)
    heard_ms: list[float] = json.loads(tab.printed(4))
    tab.page.context.close()
    return _spread(heard_ms)


COMMANDING = [
    "import json, time\nfrom nbagents_widgets.map_view import MapView\nview = MapView()",
    "view",
    """
sent = {}
for number in range(40):
    lon = round(-60 + number * 3 + 0.25, 2)
    sent[lon] = time.time() * 1000
    view.set_center(lon, 10, 3)
    time.sleep(0.08)
print(json.dumps(sent))
""",
]

WATCH_MAP = """() => {
  window.seen = {};
  const box = document.querySelector(".nba-map");
  new MutationObserver(() => {
    const found = /([\\d.]+)° ([EW])/.exec(box.ariaLabel);
    const lon = Number(found[1]) * (found[2] === "W" ? -1 : 1);
    window.seen[lon] ??= performance.timeOrigin + performance.now();
  }).observe(box, {attributes: true, attributeFilter: ["aria-label"]});
}"""


def measure_commands(lab: Lab) -> dict[str, float]:
    """From `set_center` in Python to the map on the page."""
    tab = lab.opened("commands.ipynb", COMMANDING)
    tab.run_to_end(0)
    tab.run_to_end(1)
    tab.page.wait_for_selector(".nba-map")
    tab.page.wait_for_timeout(500)
    tab.page.evaluate(WATCH_MAP)
    tab.run_to_end(2)
    sent = {float(lon): at for lon, at in json.loads(tab.printed(2)).items()}
    seen: dict[str, float] = tab.page.evaluate("window.seen")
    took = [at - sent[float(lon)] for lon, at in seen.items() if float(lon) in sent]
    tab.page.context.close()
    assert len(took) > COMMANDS * 0.9, f"{len(took)} of {COMMANDS} commands were seen"
    return _spread(took)


def _spread(values_ms: list[float]) -> dict[str, float]:
    ordered = sorted(values_ms)
    return {"median ms": statistics.median(ordered), "most ms": ordered[-1], "n": len(ordered)}
