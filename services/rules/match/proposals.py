"""Proposals that wait for the others' consent: to an undo, to an abort of the match, to a pause, or to another player for a
seat.

A proposal expires when its time is up, in which times when no server took moves do not count. No timer runs: later reads
and answers compare the times and find it expired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.kernel.seats import Seat
from engine.match import consent
from engine.match.commands import MatchEvent, MatchPaused, MatchResumed
from engine.match.timeline import Proposal
from services.movelog.proposals import PauseChange, ProposalChange, Result
from services.movelog.records import Status
from services.rules.match.loaded_match import LoadedMatch


@dataclass(frozen=True, kw_only=True)
class OpenProposal:
    """A proposal that waits for answers."""

    proposal: Proposal
    expires_at: datetime
    waiting: tuple[Seat, ...]
    """The seats that have not answered yet."""


def proposal_of(loaded: LoadedMatch, now: datetime) -> OpenProposal | None:
    """Return the open proposal; None if there is none or its time is up."""
    proposal, since = loaded.timeline.proposal, loaded.proposed_at
    if proposal is None or since is None or loaded.status is not Status.RUNNING:
        return None
    expires_at = loaded.served_until(since, loaded.match.undo_timeout)
    if now >= expires_at:
        return None
    waiting = consent.waiting(loaded.timeline, loaded.match.seats, proposal)
    return OpenProposal(proposal=proposal, expires_at=expires_at, waiting=waiting)


def change_of(
    loaded: LoadedMatch, events: Sequence[MatchEvent] | None, judged_at: datetime, *, has_ended: bool
) -> ProposalChange | None:
    """Return how the next row changes the open proposal; `events` are the server's own, None for a move.

    The proposal that is open before may have expired; whoever writes the row finds that out.
    """
    before = loaded.timeline.proposal
    if before is None and events is None:
        return None
    seq = loaded.version + 1
    paused = None if events is None else pause_in(events)
    after = None if events is None or has_ended else consent.after(before, seq, events)
    if after is None:
        if before is None and paused is None:
            return None
        return ProposalChange(result=_result(events, has_ended=has_ended), paused=paused)
    is_new = after.version == seq
    since = max(judged_at, loaded.moved_at) if is_new else loaded.proposed_at
    assert since is not None  # it is that of the row that made the proposal
    return ProposalChange(
        version=after.version,
        kind=after.kind,
        seat=after.seat,
        asked=consent.waiting(loaded.timeline, loaded.match.seats, after),
        is_new=is_new,
        expires_at=since + loaded.match.undo_timeout,
        result=Result.EXPIRED,
    )


def pause_in(events: Sequence[MatchEvent]) -> PauseChange:
    """Return how a row of the server's events changes whether the match is paused."""
    match events[-1:]:
        case (MatchPaused(by=by),):
            return by
        case (MatchResumed(),):
            return ""
        case _:
            return None


def _result(events: Sequence[MatchEvent] | None, *, has_ended: bool) -> Result:
    """Return how a row ends a proposal."""
    answer = consent.answer_in(events or ())
    if answer is not None:
        return Result.ACCEPTED if answer else Result.REFUSED
    return Result.ENDED if has_ended else Result.MOVED
