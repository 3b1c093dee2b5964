"""Tables, charts and maps from Python to the page, and notebooks that hold many runs."""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.browser.place import ThreadClock, notebook
from benchmarks.browser.trees import run_of
from nbagents.notebook.saved.bundle import frozen_bundle

if TYPE_CHECKING:
    from benchmarks.browser.place import Lab
    from tests.browser.lab_page import LabPage

__all__ = ["measure_notebooks", "measure_widgets"]

MAPS = 20
RUNS = 50
CALLS = 4
ROUNDS = 5

WIDGETS = [
    """
import json, time
import numpy, pandas
from nbagents.notebook.kinds.chart_view import ChartView
from nbagents_widgets.map_view import MapView
from nbagents.notebook.kinds.table_view import TableView
frame = pandas.DataFrame({"n": numpy.arange(100_000), "half": numpy.arange(100_000) / 2,
                          "word": [f"word {n % 977}" for n in range(100_000)]})
rows = [{"x": n, "y": n * n % 17} for n in range(50)]
spec = {"mark": "bar", "data": {"values": rows}, "encoding": {
    "x": {"field": "x", "type": "ordinal"}, "y": {"field": "y", "type": "quantitative"}}}
def show(make):
    at = time.time() * 1000
    display(make())
    print(json.dumps(at))
""",
    "show(lambda: TableView(frame))",
    "show(lambda: ChartView(spec))",
    "show(lambda: ChartView({**spec, 'mark': 'line'}))",
    f"for n in range({MAPS}): display(MapView(lon=n * 9 - 90, zoom=3))",
]

SEEN = """([index, selector]) => new Promise(done => {
  const now = () => performance.timeOrigin + performance.now();
  const cell = () => document.querySelector(`.jp-Cell[data-windowed-list-index='${index}']`);
  const look = () => {
    if (!cell()?.querySelector(selector)) return requestAnimationFrame(look);
    setTimeout(() => done(now()));
  };
  look();
})"""


def measure_widgets(lab: Lab) -> dict[str, float]:
    """From `display` in Python to what is painted."""
    tab = lab.opened("widgets.ipynb", WIDGETS)
    errors: list[str] = []
    tab.page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    tab.run_to_end(0)
    found = {
        "table ms": _until(tab, 1, "tbody td, [role=cell]"),
        "first chart ms": _until(tab, 2, ".nba-chart svg"),
    }
    clock = ThreadClock(tab.page, "TaskDuration")
    before = clock.ms()
    found["next chart ms"] = _until(tab, 3, ".nba-chart svg")
    found["next chart, CPU of the page with its cell ms"] = clock.ms() - before
    tab.run_to_end(4)
    maps = tab.page.locator(".nba-map")
    for number in range(maps.count()):
        maps.nth(number).scroll_into_view_if_needed()
    found["maps"] = maps.count()
    found["errors on the page"] = len(errors)
    tab.page.context.close()
    assert found["maps"] == MAPS, found["maps"]
    return found


def _until(tab: LabPage, index: int, selector: str) -> float:
    tab.page.evaluate(f"() => {{ window.shown = ({SEEN})([{index}, {json.dumps(selector)}]) }}")
    tab.run_to_end(index)
    shown: float = tab.page.evaluate("window.shown")
    return shown - float(tab.printed(index))


OPEN = """async ([app, path, drawn]) => {
  const kernelPreference = {shouldStart: false, canStart: false, autoStartDefault: false};
  const began = performance.now();
  const widget = await window[app].commands.execute("docmanager:open", {path, kernelPreference});
  await widget.context.ready;
  await new Promise(done => {
    const look = () => {
      const outputs = [...widget.node.querySelectorAll(".jp-OutputArea-output")];
      const inSight = outputs.filter(one => one.getBoundingClientRect().top < innerHeight);
      const ready = inSight.length > 1 && inSight.every(one => one.querySelector(drawn));
      if (ready) requestAnimationFrame(() => setTimeout(done));
      else requestAnimationFrame(look);
    };
    look();
  });
  const took = performance.now() - began;
  widget.close();
  return took;
}"""
"""Milliseconds until all outputs in sight are drawn."""

