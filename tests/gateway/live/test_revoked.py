"""Open streams end with the credential they were opened with, and no others do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gateway.live.test_streams import following, read
from tests.gateway.table import Caller, Platform, Table


def watcher(platform: Platform, table: Table, role: str) -> Caller:
    answer = platform.post(f"{table.path}/watch-tokens", json={"role": role})
    assert answer.status_code < 300, answer.text
    return Caller(str(platform.base_url), answer.json()["watch_token"]["token"])


def revoke(platform: Platform, path: str) -> None:
    answer = platform.post(path, json={})
    assert answer.status_code == 200, answer.text


def rest_of(events: Any) -> list[tuple[str, Any]]:
    return [(event.event, event.json()) for event in events]


@pytest.mark.parametrize("first", [0, 1], ids=["who is told the moves", "who listens in"])
def test_a_seat_that_is_revoked_loses_its_stream_and_the_other_keeps_the_same_one(
    table: Table, first: int
) -> None:
    """Both follow as the public, so the gateway is told the moves once, by the one who came first."""
    players = [table.players[first], table.players[1 - first]]
    with (
        following(players[0], table.path, audience="public") as (_, one),
        following(players[1], table.path, audience="public") as (_, two),
    ):
        read(one, 1), read(two, 1)
        lost, kept = ((one, two), (two, one))[first]
        revoke(table.platform, f"{table.path}/seats/0/revoke")
        assert rest_of(lost) == [("revoked", {"reason": "SEAT_FORBIDDEN"})]
        table.players[1].any_move()
        assert read(kept, 1)[0][:2] == ("move.applied", "2")
    again = table.players[0].get(f"{table.path}/stream", params={"audience": "public"})
    assert (again.status_code, again.json()["reason"]) == (403, "SEAT_FORBIDDEN")


@pytest.mark.parametrize("role", ["spectator", "referee"])
def test_watchers_that_are_revoked_lose_their_streams_and_players_do_not(
    table: Table, platform: Platform, role: str
) -> None:
    with (
        watcher(platform, table, role) as watching,
        following(watching, table.path, audience="public") as (_, watched),
        following(table.players[0], table.path, audience="public") as (_, played),
    ):
        read(watched, 1), read(played, 1)
        revoke(platform, f"{table.path}/watch-tokens/revoke")
        assert rest_of(watched) == [("revoked", {"reason": "SEAT_FORBIDDEN"})]
        table.players[0].any_move()
        assert read(played, 1)[0][:2] == ("move.applied", "2")


def test_a_referee_is_told_everything_and_a_spectator_nothing_hidden(
    table: Table, platform: Platform
) -> None:
    with (
        watcher(platform, table, "referee") as referee,
        watcher(platform, table, "spectator") as spectator,
        following(referee, table.path, audience="referee") as (_, all_of_it),
        following(spectator, table.path) as (_, public),
    ):
        read(all_of_it, 1), read(public, 1)
        cards = table.players[0].any_move().json()["events"][0]["cards"]
        assert read(all_of_it, 1)[0][2]["events"][0]["cards"] == cards
        assert read(public, 1)[0][2]["events"][0]["cards"] is None
        refused = spectator.get(f"{table.path}/stream", params={"audience": "referee"})
        assert refused.status_code == 403


def test_who_gives_a_seat_back_loses_its_stream(platform: Platform) -> None:
    with platform.new_table(2, open_seats=True) as waiting:
        joined = platform.post(f"{waiting.path}/join", json={"player": "ada"}).json()
        with (
            Caller(str(platform.base_url), joined["seat_token"]["token"]) as ada,
            following(ada, waiting.path) as (_, events),
        ):
            assert read(events, 1)[0][0] == "seats.updated"
            assert ada.post(f"{waiting.path}/leave", json={}).status_code == 200
            assert rest_of(events) == [("revoked", {"reason": "SEAT_FORBIDDEN"})]
