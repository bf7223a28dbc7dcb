"""Vacations are limited: in the days of a month that players announce themselves, and in their number."""

from __future__ import annotations

from datetime import timedelta

import grpc
import pytest
from announced_vacations import DAY, allow, announced, in_days, linger, listed, month, not_announced, outcomes
from platform_stack import Account, Platform

from foldtable.platform.v1 import vacation_pb2
from services.platform.vacations import announcing, stored
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
    return session(platform)


# ── days of a month ────────────────────────────────────────────────────────────────────────────────


async def test_what_players_announce_fits_into_each_month(acme: Account, ada: Account) -> None:
    """Ten days of each: six and four of the next but one and of the one after that are taken."""
    await announced(ada, month(3) + 4 * DAY, month(3) - 6 * DAY)
    refusal = await not_announced(ada, month(2) + 5 * DAY, month(2))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "VACATION_DAYS_USED")
    assert dict(refusal.info.metadata) == {"month": f"{month(2):%Y-%m}", "left": str(4 * 86_400)}
    await announced(ada, month(2) + 4 * DAY, month(2))
    refusal = await not_announced(ada, month(2) + 10 * DAY + timedelta(minutes=1), month(2) + 10 * DAY)
    assert dict(refusal.info.metadata) == {"month": f"{month(2):%Y-%m}", "left": "0"}
    refusal = await not_announced(ada, month(4) - 10 * DAY, month(4) - 17 * DAY)
    assert dict(refusal.info.metadata) == {"month": f"{month(3):%Y-%m}", "left": str(6 * 86_400)}
    await announced(ada, month(4), month(4) - 6 * DAY)


async def test_what_the_tenant_announces_takes_no_days_and_is_not_limited(
    platform: Platform, acme: Account, ada: Account
) -> None:
    await announced(acme, month(2) + 15 * DAY, month(2))
    await announced(ada, month(2) + 25 * DAY, month(2) + 15 * DAY)
    await announced(acme, month(2) + 27 * DAY, month(2) + 25 * DAY)
    assert (await not_announced(ada, month(2) + 28 * DAY, month(2) + 27 * DAY)).reason == "VACATION_DAYS_USED"
    await announced(session(platform, "bob"), month(2) + 10 * DAY, month(2), player="")


@pytest.mark.parametrize("tenant", ["acme", "nobody-has-made-it"])
async def test_without_vacation_days_the_tenant_decides(
    platform: Platform, acme: Account, tenant: str
) -> None:
    await allow(acme, 0)
    refusal = await not_announced(session(platform, tenant=tenant), in_days(1))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "VACATION_NOT_ALLOWED")
    await announced(acme, in_days(1))


async def test_fewer_days_from_now_on(acme: Account, ada: Account) -> None:
    """What was announced stays, and counts."""
    await announced(ada, month(2) + 8 * DAY, month(2))
    await allow(acme, 5)
    refusal = await not_announced(ada, month(2) + 10 * DAY, month(2) + 9 * DAY)
    assert dict(refusal.info.metadata) == {"month": f"{month(2):%Y-%m}", "left": "0"}
    await announced(ada, month(3) + 5 * DAY, month(3))


async def test_a_player_who_asks_twice_at_once_gets_no_more_days(
    acme: Account, ada: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either fits, both do not."""
    linger(monkeypatch, "own_vacations")
    begins = [month(2), month(2) + 10 * DAY, month(2) + 20 * DAY]
    found = await outcomes(*(announced(ada, since + 6 * DAY, since) for since in begins))
    assert sorted(found) == ["OK", *["VACATION_DAYS_USED"] * (len(found) - 1)]
    assert len(await listed(acme)) == 1


# ── how many ───────────────────────────────────────────────────────────────────────────────────────


async def test_so_many_that_are_not_over(
    platform: Platform, acme: Account, ada: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert announcing.MAX_VACATIONS == 100
    monkeypatch.setattr(announcing, "MAX_VACATIONS", 3)
    for number in (1, 2, 3):
        await announced([acme, ada][number % 2], in_days(number) + HOUR, in_days(number))
    for account in (acme, ada):
        refusal = await not_announced(account, in_days(4) + HOUR, in_days(4))
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "TOO_MANY_VACATIONS")
        assert dict(refusal.info.metadata) == {"limit": "3"}
    await announced(acme, in_days(4) + HOUR, in_days(4), player="bob")
    await announced(await platform.holding("other", "matches:write"), in_days(4) + HOUR, in_days(4))


async def over(platform: Platform, days: float, *, by_tenant: bool = False, player: str = "ada") -> None:
    """Store a vacation of a minute that was over so many days ago."""
    async with platform.log.pool.connection() as connection:
        await connection.execute(
            "INSERT INTO vacations (id, tenant, player, since, until, by_tenant) "
            "VALUES (gen_random_uuid(), 'acme', $1, $2, $3, $4)",
            (player, in_days(-days) - timedelta(minutes=1), in_days(-days), by_tenant),
        )


async def test_what_a_player_ended_this_month_counts_for_the_player_only(
    platform: Platform, acme: Account, ada: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else one could announce and cancel without end, and every check would read all of it."""
    monkeypatch.setattr(announcing, "MAX_VACATIONS", 3)
    for _ in range(3):
        await over(platform, 0.0001, by_tenant=True)
        await over(platform, 40)
    await announced(ada, in_days(1) + HOUR, in_days(1))
    for _ in range(2):
        await over(platform, 0)
    assert (await not_announced(ada, in_days(2) + HOUR, in_days(2))).reason == "TOO_MANY_VACATIONS"
    await announced(acme, in_days(2) + HOUR, in_days(2))


async def test_what_was_over_long_ago_is_forgotten_with_the_next_new_one(
    platform: Platform, acme: Account
) -> None:
    assert timedelta(days=62) < stored.KEPT, "as long as a month can still count, and the one before"
    assert stored.SWEPT > 1, "they go faster than they come"
    for days in (91, 120, 89, 1):
        await over(platform, days, player="bob")
    made = await announced(acme, in_days(1))
    kept = await acme.call("ListVacations", vacation_pb2.ListVacationsRequest(include_ended=True))
    assert len(kept.vacations) == 3
    assert kept.vacations[-1].vacation_id == made.vacation_id
