"""Vacations over REST: a tenant announces them for its players, a page for its own player, as far as the tenant allows it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.gateway.routes.test_player_sessions import signed_in
from tests.gateway.table import Caller, Platform

ROUTE = "/v1/vacations"
DAY = timedelta(days=1)


def text(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"


def in_days(days: float) -> datetime:
    return datetime.now(UTC) + days * DAY


@pytest.fixture
def name() -> str:
    """A player nobody else's test knows."""
    return f"ada-{uuid4()}"


@pytest.fixture
def ten_days(platform: Platform) -> Iterator[Platform]:
    """A tenant whose players have ten days a month, for as long as the test takes."""
    platform.patch("/v1/tenant", json={"vacation_days": 10}).raise_for_status()
    yield platform
    platform.patch("/v1/tenant", json={"vacation_days": 0}).raise_for_status()


@pytest.fixture
def page(ten_days: Platform, name: str) -> Iterator[Caller]:
    with signed_in(ten_days, name, scopes=["play"]) as page:
        yield page


def announced(caller: httpx.Client, since: datetime | None, until: datetime, **more: Any) -> dict[str, Any]:
    answer = caller.post(ROUTE, json=body(since, until, **more))
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def body(since: datetime | None, until: datetime, **more: Any) -> dict[str, Any]:
    return {"until": text(until), **({} if since is None else {"since": text(since)}), **more}


def listed(caller: httpx.Client, **query: Any) -> list[dict[str, Any]]:
    answer = caller.get(ROUTE, params=query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["vacations"]
    return found


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["reason"]


def test_a_tenant_announces_lists_and_cancels(platform: Platform, name: str) -> None:
    since, until = in_days(40), in_days(60)
    made = announced(platform, since, until, player=name)
    assert made.keys() == {"vacation_id", "player", "since", "until", "created_at", "by_tenant"}
    assert (made["player"], made["since"], made["until"]) == (name, text(since), text(until))
    assert made["by_tenant"] is True
    assert listed(platform, player=name) == [made]
    assert made in listed(platform, page_size=1_000)
    gone = platform.delete(f"{ROUTE}/{made['vacation_id'].upper()}")
    assert (gone.status_code, gone.json()) == (200, {"vacation": None})
    assert listed(platform, player=name, include_ended="true") == []
    again = platform.delete(f"{ROUTE}/{made['vacation_id']}")
    assert refused(again) == (404, "VACATION_NOT_FOUND")


def test_a_page_announces_for_its_player_and_comes_back_earlier(
    ten_days: Platform, page: Caller, name: str
) -> None:
    made = announced(page, None, in_days(0.5))
    assert (made["player"], made["by_tenant"]) == (name, False)
    assert listed(page) == listed(ten_days, player=name) == [made]
    ended = page.delete(f"{ROUTE}/{made['vacation_id']}")
    assert ended.status_code == 200, ended.text
    left = ended.json()["vacation"]
    assert left["since"] < left["until"] < text(in_days(0.01))
    assert {**left, "until": ""} == {**made, "until": ""}
    assert refused(page.delete(f"{ROUTE}/{made['vacation_id']}")) == (409, "VACATION_OVER")
    assert listed(page) == []
    assert listed(page, include_ended="true") == [left]


def test_a_page_has_so_many_days_a_month(page: Caller) -> None:
    march = (datetime.now(UTC).replace(day=1) + 70 * DAY).replace(
        day=1, hour=0, minute=0, second=0, microsecond=0
    )
    announced(page, march, march + 8 * DAY)
    answer = page.post(ROUTE, json=body(march + 10 * DAY, march + 13 * DAY))
    assert refused(answer) == (409, "VACATION_DAYS_USED")
    assert answer.json()["metadata"] == {"month": f"{march:%Y-%m}", "left": str(2 * 86_400)}
    other = announced(page, march + 10 * DAY, march + 12 * DAY)
    page.delete(f"{ROUTE}/{other['vacation_id']}").raise_for_status()
    announced(page, march + 20 * DAY, march + 22 * DAY)


def test_where_the_tenant_decides_players_are_told_so(foreign_platform: Platform, name: str) -> None:
    with signed_in(foreign_platform, name) as page:
        answer = page.post(ROUTE, json=body(None, in_days(1)))
        assert refused(answer) == (403, "VACATION_NOT_ALLOWED")
        assert "the tenant decides" in answer.json()["detail"]
        made = announced(foreign_platform, None, in_days(1), player=name)
        assert listed(page) == [made]
        assert refused(page.delete(f"{ROUTE}/{made['vacation_id']}")) == (403, "TENANT_ONLY")


def test_what_overlaps_is_refused_with_what_is_there(page: Caller) -> None:
    made = announced(page, in_days(40), in_days(41))
    answer = page.post(ROUTE, json=body(in_days(40.5), in_days(42)))
    assert refused(answer) == (409, "VACATION_OVERLAPS")
    assert answer.json()["metadata"] == {name: made[name] for name in ("vacation_id", "since", "until")}


@pytest.mark.parametrize("place", ["header", "body"])
def test_a_repeated_request_gets_the_first_vacation(page: Caller, place: str) -> None:
    key, until = str(uuid4()), in_days(1)
    headers = {"idempotency-key": f'"{key}"'} if place == "header" else {}
    more = {} if place == "header" else {"request_id": key}
    first, again = (page.post(ROUTE, json=body(None, until, **more), headers=headers) for _ in range(2))
    assert (first.status_code, again.status_code, again.json()) == (201, 201, first.json())
    assert listed(page) == [first.json()]
    other = page.post(ROUTE, json=body(None, in_days(2), **more), headers=headers)
    assert refused(other) == (422, "REQUEST_ID_REUSED")
    with_both = {"idempotency-key": '"another"'}
    both = page.post(ROUTE, json=body(None, until, request_id=key), headers=with_both)
    assert refused(both) == (400, "MALFORMED_REQUEST")


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"until": None}, "/until"),
        ({"until": "tomorrow"}, "/until"),
        ({"until": 1_900_000_000}, "/until"),
        ({"until": "2026-01-01"}, "/until"),
        ({"until": "2020-01-01T00:00:00Z"}, "/until"),
        ({"until": "9999-12-31T23:59:59-12:00"}, "/until"),
        ({"until": "9999-12-31T23:59:59Z"}, "/until"),
        ({"since": "2020-01-01T00:00:00Z"}, "/since"),
        ({"since": "0001-01-01T00:00:00+12:00"}, "/since"),
        ({"since": True}, "/since"),
        ({"player": ""}, "/player"),
        ({"player": None}, "/player"),
        ({"player": "x" * 65}, "/player"),
        ({"player": "a\u202eb"}, "/player"),
        ({"request_id": ""}, "/request_id"),
        ({"days": 3}, "/days"),
    ],
)
def test_what_is_wrong_is_pointed_at(
    platform: Platform, name: str, wrong: dict[str, Any], pointer: str
) -> None:
    sent = {"player": name, "until": text(in_days(1)), **wrong}
    answer = platform.post(ROUTE, json=sent)
    assert refused(answer) == (400, "MALFORMED_REQUEST"), answer.text
    assert [part["pointer"] for part in answer.json()["errors"]] == [pointer]
    assert listed(platform, player=name) == []


