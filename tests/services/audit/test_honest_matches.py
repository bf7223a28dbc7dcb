"""An audit finds nothing in matches that were played, whatever happened in them, and while they are being played."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from msgspec.structs import replace

from engine.match.commands import (
    AddTime,
    AnswerPause,
    AnswerReplacement,
    AskToReplace,
    BeginVacation,
    EndVacation,
    MatchCommand,
    Pause,
    Resume,
)
from services.audit import pieces, reading
from services.audit.auditing import audit_piece
from services.movelog.clocks import AbsentRule, Clock, ClockKind
from services.movelog.players import Replacement
from services.movelog.records import Status
from services.rules.history.importing import Imported, Importer
from services.rules.sweeps.sweeping import Sweeper
from tests.support.auditing import audit
from tests.support.match_documents import a_match, document_of
from tests.support.played_matches import CLOCKS, GAMES_IN_TURN, TENANT, Playing, played, some_of_everything

A_MOMENT = timedelta(milliseconds=20)


@pytest.mark.slow
async def test_matches_of_every_kind_and_every_game(database_url: str) -> None:
    matches = await played(database_url, lambda playing: some_of_everything(playing, moves=51))
    tally = await asyncio.to_thread(audit, database_url)
    assert [str(one) for one in tally.findings] == []
    assert tally.matches == matches
    assert tally.undecided == {}
    assert min(tally.rows[table] for table in ("moves", "clocks", "snapshots", "events")) > 0


async def test_a_match_that_was_imported(database_url: str) -> None:
    """Its rows are hashed with the id it came with, and stored under another one."""
    document = document_of(*a_match(moves=12, match_id=uuid4()), "Ada", "Bo")

    async def take_in(playing: Playing) -> Imported:
        return await Importer(playing.log).import_match(TENANT, document)

    imported = await played(database_url, take_in)
    assert imported.match.id != imported.match.known_as
    tally = await asyncio.to_thread(audit, database_url)
    assert [str(one) for one in tally.findings] == []
    assert (tally.matches, tally.draws > 0) == (1, True)


@pytest.mark.parametrize("absent", [AbsentRule.POLICY, AbsentRule.FORFEIT])
async def test_seats_that_were_timed_out(database_url: str, absent: AbsentRule) -> None:
    """Time-outs of a match that nobody plays, by the sweeper, with the clocks running on. A forfeit of all ends it."""

    async def nobody_plays(playing: Playing) -> None:
        clock = Clock(kind=ClockKind.PER_MOVE, time=A_MOMENT, absent=absent, away_after=3)
        match = await playing.match(1, 0, ends=False, seats=6, clock=clock)
        sweeper = Sweeper(playing.tables, GAMES_IN_TURN, poll_seconds=0.01)
        task = asyncio.create_task(sweeper.run())
        try:
            async with playing.log.subscribe_to_match(match.id) as wakeups:
                while True:
                    now = await playing.log.find(match.id)
                    if now.version >= 5 or now.status is Status.ENDED:
                        break
                    await wakeups.wait(0.1)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    await played(database_url, nobody_plays)
    tally = await asyncio.to_thread(audit, database_url)
    assert [str(one) for one in tally.findings] == []
    assert tally.rows["moves"] >= (2 if absent is AbsentRule.FORFEIT else 5)


@pytest.mark.parametrize("clock", [None, *CLOCKS[1::2]], ids=["no clock", "per move", "budget"])
@pytest.mark.parametrize("how_far", range(1, 10))
async def test_pauses_vacations_and_added_time(database_url: str, clock: Clock | None, how_far: int) -> None:
    """After any of these requests; the events of pauses are among those that are recorded."""
    requests: list[tuple[int | None, MatchCommand]] = [
        (0, Pause()),
        (1, AnswerPause(accept=True)),
        (1, Resume()),
        (0, BeginVacation()),
        (None, Pause()),
        (0, EndVacation()),
        (None, Resume()),
        (1, BeginVacation()),
        (None, AddTime(seats=(0, 1), seconds=100)),
    ]

    async def weeks(playing: Playing) -> None:
        match = await playing.match(1, 3, ends=False, seats=2, clock=clock)
        for seat, command in requests[:how_far]:
            if clock is not None or not isinstance(command, AddTime):
                await playing.ask(match, seat, command)
        if how_far in {4, 9}:
            await playing.go_on(match, 6)
        await playing.log.clocks.remind(limit=10)

    await played(database_url, weeks)
    tally = await asyncio.to_thread(audit, database_url)
    assert [str(one) for one in tally.findings] == []
    assert tally.rows["events"] > how_far


@pytest.mark.parametrize("ends", [False, True])
async def test_players_who_were_replaced(database_url: str, ends: bool) -> None:
    """Twice at one version, and again later, the table asked or not; the events of it belong to no move."""

    async def others_come(playing: Playing) -> None:
        match = await playing.match(1, 4, ends=False, seats=3, clock=CLOCKS[1])
        for seat, player in ((1, "cleo"), (1, "dora"), (2, "eli")):
            if player != "dora":
                await playing.ask(match, seat, AskToReplace())
                for one in (one for one in range(3) if one != seat):
                    await playing.ask(match, one, AnswerReplacement(accept=one == 0 or ends))
            version = (await playing.log.find(match.id)).version
            wanted = Replacement(tenant=TENANT, seat=seat, version=version, player=player)
            await playing.log.players.replace(match.id, wanted)
            if player != "cleo":
                await playing.go_on(match, 3)
        if ends:
            await playing.end(match)

    await played(database_url, others_come)
    tally = await asyncio.to_thread(audit, database_url)
    assert [str(one) for one in tally.findings] == []
    with psycopg.connect(database_url) as connection:
        told = connection.execute(
            "SELECT player, replaced FROM events WHERE type = 'seat.replaced' ORDER BY number"
        )
        assert told.fetchall() == [("cleo", "player-1"), ("dora", "cleo"), ("eli", "player-2")]


async def test_matches_that_go_on_meanwhile(database_url: str) -> None:
    """Each stretch is seen as it stood at one moment."""

    async def play_and_audit(playing: Playing) -> list[Any]:
        going_on = asyncio.gather(*[playing.match(number, 15, ends=True) for number in range(1, 19, 3)])
        found = []
        while not going_on.done():
            found += (await asyncio.to_thread(audit, database_url)).findings
            await asyncio.sleep(0)
        await going_on
        return found

    assert [str(one) for one in await played(database_url, play_and_audit)] == []


async def test_a_match_that_was_taken_in(database_url: str) -> None:
    match, rows = a_match(game_id="al_rashid", moves=20)

    async def take_in(playing: Playing) -> bool:
        seats = await _seats(playing, match.seats)
        return await playing.log.import_match(replace(match, tenant=TENANT), seats, rows)

    assert await played(database_url, take_in)
    assert [str(one) for one in audit(database_url).findings] == []


async def _seats(playing: Playing, number: int) -> Any:
    made = await playing.match(1, 1, ends=False, seats=number)
    return (await playing.log.lobby.seating(made.id)).seats


async def test_it_does_not_matter_where_stretches_and_pages_are_cut(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def three(playing: Playing) -> None:
        for number in range(3):
            await playing.match(number, 6, ends=True)

    await played(database_url, three)
    whole = audit(database_url)
    assert [str(one) for one in whole.findings] == []
    for size in (1, 2, 3):
        monkeypatch.setattr(pieces, "MAX_EVENTS", size * 3)
        cut = audit(database_url, size=size)
        assert [str(one) for one in cut.findings] == []
        assert (cut.rows, cut.draws) == (whole.rows, whole.draws)


async def test_what_a_tenant_did_not_want_for_a_while_is_only_doubtful(database_url: str) -> None:
    """A feed that was switched off and on again leaves the moves between untold; one missing event among others is no such thing."""
    await played(database_url, lambda playing: playing.match(1, 20, ends=False))
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("DELETE FROM events WHERE version BETWEEN 8 AND 10")
    tally = audit(database_url)
    assert tally.wrong == 0
    assert tally.doubtful > 0
    assert all("unless the tenant wanted none for a while" in str(one) for one in tally.findings)


async def test_rules_that_are_not_here_are_said_to_be_undecided(database_url: str) -> None:
    """A newer release may play by them, beside this one."""
    await played(database_url, lambda playing: playing.waiting(1))
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("UPDATE matches SET rules_version = '9.9.9'")
    tally = audit(database_url)
    assert (tally.wrong, sum(tally.undecided.values())) == (0, 1)


async def test_only_what_was_asked_for_is_audited(database_url: str) -> None:
    async def three(playing: Playing) -> list[Any]:
        return [await playing.match(number, 3, ends=False) for number in range(3)]

    made = await played(database_url, three)

    def matches(**wanted: Any) -> int:
        found = pieces.pieces(reading.Wanted(url=database_url, **wanted))
        return sum(audit_piece(one).matches for one in found)

    assert matches() == 3
    assert matches(match=made[1].id) == 1
    assert matches(game="al_rashid") == 1
    assert matches(since=made[2].updated_at) == 1
