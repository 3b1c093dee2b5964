"""Tokens of OAuth 2, for clients that act for themselves. Source: RFC 6749, 4.4 and 2.3.1."""

from __future__ import annotations

import base64
import json
import time
from dataclasses import dataclass, field
from typing import Final, TypeAlias
from urllib.parse import quote_plus, urlencode

from nbagents.errors import ToolError
from nbagents.narrowing import dict_of
from nbagents.openapi.exchange.connections import Connections
from nbagents.openapi.exchange.sending import Answer, Patience, origin_of, send
from nbagents.openapi.request import ClientGrant, HttpRequest, Sent, form_content
from nbagents.redaction import know

SOONER_S: Final = 30.0
"""So long before its end a token is not used any more."""
LIFETIME_S: Final = 300.0
"""Of a token of which nothing is said."""
OK: Final = 200

Key: TypeAlias = tuple[str, str, tuple[str, ...]]


@dataclass(slots=True)
class Tokens:
    """The tokens of one document, kept until they end.

    Args:
        connections: By which they are asked for.
        trusted: Origins at which the document itself may ask for the client's secret.
    """

    connections: Connections = field(repr=False)
    patience: Patience = field(default_factory=Patience)
    _kept: dict[Key, tuple[str, float]] = field(
        default_factory=dict[Key, "tuple[str, float]"], repr=False
    )

    async def token(self, grant: ClientGrant, base: str) -> str:
        """A token for a client.

        Args:
            grant: What it is asked for with.
            base: The server that it is for.

        Raises:
            ToolError: It was refused, or the secret would go to a server that nobody named.
        """
        key = (grant.client_id, grant.token_url, grant.scopes)
        known = self._kept.get(key)
        if known is not None and known[1] > time.monotonic():
            return known[0]
        _check(grant, base)
        answer = await self._asked(grant, in_body=False)
        if answer.status in (400, 401):  # some servers take the secret in the body only
            answer = await self._asked(grant, in_body=True)
        token, lifetime_s = _read(answer)
        know(token)
        self._kept[key] = token, time.monotonic() + max(lifetime_s - SOONER_S, 1.0)
        return token

    def forget(self, grant: ClientGrant) -> None:
        """Take back a token that a server did not take."""
        self._kept.pop((grant.client_id, grant.token_url, grant.scopes), None)

    async def _asked(self, grant: ClientGrant, *, in_body: bool) -> Answer:
        fields = {"grant_type": "client_credentials"}
        if grant.scopes:
            fields["scope"] = " ".join(grant.scopes)
        sent = Sent()
        if in_body:
            fields |= {"client_id": grant.client_id, "client_secret": grant.client_secret}
        else:
            pair = f"{quote_plus(grant.client_id)}:{quote_plus(grant.client_secret)}"
            coded = base64.b64encode(pair.encode()).decode()
            know(coded)
            sent.headers["Authorization"] = f"Basic {coded}"
        base, _, query = grant.token_url.partition("?")
        request = HttpRequest(
            method="POST",
            base=base,
            path=f"?{query}" if query else "",
            headers=(("Accept", "application/json"),),
            content=form_content(urlencode(fields)),
            sent=sent,
        )
        return await send(request, self.connections, self.patience)


def _check(grant: ClientGrant, base: str) -> None:
    """Refuse to send a secret where nobody but the document says that it goes, or in the clear.

    Raises:
        ToolError: It would.
    """
    try:
        scheme, host, _ = origin_of(grant.token_url)
    except ValueError:
        raise _unusable(f"{grant.token_url!r} is no address to ask for a token at") from None
    own = origin_of(base)
    if grant.is_from_document and host != own[1]:
        raise _unusable(
            f"The document asks for the client's secret at {host}, another server than {own[1]}: "
            "only the user can allow it, by token_url in auth="
        )
    if grant.is_from_document and scheme != "https" and own[0] == "https":
        raise _unusable(f"The document asks for the client's secret without encryption, at {host}")


def _unusable(said: str) -> ToolError:
    return ToolError(f"{said}. Nothing was sent.", kind="unavailable")


def _read(answer: Answer) -> tuple[str, float]:
    try:
        given = json.loads(answer.data)
    except ValueError:
        given = None
    found = dict_of(given)
    token, lifetime_s = found.get("access_token"), found.get("expires_in")
    if answer.status != OK or not isinstance(token, str) or not token:
        why = found.get("error_description") or found.get("error") or f"it answered {answer.status}"
        raise ToolError(
            f"No token was given at {answer.address}: {str(why)[:300]}. The call was not made.",
            kind="unavailable",
        )
    try:
        return token, float(lifetime_s) if lifetime_s is not None else LIFETIME_S
    except (TypeError, ValueError):
        return token, LIFETIME_S
