"""Rules of the house that review would otherwise have to repeat."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import nbagents
from benchmarks.imports import circles
from benchmarks.sources import PythonSource
from nbagents.notebook.magics.magics import (
    AGENT_OPTIONS,
    LINE_OPTIONS,
    NBAGENTS_OPTIONS,
    TOOL_OPTIONS,
    AgentMagics,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nbagents.notebook.options.option import Option

ROOT = Path(__file__).resolve().parents[2]
LONGEST_FILE = 400
MOST_FILES = 16
"""In one folder: about fifteen, and its door."""
SOURCES = (".py", ".ts", ".tsx", ".css", ".mjs")
GENERATED = ("js/src/tree/nodes.ts", "widgets/nbagents_widgets/static/")

PUBLIC_NAMES = [
    *(
        "Agent",
        "Answer",
        "AnyTool",
        "ApiFlow",
        "Await",
        "Call",
        "CallRequest",
        "Catalogue",
        "CatalogueView",
        "ChartView",
        "CodeInterpreter",
        "Comparison",
        "compare",
    ),
    *("Computer", "ComputerProvider", "Context", "Edit", "FilePart", "FileSearch", "FinalCall"),
    *("Expectation", "ExpectationError", "expect", "CheckError", "check"),
    *("FuzzError", "JunkModel", "ReplayModel", "fuzz", "lint"),
    *("FunctionAgent", "ImagePart", "MapView", "Model", "ModelError", "ModelRequest"),
    *("ModelTurn", "NbagentsError", "OfflineModel", "OpenAIChat", "OpenAIResponses", "OpenAPI"),
    *(
        "Option",
        "OutputError",
        "Parallel",
        "Pause",
        "Payload",
        "Preview",
        "Profile",
        "Question",
        "Recorded",
        "RecordingMiss",
        "Refuse",
        "Replace",
        "Result",
    ),
    *("Run", "RunError", "Sample", "ScriptedModel", "Session", "StepContext", "StopAt"),
    *("TableView", "Tool", "ToolArgumentsError", "ToolConflictError", "ToolDefinitionError"),
    *("ToolError", "ToolFailedError", "ToolNotFoundError", "ToolOptions", "ToolSearch"),
    *(
        "ToolTimeoutError",
        "WebSearch",
        "apis",
        "check_samples",
        "handoff",
        "map_tools",
        "passthrough",
    ),
    *(
        "recording",
        "redact",
        "renderer",
        "run_python",
        "tool",
        "toolbox",
        "tools_of_definitions",
        "toolset_of",
        "ui",
    ),
]
"""The surface of nbagents. It changes here first, and on purpose."""

PYDANTIC = {"pydantic", "pydantic_core", "annotated_types", "typing_extensions"}
LIGHT = {"nbagents", "typing_inspection", *PYDANTIC}
"""What `import nbagents` may load beside the standard library."""

HEAVY = {"openai", "mcp", "griffe", "jsonschema", "nbformat", "pandas", "anywidget", "sqlite3"}
"""What `%load_ext nbagents` must not load: each comes when first used."""

NEVER_COMMITTED = (
    r"/wor[k]/(main|shared)",
    r"\.\./share[d]/",
    r"/tm[p]/",
    r"/roo[t]/",
    r"\bissues sho[w]\b",
    r"registr[y]\.(npmjs|yarnpkg)|npmmirro[r]|/artifactor[y]/|pypi\.or[g]/simple",
)
"""Paths of one machine, addresses of registries, tools of one workplace."""


def tracked_files() -> list[Path]:
    """What git keeps, or would keep if it were added."""
    git = ("git", "-c", "safe.directory=*", "ls-files")  # the folder may be another user's
    command = (*git, "--cached", "--others", "--exclude-standard")
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listed.splitlines() if (path := ROOT / name).is_file()]


def loaded_by(code: str) -> set[str]:
    """The top-level packages that `code` loads after its `before`, in a new process."""
    script = f"""
import sys
{code}
print(*sorted({{name.split(".")[0] for name in set(sys.modules) - before}}))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def is_standard(name: str) -> bool:
    """Whether a module is Python's own; the second is its record of how it was built."""
    return name in sys.stdlib_module_names or name.startswith("_sysconfigdata")


