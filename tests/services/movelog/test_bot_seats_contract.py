"""How a bot comes to a seat and leaves it in every log: on Postgres, and in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from uuid import UUID

import pytest
from msgspec.structs import replace

from services.movelog.failures import MatchUnknown
from services.movelog.lobby import MatchEnded, SeatFree, SeatTaken, SeatWanted
from services.movelog.log import MoveLog
from services.movelog.records import Append, JoinedBy, Match, SeatRecord, SeatState, Status

AMatch = Callable[..., Match]
AMove = Callable[..., Append]

RUTH = SeatRecord(seat=0, state=SeatState.TAKEN, player="ruth")
BOT = SeatRecord(seat=1, state=SeatState.TAKEN, joined_by=JoinedBy.BOT, bot="greedy")


async def test_a_seat_is_a_bots_from_the_beginning(log: MoveLog, a_match: AMatch) -> None:
    match = a_match()
    await log.create(match, [RUTH, BOT])
    seating = await log.lobby.seating(match.id)
    assert seating.seats[:2] == (RUTH, BOT)
    assert [claim.bot for claim in seating.claims] == ["", "greedy"]


async def test_a_bot_stands_in_for_a_player_who_keeps_seat_and_tokens(log: MoveLog, match: Match) -> None:
    held = await log.lobby.claim(match.id, SeatWanted(seat=2, player="ruth"))
    assert await log.lobby.seat_bot(match.id, 2, "random") == replace(held, bot="random")
    assert await log.lobby.seat_bot(match.id, 2, "") == held
    assert (await log.lobby.seating(match.id)).seats[2] == held


async def test_handing_over_twice_changes_nothing(log: MoveLog, match: Match) -> None:
    await log.lobby.claim(match.id, SeatWanted(seat=2, player="ruth"))
    first = await log.lobby.seat_bot(match.id, 2, "random")
    assert await log.lobby.seat_bot(match.id, 2, "random") == first


async def test_a_free_seat_becomes_a_bots_and_its_invite_worthless(log: MoveLog, match: Match) -> None:
    invited = await log.lobby.invite(match.id, 3, "ann", "Ann")
    seated = await log.lobby.seat_bot(match.id, 3, "search")
    assert (seated.state, seated.joined_by, seated.bot) == (SeatState.TAKEN, JoinedBy.BOT, "search")
    assert seated.invite_generation == invited.invite_generation + 1
    with pytest.raises(SeatTaken):
        await log.lobby.claim(match.id, SeatWanted(seat=3, player="ann"))


async def test_a_seat_that_is_given_back_is_no_bots_any_more(log: MoveLog, match: Match) -> None:
    await log.lobby.seat_bot(match.id, 3, "search")
    left = await log.lobby.leave(match.id, 3, None)
    assert (left.state, left.bot) == (SeatState.OPEN, "")


async def test_nobody_can_have_a_free_seat_back(log: MoveLog, match: Match) -> None:
    with pytest.raises(SeatFree):
        await log.lobby.seat_bot(match.id, 3, "")


async def test_a_match_that_is_over_is_played_by_nobody(log: MoveLog, a_match: AMatch, a_move: AMove) -> None:
    match = a_match()
    await log.create(match, [replace(RUTH, seat=seat) for seat in range(match.seats)])
    started = a_move(match, 1)
    await log.lobby.start(replace(started, status=Status.ENDED, to_act=(), outcome=b"{}"), seats=match.seats)
    with pytest.raises(MatchEnded):
        await log.lobby.seat_bot(match.id, 0, "random")


@pytest.mark.parametrize("seat", [-1, 4, 70_000])
async def test_a_seat_the_match_does_not_have_is_refused(log: MoveLog, match: Match, seat: int) -> None:
    with pytest.raises(ValueError, match="seats"):
        await log.lobby.seat_bot(match.id, seat, "random")


async def test_an_unknown_match_is_refused(log: MoveLog) -> None:
    with pytest.raises(MatchUnknown):
        await log.lobby.seat_bot(UUID(int=1), 0, "random")


async def test_a_player_and_a_bot_after_one_seat_exactly_one_has_it(log: MoveLog, a_match: AMatch) -> None:
    for _ in range(5):
        match = a_match()
        await log.create(match, [])
        joined, seated = await asyncio.gather(
            log.lobby.claim(match.id, SeatWanted(seat=1, player="ruth")),
            log.lobby.seat_bot(match.id, 1, "random"),
            return_exceptions=True,
        )
        row = (await log.lobby.seating(match.id)).seats[1]
        assert isinstance(seated, SeatRecord)
        if isinstance(joined, SeatRecord):
            assert (row.player, row.bot, row.joined_by) == ("ruth", "random", JoinedBy.JOIN)
        else:
            assert isinstance(joined, SeatTaken)
            assert (row.player, row.bot, row.joined_by) == ("", "random", JoinedBy.BOT)
