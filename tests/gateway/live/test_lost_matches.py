"""A page that follows several matches over one stream and loses some of them while it is away goes on with the others."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from httpx_sse import EventSource

from tests.gateway.conftest import World
from tests.gateway.routes.test_player_sessions import signed_in
from tests.gateway.table import Caller, Platform
from tests.support.processes import Process

HEADERS = {"accept": "text/event-stream"}
Told = tuple[str, str, str, str | None]
"""An event: its kind, the id that an EventSource has after it, the match it is of, and the reason it names."""


@contextmanager
def page_of(
    client: httpx.Client, *matches: str, last: str = "", **query: str
) -> Iterator[Iterator[dict[str, Any]]]:
    """Open a stream as an EventSource does; `last` is what it sends when it reconnects."""
    headers = HEADERS | ({"last-event-id": last} if last else {})
    asked = query or {"matches": ",".join(matches)}
    with client.stream("GET", "/v1/stream", params=asked, headers=headers) as response:
        assert response.status_code == 200, response.read()
        yield (
            {"event": event.event, "id": event.id, **event.json()}
            for event in EventSource(response).iter_sse()
            if event.data
        )


def told(events: Iterator[dict[str, Any]], number: int) -> list[Told]:
    found = [next(events) for _ in range(number)]
    return [(one["event"], one["id"], one["match_id"], one.get("reason")) for one in found]


def status_of(client: httpx.Client, *matches: str, last: str = "") -> int:
    headers = HEADERS | ({"last-event-id": last} if last else {})
    with client.stream("GET", "/v1/stream", params={"matches": ",".join(matches)}, headers=headers) as answer:
        return answer.status_code


@pytest.fixture
def name() -> str:
    return f"ada-{uuid4()}"


@pytest.fixture
def ada(platform: Platform, name: str) -> Iterator[Caller]:
    with signed_in(platform, name) as page:
        yield page


def waiting_room(platform: Platform, ada: Caller, name: str) -> str:
    """A private match in whose waiting room Ada sits."""
    seating = [{"player": "bob"}, {"kind": "invited", "player": name}]
    created = platform.create(2, seating=seating, start="on_demand").json()
    match: str = created["match"]["match_id"]
    joined = ada.post(f"/v1/matches/{match}/join", json={"invite": created["invites"][0]["token"]})
    assert joined.status_code == 200, joined.text
    return match


def take_out(platform: Platform, match: str) -> None:
    platform.post(f"/v1/matches/{match}/leave", json={"seat": 1}).raise_for_status()


def test_who_is_taken_out_of_a_waiting_room_goes_on_with_the_others(
    platform: Platform, ada: Caller, name: str
) -> None:
    with platform.new_table(2, players=[name, "bob"]) as table:
        lost = waiting_room(platform, ada, name)
        with page_of(ada, table.match_id, lost) as events:
            last = told(events, 2)[-1][1]
        assert last == "1.0"
        take_out(platform, lost)
        table.players[0].any_move()
        with page_of(ada, table.match_id, lost, last=last) as events:
            assert told(events, 2) == [
                ("revoked", "1.x", lost, "MATCH_NOT_FOUND"),
                ("move.applied", "2.x", table.match_id, None),
            ]
        table.players[1].any_move()
        with page_of(ada, table.match_id, lost, last="2.x") as events:  # it is told once
            assert told(events, 1) == [("move.applied", "3.x", table.match_id, None)]


def test_of_two_waiting_rooms_one_is_left(platform: Platform, ada: Caller, name: str) -> None:
    """Neither has a version yet, and the page has an id all the same."""
    lost, kept = waiting_room(platform, ada, name), waiting_room(platform, ada, name)
    with page_of(ada, lost, kept) as events:
        assert [one[:2] for one in told(events, 2)] == [("seats.updated", "0.0")] * 2
    take_out(platform, lost)
    with page_of(ada, lost, kept, last="0.0") as events:
        assert told(events, 2) == [
            ("revoked", "x.0", lost, "MATCH_NOT_FOUND"),
            ("seats.updated", "x.0", kept, None),
        ]


def test_a_match_lost_on_an_open_stream_is_not_told_again(platform: Platform, ada: Caller, name: str) -> None:
    with platform.new_table(2, players=[name, "bob"]) as table:
        lost = waiting_room(platform, ada, name)
        with page_of(ada, table.match_id, lost) as events:
            told(events, 2)
            take_out(platform, lost)
            assert told(events, 1) == [("revoked", "1.x", lost, "MATCH_NOT_FOUND")]
        table.players[0].any_move()
        with page_of(ada, table.match_id, lost, last="1.x") as events:
            assert told(events, 1)[0][0] == "move.applied"


def test_when_all_are_lost_the_page_is_told_and_stops(platform: Platform, ada: Caller, name: str) -> None:
    matches = [waiting_room(platform, ada, name) for _ in range(2)]
    for match in matches:
        take_out(platform, match)
    assert status_of(ada, *matches) == 404, "a first request is refused as before"
    with page_of(ada, *matches, last="0.0") as events:
        assert [(one["event"], one["id"]) for one in events] == [("revoked", "x.x"), ("revoked", "x.x")]
    assert status_of(ada, *matches, last="x.x") == 204, "an EventSource stops"


def test_a_match_that_is_readable_again_begins_anew(platform: Platform, ada: Caller, name: str) -> None:
    with (
        platform.new_table(2, players=[name, "bob"]) as table,
        page_of(ada, table.match_id, last="x") as events,
    ):
        assert told(events, 1) == [("snapshot", "1", table.match_id, None)]


def test_an_id_tells_nothing_of_matches_that_were_never_readable(
    platform: Platform, foreign_platform: Platform, ada: Caller, name: str
) -> None:
    """Whoever makes an id up gets the same for a private match of others as for one that does not exist."""
    with (
        platform.new_table(2, players=[name, "bob"]) as own,
        platform.new_table(2) as private,
        foreign_platform.new_table(2) as foreign,
    ):
        answers = []
        for match in (str(uuid4()), private.match_id, foreign.match_id):
            assert status_of(ada, own.match_id, match) == 404
            with page_of(ada, own.match_id, match, last="1.7") as events:
                ((kind, number, of, reason),) = told(events, 1)
            assert of == match
            answers.append((kind, number, reason))
    assert set(answers) == {("revoked", "1.x", "MATCH_NOT_FOUND")}


@pytest.mark.parametrize("last", ["1", "1.0.0", "1.y", "-1.0", "x..", "1." + "9" * 17, "1.0" + ".0" * 4_000])
def test_an_id_of_another_form_names_no_match(platform: Platform, ada: Caller, name: str, last: str) -> None:
    with platform.new_table(2, players=[name, "bob"]) as table:
        assert status_of(ada, table.match_id, str(uuid4()), last=last) in {404, 431}


def test_a_seat_token_reads_its_own_match_only(platform: Platform) -> None:
    with platform.new_table(2) as table, platform.new_table(2) as other:
        player = table.players[0]
        with page_of(player, table.match_id, other.match_id, last="1.1") as events:
            assert told(events, 1) == [("revoked", "1.x", other.match_id, "SEAT_FORBIDDEN")]


def test_a_key_goes_on_without_the_matches_of_others(platform: Platform, foreign_platform: Platform) -> None:
    with (
        platform.new_table(2) as table,
        foreign_platform.new_table(2) as other,
        page_of(platform, table.match_id, other.match_id, last="1.1") as events,
    ):
        assert told(events, 1) == [("revoked", "1.x", other.match_id, "MATCH_NOT_FOUND")]


def test_nobody_goes_on_with_the_matches_of_a_tenant_that_still_allows_it(
    platform: Platform, foreign_platform: Platform, anybody: httpx.Client
) -> None:
    with ExitStack() as tables:
        kept, lost = (
            tables.enter_context(tenant.new_table(2, visibility="public"))
            for tenant in (platform, foreign_platform)
        )
        tables.enter_context(platform.readable_by_anybody())
        with foreign_platform.readable_by_anybody(), page_of(anybody, kept.match_id, lost.match_id) as events:
            last = told(events, 2)[-1][1]
        time.sleep(5)  # what the servers remember of the setting has passed
        with page_of(anybody, kept.match_id, lost.match_id, last=last) as events:
            assert told(events, 1) == [("revoked", "1.x", lost.match_id, "TOKEN_MISSING")]
            kept.players[0].any_move()
            assert told(events, 1) == [("move.applied", "2.x", kept.match_id, None)]
        assert status_of(anybody, kept.match_id, lost.match_id) == 401, "a first request is refused"


def test_a_ticket_goes_on_where_the_page_was_cut_off(platform: Platform, ada: Caller, name: str) -> None:
    """An EventSource with a ticket cannot reconnect: its page gets another ticket, and says what it has."""
    with platform.new_table(2, players=[name, "bob"]) as table:
        lost = waiting_room(platform, ada, name)
        take_out(platform, lost)
        table.players[0].any_move()
        asked = {"matches": [table.match_id, lost]}
        assert ada.post("/v1/stream-tickets", json=asked).status_code == 404
        answer = ada.post("/v1/stream-tickets", json={**asked, "last_event_id": "1.0"})
        assert answer.status_code == 201, answer.text
        with page_of(ada, ticket=answer.json()["ticket"]) as events:
            assert told(events, 2) == [
                ("revoked", "1.x", lost, "MATCH_NOT_FOUND"),
                ("move.applied", "2.x", table.match_id, None),
            ]
        wrong = ada.post("/v1/stream-tickets", json={**asked, "last_event_id": "1.0.y"})
        assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (400, "/last_event_id")


def test_an_ended_match_and_a_lost_one_leave_nothing_to_wait_for(
    platform: Platform, ada: Caller, name: str
) -> None:
    with platform.new_table(2, players=[name, "bob"]) as table:
        table.end()
        version = table.match()["version"]
    lost = waiting_room(platform, ada, name)
    take_out(platform, lost)
    with page_of(ada, table.match_id, lost, last=f"{version}.0") as events:
        kinds = [(one["event"], one["match_id"]) for one in events]
    assert sorted(kinds) == sorted([("revoked", lost), ("match.ended", table.match_id)])
    assert status_of(ada, table.match_id, lost, last=f"{version}.x") == 204


def test_a_game_that_cannot_be_reached_holds_the_others_up_no_longer(
    world: World, platform: Platform
) -> None:
    """The others go on, and after 15 s the page is asked to look again."""
    with platform.new_table(2) as table, platform.new_table(2) as away:
        with psycopg.connect(world.database_url) as connection:
            connection.execute("UPDATE matches SET game = 'al_rashid' WHERE id = %s", (away.match_id,))
        settings = world.gateway_settings(world.rules_address)
        settings["rules"] += ",al_rashid=127.0.0.1:1"
        gateway = Process("gateway", world.folder / "gateway_of_one_game.log", **settings)
        with gateway, Platform(gateway.start(), world.key) as page:
            assert status_of(page, table.match_id, away.match_id) == 503, "a first request is refused"
            began = time.monotonic()
            with page_of(page, table.match_id, away.match_id, last="1.1") as events:
                table.players[0].any_move()
                assert told(events, 1) == [("move.applied", "2.1", table.match_id, None)]
                assert [one["event"] for one in events] == ["drain"]
            assert 10 < time.monotonic() - began < 40
            assert gateway.stop() == 0
