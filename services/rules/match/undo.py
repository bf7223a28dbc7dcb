"""How far a seat may undo a match, and why no further."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from engine.kernel.errors import TableCode
from engine.kernel.seats import Seat
from engine.match import undoing
from engine.match.boundary import FreeUndo
from engine.match.timeline import ProposalKind, TimelinePlace
from services.movelog.records import Status, UndoRule
from services.process.reasons import Reason
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.proposals import OpenProposal, proposal_of

MAX_ROWS: Final = 1_000
MAX_ROWS_FOR_EACH: Final = 4
"""Limits of a match's rows, in all and per row that counts, beyond which undo and redo are refused: repeating both changes
nothing in the game, but would make a match as long as one likes, and its export too long to be imported."""


@dataclass(frozen=True, kw_only=True)
class UndoState:
    """What a seat may undo now."""

    version: int
    rule: UndoRule
    free: FreeUndo | None
    """None if the match allows no undo, or is over."""
    refusal: str
    """Why nothing at all can be undone; empty if something may."""
    earliest: int
    """The earliest version an undo to which can be proposed; the current one if none can."""
    redo: bool
    proposal: OpenProposal | None


async def look(cache: MatchCache, loaded: LoadedMatch, seat: Seat, now: datetime) -> UndoState:
    """Return what a seat may undo now, how far, and why not further. `loaded` must be up to date."""
    left = loaded.timeline.left()
    refusal = ""
    if loaded.match.undo is UndoRule.NONE:
        refusal = undoing.NoUndo.SWITCHED_OFF.value
    elif loaded.status is not Status.RUNNING:
        refusal = TableCode.MATCH_OVER.value if loaded.version else Reason.MATCH_NOT_STARTED.value
    elif loaded.timeline.pause is not None:
        refusal = TableCode.MATCH_PAUSED.value
    elif seat in left:
        refusal = undoing.NoUndo.YOU_LEFT.value
    elif too_often(loaded):
        refusal = undoing.NoUndo.TOO_OFTEN.value
    found = None
    earliest = loaded.version
    if not refusal:
        found = undoing.free(await on_rows(cache, loaded, undoing.tail(loaded.timeline, seat)), seat)
        earliest = _earliest(loaded, seat, found)
    redoable = loaded.timeline.redoable
    return UndoState(
        version=loaded.version,
        rule=loaded.match.undo,
        free=found,
        refusal=refusal,
        earliest=earliest,
        redo=not refusal and bool(redoable) and redoable[-1].seat == seat,
        proposal=proposal_of(loaded, now),
    )


def too_often(loaded: LoadedMatch) -> bool:
    """Return whether a match has reached the limit of undo."""
    return loaded.version > MAX_ROWS and loaded.version > MAX_ROWS_FOR_EACH * len(loaded.timeline.line())


async def on_rows(
    cache: MatchCache, loaded: LoadedMatch, places: tuple[TimelinePlace, ...]
) -> undoing.Position:
    """Return the position a command is decided on, with the moves at these places."""
    moves: dict[int, Any] = {move.seq: move for move in await cache.moves_of(loaded, places)}
    return undoing.Position(
        game=loaded.game,
        timeline=loaded.timeline,
        state=loaded.state,
        seats=loaded.match.seats,
        moves=lambda wanted: tuple(moves[place.seq] for place in reversed(wanted)),
    )


def _earliest(loaded: LoadedMatch, seat: Seat, found: FreeUndo) -> int:
    """Return how far back an undo may be proposed: to the start, but not to before a resignation."""
    if loaded.match.undo is not UndoRule.CONSENT or (ProposalKind.UNDO, seat) in loaded.timeline.refused:
        return found.to
    earliest = loaded.version
    for place in loaded.timeline.head.back():
        if place.resigned or place.seat is None:
            break
        earliest = place.seq - 1
    return earliest
