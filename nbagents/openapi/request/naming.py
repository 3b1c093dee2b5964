"""Names: of operations among the others, and of their parameters among the arguments of a call.

Both are reversible, the same from load to load, and such that every provider takes them.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from nbagents.openapi.request.parameter import Parameter
from nbagents.tools.tool import safe_name

LONGEST: Final = 64
OTHER: Final = re.compile(r"[^A-Za-z0-9_.-]+")
"""What is in no argument's name. Source: Anthropic API, tool use: `[a-zA-Z0-9_.-]`, at most 64."""
VALID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
BRACES: Final = re.compile(r"[{}+*]")
WORDS: Final = re.compile(r"[^A-Za-z0-9]+")


def operation_names(
    operations: Sequence[tuple[str, str, str | None]], longest: int = LONGEST
) -> list[str]:
    """A name for each of several operations, all different.

    An id that models take stays as it is, if it is the first of its kind; any other is written in
    the characters that they take, and, where that is another's name, gets a hash of its method and
    path: so a name does not depend on what stands before it, but for the first of a kind.

    Args:
        operations: Method, path and operation id of each.
        longest: How long a name may be.

    Example:
        >>> operation_names([("get", "/pets/{id}", None), ("get", "/pets", "listPets")])
        ['get_pets_id', 'listPets']
    """
    wanted = [given or written_name(method, path) for method, path, given in operations]
    names: list[str | None] = [None] * len(wanted)
    taken: set[str] = set()
    for at, name in enumerate(wanted):
        if VALID.fullmatch(name) and len(name) <= longest and name not in taken:
            names[at] = name
            taken.add(name)
    for at, name in enumerate(wanted):
        if names[at] is None:
            method, path, _ = operations[at]
            names[at] = _free(name, f"{method} {path}", taken, longest)
            taken.add(str(names[at]))
    return [str(name) for name in names]


def written_name(method: str, path: str) -> str:
    """The name of an operation that has none."""
    return "_".join([method, *(one for one in WORDS.split(BRACES.sub("", path)) if one)])


def _free(name: str, whole: str, taken: Collection[str], longest: int) -> str:
    safe = safe_name(name)
    if len(safe) <= longest and safe not in taken and len(name) <= longest:
        return safe
    count = 0
    while True:
        seed = whole if not count else f"{whole} {count}"
        suffix = "_" + hashlib.sha256(seed.encode(errors="surrogatepass")).hexdigest()[:8]
        made = safe_name(name)[: longest - len(suffix)] + suffix
        if made not in taken:
            return made
        count += 1


def with_arguments(parameters: Iterable[Parameter], reserved: Collection[str]) -> list[Parameter]:
    """The parameters, each with the name that a model gives its value by.

    That is the parameter's own name, where it can be and no other has it; else the place goes
    before it: `path_id`, `query_id`. What the body takes is reserved: a parameter `body` of the
    query is `query_body` then.

    Args:
        parameters: All of one operation.
        reserved: Names that are given away.
    """
    listed = list(parameters)
    counts = Counter(_plain(one.name) for one in listed)
    own = Counter(one.name for one in listed)
    taken = set(reserved)
    names: list[str | None] = [None] * len(listed)
    for at, one in enumerate(listed):
        plain = _plain(one.name)
        is_exact = plain == one.name and own[one.name] == 1
        if plain and plain not in taken and (counts[plain] == 1 or is_exact):
            names[at] = plain
            taken.add(plain)
    for at, one in enumerate(listed):
        if names[at] is None:
            names[at] = _placed(one, taken)
            taken.add(str(names[at]))
    return [replace(one, argument=str(name)) for one, name in zip(listed, names, strict=True)]


def _plain(name: str) -> str:
    plain = OTHER.sub("_", name).strip("_") if OTHER.search(name) else name
    if len(plain) <= LONGEST:
        return plain
    suffix = "_" + hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:8]
    return plain[: LONGEST - len(suffix)] + suffix


def _placed(parameter: Parameter, taken: Collection[str]) -> str:
    base = _plain(f"{parameter.place}_{_plain(parameter.name)}".strip("_"))
    name, count = base, 1
    while name in taken:
        count += 1
        name = f"{base[: LONGEST - 4]}_{count}"
    return name
