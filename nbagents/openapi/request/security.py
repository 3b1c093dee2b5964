"""Credentials: which of them an operation needs, and what they are sent as.

They come from the person alone: given as `auth=`, or read from a variable of the environment that
he has named, each time anew. A document only says where they go.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

from nbagents.errors import ToolDefinitionError, ToolError, did_you_mean
from nbagents.narrowing import dict_of, is_dict, is_mapping, list_of
from nbagents.openapi.document import Document, DocumentError
from nbagents.openapi.request.parameter import header_name
from nbagents.redaction import know

Secret: TypeAlias = str | Sequence[str] | Mapping[str, Any] | Callable[[], object]
"""A key or a token; user and password, or id and secret of a client, as two; a mapping with
`username` and `password`, or with `client_id`, `client_secret`, `token_url` and `scopes`; or a
function that gives one of these."""

PAIR: Final = 2
KINDS: Final = ("apikey", "http", "oauth2", "openidconnect")
"""All types but mutual TLS, which is no part of a request. Source: OpenAPI 3.1.1, 4.8.27."""
GRANT: Final = ("client_id", "client_secret")
USER: Final = ("username", "password")


@dataclass(frozen=True, slots=True)
class ClientGrant:
    """What a token is asked for with."""

    client_id: str
    client_secret: str = field(repr=False)
    token_url: str
    is_from_document: bool
    """Whether only the document says where that is."""
    scopes: tuple[str, ...] = ()


@dataclass(slots=True)
class Sent:
    """What credentials are sent as, beside the request itself."""

    headers: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    query: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]], repr=False)
    cookies: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]], repr=False)
    grants: list[ClientGrant] = field(default_factory=list[ClientGrant], repr=False)
    """For which a token is to be had first, which goes as `Authorization: Bearer`."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """All that must not go anywhere else."""
        found = [*self.headers.values(), *(value for _, value in (*self.query, *self.cookies))]
        return tuple(one for one in found if one)


class Security:
    """The credentials of one document.

    Args:
        document: Says which schemes there are.
        auth: What the person gave, by scheme.
        auth_env: The variables of the environment that hold them, by scheme.

    Raises:
        ToolDefinitionError: The document has no such scheme, or this is no credential.
    """

    def __init__(
        self,
        document: Document,
        auth: Mapping[str, Secret],
        auth_env: Mapping[str, str | Sequence[str]],
    ) -> None:
        self._document = document
        self._schemes = _schemes(document)
        self._given = dict(auth)
        self._variables = dict(auth_env)
        for name in (*self._given, *self._variables):
            if name not in self._schemes:
                known = list(self._schemes)
                hint = did_you_mean(name, known) if known else " It has none."
                raise ToolDefinitionError(f"{document.name} has no security scheme {name!r}.{hint}")
        for name, secret in self._given.items():
            _check(name, secret)
            _learn(secret)

    def __repr__(self) -> str:
        return f"<Security {', '.join((*self._given, *self._variables)) or 'none'}>"

    def owned(self, raw: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
        """Name and place of the API keys of an operation, which no model is asked for."""
        used = {name for one in self._alternatives(raw) for name in one}
        return frozenset(
            (header_name(scheme["name"], scheme["in"]), scheme["in"])
            for name in used
            if str((scheme := self._schemes.get(name, {})).get("type")).lower() == "apikey"
            and isinstance(scheme.get("name"), str)
            and isinstance(scheme.get("in"), str)
        )

    def sent(self, raw: Mapping[str, Any], where: str) -> Sent:
        """What is sent for an operation.

        Raises:
            ToolError: It needs what nobody gave.
        """
        alternatives = self._alternatives(raw)
        made = Sent()
        if not alternatives:
            return made
        for one in alternatives:
            if one and all(name in self._given or name in self._variables for name in one):
                for name, scopes in one.items():
                    self._add(made, name, scopes)
                return made
        if any(not one for one in alternatives):  # it may be asked without any
            return made
        raise ToolError(self._missing(alternatives, where), kind="unavailable")

    def _alternatives(self, raw: Mapping[str, Any]) -> list[dict[str, list[str]]]:
        listed = list_of(raw.get("security", self._document.root.get("security")))
        return [
            {name: _texts(scopes) for name, scopes in one.items() if self._is_sent(name)}
            for one in listed
            if is_dict(one)
        ]

    def _is_sent(self, name: str) -> bool:
        """Whether a scheme is one that a request carries: some are nowhere declared."""
        return str(self._schemes.get(name, {}).get("type")).lower() in KINDS

    def _missing(self, alternatives: Sequence[Mapping[str, object]], where: str) -> str:
        ways = " or ".join(" and ".join(f"{name!r}" for name in one) for one in alternatives)
        first = next(iter(alternatives[0]))
        return (
            f"{where} needs credentials for {ways}, which only the user can give: "
            f"nba.OpenAPI(…, auth={{{first!r}: …}}), or auth_env={{{first!r}: 'VARIABLE'}}. "
            "Nothing was sent."
        )

    def _add(self, made: Sent, name: str, scopes: list[str]) -> None:
        scheme, secret = self._schemes[name], self._secret(name)
        kind = str(scheme.get("type")).lower()
        if kind == "apikey":
            self._add_key(made, name, scheme, _text(name, secret))
        elif kind == "http" and str(scheme.get("scheme")).lower() == "basic":
            made.headers["Authorization"] = f"Basic {_basic(name, secret)}"
        elif kind in ("oauth2", "openidconnect") and not isinstance(secret, str):
            made.grants.append(self._grant(name, scheme, secret, scopes))
        else:
            word = str(scheme.get("scheme", "bearer")) if kind == "http" else "bearer"
            word = "Bearer" if word.lower() == "bearer" else word
            made.headers["Authorization"] = f"{word} {_text(name, secret)}"

    def _add_key(self, made: Sent, name: str, scheme: Mapping[str, Any], value: str) -> None:
        key, place = scheme.get("name"), scheme.get("in")
        if isinstance(key, str) and place == "header":
            made.headers[key] = value
        elif isinstance(key, str) and place == "query":
            made.query.append((key, value))
        elif isinstance(key, str) and place == "cookie":
            made.cookies.append((key, value))
        else:
            raise ToolError(
                f"The document does not say where the key of {name!r} goes.", kind="unavailable"
            )

    def _secret(self, name: str) -> object:
        secret: object = self._given.get(name)
        if secret is None:
            named = self._variables[name]
            found = [_variable(one, name) for one in ([named] if isinstance(named, str) else named)]
            secret = found[0] if isinstance(named, str) else found
        elif callable(secret):
            secret = secret()
            _check(name, secret)
        _learn(secret)
        return secret

    def _grant(
        self, name: str, scheme: Mapping[str, Any], secret: object, scopes: list[str]
    ) -> ClientGrant:
        flow = dict_of(dict_of(scheme.get("flows")).get("clientCredentials"))
        if is_mapping(secret):
            pair = [secret.get(word) for word in GRANT]
            own_url, own_scopes = secret.get("token_url"), secret.get("scopes")
        else:
            pair, own_url, own_scopes = list(cast("Sequence[str]", secret)), None, None
        token_url = own_url or flow.get("tokenUrl")
        if not isinstance(token_url, str):
            raise ToolError(
                f"The document does not say where {name!r} gives tokens to clients: the user can "
                f"give auth={{{name!r}: {{'client_id': …, 'client_secret': …, 'token_url': …}}}}.",
                kind="unavailable",
            )
        wanted = own_scopes if own_scopes is not None else scopes
        words = wanted.split() if isinstance(wanted, str) else [str(one) for one in wanted]
        return ClientGrant(str(pair[0]), str(pair[1]), token_url, own_url is None, tuple(words))


def _schemes(document: Document) -> dict[str, dict[str, Any]]:
    given = dict_of(document.root.get("components")).get("securitySchemes")
    found: dict[str, dict[str, Any]] = {}
    for name, one in dict_of(given).items():
        try:
            scheme, _ = document.resolved(one, f"components.securitySchemes.{name}")
        except DocumentError:
            continue
        if is_dict(scheme):
            found[name] = scheme
    return found


def _texts(given: object) -> list[str]:
    return [one for one in list_of(given) if isinstance(one, str)]


def _check(name: str, secret: object) -> None:
    if callable(secret) or (isinstance(secret, str) and secret):
        return
    if is_mapping(secret):
        if any(all(isinstance(secret.get(one), str) for one in words) for words in (GRANT, USER)):
            return
    elif isinstance(secret, Sequence) and not isinstance(secret, (str, bytes)):
        pair = cast("Sequence[object]", secret)
        if len(pair) == PAIR and all(isinstance(one, str) for one in pair):
            return
    raise ToolDefinitionError(  # what was given is not quoted: it may be one
        f"The credential of {name!r} is no text, no pair of texts, no function and no mapping "
        "with username and password, or client_id and client_secret."
    )


def _learn(secret: object) -> None:
    """Let nothing of a credential be written or shown."""
    for one in _pieces(secret):
        know(one)


def _pieces(secret: object) -> Iterator[str]:
    if isinstance(secret, str):
        yield secret
        if ":" in secret:
            yield secret.partition(":")[2]
            yield _coded(secret)
    elif is_mapping(secret):
        yield str(secret.get("client_secret", ""))
        yield str(secret.get("password", ""))
        yield _coded(":".join(str(secret.get(word)) for word in USER))
    elif isinstance(secret, Sequence):
        user, password = cast("Sequence[str]", secret)
        yield password
        yield _coded(f"{user}:{password}")


def _coded(pair: str) -> str:
    return base64.b64encode(pair.encode("utf-8", "replace")).decode()


def _variable(variable: str, name: str) -> str:
    value = os.environ.get(variable, "").strip()
    if not value:
        raise ToolError(
            f"The environment has no {variable}, which holds the credentials of {name!r}: only the "
            "user can set it. Nothing was sent.",
            kind="unavailable",
        )
    return value


def _text(name: str, secret: object) -> str:
    if not isinstance(secret, str) or not secret.isprintable():
        raise ToolError(f"The credential of {name!r} is not one line of text.", kind="unavailable")
    return secret


def _basic(name: str, secret: object) -> str:
    if isinstance(secret, str):  # `user:password`, as one variable may hold it
        return _coded(secret)
    if is_mapping(secret):
        secret = [secret.get(word) for word in USER]
    if isinstance(secret, Sequence):
        user, password = (_text(name, one) for one in cast("Sequence[object]", secret))
        return _coded(f"{user}:{password}")
    raise ToolError(
        f"The credential of {name!r} is a pair: auth={{{name!r}: (user, password)}}.",
        kind="unavailable",
    )
