"""Write `src/events.ts` from `nbagents/events`; with `--check`, only say whether it is fresh."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

JS = Path(__file__).resolve().parent
TARGET = JS / "src" / "events.ts"
MEND = "python js/generate_events.py"
JSON_VALUE = "null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }"
BANNER = f"""/**
 * Everything that can happen in a session. Generated from nbagents/events: do not edit, run
 * `{MEND}`.
 */"""


def untitled(node: Any) -> Any:
    """The schema without the titles of fields, each of which would become a type of its own."""
    if isinstance(node, list):
        return [untitled(one) for one in node]
    if not isinstance(node, dict):
        return node
    kept = {key: untitled(value) for key, value in node.items() if key != "properties"}
    fields = node.get("properties", {})
    if fields:
        kept["properties"] = {name: untitled(_without_title(f)) for name, f in fields.items()}
    return kept


def _without_title(field: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in field.items() if key != "title"}


def describe(definitions: dict[str, Any], source: str) -> None:
    """Give each field the text that stands under it in its class, and under it in the bases."""
    bodies = {one.name: one for one in ast.parse(source).body if isinstance(one, ast.ClassDef)}
    for name, definition in definitions.items():
        for field, text in _field_texts(bodies, name):
            if field in definition.get("properties", {}):
                definition["properties"][field].setdefault("description", text)


def _field_texts(bodies: dict[str, ast.ClassDef], name: str) -> Iterator[tuple[str, str]]:
    body = bodies[name].body if name in bodies else []
    for field, text in pairwise(body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=id)), ast.Expr(
                value=ast.Constant(value=str(doc))
            ):
                yield id, doc
    for base in bodies[name].bases if name in bodies else []:
        if isinstance(base, ast.Name):
            yield from _field_texts(bodies, base.id)


def _sources(package: Path) -> str:
    """All that defines events, as one text: each of its classes is named once."""
    rooms = [package / "results.py", *sorted((package / "events").glob("*.py"))]
    texts = [one.read_text(encoding="utf-8") for one in rooms]
    return "\n".join(text.replace("from __future__ import annotations", "") for text in texts)


def generated() -> str:
    """The text that `src/events.ts` should have."""
    sys.path.insert(0, str(JS.parent))
    from nbagents.events import EVENTS  # noqa: PLC0415  found only through the line above

    schema = untitled(EVENTS.json_schema(mode="serialization"))
    describe(schema["$defs"], _sources(JS.parent / "nbagents"))
    schema["$defs"]["JsonValue"] = {"tsType": JSON_VALUE}  # a schema of anything would be `unknown`
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "events.json"
        source.write_text(json.dumps({"title": "AnyEvent", **schema}), encoding="utf-8")
        command = [
            str(JS / "node_modules" / ".bin" / "json2ts"),
            *("--input", str(source), "--bannerComment", BANNER),
            "--no-additionalProperties",
            "--unknownAny",
            "--unreachableDefinitions",
        ]
        done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    return done.stdout


def main() -> int:
    """Write the file, or compare; the exit status says whether it was fresh."""
    text = generated()
    fresh = TARGET.exists() and TARGET.read_text(encoding="utf-8") == text
    if "--check" in sys.argv[1:]:
        if not fresh:
            sys.stderr.write(f"js/src/events.ts is stale. Run: {MEND}\n")
        return 0 if fresh else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
