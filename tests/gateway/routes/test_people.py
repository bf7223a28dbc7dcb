"""People over REST: a player is replaced while the match runs, and everything of one player is revoked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.gateway.live.test_streams import following, read
from tests.gateway.table import PROGRAM, Caller, Platform


@pytest.fixture
def names() -> tuple[str, str, str]:
    """Players nobody else's test knows."""
    mark = uuid4().hex
    return f"ada-{mark}", f"bob-{mark}", f"cleo-{mark}"


@pytest.fixture
def created(platform: Platform, names: tuple[str, str, str]) -> dict[str, Any]:
    """A running match of the first two."""
    made = platform.create(2, players=list(names[:2]))
    assert made.status_code == 201, made.text
    body: dict[str, Any] = made.json()
    return body


@pytest.fixture
def path(created: dict[str, Any]) -> str:
    link: str = created["match"]["links"]["self"]
    return link


def holder(platform: Platform, token: str) -> Caller:
    return Caller(str(platform.base_url), token)


@pytest.fixture
def old(platform: Platform, created: dict[str, Any]) -> Iterator[Caller]:
    """The token of the player who will be replaced."""
    with holder(platform, created["seat_tokens"][1]["token"]) as player:
        yield player


def told(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("reason", "")


def rest_of(events: Any) -> list[tuple[str, Any]]:
    return [(event.event, event.json()) for event in events]


def test_a_replaced_player_s_stream_and_ticket_end_and_the_new_one_plays(
    platform: Platform, path: str, old: Caller, names: tuple[str, str, str]
) -> None:
    ticket = old.post(f"{path}/stream-tickets", json={}).json()["ticket"]
    with following(old, path) as (_, events):
        read(events, 1)
        answer = platform.post(
            f"{path}/seats/1/replace", json={"player": names[2], "name": "Cleo", "data": {"colour": "teal"}}
        )
        assert answer.status_code == 200, answer.text
        assert ("revoked", {"reason": "SEAT_FORBIDDEN"}) in rest_of(events)
    used = httpx.get(f"{platform.base_url}{path}/stream", params={"ticket": ticket}, timeout=10)
    assert told(used) == (403, "SEAT_FORBIDDEN")
    seat = answer.json()["match"]["seats"][1]
    (earlier,) = seat.pop("replaced")
    assert (seat["player"], seat["name"], seat["data"]) == (names[2], "Cleo", {"colour": "teal"})
    assert (earlier["player"], earlier["until_version"]) == (names[1], 1)
    assert "replaced" not in answer.json()["match"]["seats"][0], "hardly any seat has it"
    assert platform.get(f"{path}/table").json()["match"]["seats"][1]["replaced"] == [earlier]
    with holder(platform, answer.json()["seat_token"]["token"]) as new:
        moved = new.post(f"{path}/moves", json={"action": PROGRAM, "expected_version": 1})
        assert moved.status_code == 200, moved.text
    lists = [platform.get("/v1/matches", params={"player": name}).json()["matches"] for name in names[1:]]
    assert [len(one) for one in lists] == [0, 1]
    assert lists[1][0]["seats"][1]["replaced"] == [earlier]


@pytest.mark.parametrize("where", ["header", "body"])
def test_a_repeat_answers_the_same(
    platform: Platform, path: str, names: tuple[str, str, str], where: str
) -> None:
    key = str(uuid4())
    body = {"player": names[2]} | ({"request_id": key} if where == "body" else {})
    headers = {"idempotency-key": f'"{key}"'} if where == "header" else {}
    answers = [platform.post(f"{path}/seats/1/replace", json=body, headers=headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json()["match"] == answers[1].json()["match"]
    other = platform.post(f"{path}/seats/0/replace", json=body, headers=headers)
    assert told(other) == (422, "REQUEST_ID_REUSED")
    without = platform.post(f"{path}/seats/1/replace", json={"player": names[2]})
    assert told(without) == (409, "NOT_JOINABLE")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/player"),
        ({"player": ""}, "/player"),
        ({"player": "a" * 65}, "/player"),
        ({"player": "cleo", "name": "a" * 101}, "/name"),
        ({"player": "cleo", "data": "a" * 2_000}, "/data"),
        ({"player": "cleo", "consent": "nobody"}, "/consent"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(
    platform: Platform, path: str, body: dict[str, Any], pointer: str
) -> None:
    answer = platform.post(f"{path}/seats/1/replace", json=body)
    assert answer.status_code == 400, answer.text
    assert [part["pointer"] for part in answer.json()["errors"]] == [pointer]


def test_seats_that_cannot_get_another_player(
    platform: Platform, path: str, names: tuple[str, str, str]
) -> None:
    body = {"player": names[2]}
    assert told(platform.post(f"{path}/seats/2/replace", json=body)) == (400, "MALFORMED_REQUEST")
    waiting = platform.create(2, open_seats=True).json()["match"]["links"]["self"]
    assert told(platform.post(f"{waiting}/seats/0/replace", json=body)) == (409, "MATCH_NOT_STARTED")
    assert platform.post(f"{path}/abort", json={}).status_code == 200
    assert told(platform.post(f"{path}/seats/1/replace", json=body)) == (409, "MATCH_OVER")


def test_the_event_feed_says_who_was_replaced(
    operator: Platform, platform: Platform, names: tuple[str, str, str]
) -> None:
    tenant = f"t{uuid4().hex[:12]}"
    assert operator.post("/v1/tenants", json={"tenant": tenant}).status_code == 201
    scopes = ["matches:write", "webhooks:write"]
    key = operator.post(f"/v1/tenants/{tenant}/keys", json={"scopes": scopes}).json()["secret"]
    with Platform(str(platform.base_url), key) as own:
        recorded = own.put(
            "/v1/events/recording", json={"event_types": ["seat.replaced", "turn.started", "move.applied"]}
        )
        assert recorded.status_code == 200, recorded.text
        link = own.create(2, players=list(names[:2])).json()["match"]["links"]["self"]
        assert own.post(f"{link}/seats/1/replace", json={"player": names[2]}).status_code == 200
        page = own.get("/v1/events", params={"wait": "10s"}).json()["events"]
        while page[-1]["type"] != "foldtable.seat.replaced.v1":
            page = own.get("/v1/events", params={"wait": "1s"}).json()["events"]
    assert [(one["type"], one["data"].get("player")) for one in page] == [
        ("foldtable.turn.started.v1", names[0]),
        ("foldtable.turn.started.v1", names[1]),
        ("foldtable.seat.replaced.v1", names[2]),
    ]
    assert page[-1]["data"] | {"match_id": "", "game": ""} == {
        "match_id": "",
        "game": "",
        "version": 1,
        "to_act": [0, 1],
        "players": [names[0], names[2]],
        "title": "",
        "reference": "",
        "seat": 1,
        "player": names[2],
        "replaced_player": names[1],
    }
    assert page[-1]["subject"] == "seats/1"


# ── revoking ───────────────────────────────────────────────────────────────────────────────────────


def test_a_revoked_player_loses_streams_tokens_sessions_codes_and_tickets(
    platform: Platform, path: str, old: Caller, names: tuple[str, str, str]
) -> None:
    code = platform.post("/v1/login-codes", json={"player": names[1]}).json()["code"]
    session = platform.post("/v1/player-sessions", json={"player": names[1]}).json()["token"]
    with holder(platform, session) as page:
        tickets = [one.post(f"{path}/stream-tickets", json={}).json()["ticket"] for one in (old, page)]
        with following(old, path) as (_, events), following(page, path) as (_, shown):
            read(events, 1), read(shown, 1)
            answer = platform.post("/v1/players/revoke", json={"player": names[1]})
            assert answer.json() == {
                "player": names[1],
                "seats": 1,
                "login_codes": 1,
                "next_page_token": "",
            }
            assert rest_of(events)[-1] == ("revoked", {"reason": "SEAT_FORBIDDEN"})
            assert rest_of(shown)[-1][0] == "revoked"
        moves = {"action": PROGRAM, "expected_version": 1}
        assert told(old.post(f"{path}/moves", json=moves)) == (403, "SEAT_FORBIDDEN")
        assert page.post(f"{path}/moves", json=moves).status_code in {401, 403}
    for ticket in tickets:
        used = httpx.get(f"{platform.base_url}{path}/stream", params={"ticket": ticket}, timeout=10)
        assert used.status_code in {401, 403}
    redeemed = httpx.post(f"{platform.base_url}/v1/login-codes/redeem", json={"code": code})
    assert told(redeemed) == (401, "LOGIN_CODE_INVALID")
    fresh = platform.post(f"{path}/seats/1/token").json()["seat_token"]["token"]
    with holder(platform, fresh) as again:
        assert again.post(f"{path}/moves", json=moves).status_code == 200


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/player"),
        ({"player": ""}, "/player"),
        ({"player": "a" * 65}, "/player"),
        ({"player": "ada", "page_token": "a" * 513}, "/page_token"),
        ({"player": "ada", "page_token": "of another"}, "/page_token"),
        ({"player": "ada", "reason": "a ban"}, "/reason"),
    ],
)
def test_a_revocation_of_nobody_is_refused(platform: Platform, body: dict[str, Any], pointer: str) -> None:
    answer = platform.post("/v1/players/revoke", json=body)
    assert answer.status_code == 400, answer.text
    assert [part["pointer"] for part in answer.json()["errors"]] == [pointer]


# ── with the consent of the table ──────────────────────────────────────────────────────────────────


def test_the_table_agrees_to_another_player(
    platform: Platform, created: dict[str, Any], path: str, old: Caller, names: tuple[str, str, str]
) -> None:
    body = {"player": names[2], "consent": "table"}
    assert told(platform.post(f"{path}/seats/1/replace", json=body)) == (409, "CONSENT_MISSING")
    assert told(old.post(f"{path}/seats/0/replace/ask")) == (403, "SEAT_FORBIDDEN")
    headers = {"idempotency-key": f'"{uuid4()}"'}
    first, again = (platform.post(f"{path}/seats/1/replace/ask", headers=headers) for _ in range(2))
    assert first.json()["events"] == [{"type": "replacement_proposed", "seat": 1}]
    assert (first.status_code, again.status_code, again.json()["version"]) == (200, 200, 2)
    proposal = platform.get(f"{path}/view").json()["proposal"]
    assert (proposal["kind"], proposal["seat"], proposal["waiting"]) == ("replace", 1, [0])
    (todo,) = platform.get(path).json()["todos"]
    assert (todo["kind"], todo["seat"], todo["player"]) == ("answer_replace", 0, names[0])
    waiting = platform.get("/v1/matches", params={"waiting_for": names[0]}).json()["matches"]
    assert [one["links"]["self"] for one in waiting] == [path]
    assert told(old.post(f"{path}/seats/1/replace/ask", json={})) == (409, "PROPOSAL_OPEN")
    answering = {"accept": True, "expected_version": 2}
    with holder(platform, created["seat_tokens"][0]["token"]) as ada:
        assert told(ada.post(f"{path}/replace/answer", json={"accept": True})) == (428, "VERSION_REQUIRED")
        stale = ada.post(f"{path}/replace/answer", json={"accept": True}, headers={"if-match": '"v:1"'})
        assert told(stale) == (412, "VERSION_CONFLICT")
        agreed = ada.post(f"{path}/replace/answer", json=answering, headers={"accept-language": "pl"})
    assert agreed.status_code == 200, agreed.text
    assert [event["type"] for event in agreed.json()["events"]] == [
        "replacement_answered",
        "replacement_agreed",
    ]
    replaced = platform.post(f"{path}/seats/1/replace", json=body)
    assert (replaced.status_code, replaced.json()["match"]["seats"][1]["player"]) == (200, names[2])
    once_more = platform.post(f"{path}/seats/1/replace", json={**body, "player": names[1]})
    assert told(once_more) == (409, "CONSENT_MISSING")


@pytest.mark.parametrize(
    ("what", "body", "pointer"),
    [
        ("replace/answer", {"expected_version": 1}, "/accept"),
        ("replace/answer", {"accept": "yes", "expected_version": 1}, "/accept"),
        ("seats/1/replace/ask", {"seat": 0}, "/seat"),
        ("seats/1/replace/ask", {"expected_version": -1}, "/expected_version"),
    ],
)
def test_what_cannot_be_asked_or_answered_is_refused_by_its_field(
    platform: Platform, path: str, what: str, body: dict[str, Any], pointer: str
) -> None:
    answer = platform.post(f"{path}/{what}", json=body)
    assert answer.status_code == 400, answer.text
    assert [part["pointer"] for part in answer.json()["errors"]] == [pointer]