def test_a_page_names_nobody_else(page: Caller) -> None:
    answer = page.post(ROUTE, json=body(None, in_days(1), player="bob"))
    assert refused(answer) == (400, "MALFORMED_REQUEST")
    assert [part["pointer"] for part in answer.json()["errors"]] == ["/player"]
    answer = page.get(ROUTE, params={"player": "bob"})
    assert [part["parameter"] for part in answer.json()["errors"]] == ["player"]


def test_nobody_cancels_for_others(
    ten_days: Platform, foreign_platform: Platform, page: Caller, name: str
) -> None:
    made = announced(page, None, in_days(1))
    path = f"{ROUTE}/{made['vacation_id']}"
    with signed_in(ten_days, f"bob-{uuid4()}") as bob, signed_in(foreign_platform, name) as namesake:
        for caller in (bob, namesake, foreign_platform):
            assert refused(caller.delete(path)) == (404, "VACATION_NOT_FOUND")
            assert made not in listed(caller, include_ended="true")
    assert refused(ten_days.delete(f"{ROUTE}/nonsense")) == (404, "VACATION_NOT_FOUND")
    assert listed(page) == [made]
    assert ten_days.delete(path).json()["vacation"]["vacation_id"] == made["vacation_id"]


def test_match_tokens_and_reading_sessions_may_not(ten_days: Platform, name: str) -> None:
    with ten_days.new_table() as table, signed_in(ten_days, name, scopes=["read"]) as reading:
        watching = ten_days.post(f"{table.path}/watch-tokens", json={"role": "spectator"}).json()
        with Caller(str(ten_days.base_url), watching["watch_token"]["token"]) as spectator:
            for caller in (table.players[0], spectator):
                for answer in (
                    caller.post(ROUTE, json=body(None, in_days(1))),
                    caller.get(ROUTE),
                    caller.delete(f"{ROUTE}/{uuid4()}"),
                ):
                    assert refused(answer) == (403, "TENANT_ONLY")
        assert listed(reading) == []
        answer = reading.post(ROUTE, json=body(None, in_days(1)))
        assert refused(answer) == (403, "SCOPE_MISSING")
        assert answer.json()["metadata"] == {"scope": "play"}


def test_lists_come_in_pages(platform: Platform, name: str) -> None:
    made = [announced(platform, in_days(number), in_days(number + 0.5), player=name) for number in (5, 3, 4)]
    found: list[dict[str, Any]] = []
    token = ""
    while True:
        query = {"player": name, "page_size": 1, "page_token": token}
        page = platform.get(ROUTE, params=query).json()
        found += page["vacations"]
        if not (token := page["next_page_token"]):
            break
    assert found == [made[1], made[2], made[0]]
    answer = platform.get(ROUTE, params={"page_token": "made-up"})
    assert refused(answer) == (400, "PAGE_TOKEN_INVALID")


def test_a_tenant_sets_how_many_days(platform: Platform) -> None:
    assert platform.get("/v1/tenant").json()["vacation_days"] == 0
    try:
        changed = platform.patch("/v1/tenant", json={"vacation_days": 31})
        assert changed.json()["vacation_days"] == 31
        assert platform.patch("/v1/tenant", json={"anonymous_read": False}).json()["vacation_days"] == 31
    finally:
        platform.patch("/v1/tenant", json={"vacation_days": 0})
    for wrong in (-1, 32, 1.5, "7", True):
        answer = platform.patch("/v1/tenant", json={"vacation_days": wrong})
        assert refused(answer) == (400, "MALFORMED_REQUEST"), wrong
        assert [part["pointer"] for part in answer.json()["errors"]] == ["/vacation_days"]


def test_announcing_counts_as_what_changes_matches(page: Caller) -> None:
    answer = page.post(ROUTE, json=body(None, in_days(1)))
    assert answer.headers["ratelimit-policy"].startswith('"lobby"')
    assert page.get(ROUTE).headers["ratelimit-policy"].startswith('"reads"')
