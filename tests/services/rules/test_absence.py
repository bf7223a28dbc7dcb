"""Players who are not there: seats that run out in the same instant, tables that everybody has left, and who comes back."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from msgspec import json
from msgspec.structs import replace

from engine.kernel.seats import Seat
from engine.match.absence import is_time_out
from engine.match.commands import ReturnToSeat
from engine.registry import game as registered_game
from services.movelog.clocks import AbsentRule, Clock, ClockKind, SeatClock
from services.movelog.downtimes import Downtime
from services.movelog.export.verification import verify_match
from services.movelog.records import JoinedBy, MatchSettings, SeatRecord, SeatState, Status
from services.rules.match.appending import Request
from services.rules.match.match_cache import MatchCache
from services.rules.match.seating import NewMatch, create
from services.rules.match.starting import start_when_full
from services.rules.seats.bot_seats import stand_in
from services.rules.sweeps.sweeping import Sweeper
from tests.support.asked_rows import carry_out
from tests.support.memory_log.log import MemoryLog

GAME: Final = registered_game("river_dragons")
PROGRAM: Final = GAME.action_codec.decode(
    b'{"type":"submit_program","cards":["stone1","stone2","plank1","move1","jump"]}'
)
HOUR: Final = timedelta(hours=1)
SECOND: Final = timedelta(seconds=1)
PER_MOVE: Final = Clock(kind=ClockKind.PER_MOVE, time=HOUR)
EVERY_CLOCK: Final = pytest.mark.parametrize(
    "clock",
    [
        PER_MOVE,
        replace(PER_MOVE, away_after=1),
        Clock(kind=ClockKind.BUDGET, time=HOUR),
        Clock(kind=ClockKind.BUDGET, time=HOUR, increment=timedelta(minutes=1)),
        Clock(kind=ClockKind.BUDGET, time=HOUR, away_after=1),
    ],
    ids=["per move", "soon away", "budget", "budget and increment", "budget, soon away"],
)


class Table:
    """A match with a clock, and a sweeper that looks when the test says so."""

    def __init__(self) -> None:
        self.log = MemoryLog()
        self.cache = MatchCache(self.log, {GAME.id: GAME}.get)
        self.sweeper = Sweeper(self.cache, (GAME,), hand_over=stand_in)

    async def begin(self, clock: Clock, seats: int = 2, bots: int = 0) -> None:
        plan = [
            SeatRecord(
                seat=seat,
                state=SeatState.TAKEN,
                bot="random" if seat >= seats - bots else "",
                joined_by=JoinedBy.BOT if seat >= seats - bots else JoinedBy.CREATED,
            )
            for seat in range(seats)
        ]
        options = GAME.options_codec.decode(b'{"round_limit":3}')
        settings = MatchSettings(clock=clock)
        new = NewMatch(tenant="t", game=GAME, seats=seats, options=options, plan=plan, settings=settings)
        self.id = (await create(self.log, new)).id
        async with self.cache.hold(self.id) as loaded:
            await self.cache.check_seating(loaded)
            await start_when_full(self.cache, loaded)

    @property
    def clocks(self) -> tuple[SeatClock, ...]:
        return self.log._shelf.stored(self.id).clocks

    def let_pass(self, time: timedelta, *seats: int) -> None:
        """Let time go by for some seats, or for all."""
        self.log._shelf.stored(self.id).clocks = tuple(
            replace(one, deadline=one.deadline - time)
            if one.deadline is not None and one.seat in (seats or range(9))
            else one
            for one in self.clocks
        )

    async def look(self) -> None:
        """Let the sweeper look until there is nothing to be done."""
        for _ in range(50):
            if await self.sweeper.sweep() > 0:
                return
        raise AssertionError("the sweeper decides without end")

    async def ask(self, seat: int | None, body: Any) -> int:
        async with self.cache.hold(self.id) as loaded:
            await self.cache.catch_up(loaded)
            request = Request(
                seat=None if seat is None else Seat(seat),
                body=body,
                request_id="",
                expected_version=loaded.version,
            )
            return (await carry_out(self.cache, loaded, request)).version

    async def act(self, seat: int) -> None:
        """Make the default action of a seat, as its player or bot."""
        async with self.cache.hold(self.id) as loaded:
            await self.cache.catch_up(loaded)
            body = GAME.policy(loaded.state, Seat(seat))
        await self.ask(seat, body)

    async def bots_act(self) -> None:
        """Let every bot move that has to."""
        while True:
            match = await self.log.find(self.id)
            seats = (await self.log.lobby.seating(self.id)).seats
            waiting = [seat for seat in match.to_act if seats[seat].bot]
            if not waiting:
                return
            await self.act(waiting[0])

    async def version(self) -> int:
        return (await self.log.find(self.id)).version

    async def outcome(self) -> Any:
        match = await self.log.find(self.id)
        return None if match.outcome is None else json.decode(match.outcome)

    async def must_be_sound(self) -> None:
        """Check the log against the rules."""
        found = verify_match(await self.log.find(self.id), await self.log.read(self.id))
        assert (found.ok, found.difference) == (True, "")


@pytest.fixture
def table() -> Table:
    return Table()


FORFEIT: Final = replace(PER_MOVE, absent=AbsentRule.FORFEIT)


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_if_the_time_of_all_is_up_in_the_same_instant_nobody_wins(table: Table, seats: int) -> None:
    await table.begin(FORFEIT, seats)
    table.let_pass(2 * HOUR)
    await table.look()
    outcome = await table.outcome()
    assert (outcome["reason"], outcome["winners"], outcome["results"]) == ("ABORTED", [], [])
    assert json.decode((await table.log.read(table.id))[-1].events) == [
        {"type": "match_aborted", "by": "absence", "seat": None}
    ]
    await table.must_be_sound()


@pytest.mark.parametrize(("first", "then"), [(0, 1), (1, 0)])
async def test_a_sweeper_that_is_late_decides_as_one_in_time_would_have(
    table: Table, first: int, then: int
) -> None:
    """One microsecond tells them apart, whichever seat it is."""
    await table.begin(FORFEIT)
    table.let_pass(2 * HOUR)
    table.let_pass(timedelta(microseconds=1), first)
    await table.look()
    assert (await table.outcome())["winners"] == [then]


@pytest.mark.parametrize("present", [0, 1, 2])
async def test_two_who_run_out_together_both_leave_and_the_third_wins(table: Table, present: int) -> None:
    await table.begin(FORFEIT, 3)
    await table.act(present)
    table.let_pass(2 * HOUR)
    await table.look()
    assert (await table.outcome())["winners"] == [present]
    assert sum(is_time_out(row.request) for row in await table.log.read(table.id)) == 2


async def test_of_two_who_run_out_later_than_a_third_nobody_wins(table: Table) -> None:
    await table.begin(FORFEIT, 3)
    table.let_pass(2 * HOUR)
    table.let_pass(SECOND, 1)
    await table.look()
    assert (await table.outcome())["reason"] == "ABORTED"
    assert sum(is_time_out(row.request) for row in await table.log.read(table.id)) == 1


async def test_two_who_run_out_together_are_both_decided_for(table: Table) -> None:
    await table.begin(PER_MOVE)
    table.let_pass(2 * HOUR)
    await table.look()
    assert [one.time_outs for one in table.clocks] == [1, 1]


@pytest.mark.parametrize(("late", "handed"), [((0, 1), []), ((0,), [0]), ((1,), [1])])
async def test_bots_play_for_the_late_only_while_somebody_is_there(
    table: Table, late: tuple[int, ...], handed: list[int]
) -> None:
    await table.begin(replace(PER_MOVE, absent=AbsentRule.BOT))
    table.let_pass(2 * HOUR, *late)
    await table.look()
    seats = (await table.log.lobby.seating(table.id)).seats
    assert [seat.seat for seat in seats if seat.bot] == handed


async def test_two_absent_players_of_a_match_with_stand_ins_find_it_again(table: Table) -> None:
    """The first is replaced while the second is there; then the bot must not finish the match with nobody."""
    await table.begin(replace(PER_MOVE, absent=AbsentRule.BOT))
    table.let_pass(2 * HOUR, 0)
    await table.look()
    for _ in range(6):
        await table.bots_act()
        version = await table.version()
        await table.look()
        assert await table.version() == version, "nothing is decided before its time"
        table.let_pass(2 * HOUR)
        await table.look()
    assert [bool(seat.bot) for seat in (await table.log.lobby.seating(table.id)).seats] == [True, False]
    assert await table.ask(1, ReturnToSeat()) > 0


@EVERY_CLOCK
@pytest.mark.parametrize("seats", [2, 3])
async def test_a_table_that_everybody_has_left_goes_on_one_decision_for_a_deadline(
    table: Table, clock: Clock, seats: int
) -> None:
    await table.begin(clock, seats)
    while any(one.time_outs < clock.away_after for one in table.clocks):
        table.let_pass(2 * HOUR)
        await table.look()
        assert await table.outcome() is None
    for _ in range(5):
        version = await table.version()
        await table.look()
        assert await table.version() == version, "nothing is decided before its time"
        assert all(one.deadline is None or one.deadline > datetime.now(UTC) for one in table.clocks)
        table.let_pass(2 * HOUR)
        await table.look()
        assert version < await table.version() <= version + seats
    for seat in range(seats):
        assert await table.ask(seat, ReturnToSeat()) == await table.version(), "everybody may come back"
    assert all(one.time_outs == 0 for one in table.clocks)


@EVERY_CLOCK
async def test_who_comes_back_to_an_empty_table_decides_again(table: Table, clock: Clock) -> None:
    await table.begin(clock)
    while any(one.time_outs < clock.away_after for one in table.clocks):
        table.let_pass(2 * HOUR)
        await table.look()
    (acting, *_) = (await table.log.find(table.id)).to_act
    await table.ask(acting, ReturnToSeat())
    await table.look()
    assert table.clocks[acting].time_outs == 0, "it has time of its own, whatever is left of its budget"
    await table.act(acting)
    assert table.clocks[acting].time_outs == 0


@EVERY_CLOCK
async def test_a_present_player_who_waits_is_not_kept_waiting(table: Table, clock: Clock) -> None:
    """Seat 1 has programmed and waits; seat 0 is away: it is decided for at once."""
    await table.begin(clock)
    for _ in range(clock.away_after):
        await table.act(1)
        table.let_pass(2 * HOUR, 0)
        await table.look()
        while (
            1 in (await table.log.find(table.id)).to_act and 0 not in (await table.log.find(table.id)).to_act
        ):
            await table.act(1)
        while (await table.log.find(table.id)).to_act == (0,):
            table.let_pass(2 * HOUR, 0)
            await table.look()
    assert table.clocks[0].time_outs >= clock.away_after
    for _ in range(3):
        while 1 in (await table.log.find(table.id)).to_act:
            await table.act(1)
        await table.look()
        assert 1 in (await table.log.find(table.id)).to_act or await table.outcome(), "seat 1 is to act again"


async def test_while_all_who_are_there_program_too_nobody_hurries_who_is_away(table: Table) -> None:
    """Both program at the same time. Only when the present one has done so, it waits."""
    await table.begin(replace(PER_MOVE, away_after=1))
    table.let_pass(2 * HOUR, 0)
    await table.look()
    while (await table.log.find(table.id)).to_act != (0, 1):
        (seat, *_) = (await table.log.find(table.id)).to_act
        if seat == 1:
            await table.act(1)
        else:
            await table.look()
    version = await table.version()
    await table.look()
    assert await table.version() == version, "it may still come back and program"
    await table.act(1)
    await table.look()
    assert await table.version() > version + 1


async def test_bots_are_nobody_who_waits(table: Table) -> None:
    await table.begin(PER_MOVE, 3, bots=2)
    for _ in range(8):
        await table.bots_act()
        version = await table.version()
        await table.look()
        assert await table.version() == version
        table.let_pass(2 * HOUR, 0)
        await table.look()
    assert table.clocks[0].time_outs == 8
    assert await table.outcome() is None


@pytest.mark.parametrize("bots", [0, 1])
@EVERY_CLOCK
async def test_after_a_while_a_match_that_everybody_has_left_is_aborted(
    table: Table, clock: Clock, bots: int
) -> None:
    await table.begin(replace(clock, asked_abandoned_after=timedelta(milliseconds=1)), 3, bots=bots)
    await asyncio.sleep(0.002)
    for _ in range(30):
        await table.bots_act()
        if await table.outcome():
            break
        is_everybody_away = all(one.time_outs >= clock.away_after for one in table.clocks[: 3 - bots])
        table.let_pass(2 * HOUR)
        await table.look()
        assert bool(await table.outcome()) or not is_everybody_away
    outcome = await table.outcome()
    assert (outcome["reason"], outcome["winners"]) == ("ABORTED", [])
    await table.must_be_sound()


async def test_a_match_is_not_aborted_while_somebody_plays_it(table: Table) -> None:
    await table.begin(replace(PER_MOVE, asked_abandoned_after=timedelta(milliseconds=1)))
    for _ in range(12):
        await asyncio.sleep(0.002)
        to_act = (await table.log.find(table.id)).to_act
        if 1 in to_act:
            await table.act(1)
        else:
            table.let_pass(2 * HOUR, 0)
            await table.look()
    assert table.clocks[0].time_outs >= 2
    assert await table.outcome() is None


async def test_a_time_in_which_nobody_could_come_back_does_not_count(table: Table) -> None:
    await table.begin(replace(PER_MOVE, asked_abandoned_after=HOUR, away_after=1))
    stored = table.log._shelf.stored(table.id)
    begun = stored.moves[0].recorded_at
    async with table.cache.hold(table.id) as loaded:
        loaded.attended_at = begun - 2 * HOUR
    rules = {"game": GAME.id, "rules_version": stored.match.rules_version}
    down = Downtime(**rules, since=begun - 90 * 60 * SECOND, until=begun - 1 * SECOND)
    table.cache.downtimes.add([down])
    for _ in range(3):
        table.let_pass(2 * HOUR)
        await table.look()
    assert await table.outcome() is None
    async with table.cache.hold(table.id) as loaded:
        loaded.attended_at = begun - 3 * HOUR
    table.let_pass(2 * HOUR)
    await table.look()
    assert (await table.outcome())["reason"] == "ABORTED"


@pytest.mark.parametrize(
    ("time", "asked", "expected"),
    [
        (20 * SECOND, None, timedelta(days=3)),
        (timedelta(days=3), None, timedelta(days=15)),
        (20 * SECOND, HOUR, HOUR),
    ],
)
def test_by_default_it_is_some_days_or_some_decisions(
    time: timedelta, asked: timedelta | None, expected: timedelta
) -> None:
    assert Clock(kind=ClockKind.PER_MOVE, time=time, asked_abandoned_after=asked).abandoned_after == expected


async def test_the_last_decision_of_a_match_that_somebody_plays_still_counts(table: Table) -> None:
    """The present one is not robbed of the end of the match."""
    await table.begin(replace(PER_MOVE, away_after=1))
    for _ in range(400):
        if await table.outcome():
            break
        to_act = (await table.log.find(table.id)).to_act
        if 1 in to_act:
            await table.act(1)
        else:
            table.let_pass(2 * HOUR, 0)
            await table.look()
    assert (await table.outcome())["reason"] != "ABORTED"
    assert (await table.log.find(table.id)).status is Status.ENDED
