"""How many forks of a match somebody may make, in every log: on Postgres, and in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from engine.kernel.seats import PUBLIC
from services.movelog.failures import ForksUsedUp, TokensRevoked
from services.movelog.log import MoveLog
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import ForkedFrom, ForkQuota, Match, SeatRecord, SeatState, TokenUse
from services.postgres.database import DatabaseSettings

AMatch = Callable[..., Match]

SEATS = [SeatRecord(seat=0, state=SeatState.TAKEN, account="the account")]


async def an_origin(log: MoveLog, a_match: AMatch) -> ForkedFrom:
    """A match that forks are made of."""
    return ForkedFrom(match_id=(await log.create(a_match(), [])).id, version=1, audience=PUBLIC)


def quota(account: str, most: int = 2) -> ForkQuota:
    return ForkQuota(account=account, most=most)


async def test_the_last_fork_is_made_and_not_one_more(log: MoveLog, a_match: AMatch) -> None:
    origin = await an_origin(log, a_match)
    for _ in range(2):
        await log.fork(a_match(forked_from=origin), SEATS, quota("ruth"))
    third = a_match(forked_from=origin)
    with pytest.raises(ForksUsedUp):
        await log.fork(third, SEATS, quota("ruth"))
    assert await log.progress([third.id]) == {}, "nothing was written"
    await log.fork(third, SEATS, quota("ann"))
    elsewhere = await an_origin(log, a_match)
    await log.fork(a_match(forked_from=elsewhere), SEATS, quota("ruth"))


async def test_a_repeat_is_given_the_first_and_is_not_counted(log: MoveLog, a_match: AMatch) -> None:
    origin = await an_origin(log, a_match)
    first = a_match(forked_from=origin, request_id="once")
    await log.fork(first, SEATS, quota("omar"))
    for _ in range(5):
        again = await log.fork(a_match(forked_from=origin, request_id="once"), SEATS, quota("omar"))
        assert again.id == first.id
    await log.fork(a_match(forked_from=origin), SEATS, quota("omar"))
    again = await log.fork(a_match(forked_from=origin, request_id="once"), SEATS, quota("omar"))
    assert again.id == first.id, "also when no other may be made"


async def test_what_is_no_fork_is_not_counted_as_one(log: MoveLog, a_match: AMatch) -> None:
    with pytest.raises(ValueError, match="no fork"):
        await log.fork(a_match(), SEATS, quota("ruth"))


async def test_a_fork_is_made_only_while_the_token_that_asks_for_it_is_good(
    log: MoveLog, a_match: AMatch
) -> None:
    forked_from = await an_origin(log, a_match)
    token = TokenUse(match_id=forked_from.match_id, revocations=0)
    await log.fork(a_match(forked_from=forked_from), SEATS, quota("ruth"), token=token)
    await log.lobby.revoke_watchers(forked_from.match_id)
    refused = a_match(forked_from=forked_from)
    with pytest.raises(TokensRevoked):
        await log.fork(refused, SEATS, quota("ruth"), token=token)
    assert await log.progress([refused.id]) == {}


async def test_a_seat_keeps_its_account_until_it_is_somebody_else_s(log: MoveLog, a_match: AMatch) -> None:
    match = a_match()
    await log.create(match, SEATS)
    seating = await log.lobby.seating(match.id)
    assert (seating.seats[0].account, seating.claims[0].account) == ("the account", "the account")
    assert (await log.lobby.revoke(match.id, 0)).account == "the account"
    assert (await log.lobby.leave(match.id, 0, None)).account == ""


async def test_many_at_once_through_two_processes_come_to_no_more(database_url: str, a_match: AMatch) -> None:
    async with (
        await PostgresLog.open(DatabaseSettings(database_url)) as one,
        await PostgresLog.open(DatabaseSettings(database_url)) as other,
    ):
        origin = await an_origin(one, a_match)
        made = await asyncio.gather(
            *(
                log.fork(a_match(forked_from=origin), SEATS, quota("eve", 5))
                for log in (one, other)
                for _ in range(20)
            ),
            return_exceptions=True,
        )
    assert [type(answer) for answer in made if not isinstance(answer, Match)] == [ForksUsedUp] * 35
