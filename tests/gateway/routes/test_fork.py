"""Forking over REST."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gateway.table import PROGRAM, Platform


@pytest.fixture
def match_id(platform: Platform) -> str:
    """Of a match in which seat 0 has given its program."""
    created = platform.create(2).json()["match"]["match_id"]
    move = {"seat": 0, "action": PROGRAM, "expected_version": 1}
    assert platform.post(f"/v1/matches/{created}/moves", json=move).status_code == 200
    return str(created)


def fork(platform: Platform, match_id: str, **body: Any) -> Any:
    return platform.post(f"/v1/matches/{match_id}/fork", json=body)


def test_a_fork_is_a_match_of_its_own(platform: Platform, match_id: str) -> None:
    made = fork(platform, match_id, version=2, audience="seat", seat=0, title="what if")
    assert made.status_code == 201
    match = made.json()["match"]
    assert made.headers["location"] == f"/v1/matches/{match['match_id']}" != f"/v1/matches/{match_id}"
    assert (match["version"], match["status"], match["title"]) == (1, "running", "what if")
    assert match["forked_from"] == {
        "match_id": match_id,
        "version": 2,
        "audience": {"kind": "seat", "seat": 0},
    }
    assert len(made.json()["seat_tokens"]) == 2
    own = {"audience": "seat", "seat": 0}
    view = platform.get(f"/v1/matches/{match['match_id']}/view", params=own).json()["view"]
    assert view == platform.get(f"/v1/matches/{match_id}/view", params=own).json()["view"]
    (move,) = platform.get(f"/v1/matches/{match['match_id']}/moves").json()["moves"]
    assert (move["events"][0]["type"], move["events"][0]["state"]) == ("forked", None)
    assert platform.get(f"/v1/matches/{match_id}").json()["forked_from"] is None


def test_a_fork_can_be_played_and_verified(platform: Platform, match_id: str) -> None:
    match = fork(platform, match_id, audience="referee").json()["match"]
    path = f"/v1/matches/{match['match_id']}"
    move = {"seat": 1, "action": PROGRAM, "expected_version": 1}
    assert platform.post(f"{path}/moves", json=move).json()["version"] == 2
    platform.post(f"{path}/abort")
    found = platform.get(f"{path}/verify").json()
    assert (found["ok"], found["forked"], found["decided_again"]) == (True, True, True)


def test_a_tenant_seats_whom_it_likes(platform: Platform, match_id: str) -> None:
    seating = [{"player": "ada"}, {"kind": "invited", "player": "bob"}]
    made = fork(platform, match_id, seating=seating, visibility="unlisted").json()
    assert (made["match"]["status"], made["match"]["visibility"]) == ("waiting", "unlisted")
    assert [one["seat"] for one in made["seat_tokens"]] == [0]
    assert [one["seat"] for one in made["invites"]] == [1]


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({"version": 3}, 404, "VERSION_NOT_FOUND"),
        ({"audience": "seat"}, 400, "MALFORMED_REQUEST"),
        ({"audience": "public", "seat": 0}, 400, "MALFORMED_REQUEST"),
        ({"seating": [{}]}, 400, "MALFORMED_REQUEST"),
        ({"game": "river_dragons"}, 400, "MALFORMED_REQUEST"),
    ],
)
def test_every_refusal_has_its_status(
    platform: Platform, match_id: str, body: Any, status: int, reason: str
) -> None:
    refused = fork(platform, match_id, **body)
    assert (refused.status_code, refused.json()["reason"]) == (status, reason)


def test_at_the_end_there_is_nothing_to_play(platform: Platform, match_id: str) -> None:
    platform.post(f"/v1/matches/{match_id}/resign", json={"seat": 0})
    refused = fork(platform, match_id)
    assert (refused.status_code, refused.json()["reason"]) == (422, "NOTHING_TO_PLAY")
    assert fork(platform, match_id, version=2).status_code == 201
