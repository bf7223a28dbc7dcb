"""What every move of a match says against taking it back, in one list: `obstacle` and `free_undo` look at the newest ones only."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.kernel.game import AnyGame
from engine.kernel.seats import Audience, Seat
from engine.match.boundary import Move, drew, revealed_to


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """The reasons against taking a move back."""

    seq: int
    seat: Seat | None
    drew: bool
    revealed_to: tuple[Audience, ...]
    """The audiences that learnt something from it, seats first, then the public."""
    answered_by: Seat | None = None
    """The first other seat that has moved since."""


def judged(game: AnyGame, moves: Sequence[Move], seats: int) -> tuple[Judgement, ...]:
    """Return the judgements of the last moves of a match, oldest first; `seats` is the number of seats at its start."""
    judgements = []
    later: list[Seat] = []
    """The seats that have moved since, latest first."""
    for move in reversed(moves):
        others = [seat for seat in later if seat != move.seat]
        judgements.append(
            Judgement(
                seq=move.seq,
                seat=move.seat,
                drew=drew(game, move),
                revealed_to=revealed_to(game, move, seats),
                answered_by=others[-1] if others else None,
            )
        )
        if move.seat is not None:
            later.append(move.seat)
    return tuple(reversed(judgements))
