"""One notebook in JupyterLab, driven through the application itself: no guessing from CSS.

JupyterLab is started with `--expose-app-in-browser`, so commands, kernel status and the shared
notebook model can be asked for what they know.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from tests.browser.saved import VIEW_MIME

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

APP = "window.jupyterapp"
NOTEBOOK = f"{APP}.shell.currentWidget"
KERNEL_STATUS = f"({NOTEBOOK}?.sessionContext?.session?.kernel?.status ?? 'none')"
CLOSE_ALL = f"() => {{ for (const one of [...{APP}.shell.widgets('main')]) one.dispose(); }}"
CELLS = f"{NOTEBOOK}.content.model.sharedModel.cells"
RUN_CELL = (
    f"index => {{ {NOTEBOOK}.content.activeCellIndex = index;"
    f" void {APP}.commands.execute('notebook:run-cell') }}"
)
IS_RUNNING = f"{CELLS}[index].executionState === 'running'"
WAIT_MS = 300_000
"""A safety net: machines may be busy."""
ASK_MS = 50

THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


class LabPage:
    """A notebook's tab.

    Args:
        page: The browser's page.
        url: The address of the server.
        shots: The folder for pictures.
        folder: Where its notebooks lie in the folder that is served.
    """

    in_each_theme = False
    """Whether pictures are taken in the light theme and in the dark one: with `--themes`."""

    def __init__(self, page: Page, url: str, shots: Path, folder: str = ".") -> None:
        self.page = page
        self._url = url
        self._shots = shots
        self._folder = PurePosixPath(folder)
        page.set_default_timeout(WAIT_MS)

    # --- opening and closing

    def open(self, notebook: str) -> None:
        """Open a notebook and wait for its kernel; in a JupyterLab that is up already, in that."""
        path = str(self._folder / notebook)
        if self.is_up():
            self.start("docmanager:open", path=path)
        else:
            self.page.goto(f"{self._url}/lab/tree/{path}?reset", wait_until="domcontentloaded")
        self.wait_for_notebook()
        self.wait_for_kernel("idle")

    def open_without_kernel(self, notebook: str) -> None:
        """Open a notebook that no kernel is started for, in a page that is loaded for it."""
        self._load()
        self.open_here_without_kernel(notebook)

    def load(self) -> None:
        """Have a JupyterLab up with no notebook, if it is not."""
        if not self.is_up():
            self._load()

    def is_up(self) -> bool:
        """Whether the page has a JupyterLab already."""
        return self.page.url.startswith(self._url) and self.page.evaluate(f"!!{APP}?.shell")

    def _load(self) -> None:
        self.page.goto(f"{self._url}/lab?reset", wait_until="domcontentloaded")
        self.wait_for(f"!!{APP}?.shell")
        self.page.evaluate(f"{APP}.restored.then(() => null)")

    def open_here_without_kernel(self, notebook: str) -> None:
        """The same in a JupyterLab that is up already."""
        no_kernel = {"shouldStart": False, "canStart": False, "autoStartDefault": False}
        path = str(self._folder / notebook)
        self.start("docmanager:open", path=path, kernelPreference=no_kernel)
        self.wait_for_notebook()

    def clear(self) -> bool:
        """Close every notebook without saving; gives whether the page is as it was at the start."""
        self.page.evaluate(CLOSE_ALL)
        self.wait_for(f"{KERNEL_STATUS} === 'none'")
        return self.page.locator(".jp-Dialog").count() == 0

    def wait_for_notebook(self) -> None:
        """Wait until the notebook is on the page, with the cells of its file.

        Before that it has an empty cell of its own.
        """
        self.page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
        self.page.evaluate(f"{APP}.shell.collapseLeft()")
        self.wait_for(f"!!{APP} && !!{NOTEBOOK}?.content?.model?.sharedModel")
        self.page.evaluate(f"{NOTEBOOK}.context.ready.then(() => null)")

    def save(self) -> None:
        """Save the notebook to its file."""
        self.do("docmanager:save")

    def shut_down_kernel(self) -> None:
        """End the kernel, as the Kernel menu does."""
        self.page.evaluate(f"{NOTEBOOK}.sessionContext.shutdown().then(() => null)")

    # --- doing

    def do(self, command: str, **arguments: object) -> None:
        """Execute one of JupyterLab's commands, and wait until it is done."""
        run = f"([name, args]) => {APP}.commands.execute(name, args).then(() => null)"
        self.page.evaluate(run, [command, arguments])

    def start(self, command: str, **arguments: object) -> None:
        """Execute a command, and wait for nothing."""
        run = f"([name, args]) => {{ void {APP}.commands.execute(name, args) }}"
        self.page.evaluate(run, [command, arguments])

    def run_cell(self, index: int) -> None:
        """Start one cell, and wait until it runs or has run.

        The cell knows that: a kernel may say that it is idle while a cell awaits. It is chosen and
        run at once: a view that has the focus makes its own cell the active one when it is redrawn.
        """
        self.page.evaluate(RUN_CELL, index)
        self.wait_for(f"index => {IS_RUNNING} || {CELLS}[index].execution_count", arg=index)

    def run_to_end(self, index: int) -> None:
        """Run one cell, and wait until the kernel is through with it."""
        self.run_cell(index)
        self.wait_for_end(index)

    def run_all(self) -> None:
        """Run every cell, and wait until the last code cell has ended."""
        self.start("notebook:run-all-cells")
        last = f"{CELLS}.findLast(cell => cell.cell_type === 'code')"
        self.wait_for(f"{last}.execution_count && {KERNEL_STATUS} === 'idle'")

    def interrupt(self) -> None:
        """Interrupt the kernel, as the Stop button does."""
        self.start("kernelmenu:interrupt")

    # --- waiting and reading

    def wait_for(self, expression: str, arg: object = None) -> None:
        """Wait until something holds on the page.

        It is asked now and then: to ask with each frame has the page drawn all the while.
        """
        self.page.wait_for_function(expression, arg=arg, polling=ASK_MS)

    def wait_for_kernel(self, status: str) -> None:
        """Wait until the kernel has this status."""
        self.wait_for(f"status => {KERNEL_STATUS} === status", arg=status)

    def wait_for_end(self, index: int) -> None:
        """Wait until a cell has ended, well or not."""
        self.wait_for(
            f"index => {CELLS}[index].execution_count && {KERNEL_STATUS} === 'idle'", arg=index
        )

    def wait_for_saved(self, index: int) -> None:
        """Wait until a run's saved form stands where its live view was: alone, and drawn.

        The kernel is through with a cell before the page has drawn what it said last.
        """
        self.wait_for(
            f"([index, live]) => !{CELLS}[index].getOutputs()"
            ".some(one => one.data && live in one.data)",
            arg=[index, VIEW_MIME],
        )
        self.wait_for(
            f"index => [...{NOTEBOOK}.content.widgets[index].node.querySelectorAll('.nba-output')]"
            ".every(one => one.children.length === 1 && one.querySelector('.nba-card'))",
            arg=index,
        )

    def kernel_status(self) -> str:
        """What JupyterLab shows of the kernel: `idle`, `busy`, …, or `none`."""
        return self.page.evaluate(KERNEL_STATUS)

    def execution_counts(self) -> list[int | None]:
        """The number beside each cell; none while it runs or where it was never run."""
        return self.page.evaluate(f"{CELLS}.map(cell => cell.execution_count ?? null)")

    def outputs(self, index: int) -> list[dict[str, Any]]:
        """A cell's outputs, as they would be saved (Any: nbformat's JSON)."""
        return self.page.evaluate(f"index => {CELLS}[index].getOutputs()", index)

    def printed(self, index: int) -> str:
        """What a cell printed."""
        streams = [one["text"] for one in self.outputs(index) if one["output_type"] == "stream"]
        return "".join(text if isinstance(text, str) else "".join(text) for text in streams)

    def find(self, words: str) -> int:
        """Which cell has these words in its source."""
        sources: list[str] = self.page.evaluate(f"{CELLS}.map(cell => cell.source)")
        return next(index for index, source in enumerate(sources) if words in source)

    def source(self, index: int) -> str:
        """What is written in a cell."""
        return self.page.evaluate(f"index => {CELLS}[index].source", index)

    def errors(self, index: int) -> list[str]:
        """The names of the exceptions that a cell ended with."""
        return [one["ename"] for one in self.outputs(index) if one["output_type"] == "error"]

    def cell(self, index: int) -> Locator:
        """A cell on the page, which is there while it is near what is in sight."""
        return self.page.locator(f".jp-Notebook .jp-Cell[data-windowed-list-index='{index}']")

    # --- looking

    def show(self, index: int) -> None:
        """Scroll to the end of a cell."""
        self.page.evaluate(
            f"index => {NOTEBOOK}.content.scrollToItem(index).then(() => null)", index
        )
        self.cell(index).locator(".jp-OutputArea-output").last.scroll_into_view_if_needed()

    def shoot(self, name: str, part: Locator | None = None) -> None:
        """Take a picture of the page, or of a part; in each theme, if asked for.

        The theme that the page has comes first: to switch is work.
        """
        self._shots.mkdir(parents=True, exist_ok=True)
        name_now: str = self.page.evaluate("document.body.dataset.jpThemeName")
        for theme in sorted(THEMES, key=lambda one: THEMES[one] != name_now):
            if self.in_each_theme or THEMES[theme] == name_now:
                self.use_theme(theme)
                (part or self.page).screenshot(path=self._shots / f"{name}-{theme}.png")

    def use_theme(self, theme: str) -> None:
        """Switch JupyterLab to its light or dark theme, and wait until it is drawn."""
        if self.page.evaluate("document.body.dataset.jpThemeName") == THEMES[theme]:
            return
        self.do("apputils:change-theme", theme=THEMES[theme])
        self.wait_for("name => document.body.dataset.jpThemeName === name", arg=THEMES[theme])
        self.page.wait_for_timeout(400)  # Lab fades from one theme to the other
