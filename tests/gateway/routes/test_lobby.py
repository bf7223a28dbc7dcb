"""The lobby over REST: plans, invites, leaving, starting, quick-join, rematch, tokens."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.gateway.table import Caller, Platform, Table


def key() -> dict[str, str]:
    return {"idempotency-key": f'"{uuid4()}"'}


def holder(platform: Platform, token: str) -> Caller:
    return Caller(str(platform.base_url), token)


def told(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("reason", "")


def states(match: dict[str, Any]) -> list[str]:
    return [seat["state"] for seat in match["seats"]]


SEATING = [
    {"player": "ada", "name": "Ada"},
    {"kind": "open"},
    {"kind": "invited", "player": "bert", "name": "Bert"},
]


def test_a_match_with_a_plan_for_each_seat(platform: Platform) -> None:
    created = platform.create(3, seating=SEATING, visibility="unlisted", start="on_demand", title="Friday é")
    assert created.status_code == 201
    match = created.json()["match"]
    assert states(match) == ["taken", "open", "invited"]
    assert [(seat["player"], seat["name"]) for seat in match["seats"]] == [
        ("ada", "Ada"),
        ("", ""),
        ("bert", "Bert"),
    ]
    assert (match["visibility"], match["start"], match["title"]) == ("unlisted", "on_demand", "Friday é")
    assert [token["seat"] for token in created.json()["seat_tokens"]] == [0]
    (invite,) = created.json()["invites"]
    days = (datetime.fromisoformat(invite["expires_at"]) - datetime.now(UTC)).total_seconds() / 86_400
    assert (invite["seat"], round(days)) == (2, 7)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seating": [{"kind": "closed"}]}, "/seating"),
        ({"seating": [{"kind": "reserved"}, {}]}, "/seating/0/kind"),
        ({"seating": [{}, {"kind": "open", "player": "ada"}]}, "/seating/1"),
        ({"seating": [{}, {"player": "x" * 65}]}, "/seating/1/player"),
        ({"seating": [{}, {"role": "king"}]}, "/seating/1/role"),
        ({"seating": [{}, {"data": "x" * 1_023}]}, "/seating/1/data"),
        ({"seating": [{}, {"kind": "open", "data": {"colour": "teal"}}]}, "/seating/1"),
        ({"visibility": "secret"}, "/visibility"),
        ({"start": "now"}, "/start"),
        ({"title": "x" * 101}, "/title"),
        ({"title": "two\nlines"}, "/title"),
    ],
)
def test_a_lobby_that_cannot_be_names_the_culprit(
    platform: Platform, body: dict[str, Any], pointer: str
) -> None:
    answer = platform.create(2, **body)
    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


def test_an_invite_joins_once(platform: Platform) -> None:
    created = platform.create(3, seating=SEATING).json()
    path, invite = created["match"]["links"]["self"], created["invites"][0]["token"]
    with holder(platform, invite) as guest:
        joined = guest.post(f"{path}/join", json={"name": "Bertie"})
        assert joined.status_code == 200
        assert joined.json()["match"]["seats"][2]["name"] == "Bertie"
        assert told(guest.post(f"{path}/join")) == (409, "SEAT_TAKEN")
        assert told(guest.get(path)) == (403, "SEAT_FORBIDDEN")
    with holder(platform, joined.json()["seat_token"]["token"]) as bert:
        assert bert.get(path).status_code == 200


def test_a_tenant_invites_anew(platform: Platform) -> None:
    created = platform.create(3, seating=SEATING).json()
    path = created["match"]["links"]["self"]
    fresh = platform.post(f"{path}/seats/1/invite", json={"player": "carl", "name": "Carl", "hours": 0.5})
    assert fresh.status_code == 200
    assert platform.post(f"{path}/seats/2/invite").status_code == 200
    assert states(platform.get(path).json()) == ["taken", "invited", "invited"]
    with holder(platform, created["invites"][0]["token"]) as guest:
        assert told(guest.post(f"{path}/join")) == (403, "INVITE_INVALID")
    with holder(platform, fresh.json()["invite"]["token"]) as carl:
        assert carl.post(f"{path}/join").json()["match"]["seats"][1]["player"] == "carl"
    assert told(platform.post(f"{path}/seats/0/invite")) == (409, "SEAT_TAKEN")
    assert platform.post(f"{path}/seats/7/invite").status_code == 400


@pytest.mark.parametrize("hours", [0, -1, 366 * 24 + 1, "12"])
def test_invites_and_watch_tokens_last_some_hours(platform: Platform, hours: Any) -> None:
    path = platform.create(3, open_seats=True).json()["match"]["links"]["self"]
    for what, body in (("seats/1/invite", {}), ("watch-tokens", {"role": "spectator"})):
        answer = platform.post(f"{path}/{what}", json={**body, "hours": hours})
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["pointer"] == "/hours"


def test_who_leaves_is_gone(platform: Platform) -> None:
    path = platform.create(2, open_seats=True).json()["match"]["links"]["self"]
    token = platform.post(f"{path}/join", json={"player": "ada"}).json()["seat_token"]["token"]
    with holder(platform, token) as ada:
        left = ada.post(f"{path}/leave")
        assert (left.status_code, states(left.json())) == (200, ["open", "open"])
        assert told(ada.post(f"{path}/leave")) == (403, "SEAT_FORBIDDEN")
    assert platform.post(f"{path}/leave", json={"seat": 0}).status_code == 200
    assert told(platform.post(f"{path}/leave")) == (400, "MALFORMED_REQUEST")


def test_a_match_starts_with_those_who_are_there(platform: Platform) -> None:
    created = platform.create(4, seating=[{}, {}, {"kind": "open"}, {"kind": "open"}], start="on_demand")
    path = created.json()["match"]["links"]["self"]
    with holder(platform, created.json()["seat_tokens"][1]["token"]) as player:
        started = player.post(f"{path}/start")
        assert started.status_code == 200
        assert (started.json()["status"], len(started.json()["seats"])) == ("running", 2)
        assert player.post(f"{path}/start", json={}).json()["version"] == 1
        assert told(player.post(f"{path}/leave")) == (409, "MATCH_STARTED")


def test_a_match_that_cannot_start_says_why(platform: Platform) -> None:
    path = platform.create(3, seating=[{}, {"kind": "open"}, {}]).json()["match"]["links"]["self"]
    answer = platform.post(f"{path}/start")
    assert told(answer) == (409, "NOT_FULL")
    assert answer.json()["metadata"] == {"taken_seats": "2", "free_seats": "1"}


def test_quick_join_finds_or_makes_a_match(platform: Platform) -> None:
    asked = {"game": "river_dragons", "seats": 5, "create_if_none": True}
    none = platform.post("/v1/matches/quick-join", json={**asked, "create_if_none": False})
    assert told(none) == (404, "NO_OPEN_MATCH")
    headers = key()
    first, again = (
        platform.post("/v1/matches/quick-join", json={**asked, "player": "ada"}, headers=headers)
        for _ in range(2)
    )
    assert first.status_code == 200
    assert first.json()["seat_token"]["seat"] == again.json()["seat_token"]["seat"] == 0
    second = platform.post("/v1/matches/quick-join", json={**asked, "player": "bert", "name": "Bert"}).json()
    assert second["match"]["match_id"] == first.json()["match"]["match_id"]
    assert (second["match"]["visibility"], second["match"]["seats"][1]["name"]) == ("public", "Bert")
    chess = platform.post("/v1/matches/quick-join", json={"game": "chess"})
    assert told(chess) == (400, "GAME_UNKNOWN")


def test_a_rematch_keeps_the_players_and_turns_the_seats(platform: Platform) -> None:
    with platform.new_table(3, players=["ada", "bert", "carl"]) as table:
        assert told(platform.post(f"{table.path}/rematch")) == (409, "MATCH_NOT_OVER")
        table.end()
        own = table.players[0].post(f"{table.path}/rematch").json()
        assert [seat["player"] for seat in own["match"]["seats"]] == ["bert", "carl", "ada"]
        assert states(own["match"]) == ["reserved", "reserved", "taken"]
        assert [token["seat"] for token in own["seat_tokens"]] == [2]
        everybody = platform.post(f"{table.path}/rematch", json={}).json()
        assert everybody["match"]["match_id"] == own["match"]["match_id"]
        assert everybody["match"]["rematch_of"] == table.match_id
        assert [token["seat"] for token in everybody["seat_tokens"]] == [0, 1, 2]
        assert everybody["match"]["status"] == "running"


def test_a_player_s_name_and_data_are_changed(table: Table) -> None:
    own = f"{table.path}/seats/0"
    answer = table.players[0].patch(own, json={"name": "Captain Ada", "data": {"colour": "teal"}})
    assert answer.status_code == 200
    table.platform.patch(own, json={"name": "Ada"})
    seat = table.players[1].get(table.path).json()["seats"][0]
    assert (seat["name"], seat["data"]) == ("Ada", {"colour": "teal"})
    assert table.players[0].patch(own, json={"data": None}).json()["seats"][0]["data"] is None


def test_what_is_said_at_a_seat_is_checked(table: Table, foreign_platform: Platform) -> None:
    own, other = f"{table.path}/seats/0", f"{table.path}/seats/1"
    ada = table.players[0]
    assert told(ada.patch(other, json={"name": "Eve"})) == (403, "SEAT_FORBIDDEN")
    assert told(foreign_platform.patch(own, json={"name": "Eve"})) == (404, "MATCH_NOT_FOUND")
    for body in ({}, {"name": "two\nlines"}, {"name": None}, {"data": "x" * 1024}, {"player": "eve"}):
        assert told(ada.patch(own, json=body)) == (400, "MALFORMED_REQUEST")
    assert told(table.platform.patch(f"{table.path}/seats/7", json={"name": "Eve"}))[0] == 400
    pointed = ada.patch(own, json={"data": "x" * 1024}).json()["errors"][0]
    assert pointed["pointer"] == "/data"


def test_who_joins_brings_data(platform: Platform) -> None:
    match = platform.create(2, open_seats=True).json()["match"]["links"]["self"]
    joined = platform.post(f"{match}/join", json={"name": "Ada", "data": ["teal"]}).json()
    assert joined["match"]["seats"][0]["data"] == ["teal"]


def test_watchers_look_until_they_are_revoked(table: Table) -> None:
    platform = table.platform
    for role, audience in (("spectator", "public"), ("referee", "referee")):
        issued = platform.post(f"{table.path}/watch-tokens", json={"role": role, "hours": 1})
        assert issued.json()["watch_token"]["role"] == role
        with holder(platform, issued.json()["watch_token"]["token"]) as watcher:
            assert watcher.get(f"{table.path}/view").json()["audience"] == {"kind": audience, "seat": None}
            assert told(watcher.post(f"{table.path}/resign")) == (403, "SEAT_FORBIDDEN")
            assert platform.post(f"{table.path}/watch-tokens/revoke").status_code == 200
            assert told(watcher.get(f"{table.path}/view")) == (403, "SEAT_FORBIDDEN")
    assert platform.post(f"{table.path}/watch-tokens", json={"role": "king"}).status_code == 400


def test_a_seat_s_tokens_are_revoked(table: Table) -> None:
    revoked = table.platform.post(f"{table.path}/seats/1/revoke")
    assert revoked.json()["match_id"] == table.match_id
    assert told(table.players[1].get(table.path)) == (403, "SEAT_FORBIDDEN")
    assert table.players[0].get(table.path).status_code == 200
    assert table.platform.post(f"{table.path}/seats/9/revoke").json()["errors"][0]["parameter"] == "seat"


def test_players_say_something_from_the_beginning(platform: Platform) -> None:
    seating = [{"name": "Ada", "data": {"colour": "teal"}}, {"data": None}]
    match = platform.create(2, seating=seating, bot_pace_seconds=1.25).json()["match"]
    assert [seat["data"] for seat in match["seats"]] == [{"colour": "teal"}, None]
    assert match["bot_pace_seconds"] == 1.25
    assert platform.create(2).json()["match"]["bot_pace_seconds"] == 0


def test_a_player_is_ready_until_the_seat_is_left(platform: Platform) -> None:
    match = platform.create(2, open_seats=True, start="on_demand").json()["match"]
    path = f"/v1/matches/{match['match_id']}"
    joined = platform.post(f"{path}/join", json={}).json()
    own = {"authorization": f"Bearer {joined['seat_token']['token']}"}
    answer = platform.patch(f"{path}/seats/0", json={"ready": True}, headers=own)
    assert [seat["ready"] for seat in answer.json()["seats"]] == [True, False]
    assert told(platform.patch(f"{path}/seats/1", json={"ready": True}, headers=own)) == (
        403,
        "SEAT_FORBIDDEN",
    )
    left = platform.post(f"{path}/leave", json={"seat": 0}).json()
    assert not any(seat["ready"] for seat in left["seats"])


@pytest.mark.parametrize("ready", [None, 1, "yes"])
def test_ready_is_true_or_false(platform: Platform, ready: Any) -> None:
    match_id = platform.create(2).json()["match"]["match_id"]
    answer = platform.patch(f"/v1/matches/{match_id}/seats/0", json={"ready": ready})
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/ready"]


def test_after_the_start_nobody_is_waited_for(platform: Platform) -> None:
    match_id = platform.create(2).json()["match"]["match_id"]
    answer = platform.patch(f"/v1/matches/{match_id}/seats/0", json={"ready": True})
    assert told(answer) == (409, "MATCH_STARTED")
