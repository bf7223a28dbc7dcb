"""Commands: undo, redo, abort, pause, asking for a replacement, the answers to proposals, returning to a seat, added time,
vacations, and the start of a fork.

A command is no action of the game: it says which rows of the match count, or in which state the match begins. So it reads
earlier rows, and is judged only after all rows written by other processes have been read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.seats import Seat
from engine.match import aborting, absence, clock_changes, pausing, replacement, undoing
from engine.match.commands import (
    Abort,
    AbortProposed,
    AddTime,
    AnswerAbort,
    AnswerPause,
    AnswerReplacement,
    AnswerUndo,
    AskToReplace,
    MatchCommand,
    MatchEvent,
    Pause,
    PauseProposed,
    Redo,
    ReplacementProposed,
    ReturnToSeat,
    Undo,
    UndoProposed,
)
from engine.match.forking import Fork
from engine.match.replay import fold
from services.movelog.records import UndoRule
from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed, rule_broken
from services.rules.match import forking
from services.rules.match.appending import (
    MAX_TRIES,
    AcceptedRow,
    Decided,
    Request,
    Write,
    append_row,
    check_version,
    first_answer,
    moved_too_fast,
    now_utc,
    request_id_of,
    version_conflict,
)
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.proposals import proposal_of
from services.rules.match.token_use import token_use
from services.rules.match.undo import on_rows, too_often

_RULES: Final[Mapping[type[MatchCommand], str]] = {
    AnswerUndo: undoing.RULE,
    Abort: aborting.RULE,
    AnswerAbort: aborting.RULE,
    Pause: pausing.RULE,
    AnswerPause: pausing.RULE,
    AskToReplace: replacement.RULE,
    AnswerReplacement: replacement.RULE,
}
"""The rule that a refusal of each names."""


async def run_command(
    cache: MatchCache,
    loaded: LoadedMatch,
    request: Request,
    *,
    write: Write | None = None,
    now: Callable[[], datetime] = now_utc,
) -> AcceptedRow:
    """Carry out a command on a match whose lock the caller holds. Raises Refused with the reason. Durable when this returns.

    The checks come in the same order as for moves: the request id, the version, the rules, one append.
    """
    body = encode(request.body)
    request_id = request_id_of(request)
    fresh = False
    for _ in range(MAX_TRIES):
        token = token_use(request.caller, loaded)
        if not fresh:
            await cache.catch_up(loaded)
            fresh = True
        if loaded.answered(request_id) is not None:
            return await first_answer(cache, loaded, request, request_id, body)
        check_version(loaded, request)
        _must_have_seen_the_proposal(loaded, request)
        decided = await _decide(cache, loaded, request, now())
        answer = await append_row(cache, loaded, request, request_id, body, token, decided, write)
        if answer is not None:
            return answer
    raise moved_too_fast()


def _must_have_seen_the_proposal(loaded: LoadedMatch, request: Request) -> None:
    """Refuse an answer decided on a version before the open proposal, which was meant for another one, or for none."""
    expected, proposal = request.expected_version, loaded.timeline.proposal
    if expected is None or proposal is None or expected >= proposal.version:
        return
    if isinstance(request.body, AnswerUndo | AnswerAbort | AnswerPause | AnswerReplacement):
        raise version_conflict(loaded, expected)


async def _decide(cache: MatchCache, loaded: LoadedMatch, request: Request, judged_at: datetime) -> Decided:
    if isinstance(request.body, Fork):
        dealt = await forking.deal(cache, loaded, request.body)
        state = fold(loaded.game, dealt, loaded.state)
        return Decided(dealt, state, loaded.game.pending(state), loaded.game.outcome(state), judged_at)
    events = await _judge(cache, loaded, request.seat, request.body, judged_at)
    state = await cache.state_of(loaded, loaded.timeline.turned(events))
    outcome = aborting.outcome(loaded.game, state, aborted=aborting.is_abort(events))
    return Decided(events, state, loaded.pending_after(state, events), outcome, judged_at, events)


async def _judge(
    cache: MatchCache, loaded: LoadedMatch, seat: Seat | None, command: MatchCommand, now: datetime
) -> tuple[MatchEvent, ...]:
    """Return the events of a command on the current state. Raises Refused with the reason.

    The decision is that of engine/match/undoing.py, limited by the match's settings and the time for answers.
    """
    if loaded.version == 0 and (seat is not None or not isinstance(command, Abort)):
        raise Refused(Reason.MATCH_NOT_STARTED, "the match waits for players")
    try:
        if loaded.match.undo is UndoRule.NONE and isinstance(command, Undo | Redo | AnswerUndo):
            raise undoing.not_allowed(undoing.NoUndo.SWITCHED_OFF)
        if isinstance(command, Undo | Redo) and too_often(loaded):
            raise undoing.not_allowed(undoing.NoUndo.TOO_OFTEN)
        if seat is not None and isinstance(command, AddTime | Pause | AskToReplace) and too_often(loaded):
            raise _too_often(command)
        places = (loaded.timeline.taken_back(command.to) if isinstance(command, Undo) else None) or ()
        looked_at = await on_rows(cache, loaded, places)
        events = undoing.decide(looked_at, seat, command)
        _must_be_in_time(loaded, looked_at, seat, command, events, now)
    except RuleViolation as violation:
        raise rule_broken(violation, game=loaded.game.id) from violation
    except Unreadable as error:
        raise malformed(error.pointer, error.detail) from error
    return events


def _too_often(command: AddTime | Pause | AskToReplace) -> RuleViolation:
    match command:
        case Pause():
            return pausing.not_allowed(pausing.NoPause.TOO_OFTEN)
        case AskToReplace():
            return replacement.not_allowed(replacement.NoReplacement.TOO_OFTEN)
        case AddTime():
            return clock_changes.not_allowed(clock_changes.NoTime.TOO_OFTEN)


def _must_be_in_time(
    loaded: LoadedMatch,
    looked_at: undoing.Position,
    seat: Seat | None,
    command: MatchCommand,
    events: tuple[MatchEvent, ...],
    now: datetime,
) -> None:
    """Refuse a command that the rules of commands allow but this match's settings do not, or that comes too late."""
    is_open = proposal_of(loaded, now) is not None
    match command:
        case ReturnToSeat() if loaded.match.clock is None:
            raise RuleViolation(TableCode.NOT_AWAY, rule=absence.RULE)
        case AddTime() if loaded.match.clock is None:
            raise clock_changes.not_allowed(clock_changes.NoTime.NO_CLOCK)
        case AnswerUndo() | AnswerAbort() | AnswerPause() | AnswerReplacement() if not is_open:
            raise RuleViolation(TableCode.NO_PROPOSAL, rule=_RULES[type(command)])
        case Abort() | Pause() | AskToReplace() if is_open and isinstance(
            events[0], AbortProposed | PauseProposed | ReplacementProposed
        ):
            raise RuleViolation(TableCode.PROPOSAL_OPEN, rule=_RULES[type(command)])
        case Undo(to=to) if isinstance(events[0], UndoProposed):
            if loaded.match.undo is UndoRule.FREE and seat is not None:
                found = undoing.obstacle(looked_at, seat, to)
                assert found is not None  # otherwise the undo would have needed no consent
                raise undoing.not_allowed(found.reason, seq=found.seq)
            if is_open:
                raise RuleViolation(TableCode.PROPOSAL_OPEN, rule=undoing.RULE)
