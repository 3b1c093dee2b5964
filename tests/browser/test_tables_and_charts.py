"""Tables and charts in JupyterLab: live while a cell runs, drawn offline, and kept."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

pytest.importorskip("altair")
pytest.importorskip("pandas")

CELLS = {
    "load": """
        %load_ext nbagents
        import asyncio, time
        import altair as alt, numpy as np, pandas as pd
        import nbagents as nba
        from nbagents.models.scripted import call
        from nbagents import ChartView
        from nbagents import TableView

        rows, random = 100_000, np.random.default_rng(1)
        long = "calm weather with a little rain, as so often " * 9
        frame = pd.DataFrame({
            "id": range(rows),
            "city": random.choice(["Oslo", "Quito", "Reykjavík"], rows),
            "celsius": random.normal(9, 8, rows).round(2),
            "measured": pd.date_range("2024-01-01", periods=rows, freq="min"),
            "note": [None if n % 5 else long for n in range(rows)],
        })
        mm = [52, 41, 48, 43, 51, 70, 82, 95, 83, 84, 71, 60]
        months = pd.DataFrame({"month": [*range(1, 13)] * 2, "mm": [*mm, *[160 - m for m in mm]],
                               "city": ["Oslo"] * 12 + ["Quito"] * 12})
        """,
    "run": """
        def measured() -> pd.DataFrame:
            return frame

        def rain() -> alt.Chart:
            chart = alt.Chart(months, title="Rain by month").mark_line(point=True)
            return chart.encode(x="month", y="mm", color="city")

        def greedy(ctx: nba.Context) -> str:
            spec = {"data": {"url": "https://charts.example/a.csv"}, "mark": "bar"}
            ctx.show({"kind": "chart", "spec": spec})
            return "shown"

        async def look_at_it() -> str:
            await asyncio.sleep(600)
            return "seen"

        model = nba.ScriptedModel(
            [[call("measured"), call("rain"), call("greedy")], call("look_at_it")]
        )
        agent = nba.Agent("guide", model=model, tools=[measured, rain, greedy, look_at_it])
        run = agent.run("The weather, please.")
        """,
    "table": "TableView(frame, title='Weather')",
    "chart": """
        chart = alt.Chart(months, title="Rain by month").mark_line(point=True)
        ChartView(chart.encode(x="month:O", y="mm", color="city"))
        """,
    "busy": "time.sleep(600)",
}
RUN = list(CELLS).index("run")


def outside(tab: LabPage) -> list[str]:
    """The addresses beyond this machine that the page asks for, as it goes on."""
    asked: list[str] = []

    def hear(url: str) -> None:
        if not re.match(r"(https?|wss?)://127\.0\.0\.1[:/]|data:|blob:", url):
            asked.append(url)

    tab.page.on("request", lambda request: hear(request.url))
    return asked


def first(table: Locator, column: int) -> Locator:
    return table.locator("tbody tr").first.locator("td").nth(column)


def sort(table: Locator, name: str, order: str) -> None:
    """Click the head of a column, and wait until the rows are in this order."""
    head = table.locator("thead th", has_text=name)
    head.locator("button").click()
    expect(head).to_have_attribute("aria-sort", order)


def sort_and_page(table: Locator) -> None:
    """All rows can be had, by any order."""
    status = table.locator(".nba-grid-pager [role=status]")
    expect(status).to_have_text("Rows 1–50 of 100,000")
    sort(table, "celsius", "ascending")
    sort(table, "celsius", "descending")
    hottest = first(table, 2).inner_text()
    table.get_by_label("Last rows").click()
    expect(table.locator(".nba-grid-pager [role=status]")).to_have_text(
        "Rows 99,951–100,000 of 100,000"
    )
    assert float(first(table, 2).inner_text()) < -15 < 35 < float(hottest)
    table.get_by_label("Go to row").fill("1")
    table.get_by_label("Go to row").press("Enter")
    sort(table, "note", "ascending")
    table.get_by_label("Whole text").first.click()
    expect(table.locator(".nba-grid-whole")).to_contain_text("calm weather with a little rain")


def look_at_charts(charts: Locator) -> None:
    """A chart answers the pointer; what another would have fetched is said."""
    expect(charts.nth(0).locator("svg")).to_contain_text("Rain by month")
    expect(charts.nth(1)).to_contain_text("Not fetched")
    charts.nth(0).locator("svg .mark-symbol path").first.hover()
    expect(charts.nth(0).locator(".nba-chart-tip")).to_contain_text("month")


def check_what_is_kept(tab: LabPage) -> None:
    """The picture that the page drew, and the first rows."""
    (output,) = (one for one in tab.outputs(RUN) if "text/html" in one.get("data", {}))
    saved = "".join(output["data"]["text/html"])
    assert 'src="data:image/svg+xml;base64,' in saved
    assert "50 of 100,000 rows" in saved


def page_on_after_the_run(tab: LabPage) -> None:
    """The saved run has all rows while its kernel lives; then it says what it has."""
    table = tab.cell(RUN).locator(".nba-grid")
    status = table.locator(".nba-grid-pager [role=status]")
    expect(status).to_have_text("Rows 1–50 of 100,000")
    table.get_by_label("Filter rows").fill("oslo celsius>30")
    expect(table.locator(".nba-grid-bar [role=status]")).to_contain_text("of 100,000 rows")
    table.get_by_label("Filter rows").fill("")
    expect(status).to_have_text("Rows 1–50 of 100,000")
    table.get_by_label("Go to row").fill("57000")
    table.get_by_label("Go to row").press("Enter")
    expect(table.locator("tr[aria-rowindex='57001'] [data-active]")).to_be_focused()
    tab.page.keyboard.press("Shift+ArrowUp")
    expect(table.get_by_text("Cells in 2 rows selected")).to_be_visible()
    tab.shut_down_kernel()
    expect(table).to_contain_text("These 50 rows are what was saved")


def test_tables_and_charts_are_live_offline_and_kept(write_notebook: Write, new_tab: Tab) -> None:
    write_notebook("weather.ipynb", [dedent(source).strip() for source in CELLS.values()])
    tab = new_tab()
    tab.open("weather.ipynb")
    asked = outside(tab)
    tab.run_to_end(0)
    tab.run_cell(RUN)
    view = tab.cell(RUN).locator(".nba-run")
    sort_and_page(view.locator(".nba-grid"))
    look_at_charts(view.locator(".nba-chart"))
    tab.wait_for_kernel("busy")  # the page says idle for a moment after each of its messages
    tab.shoot("run-with-table-and-chart", tab.cell(RUN))
    view.get_by_role("button", name="Stop", exact=True).click()
    tab.wait_for_end(RUN)
    check_what_is_kept(tab)
    page_on_after_the_run(tab)
    assert asked == []


def test_views_of_ones_own_stay_live_over_cells(write_notebook: Write, new_tab: Tab) -> None:
    names = ("load", "table", "chart", "busy")
    write_notebook("views.ipynb", [dedent(CELLS[name]).strip() for name in names])
    tab = new_tab()
    tab.open("views.ipynb")
    asked = outside(tab)
    for index in range(3):
        tab.run_to_end(index)
    tab.run_cell(3)
    tab.show(1)
    table, chart = tab.cell(1).locator(".nba-grid"), tab.cell(2).locator(".nba-chart")
    sort(table, "id", "ascending")
    sort(table, "id", "descending")
    expect(first(table, 0)).to_have_text("99999")
    assert tab.execution_counts()[3] is None  # the cell runs; each widget message says idle
    tab.interrupt()
    tab.shoot("table", table)
    tab.show(2)
    expect(chart.locator("svg .mark-line path").first).to_be_visible()
    tab.shoot("chart", chart)
    assert asked == []
