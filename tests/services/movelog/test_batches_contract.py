"""Many matches at once, in every log: what one request stores, starts and reads is what the calls for one match would."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from services.movelog.batches import MatchNow, NewMatch
from services.movelog.clocks import Cause, Clock, ClockKind, Tick
from services.movelog.events import EventType
from services.movelog.log import MoveLog
from services.movelog.notes import MatchChange, Notes
from services.movelog.postgres.batches import AT_ONCE
from services.movelog.records import Append, Match, SeatRecord, SeatState, Status

AMatch = Callable[..., Match]
AMove = Callable[..., Append]

TENANT = "harbour-platform"
MINUTE = timedelta(minutes=1)
PER_MOVE = Clock(kind=ClockKind.PER_MOVE, time=MINUTE)
BUDGET = Clock(kind=ClockKind.BUDGET, time=10 * MINUTE, increment=MINUTE)


def taken(*players: str) -> tuple[SeatRecord, ...]:
    return tuple(
        SeatRecord(seat=seat, state=SeatState.TAKEN, player=player) for seat, player in enumerate(players)
    )


def referred(reference: str) -> Notes:
    return Notes(reference=reference, metadata=b'{"round":1}')


@pytest.fixture
def new(a_match: AMatch) -> Callable[..., NewMatch]:
    """A new match of two, whose seats are both taken."""

    def make(
        seats: tuple[SeatRecord, ...] | None = None, notes: Notes | None = None, **more: Any
    ) -> NewMatch:
        own = taken("ada", "bob") if seats is None else seats
        return NewMatch(match=a_match(**{"seats": 2} | more), seats=own, notes=notes or Notes())

    return make


ANew = Callable[..., NewMatch]


def ids(*new: NewMatch) -> set[UUID]:
    return {one.match.id for one in new}


async def stored(log: MoveLog, *new: NewMatch) -> set[UUID]:
    return set(await log.batches.read([one.match.id for one in new]))


# ── stored ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("all_or_none", [False, True])
async def test_new_matches_are_stored_as_one_by_one(log: MoveLog, new: ANew, all_or_none: bool) -> None:
    """More of them than one statement stores."""
    many = [new(request_id=f"r{number}", clock=BUDGET) for number in range(AT_ONCE)]
    noted = new(seats=(SeatRecord(seat=1, state=SeatState.INVITED, player="cleo"),), notes=referred("one"))
    single = new(seats=noted.seats, notes=referred("single"))

    assert await log.batches.create([*many, noted], all_or_none=all_or_none) == ids(*many, noted)
    await log.create(single.match, single.seats, notes=single.notes)

    assert await log.find(many[-1].match.id) == many[-1].match
    assert await log.find(noted.match.id) == noted.match
    assert await log.notes(noted.match.id) == noted.notes
    assert await log.lobby.seating(noted.match.id) == await log.lobby.seating(single.match.id)
    assert (await log.lobby.seating(many[0].match.id)).claims[1].player == "bob"


async def _same_request(log: MoveLog, new: ANew) -> NewMatch:
    await log.create(new(request_id="known").match, [])
    return new(request_id="known")


async def _same_reference(log: MoveLog, new: ANew) -> NewMatch:
    await log.create(new().match, [], notes=referred("known"))
    return new(notes=referred("known"))


async def _same_origin(log: MoveLog, new: ANew) -> NewMatch:
    before = await log.create(new().match, [])
    await log.create(new(rematch_of=before.id).match, [])
    return new(rematch_of=before.id)


CLASHES = pytest.mark.parametrize("clash", [_same_request, _same_reference, _same_origin])


@CLASHES
async def test_each_by_itself_leaves_out_what_was_there_before(log: MoveLog, new: ANew, clash: Any) -> None:
    late, first, last = await clash(log, new), new(), new()
    assert await log.batches.create([first, late, last], all_or_none=False) == ids(first, last)
    assert await stored(log, first, late, last) == ids(first, last)


@CLASHES
async def test_all_or_none_stores_none_if_one_was_there_before(log: MoveLog, new: ANew, clash: Any) -> None:
    late = await clash(log, new)
    many = [new(notes=referred(f"n{number}"), request_id=f"r{number}") for number in range(AT_ONCE + 1)]
    assert await log.batches.create([*many, late], all_or_none=True) == frozenset()
    assert await stored(log, *many, late) == set()
    assert await log.batches.requested(TENANT, ["r0", "r100"]) == {}
    assert await log.batches.create(many, all_or_none=True) == ids(*many), "and nothing of it is in the way"


@pytest.mark.parametrize(
    "alike",
    [{"request_id": "one"}, {"notes": referred("one")}, {"rematch_of": "an origin"}],
    ids=["request", "reference", "origin"],
)
async def test_of_two_alike_in_a_batch_the_first_is_stored(log: MoveLog, new: ANew, alike: Any) -> None:
    if "rematch_of" in alike:
        origin = new()
        await log.batches.create([origin], all_or_none=True)
        alike = {"rematch_of": origin.match.id}
    first, second, third = new(**alike), new(**alike), new()
    assert await log.batches.create([first, second, third], all_or_none=True) == frozenset()
    assert await log.batches.create([first, second, third], all_or_none=False) == ids(first, third)


async def test_another_tenant_s_matches_are_not_in_the_way(log: MoveLog, new: ANew) -> None:
    theirs = new(tenant="other", notes=referred("one"), request_id="one")
    ours = new(notes=referred("one"), request_id="one")
    assert await log.batches.create([theirs], all_or_none=True)
    assert await log.batches.create([ours], all_or_none=True) == ids(ours)
    assert await log.batches.requested(TENANT, ["one", "none"]) == {"one": ours.match.id}
    assert await log.batches.referred(TENANT, ["one", "none", ""]) == {"one": ours.match.id}


async def test_a_tenant_names_an_imported_match_by_the_id_it_came_with(log: MoveLog, new: ANew) -> None:
    known = new(original_id=uuid4(), notes=referred("one"))
    await log.batches.create([known], all_or_none=True)
    assert await log.batches.referred(TENANT, ["one"]) == {"one": known.match.original_id}


@pytest.mark.parametrize("all_or_none", [False, True])
async def test_what_no_log_could_hold_is_refused(log: MoveLog, new: ANew, all_or_none: bool) -> None:
    good = new()
    for wrong in (
        new(title="nul\0"),
        new(seats=taken("a", "b", "c")),
        new(tenant="another"),
        new(version=1),
    ):
        with pytest.raises(ValueError, match=r"text|seat|tenant|version"):
            await log.batches.create([good, wrong], all_or_none=all_or_none)
    assert await stored(log, good) == set()


@pytest.mark.parametrize("all_or_none", [False, True])
async def test_of_many_repeats_at_once_one_stores_each_match(
    log: MoveLog, new: ANew, all_or_none: bool
) -> None:
    """They name their references in another order, too."""
    batches = [
        [new(request_id=f"r{number}", notes=referred(f"n{number}")) for number in range(20)] for _ in range(8)
    ]
    turned = [batch if number % 2 else batch[::-1] for number, batch in enumerate(batches)]
    made = await asyncio.gather(*(log.batches.create(batch, all_or_none=all_or_none) for batch in turned))
    if all_or_none:
        assert sorted(map(len, made)) in ([0] * 8, [0] * 7 + [20])
    kept = await log.batches.requested(TENANT, [f"r{number}" for number in range(20)])
    assert set(kept.values()) == frozenset().union(*made)
    noted = await log.batches.referred(TENANT, [f"n{number}" for number in range(20)])
    assert sorted(noted.values()) == sorted(kept.values())


async def test_events_tell_of_new_matches_once_each(log: MoveLog, new: ANew) -> None:
    await log.events.record(TENANT, [EventType.MATCH_CREATED])
    await log.create(new(request_id="known").match, [])
    many = [new(), new(request_id="known"), new(tenant=TENANT)]
    created = await log.batches.create(many, all_or_none=False)
    await log.batches.create([new(tenant="quiet")], all_or_none=False)

    rows = await log.events.read(TENANT, limit=10)
    assert {row.event.match_id for row in rows[1:]} == created
    assert [(row.event.type, row.event.version, row.event.seat) for row in rows] == [
        ("match.created", 0, None)
    ] * 3
    assert rows[1].event.recorded_at in {one.match.created_at for one in many}


# ── started ────────────────────────────────────────────────────────────────────────────────────────


async def created(log: MoveLog, *new: NewMatch) -> list[Match]:
    assert await log.batches.create(new, all_or_none=True) == ids(*new)
    return [one.match for one in new]


def first_move(a_move: AMove, match: Match, **given: Any) -> Append:
    return replace(a_move(match, seat=None), **{"to_act": (0, 1), "turns": (0, 1), "revocations": 0} | given)


async def test_full_matches_begin_together(log: MoveLog, new: ANew, a_move: AMove) -> None:
    await log.events.record(TENANT, list(EventType))
    match, over = await created(log, new(), new())
    moves = [
        first_move(a_move, match),
        first_move(a_move, over, status=Status.ENDED, to_act=(), turns=(), outcome=b"{}"),
    ]
    assert await log.batches.start(moves) == {match.id, over.id}

    now = await log.batches.read([match.id, over.id])
    assert now[match.id].match == replace(
        match,
        status=Status.RUNNING,
        version=1,
        to_act=(0, 1),
        updated_at=moves[0].move.recorded_at,
    )
    assert (now[over.id].match.status, now[over.id].match.outcome) == (Status.ENDED, b"{}")
    assert await log.read(match.id) == [moves[0].move]
    told = [
        (row.event.type, row.event.seat)
        for row in await log.events.read(TENANT, limit=20)
        if row.event.match_id == match.id
    ]
    assert told == [
        ("match.created", None),
        ("match.started", None),
        ("turn.started", 0),
        ("turn.started", 1),
    ]


async def test_a_match_that_cannot_begin_is_left_out_and_the_others_begin(
    log: MoveLog, new: ANew, a_move: AMove
) -> None:
    full, open_, begun, left, revoked = await created(
        log, new(), new(seats=taken("ada")), new(), new(), new()
    )
    await log.lobby.start(a_move(begun), 2)
    await log.lobby.leave(left.id, 1, 0)
    await log.lobby.revoke(revoked.id, 1)
    unknown = first_move(a_move, new().match)
    known = [first_move(a_move, match) for match in (open_, begun, left, revoked, full)]
    assert await log.batches.start([*known, unknown]) == {full.id}
    now = await log.batches.read([open_.id, begun.id, left.id, revoked.id])
    assert [now[one.id].match.version for one in (open_, begun, left, revoked)] == [0, 1, 0, 0]
    assert await log.batches.start([first_move(a_move, revoked, revocations=1)]) == {revoked.id}


@pytest.mark.parametrize(
    "clock",
    [PER_MOVE, BUDGET, replace(BUDGET, remind_before=timedelta(seconds=1))],
    ids=["per move", "budget", "with a reminder"],
)
async def test_clocks_are_wound_as_by_a_start_alone(
    log: MoveLog, new: ANew, a_move: AMove, clock: Clock
) -> None:
    alone, first, second, without = await created(
        log, new(clock=clock), new(clock=clock), new(clock=clock), new()
    )
    tick = Tick(cause=Cause.MOVE, begun=(1,))
    timed = {"tick": tick, "to_act": (1,), "turns": (1,)}
    await log.lobby.start(first_move(a_move, alone, **timed), 2)
    together = [first_move(a_move, match, **timed) for match in (first, second)]
    assert await log.batches.start([*together, first_move(a_move, without)]) == {
        first.id,
        second.id,
        without.id,
    }
    expected = await log.clocks.of(alone.id)
    assert expected is not None
    for match in (first, second):
        found = await log.clocks.of(match.id)
        assert found is not None
        assert [(one.seat, round(one.left / timedelta(seconds=10))) for one in found.seats] == [
            (one.seat, round(one.left / timedelta(seconds=10))) for one in expected.seats
        ]
        assert [one.deadline is None for one in found.seats] == [True, False]
        assert [(one.time_outs, one.spent) for one in found.seats] == [(0, False)] * 2
        assert [one.remind_at is None for one in found.seats] == [True, clock.remind_before is None]
        assert [one.remind_at is None for one in expected.seats] == [True, clock.remind_before is None]
    assert await log.clocks.of(without.id) is None
    now = await log.batches.read([first.id, without.id])
    shown = now[first.id].clocks
    assert shown is not None
    assert (shown.version, [one.seat for one in shown.seats]) == (1, [0, 1])
    assert shown.seats[1].deadline == (await log.clocks.of(first.id)).seats[1].deadline  # type: ignore[union-attr]
    assert now[without.id].clocks is None


async def test_a_match_that_ends_with_its_start_has_no_clocks(log: MoveLog, new: ANew, a_move: AMove) -> None:
    (match,) = await created(log, new(clock=BUDGET))
    tick = Tick(cause=Cause.MOVE)
    ended = {"status": Status.ENDED, "to_act": (), "turns": (), "outcome": b"{}", "tick": tick}
    assert await log.batches.start([first_move(a_move, match, **ended)])
    assert await log.clocks.of(match.id) is None


async def test_many_who_start_the_same_matches_start_each_once(
    log: MoveLog, new: ANew, a_move: AMove
) -> None:
    many = await created(log, *(new() for _ in range(30)))
    begun = await asyncio.gather(
        *(
            log.batches.start([first_move(a_move, match) for match in order])
            for order in (many, many[::-1], many[10:], many[:20])
        )
    )
    assert sum(map(len, begun)) == len(many)
    assert all([len(await log.read(match.id)) == 1 for match in many])


async def test_whoever_has_subscribed_hears_of_the_start(log: MoveLog, new: ANew, a_move: AMove) -> None:
    heard: list[tuple[UUID | None, bool]] = []
    forget = log.subscribe_to_all(lambda match_id, reseated: heard.append((match_id, reseated)))
    match, waiting = await created(log, new(), new(seats=()))
    assert {(match.id, True), (waiting.id, True)} <= set(heard)
    heard.clear()
    await log.batches.start([first_move(a_move, match), first_move(a_move, waiting)])
    assert (match.id, True) in heard
    assert (waiting.id, True) not in heard
    forget()


# ── read ───────────────────────────────────────────────────────────────────────────────────────────


async def test_matches_are_read_as_they_are_now(log: MoveLog, new: ANew, a_move: AMove) -> None:
    running, waiting, hidden = await created(
        log, new(notes=referred("one")), new(seats=()), new(title="Friday")
    )
    await log.lobby.start(a_move(running), 2)
    await log.lobby.revoke(running.id, 0)
    await log.change(hidden.id, MatchChange(title="Saturday", metadata=b'{"moved":true}'))
    await log.lobby.revoke_watchers(waiting.id)

    every = [running.id, waiting.id, hidden.id]
    assert await log.batches.read([*every, uuid4()]) == {
        one: MatchNow(
            match=await log.find(one), seating=await log.lobby.seating(one), notes=await log.notes(one)
        )
        for one in every
    }
    assert await log.batches.read([]) == {}
