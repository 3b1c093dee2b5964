"""A catalogue in JupyterLab: searched in the kernel, opened, kept; AnyTool's pool as it fills."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.axe import AXE, CHECK

if TYPE_CHECKING:
    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

CELLS = {
    "show": """
        %load_ext nbagents
        import nbagents as nba
        from nbagents.catalogue import SAMPLE
        catalogue = nba.Catalogue(SAMPLE, cache=False)
        catalogue
        """,
    "pool": """
        def tide_table(harbour: str, date: str = "today") -> str:
            "Times and heights of high and low water in a harbour."
            return f"High water in {harbour}: 06:12 and 18:40."

        catalogue.add(tide_table, category="Sea", tool="Harbour Office")
        run = nba.AnyTool(catalogue, model="offline", pool_size=24, seed=0).run(
            "When is high water in the harbour of Bergen?"
        )
        """,
}
SHOW, POOL = range(2)


def search_by_hand(tab: LabPage) -> None:
    """The kernel finds; a hit says why it is one, and opens."""
    table = tab.cell(SHOW).locator(".nba-cat")
    expect(table.locator(".nba-cat-head")).to_contain_text("97 APIs · 26 tools · 15 categories")
    table.get_by_role("button", name="Weather").click()
    expect(table.locator("[role=status]")).to_have_text("2 tools")
    table.get_by_role("button", name="All categories").click()
    box = table.locator("input")
    box.fill("when is high water in the harbour")
    first = table.locator(".nba-cat-row").first
    expect(first.locator(".nba-cat-name")).to_have_text("tide_office__tide_table")
    expect(first.locator(".nba-cat-words")).to_contain_text("harbour: description")
    first.locator(".nba-cat-open").click()
    detail = table.locator(".nba-cat-detail")
    expect(detail).to_contain_text('await apis.tide_office__tide_table(harbour="…")')
    box.press("d")  # a letter of the box, and no command of the notebook
    box.press("Backspace")
    tab.shoot("catalogue", table)
    assert table.evaluate(CHECK) == []


def look_at_what_is_kept(tab: LabPage) -> None:
    """Without a kernel the rows are there, and no box that nobody would answer."""
    tab.shut_down_kernel()
    table = tab.cell(SHOW).locator(".nba-cat[data-live=false]")
    expect(table).to_contain_text("97 APIs")
    expect(table.locator("input")).to_have_count(0)
    tab.shoot("catalogue-saved", table)


def test_a_catalogue_is_searched_and_its_pool_is_seen(write_notebook: Write, new_tab: Tab) -> None:
    write_notebook("catalogue.ipynb", [dedent(source).strip() for source in CELLS.values()])
    tab = new_tab()
    tab.open("catalogue.ipynb")
    tab.page.add_script_tag(path=AXE)
    tab.run_to_end(SHOW)
    search_by_hand(tab)
    tab.run_to_end(POOL)
    tab.wait_for_saved(POOL)
    tab.show(POOL)
    pool = tab.cell(POOL).locator(".nba-pool").last
    expect(pool).to_contain_text("of 24 APIs")
    expect(pool.locator("[data-new=true]").first).to_be_visible()
    assert pool.evaluate(CHECK) == []
    tab.shoot("pool", tab.cell(POOL).locator(".nba-run"))
    look_at_what_is_kept(tab)
