"""ApiFlow over the schemas of the catalogue: what is missing is found, asked for, and sent.

Values come from each schema itself: some are given by the request, the others by the person.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchmarks import anytool
from nbagents.anytool.flow import ApiFlow
from nbagents.anytool.flow.fit import fit
from nbagents.catalogue import Api, Catalogue
from nbagents.models.offline import OfflineModel
from nbagents.runs.state import Await

pytestmark = pytest.mark.skipif(
    not anytool.queries(),
    reason=f"the catalogue is not there: set NBAGENTS_DATA (looked in {anytool.FOLDER})",
)

FEW = 12
SOME = 600
SIMPLE: dict[str, Any] = {
    "string": "Oslo",
    "integer": 3,
    "number": 2.5,
    "boolean": True,
    "object": {},
    "null": None,
}


def value_of(schema: Any) -> Any:  # noqa: C901, PLR0911  a case for each form of schema
    """A value that fits a parameter."""
    if schema.get("enum"):
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            return value_of(schema[key][0])
    kind: Any = schema.get("type", "string")
    if isinstance(kind, list):
        return value_of({**schema, "type": "".join(kind[:1])})  # pyright: ignore[reportUnknownArgumentType]  JSON
    if kind == "array":
        return [value_of(schema.get("items") or {})] * max(1, schema.get("minItems", 1))
    if kind == "object":
        needed = schema.get("required", ())
        known = schema.get("properties", {})
        return {name: value_of(known.get(name, {})) for name in needed}
    if kind in ("integer", "number"):
        least = schema.get("minimum", schema.get("exclusiveMinimum"))
        return SIMPLE[kind] if least is None or isinstance(least, bool) else least + 1
    if kind == "string":
        return (SIMPLE["string"] * 20)[: max(4, schema.get("minLength", 4))]
    return SIMPLE[kind]


def halves(api: Api) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """What the request says and what the person knows; nothing where no value can be made."""
    known = api.parameters["properties"]
    required = api.parameters["required"]
    whole = {name: value_of(known.get(name, {})) for name in required}
    if fit(whole, api.parameters).missing:
        return None  # a pattern, or a bound of another kind
    chance = random.Random(api.name)
    missing = [name for name in required if chance.random() < 0.6] or required[:1]
    said = {name: value for name, value in whole.items() if name not in missing}
    return said, {name: whole[name] for name in missing}


def flow_of(over: Catalogue, api: Api, said: dict[str, Any], **options: Any) -> Any:
    """A flow that comes to this API with these values, and what it would send in the end."""
    flow = ApiFlow(over, OfflineModel(), **options)
    sent: list[Any] = []

    def keep(api: str, parameters: dict[str, Any]) -> str:
        sent.append((api, parameters))
        return "Sent."

    flow.nodes["extract_category"] = list
    flow.nodes["get_apis"] = lambda: [api.name]
    flow.nodes["select_api"] = lambda: api.name
    flow.nodes["extract_parameters"] = lambda: said
    flow.nodes["execute_request"] = keep
    return flow, sent


def wrong(over: Catalogue, api: Api, *, resumed: bool) -> str:
    """What is wrong with the way of one API, if anything."""
    made = halves(api)
    if made is None:
        return ""
    said, known = made
    asked: list[Any] = []

    def answer(question: Await) -> dict[str, Any]:
        asked.append((question.kind, set(question.missing_fields), question.arguments))
        return known

    how: Any = "suspend" if resumed else answer
    flow, sent = flow_of(over, api, said, on_await=how)
    run = flow.run(f"Call {api.api}", log="memory")
    if resumed:
        if run.status != "suspended" or sent:
            return f"{api.name}: {run.status}, {run.text}"
        flow.resume(run, answer=known)
    elif asked != [("clarification", set(known), said)]:
        return f"{api.name}: asked {asked}, expected {set(known)}"
    if sent != [(api.name, {**said, **known})]:
        return f"{api.name}: sent {sent}, expected {said} and {known}"
    return ""


def with_required(over: Catalogue) -> list[Api]:
    return [one for one in over if one.parameters.get("required")]


def chosen(count: int) -> list[Api]:
    found = with_required(anytool.catalogue())
    return found[:: len(found) // count][:count]


@pytest.mark.medium
def test_what_is_missing_is_found_asked_for_and_sent() -> None:
    over = anytool.catalogue()
    apis = chosen(FEW)
    found = [said for n, one in enumerate(apis) if (said := wrong(over, one, resumed=n % 2 == 0))]
    assert found == []


@pytest.mark.slow
def test_it_is_for_many_more() -> None:
    over = anytool.catalogue()
    apis = chosen(SOME)
    found = [said for n, one in enumerate(apis) if (said := wrong(over, one, resumed=n % 2 == 1))]
    assert found == []


@pytest.mark.slow
def test_every_schema_says_what_is_missing_and_what_is_not() -> None:
    """No run: what is held against the schemas of all APIs that require something."""
    apis = with_required(anytool.catalogue())
    assert len(apis) > 10_000
    unmade, bad = 0, list[str]()
    for api in apis:
        made = halves(api)
        if made is None:
            unmade += 1
            continue
        said, known = made
        held = fit(said, api.parameters)
        if set(held.missing) != set(known) or held.arguments != said or held.left_out:
            bad.append(f"{api.name}: {held}")
        whole = fit({**said, **known}, api.parameters)
        if whole.missing:
            bad.append(f"{api.name}: {whole}")
    assert bad == []
    assert unmade <= len(apis) / 100
