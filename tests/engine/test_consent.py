"""What a row makes of an open proposal, foretold before it is written, is what the timeline has after it."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.seats import Seat
from engine.match import consent
from engine.match.commands import (
    AbortAnswered,
    AbortedBy,
    AbortProposed,
    MatchAborted,
    MoveUndone,
    SeatReturned,
    UndoAnswered,
    UndoProposed,
)
from engine.match.timeline import Timeline

SEATS = st.integers(0, 3).map(Seat)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("propose", "answer", "return", "undo", "move", "abort")), SEATS, st.booleans()
        ),
        max_size=12,
    )
)
def test_it_is_foretold_what_a_row_leaves_open(rows: list[tuple[str, Seat, bool]]) -> None:
    timeline = Timeline()
    timeline.advance(1, None, b"{}", None)
    for kind, seat, yes in rows:
        if timeline.aborted is not None:
            return
        seq, before = timeline.version + 1, timeline.proposal
        if kind == "move":
            timeline.advance(seq, seat, b'{"type":"m"}', None)
            assert timeline.proposal is None
            continue
        events = events_of(timeline, kind, seat, yes=yes)
        if not events:
            continue
        foretold = consent.after(before, seq, events)
        timeline.advance(seq, seat, b"{}", events)
        assert foretold == timeline.proposal


def events_of(timeline: Timeline, kind: str, seat: Seat, *, yes: bool) -> tuple[Any, ...]:
    """Return the events of a row that may follow; none if this kind may not."""
    proposal = timeline.proposal
    match kind:
        case "propose" if yes:
            return (AbortProposed(seat=seat),)
        case "propose":
            return (UndoProposed(seat=seat, to=1),)
        case "answer" if proposal is None or seat == proposal.seat:
            return ()
        case "answer" if proposal is not None and proposal.to is None:
            aborted = (MatchAborted(by=AbortedBy.CONSENT, seat=proposal.seat),)
            all_agree = yes and len(proposal.accepted) == 2
            return (AbortAnswered(seat=seat, accept=yes), *(aborted if all_agree else ()))
        case "answer" if proposal is not None:
            undone = (MoveUndone(seat=proposal.seat, to=1),)
            all_agree = yes and len(proposal.accepted) == 2
            return (UndoAnswered(seat=seat, accept=yes), *(undone if all_agree else ()))
        case "return":
            return (SeatReturned(seat=seat),)
        case "undo":
            return (MoveUndone(seat=seat, to=1),)
        case _:
            return (MatchAborted(by=AbortedBy.TENANT, seat=None),)
