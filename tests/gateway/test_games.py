"""GET /v1/games: the catalogue."""

from __future__ import annotations

import httpx
from jsonschema import Draft202012Validator

from tests.gateway.table import Player


def test_the_catalogue_is_public_and_links_to_each_game(anybody: httpx.Client) -> None:
    answer = anybody.get("/v1/games")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=30"
    (game,) = [game for game in answer.json()["games"] if game["game"] == "river_dragons"]
    assert game["seat_counts"] == [2, 3, 4, 5, 6]
    assert set(game) == {"game", "title", "edition", "rules_version", "seat_counts", "links"}
    assert anybody.get(game["links"]["self"]).json()["title"] == game["title"]


def test_a_game_tells_everything_but_matches(anybody: httpx.Client) -> None:
    game = anybody.get("/v1/games/river_dragons").json()
    assert game["proto_package"] == "foldtable.river_dragons.v1"
    assert game["components"]
    for name in ("options", "action", "event", "template", "view"):
        Draft202012Validator.check_schema(game[f"{name}_schema"])


def test_what_is_played_fits_the_schemas_a_game_publishes(anybody: httpx.Client, player: Player) -> None:
    game = anybody.get("/v1/games/river_dragons").json()
    Draft202012Validator(game["view_schema"]).validate(player.look("view").json()["view"])
    legal = player.look("legal-actions", samples=3).json()
    for action in legal["samples"]:
        Draft202012Validator(game["action_schema"]).validate(action)
    for template in legal["templates"]:
        Draft202012Validator(game["template_schema"]).validate(template)
    for event in player.any_move().json()["events"]:
        Draft202012Validator(game["event_schema"]).validate(event)


def test_an_unknown_game(anybody: httpx.Client) -> None:
    answer = anybody.get("/v1/games/chess")
    assert (answer.status_code, answer.json()["reason"]) == (404, "GAME_NOT_FOUND")
