"""GET /v1/games: the catalogue."""

from __future__ import annotations

import httpx
from jsonschema import Draft202012Validator

from tests.gateway.table import Platform, Player


def test_the_catalogue_is_public_and_links_to_each_game(anybody: httpx.Client) -> None:
    answer = anybody.get("/v1/games")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=30"
    (game,) = [game for game in answer.json()["games"] if game["game"] == "river_dragons"]
    assert game["seat_counts"] == [2, 3, 4, 5, 6]
    assert game["bot_levels"][0] == "random"
    assert set(game) == {
        "game",
        "title",
        "edition",
        "rules_version",
        "rules_versions",
        "seat_counts",
        "bot_levels",
        "links",
    }
    assert anybody.get(game["links"]["self"]).json()["title"] == game["title"]


def test_every_version_of_the_rules_is_told_with_its_day_and_what_it_changed(anybody: httpx.Client) -> None:
    (listed,) = [game for game in anybody.get("/v1/games").json()["games"] if game["game"] == "river_dragons"]
    assert [one["version"] for one in listed["rules_versions"]] == ["1.2.0", "1.1.0", "1.0.0"]
    assert listed["rules_versions"][0]["version"] == listed["rules_version"]
    assert listed["rules_versions"][-1] == {
        "version": "1.0.0",
        "since": "2026-11-21",
        "changes": "The first rules.",
    }
    assert anybody.get("/v1/games/river_dragons").json()["rules_versions"] == listed["rules_versions"]


def test_a_match_can_be_begun_under_older_rules(platform: Platform) -> None:
    table = platform.new_table(rules_version="1.0.0")
    assert table.match()["rules_version"] == "1.0.0"
    answer = platform.create(rules_version="7")
    assert (answer.status_code, answer.json()["reason"]) == (409, "RULES_VERSION_UNSUPPORTED")
    assert answer.json()["metadata"]["supported"] == "1.2.0, 1.1.0, 1.0.0"


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
