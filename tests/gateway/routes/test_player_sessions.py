"""Sessions over REST: a page acts for a player with one token, and sees nothing of other players."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest
from httpx_sse import EventSource

from tests.gateway.conftest import World
from tests.gateway.live.test_streams import following, read
from tests.gateway.table import PROGRAM, Caller, Platform


@pytest.fixture
def name() -> str:
    """A player nobody else's test knows."""
    return f"ada-{uuid4()}"


@contextmanager
def signed_in(platform: Platform, player: str, **more: Any) -> Iterator[Caller]:
    answer = platform.post("/v1/player-sessions", json={"player": player, **more})
    assert answer.status_code == 201, answer.text
    with Caller(str(platform.base_url), answer.json()["token"]) as page:
        yield page


def test_a_session_says_what_it_is(platform: Platform, name: str) -> None:
    answer = platform.post("/v1/player-sessions", json={"player": name, "scopes": ["join"], "hours": 2})
    session = answer.json()
    assert session.keys() == {"player", "token", "scopes", "expires_at"}
    assert (session["player"], session["scopes"]) == (name, ["join", "play", "read"])
    with Caller(str(platform.base_url), session["token"]) as page:
        said = page.get("/v1/token").json()
    assert (said["kind"], said["player"], said["scopes"]) == ("player", name, session["scopes"])
    assert said["expires_at"] == session["expires_at"]
    assert {limit["bucket"]: limit["limit"] for limit in said["rate_limits"]}["reads"] == 1_800


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/player"),
        ({"player": ""}, "/player"),
        ({"player": "ada", "scopes": ["admin"]}, "/scopes/0"),
        ({"player": "ada", "hours": 721}, "/hours"),
        ({"player": "ada", "hours": 0}, "/hours"),
    ],
)
def test_a_session_for_nobody_or_for_too_long_is_refused(
    platform: Platform, body: dict[str, Any], pointer: str
) -> None:
    answer = platform.post("/v1/player-sessions", json=body)
    assert answer.status_code == 400, answer.text
    assert [part["pointer"] for part in answer.json()["errors"]] == [pointer]


def test_a_page_plays_a_whole_beginning_with_one_token(platform: Platform, name: str) -> None:
    with signed_in(platform, name) as ada, signed_in(platform, f"{name}-too") as bob:
        created = ada.post("/v1/matches", json={"game": "river_dragons", "seats": 2, "visibility": "public"})
        assert created.status_code == 201, created.text
        path = f"/v1/matches/{created.json()['match']['match_id']}"
        assert bob.post(f"{path}/join", json={"name": "Bob"}).json()["match"]["status"] == "running"
        with following(bob, path) as (_, events):
            assert read(events, 1)[0][2]["view"] == bob.get(f"{path}/view").json()["view"]
            moved = ada.post(f"{path}/moves", json={"action": PROGRAM, "expected_version": 1})
            assert moved.status_code == 200, moved.text
            assert read(events, 1)[0][2]["seat"] == 0
        with signed_in(platform, f"{name}-third") as eve:
            assert eve.get(f"{path}/view").json()["audience"]["kind"] == "public"
            refused = eve.post(f"{path}/resign", json={})
            assert (refused.status_code, refused.json()["reason"]) == (403, "SEAT_FORBIDDEN")
        ticket = ada.post(f"{path}/stream-tickets", json={}).json()["ticket"]
        with (
            httpx.Client(base_url=platform.base_url, timeout=30) as browser,
            following(browser, path, ticket=ticket) as (_, events),
        ):
            assert read(events, 1)[0][2]["view"] == ada.get(f"{path}/view").json()["view"]


def test_an_invite_in_the_request_seats_the_player_of_the_session(platform: Platform, name: str) -> None:
    seating = [{"player": "carl"}, {"kind": "invited"}]
    created = platform.create(2, seating=seating).json()
    path, invite = f"/v1/matches/{created['match']['match_id']}", created["invites"][0]["token"]
    with signed_in(platform, name) as ada:
        assert ada.post(f"{path}/join", json={}).status_code == 404
        joined = ada.post(f"{path}/join", json={"invite": invite})
        assert joined.status_code == 200, joined.text
        assert joined.json()["match"]["seats"][1]["player"] == name


def test_a_player_lists_own_matches_and_public_ones_that_go_on(platform: Platform, name: str) -> None:
    own = platform.create(2, players=[name, "bert"]).json()["match"]["match_id"]
    private = platform.create(2, players=["bert", "carl"]).json()["match"]["match_id"]
    public = platform.create(2, players=["bert", "carl"], visibility="public").json()["match"]["match_id"]
    with signed_in(platform, name) as ada:

        def listed(**query: Any) -> set[str]:
            page = ada.get("/v1/matches", params={"page_size": 1000, **query})
            assert page.status_code == 200, page.text
            return {match["match_id"] for match in page.json()["matches"]}

        assert listed() == listed(player=name) == listed(visibility="any") == {own}
        assert listed(waiting_for=name) == {own}
        everybodys = listed(visibility="public")
        assert public in everybodys
        assert not everybodys & {own, private}
        platform.post(f"/v1/matches/{public}/abort", json={})
        assert public not in listed(visibility="public")
        for query in (
            {"player": "bert"},
            {"waiting_for": "bert"},
            {"visibility": "public", "status": "ended"},
        ):
            answer = ada.get("/v1/matches", params=query)
            assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST"), query


