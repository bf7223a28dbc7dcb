"""Cancelling vacations: before they begin, while they go on, and when they are over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import grpc
import pytest
from announced_vacations import (
    DAY,
    allow,
    announced,
    begin,
    cancelled,
    in_days,
    linger,
    listed,
    month,
    not_announced,
    not_cancelled,
    outcomes,
)
from platform_stack import Account, Platform

from foldtable.platform.v1 import vacation_pb2
from tests.services.platform.test_player_sessions import session

HOUR = timedelta(hours=1)


@pytest.fixture
async def acme(platform: Platform) -> Account:
    """A tenant whose players have ten days a month."""
    tenant = await platform.holding("acme", "matches:write")
    await allow(tenant, 10)
    return tenant


@pytest.fixture
async def other(platform: Platform) -> Account:
    """Another tenant of that kind."""
    tenant = await platform.holding("other", "matches:write")
    await allow(tenant, 10)
    return tenant


@pytest.fixture
async def ada(platform: Platform, acme: Account) -> Account:
    del acme
    return session(platform)


async def test_what_has_not_begun_is_removed(acme: Account, ada: Account) -> None:
    for account in (acme, ada):
        made = await announced(account, month(2) + 10 * DAY, month(2))
        assert not (await cancelled(account, made.vacation_id)).HasField("vacation")
        assert await listed(acme, include_ended=True) == []
        assert (await not_cancelled(account, made.vacation_id)).reason == "VACATION_NOT_FOUND"
    await announced(ada, month(2) + 10 * DAY, month(2))


async def test_what_goes_on_is_over_now(acme: Account, ada: Account) -> None:
    for account in (acme, ada):
        made = await announced(account, in_days(9))
        ended = (await cancelled(account, made.vacation_id)).vacation
        assert (ended.vacation_id, ended.since) == (made.vacation_id, made.since)
        lasted = ended.until.ToDatetime(UTC) - ended.since.ToDatetime(UTC)
        assert timedelta() < lasted < timedelta(minutes=1)
        assert made.vacation_id not in await listed(acme)
        assert made.vacation_id in await listed(acme, include_ended=True)
        refusal = await not_cancelled(account, made.vacation_id)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "VACATION_OVER")


async def test_what_was_taken_counts_and_the_rest_comes_back(
    platform: Platform, acme: Account, ada: Account
) -> None:
    """An hour was taken; all the others can be announced again."""
    begins = max(month(0), datetime.now(UTC) - HOUR)
    made = await announced(ada, in_days(5))
    await begin(platform, made.vacation_id, datetime.now(UTC) - begins, 5 * DAY)
    await cancelled(ada, made.vacation_id)
    await allow(acme, 1)
    refusal = await not_announced(ada, in_days(30))
    taken = datetime.now(UTC) - begins
    left = int(refusal.info.metadata["left"])
    assert refusal.info.metadata["month"] == f"{month(0):%Y-%m}"
    assert abs(DAY - taken - timedelta(seconds=left)) < timedelta(seconds=30)


async def test_a_vacation_that_is_over_by_itself_cannot_be_cancelled(
    platform: Platform, acme: Account, ada: Account
) -> None:
    for account in (acme, ada):
        made = await announced(account, in_days(1))
        await begin(platform, made.vacation_id, 2 * DAY, -HOUR)
        assert (await not_cancelled(account, made.vacation_id)).reason == "VACATION_OVER"


async def test_other_peoples_vacations_are_not_there(
    platform: Platform, acme: Account, ada: Account, other: Account
) -> None:
    of_bob = await announced(acme, in_days(1), player="bob")
    for account, vacation_id in (
        (ada, of_bob.vacation_id),
        (other, of_bob.vacation_id),
        (session(platform, "bob", tenant="other"), of_bob.vacation_id),
        (acme, str(uuid4())),
        (acme, "nonsense"),
        (acme, ""),
    ):
        refusal = await not_cancelled(account, vacation_id)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.NOT_FOUND, "VACATION_NOT_FOUND")
        assert refusal.message == "there is no such vacation"
    assert await listed(acme) == [of_bob.vacation_id]


async def test_what_the_tenant_announced_only_the_tenant_cancels(acme: Account, ada: Account) -> None:
    by_tenant = await announced(acme, in_days(1))
    assert (await not_cancelled(ada, by_tenant.vacation_id)).reason == "TENANT_ONLY"
    await cancelled(acme, by_tenant.vacation_id)
    by_player = await announced(ada, in_days(1))
    await cancelled(acme, by_player.vacation_id)


async def test_two_who_cancel_at_once_end_it_once(
    acme: Account, ada: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await announced(ada, in_days(1))
    linger(monkeypatch, "find")
    calls = [
        one.call("CancelVacation", vacation_pb2.CancelVacationRequest(vacation_id=made.vacation_id))
        for one in (acme, ada)
    ]
    assert sorted(await outcomes(*calls)) == ["OK", "VACATION_OVER"]
