"""The OpenAPI document has nothing that generators of clients are known to stumble over; they are run in tests/conformance."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from gateway.openapi.unions import compilable
from tests.support.running_system import System

Json = dict[str, Any]
COMPONENT = "#/components/schemas/"


@pytest.fixture(scope="module")
def document(system: System) -> Json:
    """With all games in it."""
    with system.client() as client:
        found: Json = client.get("/openapi.json").json()
    return found


def schemas_in(node: Any) -> Iterator[Json]:
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from schemas_in(inner)


def test_no_webhook_has_the_tag_of_an_operation(document: Json) -> None:
    of_operations = {
        tag for item in document["paths"].values() for one in item.values() for tag in one["tags"]
    }
    of_webhooks = {tag for item in document["webhooks"].values() for tag in item["post"]["tags"]}
    assert of_webhooks == {"webhook events"}
    assert "webhooks" in of_operations
    assert not of_webhooks & of_operations
    assert of_webhooks | of_operations == {tag["name"] for tag in document["tags"]}


def test_a_link_s_body_is_an_expression_or_named_member_by_member(document: Json) -> None:
    links = [
        link
        for item in document["paths"].values()
        for operation in item.values()
        for answer in operation["responses"].values()
        for link in answer.get("links", {}).values()
    ]
    assert {type(link["requestBody"]) for link in links if "requestBody" in link} == {str}
    assert {type(link["x-request-body"]) for link in links if "x-request-body" in link} == {dict}


def test_no_component_is_called_as_the_constructor_of_another(document: Json) -> None:
    names = document["components"]["schemas"].keys()
    assert [name for name in names if name.removeprefix("New") in names - {name}] == []


def test_no_union_has_a_union_or_a_list_or_an_empty_object_in_it(document: Json) -> None:
    components = document["components"]["schemas"]
    for schema in schemas_in(document):
        for option in schema.get("anyOf", ()) if isinstance(schema.get("anyOf"), list) else ():
            if "$ref" in option and schema.get("x-unions"):
                target = components[option["$ref"].removeprefix(COMPONENT)]
                assert "anyOf" not in target
                assert target.get("properties") or target.get("type") != "object", option
            assert len(schema["anyOf"]) == 2 or option.get("type") != "array", schema  # 2: a list or null


def test_unions_of_all_games_name_those_of_each(document: Json) -> None:
    components = document["components"]["schemas"]
    games = ("al_rashid", "river_dragons", "river_of_gold")
    for kind in ("Action", "Event", "Template", "Options"):
        of_games = [{"$ref": f"{COMPONENT}{game}.{kind}"} for game in games]
        assert components[kind]["x-unions"][:3] == of_games
    assert components["Options"]["type"] == "object"
    own = [option for game in games for option in components[f"{game}.Action"]["anyOf"]]
    assert components["Action"]["anyOf"] == own
    requested = [*own, *components["MatchCommand"]["anyOf"]]
    assert components["RequestedAction"]["anyOf"] == requested


def tagged(name: str, *tags: str) -> Json:
    members = {f"{name}.{tag}": {"type": "object", "properties": {"type": {"enum": [tag]}}} for tag in tags}
    return {name: {"anyOf": [{"$ref": COMPONENT + member} for member in members]}, **members}


@pytest.mark.parametrize(("second", "told_apart"), [("stay", True), ("go", False)])
def test_members_with_different_tags_are_told_apart(second: str, *, told_apart: bool) -> None:
    games = [{"$ref": f"{COMPONENT}one"}, {"$ref": f"{COMPONENT}two"}]
    components = {**tagged("one", "go"), **tagged("two", second), "all": {"anyOf": games}}
    compilable(components)
    union = components["all"]
    assert union["anyOf"] == [{"$ref": f"{COMPONENT}one.go"}, {"$ref": f"{COMPONENT}two.{second}"}]
    assert union["x-unions"] == games
    mapping = {"go": f"{COMPONENT}one.go", second: f"{COMPONENT}two.{second}"}
    told = {"propertyName": "type", "mapping": mapping}
    assert union.get("discriminator") == (told if told_apart else None)


def test_what_generators_can_compile_stays_as_it_is() -> None:
    components = {
        **tagged("one", "go", "stay"),
        "Seat": {"type": "object", "properties": {"seat": {"type": "integer"}}},
    }
    before = deepcopy(components)
    compilable(components)
    assert components == before
