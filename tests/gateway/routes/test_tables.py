"""The whole table over REST: with one request, in the answer to a move, and on streams."""

from __future__ import annotations

import time
from typing import Any

import pytest
from httpx_sse import EventSource

from tests.gateway.http.test_json_patch import patched
from tests.gateway.live.test_streams import following, read
from tests.gateway.table import PROGRAM, Platform, Player, Table


def test_the_table_is_what_the_other_reads_return(player: Player) -> None:
    table = player.look("table", lang="it").json()
    view = player.look("view", lang="it").json()
    legal = player.look("legal-actions", lang="it", hints=True).json()
    undo = player.look("undo").json()
    match = player.get(f"/v1/matches/{player.match_id}").json()
    assert (table["version"], table["audience"]) == (1, {"kind": "seat", "seat": 0})
    assert table["view"] == view["view"]
    assert table["pending"] == view["pending"]
    assert table["undo"] == undo
    assert table["match"] == match
    for name in ("actions", "templates", "template_texts", "template_hints"):
        assert table["legal"][name] == legal[name], name


def test_a_match_that_waits_for_players_has_a_table_without_a_view(platform: Platform) -> None:
    path = platform.create(open_seats=True).json()["match"]["links"]["table"]
    table = platform.get(path).json()
    assert (table["version"], table["view"], table["pieces"], table["legal"]) == (0, None, {}, None)
    assert [seat["state"] for seat in table["match"]["seats"]] == ["open", "open"]


def test_who_has_the_table_gets_304_until_a_move_or_a_name_changes_it(table: Table) -> None:
    player, other = table.players

    def again(tag: str) -> int:
        return player.get(f"{table.path}/table", headers={"if-none-match": tag}).status_code

    first = player.look("table").headers["etag"]
    assert first.startswith('"v:1;s=')
    assert again(first) == 304
    other.patch(f"{table.path}/seats/1", json={"name": "Bo"}).raise_for_status()
    assert again(first) == 200
    second = player.look("table").headers["etag"]
    assert (second != first, again(second)) == (True, 304)
    other.move(PROGRAM, 1).raise_for_status()
    assert again(second) == 200
    assert again("*") == 304


def test_a_table_in_another_language_is_another_representation(player: Player) -> None:
    italian = player.look("table", lang="it")
    tag = italian.headers["etag"]
    assert ";it;s=" in tag
    path = f"/v1/matches/{player.match_id}/table"
    assert player.get(path, params={"lang": "it"}, headers={"if-none-match": tag}).status_code == 304
    assert player.get(path, params={"lang": "fr"}, headers={"if-none-match": tag}).status_code == 200


@pytest.mark.parametrize("lang", [None, "it"])
def test_the_tag_of_a_table_can_be_sent_with_a_move(player: Player, lang: str | None) -> None:
    tag = player.look("table", **({} if lang is None else {"lang": lang})).headers["etag"]
    moved = player.move(PROGRAM, headers={"if-match": tag})
    assert (moved.status_code, moved.json()["version"]) == (200, 2)
    refused = player.move(PROGRAM, headers={"if-match": tag})
    assert refused.status_code == 412


@pytest.mark.parametrize("tag", ['"v:1 ;s=1"', '"v:1s=0123456789ab"', '"v:;s=0123456789ab"'])
def test_another_tag_is_no_version(player: Player, tag: str) -> None:
    refused = player.move(PROGRAM, headers={"if-match": tag})
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (400, "NOT_A_VERSION")


def test_the_answer_to_a_move_has_the_table_if_asked(table: Table) -> None:
    player, other = table.players
    body = {"action": PROGRAM, "expected_version": 1}
    moves = f"{table.path}/moves"
    answer = player.post(moves, json=body, params={"include": "table", "lang": "en"}).json()
    assert answer["table"] == player.look("table", lang="en").json()
    assert answer["table"]["version"] == answer["version"] == 2
    assert "table" not in other.post(moves, json=body).json()
    refused = other.post(moves, json=body, params={"include": "everything"})
    assert (refused.status_code, refused.json()["errors"][0]["parameter"]) == (400, "include")


def test_a_key_gets_the_table_of_the_seat_it_moves_for(table: Table) -> None:
    body = {"action": PROGRAM, "expected_version": 1, "seat": 1}
    answer = table.platform.post(f"{table.path}/moves", json=body, params={"include": "table"}).json()
    assert answer["table"]["audience"] == {"kind": "seat", "seat": 1}
    assert answer["table"]["view"]["programs"] == [{"seat": 1, "cards": PROGRAM["cards"]}]


# ── layouts ────────────────────────────────────────────────────────────────────────────────────────


def test_a_layout_is_public_and_cached(platform: Platform) -> None:
    answer = platform.get("/v1/games/river_dragons/layout", headers={"authorization": ""})
    layout = answer.json()
    assert [board["options"] for board in layout["boards"]] == [{"variant": "islands"}, {"variant": "expert"}]
    assert len(layout["seats"]) == 6
    assert answer.headers["cache-control"] == "public, max-age=30"
    for known in (answer.headers["etag"], f'W/{answer.headers["etag"]}, "other"', "*"):
        again = platform.get("/v1/games/river_dragons/layout", headers={"if-none-match": known})
        assert again.status_code == 304, known
    other = platform.get("/v1/games/river_dragons/layout", headers={"if-none-match": '"other"'})
    assert other.status_code == 200
    assert platform.get("/v1/games/chess/layout").json()["reason"] == "GAME_NOT_FOUND"


