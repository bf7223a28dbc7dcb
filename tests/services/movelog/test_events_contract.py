"""What platforms are told of their matches. Each test runs on the log in Postgres and on the one in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from services.movelog.events import Event, EventType, FeedEvent, Position
from services.movelog.failures import StaleVersion
from services.movelog.lobby import QuickJoin, SeatWanted
from services.movelog.log import MoveLog
from services.movelog.records import Append, JoinedBy, Match, SeatRecord, SeatState, Status, Visibility

AMatch = Callable[..., Match]
AMove = Callable[..., Append]
Moves = Callable[[Match, int], list[Append]]

TENANT = "harbour-platform"
EVERYTHING = frozenset(EventType)


async def told(log: MoveLog, count: int, tenant: str = TENANT) -> list[Event]:
    """What the tenant has been told. An event may be held back for a moment by a transaction of somebody else's."""
    for _ in range(250):
        rows = await log.events.read(tenant, limit=1_000)
        if len(rows) >= count:
            break
        await asyncio.sleep(0.02)
    return [row.event for row in rows]


async def feed(log: MoveLog, count: int) -> list[tuple[Any, ...]]:
    """The same in short: type, version, seat."""
    return [(event.type, event.version, event.seat) for event in await told(log, count)]


def after(append: Append, **changes: Any) -> Append:
    return msgspec.structs.replace(append, **changes)


async def test_a_tenant_that_wants_no_events_gets_none(log: MoveLog, a_match: AMatch, moves: Moves) -> None:
    match = await log.create(a_match(), [])
    for append in moves(match, 3):
        await log.append(append)
    assert await log.events.recorded(TENANT) == frozenset()
    assert await feed(log, 0) == []


async def test_a_match_has_events_from_its_creation_to_its_end(
    log: MoveLog, a_match: AMatch, moves: Moves
) -> None:
    await log.events.record(TENANT, EVERYTHING)
    match = await log.create(a_match(seats=2), [])
    start, move, last = moves(match, 3)
    await log.append(after(start, to_act=(0, 1), turns=(0, 1)))
    await log.append(after(move, to_act=(1,)))
    await log.append(after(last, status=Status.ENDED, to_act=(), outcome=b'{"winner":1}'))
    assert await feed(log, 7) == [
        ("match.created", 0, None),
        ("match.started", 1, None),
        ("turn.started", 1, 0),
        ("turn.started", 1, 1),
        ("move.applied", 2, 1),
        ("move.applied", 3, 1),
        ("match.ended", 3, None),
    ]


async def test_events_hold_ids_and_never_a_move(log: MoveLog, a_match: AMatch, moves: Moves) -> None:
    await log.events.record(TENANT, EVERYTHING)
    seat = SeatRecord(seat=1, state=SeatState.TAKEN, player="ruth")
    match = await log.create(a_match(), [seat])
    start, move = moves(match, 2)
    await log.append(start)
    await log.append(after(move, status=Status.ENDED, to_act=(1, 2), outcome=b'{"winner":1}'))
    *_, applied, ended = await told(log, 4)
    assert (applied.match_id, applied.game, applied.player) == (match.id, "harbour", "ruth")
    assert (applied.to_act, applied.outcome) == ((1, 2), None)
    assert (ended.outcome, ended.player) == (b'{"winner":1}', "")
    assert applied.recorded_at == move.move.recorded_at
    assert b"crate" not in msgspec.json.encode([applied, ended])


async def test_only_the_types_that_were_asked_for_are_written(
    log: MoveLog, a_match: AMatch, moves: Moves
) -> None:
    await log.events.record(TENANT, {EventType.TURN_STARTED})
    match = await log.create(a_match(), [])
    for append in moves(match, 3):
        await log.append(after(append, turns=(2,)))
    assert await feed(log, 3) == [("turn.started", seq, 2) for seq in (1, 2, 3)]
    await log.events.record(TENANT, ())
    await log.create(a_match(), [])
    assert await log.events.recorded(TENANT) == frozenset()
    match = await log.create(a_match(), [])
    await log.append(after(moves(match, 1)[0], turns=(0,)))
    await log.events.record(TENANT, {EventType.MATCH_CREATED})
    marker = await log.create(a_match(), [])
    assert (await told(log, 1))[-1].match_id == marker.id
    assert len(await told(log, 1)) == 1, "a feed gives what it keeps now"


async def test_a_match_has_events_from_the_moment_its_tenant_asks_for_them(
    log: MoveLog, a_match: AMatch, moves: Moves
) -> None:
    """And no longer once it does not; whatever a writer may remember of it."""
    match = await log.create(a_match(), [])
    other = await log.create(a_match(tenant="other"), [])
    ours, theirs = moves(match, 6), moves(other, 6)
    for now, types in enumerate(((), EVERYTHING, ())):
        await log.events.record(TENANT, types)
        for append in ours[now * 2 : now * 2 + 2]:
            await asyncio.gather(log.append(append), log.append(theirs[append.move.seq - 1]))
    assert (await log.find(match.id)).version == (await log.find(other.id)).version == 6
    await log.events.record(TENANT, EVERYTHING)
    assert await feed(log, 2) == [("move.applied", 3, 1), ("move.applied", 4, 1)]


