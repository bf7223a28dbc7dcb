"""What every row of a match goes through, move or command: the request id, the version, building the row, one append.

moves.py and commands.py decide what a row contains. If an append loses the race for its version, this module finds out why.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

import msgspec

from engine.kernel.codec import encode
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.seats import Seat, seat_audience
from engine.match import aborting
from engine.match.commands import MatchEvent, read_events, redact
from services.identity.callers import Caller
from services.movelog.chain import row_hash
from services.movelog.failures import (
    LogError,
    LogUnavailable,
    NotAway,
    RequestIdTaken,
    StaleVersion,
    TimeIsUp,
    TokensRevoked,
)
from services.movelog.records import Append, Move, Status, TokenUse
from services.process.reasons import Reason
from services.rpc.refusals import Refused
from services.rules.match.loaded_match import LoadedMatch, fingerprint
from services.rules.match.match_cache import MatchCache
from services.rules.match.proposals import change_of
from services.rules.match.timekeeping import refused, tick_of
from services.rules.match.token_use import look_again

MAX_TRIES: Final = 64
"""Attempts to append one row while simultaneous decisions through other replicas keep taking its version; six seats need six."""

Write = Callable[[Append], Awaitable[None]]
"""Replaces the log's own append, for the start."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A requested row, parsed and validated but not yet judged."""

    seat: Seat | None
    """None for the start, and for a tenant's request."""
    body: Any
    """For moves.py StartMatch, Resign, TimeOut, or an action of the game; for commands.py Fork or a MatchCommand."""
    request_id: str
    """Empty: one is generated, and the request cannot be repeated safely."""
    expected_version: int | None
    """None: any version."""
    caller: Caller | None = None
    """The caller whose token must not have been revoked when the row is written; None: nobody's."""


class AcceptedRow(msgspec.Struct, frozen=True, kw_only=True):
    """An accepted row."""

    match_id: UUID
    version: int
    events: tuple[Any, ...]
    """The events as the acting seat may see them."""
    to_act: tuple[int, ...]
    status: Status
    outcome: Outcome | None
    replayed: bool = False


class Decided(NamedTuple):
    """The content of a row, and the match's state after it."""

    events: tuple[Any, ...]
    state: Any
    pending: tuple[Pending, ...]
    outcome: Outcome | None
    judged_at: datetime
    match_events: tuple[MatchEvent, ...] | None = None
    """The same events, if they are the server's and not the game's."""


def now_utc() -> datetime:
    """Return the time at which rows are judged and recorded."""
    return datetime.now(UTC)


def request_id_of(request: Request) -> str:
    """Return the request id that a row is written with."""
    return request.request_id or str(uuid4())


def check_version(loaded: LoadedMatch, request: Request) -> None:
    """Refuse a request decided on another version, unless only secret simultaneous decisions were made since."""
    expected = request.expected_version
    if expected is None or expected == loaded.version:
        return
    if request.seat is not None and 0 < expected < loaded.version:
        if loaded.same_decision_since(request.seat, expected):
            return
        if loaded.status is Status.ENDED:
            return  # the match is over; the rules' refusal says so more clearly
    raise version_conflict(loaded, expected)


def version_conflict(loaded: LoadedMatch, expected: int) -> Refused:
    """Return the refusal of a request that was decided on another version."""
    return Refused(
        Reason.VERSION_CONFLICT,
        f"the match is at version {loaded.version}, not {expected}",
        metadata={"current_version": loaded.version, "expected_version": expected},
    )


async def append_row(
    cache: MatchCache,
    loaded: LoadedMatch,
    request: Request,
    request_id: str,
    body: bytes,
    token: TokenUse | None,
    decided: Decided,
    write: Write | None,
) -> AcceptedRow | None:
    """Write a row and advance its match. Return None if another row was written first: the caller reads the match again.

    Raises Refused if the clock or a revoked token forbids it, LogUnavailable if it is unknown what was written. Nothing but the
    append is awaited for a row that is accepted.
    """
    revocations = None if token is None else token.revocations
    append = append_of(loaded, request, request_id, body, revocations, decided)
    try:
        await (write or cache.log.append)(append)
    except (StaleVersion, RequestIdTaken, TokensRevoked) as refusal:
        await _catch_up_after_refusal(cache, loaded, request, refusal)
        return None
    except (TimeIsUp, NotAway) as refusal:
        raise refused(refusal, loaded) from None
    except LogUnavailable:
        cache.forget(loaded.match.id)  # the row may or may not have been written
        raise
    try:
        return _advance(loaded, request.seat, append, decided)
    except Exception:
        cache.forget(loaded.match.id)  # the row is written, and the match in memory perhaps half at it
        raise


