"""Where the notebook of this kernel is, by whoever knows: the page, a variable, the server."""

from __future__ import annotations

import importlib
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from nbagents.narrowing import is_dict
from nbagents.notebook.kernel import request_metadata
from nbagents.notebook.place.conversation import Conversation, Told
from nbagents.recordings import embedded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.notebook.kernel import Shell

VARIABLE: Final = "NBAGENTS_NOTEBOOK"
SESSION: Final = "JPY_SESSION_NAME"
"""Where Jupyter's server names the notebook for which it has started the kernel."""
IN_VS_CODE: Final = "__vsc_ipynb_file__"
"""The variable in which VS Code names it."""
PAGE: Final = "the page"
COLAB: Final = "google.colab"
"""Where a kernel has no file of its notebook: Colab is asked for it."""
COLAB_S: Final = 20
"""So long it may take to say."""
NOTEBOOK: Final = ".ipynb"


@dataclass(frozen=True, slots=True, kw_only=True)
class Whereabouts:
    """What is known of a notebook."""

    path: Path | None = None
    """Its file, which is there; `None`: not known, or not to be seen from here."""
    said_by: str = ""
    """Who says so: the page, or a variable."""
    name: str = ""
    """Its file's name, also where the file cannot be seen."""
    has_embedded: bool | None = None
    """Whether it has a recording in it; `None`: its file must be read to know."""
    handed: Mapping[str, str | None] | None = None
    """The recordings that the page handed over, by where they are kept; `None`: none asked for."""
    earlier: tuple[Path, ...] = ()
    """Where it was before it was renamed, newest first."""
    problem: str = ""
    """Why its file is not known."""

    @property
    def named(self) -> Path:
        """A path with its name, wherever that may be."""
        return self.path or Path(self.name)

    @property
    def is_certain(self) -> bool:
        """Whether it is this notebook beyond doubt: a server's word may be of another by now."""
        return self.path is not None and self.said_by != SESSION


class NotebookPlace:
    """Knows where the notebook is.

    Args:
        shell: The shell.
        environ: The environment.
    """

    def __init__(self, shell: Shell, environ: Mapping[str, str] | None = None) -> None:
        self._shell = shell
        self._environ = os.environ if environ is None else environ
        self._start = Path.cwd()
        self._has_asked_colab = self._is_colab = False
        self._colab: str | None = None
        self._page = Conversation(shell, lambda told: self._file_of(told) is None)

    def begin(self, _info: object = None) -> None:
        """Have the page say where it is, if it was not asked yet; before each cell."""
        self._page.begin()

    def end(self) -> None:
        """Hear no page any more."""
        self._page.end()

    def where(self) -> Whereabouts:
        """What is known now; the first time a page is waited for that is about to say it."""
        told = self._page.told()
        if told is not None:
            return self._by_page(told)
        named = self._environ.get(VARIABLE, "").strip()
        if named:
            return self._by_variable(VARIABLE, named)
        if (colab := self._in_colab()) is not None:
            return colab
        for said_by, name in (
            (SESSION, self._environ.get(SESSION, "")),
            (IN_VS_CODE, self._in_vs_code()),
        ):
            if name.endswith(NOTEBOOK):
                return self._by_variable(said_by, name)
        return Whereabouts(problem="nothing here says which notebook this is")

    def has_this_cell(self, path: Path) -> bool:
        """Whether a notebook, as it is saved, has the cell that runs."""
        cell_id = request_metadata(self._shell).get("cellId")
        try:
            return isinstance(cell_id, str) and f'"{cell_id}"' in path.read_text(encoding="utf-8")
        except (OSError, ValueError):
            return False

    def _in_colab(self) -> Whereabouts | None:
        """What Colab has, which is asked once: what is embedded there does not change."""
        if not self._has_asked_colab:
            self._has_asked_colab, notebook = True, _notebook_in_colab()
            self._colab = None if notebook is None else embedded(notebook, "the notebook")
            self._is_colab = notebook is not None
        if not self._is_colab:
            return None
        return Whereabouts(
            said_by="Colab",
            name="notebook.ipynb",
            has_embedded=self._colab is not None,
            handed={"embedded": self._colab},
            problem="Colab keeps the notebook where no kernel sees it",
        )

    def _in_vs_code(self) -> str:
        value: Any = self._shell.user_ns.get(IN_VS_CODE)
        return value if isinstance(value, str) else ""

    def _by_page(self, told: Told) -> Whereabouts:
        path = self._file_of(told)
        name = told.path.rpartition("/")[2]
        if path is None:
            return Whereabouts(
                said_by=PAGE,
                name=name,
                has_embedded=told.has_embedded,
                handed=told.texts,
                earlier=self._before(told, None),
                problem=f"this kernel does not see the folder of {name}",
            )
        return Whereabouts(
            path=path,
            said_by=PAGE,
            name=name,
            has_embedded=told.has_embedded,
            earlier=self._before(told, path),
        )

    def _before(self, told: Told, path: Path | None) -> tuple[Path, ...]:
        """Where it was before: as the page has said, and as the server did when it began."""
        began = self._start / self._environ.get(SESSION, "")
        renamed = began.suffix == NOTEBOOK and not began.exists()
        known = [
            *(one for earlier in told.earlier for one in self._places(replace(told, path=earlier))),
            *([began] if renamed else []),
        ]
        return tuple(dict.fromkeys(one for one in known if one != path))

    def _by_variable(self, said_by: str, named: str) -> Whereabouts:
        path = self._start / Path(named).expanduser()
        if path.is_file():
            return Whereabouts(path=path, said_by=said_by, name=path.name)
        return Whereabouts(
            said_by=said_by,
            name=path.name,
            earlier=(path,) if said_by == SESSION else (),
            problem=f"{said_by} says {named}, which is not there",
        )

    def _file_of(self, told: Told) -> Path | None:
        """The notebook's file, if this kernel sees it."""
        return next((one for one in self._places(told) if one.is_file()), None)

    def _places(self, told: Told) -> list[Path]:
        """Where the file of what a page says would be."""
        if told.root is None or not told.path:
            return []
        if told.root:
            return [Path(told.root).expanduser() / told.path]
        name = told.path.rpartition("/")[2]
        return [self._start / name, Path(self._environ.get(SESSION, "")).parent / name]


def _notebook_in_colab() -> dict[str, Any] | None:  # Any: nbformat's JSON
    """What the notebook holds, as Colab says it; `None`: this is not Colab, or it does not say.

    Source: googlecolab, colabtools, `blocking_request` of `google.colab._message`.
    """
    if COLAB not in sys.modules:
        return None
    try:
        message: Any = importlib.import_module(f"{COLAB}._message")
        said: Any = message.blocking_request("get_ipynb", request="", timeout_sec=COLAB_S)
    except Exception:  # noqa: BLE001  of another's private room: then no recording is known
        return None
    notebook = said.get("ipynb") if is_dict(said) else None
    return notebook if is_dict(notebook) else None
