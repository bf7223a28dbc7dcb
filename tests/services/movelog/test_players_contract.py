"""Players of seats in every log: one is replaced while the match runs, or loses all tokens.

Each test runs on the log in Postgres and on the one in memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from services.movelog.events import EventType
from services.movelog.failures import MatchUnknown, StaleVersion, TokensRevoked
from services.movelog.lobby import PlayerSeated, SeatRequest, SeatRequestTaken, SeatWanted
from services.movelog.log import MoveLog
from services.movelog.players import (
    MAX_REPLACED,
    ConsentOutdated,
    NotRunning,
    Reached,
    ReplacedTooOften,
    Replacement,
)
from services.movelog.records import (
    Append,
    JoinedBy,
    Match,
    ReplacedPlayer,
    SeatRecord,
    SeatState,
    Status,
)

AMatch = Callable[..., Match]
AMove = Callable[..., Append]
TENANT = "harbour-platform"
MARK = b"the mark of this"


@pytest.fixture(scope="module")
def database_url(module_database_url: str) -> str:
    """One for all of them: each has matches of its own."""
    return module_database_url


def taken(seat: int, player: str, **more: Any) -> SeatRecord:
    return SeatRecord(seat=seat, state=SeatState.TAKEN, player=player, **more)


def by(player: str, seat: int = 1, version: int = 1, **more: Any) -> Replacement:
    return Replacement(tenant=TENANT, seat=seat, version=version, player=player, **more)


def once(request_id: str, mark: bytes = MARK) -> SeatRequest:
    return SeatRequest(tenant=TENANT, request_id=request_id, mark=mark)


async def running(log: MoveLog, match: Match, a_move: AMove, *seats: SeatRecord) -> Append:
    """Begin a match; return its first move."""
    await log.create(match, seats or [taken(seat, f"player {seat}") for seat in range(match.seats)])
    first = a_move(match, seat=None)
    await log.lobby.start(first, match.seats)
    return first


async def seats_of(log: MoveLog, match: Match) -> tuple[SeatRecord, ...]:
    return (await log.lobby.seating(match.id)).seats


# ── replacing ──────────────────────────────────────────────────────────────────────────────────────


async def test_a_replaced_player_leaves_the_seat_and_stays_named(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    match = a_match(seats=2)
    before = taken(1, "bob", name="Bob", data=b"{}", generation=3, account="bob's", ready=True)
    first = await running(log, match, a_move, taken(0, "ann"), before)
    began = datetime.now(UTC)
    revocations = (await log.lobby.seating(match.id)).revocations
    seat = await log.players.replace(match.id, by("cleo", name="Cleo", data=b'{"colour":"teal"}'))
    (earlier,) = seat.replaced
    assert seat == taken(
        1,
        "cleo",
        name="Cleo",
        data=b'{"colour":"teal"}',
        generation=4,
        invite_generation=1,
        joined_by=JoinedBy.JOIN,
        replaced=(earlier,),
    )
    assert (earlier.player, earlier.name, earlier.until_version) == ("bob", "Bob", 1)
    assert abs(earlier.replaced_at - began) < timedelta(minutes=1)
    seating = await log.lobby.seating(match.id)
    assert seating.seats == (taken(0, "ann"), seat)
    assert seating.claims[1].replaced == (earlier,)
    assert seating.revocations == revocations + 1
    assert (await log.find(match.id)).version == 1, "nothing of it is in the log"
    await log.append(a_move(match, 2, first.move.hash))
    again = await log.players.replace(match.id, by("dora", version=2))
    assert [(one.player, one.until_version) for one in again.replaced] == [("bob", 1), ("cleo", 2)]
    assert (again.name, again.data, again.generation) == ("", b"", 5)


async def test_whoever_replaces_a_bot_plays(log: MoveLog, a_match: AMatch, a_move: AMove) -> None:
    match = a_match(seats=2)
    bot = taken(1, "", bot="greedy", joined_by=JoinedBy.BOT)
    await running(log, match, a_move, taken(0, "ann"), bot)
    seat = await log.players.replace(match.id, by("cleo"))
    assert (seat.bot, seat.joined_by, seat.replaced[0].player) == ("", JoinedBy.JOIN, "")
    back = await log.lobby.seat_bot(match.id, 1, "greedy")
    assert (back.player, back.replaced) == ("cleo", seat.replaced), "a bot that stands in replaces nobody"


async def test_what_is_written_with_an_old_token_is_not(log: MoveLog, a_match: AMatch, a_move: AMove) -> None:
    match = a_match(seats=2)
    first = await running(log, match, a_move)
    looked_at = (await log.lobby.seating(match.id)).revocations
    await log.players.replace(match.id, by("cleo"))
    move = a_move(match, 2, first.move.hash)
    with pytest.raises(TokensRevoked):
        await log.append(Append(move=move.move, status=Status.RUNNING, to_act=(1,), revocations=looked_at))


async def test_a_player_with_a_seat_gets_no_second_one(log: MoveLog, a_match: AMatch, a_move: AMove) -> None:
    match = a_match(seats=2)
    await running(log, match, a_move, taken(0, "ann"), taken(1, "bob"))
    for player, seat in (("ann", 0), ("bob", 1)):
        with pytest.raises(PlayerSeated) as refused:
            await log.players.replace(match.id, by(player))
        assert refused.value.seat == seat
    assert not any(row.replaced for row in await seats_of(log, match))


async def test_only_a_running_match_at_that_version_has_players_to_replace(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    match = a_match(seats=2)
    await log.create(match, [taken(0, "ann"), taken(1, "bob")])
    with pytest.raises(NotRunning):
        await log.players.replace(match.id, by("cleo", version=0))
    first = a_move(match, seat=None)
    await log.lobby.start(first, 2)
    with pytest.raises(StaleVersion):
        await log.players.replace(match.id, by("cleo", version=2))
    with pytest.raises(ValueError, match="seats 0 to 1"):
        await log.players.replace(match.id, by("cleo", seat=2))
    with pytest.raises(MatchUnknown):
        await log.players.replace(a_match().id, by("cleo"))
    last = a_move(match, 2, first.move.hash)
    await log.append(Append(move=last.move, status=Status.ENDED, to_act=(), outcome=b"{}"))
    with pytest.raises(NotRunning):
        await log.players.replace(match.id, by("cleo", version=2))
    assert [row.player for row in await seats_of(log, match)] == ["ann", "bob"]


async def test_a_seat_has_a_bounded_number_of_players(log: MoveLog, a_match: AMatch, a_move: AMove) -> None:
    match = a_match(seats=2)
    await running(log, match, a_move, taken(0, "ann"), taken(1, "bob"))
    for number in range(MAX_REPLACED):
        await log.players.replace(match.id, by(f"player {number}"))
    revocations = (await log.lobby.seating(match.id)).revocations
    with pytest.raises(ReplacedTooOften):
        await log.players.replace(match.id, by("one more"))
    assert (await log.lobby.seating(match.id)).revocations == revocations
    assert (await log.players.replace(match.id, by("another", seat=0))).player == "another"


async def test_the_table_was_asked_about_the_player_who_has_the_seat(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    match = a_match(seats=2)
    first = await running(log, match, a_move, taken(0, "ann"), taken(1, "bob"))
    await log.append(a_move(match, 2, first.move.hash))
    await log.players.replace(match.id, by("cleo", version=2, asked_at=2))
    seating = await log.lobby.seating(match.id)
    for asked_at in (1, 2):
        with pytest.raises(ConsentOutdated):
            await log.players.replace(match.id, by("dora", version=2, asked_at=asked_at))
    assert await log.lobby.seating(match.id) == seating, "nothing has changed"
    with pytest.raises(StaleVersion):
        await log.players.replace(match.id, by("dora", version=3, asked_at=2))
    assert (await log.players.replace(match.id, by("dora", seat=0, version=2, asked_at=1))).player == "dora"
    assert (await log.players.replace(match.id, by("eli", version=2, asked_at=3))).player == "eli"
    assert (await log.players.replace(match.id, by("fay", version=2))).player == "fay"


async def test_of_many_requests_with_one_consent_one_succeeds(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    """They wait for each other at the match, and each then looks at the seat as it is."""
    match = a_match(seats=2)
    await running(log, match, a_move, taken(0, "ann"), taken(1, "bob"))
    revocations = (await log.lobby.seating(match.id)).revocations
    asked = [log.players.replace(match.id, by(f"player {number}", asked_at=1)) for number in range(12)]
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(one, SeatRecord) for one in done) == 1
    assert all(isinstance(one, SeatRecord | ConsentOutdated) for one in done)
    seating = await log.lobby.seating(match.id)
    assert (len(seating.seats[1].replaced), seating.revocations) == (1, revocations + 1)


async def test_a_request_replaces_once(log: MoveLog, a_match: AMatch, a_move: AMove) -> None:
    match = a_match(seats=3)
    await running(log, match, a_move)
    seat = await log.players.replace(match.id, by("cleo", request=once("r1")))
    given = await log.lobby.requested(TENANT, "r1")
    assert given is not None
    assert (given.match_id, given.seat, given.mark, given.generation) == (match.id, 1, MARK, seat.generation)
    with pytest.raises(SeatRequestTaken):
        await log.players.replace(match.id, by("dora", seat=2, request=once("r1", b"another mark....")))
    assert (await seats_of(log, match))[2].player == "player 2"


async def test_of_many_requests_for_one_player_one_succeeds(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    match = a_match(seats=4)
    await running(log, match, a_move)
    asked = [log.players.replace(match.id, by("cleo", seat=seat)) for seat in range(4) for _ in range(4)]
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(one, SeatRecord) for one in done) == 1
    assert all(isinstance(one, SeatRecord | PlayerSeated) for one in done)
    assert [row.player for row in await seats_of(log, match)].count("cleo") == 1


async def test_events_say_who_had_the_seat_then(log: MoveLog, a_match: AMatch, a_move: AMove) -> None:
    match = a_match(seats=2, tenant="told of players")
    await log.events.record(match.tenant, [EventType.SEAT_REPLACED, EventType.MOVE_APPLIED])
    first = await running(log, match, a_move, taken(0, "ann"), taken(1, "bob"))
    second = a_move(match, 2, first.move.hash)
    await log.append(second)
    tenant = {"tenant": match.tenant}
    await log.players.replace(match.id, Replacement(seat=1, version=2, player="cleo", **tenant))
    third = a_move(match, 3, second.move.hash)
    await log.append(third)
    await log.players.replace(match.id, Replacement(seat=1, version=3, player="dora", **tenant))
    await log.append(a_move(match, 4, third.move.hash))
    told = [one.event for one in await log.events.read(match.tenant, limit=10)]
    assert [(one.type, one.version, one.seat, one.player, one.replaced) for one in told] == [
        ("move.applied", 2, 1, "bob", ""),
        ("seat.replaced", 2, 1, "cleo", "bob"),
        ("move.applied", 3, 1, "cleo", ""),
        ("seat.replaced", 3, 1, "dora", "cleo"),
        ("move.applied", 4, 1, "dora", ""),
    ]
    assert [one.to_act for one in told] == [(2, 3)] * 5


async def test_nothing_is_told_to_those_who_do_not_want_it(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    match = a_match(seats=2, tenant="told of little")
    await log.events.record(match.tenant, [EventType.MATCH_ENDED])
    await running(log, match, a_move, taken(0, "ann"), taken(1, "bob"))
    await log.players.replace(match.id, Replacement(tenant=match.tenant, seat=1, version=1, player="cleo"))
    await log.events.record(match.tenant, list(EventType))
    assert await log.events.read(match.tenant, limit=10) == []


# ── revoking ───────────────────────────────────────────────────────────────────────────────────────


async def test_every_token_of_a_player_is_revoked_and_nobody_else_s(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    tenant = "revokes a player"
    waits, runs, ended, other = (a_match(seats=3, tenant=tenant) for _ in range(4))
    foreign = a_match(seats=3, tenant="somebody else")
    invited = SeatRecord(seat=1, state=SeatState.INVITED, player="eve")
    await log.create(waits, [taken(0, "eve"), invited])
    await running(log, runs, a_move, taken(0, "ann"), taken(1, "eve", generation=2), taken(2, "eve"))
    first = await running(log, ended, a_move, taken(0, "eve"), taken(1, "ann"), taken(2, "bob"))
    last = a_move(ended, 2, first.move.hash)
    await log.append(Append(move=last.move, status=Status.ENDED, to_act=(), outcome=b"{}"))
    for match in (other, foreign):
        await log.create(match, [taken(0, "ann"), taken(1, "eve" if match is foreign else "Eve")])
    done = await log.players.revoke(tenant, "eve", limit=10)
    assert (done.seats, done.reached) == (5, None)
    generations = {
        match.id: [(row.generation, row.invite_generation) for row in await seats_of(log, match)]
        for match in (waits, runs, ended, other, foreign)
    }
    assert generations == {
        waits.id: [(1, 1), (1, 1), (0, 0)],
        runs.id: [(0, 0), (3, 1), (1, 1)],
        ended.id: [(1, 1), (0, 0), (0, 0)],
        other.id: [(0, 0)] * 3,
        foreign.id: [(0, 0)] * 3,
    }
    assert [(await log.lobby.seating(one.id)).revocations for one in (waits, runs, ended, other)] == [
        *(1, 1, 1),
        0,
    ]
    assert [row.player for row in await seats_of(log, runs)] == ["ann", "eve", "eve"], "the seats stay"


async def test_it_goes_on_where_it_stopped_open_matches_first(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    tenant = "revokes in steps"
    matches = [a_match(seats=2, tenant=tenant) for _ in range(7)]
    for number, match in enumerate(matches):
        first = await running(log, match, a_move, taken(0, "eve"), taken(1, "eve"))
        if number % 2:
            last = a_move(match, 2, first.move.hash)
            await log.append(Append(move=last.move, status=Status.ENDED, to_act=(), outcome=b"{}"))
    after: Reached | None = None
    counts, reached = [], []
    while True:
        done = await log.players.revoke(tenant, "eve", after=after, limit=2)
        counts.append(done.seats)
        after = done.reached
        if after is None:
            break
        reached.append(after)
    assert counts == [4, 4, 4, 2]
    newest = sorted((match.id for match in matches), reverse=True)
    order = [one for one in newest if one in {match.id for match in matches[::2]}]
    order += [one for one in newest if one not in order]
    assert [one.match_id for one in reached] == order[1::2][:3]
    assert [one.is_open for one in reached] == [True, True, False]
    for match in matches:
        assert [row.generation for row in await seats_of(log, match)] == [1, 1]


async def test_nobody_is_no_player(log: MoveLog, a_match: AMatch) -> None:
    match = a_match(seats=2, tenant="has players without ids")
    await log.create(match, [taken(0, "")])
    assert await log.players.revoke(match.tenant, "", limit=10) == (0, None)
    assert (await seats_of(log, match))[0].generation == 0


async def test_seats_that_are_taken_meanwhile_and_moves_wait_and_none_deadlocks(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    tenant = "plays on meanwhile"
    matches = [a_match(seats=2, tenant=tenant) for _ in range(12)]
    firsts = [await running(log, match, a_move, taken(0, "eve"), taken(1, "ann")) for match in matches]
    waiting = [a_match(seats=2, tenant=tenant) for _ in range(12)]
    for match in waiting:
        await log.create(match, [taken(0, "eve")])
    moves = [
        log.append(a_move(match, 2, first.move.hash)) for match, first in zip(matches, firsts, strict=True)
    ]
    joins = [log.lobby.claim(match.id, SeatWanted(seat=1, player="eve")) for match in waiting]
    revokes = [log.players.revoke(tenant, "eve", limit=100) for _ in range(4)]
    done = await asyncio.gather(*moves, *joins, *revokes)
    assert all(one.seats >= 24 for one in done[-4:])


async def test_an_import_keeps_who_was_replaced(
    log: MoveLog, a_match: AMatch, moves: Callable[[Match, int], list[Append]]
) -> None:
    match = a_match(seats=2)
    chained = [append.move for append in moves(match, 2)]
    ended = Match(
        **{name: getattr(match, name) for name in Match.__struct_fields__}
        | {"status": Status.ENDED, "version": 2, "outcome": b"{}", "to_act": ()}
    )
    earlier = ReplacedPlayer(
        player="bob", name="Bob", until_version=1, replaced_at=datetime(2026, 1, 2, 3, 4, 5, 678_901, UTC)
    )
    seats = (taken(0, "ann"), taken(1, "cleo", replaced=(earlier, earlier)))
    assert await log.import_match(ended, seats, chained)
    assert await seats_of(log, match) == seats


def test_open_matches_come_before_those_that_are_over() -> None:
    """A position is compared as the rows of the index are."""
    low, high = UUID(int=1), UUID(int=2)
    assert Reached(True, low) > Reached(False, high)
