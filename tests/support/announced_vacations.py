"""Vacations over gRPC, as the tests of them ask for them. For tests; used by name."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from platform_stack import Account, Platform
from rules_stack import Refusal

from foldtable.platform.v1 import platform_service_pb2, vacation_pb2
from services.platform.vacations import stored

DAY: Final = timedelta(days=1)


def stamp(moment: datetime) -> Timestamp:
    message = Timestamp()
    message.FromDatetime(moment)
    return message


def in_days(days: float) -> datetime:
    return datetime.now(UTC) + days * DAY


def month(number: int) -> datetime:
    """Return when a month begins, counted from the present one."""
    begins = datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    for _ in range(number):
        begins = (begins + 32 * DAY).replace(day=1)
    return begins


def wish(
    player: str, until: datetime, since: datetime | None = None, **more: Any
) -> vacation_pb2.AnnounceVacationRequest:
    return vacation_pb2.AnnounceVacationRequest(
        player=player, until=stamp(until), since=None if since is None else stamp(since), **more
    )


async def announced(
    account: Account, until: datetime, since: datetime | None = None, *, player: str = "ada", **more: Any
) -> vacation_pb2.Vacation:
    answer = await account.call("AnnounceVacation", wish(player, until, since, **more))
    made: vacation_pb2.Vacation = answer.vacation
    return made


async def not_announced(
    account: Account, until: datetime, since: datetime | None = None, *, player: str = "ada", **more: Any
) -> Refusal:
    return await account.refused("AnnounceVacation", wish(player, until, since, **more))


async def cancelled(account: Account, vacation_id: str) -> vacation_pb2.CancelVacationResponse:
    answer: vacation_pb2.CancelVacationResponse = await account.call(
        "CancelVacation", vacation_pb2.CancelVacationRequest(vacation_id=vacation_id)
    )
    return answer


async def not_cancelled(account: Account, vacation_id: str) -> Refusal:
    return await account.refused(
        "CancelVacation", vacation_pb2.CancelVacationRequest(vacation_id=vacation_id)
    )


async def listed(account: Account, **asked: Any) -> list[str]:
    """Return the ids on the first page of a list."""
    page = await account.call("ListVacations", vacation_pb2.ListVacationsRequest(**asked))
    return [one.vacation_id for one in page.vacations]


async def allow(account: Account, days: int) -> None:
    """Let players announce vacations themselves, for so many days a month."""
    await account.call("UpdateTenant", platform_service_pb2.UpdateTenantRequest(vacation_days=days))


async def begin(platform: Platform, vacation_id: str, ago: timedelta, end: timedelta) -> None:
    """Let a vacation have begun some time ago, and be over in a while."""
    now = datetime.now(UTC)
    async with platform.log.pool.connection() as connection:
        await connection.execute(
            "UPDATE vacations SET since = $2, until = $3 WHERE id = $1", (vacation_id, now - ago, now + end)
        )


def linger(monkeypatch: pytest.MonkeyPatch, check: str) -> None:
    """Let whoever has made a check think for a while before going on."""
    checked = getattr(stored, check)

    async def slowly(*args: Any, **named: Any) -> Any:
        found = await checked(*args, **named)
        await asyncio.sleep(0.2)
        return found

    monkeypatch.setattr(stored, check, slowly)


async def outcomes(*calls: Any) -> list[str]:
    """Make calls at once; return the reason of each that was refused, and OK for the others, in order."""

    async def outcome(call: Any) -> str:
        try:
            await call
        except grpc.aio.AioRpcError as refused:
            return Refusal.of(refused).reason
        return "OK"

    return await asyncio.gather(*map(outcome, calls))
