"""What players say at their seats, in every log: on Postgres, and in memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import pytest
from msgspec.structs import replace

from services.movelog.failures import MatchUnknown
from services.movelog.lobby import SeatChange, SeatFree, SeatWanted
from services.movelog.log import MoveLog
from services.movelog.records import JoinedBy, Match, SeatRecord, SeatState

AMatch = Callable[..., Match]

RUTH = SeatRecord(seat=0, state=SeatState.TAKEN, player="ruth", name="Ruth", data=b'{"colour":"teal"}')
TEAL = b'{"colour":"teal"}'


async def test_a_seat_says_something_from_the_beginning(log: MoveLog, a_match: AMatch) -> None:
    match = a_match()
    await log.create(match, [RUTH])
    assert (await log.lobby.seating(match.id)).seats[0] == RUTH


@pytest.mark.parametrize("seat", [2, None])
async def test_who_joins_says_something(log: MoveLog, match: Match, seat: int | None) -> None:
    held = await log.lobby.claim(match.id, SeatWanted(seat=seat, player="ann", data=TEAL))
    assert held.data == TEAL
    assert (await log.lobby.seating(match.id)).seats[held.seat] == held


async def test_name_and_data_change_apart_from_each_other(log: MoveLog, match: Match) -> None:
    held = await log.lobby.claim(match.id, SeatWanted(seat=2, player="ann", name="Ann", data=TEAL))
    renamed = await log.lobby.update_seat(match.id, 2, held.generation, SeatChange(name="Captain Ann é"))
    assert renamed == replace(held, name="Captain Ann é", renamed=True)
    silent = await log.lobby.update_seat(match.id, 2, None, SeatChange(data=b""))
    assert silent == replace(renamed, data=b"")
    assert await log.lobby.update_seat(match.id, 2, None, SeatChange(data=b"")) == silent
    nameless = await log.lobby.update_seat(match.id, 2, None, SeatChange(name=""))
    assert (nameless.name, (await log.lobby.seating(match.id)).seats[2]) == ("", nameless)


async def test_nobody_says_anything_at_a_free_seat_or_with_an_old_token(log: MoveLog, match: Match) -> None:
    change = SeatChange(name="Eve")
    with pytest.raises(SeatFree):
        await log.lobby.update_seat(match.id, 3, None, change)
    held = await log.lobby.claim(match.id, SeatWanted(seat=3, player="ann", name="Ann"))
    await log.lobby.revoke(match.id, 3)
    with pytest.raises(SeatFree):
        await log.lobby.update_seat(match.id, 3, held.generation, change)
    assert (await log.lobby.seating(match.id)).seats[3].name == "Ann"


async def test_what_was_said_goes_with_who_said_it(log: MoveLog, match: Match) -> None:
    await log.lobby.claim(match.id, SeatWanted(seat=2, player="ann", data=TEAL))
    assert (await log.lobby.leave(match.id, 2, None)).data == b""
    assert (await log.lobby.claim(match.id, SeatWanted(seat=2, player="omar"))).data == b""


async def test_a_seat_that_is_kept_says_what_its_player_said_before(log: MoveLog, a_match: AMatch) -> None:
    match = a_match()
    await log.create(match, [replace(RUTH, state=SeatState.RESERVED, joined_by=JoinedBy.REMATCH)])
    held = await log.lobby.claim(match.id, SeatWanted(seat=0, by=JoinedBy.REMATCH))
    assert (held.name, held.data) == ("Ruth", TEAL)


async def test_a_bot_that_is_given_a_kept_seat_says_nothing(log: MoveLog, a_match: AMatch) -> None:
    match = a_match()
    await log.create(match, [replace(RUTH, state=SeatState.RESERVED)])
    assert (await log.lobby.seat_bot(match.id, 0, "greedy")).data == b""


async def test_there_is_nothing_to_say_where_nothing_is(
    log: MoveLog, match: Match, unknown_match: UUID
) -> None:
    with pytest.raises(MatchUnknown):
        await log.lobby.update_seat(unknown_match, 0, None, SeatChange(name="Ann"))
    for seat in (-1, 4, 2**31):
        with pytest.raises(ValueError, match="seats 0 to 3"):
            await log.lobby.update_seat(match.id, seat, None, SeatChange(name="Ann"))
    with pytest.raises(ValueError, match="NUL"):
        await log.lobby.update_seat(match.id, 0, None, SeatChange(name="\0"))


async def test_who_is_ready_is_so_until_the_seat_is_left(log: MoveLog, match: Match) -> None:
    held = await log.lobby.claim(match.id, SeatWanted(seat=2, player="ann"))
    assert not held.ready
    ready = await log.lobby.update_seat(match.id, 2, held.generation, SeatChange(ready=True))
    assert ready == replace(held, ready=True), "name and data stay what the request said that made them"
    assert await log.lobby.update_seat(match.id, 2, None, SeatChange(ready=True)) == ready
    assert not (await log.lobby.leave(match.id, 2, None)).ready
    assert not (await log.lobby.claim(match.id, SeatWanted(seat=2, player="omar"))).ready


async def test_who_is_ready_may_take_it_back_and_stays_so_with_another_name(
    log: MoveLog, match: Match
) -> None:
    await log.lobby.claim(match.id, SeatWanted(seat=2, player="ann"))
    await log.lobby.update_seat(match.id, 2, None, SeatChange(ready=True))
    assert (await log.lobby.update_seat(match.id, 2, None, SeatChange(name="Ann"))).ready
    assert (await log.lobby.seat_bot(match.id, 2, "greedy")).ready
    assert not (await log.lobby.update_seat(match.id, 2, None, SeatChange(ready=False))).ready


async def test_nobody_is_ready_at_a_free_seat(log: MoveLog, match: Match) -> None:
    with pytest.raises(SeatFree):
        await log.lobby.update_seat(match.id, 3, None, SeatChange(ready=True))


async def test_watchers_are_woken_when_somebody_is_ready(log: MoveLog, match: Match) -> None:
    await log.lobby.claim(match.id, SeatWanted(seat=2, player="ann"))
    woken: list[tuple[UUID | None, bool]] = []
    unsubscribe = log.subscribe_to_all(lambda match_id, reseated: woken.append((match_id, reseated)))
    await log.lobby.update_seat(match.id, 2, None, SeatChange(ready=True))
    unsubscribe()
    assert (match.id, True) in woken


async def test_the_pace_of_bots_is_kept_with_the_match(log: MoveLog, a_match: AMatch) -> None:
    match = replace(a_match(), bot_pace=timedelta(milliseconds=1_250))
    await log.create(match, [RUTH])
    assert (await log.find(match.id)).settings.bot_pace == timedelta(seconds=1.25)
