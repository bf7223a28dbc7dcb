"""/bgio: the lobby under boardgame.io's names. What its own client makes of it, tests/conformance shows."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.gateway.table import Platform

GAMES = "/bgio/games/river_dragons"


def created(platform: Platform, **more: Any) -> str:
    answer = platform.post(f"{GAMES}/create", json={"numPlayers": 2, **more})
    assert answer.status_code == 200
    return f"{GAMES}/{answer.json()['matchID']}"


def joined(platform: Platform, match: str, name: str, **more: Any) -> dict[str, str]:
    """Take a seat; give what proves it to the lobby."""
    told = platform.post(f"{match}/join", json={"playerName": name, **more}).json()
    return {"playerID": told["playerID"], "credentials": told["playerCredentials"]}


def test_the_games_are_a_list_of_names(anybody: httpx.Client) -> None:
    assert "river_dragons" in anybody.get("/bgio/games").json()


def test_a_match_is_the_same_match_under_both_names(platform: Platform) -> None:
    path = created(platform, setupData={"variant": "islands"}, unlisted=True)
    joined(platform, path, "Ada", playerID="1", player="ada")
    match_id = path.rpartition("/")[2]
    here, there = platform.get(path).json(), platform.get(f"/v1/matches/{match_id}").json()
    assert (here["matchID"], here["gameName"], here["setupData"]) == (
        match_id,
        there["game"],
        there["options"],
    )
    assert here["players"] == [{"id": 0}, {"id": 1, "name": "Ada"}]
    assert here["unlisted"] is (there["visibility"] == "unlisted") is True
    assert there["seats"][1]["player"] == "ada"
    assert "gameover" not in here


def test_whoever_sits_there_has_a_name(platform: Platform) -> None:
    """Its client takes a seat without a name for free."""
    match = platform.create(2, players=["ada"]).json()["match"]["match_id"]
    assert [seat["name"] for seat in platform.get(f"{GAMES}/{match}").json()["players"]] == [
        "ada",
        "Player 2",
    ]


def test_leaving_frees_the_seat_resigns_or_does_nothing(platform: Platform) -> None:
    match = created(platform)
    ada, bob = joined(platform, match, "Ada"), joined(platform, match, "Bob")
    waiting = created(platform)
    carl = joined(platform, waiting, "Carl")
    assert platform.post(f"{waiting}/leave", json=carl).json() == {}
    assert platform.get(waiting).json()["players"] == [{"id": 0}, {"id": 1}]
    assert platform.post(f"{waiting}/leave", json=carl).json()["reason"] == "SEAT_FORBIDDEN"

    assert platform.post(f"{match}/leave", json=bob).json() == {}
    over = platform.get(match).json()["gameover"]
    assert over["winners"] == [0]
    assert platform.post(f"{match}/leave", json=ada).json() == {}
    assert platform.get(match).json()["gameover"] == over


def test_all_who_play_again_meet_at_one_table(platform: Platform) -> None:
    match = created(platform)
    ada, bob = joined(platform, match, "Ada"), joined(platform, match, "Bob")
    (following,) = {
        platform.post(f"{match}/playAgain", json=player).json()["nextMatchID"] for player in (ada, bob, ada)
    }
    before, after = platform.get(match).json(), platform.get(f"{GAMES}/{following}").json()
    assert after["matchID"] != before["matchID"]
    assert after["players"] == [{"id": 0}, {"id": 1}]
    assert (after["setupData"], after["unlisted"]) == (before["setupData"], before["unlisted"])


def test_who_plays_again_first_says_what_it_is_like(platform: Platform) -> None:
    match = created(platform)
    ada, bob = joined(platform, match, "Ada"), joined(platform, match, "Bob")
    wanted = {"numPlayers": 3, "setupData": {"variant": "islands"}, "unlisted": True}
    following = platform.post(f"{match}/playAgain", json={**ada, **wanted}).json()["nextMatchID"]
    assert platform.post(f"{match}/playAgain", json=bob).json()["nextMatchID"] == following
    after = platform.get(f"{GAMES}/{following}").json()
    assert (len(after["players"]), after["unlisted"]) == (3, True)
    assert after["setupData"]["variant"] == "islands"


def test_a_match_that_is_over_says_which_one_follows(platform: Platform) -> None:
    match = created(platform)
    ada, bob = joined(platform, match, "Ada"), joined(platform, match, "Bob")
    platform.post(f"{match}/leave", json=bob)
    assert "nextMatchID" not in platform.get(match).json()
    following = platform.post(f"{match}/playAgain", json=ada).json()["nextMatchID"]
    assert platform.get(match).json()["nextMatchID"] == following
    there = platform.get(f"/v1/matches/{match.rpartition('/')[2]}").json()
    assert there["next_match_id"] == following
    assert platform.get(f"/v1/matches/{following}").json()["rematch_of"] == there["match_id"]


def test_a_player_changes_name_and_data(platform: Platform) -> None:
    match = created(platform)
    ada = joined(platform, match, "Ada", data={"colour": "teal", "picture": None})
    joined(platform, match, "Bob", data=None)
    assert platform.get(match).json()["players"] == [
        {"id": 0, "name": "Ada", "data": {"colour": "teal", "picture": None}},
        {"id": 1, "name": "Bob"},
    ]
    for change in (
        {"newName": "Captain Ada"},
        {"data": [1, 2.5, "é"]},
        {"newName": "Captain Ada", "data": None},
    ):
        assert platform.post(f"{match}/update", json={**ada, **change}).json() == {}
    first = {"id": 0, "name": "Captain Ada", "data": [1, 2.5, "é"]}
    assert platform.get(match).json()["players"][0] == first
    (listed,) = (
        one["players"][0]
        for one in platform.get(GAMES).json()["matches"]
        if one["matchID"] == match.rpartition("/")[2]
    )
    assert listed == first


def test_credentials_are_those_of_the_seat_that_is_named(platform: Platform) -> None:
    match, other = created(platform), created(platform)
    ada = joined(platform, match, "Ada")
    elsewhere = joined(platform, other, "Ada")
    for what in ("leave", "playAgain", "update"):
        for wrong, reason in (
            ({**ada, "playerID": "1"}, "SEAT_FORBIDDEN"),
            (elsewhere, "SEAT_FORBIDDEN"),
            ({**ada, "credentials": "garbage"}, "SEAT_FORBIDDEN"),
            ({**ada, "credentials": "eyJgarbage"}, "TOKEN_INVALID"),
        ):
            more = {"newName": "Eve"} if what == "update" else {}
            assert platform.post(f"{match}/{what}", json={**wrong, **more}).json()["reason"] == reason
    assert platform.get(match).json()["players"][0] == {"id": 0, "name": "Ada"}


def test_a_token_that_was_revoked_asks_for_nothing(platform: Platform) -> None:
    match = created(platform)
    ada = joined(platform, match, "Ada")
    joined(platform, match, "Bob")
    platform.post(f"/v1/matches/{match.rpartition('/')[2]}/seats/0/revoke")
    for what, more in (("leave", {}), ("playAgain", {}), ("update", {"newName": "Ada II"})):
        refused = platform.post(f"{match}/{what}", json={**ada, **more})
        assert refused.json()["reason"] == "SEAT_FORBIDDEN"
    assert "gameover" not in platform.get(match).json()


def test_lists_hold_public_matches_of_the_game_and_of_the_time(platform: Platform) -> None:
    public, unlisted = created(platform), created(platform, unlisted=True)
    moved = platform.get(public).json()["updatedAt"]

    def listed(**where: Any) -> set[str]:
        matches = platform.get(GAMES, params=where).json()["matches"]
        return {f"{GAMES}/{match['matchID']}" for match in matches}

    assert public in listed()
    assert unlisted not in listed()
    assert public in listed(isGameover="false", updatedAfter=moved - 1, updatedBefore=moved + 1)
    for where in ({"isGameover": "true"}, {"updatedAfter": moved}, {"updatedBefore": moved}):
        assert public not in listed(**where)


def test_a_match_of_another_game_is_none(platform: Platform) -> None:
    match = created(platform).rpartition("/")[2]
    for method, path, body in (
        ("GET", "", None),
        ("POST", "/join", {"playerName": "Ada"}),
        ("POST", "/leave", {"playerID": "0", "credentials": "x"}),
        ("POST", "/playAgain", {"playerID": "0", "credentials": "x"}),
        ("POST", "/update", {"playerID": "0", "credentials": "x", "newName": "Ada"}),
    ):
        answer = platform.request(method, f"/bgio/games/al_rashid/{match}{path}", json=body)
        assert answer.json()["reason"] == "MATCH_NOT_FOUND"


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/create", {}, 400),
        ("/create", {"numPlayers": "2"}, 400),
        ("/create", {"numPlayers": 2, "setupData": {"variant": "lava"}}, 400),
        ("/create", {"numPlayers": 2, "colour": "red"}, 400),
        (f"/{uuid4()}/join", {"playerName": ""}, 400),
        (f"/{uuid4()}/join", {"playerName": "Ada", "playerID": 1}, 400),
        (f"/{uuid4()}/join", {"playerName": "Ada", "playerID": "01"}, 400),
        (f"/{uuid4()}/join", {"playerName": "Ada"}, 404),
        (f"/{uuid4()}/leave", {"playerID": "0"}, 400),
        ("/seven/leave", {"playerID": "0", "credentials": "x"}, 404),
        (f"/{uuid4()}/update", {"playerID": "0", "credentials": "x"}, 400),
        (f"/{uuid4()}/update", {"playerID": "0", "credentials": "x", "data": None}, 400),
        (f"/{uuid4()}/update", {"playerID": "0", "credentials": "x", "newName": ""}, 400),
        (f"/{uuid4()}/update", {"playerID": "0", "credentials": "x", "newName": "Ada"}, 404),
    ],
)
def test_what_cannot_be_is_refused(platform: Platform, path: str, body: dict[str, Any], status: int) -> None:
    answer = platform.post(f"{GAMES}{path}", json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


def test_a_game_that_is_not_served_is_told_by_its_path(platform: Platform) -> None:
    for answer in (
        platform.get("/bgio/games/chess"),
        platform.post("/bgio/games/chess/create", json={"numPlayers": 2}),
    ):
        assert (answer.status_code, answer.json()["reason"]) == (404, "GAME_NOT_FOUND")
