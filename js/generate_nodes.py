"""Write `src/tree/nodes.ts` from what Python declares; with `--check`, say whether it is fresh.

The tree, the patches of it and a saved run become types, and the saved run also a value by which
the page reads one that anybody may have written. Descriptions are the docstrings and the texts
under the fields.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
import types
from itertools import pairwise
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

JS = Path(__file__).resolve().parent
TARGET = JS / "src" / "tree" / "nodes.ts"
MEND = "python js/generate_nodes.py"
JSON_VALUE = "null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }"
HEAD = f"""/**
 * The shape of a run, of what a page is sent of it, and of a saved one. Generated from
 * nbagents/runs/tree: do not edit, run `{MEND}`.
 */
export type JsonValue = {JSON_VALUE};
"""
ATOMS = {int: "number", float: "number", str: "string", bool: "boolean", type(None): "null"}
READ = {int: "n", float: "n", str: "t", bool: "f"}

SHAPES = """/**
 * How records are read, by their names: their fields with what each holds. `t` is a text, `n` a
 * number, `f` yes or no, `j` any JSON, `#` a record by its name, `[` a list, `{` a record by id,
 * `?` what may be null, `~` what may be absent, `=` what an older version did not write with what
 * is taken then, `|` words of which it is one, `/` shapes of which it has one.
 */"""


class Generator:
    """Collects the records that a type needs, each once."""

    def __init__(self, named: dict[str, Any], hidden: Any, older: Any) -> None:
        self.named = named
        self.hidden = hidden
        self.older = older
        self.records: dict[str, type] = {}

    def type_of(self, hint: Any) -> str:  # noqa: PLR0911  one for each kind of type
        """A type as TypeScript writes it."""
        if (name := self._alias(hint)) is not None:
            return name
        hint = _plain(hint)
        if hint in ATOMS:
            return ATOMS[hint]
        kind, args = get_origin(hint), get_args(hint)
        if kind in (Union, types.UnionType):
            return " | ".join(dict.fromkeys(map(self.type_of, args)))
        if kind is Literal:
            return " | ".join(json.dumps(one) for one in args)
        if kind in (list, tuple):
            inner = self.type_of(args[0])
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        if kind is dict:
            return f"Record<string, {self.type_of(args[1])}>"
        return self._record(hint)

    def shape_of(self, hint: Any) -> str:
        """What a reader is told of a type, in few characters: see `SHAPES` in what is written."""
        hint = _plain(hint)
        if hint in READ:
            return READ[hint]
        kind, args = get_origin(hint), get_args(hint)
        if kind in (Union, types.UnionType):
            inner = [self.shape_of(one) for one in args if one is not type(None)]
            made = inner[0] if len(inner) == 1 else "/" + "/".join(inner)
            return f"?{made}" if type(None) in args else made
        if kind is Literal:
            return "1" if args == (1,) else f"|{'|'.join(args)}"
        if kind in (list, tuple):
            return f"[{self.shape_of(args[0])}"
        if kind is dict:
            return "{" + self.shape_of(args[1])
        name = self._record(hint)
        return "j" if name == "JsonValue" else f"#{name}"

    def fields_of(self, record: type) -> dict[str, Any]:
        """The fields of a record that a page is told of, with their types."""
        hints = get_type_hints(record, include_extras=True)
        names = getattr(record, "model_fields", hints)
        hidden = self.hidden.get(record.__name__, ())
        return {name: hints[name] for name in names if name not in hidden}

    def interface(self, record: type) -> str:
        """A record as an interface, described."""
        texts = _texts(record)
        lines = [
            *_comment(inspect.getdoc(record) or "", ""),
            f"export interface {record.__name__} {{",
        ]
        for name, hint in self.fields_of(record).items():
            is_optional = get_origin(hint) is NotRequired
            lines += _comment(texts.get(name, ""), "  ")
            lines.append(f"  {name}{'?' if is_optional else ''}: {self.type_of(hint)};")
        return "\n".join([*lines, "}"])

    def shape(self, record: type) -> str:
        """A record as its reader is told of it."""
        older = self.older.get(record.__name__, {})
        shapes: list[str] = []
        for name, hint in self.fields_of(record).items():
            shape = self.shape_of(hint)
            if get_origin(hint) is NotRequired:
                shape = f"~{shape}"
            elif name in older:
                shape = f"={json.dumps(older[name])}={shape}"
            shapes.append(f"{name}:{shape}")
        return " ".join(shapes)

    def _alias(self, hint: Any) -> str | None:
        found = (name for name, one in self.named.items() if one == hint)
        return next(found, None) if get_origin(hint) in (Literal, Union, types.UnionType) else None

    def _record(self, hint: Any) -> str:
        if not isinstance(hint, type) or hint is dict:
            return "JsonValue"
        self.records.setdefault(hint.__name__, hint)
        return hint.__name__


def _plain(hint: Any) -> Any:
    """A type without what is said beside it; JSON that stands for a value of pydantic's is that."""
    while get_origin(hint) in (NotRequired, Annotated):
        beside = getattr(hint, "__metadata__", ())
        hint = next((one for one in beside if isinstance(one, type)), get_args(hint)[0])
    return hint


