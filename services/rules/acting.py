"""Load, judge, append, answer: the path of every move, exactly once.

The order of checks: the request id first (a repeat gets its first answer even though its version is stale by
now), then the version, then the rules, then one append. Accepting may be optimistic, because the append
refuses a move that was judged on an old table. Refusing may not: a refusal is given only after a fresh look
at the log, since the move may have been accepted long ago through another replica.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID, uuid4

from engine.kernel import aborting
from engine.kernel.chance import SECRET_BYTES, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.forking import Fork
from engine.kernel.house import HouseEvent, HouseRequest, read_events, redact
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.replay import fold
from engine.kernel.requests import decide_request
from engine.kernel.seats import Seat, seat_audience
from services.movelog.chain import row_hash
from services.movelog.failures import LogUnavailable, NotAway, RequestIdTaken, StaleVersion, TimeIsUp
from services.movelog.records import Append, Move, Status
from services.rpc.refusals import Reason, Refused, rule_broken
from services.rules import forking, taking_back
from services.rules.tables import Table, Tables, fingerprint
from services.rules.timekeeping import refused, tick_of

MAX_TRIES: Final = 64
"""Of one move, when simultaneous decisions through other replicas keep taking its place; six seats need six."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """A move as asked for, read and validated, not yet judged."""

    seat: Seat | None
    """None for the start, and for what the tenant asks of the house."""
    body: Any
    """StartMatch, Fork, Resign, TimeOut, a HouseRequest, or an action of the game."""
    request_id: str
    """Empty: one is made up, and the request cannot be repeated safely."""
    expected_version: int | None
    """None: whatever the version is."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An accepted move."""

    match_id: UUID
    version: int
    events: tuple[Any, ...]
    """As the acting seat may see them."""
    to_act: tuple[int, ...]
    status: Status
    outcome: Outcome | None
    replayed: bool = False


