"""Which pairs are played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.kernel.knowledge import audiences
from engine.kernel.seats import Audience, Seat, seat_audience
from engine.registry import game as registered_game
from tests.proofs.leaks.twins import Twins, make_twins

ATTEMPTS: Final = 200
"""So many pairs are tried before somebody must have shown what he should hide."""


def any_pair(game_id: str, audience: Audience, first: int, moves: int) -> Twins:
    """Return the first pair from a number on in which something hidden differs.

    AssertionError if there is none: then nothing is hidden from this audience any more, in its view or its events.
    """
    for number in range(first, first + ATTEMPTS):
        if (twins := make_twins(game_id, audience, number, moves=moves)) is not None:
            return twins
    raise AssertionError(f"{game_id}: nothing is hidden from {audience}")


def pairs_of(games: Sequence[str], count: int, moves: int) -> Iterator[Twins]:
    """Yield so many pairs of every game, in turn for every audience that a game has room for."""
    for number in range(count):
        for game_id in games:
            everybody = audiences(max(registered_game(game_id).seat_counts))
            yield any_pair(game_id, everybody[number % len(everybody)], number * ATTEMPTS, moves)


def a_telling_pair(moves: int) -> Twins:
    """Return a pair in which, once another has hidden what he chose, the audience's seat moves over REST and over gRPC.

    AssertionError if there is none of so many moves.
    """
    audience = seat_audience(Seat(0))
    for number in range(ATTEMPTS):
        twins = make_twins("river_dragons", audience, number, moves=moves)
        rows = [] if twins is None else list(enumerate(twins.rows, start=2))
        hidden_from = min((version for version, row in rows if row.truth != row.twin), default=0)
        own = {
            version % 2 for version, row in rows if row.seat == audience.seat and version > hidden_from > 0
        }
        if twins is not None and own == {0, 1}:
            return twins
    raise AssertionError(f"no pair of {moves} moves is telling")