async def test_tenants_get_events_of_their_own_matches_only(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    await log.events.record("ours", EVERYTHING)
    theirs = await log.create(a_match(tenant="theirs"), [])
    await log.append(a_move(theirs))
    ours = await log.create(a_match(tenant="ours"), [])
    assert [event.match_id for event in await told(log, 1, "ours")] == [ours.id]
    assert await told(log, 0, "theirs") == []


async def test_a_move_that_is_refused_has_no_event(log: MoveLog, a_match: AMatch, a_move: AMove) -> None:
    await log.events.record(TENANT, EVERYTHING)
    match = await log.create(a_match(), [])
    await log.append(a_move(match))
    with pytest.raises(StaleVersion):
        await log.append(a_move(match))
    assert await feed(log, 2) == [("match.created", 0, None), ("match.started", 1, None)]


async def test_moves_written_together_have_one_event_each(
    log: MoveLog, a_match: AMatch, moves: Moves
) -> None:
    await log.events.record(TENANT, {EventType.MOVE_APPLIED, EventType.MATCH_STARTED})
    matches = [await log.create(a_match(tenant=TENANT if n % 2 else "other"), []) for n in range(12)]

    async def play(match: Match) -> None:
        for append in moves(match, 6):
            await log.append(append)

    await asyncio.gather(*map(play, matches))
    events = await told(log, 36)
    for match in matches:
        versions = [event.version for event in events if event.match_id == match.id]
        assert versions == (list(range(1, 7)) if match.tenant == TENANT else [])


async def test_seats_that_are_taken_or_freed_have_events(log: MoveLog, a_match: AMatch) -> None:
    await log.events.record(TENANT, {EventType.SEAT_JOINED, EventType.SEAT_LEFT})
    match = await log.create(a_match(), [SeatRecord(seat=0, state=SeatState.TAKEN, player="ann")])
    ruth = await log.lobby.claim(match.id, SeatWanted(seat=2, player="ruth"))
    await log.lobby.claim(match.id, SeatWanted(player="max"))
    await log.lobby.leave(match.id, 2, ruth.generation)
    await log.lobby.invite(match.id, 3, "eve", "")
    await log.lobby.leave(match.id, 3, None)  # nobody sat there
    assert [(event.type, event.seat, event.player) for event in await told(log, 3)] == [
        ("seat.joined", 2, "ruth"),
        ("seat.joined", 1, "max"),
        ("seat.left", 2, "ruth"),
    ]


async def test_quick_join_writes_events_of_the_match_it_makes_and_of_who_joins(
    log: MoveLog, a_match: AMatch
) -> None:
    await log.events.record(TENANT, EVERYTHING)
    otherwise = a_match(visibility=Visibility.PUBLIC)
    for player in ("ann", "ruth"):
        wanted = QuickJoin(tenant=TENANT, game="harbour", rules_versions=("1.0.0",), player=player)
        await log.lobby.quick_join(wanted, otherwise)
    assert [(event.type, event.seat, event.player) for event in await told(log, 3)] == [
        ("match.created", None, ""),
        ("seat.joined", 0, "ann"),
        ("seat.joined", 1, "ruth"),
    ]


async def test_a_start_with_those_who_are_there_has_an_event(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    await log.events.record(TENANT, {EventType.MATCH_STARTED, EventType.TURN_STARTED})
    rows = [SeatRecord(seat=seat, state=SeatState.TAKEN, joined_by=JoinedBy.JOIN) for seat in (0, 1)]
    match = await log.create(a_match(seats=4), rows)
    await log.lobby.start(after(a_move(match), to_act=(0,), turns=(0,)), 2)
    assert await feed(log, 2) == [("match.started", 1, None), ("turn.started", 1, 0)]


async def test_a_feed_is_read_in_pages(log: MoveLog, a_match: AMatch, moves: Moves) -> None:
    await log.events.record(TENANT, EVERYTHING)
    match = await log.create(a_match(), [])
    for append in moves(match, 5):
        await log.append(append)
    await told(log, 6)
    whole = await log.events.read(TENANT, limit=100)
    pages: list[FeedEvent] = []
    while page := await log.events.read(
        TENANT, after=pages[-1].position if pages else Position(0, 0), limit=2
    ):
        assert len(page) <= 2
        pages += page
    assert pages == whole
    assert len({row.event.id for row in pages}) == len(pages) == 6