def _comment(text: str, indent: str) -> list[str]:
    """A description; of a class the first paragraph."""
    lines = text.split("\n\n", maxsplit=1)[0].splitlines()
    if len(lines) < 2:  # one line
        return [f"{indent}/** {one} */" for one in lines]
    return [f"{indent}/**", *(f"{indent} * {one.strip()}" for one in lines), f"{indent} */"]


def _texts(record: type) -> dict[str, str]:
    """The text under each field in its class."""
    body = ast.parse(inspect.getsource(record)).body[0]
    if not isinstance(body, ast.ClassDef):
        return {}
    return {
        field.target.id: " ".join(str(text.value.value).replace("`None`", "`null`").split())
        for field, text in pairwise(body.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
    }


def generated() -> str:
    """The text that the file should have."""
    sys.path.insert(0, str(JS.parent))
    from nbagents.events import event  # found only through the line above
    from nbagents.runs.tree import nodes, patches
    from nbagents.tools import values

    aliases = {
        name: getattr(event, name) for name in ("Approval", "CallStatus", "Phase", "RunStatus")
    }
    named = {**aliases, "Item": nodes.Item, "BuiltInKind": values.BuiltInKind}
    making = Generator(named, nodes.HIDDEN, nodes.OLDER)
    parts = [HEAD]
    unnamed = Generator({}, nodes.HIDDEN, nodes.OLDER)
    parts += [f"export type {name} = {unnamed.type_of(hint)};" for name, hint in named.items()]
    for one in (nodes.SavedRun, patches.NodePatch):
        making.type_of(one)
    read: dict[str, str] = {}
    done: set[str] = set()
    while waiting := [one for name, one in making.records.items() if name not in done]:
        for record in waiting:
            done.add(record.__name__)
            parts.append(making.interface(record))
            if record.__module__ != patches.__name__:
                read[record.__name__] = making.shape(record)
    parts += _words()
    shapes = json.dumps(read, indent=2)
    parts.append(f"{SHAPES}\nexport const SHAPES: Record<string, string> = {shapes};")
    return "\n\n".join(parts) + "\n"


def _words() -> Iterator[str]:
    """What states and failures are called, and how calls end that came to nothing."""
    from nbagents.runs.wording import outcomes, people_words, words

    def begun(table: Mapping[Any, str]) -> dict[str, str]:
        return {key: words.sentence(one) for key, one in table.items()}

    run_words = {"waiting": words.CALL_STATUS["waiting"], **words.RUN_STATUS}
    tables: list[tuple[str, str, Any]] = [
        ("CALL_WORDS", "What the states of a call are called.", begun(words.CALL_STATUS)),
        ("RUN_WORDS", "What the states of a run are called.", begun(run_words)),
        ("FAILURE_WORDS", "What the kinds of failures are called.", begun(words.FAILURE_KINDS)),
        ("RECOVERY_WORDS", "What the model may do about a failure.", words.RECOVERIES),
        ("STREAM_WORDS", "What the streams are called that calls print to.", begun(words.STREAMS)),
        ("STAGE_WORDS", "What guardrails look at.", people_words.STAGES),
        ("ENDINGS", "The gravest first: of one, of several, and after others.", outcomes.ENDINGS),
        ("VERDICTS", "What a run is called in which nothing succeeded.", outcomes.VERDICTS),
    ]
    said = json.dumps(words.sentence(people_words.NOT_ASKED))
    about = "/** What is said of a call that nobody was asked about. */"
    yield f"{about}\nexport const NOT_ASKED = {said};"
    about = "/** The model of a run that is one call of a person's own, and how that is called. */"
    by_hand = json.dumps([words.BY_HAND, words.sentence(words.CALLED_BY_HAND)])
    yield f"{about}\nexport const BY_HAND = {by_hand} as const;"
    for name, about, table in tables:
        lines = [f"  {key}: {json.dumps(one)}," for key, one in table.items()]
        yield "\n".join([f"/** {about} */", f"export const {name} = {{", *lines, "} as const;"])


def main() -> int:
    """Write the file, or compare; the exit status says whether it was fresh."""
    text = generated()
    fresh = TARGET.exists() and TARGET.read_text(encoding="utf-8") == text
    if "--check" in sys.argv[1:]:
        if not fresh:
            sys.stderr.write(f"{TARGET.name} is stale. Run: {MEND}\n")
        return 0 if fresh else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