def test_every_piece_of_a_table_lies_at_a_place_of_the_layout(platform: Platform, player: Player) -> None:
    layout = platform.get("/v1/games/river_dragons/layout").json()
    pieces = player.look("table").json()["pieces"]
    places = {place["id"] for board in layout["boards"] for place in board["places"]}
    mats = {f"{place['id']}@{seat}" for mat in layout["mats"] for place in mat["places"] for seat in (0, 1)}
    assert pieces
    assert {piece["place"] for piece in pieces.values()} <= places | mats


# ── streams ────────────────────────────────────────────────────────────────────────────────────────


def test_patches_lead_from_table_to_table(table: Table) -> None:
    player, _ = table.players
    with following(player, table.path, include="table", lang="en") as (_, events):
        ((event, number, shown),) = read(events, 1)
        assert (event, number, shown) == ("table", "1", player.look("table", lang="en").json())
        for _ in range(6):
            table.play_on(1)
            (moved, patch) = read(events, 2)
            assert (moved[0], patch[0], moved[1]) == ("move.applied", "table.patched", patch[1])
            shown = patched(shown, patch[2]["patch"])
            assert shown == player.look("table", lang="en").json()
        table.platform.patch(f"{table.path}/seats/1", json={"name": "Bo"}).raise_for_status()
        ((event, _, patch),) = read(events, 1)
        assert patched(shown, patch["patch"])["match"]["seats"][1]["name"] == "Bo"
        assert len(str(patch)) < 1_000


def test_who_reconnects_gets_the_missed_moves_and_then_the_table(table: Table) -> None:
    player, _ = table.players
    table.play_on(3)
    with following(player, table.path, include="table", last_event_id="2") as (_, events):
        told = read(events, 3)
    assert [(event, number) for event, number, _ in told] == [
        ("move.applied", "3"),
        ("move.applied", "4"),
        ("table", "4"),
    ]
    assert told[2][2] == player.look("table").json()


def test_a_waiting_room_lives(platform: Platform) -> None:
    match = platform.create(open_seats=True).json()["match"]
    path = match["links"]["self"]
    with following(platform, path, include="table") as (_, tables), following(platform, path) as (_, events):
        ((event, number, shown),) = read(tables, 1)
        assert (event, number, shown["version"]) == ("table", "", 0)
        ((event, number, seats),) = read(events, 1)
        assert (event, number, seats["seats"][0]["taken"]) == ("seats.updated", "", False)
        joined = platform.post(f"{path}/join", json={"name": "Ada", "data": {"colour": "teal"}}).json()
        ((event, _, seats),) = read(events, 1)
        assert (event, seats["status"]) == ("seats.updated", "waiting")
        assert (seats["seats"][0]["name"], seats["seats"][0]["data"]) == ("Ada", {"colour": "teal"})
        platform.patch(f"{path}/seats/0", json={"ready": True}).raise_for_status()
        ((event, _, seats),) = read(events, 1)
        assert (event, seats["seats"][0]["ready"]) == ("seats.updated", True)
        platform.post(f"{path}/leave", json={"seat": 0}).raise_for_status()
        ((_, _, seats),) = read(events, 1)
        assert seats["seats"][0]["taken"] is False
        for name in ("Bo", "Cy"):
            platform.post(f"{path}/join", json={"name": name}).raise_for_status()
        started = [event for event, _, _ in read(events, 2)]
        assert started[-1] in {"snapshot", "seats.updated"}
        while shown["version"] == 0:
            ((event, _, told),) = read(tables, 1)
            if event == "table.patched":
                shown = patched(shown, told["patch"])
            elif event == "table":
                shown = told
        assert shown["view"] is not None
    assert joined["match"]["status"] == "waiting"


def test_several_matches_on_one_stream(platform: Platform) -> None:
    with platform.new_table() as one, platform.new_table() as other:
        matches = f"{one.match_id},{other.match_id}"
        headers = {"accept": "text/event-stream"}
        ticket = platform.post("/v1/stream-tickets", json={"matches": [one.match_id, other.match_id]}).json()[
            "ticket"
        ]
        for query in ({"matches": matches}, {"ticket": ticket}):
            seen = [(event, data["match_id"]) for event, _, data in first_of(platform, 2, query, headers)]
            assert seen == [("snapshot", one.match_id), ("snapshot", other.match_id)]
        one.play_on(2)
        other.play_on(1)
        headers["last-event-id"] = "1.1"
        told = first_of(platform, 3, {"matches": matches}, headers)
        by_match = {
            match: [d["version"] for _, _, d in told if d["match_id"] == match]
            for match in matches.split(",")
        }
        assert by_match == {one.match_id: [2, 3], other.match_id: [2]}
        at = {one.match_id: 1, other.match_id: 1}
        for _, number, data in told:
            at[data["match_id"]] = data["version"]
            assert number == f"{at[one.match_id]}.{at[other.match_id]}", (
                "the next stream continues after this event"
            )