def test_the_public_names_change_only_on_purpose() -> None:
    assert sorted(nbagents.__all__) == sorted(PUBLIC_NAMES)


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_each_public_name_leads_to_something_with_a_docstring(name: str) -> None:
    assert getattr(nbagents, name).__doc__


def test_the_lazy_names_are_the_public_names() -> None:
    assert sorted(nbagents._HOMES) == sorted(nbagents.__all__)  # pyright: ignore[reportPrivateUsage]


def test_import_nbagents_loads_pydantic_and_the_standard_library_only() -> None:
    loaded = loaded_by("before = set(sys.modules)\nimport nbagents\nnbagents.Agent, nbagents.tool")
    assert {name for name in loaded if not is_standard(name)} <= LIGHT


@pytest.mark.medium
def test_loading_the_extension_loads_nothing_heavy() -> None:
    loaded = loaded_by("""
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
before = set(sys.modules)
shell.run_line_magic("load_ext", "nbagents")
assert "agent" in shell.magics_manager.magics["cell"]
""")
    assert not loaded & HEAVY


@pytest.mark.parametrize(
    ("magic", "options"),
    [
        (AgentMagics.agent, AGENT_OPTIONS),
        (AgentMagics.tool, TOOL_OPTIONS),
        (AgentMagics.tool, LINE_OPTIONS),
        (AgentMagics.nbagents, NBAGENTS_OPTIONS),
    ],
    ids=["agent", "tool", "tool-line", "nbagents"],
)
def test_every_option_of_a_magic_is_documented(
    magic: Callable[..., object], options: Sequence[Option]
) -> None:
    text = magic.__doc__ or ""
    undocumented = [
        option.long
        for option in options
        if not re.search(rf"{re.escape(option.long)}\b.*{re.escape(option.help)}", text)
    ]
    assert options
    assert undocumented == []


def test_a_file_that_is_long_to_read_says_why() -> None:
    """In its first lines, as `Long: …`: where a whole reads better than two halves."""
    sources = [path for path in tracked_files() if path.suffix in SOURCES]
    long = {
        str(path.relative_to(ROOT)): lines
        for path in sources
        if (lines := len((text := path.read_text(encoding="utf-8")).splitlines())) > LONGEST_FILE
        and not re.search(r"\bLong: \w", text[:1000])
        and not str(path.relative_to(ROOT)).startswith(GENERATED)
    }
    assert sources
    assert long == {}


@pytest.mark.medium
def test_no_room_is_crowded_and_no_file_imports_itself_by_way_of_others() -> None:
    """Of Python; `js/src/rooms.test.ts` has the like for TypeScript."""
    house = PythonSource(ROOT / "nbagents")
    assert house.folders
    assert {name: many for name, many in house.folders.items() if many > MOST_FILES} == {}
    assert circles(house.graph) == []


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    package = json.loads((ROOT / "js" / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((ROOT / "js" / "package-lock.json").read_text(encoding="utf-8"))
    versions = {project["version"], package["version"], lock["version"], nbagents.__version__}
    assert len(versions) == 1


def test_nothing_committed_names_one_machine_or_a_registry() -> None:
    pattern = re.compile("|".join(NEVER_COMMITTED))
    texts = {path: path.read_bytes().decode("utf-8", "replace") for path in tracked_files()}
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path, text in texts.items()
        for match in pattern.finditer(text)
    ]
    assert texts
    assert found == []


def test_the_lock_of_the_javascript_tools_has_no_addresses() -> None:
    lock = json.loads((ROOT / "js" / "package-lock.json").read_text(encoding="utf-8"))
    assert [name for name, entry in lock["packages"].items() if "resolved" in entry] == []


def test_no_two_files_of_tests_have_one_name() -> None:
    """pytest takes them in by name alone, and would leave one out."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


def test_every_room_says_in_its_first_line_what_it_holds() -> None:
    rooms = [path for path in tracked_files() if path.suffix == ".py"]
    silent = [str(path.relative_to(ROOT)) for path in rooms if not says_what_it_holds(path)]
    assert silent == []


def says_what_it_holds(path: Path) -> bool:
    """Whether a module begins with a docstring."""
    return path.read_text(encoding="utf-8").startswith(('"""', 'r"""'))