def test_a_player_has_the_own_feed_only(platform: Platform, name: str) -> None:
    own = platform.create(2, players=[name, "bert"]).json()["match"]["match_id"]
    platform.create(2, players=["bert", "carl"])
    with signed_in(platform, name) as ada:
        for query in ({}, {"ticket": ada.post("/v1/feed/stream-tickets", json={}).json()["ticket"]}):
            with ada.stream("GET", "/v1/feed", params=query) as feed:
                assert feed.status_code == 200
                ((_, _, snapshot),) = read(EventSource(feed).iter_sse(), 1)
                assert [match["match_id"] for match in snapshot["matches"]] == [own]
                assert snapshot["matches"][0]["waiting_for_me"] is True
        for refused, status in (
            (ada.get("/v1/feed", params={"player": "bert"}), 400),
            (ada.get("/v1/feed", params={"bots": "true"}), 403),
            (ada.post("/v1/feed/stream-tickets", json={"player": "bert"}), 400),
        ):
            assert refused.status_code == status, refused.text


def test_revoked_sessions_end_with_their_streams(platform: Platform, name: str) -> None:
    path = f"/v1/matches/{platform.create(2, players=[name, 'bert']).json()['match']['match_id']}"
    with signed_in(platform, name) as ada, following(ada, path) as (_, events):
        read(events, 1)
        answer = platform.post("/v1/player-sessions/revoke", json={"player": name})
        assert answer.json() == {"player": name}
        ((kind, _, data),) = read(events, 1)
        assert (kind, data["reason"]) == ("revoked", "TOKEN_INVALID")
        assert ada.get(path).json()["reason"] == "TOKEN_INVALID"
    with signed_in(platform, name) as again:
        assert again.get(path).status_code == 200


def test_all_sessions_of_a_player_share_their_limits(platform: Platform, name: str) -> None:
    """A bucket fills again between two requests on a slow machine, so several sessions are tried: each alone would have the same left."""
    left = set()
    for _ in range(20):
        with signed_in(platform, name) as page:
            page.get("/v1/matches")
            limits = page.get("/v1/token").json()["rate_limits"]
            left.add({limit["bucket"]: limit["remaining"] for limit in limits}["reads"])
    assert len(left) > 1


# ── without a credential ───────────────────────────────────────────────────────────────────────────


@pytest.fixture
def open_tenant(world: World, foreign_platform: Platform) -> Iterator[Platform]:
    """A tenant that lets anybody read its public matches."""
    assert foreign_platform.get("/v1/tenant").json()["anonymous_read"] is False
    with foreign_platform.readable_by_anybody():
        assert foreign_platform.get("/v1/tenant").json()["anonymous_read"] is True
        yield foreign_platform


def test_anybody_reads_public_matches_until_the_tenant_says_no(
    open_tenant: Platform, anybody: httpx.Client
) -> None:
    public = f"/v1/matches/{open_tenant.create(2, visibility='public').json()['match']['match_id']}"
    private = f"/v1/matches/{open_tenant.create(2).json()['match']['match_id']}"
    for what in ("", "/view", "/moves", "/replay"):
        answer = anybody.get(f"{public}{what}")
        assert answer.status_code == 200, answer.text
        assert '"anonymous"' in answer.headers["ratelimit"]
        nothing = anybody.get(f"/v1/matches/{uuid4()}{what}")
        hidden = anybody.get(f"{private}{what}")
        assert (hidden.status_code, hidden.json()["reason"]) == (401, "TOKEN_MISSING")
        assert hidden.headers["www-authenticate"] == nothing.headers["www-authenticate"]
        assert hidden.json()["detail"] == nothing.json()["detail"]
    for what in ("/legal-actions", "/export", "/verify", "/undo"):
        assert anybody.get(f"{public}{what}").json()["reason"] == "TOKEN_MISSING"
    with following(anybody, public) as (_, events):
        assert read(events, 1)[0][2]["view"] == anybody.get(f"{public}/view").json()["view"]
        open_tenant.patch("/v1/tenant", json={"anonymous_read": False})
        began = time.monotonic()
        ((kind, _, data),) = read(events, 1)
        assert (kind, data["reason"]) == ("revoked", "TOKEN_MISSING")
        assert time.monotonic() - began < 11
    assert anybody.get(public).json()["reason"] == "TOKEN_MISSING"


def test_nothing_is_readable_without_a_credential_by_default(
    platform: Platform, anybody: httpx.Client
) -> None:
    public = platform.create(2, visibility="public").json()["match"]["match_id"]
    # A test before this one may have allowed it, which a service knows for ten seconds.
    deadline = time.monotonic() + 20
    while (answer := anybody.get(f"/v1/matches/{public}")).status_code == 200 and time.monotonic() < deadline:
        time.sleep(0.5)
    assert answer.json()["reason"] == "TOKEN_MISSING"
    assert anybody.get("/v1/tenant").json()["reason"] == "TOKEN_MISSING"
