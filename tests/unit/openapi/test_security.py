"""Credentials: sent where they belong, and nowhere else: not asked for, shown or led away."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from calling import Json, call, document, operation, parameter
from recording_server import Asked, Reply, Served, serving

import nbagents as nba
from nbagents.errors import ToolDefinitionError
from nbagents.redaction import clean
from nbagents.runs.logs.sqlite import SqliteLog

KEY = "s3cret-k3y/+%=é"
SCHEMES: Json = {
    "head": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "query": {"type": "apiKey", "in": "query", "name": "key"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
    "bearer": {"type": "http", "scheme": "bearer"},
    "basic": {"type": "http", "scheme": "Basic"},
    "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://id.example"},
    "mtls": {"type": "mutualTLS"},
}


def secured(*security: Json, schemes: Json | None = None, **rest: Any) -> Json:
    """A document of one operation that needs one of these."""
    made = operation(security=list(security), **rest)
    return document({"/x": {"get": made}}, components={"securitySchemes": schemes or SCHEMES})


def needing(*names: str) -> Json:
    return secured({name: [] for name in names})


def asked(given: Json, **options: Any) -> Asked:
    with serving(Reply.of({})) as server:
        made = call(nba.OpenAPI(given, base_url=server.url, **options))
        assert made.status == "done", made.content
    return server.only


def test_each_kind_goes_where_it_belongs() -> None:
    one = asked(
        needing("head", "query", "cookie"),
        auth={"head": "the-header", "query": KEY, "cookie": "the-cookie"},
    )
    assert one.headers["X-Key"] == "the-header"
    assert one.query == [("key", KEY)]
    assert one.headers["Cookie"] == "sid=the-cookie"
    for name in ("bearer", "oidc"):
        assert asked(needing(name), auth={name: "t0ken"}).headers["Authorization"] == "Bearer t0ken"
    pair = base64.b64encode(b"me:p:w").decode()
    named = {"username": "me", "password": "p:w"}
    for secret in (("me", "p:w"), "me:p:w", ["me", "p:w"], lambda: ("me", "p:w"), named):
        found = asked(needing("basic"), auth={"basic": secret}).headers["Authorization"]
        assert found == f"Basic {pair}"


def test_the_first_alternative_of_which_all_is_given_is_taken() -> None:
    given = secured({"head": [], "query": []}, {"bearer": []}, {})
    assert asked(given, auth={"head": "h", "bearer": "b"}).headers["Authorization"] == "Bearer b"
    assert asked(given).headers["Authorization"] is None
    assert asked(secured({"mtls": []}, schemes=SCHEMES)).headers["Authorization"] is None
    assert asked(secured({"nowhere": []})).headers["Authorization"] is None


def test_those_of_the_document_hold_where_the_operation_says_nothing() -> None:
    given = needing("head")
    given["security"] = given["paths"]["/x"]["get"].pop("security")
    assert asked(given, auth={"head": "h3ader"}).headers["X-Key"] == "h3ader"
    given["paths"]["/x"]["get"]["security"] = []
    assert asked(given, auth={"head": "h3ader"}).headers["X-Key"] is None


def test_what_nobody_gave_is_said_and_nothing_is_sent() -> None:
    with serving(Reply.of({})) as server:
        made = call(nba.OpenAPI(needing("head"), base_url=server.url))
    assert made.failure is not None
    assert (made.failure.kind, made.failure.recovery) == ("unavailable", "replan")
    assert "auth={'head'" in made.failure.message
    assert server.asked == []


def test_variables_of_the_environment_are_read_at_each_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PETS_USER", raising=False)
    with serving(Reply.of({})) as server:
        api = nba.OpenAPI(
            needing("basic"), base_url=server.url, auth_env={"basic": ["PETS_USER", "PETS_WORD"]}
        )
        missing = call(api)
        monkeypatch.setenv("PETS_USER", "me")
        monkeypatch.setenv("PETS_WORD", "first-word")
        call(api)
        monkeypatch.setenv("PETS_WORD", "second-word")
        call(api)
    assert missing.failure is not None
    assert "has no PETS_USER" in missing.failure.message
    found = [base64.b64decode(one.headers["Authorization"][6:]) for one in server.asked]
    assert found == [b"me:first-word", b"me:second-word"]
    assert "second-word" not in clean("it is second-word")


@pytest.mark.parametrize("secret", [3, "", [], ("a", "b", "c"), {"client_id": "x"}, b"bytes"])
def test_what_is_no_credential_is_refused_unquoted(secret: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="The credential of 'head' is no text"):
        nba.OpenAPI(needing("head"), auth={"head": secret})
    with pytest.raises(ToolDefinitionError, match=r"no security scheme 'haed'.*'head'"):
        nba.OpenAPI(needing("head"), auth={"haed": "x"})


def test_a_credential_that_would_end_a_line_is_not_sent() -> None:
    with serving(Reply.of({})) as server:
        api = nba.OpenAPI(needing("head"), base_url=server.url, auth={"head": "a\r\nX-Evil: b"})
        made = call(api)
    assert made.failure is not None
    assert server.asked == []


def test_a_model_is_not_asked_for_a_key_in_a_header_whatever_its_capitals() -> None:
    scheme = {"type": "apiKey", "in": "header", "name": "X-API-Key"}
    own = operation(parameter("x-api-key", "header", required=True), security=[{"key": []}])
    given = document({"/x": {"get": own}}, components={"securitySchemes": {"key": scheme}})
    with serving(Reply.of({})) as server:
        api = nba.OpenAPI(given, base_url=server.url, auth={"key": "ours-alone"})
        assert not api.operations[0].parts.schemas
        call(api)
    assert server.only.headers.get_all("X-API-Key") == ["ours-alone"]


def test_a_model_is_not_asked_for_what_a_key_is_sent_as() -> None:
    own = [parameter("key", "query"), parameter("other", "query")]
    given = secured({"query": []}, parameters=own)
    with serving(Reply.of({})) as server:
        api = nba.OpenAPI(given, base_url=server.url, auth={"query": "ours"})
        assert list(api.operations[0].parts.schemas) == ["other"]
        assert call(api, {"key": "the model's"}).failure is not None
        call(api, {"other": "a"})
    assert server.only.query == [("other", "a"), ("key", "ours")]


WAYS = ["head", "query", "cookie", "bearer", "basic"]


def secret_of(way: str) -> Any:
    return ("me", KEY.encode("ascii", "ignore").decode()) if way == "basic" else "s3cret-k3y/+%="


def echo(one: Asked) -> Reply:
    """All that came, as some servers answer for debugging."""
    text = json.dumps([one.target, list(one.headers.items())])
    return Reply.of({"echo": json.loads(text)}, status=200 if "ok" in one.target else 400)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("path", ["/ok", "/bad"])
def test_nothing_that_is_kept_or_shown_holds_a_credential(
    way: str, path: str, tmp_path: Path
) -> None:
    given = document(
        {path: {"get": operation(security=[{way: []}])}}, components={"securitySchemes": SCHEMES}
    )
    with serving(echo) as server:
        api = nba.OpenAPI(given, base_url=server.url, auth={way: secret_of(way)})
        tool = api.tools()[0]
        request = nba.CallRequest(id="c", name=tool.name, arguments="{}")
        model = nba.ScriptedModel([[request], "done"])
        log = SqliteLog(tmp_path / "log.sqlite3")
        run = nba.Agent(model=model, tools=[api]).run("Go.", log=nba.Session(log))
        log.close()
    files = [one for one in tmp_path.glob("*.sqlite3*") if one.is_file()]
    assert files
    everything = "".join(
        (
            *(one.read_bytes().decode("latin-1") for one in files),
            repr(run.calls[0]),
            str(run.calls[0].content),
            repr(model.requests[-1]),
            repr(run),
            repr(api),
            repr(tool),
            str(vars(api)),
        )
    )
    for form in ("s3cret-k3y", quote("s3cret-k3y/+%=", safe=""), _basic()):
        assert form not in everything
    (one,) = server.asked
    assert any(form in one.target + str(one.headers) for form in ("s3cret-k3y", _basic()))


def _basic() -> str:
    return base64.b64encode(b"me:s3cret-k3y/+%=").decode()


@pytest.mark.parametrize("way", WAYS)
def test_a_redirect_to_another_server_goes_without_credentials(way: str) -> None:
    with serving(Reply.of({"at": "the other"})) as other:
        moved = Reply(302, b"", {"Location": f"{other.url}/elsewhere?a=1"})
        with serving(moved) as server:
            api = nba.OpenAPI(
                needing(way),
                base_url=server.url,
                auth={way: secret_of(way)},
                private_hosts=["127.0.0.1"],
            )
            made = call(api)
    assert made.value == {"at": "the other"}
    assert _holds_none(other)
    assert other.only.target == "/elsewhere?a=1"


def _holds_none(server: Served) -> bool:
    text = "".join(one.target + str(one.headers) for one in server.asked)
    return "s3cret" not in text and _basic() not in text and "Authorization" not in text


def test_a_redirect_that_carries_the_key_away_is_not_followed() -> None:
    def reply(one: Asked) -> Reply:
        return Reply(302, b"", {"Location": f"{other.url}/?{one.target.partition('?')[2]}"})

    with serving(Reply.of({})) as other, serving(reply) as server:
        api = nba.OpenAPI(
            needing("query"),
            base_url=server.url,
            auth={"query": "s3cret-k3y/+%="},
            private_hosts=["127.0.0.1"],
        )
        made = call(api)
    assert made.failure is not None
    assert "would carry the credentials" in made.failure.message
    assert "s3cret" not in made.failure.message
    assert other.asked == []


@pytest.mark.parametrize("way", WAYS)
def test_a_redirect_within_the_server_keeps_them(way: str) -> None:
    def reply(one: Asked) -> Reply:
        return Reply(307, b"", {"Location": "/y?b=2"}) if one.path == "/x" else Reply.of({})

    with serving(reply) as server:
        call(nba.OpenAPI(needing(way), base_url=server.url, auth={way: secret_of(way)}))
    first, second = server.asked
    assert second.path == "/y"
    for name in ("Authorization", "X-Key", "Cookie"):
        assert first.headers[name] == second.headers[name]
    assert [one for one in first.query if one[0] == "key"] == second.query[1:]


GRANT: Json = {
    "type": "oauth2",
    "flows": {"clientCredentials": {"tokenUrl": "TOKEN", "scopes": {"read": "", "write": ""}}},
}


def granted(url: str, *, scopes: list[str]) -> Json:
    flow = {**GRANT["flows"]["clientCredentials"], "tokenUrl": url}
    scheme = {**GRANT, "flows": {"clientCredentials": flow}}
    return secured({"oauth": scopes}, schemes={"oauth": scheme})


class TokenServer:
    """Gives tokens by number, and takes the newest only."""

    def __init__(self, *, in_body: bool = False) -> None:
        self.count, self.in_body = 0, in_body
        self.bad = False

    def __call__(self, one: Asked) -> Reply:
        if one.path != "/token":
            fits = one.headers["Authorization"] == f"Bearer token-number-{self.count}"
            return Reply.of({"ok": True}) if fits else Reply.of({}, status=401)
        if self.bad or (self.in_body and b"client_secret" not in one.body):
            return Reply.of({"error": "invalid_client"}, status=401)
        self.count += 1
        given = {"access_token": f"token-number-{self.count}", "expires_in": 3600}
        return Reply.of({**given, "token_type": "Bearer"})


@pytest.mark.parametrize("in_body", [False, True])
def test_a_client_gets_its_token_once_and_anew_when_it_is_not_taken_any_more(
    *, in_body: bool
) -> None:
    script = TokenServer(in_body=in_body)
    with serving(script) as server:
        given = granted(f"{server.url}/token", scopes=["read", "write"])
        api = nba.OpenAPI(given, base_url=server.url, auth={"oauth": ("me", "cl1ent-secret")})
        assert [call(api).status, call(api).status] == ["done", "done"]
        tokens = [one for one in server.asked if one.path == "/token"]
        assert len(tokens) == 1 + in_body
        assert b"grant_type=client_credentials&scope=read+write" in tokens[-1].body
        script.count += 1  # the token of before is not taken any more
        assert call(api).status == "done"
    assert "cl1ent-secret" not in repr(api._caller.sender.tokens)  # pyright: ignore[reportPrivateUsage]
    assert "token-number-1" not in clean("token-number-1")


def test_a_token_that_is_refused_is_told_of_without_the_secret() -> None:
    script = TokenServer()
    script.bad = True
    with serving(script) as server:
        given = granted(f"{server.url}/token", scopes=[])
        api = nba.OpenAPI(given, base_url=server.url, auth={"oauth": ("me", "cl1ent-secret")})
        made = call(api)
    assert made.failure is not None
    assert "invalid_client" in made.failure.message
    assert "cl1ent-secret" not in made.failure.message
    assert {one.path for one in server.asked} == {"/token"}


def test_a_document_cannot_have_the_secret_of_a_client_sent_to_another_host() -> None:
    with serving(TokenServer()) as server:
        given = granted(
            f"http://127.0.0.1.nip.test:{server.url.rpartition(':')[2]}/token", scopes=[]
        )
        api = nba.OpenAPI(given, base_url=server.url, auth={"oauth": ("me", "cl1ent-secret")})
        made = call(api)
        assert made.failure is not None
        assert "another server" in made.failure.message
        named = {"client_id": "me", "client_secret": "x" * 9, "token_url": f"{server.url}/token"}
        assert call(nba.OpenAPI(given, base_url=server.url, auth={"oauth": named})).status == "done"
