"""Vacations: announced by a tenant for anybody and by a player for oneself, within bounds, and never two at once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import pytest
from announced_vacations import (
    DAY,
    allow,
    announced,
    in_days,
    linger,
    listed,
    month,
    not_announced,
    outcomes,
    stamp,
)
from platform_stack import Account, Platform, running_platform

from foldtable.platform.v1 import vacation_pb2
from services.identity.player_sessions import SessionScope
from tests.services.platform.test_player_sessions import session

HOUR = timedelta(hours=1)


@pytest.fixture
async def acme(platform: Platform) -> Account:
    """A tenant whose players have ten days a month."""
    tenant = await platform.holding("acme", "matches:write")
    await allow(tenant, 10)
    return tenant


@pytest.fixture
async def ada(platform: Platform, acme: Account) -> Account:
    del acme
    return session(platform, scopes=[SessionScope.PLAY])


# ── announcing ─────────────────────────────────────────────────────────────────────────────────────


async def test_a_tenant_announces_for_a_player_from_now_on(acme: Account) -> None:
    until, before = in_days(20), datetime.now(UTC)
    made = await announced(acme, until)
    assert (made.player, made.until, made.by_tenant) == ("ada", stamp(until), True)
    assert before - HOUR < made.since.ToDatetime(UTC) < before + HOUR
    assert made.create_time.ToDatetime(UTC) - made.since.ToDatetime(UTC) < timedelta(seconds=30)
    assert await listed(acme) == [made.vacation_id]


async def test_a_session_announces_for_its_own_player(acme: Account, ada: Account) -> None:
    made = await announced(ada, month(2) + DAY, month(2), player="")
    assert (made.player, made.by_tenant) == ("ada", False)
    assert (made.since, made.until) == (stamp(month(2)), stamp(month(2) + DAY))
    again = await announced(ada, month(3) + DAY, month(3), player="ada")
    assert await listed(acme, player="ada") == [made.vacation_id, again.vacation_id]
    refusal = await not_announced(ada, month(4) + DAY, month(4), player="bob")
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.player"])


@pytest.mark.parametrize(
    ("since", "until", "field"),
    [
        pytest.param(-60, 3_600, "$.since", id="the past"),
        pytest.param(367 * 86_400, 367.5 * 86_400, "$.since", id="too far ahead"),
        pytest.param(3_600, 3_600, "$.until", id="no time"),
        pytest.param(3_600, 60, "$.until", id="the end before the beginning"),
        pytest.param(3_600, 3_659, "$.until", id="less than a minute"),
        pytest.param(3_600, 3_660 + 366 * 86_400, "$.until", id="too long"),
        pytest.param(None, 30, "$.until", id="less than a minute from now"),
        pytest.param(None, -30, "$.until", id="over"),
    ],
)
async def test_bounds(acme: Account, ada: Account, since: float | None, until: float, field: str) -> None:
    now = datetime.now(UTC)
    begins = None if since is None else now + timedelta(seconds=since)
    for account in (acme, ada):
        refusal = await not_announced(account, now + timedelta(seconds=until), begins)
        assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", [field])
    assert await listed(acme, include_ended=True) == []


async def test_the_bounds_themselves_are_in(acme: Account) -> None:
    soon = in_days(1)
    await announced(acme, soon + timedelta(minutes=1), soon)
    await announced(acme, soon + 366 * DAY, soon, player="bob")
    last = in_days(366)
    await announced(acme, last + HOUR, last, player="cleo")


async def test_a_moment_ago_is_now(acme: Account) -> None:
    """A request takes its time; nothing is credited for what has passed."""
    asked = datetime.now(UTC) - timedelta(seconds=5)
    made = await announced(acme, in_days(1), asked)
    assert made.since.ToDatetime(UTC) > asked + timedelta(seconds=4)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"player": ""}, "$.player"),
        ({"player": "a" * 65}, "$.player"),
        ({"player": " ada"}, "$.player"),
        ({"player": "a\nb"}, "$.player"),
        ({"request_id": "x" * 65}, "$.request_id"),
        ({"request_id": "é"}, "$.request_id"),
        ({"until": None}, "$.until"),
        ({"until": {"seconds": 10**15}}, "$.until"),
        ({"since": {"seconds": -(10**15)}}, "$.since"),
    ],
)
async def test_what_cannot_be_read_is_named(acme: Account, wrong: dict[str, Any], field: str) -> None:
    asked = {"player": "ada", "until": stamp(in_days(1)), **wrong}
    refusal = await acme.refused("AnnounceVacation", vacation_pb2.AnnounceVacationRequest(**asked))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_REQUEST")
    assert refusal.fields == [field]


# ── one at a time ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("since", "until", "overlaps"),
    [
        pytest.param(-2, 0, False, id="until it begins"),
        pytest.param(5, 7, False, id="from its end on"),
        pytest.param(-2, 0.001, True, id="into its beginning"),
        pytest.param(4.999, 7, True, id="before its end"),
        pytest.param(1, 2, True, id="within"),
        pytest.param(-1, 6, True, id="around"),
        pytest.param(0, 5, True, id="the same"),
    ],
)
async def test_two_vacations_of_a_player_never_overlap(
    platform: Platform, acme: Account, ada: Account, since: float, until: float, overlaps: bool
) -> None:
    """Whoever announces the second. Other players, and other tenants' players of that name, are none of it."""
    first = await announced(ada, month(2) + 5 * DAY, month(2))
    wanted = month(2) + until * DAY, month(2) + since * DAY
    await announced(acme, *wanted, player="bob")
    await announced(await platform.holding("other", "matches:write"), *wanted)
    if overlaps:
        for account in (acme, ada):
            refusal = await not_announced(account, *wanted)
            assert (refusal.code, refusal.reason) == (
                grpc.StatusCode.FAILED_PRECONDITION,
                "VACATION_OVERLAPS",
            )
            assert dict(refusal.info.metadata) == {
                "vacation_id": first.vacation_id,
                "since": f"{month(2):%Y-%m-%dT%H:%M:%S}.000000Z",
                "until": f"{month(2) + 5 * DAY:%Y-%m-%dT%H:%M:%S}.000000Z",
            }
    else:
        await announced(acme, *wanted)


async def test_two_servers_at_once_announce_one(
    platform: Platform, acme: Account, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, key = await platform.issue("acme", "matches:write")
    linger(monkeypatch, "overlapping")
    async with running_platform(database_url) as second:
        accounts = [acme, second.with_credential(key)] * 2
        found = await outcomes(*(announced(one, in_days(2 + n)) for n, one in enumerate(accounts)))
    assert sorted(found) == ["OK", *["VACATION_OVERLAPS"] * (len(found) - 1)]
    assert len(await listed(acme)) == 1