def first_of(
    platform: Platform, number: int, query: dict[str, str], headers: dict[str, str]
) -> list[tuple[str, str, Any]]:
    with platform.stream("GET", "/v1/stream", params=query, headers=headers) as response:
        assert response.status_code == 200, response.read()
        return read((event for event in EventSource(response).iter_sse() if event.data), number)


def test_a_stream_of_several_is_refused_as_a_whole(platform: Platform, foreign_platform: Platform) -> None:
    with platform.new_table() as table, foreign_platform.new_table() as foreign:
        matches = f"{table.match_id},{foreign.match_id}"
        refused = platform.get("/v1/stream", params={"matches": matches})
        assert (refused.status_code, refused.json()["reason"]) == (404, "MATCH_NOT_FOUND")
        twice = platform.get("/v1/stream", params={"matches": f"{table.match_id},{table.match_id}"})
        assert twice.json()["errors"][0]["code"] == "REPEATED"
        player = table.players[0].get("/v1/stream", params={"matches": table.match_id, "ticket": "st_x"})
        assert player.status_code in {400, 401}


def test_a_match_called_off_before_it_began_ends_its_stream_alone(platform: Platform) -> None:
    waiting = platform.create(open_seats=True).json()["match"]
    with platform.new_table() as table:
        platform.post(f"{waiting['links']['self']}/abort", json={}).raise_for_status()
        with following(platform, waiting["links"]["self"]) as (_, events):
            assert [event for event, _, _ in read(events, 2)] == ["move.applied", "match.ended"]
        query = {"matches": f"{waiting['match_id']},{table.match_id}"}
        told = first_of(platform, 3, query, {"accept": "text/event-stream"})
        assert {(event, data["match_id"]) for event, _, data in told} == {
            ("snapshot", table.match_id),
            ("move.applied", waiting["match_id"]),
            ("match.ended", waiting["match_id"]),
        }


def test_an_imported_match_has_tables_on_its_stream(platform: Platform, foreign_platform: Platform) -> None:
    with platform.new_table() as table:
        table.end()
        document = platform.get(f"{table.path}/export").content
    imported = foreign_platform.post(
        "/v1/matches/import", content=document, headers={"content-type": "application/json"}
    )
    assert imported.status_code in {200, 201}, imported.text
    with following(foreign_platform, table.path, include="table") as (_, events):
        told = [(event.event, event.json()) for event in events]
    assert [event for event, _ in told] == ["table", "match.ended"]
    assert told[0][1]["match"]["match_id"] == table.match_id


def test_who_may_no_longer_read_one_of_several_reconnects_to_the_others(platform: Platform) -> None:
    with platform.new_table() as table:
        gone = "01890000-0000-7000-8000-000000000000"
        query = {"matches": f"{gone},{table.match_id}"}
        headers = {"accept": "text/event-stream"}
        assert platform.get("/v1/stream", params=query, headers=headers).status_code == 404
        table.play_on(1)
        told = first_of(platform, 2, query, {**headers, "last-event-id": "3.1"})
    assert [(event, number, data["match_id"]) for event, number, data in told] == [
        ("revoked", "x.1", gone),
        ("move.applied", "x.2", table.match_id),
    ]


@pytest.mark.parametrize(
    ("joined", "begins_with"),
    [
        pytest.param(0, "seats.updated", id="it still waits"),
        pytest.param(2, "snapshot", id="it has begun meanwhile"),
    ],
)
def test_a_match_of_which_nothing_was_sent_begins_anew_after_a_reconnect(
    platform: Platform, joined: int, begins_with: str
) -> None:
    waiting = platform.create(open_seats=True).json()["match"]["match_id"]
    for number in range(joined):
        platform.post(f"/v1/matches/{waiting}/join", json={"name": f"Player {number}"}).raise_for_status()
    with platform.new_table() as table:
        query = {"matches": f"{table.match_id},{waiting}"}
        table.play_on(1)
        told = first_of(platform, 2, query, {"accept": "text/event-stream", "last-event-id": "1.0"})
        assert {(event, data["match_id"]) for event, _, data in told} == {
            (begins_with, waiting),
            ("move.applied", table.match_id),
        }


def test_an_expired_proposal_is_another_table(platform: Platform) -> None:
    with platform.new_table(undo_timeout_seconds=1) as table:
        table.play_on(2)
        player = table.players[0]
        version = player.look("undo").json()
        body = {"to": 1, "expected_version": version["version"]}
        asked = player.post(f"{table.path}/undo", json=body)
        assert asked.status_code == 200, asked.text
        proposed = player.look("table")
        assert proposed.json()["proposal"] is not None
        time.sleep(1.2)
        known = {"if-none-match": proposed.headers["etag"]}
        later = player.get(f"{table.path}/table", headers=known)
        assert (later.status_code, later.json()["proposal"]) == (200, None)
