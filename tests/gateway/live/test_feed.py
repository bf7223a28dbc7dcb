"""One feed for all matches of a player or a tenant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import httpx
from httpx_sse import EventSource, ServerSentEvent

from tests.gateway.conftest import World
from tests.gateway.live.test_tickets import ticket_for
from tests.gateway.table import Platform
from tests.support.processes import Process


@contextmanager
def feed(
    client: httpx.Client, *, last_event_id: str | None = None, **query: Any
) -> Iterator[Iterator[ServerSentEvent]]:
    """Open a feed."""
    headers = {"accept": "text/event-stream"}
    if last_event_id is not None:
        headers["last-event-id"] = last_event_id
    with client.stream("GET", "/v1/feed", params=query, headers=headers) as response:
        assert response.status_code == 200, response.read()
        events = EventSource(response).iter_sse()
        yield (event for event in events if event.data)  # it makes an empty one of a heartbeat after an id


def next_of(events: Iterator[ServerSentEvent], match_id: str, version: int) -> dict[str, Any]:
    """Read until a match is told at a version; other tests' matches come in between."""
    for event in events:
        data: dict[str, Any] = event.json()
        if event.event == "match.updated" and (data["match_id"], data["version"]) == (match_id, version):
            return data
    raise AssertionError("the feed ended")


def a_player() -> str:
    return f"p-{uuid4().hex[:12]}"


def test_a_players_feed_begins_with_the_open_matches_and_says_where_it_is_their_turn(
    platform: Platform,
) -> None:
    ada, bob = a_player(), a_player()
    with platform.new_table(2, players=[ada, bob]) as mine, platform.new_table(2, players=[ada, bob]) as over:
        over.end()
        mine.players[0].any_move()
        with feed(platform, player=ada) as events:
            first = next(events)
            assert first.event == "snapshot"
            (shown,) = first.json()["matches"]
            assert shown == {
                "match_id": mine.match_id,
                "game": "river_dragons",
                "version": 2,
                "status": "running",
                "to_act": [1],
                "waiting_for": [bob],
                "waiting_for_me": False,
                "todos": [],
                "waiting_bots": [],
                "players": [ada, bob],
                "title": "",
                "visibility": "private",
                "deadline": None,
                "reference": "",
                "metadata": {},
            }
        with feed(platform, player=bob) as events:
            assert next(events).json()["matches"][0]["waiting_for_me"] is True


def test_each_change_comes_once_it_is_made(platform: Platform) -> None:
    ada, bob = a_player(), a_player()
    with feed(platform, player=ada) as events:
        assert next(events).json() == {"matches": []}
        with platform.new_table(2, players=[ada, bob]) as table:
            begun = next_of(events, table.match_id, 1)
            assert (begun["waiting_for"], begun["waiting_for_me"]) == ([ada, bob], True)
            table.players[0].any_move()
            assert next_of(events, table.match_id, 2)["waiting_for_me"] is False
            table.end()
            assert next_of(events, table.match_id, 3)["status"] == "ended"


def test_a_tenants_feed_tells_of_all_its_matches_and_of_no_others(
    platform: Platform, foreign_platform: Platform
) -> None:
    with feed(platform) as ours, feed(foreign_platform) as theirs:
        assert next(ours).json() == {"matches": None}
        assert next(theirs).json() == {"matches": None}
        with platform.new_table() as table:
            told = next_of(ours, table.match_id, 1)
            assert told["waiting_for_me"] is None
            with foreign_platform.new_table() as foreign:
                event = next(theirs)
                assert event.json()["match_id"] == foreign.match_id, "the first it hears of"


def test_it_goes_on_after_the_last_event_with_what_has_changed_since(platform: Platform) -> None:
    ada = a_player()
    with platform.new_table(2, players=[ada, ""]) as table:
        with feed(platform, player=ada) as events:
            last = next(events).id
        table.players[0].any_move()
        table.end()
        with feed(platform, player=ada, last_event_id=last) as events:
            event = next(events)
    assert (event.event, event.json()["version"], event.json()["status"]) == ("match.updated", 3, "ended")


def test_a_ticket_opens_the_feed_of_the_player_it_names(platform: Platform, anybody: httpx.Client) -> None:
    ada = a_player()
    with platform.new_table(2, players=[ada, ""]) as table:
        ticket = ticket_for(platform, "/v1/feed", player=ada)
        with feed(anybody, ticket=ticket) as events:
            assert [one["match_id"] for one in next(events).json()["matches"]] == [table.match_id]
        assert anybody.get("/v1/feed", params={"ticket": ticket}).status_code == 401
        ticket = ticket_for(platform, "/v1/feed", player=ada)
        answer = anybody.get("/v1/feed", params={"ticket": ticket, "player": "somebody else"})
        assert answer.status_code == 400


def test_a_stopping_gateway_says_good_bye_to_feeds(world: World) -> None:
    settings = world.gateway_settings(world.rules_address)
    with Process("gateway", world.folder / "gateway_feeds.log", **settings) as gateway:
        with Platform(gateway.start(), world.key) as platform, feed(platform) as events:
            next(events)
            gateway.ask_to_stop()
            assert [event.event for event in events][-1] == "drain"
        assert gateway.wait() == 0


def test_a_feed_outlives_a_restart_of_the_platform_service_and_misses_nothing(
    world: World, platform: Platform
) -> None:
    ada = a_player()
    service = Process(
        "services.platform", world.folder / "platform_restarted.log", **world.platform_settings()
    )
    with service, platform.new_table(2, players=[ada, ""]) as table:
        address = service.start()
        settings = world.gateway_settings(world.rules_address) | {"platform": address}
        with Process("gateway", world.folder / "gateway_feed_restarted.log", **settings) as gateway:
            with Platform(gateway.start(), world.key) as here, feed(here, player=ada) as events:
                assert next(events).event == "snapshot"
                service.kill()
                table.players[0].any_move()
                again = world.platform_settings() | {"listen": address}
                with Process("services.platform", world.folder / "platform_again.log", **again) as restarted:
                    restarted.start()
                    next_of(events, table.match_id, 2)
                    table.end()
                    next_of(events, table.match_id, 3)
                    assert restarted.stop() == 0
            assert gateway.stop() == 0