def append_of(
    loaded: LoadedMatch,
    request: Request,
    request_id: str,
    body: bytes,
    revocations: int | None,
    decided: Decided,
) -> Append:
    """Return the next row of a match, as the log takes it; `revocations` as in Append."""
    pending, outcome = decided.pending, decided.outcome
    return Append(
        move=_row(loaded, request, request_id, body, decided),
        status=Status.RUNNING if outcome is None else Status.ENDED,
        to_act=tuple([one.seat for one in pending]),
        turns=_turns(loaded, pending),
        outcome=None if outcome is None else encode(outcome),
        revocations=revocations,
        tick=tick_of(loaded, request.seat, request.body, pending),
        proposal=change_of(loaded, decided.match_events, decided.judged_at, has_ended=outcome is not None),
    )


def _advance(loaded: LoadedMatch, seat: Seat | None, append: Append, decided: Decided) -> AcceptedRow:
    """Advance a match by a row that is durable; return the answer for the seat."""
    loaded.advance_to(append.move, decided.state, decided.pending, decided.match_events)
    return _answer(
        loaded, seat, decided.events, loaded.version, append.to_act, append.status, decided.outcome
    )


def moved_too_fast() -> Refused:
    """Return the refusal of a row whose version was taken MAX_TRIES times."""
    return Refused(Reason.VERSION_CONFLICT, "the match moved on too fast; read it again and repeat")


async def first_answer(
    cache: MatchCache, loaded: LoadedMatch, request: Request, request_id: str, body: bytes
) -> AcceptedRow:
    """Return the first response to a repeated request; refuse the same id with other content. `loaded` must be up to date.

    Raises Refused if the caller's token was revoked: a repeat writes nothing, so no append would detect it.
    """
    await look_again(cache, loaded, request.caller)
    version = repeated(loaded, request, request_id, body)
    assert version is not None  # the caller has just checked that it was answered
    (move,) = await cache.log.read(loaded.match.id, after=version - 1, limit=1)
    state = await cache.state_at(loaded, version)
    aborted, paused = loaded.timeline.aborted == version, loaded.timeline.is_paused_at(version)
    outcome = aborting.outcome(loaded.game, state, aborted=aborted)
    return _answer(
        loaded,
        request.seat,
        read_events(loaded.game, move.events),
        version,
        tuple([one.seat for one in aborting.pending(loaded.game, state, aborted=aborted, paused=paused)]),
        Status.RUNNING if outcome is None else Status.ENDED,
        outcome,
        replayed=True,
    )


def repeated(loaded: LoadedMatch, request: Request, request_id: str, body: bytes) -> int | None:
    """Return the version that the same request made before, or None. Raises Refused if another request has used its id."""
    earlier = loaded.answered(request_id)
    if earlier is None:
        return None
    version, mark = earlier
    if mark != fingerprint(request.seat, body):
        raise Refused(
            Reason.REQUEST_ID_REUSED,
            "this request id was used for another move of this match",
            metadata={"current_version": loaded.version},
        )
    return version


async def _catch_up_after_refusal(
    cache: MatchCache, loaded: LoadedMatch, request: Request, refusal: LogError
) -> None:
    """Read the rows that blocked an append. Raises Refused if the caller's token was revoked, and LogUnavailable if
    nothing blocked it, or if the log has fewer rows than this process has folded.

    The latter happens after a failover to a database replica that lacked rows, or after a backup was restored: what
    this process has cached of the match is no longer true.
    """
    known = loaded.version
    await cache.catch_up(loaded)
    if isinstance(refusal, TokensRevoked):
        await look_again(cache, loaded, request.caller)
    elif loaded.version == known:
        cache.forget(loaded.match.id)
        raise LogUnavailable(f"match {loaded.match.id} is no longer at version {known}: it is read again")


def _turns(loaded: LoadedMatch, pending: Sequence[Pending]) -> tuple[int, ...]:
    """Return the seats whose turn begins with a row: those that have to act now and had not before."""
    before = {one.seat for one in loaded.pending}
    return tuple([one.seat for one in pending if one.seat not in before])


def _row(loaded: LoadedMatch, request: Request, request_id: str, body: bytes, decided: Decided) -> Move:
    seq = loaded.version + 1
    events = encode(decided.events)
    recorded_at = max(decided.judged_at, loaded.moved_at)
    digest = row_hash(
        loaded.match.secret,
        loaded.head,
        match_id=loaded.match.id,
        seq=seq,
        seat=request.seat,
        request_id=request_id,
        request=body,
        events=events,
        recorded_at=recorded_at,
    )
    return Move(
        match_id=loaded.match.id,
        seq=seq,
        seat=request.seat,
        request_id=request_id,
        request=body,
        events=events,
        previous_hash=loaded.head,
        hash=digest,
        recorded_at=recorded_at,
    )


def _answer(
    loaded: LoadedMatch,
    seat: Seat | None,
    events: tuple[Any, ...],
    version: int,
    to_act: tuple[int, ...],
    status: Status,
    outcome: Outcome | None,
    *,
    replayed: bool = False,
) -> AcceptedRow:
    if seat is not None:
        game, audience = loaded.game, seat_audience(seat)
        events = tuple([redact(game, event, audience) for event in events])
    return AcceptedRow(
        match_id=loaded.match.id,
        version=version,
        events=events,
        to_act=to_act,
        status=status,
        outcome=outcome,
        replayed=replayed,
    )
