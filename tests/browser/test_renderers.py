"""A renderer of one's own in JupyterLab: twenty lines draw a die, a click reaches the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

LOAD = "%load_ext nbagents\nimport asyncio\nimport nbagents as nba\nfrom nbagents import ui"
RENDERER = '''
from nbagents.notebook.kinds.renderers import renderer
rolled = []
DICE = """
export function render({ el, value, emit }) {
  const die = document.createElement("button");
  const show = ({ eyes }) => {
    die.textContent = "⚀⚁⚂⚃⚄⚅"[eyes - 1];
    die.setAttribute("aria-label", `${eyes} eyes. Roll again`);
  };
  die.style.cssText = "font-size:40px;line-height:1";
  die.onclick = () => {
    const eyes = 6;
    show({ eyes });
    emit({ eyes });
  };
  el.append(die);
  show(value);
  return { update: show };
}
"""

def take(event):
    rolled.append(event.value["eyes"])
    return f"The person rolled a {event.value['eyes']}."

renderer("die", esm=DICE, static=lambda value: f"A die that shows {value['eyes']}.", on_emit=take)
'''
TOOL = '''
%%tool
async def roll(ctx: nba.Context) -> str:
    """Let the person roll a die, twice."""
    before = len(rolled)
    die = ctx.show({"kind": "die", "eyes": 1})
    bar = ctx.show(ui.progress(0, 2, label="Rolls"))
    for number in (1, 2):
        while len(rolled) < before + number:
            await asyncio.sleep(0.02)
        ctx.update_data(bar, ui.progress(number, 2, label="Rolls"))
    ctx.update_data(die, {"kind": "die", "eyes": 4})
    return "The die was rolled."
'''
ASK = """
from nbagents.models.scripted import call
def told(request):
    return "I was told: " + " ".join(one.text for one in request.messages if one.role == "user")
def guide():
    return nba.Agent("guide", tools=[roll], model=nba.ScriptedModel([call("roll"), told]))
"""
AWAITED = f"{ASK}\nrun = await guide().arun('Play.')"
BLOCKING = f"{ASK}\nrun = guide().run('Play again.')"
WATCH = """
bar => {
  window.bars = [];
  window.bar = bar;
  new MutationObserver(() => window.bars.push(bar.value * 2)).observe(bar, { attributes: true });
}
"""


def test_a_click_in_a_renderer_reaches_python_and_the_model(
    write_notebook: Write, new_tab: Tab
) -> None:
    write_notebook("dice.ipynb", [LOAD, RENDERER, TOOL.strip(), AWAITED, BLOCKING])
    tab = new_tab()
    tab.open("dice.ipynb")
    for index in range(3):
        tab.run_to_end(index)
        assert tab.errors(index) == []
    for index in (3, 4):
        roll_twice(tab, index)
        said = "I was told: Play" + (" again." if index == 4 else ".")
        expect(shown(tab, index)).to_contain_text(f"{said} The person rolled a 6.")
    tab.shoot("renderer", shown(tab, 4))
    tab.save()
    tab.shut_down_kernel()
    tab.page.close()
    look_without_a_kernel(new_tab())


def roll_twice(tab: LabPage, index: int) -> None:
    """Click twice while the call runs; each click moves the bar on, which stays the same one."""
    tab.run_cell(index)
    output = shown(tab, index)
    die = output.get_by_role("button", name="1 eyes. Roll again")
    expect(die).to_be_visible()
    output.locator("progress").evaluate(WATCH)
    die.click()
    expect(output.get_by_text("Rolls: 1 of 2 (50%)")).to_be_visible()
    output.get_by_role("button", name="6 eyes. Roll again").click()
    tab.wait_for_end(index)
    assert tab.errors(index) == []
    seen = tab.page.evaluate("window.bars")
    assert seen[0] == 1
    assert seen == sorted(seen)


def look_without_a_kernel(tab: LabPage) -> None:
    """Reopened, both runs show what the static form said of the last payload."""
    tab.open_without_kernel("dice.ipynb")
    for index in (3, 4):
        tab.show(index)
        expect(shown(tab, index)).to_contain_text("A die that shows 4.")
        expect(shown(tab, index)).to_contain_text("Rolls: 2 of 2 (100%)")
    tab.shoot("renderer-reopened", shown(tab, 4))


def shown(tab: LabPage, index: int) -> Locator:
    """A cell's output."""
    return tab.cell(index).locator(".jp-OutputArea").first
