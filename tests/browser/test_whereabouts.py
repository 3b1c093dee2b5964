"""JupyterLab tells the kernel which notebook it runs: before it is needed, and after a rename."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import nbagents as nba
from tests.browser.lab_page import NOTEBOOK

if TYPE_CHECKING:
    from tests.browser.conftest import Tab, Write

LOAD = "%load_ext nbagents"
SAY = """
from nbagents.notebook.extension import Extension
known = Extension.current.notebook.where()
print(known.path, known.said_by, known.has_embedded, [one.name for one in known.earlier])
"""
FAR = """
import pathlib
from nbagents.notebook.place.place import NotebookPlace
NotebookPlace._file_of = lambda self, told: None  # a kernel that does not see the folder
"""
HANDED = """
print({of: text and len(text) for of, text in Extension.current.notebook.where().handed.items()})
"""
RENAME = f"name => {NOTEBOOK}.context.rename(name).then(() => null)"
EMBED = f"recording => {NOTEBOOK}.content.model.setMetadata('nbagents', {{ recording }})"
RECORDING = {"lines": ['{"version": 1}\n', '{"é": "\\ud83d\\ude00"}\n']}
LONG = '{"x": "' + "é😀" * 600_000 + '"}\n'


def test_the_kernel_knows_its_notebook_in_run_all_and_after_a_rename(
    write_notebook: Write, new_tab: Tab
) -> None:
    path = write_notebook("one.ipynb", [LOAD, SAY, SAY])
    tab = new_tab()
    tab.open("one.ipynb")
    tab.run_all()
    assert tab.printed(1).split(" ", 2)[:2] == [str(path), "the"]
    assert "the page False []" in tab.printed(1)
    tab.page.evaluate(EMBED, RECORDING)
    tab.page.evaluate(RENAME, "two.ipynb")
    tab.save()
    tab.run_to_end(2)
    two = path.with_name("two.ipynb")
    assert tab.printed(2).strip() == f"{two} the page True ['one.ipynb']"
    kept = json.loads(two.read_text(encoding="utf-8"))["metadata"]["nbagents"]["recording"]
    assert kept == RECORDING


def test_a_page_that_is_loaded_again_tells_it_again(write_notebook: Write, new_tab: Tab) -> None:
    path = write_notebook("one.ipynb", [LOAD, SAY])
    tab = new_tab()
    tab.open("one.ipynb")
    tab.run_to_end(0)
    tab.save()
    tab.page.goto(f"{tab.page.url.split('?')[0]}", wait_until="domcontentloaded")
    tab.page.reload(wait_until="domcontentloaded")
    tab.wait_for_notebook()
    tab.wait_for_kernel("idle")
    two = path.with_name("two.ipynb")
    tab.page.evaluate(RENAME, "two.ipynb")
    tab.run_to_end(1)
    assert tab.printed(1).startswith(f"{two} the page")
    tab.page.close()  # a page that was loaded again is not what other tests begin with


def test_a_kernel_that_does_not_see_the_folder_replays_what_the_page_hands_it(
    write_notebook: Write, new_tab: Tab
) -> None:
    cells = [f"{FAR}\n{LOAD}", "%agent Hi", "%agent", "%agent --record extend Hi", "%agent Hi"]
    path = write_notebook("one.ipynb", cells)
    with nba.recording(path, mode="extend"):
        nba.Agent(model=nba.ScriptedModel(["To Hi."])).run("Hi", log="memory")
    before = path.with_name("one.recording.jsonl").read_bytes()
    tab = new_tab()
    tab.open("one.ipynb")
    tab.run_to_end(0)
    tab.run_to_end(1)
    tab.wait_for_saved(1)
    said = [bundle["data"]["text/plain"] for bundle in tab.outputs(1)]
    assert "replayed, recorded" in said[0]
    assert said[0].rstrip().endswith("To Hi.")
    tab.run_to_end(2)
    status = tab.outputs(2)[0]["data"]["text/plain"]
    assert "one.recording.jsonl beside the notebook: replay, handed over by the page" in status
    tab.run_to_end(3)
    assert "this kernel does not see the folder of one.ipynb" in str(tab.outputs(3))
    tab.page.evaluate(RENAME, "two.ipynb")
    tab.run_to_end(4)
    tab.wait_for_saved(4)
    assert "replayed" in tab.outputs(4)[0]["data"]["text/plain"]
    assert path.with_name("one.recording.jsonl").read_bytes() == before
    tab.show(2)
    tab.shoot("recorded-far")


def test_a_kernel_that_does_not_see_the_folder_is_handed_the_recordings(
    write_notebook: Write, new_tab: Tab
) -> None:
    path = write_notebook("one.ipynb", [f"{FAR}\n%load_ext nbagents", SAY, HANDED])
    path.with_name("one.recording.jsonl").write_text(LONG, encoding="utf-8")
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["metadata"]["nbagents"] = {"recording": RECORDING}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    tab = new_tab()
    tab.open("one.ipynb")
    tab.run_all()
    assert tab.printed(1).strip() == "None the page True []"
    embedded = sum(map(len, RECORDING["lines"]))
    assert tab.printed(2).strip() == str({"beside": len(LONG), "embedded": embedded})
