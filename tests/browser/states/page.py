"""A page that shows one state after the other, as JupyterLab or as a bare host would."""

from __future__ import annotations

import base64
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from playwright.sync_api import FloatRect

from tests.browser.axe import AXE, CHECK
from tests.browser.bare import bare_page, watched

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from playwright.sync_api import Browser, Page

    from tests.browser.states.state import State
    from tests.browser.watch import Watch

__all__ = ["THEMES", "StatesPage", "Theme", "states_page"]

HERE = Path(__file__).parent
FONTS = {
    ("States", 400): "DejaVuSans",
    ("States", 700): "DejaVuSans-Bold",
    ("States Mono", 400): "DejaVuSansMono",
}
LAB = Path(sys.prefix) / "share" / "jupyter" / "lab" / "themes" / "@jupyterlab"

Theme = Literal["lab-light", "lab-dark", "bare-light", "bare-dark", "forced"]
THEMES: tuple[Theme, ...] = ("lab-light", "lab-dark", "bare-light", "bare-dark", "forced")
"""JupyterLab's own, those of a host that sets no variable, and colours that the system forces."""

OURS = """
html { --jp-content-font-family: States; --jp-code-font-family: "States Mono";
  --vscode-font-family: States; --vscode-editor-font-family: "States Mono"; }
html[data-host] { font-family: States; }
html[data-host^="bare"] { color-scheme: light dark; }
html[data-host^="lab"] { background: var(--jp-layout-color1); }
html[data-host^="lab"] { color: var(--jp-content-font-color1); }
html[data-host="lab-light"] { color-scheme: light; }
html[data-host="lab-dark"] { color-scheme: dark; }
body { margin: 0 8px; font-size: 14px; }
.shown { display: flow-root; box-sizing: border-box; font-size: 14px; }
"""
STILL = "performance.now = () => 1000;"
"""Times that go on are those of the last event."""


@dataclass(frozen=True)
class StatesPage:
    """The page: it shows a state, and is asked what it sees of it (Any: JSON).

    Args:
        page: The browser's page.
        watch: What it does that nobody asked it to.
    """

    page: Page
    watch: Watch

    def show(self, state: State, width_px: int) -> None:
        """Show a state alone, and wait until it stands still."""
        self.page.evaluate("([told, width]) => states.show(told, width)", [state.told, width_px])

    def use(self, theme: Theme) -> None:
        """Be a host of this theme."""
        shade = "dark" if theme.endswith("dark") else "light"
        forced = "active" if theme == "forced" else "none"
        self.page.emulate_media(color_scheme=shade, forced_colors=forced, reduced_motion="reduce")
        self.page.evaluate("name => states.theme(name)", theme)

    def asked(self, what: str) -> Any:
        """What one of the page's own measures says."""
        return self.page.evaluate(f"states.{what}()")

    def violations(self, *rules: str) -> list[str]:
        """What axe-core finds, by all of its rules or by these."""
        return self.page.locator(".shown").evaluate(CHECK, rules)

    def picture(self, *, margin_px: int = 0) -> bytes:
        """The state as it is seen."""
        box = self.page.locator(".shown").bounding_box()
        assert box is not None
        clip = FloatRect(
            x=max(0, box["x"] - margin_px),
            y=max(0, box["y"] - margin_px),
            width=box["width"] + 2 * margin_px,
            height=box["height"] + 2 * margin_px,
        )
        return self.page.screenshot(full_page=True, clip=clip, animations="disabled")


@contextmanager
def states_page(browser: Browser, *, with_axe: bool = False) -> Generator[StatesPage]:
    """Open the page, which has fetched all modules that it will need."""
    watch = watched(browser)
    watch.context.add_init_script(STILL)
    page = bare_page(watch)
    page.set_viewport_size({"width": 1320, "height": 900})
    page.add_style_tag(content="\n".join([*fonts(), *themes(), OURS]))
    page.add_script_tag(path=HERE / "page.js")
    if with_axe:
        page.add_script_tag(path=AXE)
    page.evaluate("() => Promise.all([...document.fonts].map((one) => one.load()))")
    yield StatesPage(page, watch)
    watch.close()


def fonts() -> Sequence[str]:
    """The fonts of the tests, which are the same on every machine."""
    return [
        f"@font-face {{ font-family: '{family}'; font-weight: {weight};"
        f" src: url(data:font/woff;base64,{encoded(name)}); }}"
        for (family, weight), name in FONTS.items()
    ]


def encoded(name: str) -> str:
    """A font as text."""
    return base64.b64encode((HERE / "fonts" / f"{name}.woff").read_bytes()).decode()


def themes() -> Sequence[str]:
    """What JupyterLab's two themes set, each where it is used; without their own fonts."""
    return [theme_of(shade) for shade in ("light", "dark")]


def theme_of(shade: str) -> str:
    """The variables of one of JupyterLab's themes."""
    sheet = (LAB / f"theme-{shade}-extension" / "index.css").read_text(encoding="utf-8")
    rules = re.findall(r":root\s*\{[^}]*\}", sheet)
    without_fonts = re.sub(r"--jp-(content|code)-font-family:[^;}]*;?", "", "\n".join(rules))
    return without_fonts.replace(":root", f"html[data-host='lab-{shade}']")
