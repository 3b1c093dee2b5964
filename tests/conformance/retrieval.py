"""What a catalogue is held against: labelled queries, its own names, absent services."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from nbagents.catalogue import Catalogue
from tests.conformance.shared_data import FOLDER, Row, scorer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nbagents.catalogue import Api

__all__ = [
    "CATALOGUE",
    "DEPTH",
    "QUERIES",
    "SEAL",
    "SEAL_QUERIES",
    "absent_share",
    "answer_tokens",
    "catalogue_of",
    "distinctive_tools",
    "emptied",
    "misnamed",
    "recall",
    "unprefixed",
]

CATALOGUE, QUERIES = "tool-catalog/catalog.jsonl", "tool-catalog/queries.public.jsonl"
SEAL, SEAL_QUERIES = "tool-catalog/seal/tools.jsonl", "tool-catalog/seal/queries.public.jsonl"
DEPTH = 64
CHARACTERS_A_TOKEN = 4
SEED = 7


def catalogue_of(name: str) -> Catalogue:
    """The catalogue of a file of the data, without a cache."""
    return Catalogue(FOLDER / name, cache=False)


def recall(catalogue: Catalogue, queries: Sequence[Row]) -> dict[str, dict[str, float]]:
    """What the data's scorer says of the rankings of queries, by set, and of ALL."""
    ranked = {one["id"]: catalogue.search(one["query"], k=DEPTH).names for one in queries}
    found: dict[str, dict[str, float]] = scorer().score(queries, ranked)
    return found


def emptied(catalogue: Catalogue, queries: Sequence[Row]) -> list[str]:
    """The queries that have an answer and get none."""
    return [one["query"] for one in queries if not catalogue.search(one["query"], k=1)]


def unprefixed(name: str) -> str:
    """A name without its tool's, as the data writes them."""
    return name.partition("__")[2] or name


def misnamed(catalogue: Catalogue, names: Sequence[str]) -> Iterator[str]:
    """The names that a search does not put first: whole, without prefix, and selected."""
    for name in names:
        own = unprefixed(name)
        if catalogue.search(name, k=1).names != (name,):
            yield name
        elif {unprefixed(one) for one in catalogue.search(own, k=1).names} != {own}:
            yield own
    for at in range(0, len(names), 5):
        some = tuple(names[at : at + 5])
        if catalogue.search(f"select:{','.join(some)}").names != some:
            yield f"select:{','.join(some)}"


def distinctive_tools(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Category and name of each tool whose name has a word that no other tool has anywhere."""
    owners: dict[str, set[tuple[str, str]]] = {}
    for row in rows:
        for word in set(_words(_text(row))):
            owners.setdefault(word, set()).add((row["category"], row["tool"]))
    tools = dict.fromkeys((row["category"], row["tool"]) for row in rows)
    return [one for one in tools if any(owners[word] == {one} for word in _words(one[1]))]


def absent_share(catalogue: Catalogue, tools: Sequence[tuple[str, str]], sample: int) -> float:
    """How often a tool that was taken out is asked for by its name and nothing but a hint comes."""
    chosen = random.Random(SEED).sample(tools, min(sample, len(tools)))
    apis: dict[tuple[str, str], list[Api]] = {}
    for api in catalogue:
        apis.setdefault(api.key[:2], []).append(api)
    right = 0
    for category, tool in chosen:
        own = apis[category, tool]
        catalogue.remove(category=category, tool=tool)
        hits = catalogue.search(tool)
        right += not hits and bool(hits.hint)
        catalogue.add(own)
    return right / len(chosen)


def answer_tokens(catalogue: Catalogue, queries: Sequence[Row]) -> list[int]:
    """How many tokens each answer of ten hits has, by characters, from the fewest."""
    answers = (catalogue.search(one["query"]) for one in queries)
    return sorted(len(one.text) // CHARACTERS_A_TOKEN for one in answers)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def _text(row: Row) -> str:
    properties: dict[str, Row] = row["parameters"].get("properties", {})
    told = [str(one.get("description", "")) for one in properties.values()]
    parts: list[str] = [row[part] for part in ("category", "tool", "api", "description")]
    return " ".join([*parts, *properties, *told])
