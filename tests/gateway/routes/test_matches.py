"""Creating matches, taking seats, minting tokens."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from tests.gateway.table import Platform, Table


def test_a_new_match_starts_at_once_and_hands_out_a_token_per_seat(platform: Platform) -> None:
    answer = platform.create(3, players=["ada", "bert"], options={"variant": "expert"})
    assert answer.status_code == 201
    match, tokens = answer.json()["match"], answer.json()["seat_tokens"]
    assert answer.headers["location"] == f"/v1/matches/{match['match_id']}"
    assert answer.headers["cache-control"] == "private, no-store"
    assert UUID(match["match_id"]).version == 7
    assert (match["version"], match["status"], match["to_act"]) == (1, "running", [0, 1, 2])
    assert match["seats"] == [
        {
            "seat": seat,
            "taken": True,
            "player": player,
            "state": "taken",
            "name": "",
            "level": None,
            "bot": None,
            "data": None,
            "ready": False,
        }
        for seat, player in enumerate(("ada", "bert", ""))
    ]
    assert (match["visibility"], match["start"], match["title"]) == ("private", "when_full", "")
    assert match["rematch_of"] is None
    assert answer.json()["invites"] == []
    assert match["options"] == {"variant": "expert"}
    assert (match["secret"], match["outcome"]) == (None, None)
    assert len(bytes.fromhex(match["commitment"])) == 32
    assert [token["seat"] for token in tokens] == [0, 1, 2]
    assert all(token["expires_at"].endswith("Z") for token in tokens)


def test_a_match_is_read_as_it_was_created_and_every_link_leads_somewhere(table: Table) -> None:
    match = table.match()
    assert match["links"]["self"] == table.path
    for name, link in match["links"].items():
        if name != "stream":
            answer = table.players[0].get(link)
            assert answer.status_code == 200, (name, answer.text)


def test_a_request_id_in_the_body_is_the_same_as_in_the_header(platform: Platform) -> None:
    request_id = str(uuid4())
    first = platform.create(request_id=request_id)
    body = {"game": "river_dragons", "seats": 2}
    again = platform.post("/v1/matches", json=body, headers={"idempotency-key": request_id})
    assert first.json()["match"]["match_id"] == again.json()["match"]["match_id"]


def test_a_request_id_used_for_another_match_is_refused(platform: Platform) -> None:
    request_id = str(uuid4())
    assert platform.create(2, request_id=request_id).status_code == 201
    answer = platform.create(3, request_id=request_id)
    assert (answer.status_code, answer.json()["reason"]) == (422, "REQUEST_ID_REUSED")


def test_open_seats_are_taken_one_by_one_and_the_last_starts_the_match(platform: Platform) -> None:
    created = platform.create(3, open_seats=True).json()
    path = created["match"]["links"]["self"]
    assert (created["match"]["status"], created["match"]["version"]) == ("waiting", 0)
    assert created["seat_tokens"] == []
    waiting = platform.get(f"{path}/view")
    assert (waiting.status_code, waiting.json()["reason"]) == (409, "MATCH_NOT_STARTED")

    joined = platform.post(f"{path}/join", json={"seat": 1, "player": "bert"})
    assert joined.status_code == 200
    assert joined.json()["seat_token"]["seat"] == 1
    seat = joined.json()["match"]["seats"][1]
    assert (seat["taken"], seat["player"], seat["state"]) == (True, "bert", "taken")
    taken = platform.post(f"{path}/join", json={"seat": 1, "player": "eve"})
    assert (taken.status_code, taken.json()["reason"]) == (409, "SEAT_TAKEN")

    assert platform.post(f"{path}/join").json()["seat_token"]["seat"] == 0
    last = platform.post(f"{path}/join", json={}).json()
    assert (last["match"]["status"], last["match"]["version"]) == ("running", 1)
    full = platform.post(f"{path}/join", json={})
    assert (full.status_code, full.json()["reason"]) == (409, "NO_FREE_SEAT")


def test_a_tenant_mints_a_fresh_token_for_a_taken_seat(table: Table) -> None:
    answer = table.platform.post(f"{table.path}/seats/1/token")
    assert answer.status_code == 200
    token = answer.json()["seat_token"]
    view = table.platform.get(f"{table.path}/view", headers={"authorization": f"Bearer {token['token']}"})
    assert view.json()["audience"] == {"kind": "seat", "seat": 1}


@pytest.mark.parametrize(("seat", "status"), [("7", 400), ("100", 400), ("-1", 404), ("one", 404)])
def test_a_token_for_a_seat_that_is_not_there(table: Table, seat: str, status: int) -> None:
    answer = table.platform.post(f"{table.path}/seats/{seat}/token")
    assert answer.status_code == status
    if status == 400:
        assert answer.json()["errors"][0]["parameter"] == "seat"


def test_an_unknown_game_is_a_malformed_request(platform: Platform) -> None:
    answer = platform.post("/v1/matches", json={"game": "chess", "seats": 2})
    assert (answer.status_code, answer.json()["reason"]) == (400, "GAME_UNKNOWN")
    assert answer.json()["errors"][0]["pointer"] == "/game"


def test_a_table_the_game_is_not_made_for(platform: Platform) -> None:
    answer = platform.create(7)
    assert (answer.status_code, answer.json()["reason"]) == (422, "SEAT_COUNT")
    assert answer.json()["facts"] == {"seats": 7, "allowed": [2, 3, 4, 5, 6]}
    assert answer.json()["field"] == "seats"


@pytest.mark.parametrize(
    ("options", "pointer"),
    [
        ({"variant": "chess"}, "/options/variant"),
        ({"variant": 1}, "/options/variant"),
        ([], "/options"),
        (None, "/options"),
    ],
)
def test_options_the_game_does_not_have(platform: Platform, options: object, pointer: str) -> None:
    answer = platform.create(options=options)
    assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_OPTIONS")
    assert answer.json()["errors"][0]["pointer"] == pointer


def test_a_malformed_match_id_is_told_exactly_like_an_unknown_one(platform: Platform) -> None:
    told = []
    for match_id in ("nonsense", "0197f0c46f5e7c1a9f532b1f6c0a7d11", str(uuid4())):
        answer = platform.get(f"/v1/matches/{match_id}")
        assert answer.status_code == 404
        told.append({**answer.json(), "instance": "", "trace_id": ""})
    assert told[0] == told[1] == told[2]
    assert told[0]["reason"] == "MATCH_NOT_FOUND"


def test_a_match_id_may_be_written_in_capitals(table: Table) -> None:
    answer = table.platform.get(f"/v1/matches/{table.match_id.upper()}")
    assert answer.json()["match_id"] == table.match_id