DRAWN = {"runs": ".nba-card", "plain": "pre", "html": "pre, .jp-RenderedHTML"}


FROM_ADDRESS = """drawn => {
  const outputs = [...document.querySelectorAll(".jp-NotebookPanel .jp-OutputArea-output")];
  const inSight = outputs.filter(one => one.getBoundingClientRect().top < innerHeight);
  const ready = inSight.length && inSight.every(one => one.querySelector(drawn));
  return ready ? performance.now() : 0;
}"""
"""Milliseconds since the page began to load, once all outputs in sight are drawn."""


def measure_notebooks(lab: Lab) -> dict[str, float]:
    """How long a notebook of 50 saved runs takes to open, against one of plain texts.

    From its address, in a browser that has seen nothing yet; and in an open JupyterLab. There
    also against the HTML that the runs have, shown by JupyterLab without us: its table of contents
    reads the HTML of all outputs when a notebook opens, in whatever form they are shown.
    """
    run = run_of(CALLS)
    bundle = frozen_bundle(run.tree(), run.id)
    text = {"text/plain": bundle["text/plain"]}
    html = {**text, "text/html": bundle["text/html"]}
    for name, data in (("runs", bundle), ("plain", text), ("html", html)):
        _write(lab, name, data)
    address = [
        {name: _from_address(lab, name) for name in ("runs", "plain")} for _ in range(ROUNDS)
    ]
    inside = [{name: _inside(lab, name) for name in DRAWN} for _ in range(ROUNDS)]
    wall = [{name: one.wall_ms for name, one in row.items()} for row in inside]
    cpu = [{name: one.cpu_ms for name, one in row.items()} for row in inside]
    return {
        **_compared(address, "from the address", "ms"),
        **_compared(wall, "in an open JupyterLab", "ms"),
        **_compared(cpu, "in an open JupyterLab, CPU", "ms of CPU"),
        "their HTML without us / plain text, CPU": _ratio(cpu, "html"),
    }


def _compared(rows: list[dict[str, float]], where: str, unit: str) -> dict[str, float]:
    runs, plain = (statistics.median(row[name] for row in rows) for name in ("runs", "plain"))
    return {
        f"50 runs {where}, {unit}": runs,
        f"plain text {where}, {unit}": plain,
        f"50 runs / plain text, {where}": _ratio(rows, "runs"),
    }


def _ratio(rows: list[dict[str, float]], name: str) -> float:
    return statistics.median(row[name] / row["plain"] for row in rows)


def _from_address(lab: Lab, name: str) -> float:
    tab = lab.tab()
    tab.page.goto(f"{lab.url}/lab/tree/{name}.ipynb?reset", wait_until="commit")
    shown = tab.page.wait_for_function(FROM_ADDRESS, arg=DRAWN[name], polling="raf")
    took: float = shown.json_value()
    tab.page.context.close()
    return took


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What it took to open a notebook until what is in sight was drawn."""

    wall_ms: float
    cpu_ms: float


def _inside(lab: Lab, name: str) -> Opening:
    """The first notebook of a page that is there already: our view is still to be read."""
    tab = lab.tab()
    tab.page.goto(f"{lab.url}/lab?reset", wait_until="domcontentloaded")
    tab.page.wait_for_function("!!window.jupyterapp?.shell")
    tab.page.evaluate("window.jupyterapp.restored.then(() => null)")
    tab.page.wait_for_timeout(1500)
    clock = ThreadClock(tab.page, "TaskDuration")
    before = clock.ms()
    took: float = tab.page.evaluate(OPEN, ["jupyterapp", f"{name}.ipynb", DRAWN[name]])
    spent = clock.ms() - before
    tab.page.context.close()
    return Opening(wall_ms=took, cpu_ms=spent)


def _write(lab: Lab, name: str, data: dict[str, Any]) -> None:
    output = {"output_type": "display_data", "data": data, "metadata": {}}
    made = notebook([f"%agent question {n}" for n in range(RUNS)], [[output]] * RUNS)
    (lab.folder / f"{name}.ipynb").write_text(json.dumps(made), encoding="utf-8")
