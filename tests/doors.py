"""A contract for import-linter: nobody imports past a door.

A folder of modules is a room, and the names in the `__all__` of its `__init__` are its door. Who is
not in the room imports from the room itself, never from a module in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from importlinter import Contract, ContractCheck, fields, output

if TYPE_CHECKING:
    from grimp import ImportGraph

__all__ = ["DoorContract"]


class DoorContract(Contract):
    """Fails for each import that goes past the door of a room."""

    type_name = "doors"

    halls = fields.ListField(subfield=fields.StringField())
    """Packages that are no rooms: what stands in them is imported by itself."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: FBT001  theirs
        """Find the imports that go past a door."""
        del verbose
        halls: set[str] = set(self.halls)  # type: ignore[arg-type]  import-linter fills it in
        past = sorted(
            (importer, module)
            for module in graph.modules
            if (room := module.rpartition(".")[0]) and room not in halls
            if not graph.find_children(module)
            for importer in graph.find_modules_that_directly_import(module)
            if importer != room and not importer.startswith(f"{room}.")
        )
        return ContractCheck(kept=not past, metadata={"past": past})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Say where to import from instead."""
        for importer, module in check.metadata["past"]:
            room, _, name = module.rpartition(".")
            output.print_error(
                f"{importer} imports {module}: take what it needs of {name} from {room}"
            )
