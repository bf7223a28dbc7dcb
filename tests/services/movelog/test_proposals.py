"""Open proposals in Postgres: each is settled once, by whoever comes first, and counts only at the version it was written for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from services.movelog.events import EventType
from services.movelog.postgres.log import PostgresLog
from services.movelog.proposals import ProposalChange, ProposalKind, Result, TodoKind
from services.movelog.records import Append, Match, SeatRecord, SeatState

AMatch = Callable[..., Match]
Moves = Callable[[Match, int], list[Append]]
CONSENTS = {EventType.CONSENT_ASKED, EventType.CONSENT_SETTLED}


async def proposed(
    log: PostgresLog, match: Match, rows: list[Append], *, late: bool = False
) -> ProposalChange:
    """Store a match whose second row is a proposal of seat 0, which seats 1 to 3 have to answer."""
    seats = [SeatRecord(seat=seat, state=SeatState.TAKEN, player=f"p{seat}") for seat in range(4)]
    await log.events.record(match.tenant, CONSENTS)
    await log.create(match, seats)
    await log.append(rows[0])
    change = ProposalChange(
        version=2,
        kind=ProposalKind.ABORT,
        seat=0,
        asked=(1, 2, 3),
        is_new=True,
        expires_at=datetime.now(UTC) + timedelta(hours=-1 if late else 1),
    )
    await log.append(replace(rows[1], proposal=change))
    return change


async def told(log: PostgresLog, match: Match, count: int) -> list[tuple[str, int | None, str, str]]:
    """Return the events of consent, once there are so many."""
    for _ in range(200):
        found = [one.event for one in await log.events.read(match.tenant, limit=100)]
        if len(found) >= count:
            break
        await asyncio.sleep(0.05)
    return [(one.type, one.seat, one.proposal, one.result) for one in found]


ASKED = [("consent.asked", seat, "abort", "") for seat in (1, 2, 3)]


async def test_seats_that_are_asked_have_something_to_do_until_they_answer(
    postgres_log: PostgresLog, a_match: AMatch, moves: Moves
) -> None:
    match = a_match()
    rows = moves(match, 4)
    change = await proposed(postgres_log, match, rows)
    todos = (await postgres_log.lobby.seating(match.id)).todos
    assert [(one.kind, one.seat, one.player) for one in todos] == [
        (TodoKind.ANSWER_ABORT, seat, f"p{seat}") for seat in (1, 2, 3)
    ]
    assert {one.deadline for one in todos} == {change.expires_at}
    await postgres_log.append(replace(rows[2], proposal=replace(change, asked=(1, 3), is_new=False)))
    assert [one.seat for one in (await postgres_log.lobby.seating(match.id)).todos] == [1, 3]
    await postgres_log.append(replace(rows[3], proposal=ProposalChange(result=Result.REFUSED)))
    assert (await postgres_log.lobby.seating(match.id)).todos == ()
    assert await told(postgres_log, match, 4) == [*ASKED, ("consent.settled", 0, "abort", "refused")]


async def test_a_move_of_a_process_that_knows_of_no_proposals_closes_it(
    postgres_log: PostgresLog, a_match: AMatch, moves: Moves
) -> None:
    """As one of the previous release: the row that stays says nothing any more."""
    match = a_match()
    rows = moves(match, 3)
    await proposed(postgres_log, match, rows)
    await postgres_log.append(rows[2])
    assert (await postgres_log.lobby.seating(match.id)).todos == ()


async def test_of_many_who_find_a_proposal_late_one_settles_it(
    postgres_log: PostgresLog, a_match: AMatch, moves: Moves
) -> None:
    match = a_match()
    rows = moves(match, 3)
    await proposed(postgres_log, match, rows, late=True)
    assert (await postgres_log.lobby.seating(match.id)).todos == (), "nobody has to sweep first"
    swept = await asyncio.gather(
        *(postgres_log.proposals.expire(limit=10) for _ in range(6)),
        postgres_log.append(replace(rows[2], proposal=ProposalChange(result=Result.MOVED))),
    )
    assert sum(one for one in swept if one is not None) <= 1
    assert await told(postgres_log, match, 4) == [*ASKED, ("consent.settled", 0, "abort", "expired")]
    await asyncio.sleep(0.3)
    assert len(await told(postgres_log, match, 4)) == 4


async def test_a_refused_row_changes_no_proposal(
    postgres_log: PostgresLog, a_match: AMatch, moves: Moves
) -> None:
    match = a_match()
    rows = moves(match, 3)
    change = await proposed(postgres_log, match, rows)
    answers = [
        replace(
            rows[2],
            move=replace(rows[2].move, request_id=f"a{n}"),
            proposal=ProposalChange(result=Result.REFUSED),
        )
        for n in range(4)
    ]
    done = await asyncio.gather(*map(postgres_log.append, answers), return_exceptions=True)
    assert done.count(None) == 1
    assert change.version == 2
    assert await told(postgres_log, match, 4) == [*ASKED, ("consent.settled", 0, "abort", "refused")]
