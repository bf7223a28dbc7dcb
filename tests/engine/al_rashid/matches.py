"""Whole matches played by nobody: at random, or by keen players who would rather do something than nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.al_rashid.actions import AlRashidAction, DeclareAudience, DeclareVisit, Flee, TakeAll, TakeItems
from engine.al_rashid.components import bag_of
from engine.al_rashid.game import GAME
from engine.al_rashid.options import AlRashidOptions
from engine.al_rashid.state import State
from engine.kernel.chance import Chance
from engine.kernel.game import AnyGame
from engine.kernel.playout import Step as Played
from engine.kernel.seats import Seat
from tests.engine.whole_matches import match_of


def whole_match(
    players: int,
    number: int,
    *,
    keen: bool = False,
    leavers: Mapping[int, int] | None = None,
    game: AnyGame = GAME,
) -> Iterator[Played]:
    """The same match for the same arguments; in move m the seat `leavers[m]` leaves instead of somebody's move.

    `game` may be the game under older rules.
    """
    answer = _keen_answer if keen else GAME.sample
    return match_of(game, AlRashidOptions(), players, number, answer=answer, leavers=leavers)


def _keen_answer(state: State, seat: Seat, chance: Chance) -> AlRashidAction:
    """The best of four random answers: more actions and offices in a visit, more goods in a trade, rather a fight."""
    return max((GAME.sample(state, seat, chance) for _ in range(4)), key=_eagerness)


def _eagerness(action: AlRashidAction) -> int:
    match action:
        case DeclareVisit():
            return 2 * (action.office is not None) + action.service + (action.favor is not None)
        case DeclareAudience():
            return 2 * (action.office is not None) + (action.benevolence is not None)
        case TakeAll():
            return 3
        case TakeItems():
            return sum(bag_of(action.goods)) + action.note
        case Flee():
            return -1
        case _:
            return 0
