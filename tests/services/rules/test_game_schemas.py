"""The games' JSON Schemas say what the gRPC contracts say."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.registry import GAMES, game
from services.rules.wire.contract_comments import contract_comments
from services.rules.wire.game_schemas import TAG, game_schema
from services.rules.wire.payloads import payloads_of

KINDS = ("Options", "Action", "Event", "Template", "View")


def schema(game_id: str, kind: Any) -> dict[str, Any]:
    played = game(game_id)
    shape = getattr(played.types, kind.lower())
    found: dict[str, Any] = msgspec.json.decode(game_schema(kind, shape, payloads_of(played).package))
    return found


def test_comments_are_read_as_they_stand_in_the_contract() -> None:
    said, message = contract_comments(GAMES["al_rashid"]), "foldtable.al_rashid.v1.RankedStack"
    assert said[message] == "A player's rank in an area, and the pieces it comes from (§1.8)."
    assert said[f"{message}.rank"] == "The rank of the player; 1 is the highest."


@pytest.mark.parametrize("game_id", sorted(GAMES))
@pytest.mark.parametrize("kind", KINDS)
def test_every_type_and_every_member_is_described(game_id: str, kind: str) -> None:
    document = schema(game_id, kind)
    assert document["title"] == kind
    assert document["description"]
    for name, definition in document["$defs"].items():
        assert definition["description"], name
        for member, value in definition.get("properties", {}).items():
            assert value["description"], f"{name}.{member}"


def test_a_type_without_words_of_its_own_gets_those_of_its_message() -> None:
    definitions = schema("al_rashid", "Event")["$defs"]
    assert definitions["AreaOpened"]["properties"]["area"]["description"] == "The id of the area."
    assert definitions["AreaOpened"]["properties"]["type"]["description"] == TAG


def test_words_of_its_own_go_first() -> None:
    assert (
        schema("al_rashid", "Action")["$defs"]["Colour"]["description"]
        == "The colour of a mercenary tile: red fights on land, blue at sea (§2.3)."
    )


def test_a_decision_has_the_words_of_a_message_that_is_called_otherwise() -> None:
    pending = schema("river_dragons", "View")["$defs"]["Pending"]
    assert pending["properties"]["simultaneous"]["description"]
