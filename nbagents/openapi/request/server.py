"""Where an operation's requests go: the person's choice, else the document's own servers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import urljoin, urlsplit

from nbagents.errors import ToolDefinitionError, did_you_mean
from nbagents.narrowing import dict_of, is_dict, list_of
from nbagents.openapi.document import DocumentError
from nbagents.openapi.request.operation import Operation

Servers: TypeAlias = "int | str | Mapping[str, str] | None"
"""Which of a document's servers: its position, its URL as the document has it, or its variables."""

VARIABLE: Final = re.compile(r"\{([^{}]+)\}")
SCHEMES: Final = ("http", "https")
ADVICE: Final = 'say where it is: nba.OpenAPI(document, base_url="https://…")'


def checked_base(url: str) -> str:
    """A base URL, without the slash at its end.

    Raises:
        ToolDefinitionError: It is none.
    """
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").encode("idna")
        is_one = parts.scheme in SCHEMES and bool(host) and parts.port != 0
    except (ValueError, AttributeError):
        is_one = False
        parts = None
    if not is_one or parts is None:
        raise ToolDefinitionError(f"{url!r} is no base URL: write e.g. 'https://api.example.com'.")
    if "@" in parts.netloc:  # not quoted: it holds a password
        raise ToolDefinitionError("A base URL holds no user or password: give these as auth=.")
    if parts.query or parts.fragment:
        raise ToolDefinitionError(f"{url!r} is no base URL: it has a query, or a fragment.")
    return url.strip().rstrip("/")


def base_of(operation: Operation, chosen: Servers, address: str | None) -> str:
    """The base URL of an operation, by its document.

    Args:
        operation: Which.
        chosen: Which of the servers, and with which variables.
        address: Where the document came from, by which relative URLs go.

    Raises:
        DocumentError: There is none that can be used.
    """
    listed = list(_listed(operation))
    if isinstance(chosen, int):
        if not 0 <= chosen < len(listed):
            raise DocumentError(operation.where, f"it has {len(listed)} servers, no [{chosen}]")
        listed = listed[chosen : chosen + 1]
    if isinstance(chosen, str):
        urls = [one["url"] for one in listed if isinstance(one.get("url"), str)]
        if chosen not in urls:
            raise DocumentError(
                operation.where, f"it has no server {chosen!r}{did_you_mean(chosen, urls)[:-1]}"
            )
        listed = [one for one in listed if one.get("url") == chosen]
    given: Mapping[str, str] = chosen if isinstance(chosen, Mapping) else {}
    listed = _with_variables(operation, listed, given)
    why = "the document names no server"
    for one in listed:
        url, said = _url(one, given, address)
        if url is not None:
            return url
        why = said
    raise DocumentError(operation.where, f"{why}: {ADVICE}")


def _with_variables(
    operation: Operation, listed: list[dict[str, Any]], given: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The servers that have all these variables; all of them, where only the document's have.

    Raises:
        DocumentError: None has one of them.
    """
    whole = list_of(operation.document.root.get("servers"))
    known = set[str]().union(*map(_variables, [*listed, *whole]))
    for name in given:
        if name not in known:
            there = f"there are {', '.join(sorted(known))}" if known else "there is none"
            raise DocumentError(operation.where, f"no server has the variable {name!r}: {there}")
    return [one for one in listed if given.keys() <= _variables(one)] or listed


def _variables(server: object) -> set[str]:
    url = dict_of(server).get("url")
    return set(VARIABLE.findall(url)) if isinstance(url, str) else set()


def _listed(operation: Operation) -> Iterator[dict[str, Any]]:
    """The servers of the operation, else of its path, else of the document."""
    for node in (operation.raw, operation.item, operation.document.root):
        if given := list_of(node.get("servers")):
            yield from (one for one in given if is_dict(one))
            return


def _url(
    server: Mapping[str, Any], given: Mapping[str, str], address: str | None
) -> tuple[str | None, str]:
    """The URL of a server, or why it has none."""
    url = server.get("url")
    if not isinstance(url, str) or not url:
        return None, "a server of the document has no URL"
    variables = dict_of(server.get("variables"))
    for name in VARIABLE.findall(url):
        value = _value(variables.get(name), given.get(name))
        if allowed := _not_allowed(variables.get(name), given.get(name)):
            return None, f"the server {url!r} takes {name!r} as {allowed}, not {value!r}"
        if value is None:
            return None, f"the server {url!r} has the variable {name!r}, of which nothing is said"
        url = url.replace(f"{{{name}}}", value)
    if address is not None:
        url = urljoin(address, url)
    if not url.startswith(("http://", "https://")):
        return None, f"the server {url!r} is no whole address"
    try:
        return checked_base(url.partition("?")[0].partition("#")[0]), ""
    except ToolDefinitionError:
        return None, f"the server {url!r} is no address"


def _not_allowed(variable: object, given: str | None) -> str:
    """What a variable may be, where it may not be what is given; else nothing."""
    listed = [str(one) for one in list_of(dict_of(variable).get("enum"))]
    return "" if given is None or given in listed else " or ".join(map(repr, listed))


def _value(variable: object, given: str | None) -> str | None:
    if given is not None:
        return given
    default = dict_of(variable).get("default")
    if isinstance(default, bool) or not isinstance(default, (str, int, float)):
        return None
    return str(default)  # a port in YAML is a number
