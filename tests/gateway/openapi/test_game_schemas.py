"""Games' own schemas as components of one document."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from foldtable.rules.v1.rules_service_pb2 import DescribeGameResponse, GameSummary
from gateway.openapi.examples import add_examples, example_of
from gateway.openapi.games import KINDS, game_components


def described(game: str, **schemas: dict[str, Any]) -> DescribeGameResponse:
    return DescribeGameResponse(
        summary=GameSummary(game=game),
        **{
            f"{kind.lower()}_schema": msgspec.json.encode(schemas.get(kind, {"type": "object"}))
            for kind in KINDS
        },
    )


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def test_definitions_get_their_games_name_and_references_follow() -> None:
    action = {
        "anyOf": [{"$ref": "#/$defs/Step"}, {"$ref": "#/$defs/Jump"}],
        "discriminator": {
            "propertyName": "type",
            "mapping": {"step": "#/$defs/Step", "jump": "#/$defs/Jump"},
        },
        "$defs": {
            "Step": {"properties": {"to": {"$ref": "#/$defs/Place"}}},
            "Jump": {},
            "Place": {"type": "string"},
        },
    }
    components = game_components([described("harbour", Action=action)])
    assert components["harbour.Action"]["anyOf"] == [ref("harbour.Step"), ref("harbour.Jump")]
    assert components["harbour.Action"]["discriminator"]["mapping"] == {
        "step": "#/components/schemas/harbour.Step",
        "jump": "#/components/schemas/harbour.Jump",
    }
    assert components["harbour.Step"] == {"properties": {"to": ref("harbour.Place")}}
    assert "$defs" not in str(components)


def test_a_definition_two_documents_share_is_one_component() -> None:
    place = {"type": "string"}
    documents = {kind: {"$ref": "#/$defs/Place", "$defs": {"Place": place}} for kind in ("Action", "View")}
    components = game_components([described("harbour", **documents)])
    assert components["harbour.Place"] == place
    assert components["harbour.Action"] == components["harbour.View"] == ref("harbour.Place")


def test_a_name_two_documents_use_differently_is_two_components() -> None:
    components = game_components(
        [
            described(
                "harbour",
                Action={"$ref": "#/$defs/Place", "$defs": {"Place": {"type": "string"}}},
                View={"$ref": "#/$defs/Place", "$defs": {"Place": {"type": "integer"}}},
            )
        ]
    )
    assert components["harbour.Action"] == ref("harbour.Place")
    assert components["harbour.Place"] == {"type": "string"}
    assert components["harbour.View"] == ref("harbour.View.Place")
    assert components["harbour.View.Place"] == {"type": "integer"}


def test_a_definition_with_the_kinds_own_name_is_that_kind() -> None:
    view = {"$ref": "#/$defs/View", "$defs": {"View": {"type": "object", "title": "View"}}}
    components = game_components([described("harbour", View=view)])
    assert components["harbour.View"] == {"type": "object", "title": "View"}


@pytest.mark.parametrize(("outer", "inner"), [("View", "Action"), ("Action", "View")])
def test_a_definition_with_another_kinds_name_stays_out_of_its_way(outer: str, inner: str) -> None:
    """Whichever of the two documents is read first."""
    uses = {
        "type": "object",
        "properties": {"next": {"$ref": f"#/$defs/{inner}"}},
        "$defs": {inner: {"type": "null"}},
    }
    components = game_components(
        [described("harbour", **{outer: uses, inner: {"type": "object", "title": "own"}})]
    )
    assert components[f"harbour.{inner}"] == {"type": "object", "title": "own"}
    assert components[f"harbour.{outer}"]["properties"]["next"] == ref(f"harbour.{outer}.{inner}")
    assert components[f"harbour.{outer}.{inner}"] == {"type": "null"}


def test_two_games_stand_side_by_side() -> None:
    components = game_components([described("harbour"), described("orchard")])
    assert components["Action"]["anyOf"] == [ref("harbour.Action"), ref("orchard.Action")]
    assert components["Event"]["anyOf"] == [ref("harbour.Event"), ref("orchard.Event"), ref("MatchEvent")]


@pytest.mark.parametrize(
    ("schema", "example"),
    [
        ({"enum": ["b", "a"]}, "b"),
        ({"const": 3}, 3),
        ({"type": "integer", "minimum": 2}, 2),
        ({"type": "array", "items": {"enum": ["x"]}, "minItems": 2}, ["x", "x"]),
        (
            {"type": "object", "properties": {"a": {"type": "boolean"}, "b": {}}, "required": ["a"]},
            {"a": False},
        ),
        ({"anyOf": [{"$ref": "#/components/schemas/harbour.Place"}]}, "a"),
        ({"type": "string", "format": "date"}, "2026-01-31"),
        ({"type": ["integer", "null"]}, 0),
    ],
)
def test_an_example_fits_its_schema(schema: dict[str, Any], example: object) -> None:
    assert example_of(schema, {"harbour.Place": {"type": "string"}}) == example


def test_an_example_may_show_all_members_or_only_those_that_must_be_there() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "boolean"}, "b": {"const": 1}},
        "required": ["b"],
    }
    assert example_of(schema, {}) == {"b": 1}
    assert example_of(schema, {}, full=True) == {"a": False, "b": 1}


def test_every_component_gets_an_example_unless_it_has_one() -> None:
    components: dict[str, Any] = {"Place": {"type": "string"}, "Way": {"type": "string", "examples": ["up"]}}
    add_examples(components)
    assert [one["examples"] for one in components.values()] == [["a"], ["up"]]


def test_a_recursive_schema_has_an_end() -> None:
    endless = {"type": "array", "items": ref("tree"), "minItems": 1}
    assert example_of(endless, {"tree": endless}) is not None
