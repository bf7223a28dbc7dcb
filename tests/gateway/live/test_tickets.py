"""Stream tickets: a browser's way into a stream, once."""

from __future__ import annotations

import os
import time
from typing import Any
from uuid import uuid4

import httpx
import pytest

from gateway.live.tickets import Envelope, seal, unseal
from gateway.problems.document import ProblemError
from tests.gateway.conftest import World
from tests.gateway.live.test_streams import following, read
from tests.gateway.table import Caller, Platform, Table
from tests.support.processes import Process


def ticket_for(caller: Caller, path: str, **wanted: Any) -> str:
    answer = caller.post(f"{path}/stream-tickets", json=wanted)
    assert answer.status_code == 201, answer.text
    ticket: str = answer.json()["ticket"]
    return ticket


@pytest.fixture
def browser(world: World) -> Any:
    """A page that cannot send an Authorization header."""
    with httpx.Client(base_url=world.url, timeout=30) as client:
        yield client


def refused(client: httpx.Client, path: str, **query: Any) -> tuple[int, str]:
    answer = client.get(f"{path}/stream", params=query)
    return answer.status_code, answer.json()["reason"]


def test_a_ticket_opens_the_stream_with_the_eyes_it_was_made_for(table: Table, browser: httpx.Client) -> None:
    player, _ = table.players
    ticket = ticket_for(player, table.path)
    with following(browser, table.path, ticket=ticket) as (response, events):
        assert response.status_code == 200
        ((name, _, snapshot),) = read(events, 1)
        assert (name, snapshot["view"]) == ("snapshot", player.look("view").json()["view"])
        cards = player.any_move().json()["events"][0]["cards"]
        assert read(events, 1)[0][2]["events"][0]["cards"] == cards, "its own secret"


def test_it_is_good_once_at_whichever_gateway(world: World, table: Table, browser: httpx.Client) -> None:
    ticket = ticket_for(table.players[0], table.path)
    settings = world.gateway_settings(world.rules_address)
    with Process("gateway", world.folder / "gateway_tickets.log", **settings) as other:
        with (
            httpx.Client(base_url=other.start(), timeout=30) as elsewhere,
            following(elsewhere, table.path, ticket=ticket) as (response, _),
        ):
            assert response.status_code == 200
            assert refused(browser, table.path, ticket=ticket) == (401, "TICKET_INVALID")
        assert other.stop() == 0


def test_it_is_for_one_stream(table: Table, platform: Platform, browser: httpx.Client) -> None:
    with platform.new_table() as other:
        ticket = ticket_for(platform, other.path, audience="public")
        assert refused(browser, table.path, ticket=ticket) == (401, "TICKET_INVALID")
    feed = ticket_for(platform, "/v1/feed")
    assert refused(browser, table.path, ticket=feed) == (401, "TICKET_INVALID")


def test_the_ticket_says_for_whose_eyes(table: Table, browser: httpx.Client) -> None:
    for query in ({"seat": 1}, {"audience": "referee"}):
        ticket = ticket_for(table.players[0], table.path)
        assert refused(browser, table.path, ticket=ticket, **query) == (400, "MALFORMED_REQUEST")


def test_who_may_not_look_gets_no_ticket(table: Table, foreign_platform: Platform) -> None:
    for caller, wanted, expected in (
        (table.players[0], {"seat": 1}, (403, "SEAT_FORBIDDEN")),
        (table.players[0], {"audience": "referee"}, (403, "SEAT_FORBIDDEN")),
        (foreign_platform, {"audience": "public"}, (404, "MATCH_NOT_FOUND")),
        (table.platform, {"audience": "nobody"}, (400, "MALFORMED_REQUEST")),
    ):
        answer = caller.post(f"{table.path}/stream-tickets", json=wanted)
        assert (answer.status_code, answer.json()["reason"]) == expected


@pytest.mark.parametrize("made_up", ["st_", "st_" + "A" * 43, "A" * 43, "x" * 200, "st_ä"])
def test_a_made_up_ticket_is_refused(table: Table, browser: httpx.Client, made_up: str) -> None:
    status, reason = refused(browser, table.path, ticket=made_up)
    assert (status, reason) in {(401, "TICKET_INVALID"), (400, "MALFORMED_REQUEST")}


def test_a_stream_by_ticket_ends_with_the_credential_it_was_made_with(
    table: Table, browser: httpx.Client
) -> None:
    with following(browser, table.path, ticket=ticket_for(table.players[0], table.path)) as (_, events):
        read(events, 1)
        answer = table.platform.post(f"{table.path}/seats/0/revoke", json={})
        assert answer.status_code == 200, answer.text
        ((name, _, data),) = [(event.event, event.id, event.json()) for event in events]
        assert (name, data) == ("revoked", {"reason": "SEAT_FORBIDDEN"})


def test_tickets_are_in_no_log(world: World, table: Table, browser: httpx.Client) -> None:
    ticket = ticket_for(table.players[0], table.path)
    with following(browser, table.path, ticket=ticket):
        pass
    refused(browser, table.path, ticket=ticket)
    time.sleep(0.2)
    for log in world.folder.glob("*.log"):
        assert ticket[:12] not in log.read_text(), log


# ── what the platform service keeps ────────────────────────────────────────────────────────────────


def test_an_envelope_is_opened_by_its_ticket_only() -> None:
    secret, envelope = os.urandom(32), Envelope("Bearer ft_secret", "m", 1, 3)
    sealed = seal(secret, envelope)
    assert b"ft_secret" not in sealed
    assert unseal(secret, sealed) == envelope
    assert "ft_secret" not in repr(envelope)
    for other, text in ((os.urandom(32), sealed), (secret, sealed[:-1]), (secret, b"")):
        with pytest.raises(ProblemError):
            unseal(other, text)


def test_a_ticket_that_is_none_is_told_so_whatever_else_is_said(table: Table, anybody: httpx.Client) -> None:
    for path in (f"{table.path}/stream?audience=public", "/v1/feed?player=ada", "/v1/feed?bots=true"):
        answer = anybody.get(f"{path}&ticket=st_made_up")
        assert (answer.status_code, answer.json()["reason"]) == (401, "TICKET_INVALID")


def test_a_ticket_that_is_none_says_nothing_of_the_key_beside_it(platform: Platform) -> None:
    """A key that is turned away counts for its address, with all its buckets full again afterwards."""
    assert platform.get("/v1/matches").is_success
    for path in ("/v1/feed", f"/v1/matches/{uuid4()}/stream"):
        assert platform.get(path, params={"ticket": "st_" + "x" * 43}).status_code == 401
        assert platform.get("/v1/matches").headers["ratelimit"].startswith('"reads"')