async def act(
    tables: Tables,
    table: Table,
    request: Request,
    *,
    write: Callable[[Append], Awaitable[None]] | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Answer:
    """Make a move on a table the caller holds; Refused says why not. Durable when this returns.

    `write` takes the place of the log's own append, for the start.
    """
    body = encode(request.body)
    mark = fingerprint(request.seat, body)
    request_id = request.request_id or str(uuid4())
    fresh = False
    for _ in range(MAX_TRIES):
        if not fresh and (table.answered(request_id) is not None or isinstance(request.body, HouseRequest)):
            await tables.catch_up(table)  # both go back to earlier rows: these must be there still
            fresh = True
        if (earlier := table.answered(request_id)) is not None:
            return await _first_answer(tables, table, earlier, mark, request)
        try:
            check_version(table, request)
            judged_at = now()
            house, events = await _decide(tables, table, request, judged_at)
        except Refused:
            if fresh:
                raise
            await tables.catch_up(table)
            fresh = True
            continue
        if house is None:
            state = fold(table.game, events, table.state)
        else:
            state = await tables.state_of(table, table.course.turned(house))
        aborted = house is not None and aborting.is_abort(house)
        pending = aborting.pending(table.game, state, aborted=aborted)
        outcome = aborting.outcome(table.game, state, aborted=aborted)
        move = _row(table, request, request_id, body, encode(events), judged_at)
        append = Append(
            move=move,
            status=Status.RUNNING if outcome is None else Status.ENDED,
            to_act=tuple([one.seat for one in pending]),
            turns=_turns(table, pending),
            outcome=None if outcome is None else encode(outcome),
            tick=tick_of(table, request.seat, request.body, pending),
        )
        try:
            await (write or tables.log.append)(append)
        except (StaleVersion, RequestIdTaken):
            await _catch_up_after_refusal(tables, table)
            fresh = True
            continue
        except (TimeIsUp, NotAway) as refusal:
            raise refused(refusal, table) from None
        except LogUnavailable:
            tables.forget(table.match.id)  # the row may or may not be there
            raise
        table.advance_to(move, state, pending, house)
        return _answer(table, request.seat, events, table.version, append.to_act, append.status, outcome)
    raise Refused(Reason.VERSION_CONFLICT, "the match moved on too fast; look again and repeat")


async def _catch_up_after_refusal(tables: Tables, table: Table) -> None:
    """Read what stood in the way of an append. LogUnavailable where nothing does, or where the log went back behind the table.

    That happens where a replica took over which had not everything, or where a backup was put back: what this process
    remembers of the match is not so any more.
    """
    known = table.version
    await tables.catch_up(table)
    if table.version == known:
        tables.forget(table.match.id)
        raise LogUnavailable(f"match {table.match.id} is not at version {known} any more: it is read anew")


async def _decide(
    tables: Tables, table: Table, request: Request, judged_at: datetime
) -> tuple[tuple[HouseEvent, ...] | None, tuple[Any, ...]]:
    """Give the events; first those of the house, or None where a move counts."""
    if isinstance(request.body, HouseRequest):
        house = await taking_back.judge(tables, table, request.seat, request.body, judged_at)
        return house, house
    if isinstance(request.body, Fork):
        return None, await forking.deal(tables, table, request.body)
    return None, judge(table, request)


async def rehearse(tables: Tables, table: Table, request: Request) -> int:
    """Judge a move as `act` would and make nothing of it; give the version it could be made at.

    It is judged with luck of its own: whatever a game does with luck, the answer tells nothing of what would be drawn.
    """
    await tables.catch_up(table)
    if (earlier := table.answered(request.request_id)) is not None:
        _must_be_same(table, earlier[1], fingerprint(request.seat, encode(request.body)))
        return table.version
    check_version(table, request)
    judge(table, request, secret=os.urandom(SECRET_BYTES))
    return table.version


def check_version(table: Table, request: Request) -> None:
    """Refuse a move decided on another version, unless only secret simultaneous decisions lie between."""
    expected = request.expected_version
    if expected is None or expected == table.version:
        return
    if request.seat is not None and 0 < expected < table.version:
        if table.same_decision_since(request.seat, expected):
            return
        if not table.pending:
            return  # the match is over, and the rules say so better than a version
    raise Refused(
        Reason.VERSION_CONFLICT,
        f"the match is at version {table.version}, not {expected}",
        metadata={"current_version": table.version, "expected_version": expected},
    )


def judge(table: Table, request: Request, *, secret: bytes | None = None) -> tuple[Any, ...]:
    """Give the events of a move on the table as it stands; Refused with the broken rule.

    `secret` is where luck comes from instead of the match's own.
    """
    if request.seat is not None and table.version == 0:
        raise Refused(Reason.MATCH_NOT_STARTED, "the match waits for players")
    number = table.version + 1
    if table.course.first_house_row is not None:
        number = table.course.luck_number(request.seat, encode(request.body))
    chance = SeededChance(secret or table.match.secret, number)
    try:
        aborting.must_not_be_aborted(table.course)
        return decide_request(table.game, table.state, request.seat, request.body, chance)
    except RuleViolation as violation:
        raise rule_broken(violation, game=table.game.id) from violation


def _turns(table: Table, pending: Sequence[Pending]) -> tuple[int, ...]:
    """Give whose turn has come with a move: who has to act now and had not before."""
    before = {one.seat for one in table.pending}
    return tuple([one.seat for one in pending if one.seat not in before])


def _row(
    table: Table, request: Request, request_id: str, body: bytes, events: bytes, recorded_at: datetime
) -> Move:
    seq = table.version + 1
    digest = row_hash(
        table.match.secret,
        table.head,
        match_id=table.match.id,
        seq=seq,
        seat=request.seat,
        request_id=request_id,
        request=body,
        events=events,
        recorded_at=recorded_at,
    )
    return Move(
        match_id=table.match.id,
        seq=seq,
        seat=request.seat,
        request_id=request_id,
        request=body,
        events=events,
        previous_hash=table.head,
        hash=digest,
        recorded_at=recorded_at,
    )


async def _first_answer(
    tables: Tables, table: Table, earlier: tuple[int, bytes], mark: bytes, request: Request
) -> Answer:
    """Answer a repeat as it was answered first; refuse the same id with another content."""
    version, first_mark = earlier
    _must_be_same(table, first_mark, mark)
    (move,) = await tables.log.read(table.match.id, after=version - 1, limit=1)
    state = await tables.state_at(table, version)
    aborted = table.course.aborted == version
    outcome = aborting.outcome(table.game, state, aborted=aborted)
    return _answer(
        table,
        request.seat,
        read_events(table.game, move.events),
        version,
        tuple([one.seat for one in aborting.pending(table.game, state, aborted=aborted)]),
        Status.RUNNING if outcome is None else Status.ENDED,
        outcome,
        replayed=True,
    )


def _must_be_same(table: Table, first: bytes, now: bytes) -> None:
    if now != first:
        raise Refused(
            Reason.REQUEST_ID_REUSED,
            "this request id was used for another move of this match",
            metadata={"current_version": table.version},
        )


def _answer(
    table: Table,
    seat: Seat | None,
    events: tuple[Any, ...],
    version: int,
    to_act: tuple[int, ...],
    status: Status,
    outcome: Outcome | None,
    *,
    replayed: bool = False,
) -> Answer:
    if seat is not None:
        game, audience = table.game, seat_audience(seat)
        events = tuple([redact(game, event, audience) for event in events])
    return Answer(
        match_id=table.match.id,
        version=version,
        events=events,
        to_act=to_act,
        status=status,
        outcome=outcome,
        replayed=replayed,
    )
