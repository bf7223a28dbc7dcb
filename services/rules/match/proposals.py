"""Proposals that wait for the others' consent, to an undo or to an abort of the match.

A proposal expires when its time is up, in which times when no server took moves do not count. No timer runs: later reads
and answers compare the times and find it expired.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from engine.kernel.seats import Seat
from engine.match import consent
from engine.match.timeline import Proposal
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
